"""Prior of one system alone: an imaginary unit like its best, and one like its worst.

Weights are Dirichlet((1 - 1/n) c + B + W), with the counts c of the patterns and the
number n of units, as under the swap prior. B are units that the system gets right, W
units that it gets wrong; for scores, clusters and sentences they are the units that
raise and lower the metric most. Where all units are alike, generic ones take their
place: all right, and all wrong. For accuracy that is the uniform prior.
"""

from dataclasses import dataclass, replace

import numpy as np
from scipy import sparse

from likelier._typing import FloatArray, IntArray
from likelier.data.outcomes import Outcomes
from likelier.data.pattern_rows import tally
from likelier.methods.items.dirichlet_cells import DirichletCells
from likelier.methods.items.generic_units import generic_rows
from likelier.methods.items.many_units import ManyUnits
from likelier.methods.items.normal_sums import NormalSums, may_be_normal
from likelier.methods.items.swap_prior import class_power, gold_classes, reduced
from likelier.metrics.metric import Metric
from likelier.streams import Streams

# Slopes that differ by less than this part of their range are the same.
_SAME = 1e-6
# So is a range that is less than this part of a unit's share in the metric.
_NOISE = 1e-9


@dataclass(frozen=True)
class ExtremeCells(DirichletCells):
    """Patterns of one system, and where needed the same all right and all wrong.

    Attributes
    ----------
    slope
        How far one more unit of each cell would raise the metric; where items have
        labels 1 for those that are right, and -1 for the others.
    right, wrong
        Cell of each cell's units all right, and all wrong, where these are listed.
    gold
        Whether a unit has gold items of a class (cell, class), where the metric
        averages over classes or ranks.
    power
        Power of the factor by which small classes reduce counts.
    strength
        Number of times that the prior weighs as much as usual.
    """

    slope: FloatArray
    right: IntArray
    wrong: IntArray
    gold: FloatArray | None
    power: float
    strength: float

    @classmethod
    def of_metric(
        cls, outcomes: Outcomes, metric: Metric, *, strength: float, generic: bool
    ) -> "ExtremeCells":
        """List the cells of one system's outcomes, as a metric sees them.

        Parameters
        ----------
        outcomes
            Those of one system.
        metric
            The metric.
        strength
            Number of times that the prior weighs as much as usual.
        generic
            Whether there must be generic units even where some units differ.
        """
        n, slope = len(outcomes.counts), _slopes(outcomes, metric)
        parts = [outcomes.rows]
        if generic or _range(slope, outcomes) == 0:
            both = generic_rows(outcomes.only(0, 0), metric)
            width = outcomes.rows.shape[1]
            parts += [both[:, :width], both[:, width:]]
        table = replace(
            outcomes.without_labels(),
            rows=sparse.vstack(parts, format="csr"),
            counts=np.append(outcomes.counts, np.zeros((len(parts) - 1) * n)),
            sizes=np.tile(outcomes.sizes, len(parts)),
            strata=np.tile(outcomes.strata, len(parts)),
        )
        view, cell = metric.view(table).grouped()
        own = cell[:n]
        slopes, right, wrong = (np.zeros(len(view.counts), dtype=t) for t in "dll")
        slopes[own] = slope
        if len(parts) > 1:
            right[own], wrong[own] = cell[n : 2 * n], cell[2 * n :]
        return cls(
            view=view,
            prior="extremes",
            mass=np.zeros(len(view.counts)),
            gold_mass=0.0,
            cell_of_pattern=own,
            slope=slopes,
            right=right,
            wrong=wrong,
            gold=gold_classes(view, metric),
            power=class_power(metric),
            strength=strength,
        )

    def merged_for(self, metric: Metric) -> "ExtremeCells":  # noqa: ARG002
        """Return the same: cells that are equal for the metric are one already."""
        return self

    def draw_all(
        self, metric: Metric, streams: Streams, counts: FloatArray, *, purpose: int
    ) -> FloatArray:
        """Draw the metric (draw, system) with a weight for each cell, or nearly so."""
        shapes = self.shapes(counts)
        if may_be_normal(self.view):
            normal = NormalSums.of(self.view, shapes, self.view, metric)
            if normal is not None:
                return normal.draw(self.view, metric, streams, purpose=purpose)
        many = ManyUnits.of(self.view, shapes)
        if many is None:
            return super().draw_all(metric, streams, counts, purpose=purpose)
        none = np.zeros((1, len(self.mass)))

        def block(generator: np.random.Generator, n: int) -> FloatArray:
            return metric.values(self.view, none, beside=many.sums(generator, n))

        return streams.run(block, width=len(self.mass), purpose=purpose)

    def shapes(self, counts: FloatArray) -> FloatArray:
        """Return the Dirichlet parameters for counts (cell,) or (table, cell)."""
        tables = np.atleast_2d(counts)
        mass = self.strength * np.array([self._imagined(table) for table in tables])
        return reduced(tables, mass, self.gold, self.power).reshape(np.shape(counts))

    def _imagined(self, table: FloatArray) -> FloatArray:
        """Return the mass of the best and of the worst unit of a table."""
        seen, mass = np.flatnonzero(table), np.zeros_like(table)
        if len(seen) == 0:
            return mass
        slope = self.slope[seen]
        spread = np.ptp(slope)
        for extreme, generic in (
            (slope >= slope.max() - _SAME * spread, self.right),
            (slope <= slope.min() + _SAME * spread, self.wrong),
        ):
            units = seen[extreme]
            cells = units if spread > 0 else generic[units]
            mass += tally(cells, table[units] / table[units].sum(), len(table))
        return mass


def _slopes(outcomes: Outcomes, metric: Metric) -> FloatArray:
    """Return how far one more unit of each pattern would raise the metric."""
    if outcomes.labels is not None:
        right = outcomes.labels[:, 0] == outcomes.labels[:, 1]
        return np.where(right, 1.0, -1.0)
    view = metric.view(outcomes)
    slopes = metric.oriented(metric.influence(view)[:, 0])
    size = abs(float(metric.values(view)[0])) / max(view.n_units, 1.0)
    alike = _range(slopes, view) <= _NOISE * size
    return np.zeros_like(slopes) if alike else slopes


def _range(slopes: FloatArray, outcomes: Outcomes) -> float:
    """Return the range of the slopes of patterns that were seen."""
    seen = slopes[outcomes.counts > 0]
    return float(np.ptp(seen)) if len(seen) else 0.0
