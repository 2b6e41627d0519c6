"""One simulated experiment after the other: which verdicts come out."""

from collections import Counter
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from likelier.decision import Probabilities, Rope, decide
from likelier.interval import Interval
from likelier.methods import ManyMethod
from likelier.metrics import Metric
from likelier.planning.assumed import Truths
from likelier.streams import Streams
from likelier.windows import shortest

FloatArray = NDArray[np.float64]
Items = Literal["same", "other"]

DRAWS = 1000
# Wide tables get fewer draws each: no more numbers than this per experiment.
_MOST_NUMBERS = 200_000
_LEAST_DRAWS = 500
# All sizes share their streams, so that chances rise smoothly with the items.
_PURPOSE = 1000


@dataclass(frozen=True, eq=False)
class Trial:
    """How an experiment is made and judged.

    Attributes
    ----------
    truths
        What the systems are assumed to do.
    metric
        The metric.
    way
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
    way: ManyMethod
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
        values = self.way.many(table, self.metric, counts, generator, draws=draws)
        if self.items == "other":
            counts = generator.multinomial(n, shares).astype(np.float64)
            more = self.way.many(table, self.metric, counts, generator, draws=draws)
            values = np.stack([values[..., 0], more[..., 1]], axis=-1)
        return self.metric.differences(values)

    def _verdict(self, low: float, high: float, worse: float, better: float) -> str:
        hdi = Interval(low, high, mass=self.mass, kind="hdi")
        inside = max(1 - worse - better, 0.0)
        if self.rope is None:
            worse, better, inside = worse + inside / 2, better + inside / 2, 0.0
        chances = Probabilities(worse, inside, better, self.n_draws)
        return decide(self.rule, hdi=hdi, rope=self.rope, probabilities=chances).name

    def with_truths(self, truths: Truths) -> "Trial":
        """Make the same experiments of other systems."""
        return replace(self, truths=truths)
