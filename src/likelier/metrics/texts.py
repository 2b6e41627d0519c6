"""Metrics of text beside references, as functions of sums.

BLEU, chrF and TER run from 0 to 100 and are those of sacreBLEU; WER and CER are those
of jiwer, shares of the reference's words and characters.
"""

import numpy as np

from likelier._typing import FloatArray
from likelier.data.text_statistics import ORDERS, TEXT_COUNTERS
from likelier.metrics import formulas
from likelier.metrics.formulas import Formula, ratio
from likelier.metrics.metric import Metric

_HUNDRED = (0.0, 100.0)
_BETA = 2.0


def bleu(output: FloatArray, reference: FloatArray, *ngrams: FloatArray) -> FloatArray:
    """Compute corpus BLEU, with exponential smoothing as in sacreBLEU."""
    matches, every = ngrams[:ORDERS], ngrams[ORDERS:]
    smooth = np.ones_like(output)
    logs = np.zeros_like(output)
    for match, whole in zip(matches, every, strict=True):
        smooth = np.where(match == 0, 2 * smooth, smooth)
        part = np.where(match == 0, 1 / smooth, match)
        logs = logs + np.log(part) - np.log(whole)
    brevity = np.minimum(1 - reference / output, 0.0)
    score = 100 * np.exp(brevity + logs / ORDERS)
    # Without any n-gram of an order the score is 0, as without any match.
    none = (sum(matches) == 0) | (np.minimum.reduce(every) == 0)
    return np.where(none, 0.0, score)


def chrf(*ngrams: FloatArray) -> FloatArray:
    """Compute chrF: F2 of the mean precision and recall over orders that occur."""
    precision = recall = orders = np.zeros_like(ngrams[0])
    for i in range(0, len(ngrams), 3):
        output, reference, match = ngrams[i : i + 3]
        there = (output > 0) & (reference > 0)
        precision = precision + np.where(there, ratio(match, output), 0.0)
        recall = recall + np.where(there, ratio(match, reference), 0.0)
        orders = orders + there
    # Without any n-gram that both have the score is 0, as in sacreBLEU.
    precision, recall = (part / np.maximum(orders, 1) for part in (precision, recall))
    square = _BETA**2
    whole = square * precision + recall
    part = (1 + square) * precision * recall
    return 100 * np.divide(part, whole, out=np.zeros_like(whole), where=whole > 0)


def _edit_rate(*sums: FloatArray) -> FloatArray:
    *edits, words = sums
    return ratio(sum(edits), words)  # type: ignore[arg-type]


def _hundred_edits(edits: FloatArray, words: FloatArray) -> FloatArray:
    return 100 * ratio(edits, words)


def _metric(
    name: str,
    formula: Formula,
    bounds: tuple[float, float] = _HUNDRED,
    *,
    better: bool = True,
) -> Metric:
    statistics = TEXT_COUNTERS[name].statistics
    return Metric(name, statistics, formula, bounds=bounds, higher_is_better=better)


def _mean(name: str) -> Metric:
    statistics = (*TEXT_COUNTERS[name].statistics, "items")
    return Metric(name, statistics, formulas.mean, bounds=(0.0, 1.0), linear=True)


TEXT_METRICS = (
    _metric("bleu", bleu),
    _metric("chrf", chrf),
    _metric("chrf++", chrf),
    _metric("ter", _hundred_edits, (0.0, np.inf), better=False),
    _metric("wer", _edit_rate, (0.0, np.inf), better=False),
    _metric("cer", _edit_rate, (0.0, np.inf), better=False),
    _mean("exact_match"),
    _mean("token_f1"),
)
