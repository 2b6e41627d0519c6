"""Formulas of sums: of one class's counts, and over several classes.

0/0 counts as 0, as in scikit-learn.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likelier._typing import FloatArray
from likelier.data.outcomes import Outcomes, Sums
from likelier.errors import SettingError

Formula = Callable[..., FloatArray]

# Its square is a number, too.
_MOST_BETA = 1e100
_NOTHING_OF_NOTHING = ContextVar("nothing of nothing", default=0.0)


@contextmanager
def undefined_as(value: float) -> Iterator[None]:
    """Set 0/0 to another value for a while, to see where it matters."""
    token = _NOTHING_OF_NOTHING.set(value)
    try:
        yield
    finally:
        _NOTHING_OF_NOTHING.reset(token)


def ratio(part: FloatArray, whole: FloatArray) -> FloatArray:
    """Divide, with 0 where the whole is 0.

    Examples
    --------
    >>> ratio(np.array([1.0, 0.0]), np.array([2.0, 0.0]))
    array([0.5, 0. ])
    """
    defined = whole != 0
    if np.all(defined):
        return np.asarray(part / whole)
    part, whole, defined = np.broadcast_arrays(part, whole, defined)
    out = np.full(whole.shape, _NOTHING_OF_NOTHING.get())
    return np.divide(part, whole, out=out, where=defined)


def precision(tp: FloatArray, fp: FloatArray) -> FloatArray:
    """Compute the share of the items called positive that are positive."""
    return ratio(tp, tp + fp)


def recall(tp: FloatArray, fn: FloatArray) -> FloatArray:
    """Compute the share of the positive items that are called positive."""
    return ratio(tp, tp + fn)


def specificity(tn: FloatArray, fp: FloatArray) -> FloatArray:
    """Compute the share of the negative items that are called negative."""
    return ratio(tn, tn + fp)


def npv(tn: FloatArray, fn: FloatArray) -> FloatArray:
    """Compute the share of the items called negative that are negative."""
    return ratio(tn, tn + fn)


def f1(tp: FloatArray, fp: FloatArray, fn: FloatArray) -> FloatArray:
    """Compute the harmonic mean of precision and recall."""
    return ratio(2 * tp, 2 * tp + fp + fn)


def jaccard(tp: FloatArray, fp: FloatArray, fn: FloatArray) -> FloatArray:
    """Compute the share that is positive and called so, of all that are either."""
    return ratio(tp, tp + fp + fn)


def informedness(
    tp: FloatArray, fp: FloatArray, fn: FloatArray, tn: FloatArray
) -> FloatArray:
    """Compute recall plus specificity less 1 (Youden's J)."""
    return recall(tp, fn) + specificity(tn, fp) - 1


def markedness(
    tp: FloatArray, fp: FloatArray, fn: FloatArray, tn: FloatArray
) -> FloatArray:
    """Compute precision plus negative predictive value less 1."""
    return precision(tp, fp) + npv(tn, fn) - 1


def mcc(tp: FloatArray, fp: FloatArray, fn: FloatArray, tn: FloatArray) -> FloatArray:
    """Compute the correlation of gold and predicted class (Matthews)."""
    # Roots first: the product of four large counts would overflow their precision.
    scale = np.sqrt(tp + fp) * np.sqrt(tp + fn) * np.sqrt(tn + fp) * np.sqrt(tn + fn)
    return ratio(tp * tn - fp * fn, scale)


def kappa(tp: FloatArray, fp: FloatArray, fn: FloatArray, tn: FloatArray) -> FloatArray:
    """Compute the agreement beyond chance (Cohen)."""
    chance = (tp + fp) * (fp + tn) + (tp + fn) * (fn + tn)
    return ratio(2 * (tp * tn - fp * fn), chance)


def balanced_accuracy(
    tp: FloatArray, fp: FloatArray, fn: FloatArray, tn: FloatArray
) -> FloatArray:
    """Compute the mean of recall and specificity, or the one that has items."""
    classes = (tp + fn > 0).astype(float) + (tn + fp > 0)
    shares = np.nan_to_num(recall(tp, fn)) + np.nan_to_num(specificity(tn, fp))
    return ratio(shares, classes)


def accuracy(correct: FloatArray, items: FloatArray) -> FloatArray:
    """Compute the share of the items that are right."""
    return ratio(correct, items)


def error_rate(correct: FloatArray, items: FloatArray) -> FloatArray:
    """Compute the share of the items that are wrong."""
    return ratio(items - correct, items)


def mean(score: FloatArray, items: FloatArray) -> FloatArray:
    """Compute the mean score of an item."""
    return ratio(score, items)


def perplexity(score: FloatArray, items: FloatArray) -> FloatArray:
    """Compute the perplexity of items whose scores are logarithms of probabilities."""
    return np.exp(-ratio(score, items))


def fbeta(beta: float) -> Formula:
    """Return the F-measure that weighs recall beta times as much (van Rijsbergen)."""
    if not 0 <= beta <= _MOST_BETA:
        message = f"beta must be a number from 0 to {_MOST_BETA:g}; got {beta!r}."
        raise SettingError(message)
    square = float(beta) ** 2

    def weighted(tp: FloatArray, fp: FloatArray, fn: FloatArray) -> FloatArray:
        hit = (1 + square) * tp
        return ratio(hit, hit + square * fn + fp)

    return weighted


def beta_of_alpha(alpha: float) -> float:
    """Turn the weight of precision, alpha, into beta: beta² = (1 - alpha) / alpha.

    Examples
    --------
    >>> beta_of_alpha(0.5)
    1.0
    """
    if not 0 < alpha <= 1:
        message = f"alpha must be above 0 and at most 1; got {alpha!r}."
        raise SettingError(message)
    return float(np.sqrt((1 - alpha) / alpha))


def class_mean(values: FloatArray, weights: NDArray[Any]) -> FloatArray:
    """Average over the class axis, which is the last."""
    weighed = np.where(weights > 0, values * weights, 0.0)
    return ratio(weighed.sum(axis=-1), np.asarray(weights).sum(axis=-1))


def f1_of_macro(sums: Sums, view: Outcomes) -> FloatArray:
    """Compute the harmonic mean of macro-precision and macro-recall."""
    tp, fp, fn = sums["tp"], sums["fp"], sums["fn"]
    p = class_mean(precision(tp, fp), view.present)
    r = class_mean(recall(tp, fn), view.present)
    return ratio(2 * p * r, p + r)


def class_balanced_accuracy(sums: Sums, view: Outcomes) -> FloatArray:
    """Compute the mean recall over the classes that the gold labels hold."""
    return class_mean(recall(sums["tp"], sums["fn"]), view.supported)


def class_mcc(sums: Sums, _: Outcomes) -> FloatArray:
    """Compute the correlation of gold and predicted classes (Gorodkin's R_K)."""
    gold, predicted, items, right = _margins(sums)
    covariance = right * items - (gold * predicted).sum(axis=-1)
    spread_predicted = remainder(items**2, (predicted**2).sum(axis=-1))
    spread_gold = remainder(items**2, (gold**2).sum(axis=-1))
    return ratio(covariance, np.sqrt(spread_predicted) * np.sqrt(spread_gold))


def class_kappa(sums: Sums, _: Outcomes) -> FloatArray:
    """Compute the agreement of gold and predicted classes beyond chance (Cohen)."""
    gold, predicted, items, right = _margins(sums)
    chance = (gold * predicted).sum(axis=-1)
    return ratio(right * items - chance, remainder(items**2, chance))


def remainder(whole: FloatArray, part: FloatArray) -> FloatArray:
    """Subtract a part; what is but the rounding of a sum is nothing."""
    rest = whole - part
    return np.where(rest > 1e-12 * whole, rest, 0.0)


def _margins(
    sums: Sums,
) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
    """Return the items of each gold and predicted class, all items, those right."""
    gold, predicted = sums["tp"] + sums["fn"], sums["tp"] + sums["fp"]
    items = np.broadcast_to(sums["items"], gold.shape)[..., 0]

    def with_rest(classes: FloatArray) -> FloatArray:
        # Where there is one class only, its opposite is a class as well.
        rest = remainder(items, classes.sum(axis=-1))
        return np.append(classes, rest[..., np.newaxis], axis=-1)

    return with_rest(gold), with_rest(predicted), items, sums["correct"].sum(axis=-1)


# Formulas in which every class weighs the same.
CLASS_AVERAGES = (class_balanced_accuracy, f1_of_macro)
