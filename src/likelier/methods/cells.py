"""The cells of the Dirichlet model: which patterns can occur, and their prior."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from likelier.errors import NotDefinedError, SettingError, unknown_name
from likelier.metrics import Metric
from likelier.outcomes import Outcomes
from likelier.outcomes.patterns import tally
from likelier.streams import Streams

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]
PriorName = Literal["uniform", "objective", "bootstrap"]

PRIORS: tuple[PriorName, ...] = ("uniform", "objective", "bootstrap")
MOST_CELLS = 4096
LARGEST_TABLE = 1_000_000


@dataclass(frozen=True)
class Prior:
    """How much each cell weighs before any item was seen.

    Attributes
    ----------
    name
        uniform, objective or bootstrap; by default as the outcomes ask for.
    strength
        How many times as much as usual the prior weighs.
    """

    name: PriorName | None = None
    strength: float = 1.0

    def __post_init__(self) -> None:
        if self.name is not None and self.name not in PRIORS:
            raise unknown_name(self.name, PRIORS, kind="prior")
        if not 0 < self.strength < np.inf:
            message = f"strength must be a finite number above 0; got {self.strength}."
            raise SettingError(message)

    def chosen(self, outcomes: Outcomes) -> PriorName:
        """Return the prior that a name, or its absence, means for these outcomes."""
        cells = outcomes.n_cells
        if cells is None:
            return self._without_labels()
        if self.name is None:
            if cells > MOST_CELLS:
                return "bootstrap"
            return "uniform" if outcomes.n_labels == 2 else "objective"
        if self.name != "bootstrap" and cells > LARGEST_TABLE:
            message = (
                f"prior {self.name} would need {cells:,} cells, more than "
                f"{LARGEST_TABLE:,}."
            )
            raise NotDefinedError(message, hint="The prior bootstrap needs none.")
        return self.name

    def _without_labels(self) -> PriorName:
        if self.name not in (None, "bootstrap"):
            message = (
                "prior must be bootstrap for clusters, sets of labels and scores; "
                f"got {self.name}."
            )
            raise NotDefinedError(message, hint="Leave the prior out.")
        return "bootstrap"

    def crowded(self, outcomes: Outcomes) -> int | None:
        """Give the number of cells where it was too large for the usual prior."""
        cells = outcomes.n_cells
        crowd = self.name is None and cells is not None and cells > MOST_CELLS
        return cells if crowd else None

    def described(self, outcomes: Outcomes) -> str:
        """Name the prior for the recipe."""
        name = self.chosen(outcomes)
        if self.strength == 1 or name == "bootstrap":
            return name
        return f"{name} strength {self.strength:g}"


@dataclass(frozen=True)
class Cells:
    """The patterns that can occur, as the metric sees them, with their prior mass.

    Attributes
    ----------
    metric
        The metric.
    view
        The cells as the metric sees them.
    prior
        The name of the prior.
    mass
        The prior mass of each cell.
    gold_mass
        The prior mass of each gold class, where its share is drawn apart.
    place
        The cell of each pattern of the outcomes.
    """

    metric: Metric
    view: Outcomes
    prior: PriorName
    mass: FloatArray
    gold_mass: float
    place: IntArray

    @classmethod
    def of(cls, outcomes: Outcomes, metric: Metric, prior: Prior) -> "Cells":
        """List the cells of outcomes of one system or two."""
        name = prior.chosen(outcomes)
        table, spot = outcomes, np.arange(len(outcomes.counts))
        each = 0.0
        if name != "bootstrap":
            table, spot = outcomes.completed(), outcomes.cell_of_patterns()
            share = 1.0 if name == "uniform" else outcomes.n_labels / len(table.counts)
            each = share * prior.strength
        view, group = metric.view(table).without_labels().grouped()
        mass = tally(group, np.full(len(group), each), len(view.counts))
        return cls(metric, view, name, mass, prior.strength, group[spot])

    def draw(self, streams: Streams, *, seen: bool, purpose: int) -> FloatArray:
        """Draw the metric (draw, system), with the items seen or from the prior."""
        counts = self.view.counts if seen else np.zeros(len(self.mass))

        def block(generator: np.random.Generator, n: int) -> FloatArray:
            return self.metric.values(self.view, self.weights(generator, counts, n))

        return streams.run(block, width=len(counts), purpose=purpose)

    def many(
        self, generator: np.random.Generator, counts: FloatArray, draws: int
    ) -> FloatArray:
        """Draw the metric (table, draw, system) for many tables (table, pattern).

        Patterns are those of the outcomes that the cells were made of.
        """
        pattern = np.arange(len(self.place))
        ones, shape = np.ones(len(pattern)), (len(self.mass), len(pattern))
        member = sparse.csr_array((ones, (self.place, pattern)), shape=shape)
        spread = np.repeat(np.asarray(member @ counts.T).T, draws, axis=0)
        weights = self.weights(generator, spread, len(spread))
        values = self.metric.values(self.view, weights)
        return values.reshape(len(counts), draws, -1)

    def weights(
        self, generator: np.random.Generator, counts: FloatArray, n: int
    ) -> FloatArray:
        """Draw n weights of the cells, given counts (cell,) or (n, cell)."""
        shapes = counts + self.mass
        drawn = generator.standard_gamma(shapes, size=(n, len(self.mass)))
        # Cells whose mass sums to their gold class's own make one plain Dirichlet.
        if self.prior != "uniform":
            return drawn
        member = self.member
        gold = counts @ member + self.gold_mass
        shares = generator.standard_gamma(gold, size=(n, member.shape[1]))
        return drawn * ((shares / (drawn @ member)) @ member.T)

    @property
    def member(self) -> FloatArray:
        """Which cell belongs to which gold class (cell, gold class)."""
        present, index = np.unique(self.view.strata, return_inverse=True)
        return np.eye(len(present))[index]
