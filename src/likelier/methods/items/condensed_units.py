"""Few units that stand for very many: weighted sums with the same cumulants.

Weights of units are Gammas of shapes a_i, so what they add up to, the sum of W_i x_i,
has the cumulants (r - 1)! sum a_i (t x_i)^r in every direction t. A few of the units
with shapes of their own that leave all moments up to some order as they are leave the
cumulants up to that order as they are, too: mean, covariances, skewness, kurtosis and
more. Shapes are found by Carathéodory's elimination over groups of units (Litterer &
Lyons 2012, doi:10.1214/11-AAP788): no more units are left than there are moments. What
the next two cumulants differ by tells how far a probability may move (the next terms of
Edgeworth's series); where that is more than 1 in 10,000, or where tails are so long
that the series says nothing, there is no answer, and all units are drawn.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import comb

import numpy as np
from scipy import sparse

from likelier._typing import FloatArray, IntArray
from likelier.data.grouped_outcomes import GroupedOutcomes, side_by_side
from likelier.data.outcomes import Outcomes
from likelier.data.ranked_outcomes import RankedOutcomes
from likelier.metrics.group_mean import GroupMean
from likelier.metrics.metric import Metric

# So few units are drawn as they are.
_FEW_UNITS = 50
# In smaller groups, units are drawn faster than few that stand for them are found.
_LEAST_GROUP = 2500
# Most moments in few directions, and orders to try; the next is tried where a
# probability may move too far.
_MOST_MOMENTS, _ORDERS = 40, (4, 6, 8)
# Along more directions there are too many moments.
_FEW = 3
_MOST_COLUMNS, _MOST_NUMBERS = 24, 50_000_000
# Largest change of a probability, at each of up to three times that units are dropped.
_LARGEST_ERROR = 3e-5
# Units whose moments are computed at once: they stay in the processor's cache.
_STRETCH = 2**13
# With a larger fourth cumulant, in variances squared, tails are too long.
_LONGEST_TAIL = 0.5
# What is left of a direction beside others, of less than this spread, is their sum.
_ALIKE = 1e-9
# What varies less, beside its greatest number, is rounding.
_NOISE = 4 * np.finfo(np.float64).eps
# Moments that differ by more, as parts of themselves, were not matched.
_MATCHED = 1e-7
# Largest of |He(x)| times the normal density, for Hermite polynomials of order 0 to 9.
_EDGEWORTH = (0.399, 0.242, 0.399, 0.551, 1.197, 2.308, 5.985, 14.18, 41.9, 115.1)


def _fits(units: Outcomes) -> bool:
    """Return whether a table has one class, and few enough numbers."""
    n, columns = units.rows.shape
    few = columns <= _MOST_COLUMNS and n * columns <= _MOST_NUMBERS
    return few and len(units.classes) == 1 and not isinstance(units, RankedOutcomes)


def may_be_condensed(units: Outcomes, metric: Metric) -> bool:
    """Return whether it pays to look for few units: not where groups are small."""
    if not isinstance(metric, GroupMean):
        return True
    return len(units.counts) >= _LEAST_GROUP * len(metric.grouped(units).groups)


def _of_each_group(units: GroupedOutcomes, metric: Metric) -> Outcomes | None:
    """Find few units of each group, whose sums are independent; None where none do.

    Nor where they do not of a large group: its units are drawn faster with all others.
    """
    few = [condensed(member, metric) for member in units.members]
    alone = [
        len(own.counts)
        for found, own in zip(few, units.members, strict=True)
        if found is None
    ]
    if len(alone) == len(few) or max(alone, default=0) >= _LEAST_GROUP:
        return None
    each = (found or own for found, own in zip(few, units.members, strict=True))
    return side_by_side(dict(zip(units.groups, each, strict=True)))


def condensed(units: Outcomes, metric: Metric) -> Outcomes | None:
    """Find few units that stand for all, or return None where none do.

    Parameters
    ----------
    units
        Units as a metric of one class sees them, or a mean over groups of them; their
        counts are the shapes of their weights.
    metric
        The metric.
    """
    if isinstance(metric, GroupMean):
        return _of_each_group(metric.grouped(units), metric.of_group)
    if not _fits(units):
        return None
    seen = np.flatnonzero(units.counts > 0)
    if len(seen) < len(units.counts):
        units = _some(units, seen, units.counts[seen])
    return units if len(seen) <= _FEW_UNITS else _fewer(units, metric)


def _fewer(units: Outcomes, metric: Metric) -> Outcomes | None:
    directions = _Directions.of(units, metric)
    if directions is None:
        return None
    for order in directions.orders():
        index, shapes = directions.recombined(order)
        if 2 * len(index) > len(units.counts):
            return None
        if directions.error(order, index, shapes) <= _LARGEST_ERROR:
            return _some(units, index, shapes)
    return None


def joined(parts: Sequence[Outcomes]) -> Outcomes:
    """Put tables of the same columns below each other."""
    return replace(
        parts[0],
        rows=sparse.vstack([part.rows for part in parts], format="csr"),
        counts=np.concatenate([part.counts for part in parts]),
        sizes=np.concatenate([part.sizes for part in parts]),
        strata=np.concatenate([part.strata for part in parts]),
        labels=None,
    )


def _some(units: Outcomes, index: IntArray, shapes: FloatArray) -> Outcomes:
    return replace(
        units,
        rows=units.rows[index],
        counts=shapes,
        sizes=units.sizes[index],
        strata=units.strata[index],
        labels=None,
    )


@dataclass(frozen=True, eq=False)
class _Directions:
    """Units along directions in which sums vary, each of mean 0 and variance 1.

    Attributes
    ----------
    shapes
        Shape of each unit's weight.
    along
        Units along each (unit, direction).
    """

    shapes: FloatArray
    along: FloatArray

    @classmethod
    def of(cls, units: Outcomes, metric: Metric) -> "_Directions | None":
        """Find the directions; None where they are many, or have too long tails."""
        shapes = units.counts
        table = _independent(_columns(units, metric), shapes)
        if table.shape[1] > _FEW:
            return None
        directions = cls(shapes, table)
        return None if directions.has_long_tails() else directions

    def orders(self) -> Iterator[int]:
        """Return the orders of moments to try, from the lowest."""
        width = self.along.shape[1]
        return (
            p
            for p in _ORDERS
            if p == _ORDERS[0] or _n_moments(width, p) <= _MOST_MOMENTS
        )

    def recombined(self, order: int) -> tuple[IntArray, FloatArray]:
        """Find some units with shapes that leave moments up to an order as they are."""
        index, shapes = np.arange(len(self.shapes)), self.shapes
        while True:
            # As many groups as leave one to be dropped for every moment.
            groups = min(2 * self._features(index[:1], order).shape[1], len(index))
            start = np.linspace(0, len(index), groups, endpoint=False).astype(np.int64)
            ends = np.append(start[1:], len(index))
            factor = _eliminated(
                np.array(
                    [
                        self._sum(index[low:high], shapes[low:high], order)
                        for low, high in zip(start, ends, strict=True)
                    ]
                )
            )
            if (factor > 0).all():
                return index, shapes
            each = np.repeat(factor, ends - start)
            left = each > 0
            index, shapes = index[left], shapes[left] * each[left]

    def _sum(self, index: IntArray, shapes: FloatArray, order: int) -> FloatArray:
        """Add up the features of some units, a stretch at a time."""
        parts = [slice(at, at + _STRETCH) for at in range(0, len(index), _STRETCH)]
        sums = [shapes[part] @ self._features(index[part], order) for part in parts]
        return np.asarray(np.sum(sums, axis=0))

    def _features(self, index: IntArray, order: int) -> FloatArray:
        """Return the numbers whose sums are the moments (unit, moment)."""
        return np.stack(list(_monomials(self.along[index], order)), axis=1)

    def has_long_tails(self) -> bool:
        """Check whether the fourth cumulant is large in any direction."""
        return any(
            6 * fourth > _LONGEST_TAIL * second**2
            for second, fourth in (
                _moments(one, self.shapes, 2, 4) for one in self._each(self.along)
            )
        )

    def error(self, order: int, index: IntArray, shapes: FloatArray) -> float:
        """Return how far a probability may move if only some units are drawn.

        Infinite where rounding kept the moments from being the same.
        """
        errors = [0.0]
        few = self._each(self.along[index])
        for one, some in zip(self._each(self.along), few, strict=True):
            orders = 2, order, order + 1, order + 2
            before = _moments(one, self.shapes, *orders)
            after = _moments(some, shapes, *orders)
            if not np.allclose(before[:2], after[:2], rtol=_MATCHED, atol=0):
                return float("inf")
            errors.append(
                sum(
                    abs(old - new) * _EDGEWORTH[r - 1] / (r * before[0] ** (r / 2))
                    for r, old, new in zip(
                        orders[2:], before[2:], after[2:], strict=True
                    )
                )
            )
        return max(errors)

    @staticmethod
    def _each(table: FloatArray) -> Iterator[FloatArray]:
        """Yield units along each direction, and halfway between every two."""
        width = table.shape[1]
        for i in range(width):
            yield table[:, i]
            for j in range(i):
                yield (table[:, i] + table[:, j]) / np.sqrt(2)
                yield (table[:, i] - table[:, j]) / np.sqrt(2)


def _n_moments(width: int, order: int) -> int:
    return comb(width + order, order)


def _columns(units: Outcomes, metric: Metric) -> FloatArray:
    """Return what units add (unit, column): how far systems are apart comes first.

    Two systems that hardly differ must not differ by rounding.
    """
    used = {"fp" if name == "tn" else name for name in metric.statistics}
    if "tn" in metric.statistics:
        used |= {"tp", "fn"}
    kept = [
        i for i, name in enumerate(units.statistics) if name in used or name == "score"
    ]
    rows = units.rows.toarray().reshape(len(units.counts), len(units.systems), -1)
    rows = rows[:, :, kept]
    apart = rows[:, 1:] - rows[:, :1]
    parts = [apart.reshape(len(rows), -1), rows[:, 0], units.sizes[:, np.newaxis]]
    return np.hstack(parts)


def _independent(table: FloatArray, shapes: FloatArray) -> FloatArray:
    """Turn columns into independent ones of mean 0 and variance 1, in their order."""
    whole = shapes.sum()
    own: list[FloatArray] = []
    for column in table.T:
        centred = column - shapes @ column / whole
        centred -= shapes @ centred / whole  # of large numbers the first is rounded
        spread = np.sqrt(shapes @ centred**2 / whole)
        if spread <= _NOISE * np.abs(column).max(initial=0.0):
            continue
        left = centred / spread
        for other in own * 2:  # twice, for what rounding leaves
            left = left - (shapes @ (left * other) / whole) * other
        rest = np.sqrt(shapes @ left**2 / whole)
        if rest > _ALIKE:
            own.append(left / rest)
    return np.column_stack(own) if own else np.empty((len(table), 0))


def _monomials(table: FloatArray, order: int) -> Iterator[FloatArray]:
    """Yield the products of columns up to a degree; each degree is one more factor."""
    products: dict[tuple[int, ...], FloatArray] = {(): np.ones(len(table))}
    for _ in range(order + 1):
        yield from products.values()
        products = {
            (*chosen, i): product * table[:, i]
            for chosen, product in products.items()
            for i in range(chosen[-1] if chosen else 0, table.shape[1])
        }


def _moments(
    numbers: FloatArray, shapes: FloatArray, *orders: int
) -> tuple[float, ...]:
    """Return the sums of some powers, each as often as the shapes say."""
    power, sums = shapes, list[float]()
    for _ in range(max(orders)):
        power = power * numbers
        sums.append(float(power.sum()))
    return tuple(sums[order - 1] for order in orders)


def _eliminated(sums: FloatArray) -> FloatArray:
    """Return factors of rows that leave their sum as it is, most of them 0."""
    scale = np.abs(sums).sum(axis=0)
    scaled = sums / np.where(scale > 0, scale, 1.0)
    from scipy.linalg import null_space  # slow to load

    free = null_space(scaled.T)
    factor = np.ones(len(sums))
    for _ in range(free.shape[1]):
        # One free direction takes some row to 0; the others must leave that row alone.
        pivot = int(np.argmax(np.abs(free).max(axis=0)))
        step = free[:, pivot]
        if step.max() <= 0:
            step = -step
        rising = step > 0
        ratio = np.full(len(step), np.inf)
        ratio[rising] = factor[rising] / step[rising]
        row = int(ratio.argmin())
        factor = np.maximum(factor - ratio[row] * step, 0.0)
        factor[row] = 0.0
        others = np.delete(free, pivot, axis=1)
        free = others - np.outer(step / step[row], others[row])
        free[row] = 0.0
        if free.shape[1]:
            free /= np.maximum(np.abs(free).max(axis=0), np.finfo(float).tiny)
    return factor
