"""Weighted sums of items of many classes: by kind of item, and where false ones fall.

Items of one kind add the same but for false positives: those of a gold class that one
system, the other, both or none get right. The weight of a kind is a Gamma, and drawn
as one. Over which classes its false positives spread is a share of that weight; all
these shares together are taken as jointly normal with their exact covariances, and each
with a term for its skewness; they vary as much as the weights of the kinds say. False
positives of classes that hardly have any are drawn item by item. How much of the third
and fourth cumulants of the metric is lost tells how far a probability may move; where
that is more than 1 in 2,000, there is no answer, and all items are drawn.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse

from likelier._typing import FloatArray, IntArray
from likelier.data.outcomes import Outcomes
from likelier.data.ranked_outcomes import RankedOutcomes
from likelier.methods.items.normal_sums import with_differences
from likelier.metrics.metric import Metric
from likelier.streams import Streams

_LARGEST_ERROR = 5e-4
# Classes with fewer false positives are drawn item by item.
_FEW = 2.0
# With fewer items to each kind, nothing is won.
_LEAST_GAIN = 2
# Largest of |He_2| and |He_3| times the normal density.
_THIRD, _FOURTH = 0.399, 0.551
# A number costs as much as so many others; but so many in all give draws enough.
_COST, _MOST_COST = 6, 10_000
_STEP = 1e-6
# Columns that are moved at once: their tables stay in the processor's cache.
_COLUMNS = 64
_RIDGE = 1e-12
# Skewness of a square of normals, nearly.
_MOST_SKEWED = 2.0


@dataclass(frozen=True, eq=False)
class ClassSums:
    """Kinds of items, with the shapes of their weights, and how false ones spread.

    Attributes
    ----------
    view
        Table of the items, for its classes.
    shapes
        Shape of the weight of each kind.
    rows
        What an item of each kind adds (kind, column), false positives on average.
    sizes
        Items of each kind.
    column
        Columns of the false positives that spread.
    root
        Root of the covariances of the spread (column, column).
    bend
        How far each column's normal number is bent to be as skewed.
    part
        Part of each column's variance that a kind has (kind, column).
    """

    view: Outcomes
    shapes: FloatArray
    rows: Any
    sizes: FloatArray
    column: IntArray
    root: FloatArray
    bend: FloatArray
    part: FloatArray

    @classmethod
    def of(cls, units: Outcomes, metric: Metric) -> "ClassSums | None":
        """Find the kinds of items; None where drawing them gains little, or is off.

        Parameters
        ----------
        units
            Items as the metric sees them; their counts are the shapes of their weights.
        metric
            The metric.
        """
        several = len(units.classes) > 1 and "fp" in units.statistics
        if not several or isinstance(units, RankedOutcomes):
            return None
        seen = np.flatnonzero(units.counts > 0)
        shapes, sizes, rows = units.counts[seen], units.sizes[seen], units.rows[seen]
        rows.sort_indices()  # sums of equal rows are to be equal to the last digit
        column = np.arange(rows.shape[1]).reshape(units.shape)
        false = column[:, :, units.statistics.index("fp")].ravel()
        total = shapes @ rows[:, false]
        false = false[total >= _FEW]
        kind = _kinds(rows, sizes, false)
        n = int(kind.max()) + 1
        if _LEAST_GAIN * n > len(shapes) or not false.size:
            return None
        member = sparse.csr_array(
            (shapes, (kind, np.arange(len(shapes)))), shape=(n, len(shapes))
        )
        of_kind: FloatArray = np.asarray(member.sum(axis=1)).ravel()
        share: Any = sparse.diags_array(1 / of_kind) @ member
        mean = sparse.csr_array(share @ rows)
        spread, average = rows[:, false], mean[:, false].toarray()
        weighed = sparse.diags_array(shapes) @ spread
        covariance = (spread.T @ weighed).toarray()
        covariance -= average.T @ (of_kind[:, np.newaxis] * average)
        variance = np.maximum(covariance.diagonal(), 0.0)
        part = of_kind[:, np.newaxis] * ((share @ spread.power(2)) - average**2)
        part = np.maximum(part, 0.0) / np.where(variance > 0, variance, 1.0)
        skew = _third_moments(spread, share, of_kind, average)
        skew = np.divide(
            skew, variance**1.5, out=np.zeros_like(skew), where=variance > 0
        )
        bend = _bends(np.clip(skew, -_MOST_SKEWED, _MOST_SKEWED))
        slopes = with_differences(_slopes(units, metric))
        own = slopes[false]
        expected = part @ (own * (covariance @ own))
        if _error(rows @ slopes, shapes, kind, expected) > _LARGEST_ERROR:
            return None
        return cls(
            view=units,
            shapes=of_kind,
            rows=mean,
            sizes=np.asarray(share @ sizes),
            column=false,
            root=_root(covariance, variance, bend),
            bend=bend,
            part=part,
        )

    def draw(self, metric: Metric, streams: Streams, *, purpose: int) -> FloatArray:
        """Draw the metric (draw, system)."""
        none = np.zeros((1, len(self.view.counts)))
        kept = np.ones(self.rows.shape[1])
        kept[self.column] = 0.0
        exact = (self.rows @ sparse.diags_array(kept)).T.tocsr()
        average: Any = self.rows[:, self.column].T.tocsr()
        # Squared weights of these shapes have the expectation 1.
        inverse = sparse.diags_array(1 / (self.shapes * (self.shapes + 1)))
        part: Any = (inverse @ sparse.csr_array(self.part)).T.tocsr()

        def block(generator: np.random.Generator, n: int) -> FloatArray:
            weights = np.empty((len(self.shapes), n))
            for shape, kind in zip(self.shapes.tolist(), weights, strict=True):
                generator.standard_gamma(shape, out=kind)
            sums = np.empty((n, self.rows.shape[1] + 1))
            sums[:, :-1] = (exact @ weights).T
            sums[:, -1] = self.sizes @ weights
            spread = self._spread(generator, n)
            spread *= np.sqrt((part @ weights**2).T)
            sums[:, self.column] = np.maximum((average @ weights).T + spread, 0.0)
            return metric.values(self.view, none, beside=sums)

        width = _COST * (len(self.shapes) + len(self.column))
        width = min(width, _MOST_COST)
        return streams.run(block, width=width, purpose=purpose)

    def _spread(self, generator: np.random.Generator, n: int) -> FloatArray:
        """Draw how far false positives are from their average (draw, column)."""
        normal = generator.standard_normal((n, len(self.column))) @ self.root.T
        scale = np.sqrt((self.root**2).sum(axis=1))
        unit = np.where(scale > 0, scale, 1.0)
        bent = normal + self.bend * (normal**2 / unit - scale)
        return np.asarray(bent / np.sqrt(1 + 2 * self.bend**2))


def _kinds(rows: Any, sizes: FloatArray, false: IntArray) -> IntArray:
    """Return the kind of each row: equal but for some columns."""
    rest = np.setdiff1d(np.arange(rows.shape[1]), false)
    # Distinct rows have distinct sums of irrational multiples.
    factor = np.sqrt(np.arange(2, len(rest) + 2)) % 1 + np.arange(len(rest)) % 7
    sums = rows[:, rest] @ factor + sizes * np.pi
    return np.unique(sums, return_inverse=True)[1]


def _third_moments(
    rows: Any,
    share: Any,
    of_kind: FloatArray,
    mean: FloatArray,
) -> FloatArray:
    """Return the third cumulant of each column's distance from its average."""
    squares, cubes = (share @ rows.power(p) for p in (2, 3))
    each = cubes.toarray() - 3 * mean * squares.toarray() + 2 * mean**3
    return np.asarray(2 * of_kind @ each)


def _bends(skew: FloatArray) -> FloatArray:
    """Return the a for which z + a (z² - 1) of normal z has these skewnesses."""
    bend = skew / 6
    for _ in range(20):
        bend = skew * (1 + 2 * bend**2) ** 1.5 / (6 + 8 * bend**2)
    return np.asarray(bend)


def _root(covariance: FloatArray, variance: FloatArray, bend: FloatArray) -> FloatArray:
    """Return a root of the covariances that normal numbers have before they are bent.

    Once they are bent by a and b, numbers of correlation r have r (1 + 2 a b r), over
    the root of (1 + 2 a²) (1 + 2 b²).
    """
    scale = np.sqrt(variance)
    unit = np.where(scale > 0, scale, 1.0)
    wanted = covariance / np.outer(unit, unit)
    size = np.sqrt(1 + 2 * bend**2)
    wanted *= np.outer(size, size)
    bends = 2 * np.outer(bend, bend)
    normal = wanted.copy()
    for _ in range(20):
        normal = wanted / (1 + bends * normal)
    np.fill_diagonal(normal, 1.0)
    normal = np.outer(scale, scale) * np.clip(normal, -1.0, 1.0)
    ridge = _RIDGE * max(float(normal.trace()), np.finfo(float).tiny)
    try:
        return np.linalg.cholesky(normal + ridge * np.eye(len(normal)))
    except np.linalg.LinAlgError:
        values, vectors = np.linalg.eigh(normal)
        return np.asarray(vectors * np.sqrt(np.maximum(values, 0.0)))


def _error(
    slopes: FloatArray, shapes: FloatArray, kind: IntArray, expected: FloatArray
) -> float:
    """Return how far a probability may move by what the normal spread leaves out.

    Parameters
    ----------
    slopes
        How far an item moves each number (item, number).
    shapes, kind
        Shape and kind of each item.
    expected
        Variance that the spread of each kind gives the numbers (kind, number).
    """
    slopes = slopes - shapes @ slopes / shapes.sum()
    variance = shapes @ slopes**2
    if not variance.all():
        return float("inf")
    shares = sparse.csr_array((shapes, (kind, np.arange(len(kind)))))
    ahead = (shares @ slopes) / shares.sum(axis=1)[:, np.newaxis]
    away = slopes - ahead[kind]
    third = 6 * np.abs((ahead * (shares @ away**2 - expected)).sum(axis=0))
    third += 2 * np.abs(shapes @ away**3)
    products = 4 * np.abs(ahead[kind] * away**3) + away**4
    fourth = 6 * (shapes @ products)
    return float(
        np.max(third / variance**1.5 * _THIRD / 6 + fourth / variance**2 * _FOURTH / 24)
    )


def _slopes(units: Outcomes, metric: Metric) -> FloatArray:
    """Return how far the metric of each system moves with each column's sum."""
    width = units.rows.shape[1]
    step = _STEP * max(float(units.counts @ units.sizes), 1.0)
    counts = units.counts[np.newaxis]
    more = []
    for start in range(0, width, _COLUMNS):
        added = step * np.eye(min(_COLUMNS, width - start), width + 1, k=start)
        more.append(metric.values(units, counts, beside=added))
    return (np.vstack(more) - metric.values(units, counts)) / step
