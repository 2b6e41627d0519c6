"""Cells of the Dirichlet model: which patterns can occur, and their prior."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from likelier._typing import FloatArray, IntArray
from likelier.data.encoding import distinct, tally
from likelier.data.outcomes import Outcomes
from likelier.errors import NotDefinedError, SettingError, unknown_name
from likelier.metrics import Metric
from likelier.streams import Streams

PriorName = Literal["uniform", "objective", "bootstrap"]

PRIORS: tuple[PriorName, ...] = ("uniform", "objective", "bootstrap")
MOST_CELLS = 4096
LARGEST_TABLE = 1_000_000
# With a weaker prior the Gammas of all cells of a class may underflow at once.
LEAST_STRENGTH = 0.01


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
        number = isinstance(self.strength, int | float | np.number)
        known = number and not isinstance(self.strength, bool)
        if not known or not LEAST_STRENGTH <= self.strength < np.inf:
            message = (
                f"strength must be a finite number of at least {LEAST_STRENGTH:g}; "
                f"got {self.strength!r}."
            )
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

    def parameters(self, outcomes: Outcomes) -> dict[str, Any]:
        """Return the prior's name and strength; the bootstrap has no strength."""
        name = self.chosen(outcomes)
        strength = {} if name == "bootstrap" else {"strength": float(self.strength)}
        return {"prior": name, **strength}


@dataclass(frozen=True)
class Cells:
    """The patterns that can occur, as the metric sees them, with their prior mass.

    Attributes
    ----------
    metric
        The metric that sees the cells, if any.
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

    metric: Metric | None
    view: Outcomes
    prior: PriorName
    mass: FloatArray
    gold_mass: float
    place: IntArray

    @classmethod
    def raw(cls, outcomes: Outcomes, prior: Prior) -> "Cells":
        """List the cells of outcomes, before any metric looks at them."""
        name = prior.chosen(outcomes)
        if name == "bootstrap":
            n = len(outcomes.counts)
            return cls(None, outcomes, name, np.zeros(n), 0.0, np.arange(n))
        table = outcomes.completed()
        n = len(table.counts)
        share = 1.0 if name == "uniform" else outcomes.n_labels / n
        mass = np.full(n, share * prior.strength)
        place = outcomes.cell_of_patterns()
        return cls(None, table, name, mass, prior.strength, place)

    @classmethod
    def of(cls, outcomes: Outcomes, metric: Metric, prior: Prior) -> "Cells":
        """List the cells as a metric sees them, equal ones together."""
        raw = cls.raw(outcomes, prior)
        view, group = metric.view(raw.view).without_labels().grouped()
        mass = tally(group, raw.mass, len(view.counts))
        place = group[raw.place]
        return replace(raw, metric=metric, view=view, mass=mass, place=place)

    def draw(self, streams: Streams, *, seen: bool, purpose: int) -> FloatArray:
        """Draw the metric (draw, system), with the items seen or from the prior."""
        counts = self.view.counts if seen else np.zeros(len(self.mass))

        def block(generator: np.random.Generator, n: int) -> FloatArray:
            return self._values(self.weights(generator, counts, n))

        return streams.run(block, width=len(counts), purpose=purpose)

    def many(
        self, generator: np.random.Generator, counts: FloatArray, draws: int
    ) -> FloatArray:
        """Draw the metric (table, draw, system) for many tables (table, cell)."""
        values = self._values(self.weights(generator, counts, draws))
        return values.reshape(len(counts), draws, -1)

    def tables(self, counts: FloatArray) -> FloatArray:
        """Count cells (table, cell) instead of the outcomes' patterns."""
        pattern = np.arange(len(self.place))
        ones, shape = np.ones(len(pattern)), (len(self.mass), len(pattern))
        member = sparse.csr_array((ones, (self.place, pattern)), shape=shape)
        return np.asarray(member @ counts.T).T

    def balanced(self, tables: FloatArray) -> NDArray[np.bool_]:
        """Tell in which tables (table, cell) exchanging the systems changes nothing."""
        rows = self.view.rows.toarray()
        columns = np.arange(rows.shape[1]).reshape(self.view.shape)
        swapped = rows[:, columns[::-1].ravel()]
        beside = np.column_stack([self.view.strata, self.view.sizes])
        both = np.vstack([np.hstack([beside, r]) for r in (rows, swapped)])
        _, _, group = distinct(both)
        mine, other = group[: len(rows)], group[len(rows) :]
        place = np.full(group.max() + 1, -1)
        place[mine] = np.arange(len(mine))
        partner = place[other]
        seen = np.where(partner >= 0, tables[:, partner], 0.0)
        return np.asarray((tables == seen).all(axis=1))

    def _values(self, weights: FloatArray) -> FloatArray:
        return self.seen_by.values(self.view, weights)

    @property
    def seen_by(self) -> Metric:
        """The metric that sees the cells."""
        if self.metric is None:
            message = "Cells must be seen by a metric to have values."
            raise NotDefinedError(message)
        return self.metric

    def weights(
        self, generator: np.random.Generator, counts: FloatArray, n: int
    ) -> FloatArray:
        """Draw n weights of the cells for counts (cell,), or for each of (table, cell).

        Returns
        -------
        array
            Weights (draw, cell); those of one table stand together.
        """
        drawn = _gammas(generator, counts + self.mass, n)
        # Cells whose mass sums to their gold class's own make one plain Dirichlet.
        if self.prior == "uniform":
            member = self.member
            shares = _gammas(generator, counts @ member + self.gold_mass, n)
            shares /= np.maximum(member.T @ drawn, np.finfo(float).tiny)
            for place, cells in enumerate(member.T > 0):
                drawn[:, cells] *= shares[:, place : place + 1]
        return drawn.swapaxes(1, 2).reshape(-1, len(self.mass))

    @cached_property
    def member(self) -> FloatArray:
        """Which cell belongs to which gold class (cell, gold class)."""
        present, index = np.unique(self.view.strata, return_inverse=True)
        return np.eye(len(present))[index]


def _gammas(generator: np.random.Generator, shapes: FloatArray, n: int) -> FloatArray:
    """Draw Gammas (table, cell, draw); one cell after the other is twice as fast."""
    tables = np.atleast_2d(shapes)
    drawn = np.empty((*tables.shape, n))
    for row, out in zip(tables.tolist(), drawn, strict=True):
        for shape, cell in zip(row, out, strict=True):
            generator.standard_gamma(shape, out=cell)
    return drawn
