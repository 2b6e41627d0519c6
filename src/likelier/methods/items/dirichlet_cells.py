"""Cells of the Dirichlet model: which patterns can occur, and their prior."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from likelier._typing import FloatArray, IntArray
from likelier.data.outcomes import Outcomes
from likelier.data.pattern_rows import distinct, tally
from likelier.data.ranked_outcomes import RankedOutcomes
from likelier.errors import NotDefinedError, SettingError, unknown_name
from likelier.methods.items.ranked_weights import ranked_weights
from likelier.methods.items.weighted_sums import drawn_together
from likelier.metrics.metric import Metric
from likelier.streams import Streams

PriorName = Literal["swap", "extremes", "uniform", "objective", "bootstrap"]

PRIORS: tuple[PriorName, ...] = (
    "swap",
    "extremes",
    "uniform",
    "objective",
    "bootstrap",
)
# Priors that say what is probable before any item was seen.
PROPER = ("uniform", "objective")
LARGEST_TABLE = 1_000_000
# Imaginary units of the priors swap and extremes, at strength 1.
MASS = 2.0
# With so many cells their weights are not drawn one by one where that can be helped.
MANY_PATTERNS = 150
# With a weaker prior the Gammas of all cells of a class may underflow at once.
LEAST_STRENGTH, MOST_STRENGTH = 0.01, 1e6


@dataclass(frozen=True)
class Prior:
    """Weight of each cell before any item was seen.

    Attributes
    ----------
    name
        swap (the default for systems on the same items), extremes (the default for
        one system alone), uniform, objective or bootstrap.
    strength
        Number of times that the prior weighs as much as usual.
    """

    name: PriorName | None = None
    strength: float = 1.0

    def __post_init__(self) -> None:
        if self.name is not None and self.name not in PRIORS:
            raise unknown_name(self.name, PRIORS, kind="prior")
        number = isinstance(self.strength, int | float | np.number)
        valid = number and not isinstance(self.strength, bool)
        if not valid or not LEAST_STRENGTH <= self.strength <= MOST_STRENGTH:
            message = (
                f"strength must be a number from {LEAST_STRENGTH:g} to "
                f"{MOST_STRENGTH:,.0f}; got {self.strength!r}."
            )
            raise SettingError(message)

    def resolve(self, outcomes: Outcomes) -> PriorName:
        """Return the name of the prior for these outcomes, also where none is set."""
        several = len(outcomes.systems) > 1
        if self.name is None:
            return "swap" if several else "extremes"
        if self.name == "swap" and not several:
            message = (
                "prior swap must have two systems or more on the same items; got one "
                "system alone."
            )
            raise NotDefinedError(message, hint="Leave the prior out.")
        if self.name == "extremes" and several:
            message = (
                "prior extremes must have a system alone, as in estimate() or with the "
                "method unpaired; got several together."
            )
            raise NotDefinedError(message, hint="Leave the prior out.")
        if self.name not in PROPER:
            return self.name
        cells = outcomes.n_cells
        if cells is None:
            message = (
                f"prior {self.name} must have items with one label each, of one task; "
                "clusters, sets of labels, scores and means over tasks have none."
            )
            raise NotDefinedError(message, hint="Leave the prior out.")
        if cells > LARGEST_TABLE:
            message = (
                f"prior {self.name} would need {cells:,} cells, more than "
                f"{LARGEST_TABLE:,}."
            )
            raise NotDefinedError(message, hint="Leave the prior out.")
        return self.name

    def mass(self, outcomes: Outcomes) -> float:
        """Return the weight of the prior in items."""
        classes = outcomes.n_labels
        usual = {
            "swap": MASS,
            "extremes": MASS,
            "uniform": float(outcomes.n_cells or 0),
            "objective": float(classes),
            "bootstrap": 0.0,
        }
        return usual[self.resolve(outcomes)] * self.strength

    def parameters(self, outcomes: Outcomes) -> dict[str, Any]:
        """Return the prior's name and strength; the bootstrap has no strength."""
        name = self.resolve(outcomes)
        strength = {} if name == "bootstrap" else {"strength": float(self.strength)}
        return {"prior": name, **strength}


@dataclass(frozen=True)
class DirichletCells:
    """Patterns that can occur, with their prior mass.

    Attributes
    ----------
    view
        Table of the cells; those that a metric cannot tell apart are one.
    prior
        Name of the prior.
    mass
        Prior mass of each cell.
    gold_mass
        Prior mass of each gold class, where its share is drawn separately.
    cell_of_pattern
        Cell of each pattern of the outcomes.
    """

    view: Outcomes
    prior: PriorName
    mass: FloatArray
    gold_mass: float
    cell_of_pattern: IntArray

    @classmethod
    def of(cls, outcomes: Outcomes, prior: Prior) -> "DirichletCells":
        """List the cells of outcomes, before any metric looks at them."""
        name = prior.resolve(outcomes)
        if name == "bootstrap":
            n = len(outcomes.counts)
            return cls(outcomes, name, np.zeros(n), 0.0, np.arange(n))
        table = outcomes.completed()
        n = len(table.counts)
        share = 1.0 if name == "uniform" else outcomes.n_labels / n
        mass = np.full(n, share * prior.strength)
        return cls(table, name, mass, prior.strength, outcomes.cell_of_patterns())

    def merged_for(self, metric: Metric) -> "DirichletCells":
        """Join the cells that are equal for a metric."""
        view, group = metric.view(self.view).without_labels().grouped()
        mass = tally(group, self.mass, len(view.counts))
        cell_of_pattern = group[self.cell_of_pattern]
        return replace(self, view=view, mass=mass, cell_of_pattern=cell_of_pattern)

    def draw(
        self, metric: Metric, streams: Streams, *, purpose: int, prior: bool = False
    ) -> FloatArray:
        """Draw the metric (draw, system) from the posterior, or from the prior."""
        counts = self.counts(prior=prior)
        if not prior and self.prior != "uniform" and len(counts) >= MANY_PATTERNS:
            units = replace(self.view, counts=self.shapes(counts))
            drawn = drawn_together(units, metric, streams, purpose=purpose)
            if drawn is not None:
                return drawn
        return self.draw_all(metric, streams, counts, purpose=purpose)

    def draw_all(
        self, metric: Metric, streams: Streams, counts: FloatArray, *, purpose: int
    ) -> FloatArray:
        """Draw the metric (draw, system) with a weight for each cell."""
        shapes = self.shapes(counts)

        def block(generator: np.random.Generator, n: int) -> FloatArray:
            weights = self.weights(generator, counts, n, shapes=shapes)
            return metric.values(self.view, weights)

        return streams.run(block, width=len(counts), purpose=purpose)

    def draw_tables(
        self,
        metric: Metric,
        generator: np.random.Generator,
        tables: FloatArray,
        draws: int,
    ) -> FloatArray:
        """Draw the metric (table, draw, system) for many tables (table, cell)."""
        values = metric.values(self.view, self.weights(generator, tables, draws))
        return values.reshape(len(tables), draws, -1)

    def counts(self, *, prior: bool) -> FloatArray:
        """Return the items of each cell, of which a prior has none."""
        return np.zeros(len(self.mass)) if prior else self.view.counts

    def shapes(self, counts: FloatArray) -> FloatArray:
        """Return the Dirichlet parameters for counts (cell,) or (table, cell)."""
        return counts + self.mass

    def tables(self, counts: FloatArray) -> FloatArray:
        """Count cells (table, cell) instead of the outcomes' patterns."""
        pattern = np.arange(len(self.cell_of_pattern))
        ones, shape = np.ones(len(pattern)), (len(self.mass), len(pattern))
        member = sparse.csr_array((ones, (self.cell_of_pattern, pattern)), shape=shape)
        return np.asarray(member @ counts.T).T

    def exchangeable(self, tables: FloatArray) -> NDArray[np.bool_]:
        """Find the tables (table, cell) that stay the same if systems are swapped."""
        rows = self.view.rows.toarray()
        columns = np.arange(rows.shape[1]).reshape(self.view.shape)
        swapped = rows[:, columns[::-1].ravel()]
        beside = np.column_stack([self.view.strata, self.view.sizes])
        both = np.vstack([np.hstack([beside, r]) for r in (rows, swapped)])
        _, _, group = distinct(both)
        own, other = group[: len(rows)], group[len(rows) :]
        cell_of_group = np.full(group.max() + 1, -1)
        cell_of_group[own] = np.arange(len(own))
        partner = cell_of_group[other]
        mirrored = np.where(partner >= 0, tables[:, partner], 0.0)
        return np.asarray((tables == mirrored).all(axis=1))

    def weights(
        self,
        generator: np.random.Generator,
        counts: FloatArray,
        n: int,
        *,
        shapes: FloatArray | None = None,
    ) -> FloatArray:
        """Draw n weights of the cells for counts (cell,), or for each of (table, cell).

        Their shapes need not be computed for every block of draws.

        Returns
        -------
        array
            Weights (draw, cell); those of one table follow each other.
        """
        shapes = self.shapes(counts) if shapes is None else shapes
        if isinstance(self.view, RankedOutcomes) and shapes.ndim == 1:
            return ranked_weights(generator, shapes, n).T
        drawn = gammas(generator, shapes, n)
        # Cells whose mass sums to their gold class's own make one plain Dirichlet.
        if self.prior == "uniform":
            member = self.member
            shares = gammas(generator, counts @ member + self.gold_mass, n)
            shares /= np.maximum(member.T @ drawn, np.finfo(float).tiny)
            for gold, cells in enumerate(member.T > 0):
                drawn[:, cells] *= shares[:, gold : gold + 1]
        return drawn.swapaxes(1, 2).reshape(-1, len(self.mass))

    @cached_property
    def member(self) -> FloatArray:
        """Membership of cells in gold classes, 0 or 1 (cell, gold class)."""
        present, index = np.unique(self.view.strata, return_inverse=True)
        return np.eye(len(present))[index]


def gammas(generator: np.random.Generator, shapes: FloatArray, n: int) -> FloatArray:
    """Draw Gammas (table, cell, draw); one cell after the other is twice as fast."""
    tables = np.atleast_2d(shapes)
    drawn = np.empty((*tables.shape, n))
    for row, out in zip(tables.tolist(), drawn, strict=True):
        for shape, cell in zip(row, out, strict=True):
            generator.standard_gamma(shape, out=cell)
    return drawn
