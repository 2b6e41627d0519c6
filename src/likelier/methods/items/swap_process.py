"""Swap prior for many patterns, or for more than two systems.

Imaginary units are drawn one by one, by stick breaking: a Gamma process whose atoms are
units that differ, with the systems in random order. For S systems its mass is such that
every pair of them has the mass that it has in a comparison of two. A prior of great
strength would need very many of them: then they are listed in every order instead.
"""

from dataclasses import dataclass, replace
from itertools import combinations, permutations
from math import ceil, factorial

import numpy as np
from scipy import sparse

from likelier._typing import FloatArray
from likelier.data.outcomes import Outcomes
from likelier.errors import NotDefinedError
from likelier.methods.items.dirichlet_cells import MASS, gammas
from likelier.methods.items.swap_prior import (
    differing,
    generic_rows,
    gold_classes,
    imagined_units,
    scales,
)
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
    generic
        Whether no unit moves the metric, so that generic ones are imagined.
    """

    view: Outcomes
    imagined: Outcomes
    scale: float
    mass: float
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
        imagined = replace(
            units,
            rows=units.rows[seen],
            counts=counts[seen] / max(counts.sum(), 1.0),
            sizes=units.sizes[seen],
            strata=units.strata[seen],
        )
        gold = gold_classes(view, metric)
        scale, mass = float(scales(view.counts[np.newaxis], gold)[0]), 0.0
        if len(seen):
            mass = strength * MASS / _pairs_that_differ(imagined, metric)
        if gold is not None:
            mass *= scale
        return cls(view, imagined, scale, mass, generic)

    def draw(self, metric: Metric, streams: Streams, *, purpose: int) -> FloatArray:
        """Draw the metric (draw, system) from the posterior."""
        if len(self.view.systems) == 2 and _comes_second(self.view):
            other = replace(self, view=self.view.swapped().merged())
            if not self.generic:
                other = replace(other, imagined=self.imagined.swapped().merged())
            return other._draw(metric, streams, purpose=purpose)[:, ::-1]
        return self._draw(metric, streams, purpose=purpose)

    @property
    def breaks(self) -> int:
        """Number of imaginary units that a draw needs."""
        return ceil(_BREAKS * self.mass)

    def _draw(self, metric: Metric, streams: Streams, *, purpose: int) -> FloatArray:
        if self.breaks > _MANY_BREAKS and self._is_short:
            return self._draw_listed(metric, streams, purpose=purpose)
        if self.breaks > _MOST_BREAKS:
            raise self._too_strong()
        counts = self.scale * self.view.counts

        def block(generator: np.random.Generator, n: int) -> FloatArray:
            weights = gammas(generator, counts, n)[0].T
            size = max(_MOST_NUMBERS // max(self.breaks, 1), 1)
            sizes = [min(size, n - start) for start in range(0, n, size)]
            beside = [self._imaginary_sums(generator, some) for some in sizes]
            return metric.values(self.view, weights, beside=np.vstack(beside))

        return streams.run(block, width=len(counts), purpose=purpose)

    @property
    def _is_short(self) -> bool:
        """Whether the list of all units in every order is not too long to draw."""
        length = factorial(len(self.view.systems)) * len(self.imagined.counts)
        return length <= max(_MOST_LISTED, 2 * len(self.view.counts))

    def _draw_listed(
        self, metric: Metric, streams: Streams, *, purpose: int
    ) -> FloatArray:
        """Draw a weight for each imaginary unit in each order of the systems."""
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
        shapes = np.append(self.scale * view.counts, self.mass * shares)

        def block(generator: np.random.Generator, n: int) -> FloatArray:
            return metric.values(table, gammas(generator, shapes, n)[0].T)

        return streams.run(block, width=len(shapes), purpose=purpose)

    def _too_strong(self) -> NotDefinedError:
        weight = f"{self.mass:,.0f} imaginary units of {len(self.view.systems)} systems"
        message = (
            f"prior swap must weigh at most {_MOST_BREAKS / _BREAKS:,.0f} units where "
            f"so many can be imagined; got {weight}."
        )
        return NotDefinedError(message, hint="Give it less strength.")

    def _imaginary_sums(self, generator: np.random.Generator, n: int) -> FloatArray:
        """Draw what imaginary units add (draw, column), their items in the last."""
        systems, units = len(self.view.systems), self.imagined
        sums = np.zeros((n, units.rows.shape[1] + 1))
        if not self.mass:
            return sums
        breaks = self.breaks
        left = np.ones((breaks + 1, n))
        left[1:-1] = generator.random((breaks - 1, n)) ** (1 / self.mass)
        left[-1] = 0.0
        weights = -np.diff(np.cumprod(left, axis=0), axis=0)
        weights *= generator.standard_gamma(self.mass, n)
        ends = np.cumsum(units.counts)
        column = np.arange(units.rows.shape[1]).reshape(systems, -1)
        for weight in weights:
            at = np.searchsorted(ends[:-1], generator.random(n) * ends[-1], "right")
            order = generator.random((n, systems)).argsort(axis=1)
            rows = units.rows[at].toarray()
            rows = np.take_along_axis(rows, column[order].reshape(n, -1), axis=1)
            sums[:, :-1] += weight[:, np.newaxis] * rows
            sums[:, -1] += weight * units.sizes[at]
        return sums


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
    tables = [
        np.column_stack([t.strata, t.sizes, t.counts, t.rows.toarray()]).ravel()
        for t in (view.merged(), view.swapped().merged())
    ]
    apart = np.flatnonzero(tables[0] != tables[1])
    return bool(apart.size and tables[0][apart[0]] > tables[1][apart[0]])
