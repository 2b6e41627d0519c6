"""Populations of labels and of right and wrong items, whose metrics are known exactly.

A population is a table: patterns (gold, first, second) with their probabilities. A
share of the items is discordant, right for one system and wrong for the other; `ahead`
is by how much more of the items the second system has right.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Protocol

import numpy as np
from tests.slow.calibration import peers
from tests.slow.calibration.peers import Array, Formula

from likelier import Outcomes

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
