"""Ranked metrics: functions of the positives and negatives in the order of scores.

Formulas take the positives and the negatives at each position (draw, position), from
the lowest score to the highest; ties stand at one position. 0/0 counts as 0.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from likelier._typing import FloatArray
from likelier.data.outcomes import Outcomes
from likelier.data.ranked_outcomes import RANK_STATISTICS, RankedOutcomes
from likelier.errors import NotDefinedError
from likelier.metrics.formulas import Formula, class_mean, ratio
from likelier.metrics.metric import Average, Metric

Slopes = Callable[[FloatArray, FloatArray], tuple[FloatArray, FloatArray]]


def roc_auc(positives: FloatArray, negatives: FloatArray) -> FloatArray:
    """Compute the share of pairs in which the positive has the higher score.

    Ties count as half.
    """
    below = np.cumsum(negatives, axis=-1, dtype=np.float64)
    whole = positives.sum(axis=-1, dtype=np.float64) * below[..., -1]
    below -= 0.5 * negatives
    return ratio(np.einsum("...i,...i->...", positives, below), whole)


def roc_auc_slopes(
    positives: FloatArray, negatives: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Return how far one more positive, or negative, at a position moves ROC AUC."""
    auc = roc_auc(positives, negatives)
    p, n = positives.sum(axis=-1), negatives.sum(axis=-1)
    above = _from_top(positives) - 0.5 * positives
    below = np.cumsum(negatives, axis=-1) - 0.5 * negatives
    return ratio(ratio(below, n) - auc, p), ratio(ratio(above, p) - auc, n)


def average_precision(positives: FloatArray, negatives: FloatArray) -> FloatArray:
    """Compute the mean precision at the score of each positive.

    Precision counts all items with at least that score, ties together, as in
    scikit-learn.
    """
    shape, width = positives.shape[:-1], positives.shape[-1]
    rows = (table.reshape(-1, width) for table in (positives, negatives))
    # One draw at a time, so that all of it stays in the processor's cache.
    sums = [_summed_precision(*row) for row in zip(*rows, strict=True)]
    precisions, whole = np.array(sums).reshape(-1, 2).T
    return ratio(precisions.reshape(shape), whole.reshape(shape))


def _summed_precision(
    positives: FloatArray, negatives: FloatArray
) -> tuple[float, float]:
    """Add up the precision at each positive, and the positives."""
    own = positives[::-1].astype(np.float64)
    called = np.cumsum(own + negatives[::-1])
    found = np.cumsum(own)
    whole = float(found[-1])
    # Above all items nothing is called, and nothing found.
    called[called == 0] = 1.0
    found /= called
    return float(own @ found), whole


def average_precision_slopes(
    positives: FloatArray, negatives: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Return how far one more positive, or negative, at a position moves it."""
    found, above = _from_top(positives), _from_top(negatives)
    called, p = found + above, positives.sum(axis=-1)
    # A unit changes the precision at its own position and at all below.
    of_found = np.cumsum(_part(positives * above, called**2), axis=-1)
    of_above = np.cumsum(_part(positives * found, called**2), axis=-1)
    whole = average_precision(positives, negatives)
    of_positive = ratio(_part(found, called) + of_found - whole, p)
    return of_positive, -ratio(of_above, p)


def _from_top(numbers: FloatArray) -> FloatArray:
    """Add numbers up from the last position down to each."""
    whole = np.cumsum(numbers[..., ::-1], axis=-1, dtype=np.float64)
    return np.ascontiguousarray(whole[..., ::-1])


def _part(part: FloatArray, whole: FloatArray) -> FloatArray:
    """Divide, with 0 at positions above which there is nothing."""
    return np.divide(part, whole, out=np.zeros_like(whole), where=whole > 0)


@dataclass(frozen=True)
class RankedMetric(Metric):
    """A function of the order of items by score, such as ROC AUC.

    Attributes
    ----------
    slopes
        How far one more positive, or negative, at each position moves the formula.
    """

    slopes: Slopes = field(default=roc_auc_slopes, repr=False)

    @property
    def of_one_class(self) -> bool:
        """True for a metric of one class, which must be named."""
        return self.average == "one"

    def values(
        self,
        view: Outcomes,
        weights: ArrayLike | None = None,
        *,
        beside: Any = None,
    ) -> FloatArray:
        """Compute the metric (..., system) of weighted items.

        Parameters
        ----------
        view
            What `view` returned.
        weights, beside
            As in `RankedOutcomes.at_positions`.
        """
        ranked = self._ranked(view)
        parts: dict[tuple[int, int], FloatArray] = {
            (kind, system): self.formula(positives, negatives)
            for kind, system, positives, negatives in ranked.at_positions(
                weights, beside=beside
            )
        }
        systems, classes = len(view.systems), len(view.classes)
        rates = np.array(
            [[parts[k, s] for k in range(classes)] for s in range(systems)]
        )
        values = np.clip(self._averaged(np.moveaxis(rates, 2, 0), view), *self.bounds)
        single = np.ndim(view.counts if weights is None else weights) == 1
        return np.asarray(values[0] if single and beside is None else values)

    def _averaged(self, rates: FloatArray, view: Outcomes) -> FloatArray:
        """Average rates (..., system, class) over the classes that items have."""
        return class_mean(rates, view.present)

    def influence(self, view: Outcomes, units: Outcomes | None = None) -> FloatArray:
        """Return how far one more unit of each pattern would move the metric.

        Parameters
        ----------
        view
            What `view` returned.
        units
            Patterns that are added; those of the view by default.
        """
        ranked = self._ranked(view)
        systems, positions, _ = ranked.shape
        slopes = np.zeros((systems, positions, 2))
        for kind, system, positives, negatives in ranked.at_positions():
            own = self.slopes(positives[0], negatives[0])
            here = ranked.position_class == kind
            slopes[system, here] = np.column_stack(own)
        held = view.present[0]
        slopes *= held[ranked.position_class][:, np.newaxis] / max(held.sum(), 1)
        added = (units or view).rows
        width = positions * 2
        return np.column_stack(
            [
                added[:, system * width : (system + 1) * width] @ slopes[system].ravel()
                for system in range(systems)
            ]
        )

    def is_sum(self, view: Outcomes) -> bool:  # noqa: ARG002
        """Return False: no item adds to a ranked metric whatever the others do."""
        return False

    def _ranked(self, view: Outcomes) -> RankedOutcomes:
        if not isinstance(view, RankedOutcomes):
            message = f"{self.name} must have gold labels and a score for every item."
            hint = "Outcomes.from_ranked(gold, scores, scores)"
            raise NotDefinedError(message, hint=hint)
        return view

    def _check(self, outcomes: Outcomes) -> None:
        ranked = self._ranked(outcomes)
        if self.of_one_class and len(ranked.classes) > 1:
            raise self._needs_positive(ranked)
        if not self.of_one_class and ranked.one_score and len(ranked.classes) > 1:
            message = f"{self.name} must have a score of every class; got one per item."
            base = self.name.removeprefix("macro_")
            hint = f"Arrays (item, class); or {base} of one class, by positive=."
            raise NotDefinedError(message, hint=hint)


def _metric(
    name: str, formula: Formula, slopes: Slopes, *, macro: bool
) -> RankedMetric:
    average: Average = "macro" if macro else "one"
    return RankedMetric(
        name,
        RANK_STATISTICS,
        formula,
        average=average,
        bounds=(0.0, 1.0),
        slopes=slopes,
    )


_RATES = {
    "roc_auc": (roc_auc, roc_auc_slopes),
    "average_precision": (average_precision, average_precision_slopes),
}
RANKED: dict[str, RankedMetric] = {
    f"{'macro_' if macro else ''}{name}": _metric(
        f"{'macro_' if macro else ''}{name}", *rates, macro=macro
    )
    for name, rates in _RATES.items()
    for macro in (False, True)
}
