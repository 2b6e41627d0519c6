"""Metrics of parses, as functions of sums: those of the CoNLL 2018 shared task."""

from likelier._typing import FloatArray
from likelier.data.parse_statistics import PARSE_METRICS, parse_statistics
from likelier.metrics.formulas import ratio
from likelier.metrics.metric import Metric


def word_f1(correct: FloatArray, gold: FloatArray, system: FloatArray) -> FloatArray:
    """Compute F1 of words; where gold and system have the same, the share right."""
    return ratio(2 * correct, gold + system)


PARSING_METRICS = tuple(
    Metric(name, parse_statistics(name), word_f1, bounds=(0.0, 1.0))
    for name in PARSE_METRICS
)
