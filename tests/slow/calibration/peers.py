"""Intervals of a difference as people use them, in numpy, without likelier.

Units (items, sentences, clusters) come as rows (unit, 5, class): what each of the two
systems has right, what each predicts, and the gold items. Scores are one class, with
the score in place of what is right and the size of the unit in place of gold items.
"""

from collections.abc import Callable

import numpy as np
from scipy.special import bdtr, ndtri, stdtrit

Array = np.ndarray
Formula = Callable[[Array], Array]
Ends = tuple[float, float]

RESAMPLES = 1000
LEVEL = 0.05
_TAIL = LEVEL / 2
_STEP = 1e-20


def mean(sums: Array) -> Array:
    """Share of right items, or the mean score, of both systems."""
    return _ratio(sums[..., :2, :].sum(-1), sums[..., 4:, :].sum(-1))


def f1(sums: Array) -> Array:
    """F1, the mean over classes that the gold items or the system's own labels hold."""
    whole = sums[..., 2:4, :] + sums[..., 4:, :]
    present = whole.real > 0
    rates = _ratio(2 * sums[..., :2, :], whole)
    return rates.sum(-1) / np.maximum(present.sum(-1), 1)


def kappa(sums: Array) -> Array:
    """Cohen's kappa between gold labels and each system."""
    right, chance, n, _, _ = _margins(sums)
    return _ratio(right * n - chance, n**2 - chance)


def mcc(sums: Array) -> Array:
    """Matthews correlation between gold labels and each system."""
    right, chance, n, predicted, gold = _margins(sums)
    return _ratio(right * n - chance, np.sqrt((n**2 - predicted) * (n**2 - gold)))


def _margins(sums: Array) -> tuple[Array, ...]:
    predicted, gold = sums[..., 2:4, :], sums[..., 4:, :]
    right = sums[..., :2, :].sum(-1)
    chance = (predicted * gold).sum(-1)
    return right, chance, gold.sum(-1), (predicted**2).sum(-1), (gold**2).sum(-1)


def _ratio(part: Array, whole: Array) -> Array:
    part, whole = np.broadcast_arrays(part, whole)
    kind = np.result_type(part, whole)
    return np.divide(part, whole, out=np.zeros(part.shape, kind), where=whole != 0)


def difference(formula: Formula, sums: Array) -> Array:
    """Second system minus first."""
    values = formula(sums)
    return values[..., 1] - values[..., 0]


def influence(formula: Formula, rows: Array, counts: Array) -> Array:
    """Derivative of the difference by the weight of each unit, of mean 0."""
    sums = np.tensordot(counts, rows, axes=1)
    width = sums.size
    steps = sums + 1j * _STEP * np.eye(width).reshape(width, *sums.shape)
    slope = difference(formula, steps).imag / _STEP
    return rows.reshape(len(rows), -1) @ slope


def wald(formula: Formula, rows: Array, counts: Array) -> Ends:
    """Difference and 1.96 standard errors to either side, by the delta method."""
    middle = difference(formula, np.tensordot(counts, rows, axes=1))
    error = np.sqrt(counts @ influence(formula, rows, counts) ** 2)
    return _around(middle, ndtri(1 - _TAIL) * error)


def paired_t(formula: Formula, rows: Array, counts: Array) -> Ends:
    """Paired t interval of the units' own differences."""
    gains = difference(formula, rows)
    n = counts.sum()
    middle = counts @ gains / n
    error = np.sqrt(counts @ (gains - middle) ** 2 / (n - 1) / n)
    return _around(middle, stdtrit(n - 1, 1 - _TAIL) * error)


def bootstrap(
    formula: Formula, rows: Array, counts: Array, rng: np.random.Generator
) -> Ends:
    """Percentiles of the difference over samples of units, drawn with replacement."""
    n = int(counts.sum())
    if len(counts) * 4 < n:
        weights = rng.multinomial(n, counts / n, size=RESAMPLES)
    else:
        units = np.repeat(np.arange(len(counts)), counts.astype(np.int64))
        taken = units[rng.integers(n, size=(RESAMPLES, n))]
        taken += np.arange(RESAMPLES)[:, np.newaxis] * len(counts)
        weights = np.bincount(taken.ravel(), minlength=RESAMPLES * len(counts))
        weights = weights.reshape(RESAMPLES, -1)
    flat = weights.astype(float) @ rows.reshape(len(rows), -1)
    values = difference(formula, flat.reshape(RESAMPLES, *rows.shape[1:]))
    low, high = np.quantile(values, [_TAIL, 1 - _TAIL])
    return float(low), float(high)


def mcnemar(formula: Formula, rows: Array, counts: Array) -> float:
    """McNemar's exact p-value, mid-p, of right and wrong items."""
    gains = difference(formula, rows)
    wins, losses = (int(counts[side].sum()) for side in (gains > 0, gains < 0))
    least = min(wins, losses)
    # The tail up to the smaller number, of which that number itself counts half.
    tail = bdtr(least, wins + losses, 0.5)
    less = bdtr(least - 1, wins + losses, 0.5) if least > 0 else 0.0
    return float(min(1.0, tail + less))


def _around(middle: float, half: float) -> Ends:
    return float(middle - half), float(middle + half)
