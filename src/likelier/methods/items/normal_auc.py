"""ROC AUC of very many ranked items as a weighted sum.

ROC AUC is linear in the shares of the positives, and linear in those of the negatives,
and both shares are independent. So what is left beside its linear part has the mean 0
and is uncorrelated with it: its variance is that of a pair beyond its positive and its
negative, over the number of pairs. Where that moves no probability by more than half of
`TOLERANCE`, the linear part is drawn, as in `normal_sums`.
"""

from dataclasses import dataclass, replace

import numpy as np

from likelier._typing import BoolArray, FloatArray
from likelier.data.outcomes import Outcomes
from likelier.data.ranked_outcomes import RankedOutcomes
from likelier.methods.items.normal_sums import (
    TOLERANCE,
    NormalSums,
    with_differences,
)
from likelier.metrics.metric import Metric
from likelier.metrics.ranked import roc_auc
from likelier.streams import Streams

# Fewer units on a side are drawn as they are.
_LEAST_UNITS = 1000
# Pairs of a positive and a negative that are drawn to see how they vary.
_PAIRS = 200_000
# Greatest value of x times the normal density, over 2: what a part more of the variance
# moves a probability.
_OF_VARIANCE = 0.2420 / 2


@dataclass(frozen=True, eq=False)
class NormalAuc:
    """Joint law of the ROC AUC of all systems.

    Attributes
    ----------
    centre
        ROC AUC of each system where every unit has its mean weight.
    away
        Law of how far it is from there.
    """

    centre: FloatArray
    away: NormalSums

    @classmethod
    def of(
        cls, table: Outcomes, shapes: FloatArray, metric: Metric
    ) -> "NormalAuc | None":
        """Make ROC AUC linear; None where that does not suffice, or for other metrics.

        Parameters
        ----------
        table
            Ranked units that are weighted.
        shapes
            Dirichlet parameter of each.
        metric
            The metric that is drawn.
        """
        if not isinstance(table, RankedOutcomes):
            return None
        positive = table.sides[:, 0]
        few = min(positive.sum(), (~positive).sum()) < _LEAST_UNITS
        one = metric.formula is roc_auc and metric.average == "one"
        if few or not one or table.clustered:
            return None
        slopes = metric.influence(replace(table, counts=shapes))
        both = with_differences(slopes)
        left = _variance_of_pairs(table, positive, shapes) / (shapes @ both**2)
        if not (_OF_VARIANCE * left < TOLERANCE / 2).all():
            return None
        rows = np.column_stack([slopes * shapes.sum(), np.ones(len(slopes))])
        away = NormalSums.of_rows(rows, shapes, both, systems=slopes.shape[1])
        return None if away is None else cls(metric.values(table, shapes), away)

    def draw(self, streams: Streams, *, purpose: int) -> FloatArray:
        """Draw the metric (draw, system)."""

        def block(generator: np.random.Generator, n: int) -> FloatArray:
            sums = self.away.sums(generator, n)
            values = self.centre + sums[:, :-1] / sums[:, -1:]
            return np.asarray(np.clip(values, 0.0, 1.0))

        return streams.run(block, width=self.away.width, purpose=purpose)


def _variance_of_pairs(
    table: RankedOutcomes, positive: BoolArray, shapes: FloatArray
) -> FloatArray:
    """Return the most that pairs add to the variance of each AUC, and difference."""
    position = table.rows.indices.reshape(len(shapes), -1)
    generator = np.random.default_rng(0)
    above, below = (
        position[side][
            np.searchsorted(
                np.cumsum(shapes[side]),
                generator.random(_PAIRS) * shapes[side].sum(),
            ).clip(max=side.sum() - 1)
        ]
        for side in (positive, ~positive)
    )
    # Of one position, a positive has the even column and a negative the odd one.
    right = 0.5 + 0.5 * np.sign(above // 2 - below // 2)
    pairs = shapes[positive].sum() * shapes[~positive].sum()
    return np.asarray(with_differences(right).var(axis=0) / pairs)
