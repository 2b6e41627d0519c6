"""Swap prior for many patterns, or for more than two systems.

Imaginary units are drawn one by one, by stick breaking: a Gamma process whose atoms are
units that differ, with the systems in random order. For S systems its mass is such that
every pair of them has the mass that it has in a comparison of two. A prior of great
strength would need very many of them: then they are listed in every order instead.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations, permutations
from math import ceil, factorial
from typing import Any

import numpy as np
from scipy import sparse

from likelier._typing import FloatArray, IntArray
from likelier.data.outcomes import Outcomes
from likelier.data.ranked_outcomes import RankedOutcomes
from likelier.errors import NotDefinedError
from likelier.methods.items.condensed_units import condensed, joined, may_be_condensed
from likelier.methods.items.dirichlet_cells import MASS, gammas
from likelier.methods.items.generic_units import generic_rows
from likelier.methods.items.many_units import ManyUnits
from likelier.methods.items.normal_auc import NormalAuc
from likelier.methods.items.normal_sums import NormalSums, may_be_normal
from likelier.methods.items.ranked_weights import ranked_weights
from likelier.methods.items.swap_prior import (
    class_power,
    differing,
    gold_classes,
    imagined_units,
    scales,
)
from likelier.methods.items.weighted_sums import drawn_together
from likelier.metrics.metric import Metric
from likelier.streams import Streams

# What is left of a stick after so many breaks, per unit of mass, is about 1e-5.
_BREAKS = 11.5
# Beyond the first, units are listed where they are few enough; beyond the second, a
# draw of units that are too many to list takes too long.
_MANY_BREAKS, _MOST_BREAKS = 500, 2000
_MOST_LISTED = 200_000
# Breaks of all draws at once, in numbers.
_MOST_NUMBERS = 2**22
_LARGER_BLOCKS = 4
# Rows of two tables that are compared at once.
_COMPARED_ROWS = 64


@dataclass(frozen=True, eq=False)
class SwapProcess:
    """Posterior of patterns with imaginary units that are drawn, not listed.

    Attributes
    ----------
    view
        Patterns as the metric sees them.
    imagined
        Units that differ, with their shares as counts.
    scale
        Factor of the counts, 1 - 1/n, or that of small classes.
    mass
        Weight of all imaginary units together.
    seen
        Units of the view that are imagined, unless generic ones are.
    generic
        Whether no unit moves the metric, so that generic ones are imagined.
    """

    view: Outcomes
    imagined: Outcomes
    scale: float
    mass: float
    seen: IntArray
    generic: bool = False

    prior = "swap"

    @classmethod
    def of_metric(
        cls, outcomes: Outcomes, metric: Metric, *, strength: float
    ) -> "SwapProcess":
        """Find the units that move the metric; where none does, generic ones."""
        view, _ = metric.view(outcomes).without_labels().grouped()
        moving, others = imagined_units(view, metric)
        units, counts = view, view.counts * moving
        generic = not counts.any()
        if generic:
            # One list for a table and its exchange: what systems predict is left out.
            counts = view.counts * others
            units = replace(view, rows=generic_rows(view, metric), counts=counts)
            units = units.merged()
            counts = units.counts
        seen = np.flatnonzero(counts)
        imagined = _shares(units, seen)
        gold = gold_classes(view, metric)
        power = class_power(metric)
        scale = float(scales(view.counts[np.newaxis], gold, power)[0])
        mass = 0.0
        if len(seen) and len(view.systems) == 2 and not generic:
            mass = strength * MASS
        elif len(seen):
            mass = strength * MASS / _pairs_that_differ(imagined, metric)
        if gold is not None:
            mass *= scale
        return cls(view, imagined, scale, mass, seen, generic)

    def draw(self, metric: Metric, streams: Streams, *, purpose: int) -> FloatArray:
        """Draw the metric (draw, system) from the posterior."""
        if len(self.view.systems) == 2 and _comes_second(self.view):
            view, group = self.view.swapped().grouped()
            other = replace(self, view=view)
            if not self.generic:
                seen = np.sort(group[self.seen])
                other = replace(other, imagined=_shares(view, seen), seen=seen)
            return other._draw(metric, streams, purpose=purpose)[:, ::-1]
        return self._draw(metric, streams, purpose=purpose)

    @property
    def breaks(self) -> int:
        """Number of imaginary units that a draw needs."""
        return ceil(_BREAKS * self.mass)

    def _draw(self, metric: Metric, streams: Streams, *, purpose: int) -> FloatArray:
        drawn = self._draw_together(metric, streams, purpose=purpose)
        if drawn is not None:
            return drawn
        if self._is_short and self.breaks > _MANY_BREAKS:
            return _draw_listed(*self._listed(), metric, streams, purpose=purpose)
        if self.breaks > _MOST_BREAKS:
            raise self._too_strong()
        return self._draw_one_by_one(metric, streams, purpose=purpose)

    def _draw_together(
        self, metric: Metric, streams: Streams, *, purpose: int
    ) -> FloatArray | None:
        """Draw from a law of the sums; None where each unit must have its weight."""
        ranked = isinstance(self.view, RankedOutcomes)
        two = len(self.view.systems) == 2
        if two and not ranked and may_be_condensed(self.view, metric):
            units = self._units(metric)
            drawn = drawn_together(units, metric, streams, purpose=purpose)
            if drawn is not None:
                return drawn
        if self._is_short and may_be_normal(self.view):
            normal = NormalSums.of(*self._listed(), self.view, metric)
            if normal is not None:
                return normal.draw(self.view, metric, streams, purpose=purpose)
        if self._is_short and ranked:
            area = NormalAuc.of(*self._listed(), metric)
            if area is not None:
                return area.draw(streams, purpose=purpose)
        return None

    def _draw_one_by_one(
        self, metric: Metric, streams: Streams, *, purpose: int
    ) -> FloatArray:
        """Draw weights of the units that were seen, and imaginary ones beside."""
        counts = self.scale * self.view.counts
        ranked = isinstance(self.view, RankedOutcomes)
        many = None if ranked else ManyUnits.of(self.view, counts)
        none = np.zeros((1, len(counts)))

        def block(generator: np.random.Generator, n: int) -> FloatArray:
            if ranked:
                weights = ranked_weights(generator, counts, n).T
                beside = self._imaginary_rows(generator, n)
                return metric.values(self.view, weights, beside=beside)
            if many is not None:
                sums = many.sums(generator, n) + self._all_at_once(generator, n)
                return metric.values(self.view, none, beside=sums)
            weights = ranked_weights(generator, counts, n).T
            return metric.values(
                self.view, weights, beside=self._imaginary(generator, n)
            )

        draws = streams.draws_for(len(counts))
        # Sums over sorted items are faster for many draws at a time.
        width = len(counts) // _LARGER_BLOCKS if ranked else len(counts)
        return replace(streams, draws=draws).run(block, width=width, purpose=purpose)

    def _units(self, metric: Metric) -> Outcomes:
        """List seen and imaginary units of two systems, with shapes of weights.

        Half of the imaginary units have the systems exchanged; where few stand for all,
        these few have.
        """
        shapes = self.scale * self.view.counts
        own = shapes.sum()
        if not self.generic:
            # Imaginary units are among those that were seen.
            own = shapes[self.seen].sum()
            shapes[self.seen] = 0.0
        tables = [
            replace(self.view, counts=shapes),
            replace(self.imagined, counts=own * self.imagined.counts),
        ]
        others, few = (condensed(table, metric) or table for table in tables)
        half = self.mass / 2 / own
        as_is = few.counts * (half if self.generic else half + 1)
        parts = [
            others,
            replace(few, counts=as_is),
            replace(few.swapped(), counts=few.counts * half),
        ]
        return joined(parts)

    @property
    def _is_short(self) -> bool:
        """Whether the list of all units in every order is not too long to draw."""
        length = factorial(len(self.view.systems)) * len(self.imagined.counts)
        return length <= max(_MOST_LISTED, 2 * len(self.view.counts))

    def _listed(self) -> tuple[Outcomes, FloatArray]:
        """List each imaginary unit in each order of the systems, with parameters."""
        view, units = self.view, self.imagined
        orders = list(permutations(range(len(view.systems))))
        listed = [units.only(*order).rows for order in orders]
        shares = np.tile(units.counts / len(orders), len(orders))
        table = replace(
            view,
            rows=sparse.vstack([view.rows, *listed], format="csr"),
            counts=np.append(view.counts, np.zeros(len(shares))),
            sizes=np.append(view.sizes, np.tile(units.sizes, len(orders))),
            strata=np.append(view.strata, np.tile(units.strata, len(orders))),
        )
        return table, np.append(self.scale * view.counts, self.mass * shares)

    def _too_strong(self) -> NotDefinedError:
        weight = f"{self.mass:,.0f} imaginary units of {len(self.view.systems)} systems"
        message = (
            f"prior swap must weigh at most {_MOST_BREAKS / _BREAKS:,.0f} units where "
            f"so many can be imagined; got {weight}."
        )
        return NotDefinedError(message, hint="Give it less strength.")

    def _imaginary(self, generator: np.random.Generator, n: int) -> FloatArray:
        """Draw what imaginary units add, some draws at a time."""
        size = max(_MOST_NUMBERS // max(self.breaks, 1), 1)
        sizes = [min(size, n - start) for start in range(0, n, size)]
        return np.vstack([self._imaginary_sums(generator, some) for some in sizes])

    @cached_property
    def _imagined_rows(self) -> Any:
        """Rows of the imagined units, dense where they fit."""
        rows = self.imagined.rows
        small = rows.shape[0] * rows.shape[1] <= _MOST_NUMBERS
        return rows.toarray() if small else rows

    def _imaginary_sums(self, generator: np.random.Generator, n: int) -> FloatArray:
        """Draw what imaginary units add (draw, column), their items in the last."""
        systems, units = len(self.view.systems), self.imagined
        sums = np.zeros((n, units.rows.shape[1] + 1))
        if not self.mass:
            return sums
        ends = np.cumsum(units.counts)
        for weight in self._imaginary_weights(generator, n):
            at = np.searchsorted(ends[:-1], generator.random(n) * ends[-1], "right")
            rows = self._in_order(at, generator.random((n, systems)))
            sums[:, :-1] += weight[:, np.newaxis] * rows
            sums[:, -1] += weight * units.sizes[at]
        return sums

    def _imaginary_weights(self, generator: np.random.Generator, n: int) -> FloatArray:
        """Draw the weights of imaginary units (break, draw), by stick breaking."""
        breaks = self.breaks
        left = np.ones((breaks + 1, n))
        left[1:-1] = generator.random((breaks - 1, n)) ** (1 / self.mass)
        left[-1] = 0.0
        weights = -np.diff(np.cumprod(left, axis=0), axis=0)
        return np.asarray(weights * generator.standard_gamma(self.mass, n))

    def _all_at_once(self, generator: np.random.Generator, n: int) -> FloatArray:
        """Draw the same as `_imaginary`, faster, where two systems fit into memory."""
        dense = isinstance(self._imagined_rows, np.ndarray)
        if not self.mass or not dense or len(self.view.systems) != 2:
            return self._imaginary(generator, n)
        weights = self._imaginary_weights(generator, n).T
        counts, size = self.imagined.counts, self.imagined.sizes
        if np.ptp(counts) == 0:
            at = generator.integers(2 * len(counts), size=weights.shape)
        else:
            ends = np.cumsum(np.tile(counts, 2))
            chosen = generator.random(weights.shape) * ends[-1]
            at = np.searchsorted(ends[:-1], chosen, "right")
        sums = np.matmul(weights[:, np.newaxis], self._both_orders[at])[:, 0]
        return np.column_stack([sums, (weights * np.tile(size, 2)[at]).sum(axis=1)])

    def _in_order(self, at: IntArray, keys: FloatArray) -> FloatArray:
        """Return rows of imagined units, with the systems in the order of keys."""
        if isinstance(self._imagined_rows, np.ndarray) and keys.shape[1] == 2:
            exchanged = keys[:, 0] > keys[:, 1]
            return self._both_orders[at + len(self._imagined_rows) * exchanged]
        rows = self._imagined_rows[at]
        rows = rows if isinstance(rows, np.ndarray) else rows.toarray()
        column = np.arange(rows.shape[1]).reshape(keys.shape[1], -1)
        index = column[keys.argsort(axis=1)].reshape(len(rows), -1)
        return np.take_along_axis(rows, index, axis=1)

    @cached_property
    def _both_orders(self) -> FloatArray:
        """Dense rows of the imagined units of two systems, as they are and swapped."""
        rows = self._imagined_rows
        return np.vstack([rows, np.roll(rows, rows.shape[1] // 2, axis=1)])

    def _imaginary_rows(self, generator: np.random.Generator, n: int) -> Any:
        """Draw the same as sparse rows (draw, column), for tables of many columns."""
        systems, units = len(self.view.systems), self.imagined
        wide = units.rows.shape[1]
        if not self.mass:
            return sparse.csr_array((n, wide + 1))
        weights = self._imaginary_weights(generator, n)
        ends = np.cumsum(units.counts)
        chosen = generator.random(weights.size) * ends[-1]
        rows = units.rows[np.searchsorted(ends[:-1], chosen, "right")].tocoo()
        target = generator.random((weights.size, systems)).argsort(axis=1)
        system, rest = np.divmod(rows.col, wide // systems)
        column = target[rows.row, system] * (wide // systems) + rest
        data = rows.data * weights.ravel()[rows.row]
        parts = (data, (rows.row % n, column))
        return sparse.csr_array(parts, shape=(n, wide + 1))


def _shares(units: Outcomes, seen: IntArray) -> Outcomes:
    """Keep the units that are imagined, with their shares as counts."""
    counts = units.counts[seen]
    return replace(
        units,
        rows=units.rows[seen],
        counts=counts / max(counts.sum(), 1.0),
        sizes=units.sizes[seen],
        strata=units.strata[seen],
    )


def _draw_listed(
    table: Outcomes,
    shapes: FloatArray,
    metric: Metric,
    streams: Streams,
    *,
    purpose: int,
) -> FloatArray:
    """Draw a weight for each unit of a list."""

    def block(generator: np.random.Generator, n: int) -> FloatArray:
        return metric.values(table, gammas(generator, shapes, n)[0].T)

    return streams.run(block, width=len(shapes), purpose=purpose)


def _pairs_that_differ(units: Outcomes, metric: Metric) -> float:
    """Return the mean share of pairs of systems that differ on a unit."""
    pairs = combinations(range(len(units.systems)), 2)
    shares = [differing(units.only(*pair), metric) for pair in pairs]
    return float(np.average(np.mean(shares, axis=0), weights=units.counts))


def _comes_second(view: Outcomes) -> bool:
    """Return whether the same table with the systems exchanged is sorted before it.

    Of a table and its exchange always the same one is drawn, so that their draws are
    the same but for the names.
    """
    if not isinstance(view, RankedOutcomes) and view.lean:
        return view.lean < 0
    tables = view.merged(), view.swapped().merged()
    keys = zip(*map(_sort_keys, tables), strict=True)
    for own, other in keys:
        apart = np.flatnonzero(own != other)
        if apart.size:
            return bool(own[apart[0]] > other[apart[0]])
    return False


def _sort_keys(view: Outcomes) -> Iterator[FloatArray]:
    """Yield numbers that tell tables of the same patterns apart, some rows at a time.

    The first rows are nearly always enough.
    """
    if isinstance(view, RankedOutcomes):
        yield view.sort_key()
        return
    beside = np.column_stack([view.strata, view.sizes, view.counts])
    for start in range(0, len(beside), _COMPARED_ROWS):
        part = slice(start, start + _COMPARED_ROWS)
        yield np.hstack([beside[part], view.rows[part].toarray()]).ravel()
