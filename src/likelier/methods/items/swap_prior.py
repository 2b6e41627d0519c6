"""Swap prior: two imaginary units, like those on which the systems differ.

One is as it was seen and one has the systems exchanged, so that neither is favoured:
weights are Dirichlet((1 - 1/n) c + 2 H), with the counts c of the patterns, the number
n of units, and H half the units that differ, half the same exchanged. For an average
over classes all parameters are multiplied by (1 - m) ** 1.25 instead, where m is the
mean of 1/n_k over the gold units n_k of each class, weighted by 1/n_k; for a ranked
metric by (1 - m) ** 3, where n_k are the positives and the negatives. Where nothing
differs, or nothing that moves the metric, a generic unit takes the place of each: one
system right, the other wrong; of other statistics, one as on the best unit that was
seen, the other as on the worst.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from scipy import sparse

from likelier._typing import BoolArray, FloatArray, IntArray
from likelier.data.outcomes import Outcomes
from likelier.data.pattern_rows import tally
from likelier.data.ranked_outcomes import RankedOutcomes
from likelier.methods.items.dirichlet_cells import MASS, DirichletCells
from likelier.methods.items.generic_units import generic_rows
from likelier.methods.items.moving_units import MovingUnits, may_not_move
from likelier.metrics.formulas import class_balanced_accuracy
from likelier.metrics.group_mean import GroupMean
from likelier.metrics.metric import Metric
from likelier.streams import Streams

# Of the factor for averages over classes, and for ranked metrics; below the last,
# hardly anything of the data is left.
_POWER, _RANKED_POWER, _LEAST_SCALE = 1.25, 3.0, 0.05


@dataclass(frozen=True)
class SwapCells(DirichletCells):
    """Patterns that were seen, and the same with the systems exchanged.

    Attributes
    ----------
    partner
        Cell of each cell's pattern with the systems exchanged.
    differs
        Whether the systems differ in what the metric adds up.
    generic
        Cell of a generic unit in place of each cell's: the first system right, the
        second wrong.
    gold
        Whether a unit has gold items of a class (cell, class), where the metric
        averages over classes or ranks.
    strength
        Number of times that the prior weighs as much as usual.
    metric
        The metric, to tell which units move it.
    """

    partner: IntArray
    differs: BoolArray
    generic: IntArray
    gold: FloatArray | None
    strength: float
    metric: Metric

    @classmethod
    def of_metric(
        cls, outcomes: Outcomes, metric: Metric, *, strength: float, generic: bool
    ) -> "SwapCells":
        """List the cells of outcomes, before those that a metric cannot tell are one.

        Parameters
        ----------
        outcomes
            Those of two systems.
        metric
            The metric.
        strength
            Number of times that the prior weighs as much as usual.
        generic
            Whether there must be generic units even where some units differ.
        """
        n = len(outcomes.counts)
        generic = generic or not imagined_units(metric.view(outcomes), metric)[0].any()
        parts = [outcomes, outcomes.swapped()]
        if generic:
            right_wrong = replace(outcomes, rows=generic_rows(outcomes, metric))
            parts = [outcomes, right_wrong, outcomes.swapped(), right_wrong.swapped()]
        table, cell = _one_table(parts, labels=not generic).grouped()
        one, other = cell.reshape(2, -1)
        partner, right = np.empty((2, len(table.counts)), dtype=np.int64)
        partner[one], partner[other] = other, one
        for cells in (one, other):
            right[cells] = np.resize(one[-n:], len(cells))
        view = metric.view(table)
        return cls(
            view=table,
            prior="swap",
            mass=np.zeros(len(table.counts)),
            gold_mass=0.0,
            cell_of_pattern=one[:n],
            partner=partner,
            differs=differing(view, metric),
            generic=right,
            gold=gold_classes(view, metric),
            strength=strength,
            metric=metric,
        )

    def merged_for(self, metric: Metric) -> "SwapCells":
        """Join the cells that are equal for a metric."""
        view, group = metric.view(self.view).without_labels().grouped()
        first = np.unique(group, return_index=True)[1]
        return replace(
            self,
            view=view,
            mass=np.zeros(len(first)),
            cell_of_pattern=group[self.cell_of_pattern],
            partner=group[self.partner[first]],
            differs=self.differs[first],
            generic=group[self.generic[first]],
            gold=None if self.gold is None else self.gold[first],
        )

    def draw(
        self, metric: Metric, streams: Streams, *, purpose: int, prior: bool = False
    ) -> FloatArray:
        """Draw the metric (draw, system) from the posterior.

        Of a table and the same with the systems exchanged one is drawn for both, so
        that their draws are the same but for the names.
        """
        counts = self.view.counts
        apart = np.flatnonzero(counts != counts[self.partner])
        if apart.size and counts[apart[0]] < counts[self.partner[apart[0]]]:
            exchanged = replace(self.view, counts=counts[self.partner])
            cells = replace(self, view=exchanged)
            return cells.draw(metric, streams, purpose=purpose, prior=prior)[:, ::-1]
        return super().draw(metric, streams, purpose=purpose, prior=prior)

    def shapes(self, counts: FloatArray) -> FloatArray:
        """Return the Dirichlet parameters for counts (cell,) or (table, cell)."""
        tables = np.atleast_2d(counts)
        imagined = tables * self.differs
        if may_not_move(self.view, self.metric):
            imagined = np.array([self._moving(table) for table in tables])
        for table in np.flatnonzero(imagined.sum(axis=1) == 0):
            generic = tally(self.generic, tables[table], len(self.mass))
            imagined[table] = generic * self.differs
        whole = imagined.sum(axis=1, keepdims=True)
        imagined /= np.where(whole > 0, whole, 1.0)
        mass = self.strength * MASS / 2 * (imagined + imagined[:, self.partner])
        power = class_power(self.metric)
        return reduced(tables, mass, self.gold, power).reshape(np.shape(counts))

    @cached_property
    def _units(self) -> MovingUnits:
        return moving_units(self.view, self.metric)

    def _moving(self, table: FloatArray) -> FloatArray:
        """Return how often a table has each unit that moves the metric."""
        seen, generic = self._units.of(table)
        if seen.any():
            return table * seen
        return tally(self.generic, table * generic, len(table)) * self.differs


def imagined_units(view: Outcomes, metric: Metric) -> tuple[BoolArray, BoolArray]:
    """Find the units of a view that may be imagined: as seen, or generic in place."""
    if may_not_move(view, metric):
        return moving_units(view, metric).of(view.counts)
    seen = differing(view, metric) & (view.counts > 0)
    if seen.any():
        return seen, np.zeros_like(seen)
    units = replace(view, rows=generic_rows(view, metric))
    return seen, differing(units, metric) & (view.counts > 0)


def moving_units(view: Outcomes, metric: Metric) -> MovingUnits:
    """List the units of a view, as they are and generic."""
    generic = replace(view, rows=generic_rows(view, metric))
    differs = np.array([differing(units, metric) for units in (view, generic)])
    return MovingUnits(view, metric, generic.rows, differs)


def _one_table(parts: Sequence[Outcomes], *, labels: bool) -> Outcomes:
    """Put tables below each other; only the patterns of the first were seen."""
    first, more = parts[0], len(parts) - 1
    known = [part.labels for part in parts if labels and part.labels is not None]
    return replace(
        first,
        rows=sparse.vstack([part.rows for part in parts], format="csr"),
        counts=np.append(first.counts, np.zeros(more * len(first.counts))),
        sizes=np.tile(first.sizes, len(parts)),
        strata=np.tile(first.strata, len(parts)),
        labels=np.vstack(known) if known else None,
    )


def differing(view: Outcomes, metric: Metric) -> BoolArray:
    """Find the patterns on which systems differ in what the metric adds up."""
    # True negatives differ where false positives do.
    used = {"fp" if name == "tn" else name for name in metric.statistics}
    if metric.over_classes is class_balanced_accuracy and len(view.classes) > 1:
        used = {"tp", "fn"}
    kept = np.isin(view.statistics, [*used, "score"])
    systems, classes, _ = view.shape
    column = np.flatnonzero(np.tile(kept, classes))
    width = view.rows.shape[1] // systems
    rows = view.rows.toarray() if view.is_small else view.rows
    first = rows[:, column]
    gaps = [
        abs(rows[:, column + width * system] - first).sum(axis=1)
        for system in range(1, systems)
    ]
    return np.asarray(sum(gaps)).ravel() > 0


def gold_classes(view: Outcomes, metric: Metric) -> FloatArray | None:
    """Return which units have gold items of which class, where that matters.

    For averages over classes it does, and for ranked metrics, to which negatives are a
    class as well. Of a mean over groups, they are groups, unless each averages classes.
    """
    if isinstance(view, RankedOutcomes):
        return view.sides.astype(np.float64)
    if isinstance(metric, GroupMean) and not metric.of_group.averages_classes:
        return np.asarray(metric.grouped(view).in_groups.toarray())
    if not metric.averages_classes or len(view.classes) == 1:
        return None
    return np.asarray(view.has_gold().toarray())


def class_power(metric: Metric) -> float:
    """Return the power of the factor by which small classes reduce counts."""
    return _RANKED_POWER if metric.data == "ranks" else _POWER


def reduced(
    tables: FloatArray, mass: FloatArray, gold: FloatArray | None, power: float
) -> FloatArray:
    """Return Dirichlet parameters of counts (table, cell) and imaginary units.

    For an average over classes, the imaginary units of small classes are reduced as
    the seen ones are.
    """
    scale = scales(tables, gold, power)[:, np.newaxis]
    return scale * tables + (mass if gold is None else scale * mass)


def scales(tables: FloatArray, gold: FloatArray | None, power: float) -> FloatArray:
    """Return the factor 1 - 1/n of each table (table, cell), or that of classes n_k.

    A class adds to the variance of an average in proportion to 1/n_k, so the mean of
    1/n_k over classes is weighted by that. Powers are chosen by simulation.
    """
    if gold is None:
        return 1 - np.minimum(1 / np.maximum(tables.sum(axis=1), 1.0), 1.0)
    of_class = tables @ gold
    present = of_class > 0
    each = np.divide(1.0, of_class, out=np.zeros_like(of_class), where=present)
    whole = each.sum(axis=1)
    mean = np.divide(
        (each**2).sum(axis=1), whole, out=np.zeros_like(whole), where=whole > 0
    )
    return np.maximum(1 - np.minimum(mean, 1.0), _LEAST_SCALE) ** power
