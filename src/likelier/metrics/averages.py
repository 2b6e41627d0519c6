"""Metrics of several classes that are no mean of the classes' own metrics."""

import numpy as np
from numpy.typing import NDArray

from likelier.metrics import rates
from likelier.metrics.metric import class_mean
from likelier.outcomes import Outcomes, Sums

FloatArray = NDArray[np.float64]


def f1_of_macro(sums: Sums, view: Outcomes) -> FloatArray:
    """Give the harmonic mean of macro-precision and macro-recall."""
    tp, fp, fn = sums["tp"], sums["fp"], sums["fn"]
    p = class_mean(rates.precision(tp, fp), view.present)
    r = class_mean(rates.recall(tp, fn), view.present)
    return rates.ratio(2 * p * r, p + r)


def balanced_accuracy(sums: Sums, view: Outcomes) -> FloatArray:
    """Give the mean recall over the classes that the gold labels hold."""
    return class_mean(rates.recall(sums["tp"], sums["fn"]), view.supported)


def mcc(sums: Sums, _: Outcomes) -> FloatArray:
    """Give the correlation of gold and predicted classes (Gorodkin's R_K)."""
    gold, said, items, hits = _margins(sums)
    covariance = hits * items - (gold * said).sum(axis=-1)
    spread_said = _left(items**2, (said**2).sum(axis=-1))
    spread_gold = _left(items**2, (gold**2).sum(axis=-1))
    return rates.ratio(covariance, np.sqrt(spread_said) * np.sqrt(spread_gold))


def kappa(sums: Sums, _: Outcomes) -> FloatArray:
    """Give the agreement of gold and predicted classes beyond chance (Cohen)."""
    gold, said, items, hits = _margins(sums)
    chance = (gold * said).sum(axis=-1)
    return rates.ratio(hits * items - chance, _left(items**2, chance))


def _left(whole: FloatArray, part: FloatArray) -> FloatArray:
    """Subtract a part; what is but the rounding of a sum is nothing."""
    rest = whole - part
    return np.where(rest > 1e-12 * whole, rest, 0.0)


def _margins(
    sums: Sums,
) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
    gold, said = sums["tp"] + sums["fn"], sums["tp"] + sums["fp"]
    items = np.broadcast_to(sums["items"], gold.shape)[..., 0]
    # Where there is one class only, its opposite is a class as well.
    other = [_left(items, one.sum(axis=-1))[..., np.newaxis] for one in (gold, said)]
    both = sums["correct"].sum(axis=-1)
    gold = np.append(gold, other[0], axis=-1)
    said = np.append(said, other[1], axis=-1)
    return gold, said, items, both
