"""Simulated experiments: what two systems are assumed to do, and the verdicts."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from likelier._typing import FloatArray
from likelier.data.constructors import from_patterns
from likelier.data.outcomes import Outcomes
from likelier.decision import ThreeProbabilities, decide
from likelier.distribution import shortest
from likelier.errors import SettingError
from likelier.interval import Interval, Rope
from likelier.methods.items.cells import Cells, Prior
from likelier.methods.protocols import ManyMethod
from likelier.metrics import Metric
from likelier.streams import Streams

Items = Literal["same", "other"]

DRAWS = 1000
# Wide tables get fewer draws each: no more numbers than this per experiment.
_MOST_NUMBERS = 200_000
_LEAST_DRAWS = 500
# All sizes share their streams, so that chances rise smoothly with the items.
_PURPOSE = 1000
_SUM = 1e-6
_CLASSES = ("no", "yes")


@dataclass(frozen=True, eq=False)
class Assumed:
    """The shares of the patterns of two systems, known or known from a pilot.

    Made by `cells`, `accuracies` or `pilot`.

    Attributes
    ----------
    outcomes
        Patterns, whose counts are shares, or the counts of the pilot.
    certain
        Whether the shares are taken as the truth. Otherwise every simulated
        experiment has a truth of its own, drawn from the posterior of the pilot.
    source
        What was assumed, for the recipe.

    Examples
    --------
    >>> Assumed.accuracies(0.85, 0.87, agreement=0.9)
    <Assumed: accuracies 0.85 and 0.87, agreement 0.9>
    """

    outcomes: Outcomes
    certain: bool
    source: str

    def __repr__(self) -> str:
        return f"<Assumed: {self.source}>"

    @classmethod
    def cells(
        cls,
        cells: Mapping[tuple[str, str, str], float],
        *,
        systems: Sequence[str] = ("first", "second"),
    ) -> "Assumed":
        """Take the share of every (gold, first, second) that can occur.

        Parameters
        ----------
        cells
            Shares that add up to 1, by gold label and what the systems say.
        systems
            The names of the systems, the baseline first.

        Examples
        --------
        >>> shares = {("y", "y", "y"): 0.6, ("y", "n", "y"): 0.1}
        >>> Assumed.cells(shares | {("n", "n", "n"): 0.3})
        <Assumed: 3 cells>
        """
        if not cells:
            message = "cells must hold at least one share; got none."
            raise SettingError(message)
        if any(not isinstance(k, tuple) or len(k) != 3 for k in cells):
            message = "cells must be named by gold label, first and second system."
            raise SettingError(message, hint="{('spam', 'spam', 'ham'): 0.1, …}")
        shares = np.array([_share(value) for value in cells.values()])
        if abs(shares.sum() - 1) > _SUM:
            message = f"cells must add up to 1; got {shares.sum():.6g}."
            raise SettingError(message)
        columns = [list(column) for column in zip(*cells, strict=True)]
        table = from_patterns(columns, shares / shares.sum(), systems=systems)
        return cls(table, certain=True, source=f"{len(cells)} cells")

    @classmethod
    def accuracies(
        cls,
        first: float,
        second: float,
        *,
        agreement: float,
        systems: Sequence[str] = ("first", "second"),
    ) -> "Assumed":
        """Take two accuracies, and how often both systems are right or both wrong.

        Items are spread evenly over two gold classes.

        Parameters
        ----------
        first, second
            The accuracies.
        agreement
            The share of the items on which both are right or both are wrong.
        systems
            The names of the systems, the baseline first.
        """
        for name, value in (("first", first), ("second", second)):
            _between(value, name=f"accuracy of the {name} system")
        _between(agreement, name="agreement")
        # Both right, only the first, only the second, neither.
        only_first = (1 - agreement + first - second) / 2
        only_second = (1 - agreement - first + second) / 2
        both = first - only_first
        shares = np.array([both, only_first, only_second, agreement - both])
        if (shares < -1e-12).any():
            raise _impossible(first, second, agreement)
        half = np.maximum(shares, 0.0) / 2
        said = {}
        for gold, other in (_CLASSES, _CLASSES[::-1]):
            for place, (a, b) in enumerate(
                ((gold, gold), (gold, other), (other, gold), (other, other))
            ):
                said[gold, a, b] = float(half[place])
        told = f"accuracies {first:g} and {second:g}, agreement {agreement:g}"
        table = cls.cells(said, systems=systems).outcomes
        return cls(table, certain=True, source=told)

    @classmethod
    def pilot(cls, outcomes: Outcomes, *, certain: bool = False) -> "Assumed":
        """Take the outcomes of a first test.

        Parameters
        ----------
        outcomes
            Those of the two systems on the pilot's items.
        certain
            Whether to take the pilot's shares as the truth. By default the truth of
            each simulated experiment is drawn from the pilot's posterior.
        """
        if len(outcomes.systems) != 2:
            message = f"A pilot must have two systems; got {len(outcomes.systems)}."
            raise SettingError(message)
        if outcomes.unit == "folds":
            message = "A pilot must have items; counts of folds are none."
            raise SettingError(message)
        told = f"pilot of {outcomes.n_units:,} {unit_of(outcomes)}"
        taken = "taken as the truth" if certain else "as evidence"
        return cls(outcomes, certain=certain, source=f"{told} {taken}")

    def as_truth(self) -> "Assumed":
        """Take the shares for the truth, also where a pilot tells them."""
        return self if self.certain else Assumed.pilot(self.outcomes, certain=True)

    def truths(self, outcomes: Outcomes, prior: Prior) -> "Truths":
        """Say what can be drawn, for outcomes as a metric is focused on them."""
        if self.certain:
            return Truths(outcomes, None)
        cells = Cells.raw(outcomes, prior)
        return Truths(cells.view, cells)


@dataclass(frozen=True, eq=False)
class Truths:
    """The shares of the patterns that a simulated experiment may have."""

    outcomes: Outcomes
    cells: Cells | None

    def shares(self, generator: np.random.Generator, experiments: int) -> FloatArray:
        """Give what is true in each experiment (experiment, pattern)."""
        counts = self.outcomes.counts
        if self.cells is None:
            return np.tile(counts / counts.sum(), (experiments, 1))
        weights = self.cells.weights(generator, counts, experiments)
        return np.asarray(weights / weights.sum(axis=1, keepdims=True))


@dataclass(frozen=True, eq=False)
class Trial:
    """How an experiment is made and judged.

    Attributes
    ----------
    truths
        What the systems are assumed to do.
    metric
        The metric.
    method
        The method of the posterior.
    rope, mass, rule
        What the verdict rests on.
    items
        Whether both systems see the same items, or each items of its own.
    draws
        How many draws each posterior has.
    """

    truths: Truths
    metric: Metric
    method: ManyMethod
    rope: Rope | None
    mass: float
    rule: str
    items: Items
    draws: int | None = None

    @property
    def n_draws(self) -> int:
        """How many draws each posterior has, fewer where a table is wide."""
        if self.draws is not None:
            return self.draws
        width = len(self.truths.outcomes.counts)
        return int(np.clip(_MOST_NUMBERS // max(width, 1), _LEAST_DRAWS, DRAWS))

    def chances(self, n: int, streams: Streams) -> dict[str, float]:
        """Give the share of experiments with n items that end in each verdict."""
        width = self.n_draws * len(self.truths.outcomes.counts)

        def block(generator: np.random.Generator, experiments: int) -> FloatArray:
            return self._judged(generator, experiments, n)

        rows = streams.run(block, width=width, purpose=_PURPOSE)
        names = Counter(self._verdict(*row) for row in rows.tolist())
        return {name: count / len(rows) for name, count in names.items()}

    def _judged(
        self, generator: np.random.Generator, experiments: int, n: int
    ) -> FloatArray:
        """Give ends of the HDI and shares below and above the rope, by experiment."""
        differences = self._differences(generator, experiments, n)
        differences.sort(axis=1)
        low, high = shortest(differences, self.mass)
        edges = (0.0, 0.0) if self.rope is None else (self.rope.low, self.rope.high)
        worse = (differences < edges[0]).mean(axis=1)
        better = (differences > edges[1]).mean(axis=1)
        return np.column_stack([low, high, worse, better])

    def _differences(
        self, generator: np.random.Generator, experiments: int, n: int
    ) -> FloatArray:
        table, draws = self.truths.outcomes, self.n_draws
        shares = self.truths.shares(generator, experiments)
        counts = generator.multinomial(n, shares).astype(np.float64)
        values = self.method.many(table, self.metric, counts, generator, draws=draws)
        if self.items == "other":
            counts = generator.multinomial(n, shares).astype(np.float64)
            more = self.method.many(table, self.metric, counts, generator, draws=draws)
            values = np.stack([values[..., 0], more[..., 1]], axis=-1)
        return self.metric.differences(values)

    def _verdict(self, low: float, high: float, worse: float, better: float) -> str:
        hdi = Interval(low, high, mass=self.mass, kind="hdi")
        inside = max(1 - worse - better, 0.0)
        if self.rope is None:
            worse, better, inside = worse + inside / 2, better + inside / 2, 0.0
        chances = ThreeProbabilities(worse, inside, better, self.n_draws)
        return decide(self.rule, hdi=hdi, rope=self.rope, probabilities=chances).name

    def with_truths(self, truths: Truths) -> "Trial":
        """Make the same experiments of other systems."""
        return replace(self, truths=truths)


def unit_of(outcomes: Outcomes) -> str:
    """Name what is counted: items, clusters of them, sentences."""
    return "clusters" if outcomes.clustered else outcomes.unit


def _share(value: float) -> float:
    number = isinstance(value, int | float | np.number) and not isinstance(value, bool)
    if not number or not 0 <= value <= 1:
        message = f"cells must hold shares between 0 and 1; got {value!r}."
        raise SettingError(message)
    return float(value)


def _between(value: float, *, name: str) -> None:
    number = isinstance(value, int | float | np.number) and not isinstance(value, bool)
    if not number or not 0 <= value <= 1:
        message = f"The {name} must lie between 0 and 1; got {value!r}."
        raise SettingError(message)


def _impossible(first: float, second: float, agreement: float) -> SettingError:
    least, most = abs(first + second - 1), 1 - abs(first - second)
    message = (
        f"Accuracies of {first:g} and {second:g} must have an agreement between "
        f"{least:g} and {most:g}; got {agreement:g}."
    )
    return SettingError(message)
