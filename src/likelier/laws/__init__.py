"""Exact laws of metrics and the order of two of them.

Every law has the methods of a frozen distribution in `scipy.stats`, and `hdi`.
"""

from likelier.laws.beta import BetaLaw
from likelier.laws.counts import accuracy, f1, fbeta, jaccard, precision, recall
from likelier.laws.difference import DifferenceLaw
from likelier.laws.f1 import F1Law
from likelier.laws.fbeta import FbetaLaw
from likelier.laws.law import Law
from likelier.laws.order import (
    log_probability_greater,
    log_probability_not_greater,
    probability_greater,
    probability_not_greater,
)

__all__ = [
    "BetaLaw",
    "DifferenceLaw",
    "F1Law",
    "FbetaLaw",
    "Law",
    "accuracy",
    "f1",
    "fbeta",
    "jaccard",
    "log_probability_greater",
    "log_probability_not_greater",
    "precision",
    "probability_greater",
    "probability_not_greater",
    "recall",
]
