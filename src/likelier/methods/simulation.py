"""Simulated experiments with two assumed systems, and their verdicts."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

import numpy as np

from likelier._typing import FloatArray
from likelier.checks.sample_checks import SampleChecks
from likelier.data.constructors import from_patterns
from likelier.data.outcomes import Outcomes
from likelier.decision import EQUIVALENT, ThreeProbabilities, decide
from likelier.distribution import shortest
from likelier.errors import SettingError
from likelier.interval import Interval, Rope
from likelier.methods.items.dirichlet import listed_cells
from likelier.methods.items.dirichlet_cells import DirichletCells, Prior
from likelier.methods.items.swap_prior import differing
from likelier.methods.protocols import SimulatedMethod
from likelier.metrics.metric import Metric
from likelier.streams import Streams

Items = Literal["same", "other"]

DRAWS = 1000
# Wide tables get fewer draws each: no more numbers than this per experiment.
_MOST_NUMBERS = 200_000
_LEAST_DRAWS, _MOST_DRAWS = 500, 20_000
_BEYOND = 2
# A draw is sorted into places where items are ranked, and takes so many times as long.
_RANKED_WORK = 8
# All sizes share their streams, so that chances rise smoothly with the items.
_PURPOSE = 1000
_SUM = 1e-6
_CLASSES = ("no", "yes")


@dataclass(frozen=True, eq=False)
class Assumed:
    """Shares of the patterns of two systems, certain or estimated from a pilot.

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
    piloted
        Whether the patterns are those of a pilot.

    Examples
    --------
    >>> Assumed.accuracies(0.85, 0.87, agreement=0.9)
    <Assumed: accuracies 0.85 and 0.87, agreement 0.9>
    """

    outcomes: Outcomes
    certain: bool
    source: str
    piloted: bool = False

    def __repr__(self) -> str:
        return f"<Assumed: {self.source}>"

    @classmethod
    def cells(
        cls,
        cells: Mapping[tuple[str, str, str], float],
        *,
        systems: Sequence[str] = ("first", "second"),
    ) -> "Assumed":
        """Assume the share of every (gold, first, second) that can occur.

        Parameters
        ----------
        cells
            Shares that add up to 1, by gold label and the systems' predictions.
        systems
            Names of the systems, the baseline first.

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
        for value in cells.values():
            if not _is_share(value):
                message = f"cells must hold shares between 0 and 1; got {value!r}."
                raise SettingError(message)
        shares = np.array([float(value) for value in cells.values()])
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
        """Assume two accuracies, and how often both systems are right or both wrong.

        Items are spread evenly over two gold classes.

        Parameters
        ----------
        first, second
            The accuracies.
        agreement
            The share of the items on which both are right or both are wrong.
        systems
            Names of the systems, the baseline first.
        """
        for name, value in (
            ("accuracy of the first system", first),
            ("accuracy of the second system", second),
            ("agreement", agreement),
        ):
            if not _is_share(value):
                message = f"The {name} must lie between 0 and 1; got {value!r}."
                raise SettingError(message)
        # Both right, only the first, only the second, neither.
        only_first = (1 - agreement + first - second) / 2
        only_second = (1 - agreement - first + second) / 2
        both = first - only_first
        shares = np.array([both, only_first, only_second, agreement - both])
        if (shares < -1e-12).any():
            least, most = abs(first + second - 1), 1 - abs(first - second)
            message = (
                f"Accuracies of {first:g} and {second:g} must have an agreement "
                f"between {least:g} and {most:g}; got {agreement:g}."
            )
            raise SettingError(message)
        half = np.maximum(shares, 0.0) / 2
        cells = {}
        for gold, other in (_CLASSES, _CLASSES[::-1]):
            pairs = (gold, gold), (gold, other), (other, gold), (other, other)
            for pair, share in zip(pairs, half.tolist(), strict=True):
                cells[gold, *pair] = share
        table = cls.cells(cells, systems=systems).outcomes
        source = f"accuracies {first:g} and {second:g}, agreement {agreement:g}"
        return cls(table, certain=True, source=source)

    @classmethod
    def pilot(cls, outcomes: Outcomes, *, certain: bool = False) -> "Assumed":
        """Assume that the systems do as in a first test.

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
        use = "taken as the truth" if certain else "as evidence"
        source = f"pilot of {outcomes.n_units:,} {unit_of(outcomes)} {use}"
        return cls(outcomes, certain=certain, source=source, piloted=True)

    def as_truth(self) -> "Assumed":
        """Return the same with the shares taken for the truth, also of a pilot."""
        return self if self.certain else Assumed.pilot(self.outcomes, certain=True)

    def truths(self, outcomes: Outcomes, metric: Metric, prior: Prior) -> "Truths":
        """Return the truths to draw from, for outcomes as a metric sees them."""
        if self.certain:
            return Truths(outcomes, None)
        cells = listed_cells(outcomes, metric, prior)
        return Truths(cells.view, cells)


@dataclass(frozen=True, eq=False)
class Truths:
    """Shares of the patterns that a simulated experiment may have."""

    outcomes: Outcomes
    cells: DirichletCells | None

    def shares(self, generator: np.random.Generator, experiments: int) -> FloatArray:
        """Draw the true shares of each experiment (experiment, pattern)."""
        counts = self.outcomes.counts
        if self.cells is None:
            return np.tile(counts / counts.sum(), (experiments, 1))
        weights = self.cells.weights(generator, counts, experiments)
        return np.asarray(weights / weights.sum(axis=1, keepdims=True))


@dataclass(frozen=True, eq=False)
class Trial:
    """Recipe of an experiment: systems, metric, method and the rule of its verdict.

    Attributes
    ----------
    truths
        What the systems are assumed to do.
    metric
        The metric.
    method
        Method of the posterior.
    rope, mass, rule
        Settings of the verdict.
    items
        Whether both systems see the same items, or each items of its own.
    draws
        Number of draws of each posterior; None for the usual one.
    """

    truths: Truths
    metric: Metric
    method: SimulatedMethod
    rope: Rope | None
    mass: float
    rule: str
    items: Items
    draws: int | None = None

    @property
    def n_draws(self) -> int:
        """Number of draws of each posterior, fewer where a table is wide."""
        if self.draws is not None:
            return self.draws
        width = len(self.truths.outcomes.counts)
        usual = int(np.clip(_MOST_NUMBERS // max(width, 1), _LEAST_DRAWS, DRAWS))
        # Ends of a wide interval must lie among the draws, not beyond them.
        return max(usual, min(int(_BEYOND / (1 - self.mass)), _MOST_DRAWS))

    @property
    def work(self) -> int:
        """Random numbers of an experiment; of a ranked metric they count for more."""
        times = _RANKED_WORK if self.metric.data == "ranks" else 1
        return times * self.n_draws * max(len(self.truths.outcomes.counts), 1)

    def chances(self, n: int, streams: Streams) -> dict[str, float]:
        """Compute the share of experiments with n items that end in each verdict."""
        width = self.n_draws * len(self.truths.outcomes.counts)

        def block(generator: np.random.Generator, experiments: int) -> FloatArray:
            return self._experiments(generator, experiments, n)

        rows = streams.run(block, width=width, purpose=_PURPOSE)
        names = Counter(self._verdict(*row) for row in rows.tolist())
        return {name: count / len(rows) for name, count in names.items()}

    def _experiments(
        self, generator: np.random.Generator, experiments: int, n: int
    ) -> FloatArray:
        """Simulate ends of the HDI, shares beside the rope, and what is blocked."""
        differences, counts = self._differences(generator, experiments, n)
        blocks = np.zeros((experiments, 2))
        if self.items == "same":
            blocks = np.column_stack(self._checks.blocked(counts, differences))
        differences.sort(axis=1)
        low, high = shortest(differences, self.mass)
        edges = (0.0, 0.0) if self.rope is None else (self.rope.low, self.rope.high)
        worse = (differences < edges[0]).mean(axis=1)
        better = (differences > edges[1]).mean(axis=1)
        return np.column_stack([low, high, worse, better, blocks])

    @cached_property
    def _checks(self) -> SampleChecks:
        table, metric = self.truths.outcomes, self.metric
        prior = Prior(self.method.prior, self.method.strength)
        alone = table if self.method.name == "paired" else table.only(0)
        unseen = prior.resolve(alone) == "bootstrap" and self.method.name == "paired"
        differs = differing(metric.view(table), metric) if unseen else None
        return SampleChecks(table, metric, prior.mass(alone), differs)

    def _differences(
        self, generator: np.random.Generator, experiments: int, n: int
    ) -> tuple[FloatArray, FloatArray]:
        """Simulate draws of the difference, and the first system's sample."""
        table, draws = self.truths.outcomes, self.n_draws
        shares = self.truths.shares(generator, experiments)

        def values() -> tuple[FloatArray, FloatArray]:
            counts = generator.multinomial(n, shares).astype(np.float64)
            drawn = self.method.draw_tables(
                table, self.metric, counts, generator, draws=draws
            )
            return drawn, counts

        both, counts = values()
        if self.items == "other":
            both = np.stack([both[..., 0], values()[0][..., 1]], axis=-1)
        return self.metric.differences(both), counts

    def _verdict(
        self,
        low: float,
        high: float,
        worse: float,
        better: float,
        no_equivalence: float,
        no_other: float,
    ) -> str:
        """Return the verdict of an experiment; one that is blocked is undecided."""
        hdi = Interval(low, high, mass=self.mass, kind="hdi")
        inside = max(1 - worse - better, 0.0)
        if self.rope is None:
            worse, better, inside = worse + inside / 2, better + inside / 2, 0.0
        chances = ThreeProbabilities(worse, inside, better, self.n_draws)
        name = decide(self.rule, hdi=hdi, rope=self.rope, probabilities=chances).name
        blocked = no_equivalence if name in EQUIVALENT else no_other
        return "undecided" if blocked else name

    def with_truths(self, truths: Truths) -> "Trial":
        """Return the same experiment with other systems."""
        return replace(self, truths=truths)


def unit_of(outcomes: Outcomes) -> str:
    """Name what is counted: items, clusters of them, sentences."""
    return "clusters" if outcomes.clustered else outcomes.unit


def _is_share(value: object) -> bool:
    number = isinstance(value, int | float | np.number) and not isinstance(value, bool)
    return number and bool(0 <= value <= 1)  # type: ignore[operator]
