"""Checks on many samples of the same patterns at once: which verdicts they block.

A plan simulates samples by the thousand; what would block the verdict of a comparison
must block theirs.
"""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from likelier._typing import BoolArray, FloatArray
from likelier.data.outcomes import Outcomes
from likelier.data.ranked_outcomes import RankedOutcomes
from likelier.metrics.metric import Metric

# So many items that all favour one system leave less to chance than draws can show.
ENOUGH_DIFFERING = 16
# A class with fewer units says little.
SMALL_CLASS = 5
# Skewness of the units' influence that hides a long tail: against the difference, and
# on any side, where the systems are said to be equivalent.
_AGAINST, _LONG = 0.2, 0.3
# A difference this part of its standard deviation away from 0 has a direction.
_DIRECTION = 0.5
_TWO = 2


@dataclass(frozen=True, eq=False)
class Tails:
    """Long tails of scores, sample by sample.

    Attributes
    ----------
    skew
        Skewness of the units' influence; negative: against the difference.
    against
        Whether the largest differences point the other way: then nothing shows that a
        system is better or worse.
    long
        Whether the tail is so long that nothing shows that systems are equivalent.
    """

    skew: FloatArray
    against: BoolArray
    long: BoolArray


def have_tails(table: Outcomes, metric: Metric) -> bool:
    """Return whether what is compared may have a long tail; 0 and 1 have none."""
    if table.of_labels or metric.data == "ranks":
        return False
    numbers = metric.view(table).rows.toarray()
    return table.clustered or len(np.unique(numbers)) > _TWO


def tails(
    table: Outcomes,
    metric: Metric,
    counts: FloatArray,
    *,
    mean: FloatArray,
    sd: FloatArray,
) -> Tails:
    """Measure the tails of samples (sample, pattern).

    Parameters
    ----------
    table, metric
        Patterns of two systems, and a metric of scores or of other statistics.
    counts
        How often each pattern occurs in each sample.
    mean, sd
        Those of the difference's posterior, for each sample.
    """
    influence = _influences(table, metric, counts)
    # Skewness knows no scale; powers of very small numbers would be 0.
    largest = np.abs(influence).max(axis=1, keepdims=True, initial=0.0)
    influence = influence / np.where(largest > 0, largest, 1.0)
    power = counts * influence**2
    squares = power.sum(axis=1)
    cubes = (power * influence).sum(axis=1)
    varies = squares > 0
    skew = np.divide(cubes, squares**1.5, out=np.zeros_like(cubes), where=varies)
    skew = skew * np.sign(mean)
    gains = _gains(table, metric)
    opposed = ((gains * mean[:, np.newaxis] < 0) & (counts > 0)).any(axis=1)
    directed = np.abs(mean) > _DIRECTION * sd
    return Tails(skew, (skew < -_AGAINST) & directed & opposed, np.abs(skew) > _LONG)


def _influences(table: Outcomes, metric: Metric, counts: FloatArray) -> FloatArray:
    """Return how far one more unit moves the difference (sample, pattern), scaled."""
    if _is_mean(metric):
        gains = _gains(table, metric)
        mean = (counts @ gains) / (counts @ table.sizes)
        return gains - mean[:, np.newaxis] * table.sizes
    views = (metric.view(replace(table, counts=row)) for row in counts)
    return np.array([metric.differences(metric.influence(view)) for view in views])


def _is_mean(metric: Metric) -> bool:
    return metric.linear and "items" in metric.statistics


def _gains(table: Outcomes, metric: Metric) -> FloatArray:
    """Return how far each pattern favours the second system."""
    view = metric.view(table)
    return metric.gains(view) if _is_mean(metric) else metric.favour(view)


def pattern_gain(table: Outcomes, metric: Metric, row: int) -> float:
    """Return how far one pattern favours the second system."""
    if not table.of_labels:
        return float(_gains(table, metric)[row])
    alone = replace(
        table,
        rows=table.rows[[row]],
        counts=np.ones(1),
        sizes=table.sizes[[row]],
        strata=table.strata[[row]],
        labels=None if table.labels is None else table.labels[[row]],
    )
    gain = float(metric.differences(metric.observed(alone)))
    return gain or _fewer_errors(alone.cube()[0], table.statistics)


def _fewer_errors(cells: FloatArray, statistics: tuple[str, ...]) -> float:
    """Count how many errors fewer the second system has, where the metric is equal."""
    wrong = [i for i, name in enumerate(statistics) if name in ("fp", "fn")]
    errors = cells[..., wrong].sum(axis=(1, 2))
    return float(errors[0] - errors[1])


@dataclass(frozen=True, eq=False)
class SampleChecks:
    """Checks of simulated samples: LIK111, LIK114, LIK115, LIK116 and LIK117.

    Attributes
    ----------
    table, metric
        Patterns of two systems on the same items, and the metric.
    mass
        Weight of the prior in units.
    differs
        Patterns on which the systems differ, where the prior holds what did not occur
        to be impossible; else None.
    """

    table: Outcomes
    metric: Metric
    mass: float
    differs: BoolArray | None = None

    def blocked(
        self, counts: FloatArray, differences: FloatArray
    ) -> tuple[BoolArray, BoolArray]:
        """Find the samples whose verdict a finding blocks.

        Parameters
        ----------
        counts
            How often each pattern occurs (sample, pattern).
        differences
            Draws of the difference (sample, draw).

        Returns
        -------
        tuple
            Whether each sample cannot be equivalent, and whether it cannot be anything
            else.
        """
        every = (self.mass > counts.sum(axis=1)) | self._one_way(counts)
        few, single = self._small(counts)
        equivalent, other = every | few | single, every | single
        if self._have_tails:
            mean, sd = differences.mean(axis=1), differences.std(axis=1)
            measured = tails(self.table, self.metric, counts, mean=mean, sd=sd)
            equivalent, other = equivalent | measured.long, other | measured.against
        return equivalent, other

    @cached_property
    def _have_tails(self) -> bool:
        return have_tails(self.table, self.metric)

    @cached_property
    def _gains(self) -> FloatArray:
        differs = self.differs if self.differs is not None else np.zeros(0)
        rows = np.flatnonzero(differs)
        return np.array([pattern_gain(self.table, self.metric, int(r)) for r in rows])

    def _one_way(self, counts: FloatArray) -> BoolArray:
        """Find samples in which few units differ, and all favour one system."""
        if self.differs is None:
            return np.zeros(len(counts), dtype=bool)
        apart = counts[:, self.differs]
        units, seen = apart.sum(axis=1), apart > 0
        better = (seen & (self._gains > 0)).sum(axis=1)
        worse = (seen & (self._gains < 0)).sum(axis=1)
        alike = np.maximum(better, worse) == seen.sum(axis=1)
        return (units > 0) & (units < ENOUGH_DIFFERING) & alike

    def _small(self, counts: FloatArray) -> tuple[BoolArray, BoolArray]:
        """Find samples with few positives, and those with one unit of each class."""
        few = single = np.zeros(len(counts), dtype=bool)
        metric, table = self.metric, self.table
        average = metric.averages_classes and len(table.classes) > 1
        if not average and not counts_positives(metric, table):
            return few, single
        gold = np.asarray(counts @ table.has_gold())
        if average:
            return few, np.asarray((gold <= 1).all(axis=1))
        rarest = gold[:, 0]
        if isinstance(table, RankedOutcomes):
            others = np.asarray(counts @ table.has_negatives())
            rarest = np.minimum(rarest, others[:, 0])
        return (rarest < SMALL_CLASS) & (counts.sum(axis=1) >= SMALL_CLASS), single


def counts_positives(metric: Metric, table: Outcomes) -> bool:
    """Return whether a metric rests on the gold items of one class."""
    rests = {"tp", "fn", "positives"} & {*metric.statistics}
    counted = {"tp", "positives"} & {*table.statistics}
    return metric.of_one_class and bool(rests) and bool(counted)
