"""Exact laws of metrics and the order of two of them.

Every law has the methods of a frozen distribution in `scipy.stats`, and `hdi`.
"""

from typing import TYPE_CHECKING

from likelier._lazy import attach

if TYPE_CHECKING:
    from likelier.laws.beta import BetaLaw as BetaLaw
    from likelier.laws.difference import DifferenceLaw as DifferenceLaw
    from likelier.laws.difference import (
        log_probability_greater as log_probability_greater,
    )
    from likelier.laws.difference import (
        log_probability_not_greater as log_probability_not_greater,
    )
    from likelier.laws.difference import probability_greater as probability_greater
    from likelier.laws.difference import (
        probability_not_greater as probability_not_greater,
    )
    from likelier.laws.fbeta_law import F1Law as F1Law
    from likelier.laws.fbeta_law import FbetaLaw as FbetaLaw
    from likelier.laws.from_counts import accuracy as accuracy
    from likelier.laws.from_counts import f1 as f1
    from likelier.laws.from_counts import fbeta as fbeta
    from likelier.laws.from_counts import jaccard as jaccard
    from likelier.laws.from_counts import precision as precision
    from likelier.laws.from_counts import recall as recall
    from likelier.laws.law import Law as Law

__getattr__, __dir__, __all__ = attach(
    __name__,
    {
        "BetaLaw": "beta",
        "DifferenceLaw": "difference",
        "F1Law": "fbeta_law",
        "FbetaLaw": "fbeta_law",
        "Law": "law",
        "accuracy": "from_counts",
        "f1": "from_counts",
        "fbeta": "from_counts",
        "jaccard": "from_counts",
        "log_probability_greater": "difference",
        "log_probability_not_greater": "difference",
        "precision": "from_counts",
        "probability_greater": "difference",
        "probability_not_greater": "difference",
        "recall": "from_counts",
    },
)
