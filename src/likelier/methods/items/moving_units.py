"""Units that move a metric: those that the swap prior imagines.

Systems may differ on many units none of which moves the metric: without a false
positive the precision of each is 1, whatever it misses. Such units say nothing of the
difference. A unit counts where one more of it, in some order of the systems, moves
them apart by at least a tenth of what the strongest unit does, seen or generic. Where
both kinds of errors weigh about the same, as in F1, it counts where it does so at all.
"""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from scipy import sparse

from likelier._typing import BoolArray, FloatArray
from likelier.data.outcomes import Outcomes
from likelier.metrics.formulas import undefined_as
from likelier.metrics.metric import Metric

# Part of the strongest unit's influence: where kinds of units differ in it by orders of
# magnitude, and where they do not.
_LEAST, _AT_ALL = 0.1, 1e-4
# Weights of recall with which an F-measure is moved by all kinds of errors.
_BALANCED = (1 / 3, 3)


def may_not_move(view: Outcomes, metric: Metric) -> bool:
    """Return whether units on which systems differ may leave the metric as it is.

    So only for counts of labels: not for sums over items, and of averages over classes
    for precision only. Where positives are few, negatives hardly move a ranked metric.
    """
    if metric.data == "ranks":
        return len(view.classes) == 1
    if metric.linear or not view.of_labels:
        return False
    return len(view.classes) == 1 or "fn" not in metric.statistics


@dataclass(frozen=True, eq=False)
class MovingUnits:
    """Units of a view, as they are and generic, and how far they move the metric.

    Attributes
    ----------
    view
        Patterns as the metric sees them.
    metric
        The metric.
    generic
        Rows of a generic unit in place of each pattern.
    differs
        Whether systems differ on a unit: as it is, and generic (2, pattern).
    """

    view: Outcomes
    metric: Metric
    generic: sparse.csr_array
    differs: BoolArray

    def of(self, counts: FloatArray) -> tuple[BoolArray, BoolArray]:
        """Find the units that move the metric where patterns have these counts.

        Where a system's metric is 0/0 slopes say nothing, and all that differ count.

        Returns
        -------
        tuple
            Whether a pattern moves it, and whether the generic unit in its place does.
        """
        view = replace(self.view, counts=counts)
        seen, generic = self.differs & (counts > 0)
        slopes = np.ptp(self.metric.influence(view, self._units), axis=1)
        reach = slopes.reshape(-1, 2, len(counts)).max(axis=0) * (seen, generic)
        if not reach.any() or _is_undefined(view, self.metric):
            return seen, generic
        seen, generic = reach >= _least(view, self.metric) * reach.max()
        return seen, generic

    @cached_property
    def _units(self) -> Outcomes:
        """All units, with the systems in turn (order, kind, pattern)."""
        view = self.view
        rows = sparse.vstack([view.rows, self.generic], format="csr")
        column = np.arange(rows.shape[1]).reshape(len(view.systems), -1)
        turns = [np.roll(column, i, axis=0).ravel() for i in range(len(column))]
        times = 2 * len(turns)
        return replace(
            view,
            rows=sparse.vstack([rows[:, turn] for turn in turns], format="csr"),
            counts=np.zeros(times * len(view.counts)),
            sizes=np.tile(view.sizes, times),
        )


def _least(view: Outcomes, metric: Metric) -> float:
    low, high = _BALANCED
    balanced = (
        metric.statistics == ("tp", "fp", "fn") and low <= (metric.beta or 1) <= high
    )
    several = len(view.classes) > 1 or metric.over_classes is not None
    return _AT_ALL if balanced or several else _LEAST


def _is_undefined(view: Outcomes, metric: Metric) -> bool:
    with undefined_as(float("nan")):
        return bool(np.isnan(metric.values(view)).any())
