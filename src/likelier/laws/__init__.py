"""Exact laws of metrics and the order of two of them.

Every law has the methods of a frozen distribution in `scipy.stats`, and `hdi`.
"""

from typing import TYPE_CHECKING

from likelier._lazy import attach

if TYPE_CHECKING:
    from likelier.laws.beta import BetaLaw as BetaLaw
    from likelier.laws.counts import accuracy as accuracy
    from likelier.laws.counts import f1 as f1
    from likelier.laws.counts import fbeta as fbeta
    from likelier.laws.counts import jaccard as jaccard
    from likelier.laws.counts import precision as precision
    from likelier.laws.counts import recall as recall
    from likelier.laws.difference import DifferenceLaw as DifferenceLaw
    from likelier.laws.f1_law import F1Law as F1Law
    from likelier.laws.fbeta_law import FbetaLaw as FbetaLaw
    from likelier.laws.law import Law as Law
    from likelier.laws.order import log_probability_greater as log_probability_greater
    from likelier.laws.order import (
        log_probability_not_greater as log_probability_not_greater,
    )
    from likelier.laws.order import probability_greater as probability_greater
    from likelier.laws.order import probability_not_greater as probability_not_greater

__getattr__, __dir__, __all__ = attach(
    __name__,
    {
        "BetaLaw": "beta",
        "DifferenceLaw": "difference",
        "F1Law": "f1_law",
        "FbetaLaw": "fbeta_law",
        "Law": "law",
        "accuracy": "counts",
        "f1": "counts",
        "fbeta": "counts",
        "jaccard": "counts",
        "log_probability_greater": "order",
        "log_probability_not_greater": "order",
        "precision": "counts",
        "probability_greater": "order",
        "probability_not_greater": "order",
        "recall": "counts",
    },
)
