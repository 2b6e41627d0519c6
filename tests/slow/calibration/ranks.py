"""Populations of scores by which items are ranked, and how people compare them.

Scores of each system are normal, with the positives further up; scores of the two
systems for one item are correlated. One less the correlation is the share of
discordance.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Literal

import numpy as np
from scipy.integrate import quad
from scipy.optimize import brentq
from scipy.special import ndtr, ndtri
from tests.slow.calibration.peers import LEVEL, RESAMPLES, Array, Ends
from tests.slow.calibration.populations import Sample

from likelier import Outcomes

Area = Literal["roc_auc", "average_precision"]
POSITIVES = 0.1
# ROC AUC of the first system, and of both where they are equal.
RIGHT = 0.8
# Standard deviation of the second system's positives, where systems are crossed.
WIDE = 1.5
# Distance of positives and negatives, by `ahead`.
_AHEAD = 4.0
_TRIES, _SIZE = 400, 400


@dataclass(frozen=True)
class Ranks:
    """Population of items with a gold label and two scores.

    Attributes
    ----------
    metric
        Name of the metric.
    apart
        Distance of positives from negatives, by system.
    spreads
        Standard deviation of the positives, by system.
    correlation
        Correlation of the systems' scores.
    """

    metric: Area
    apart: tuple[float, float]
    spreads: tuple[float, float]
    correlation: float

    @cached_property
    def values(self) -> Array:
        """True metric of both systems."""
        pairs = zip(self.apart, self.spreads, strict=True)
        return np.array([true_value(self.metric, *pair) for pair in pairs])

    @cached_property
    def spread(self) -> float:
        """Standard error of the observed difference, times the root of n."""
        rng = np.random.default_rng(0)
        each = np.ones((1, _SIZE))
        gaps = [
            np.diff(areas(self.metric, self._draw(rng, _SIZE), each))[0]
            for _ in range(_TRIES)
        ]
        return float(np.std(gaps) * np.sqrt(_SIZE))

    def samples(
        self, rng: np.random.Generator, n: int, size: int
    ) -> Iterator[tuple[Sample, int]]:
        """Draw samples of n items."""
        for _ in range(size):
            rows = self._draw(rng, n)
            yield Sample(rows, np.ones(n), partial(_outcomes, rows)), 1

    def _draw(self, rng: np.random.Generator, n: int) -> Array:
        """Draw gold labels and both systems' scores (item, 3)."""
        gold = rng.random(n) < POSITIVES
        own, common = rng.standard_normal((n, 2)), rng.standard_normal((n, 1))
        part = self.correlation
        noise = np.sqrt(1 - part) * own + np.sqrt(part) * common
        scores = np.where(gold[:, np.newaxis], noise * self.spreads + self.apart, noise)
        return np.column_stack([gold, scores])


def _outcomes(rows: Array) -> Outcomes:
    gold, first, second = rows.T
    return Outcomes.from_ranked(gold.astype(int), first, second)


def normal_scores(share: float, ahead: float, *, metric: Area) -> Ranks:
    """Make two systems of which the second separates positives better."""
    apart = float(np.sqrt(2) * ndtri(RIGHT))
    return Ranks(metric, (apart, apart + _AHEAD * ahead), (1.0, 1.0), 1 - share)


def crossed(share: float, *, metric: Area) -> Ranks:
    """Make two systems that are equal, one with a wider spread of positives."""
    equal = normal_scores(share, 0.0, metric=metric)

    def gap(apart: float) -> float:
        return true_value(metric, apart, WIDE) - equal.values[0]

    apart = float(brentq(gap, 0.0, 5.0, xtol=1e-15, rtol=1e-14))
    return Ranks(metric, (equal.apart[0], apart), (1.0, WIDE), 1 - share)


def true_value(metric: Area, apart: float, spread: float) -> float:
    """Return the metric of endless items."""
    if metric == "roc_auc":
        return float(ndtr(apart / np.sqrt(1 + spread**2)))

    def precision(share: float) -> float:
        """Precision at the score above which this share of the positives is."""
        score = apart - spread * ndtri(share)
        found, others = POSITIVES * share, (1 - POSITIVES) * ndtr(-score)
        return float(found / (found + others))

    return float(quad(precision, 0.0, 1.0, epsabs=1e-13, epsrel=1e-13, limit=500)[0])


def areas(metric: Area, rows: Array, weights: Array) -> Array:
    """Compute the metric of both systems (weights, 2), for scores without ties."""
    return np.column_stack([_area(metric, rows[:, (0, i)], weights) for i in (1, 2)])


def _area(metric: Area, rows: Array, weights: Array) -> Array:
    order = np.argsort(-rows[:, 1])
    gold, drawn = rows[order, 0] > 0, weights[:, order]
    found = np.cumsum(drawn * gold, axis=1)
    whole = np.maximum(found[:, -1], 1e-300)
    if metric == "average_precision":
        called = np.maximum(np.cumsum(drawn, axis=1), 1e-300)
        return (drawn * gold * found / called).sum(axis=1) / whole
    negatives = drawn * ~gold
    both = whole * np.maximum(negatives.sum(axis=1), 1e-300)
    return (negatives * found).sum(axis=1) / both


def intervals(metric: Area, rows: Array, rng: np.random.Generator) -> dict[str, Ends]:
    """Return the intervals that people use: DeLong's, and bootstrap percentiles."""
    n = len(rows)
    weights = rng.multinomial(n, np.full(n, 1 / n), size=RESAMPLES).astype(float)
    drawn = np.diff(areas(metric, rows, weights), axis=1)[:, 0]
    low, high = np.quantile(drawn, [LEVEL / 2, 1 - LEVEL / 2])
    ends = {"bootstrap": (float(low), float(high))}
    if metric == "roc_auc":
        ends["wald"] = _delong(rows)
    return ends


def _delong(rows: Array) -> Ends:
    positive = rows[:, 0] > 0
    above, below = [], []
    for scores in rows[:, 1:].T:
        kernel = scores[positive][:, np.newaxis] > scores[~positive]
        above.append(kernel.mean(axis=1))
        below.append(kernel.mean(axis=0))
    gain = float(np.mean(above[1]) - np.mean(above[0]))
    error = np.sqrt(
        sum(
            np.var(second - first, ddof=min(len(first) - 1, 1)) / len(first)
            for first, second in (above, below)
        )
    )
    half = float(ndtri(1 - LEVEL / 2) * error)
    return gain - half, gain + half
