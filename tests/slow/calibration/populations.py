"""Populations of labels and of right and wrong items, whose metrics are known exactly.

A population is a table: patterns (gold, first, second) with their probabilities. A
share of the items is discordant, right for one system and wrong for the other; `ahead`
is by how much more of the items the second system has right.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Protocol

import numpy as np
from tests.slow.calibration import peers
from tests.slow.calibration.peers import Array, Formula

from likelier import Outcomes
from likelier.metrics import Metric, f1
from likelier.metrics.group_mean import mean_over_groups

# Share of right items, the mean of both systems.
RIGHT = 0.8
SYSTEMS = ("first", "second")
POSITIVE = "1"


@dataclass(frozen=True)
class Sample:
    """Units as `peers` has them, how often each occurred, and the same as outcomes."""

    rows: Array
    counts: Array
    outcomes: Callable[[], Outcomes]


class Population(Protocol):
    """Source of samples of a population whose metric is known."""

    formula: Formula

    @property
    def values(self) -> Array:
        """True metric of both systems."""

    @property
    def spread(self) -> float:
        """Standard error of the observed difference, times the root of n."""

    def samples(
        self, rng: np.random.Generator, n: int, size: int
    ) -> Iterator[tuple[Sample, int]]:
        """Draw samples of n units; equal ones come once, with how often they came."""


@dataclass(frozen=True)
class Table:
    """Population of patterns.

    Attributes
    ----------
    formula
        Metric, as `peers` has it.
    patterns
        Gold label and label of each system (pattern, 3).
    shares
        Probabilities of the patterns.
    positive
        Whether only label 1 counts, the positive one.
    scored
        Whether users have only whether each system was right, as scores of 0 and 1.
    """

    formula: Formula
    patterns: Array
    shares: Array
    positive: bool = False
    scored: bool = False

    @cached_property
    def rows(self) -> Array:
        """Statistics of the patterns (pattern, 5, class)."""
        one_hot = np.eye(self.patterns.max() + 1)[self.patterns]
        gold, first, second = np.moveaxis(one_hot, 1, 0)
        rows = np.stack([gold * first, gold * second, first, second, gold], axis=1)
        return rows[..., 1:] if self.positive else rows

    @cached_property
    def values(self) -> Array:
        """True metric of both systems."""
        return self.formula(np.tensordot(self.shares, self.rows, axes=1))

    @cached_property
    def spread(self) -> float:
        """Standard error of the observed difference, times the root of n."""
        each = peers.influence(self.formula, self.rows, self.shares)
        return float(np.sqrt(self.shares @ each**2))

    def samples(
        self, rng: np.random.Generator, n: int, size: int
    ) -> Iterator[tuple[Sample, int]]:
        """Draw samples of n items; equal ones come once, with how often they came."""
        drawn = rng.multinomial(n, self.shares, size=size)
        for counts, times in zip(
            *np.unique(drawn, axis=0, return_counts=True), strict=True
        ):
            seen = counts > 0
            rows, kept = self.rows[seen], counts[seen].astype(float)
            outcomes = partial(self.outcomes, self.patterns[seen], kept)
            yield Sample(rows, kept, outcomes), int(times)

    def outcomes(self, patterns: Array, counts: Array) -> Outcomes:
        """Count patterns as users would: those that were never seen are unknown."""
        gold, *predicted = patterns.T
        if self.scored:
            right = [(gold == p).astype(float) for p in predicted]
            return Outcomes.from_scores(*right, counts=counts)
        columns = patterns.T.astype(str)
        return Outcomes.from_patterns(list(columns), counts, systems=SYSTEMS)


@dataclass(frozen=True)
class Tasks:
    """Items of several tasks, each with the same patterns; each task counts alike.

    Attributes
    ----------
    each
        Population of one task.
    weights
        Shares of the tasks.
    """

    each: Table
    weights: Array

    @property
    def formula(self) -> Formula:
        """Mean over tasks of the metric of each; tasks take the place of classes."""
        return self.each.formula

    @cached_property
    def whole(self) -> Table:
        """Patterns of all tasks, one task below the other."""
        times = len(self.weights)
        shares = np.outer(self.weights, self.each.shares).ravel()
        return replace(
            self.each, patterns=np.tile(self.each.patterns, (times, 1)), shares=shares
        )

    @cached_property
    def rows(self) -> Array:
        """Statistics of the patterns (pattern, 5, task)."""
        rows = np.zeros((*self.whole.rows.shape[:2], len(self.weights)))
        task = np.repeat(np.arange(len(self.weights)), len(self.each.patterns))
        rows[np.arange(len(task)), :, task] = self.whole.rows[..., 0]
        return rows

    @property
    def values(self) -> Array:
        """True metric of both systems."""
        return self.each.values

    @cached_property
    def spread(self) -> float:
        """Standard error of the observed difference, times the root of n."""
        each = peers.influence(self.formula, self.rows, self.whole.shares)
        return float(np.sqrt(self.whole.shares @ each**2))

    def samples(
        self, rng: np.random.Generator, n: int, size: int
    ) -> Iterator[tuple[Sample, int]]:
        """Draw samples of n items, each of a task at random."""
        for counts in rng.multinomial(n, self.whole.shares, size=size):
            yield (
                Sample(self.rows, counts.astype(float), partial(grouped, self, counts)),
                1,
            )


def grouped(tasks: Tasks, counts: Array) -> Outcomes:
    """Count the patterns of each task."""
    parts = counts.reshape(len(tasks.weights), -1).astype(float)
    tables = {}
    for task, part in enumerate(parts):
        seen = part > 0
        columns = tasks.each.patterns[seen].T.astype(str)
        table = Outcomes.from_patterns(list(columns), part[seen], systems=SYSTEMS)
        tables[str(task)] = table.binary(POSITIVE)
    return mean_over_groups(f1, tables, name="f1_mean_over_tasks")[1]


def tasks(discordant: float, ahead: float, *, positives: float) -> Tasks:
    """Four tasks, of a tenth to four tenths of the items."""
    return Tasks(
        binary(discordant, ahead, positives=positives), np.array([4, 3, 2, 1]) / 10
    )


def mean_f1() -> Metric:
    """Metric of `tasks`."""
    outcomes = Outcomes.from_labels("01", "01", "10", systems=SYSTEMS).binary(POSITIVE)
    return mean_over_groups(f1, {"0": outcomes}, name="f1_mean_over_tasks")[0]


def right_wrong(discordant: float, ahead: float, right: float = RIGHT) -> Array:
    """Probabilities of: both right, only the first, only the second, none."""
    first, second = (discordant - ahead) / 2, (discordant + ahead) / 2
    both = right - discordant / 2
    return np.array([both, first, second, 1 - both - discordant])


def scores(discordant: float, ahead: float, *, right: float = RIGHT) -> Table:
    """Items that are right or wrong, known by scores of 1 and 0."""
    patterns = np.array([[1, 1, 1], [1, 1, 0], [1, 0, 1], [1, 0, 0]])
    shares = right_wrong(discordant, ahead, right)
    return Table(peers.mean, patterns, shares, scored=True)


def classes(
    discordant: float, ahead: float, *, gold: Sequence[float], formula: Formula
) -> Table:
    """Items of several classes; a wrong label is one of the next two classes."""
    patterns, shares = [], []
    both, first, second, none = right_wrong(discordant, ahead)
    for k, share in enumerate(gold):
        wrong = sorted({(k + step) % len(gold) for step in (1, 2)} - {k})
        each = len(wrong)
        of_class = {(k, k): both}
        of_class |= {(k, w): first / each for w in wrong}
        of_class |= {(w, k): second / each for w in wrong}
        of_class |= {(v, w): none / each**2 for v in wrong for w in wrong}
        patterns += [(k, *pair) for pair in of_class]
        shares += [share * part for part in of_class.values()]
    return Table(formula, np.array(patterns), np.array(shares))


def evenly(count: int) -> list[float]:
    """Shares of classes that are as frequent."""
    return [1 / count] * count


def zipf(count: int) -> list[float]:
    """Shares of classes, the k-th in proportion to 1/k."""
    weights = 1 / np.arange(1, count + 1)
    return (weights / weights.sum()).tolist()


def binary(discordant: float, ahead: float, *, positives: float) -> Table:
    """Rare positives, found with a recall and a precision of about .8.

    The shares of discordance and of `ahead` are those of the positive items; false
    positives overlap as much.
    """
    false = 0.2 * np.array([1 - discordant / 0.4, discordant / 0.4, discordant / 0.4])
    return _binary(positives, right_wrong(discordant, ahead), false)


def crossed(discordant: float, *, positives: float) -> Table:
    """The same F1 of .8 by recall and precision of .8, and by a recall of .9."""
    return _binary(
        positives,
        right_wrong(discordant, 0.1, right=0.85),
        np.array([0.1, 0.1, 0.25]),
    )


def _binary(positives: float, found: Array, false: Array) -> Table:
    """Put together what is found of the positives, and false positives beside it."""
    patterns = [(1, 1, 1), (1, 1, 0), (1, 0, 1), (1, 0, 0)]
    patterns += [(0, 1, 1), (0, 1, 0), (0, 0, 1), (0, 0, 0)]
    shares = positives * np.append(found, false)
    shares = np.append(shares, 1 - shares.sum())
    return Table(peers.f1, np.array(patterns), shares, positive=True)
