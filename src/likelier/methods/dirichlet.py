"""Dirichlet weights over patterns: the conjugate posterior, without MCMC.

Per item there is a gold class and what each system said. The gold class has a
Dirichlet distribution, and so has what the systems say given the gold class
(Zhang et al. 2016, doi:10.1145/2911451.2911547). Both are conjugate: independent
Gamma draws are exact draws of the posterior.
"""

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from likelier.distribution import Distribution, Draws, Posterior
from likelier.errors import NotDefinedError, unknown_name
from likelier.methods.drawn import drawn_posterior
from likelier.metrics import Metric
from likelier.outcomes import Outcomes
from likelier.streams import Streams

FloatArray = NDArray[np.float64]
PriorName = Literal["uniform", "objective", "bootstrap"]

PRIORS: tuple[PriorName, ...] = ("uniform", "objective", "bootstrap")
MOST_CELLS = 4096
LARGEST_TABLE = 1_000_000


@dataclass(frozen=True)
class Paired:
    """Both systems on the same items: the cells are pairs of what they said.

    Use this when two systems predicted the same items, which is nearly always.

    Parameters
    ----------
    prior
        ``uniform`` puts 1 on every cell and every gold class (the paper's; the default
        for two classes). ``objective`` spreads 1 over the cells of each gold class
        (the default for more). ``bootstrap`` puts 0 on all, so that only observed
        patterns can occur (the default above 4,096 cells, and without labels).

    Examples
    --------
    >>> from likelier import metrics, outcomes
    >>> table = outcomes.from_labels("aabb" * 9, "abbb" * 9, "aabb" * 9)
    >>> method = Paired()
    >>> method.described(table)
    'paired dirichlet uniform'
    >>> method.posterior(table, metrics.accuracy, Streams.of(0)).difference.mean() > 0.1
    True
    """

    name: ClassVar[str] = "paired"
    prior: PriorName | None = None

    def posterior(
        self, outcomes: Outcomes, metric: Metric, streams: Streams
    ) -> Posterior:
        """Draw the metric of both systems from their joint posterior."""
        cells = _Cells.of(outcomes, metric, self.prior)
        values = cells.draw(streams, seen=True, purpose=0)
        return drawn_posterior(values, metric, mirror=cells.view.symmetric)

    def unseen(
        self, outcomes: Outcomes, metric: Metric, streams: Streams
    ) -> Posterior | None:
        """Draw the metric of both systems before any item was seen."""
        cells = _Cells.of(outcomes, metric, self.prior)
        if cells.prior == "bootstrap":
            return None
        values = cells.draw(streams, seen=False, purpose=1)
        return drawn_posterior(values, metric, mirror=True)

    def credible(
        self, outcomes: Outcomes, metric: Metric, streams: Streams
    ) -> Distribution:
        """Draw the metric of one system, or the difference of two."""
        if len(outcomes.systems) > 1:
            return self.posterior(outcomes, metric, streams).difference
        cells = _Cells.of(outcomes, metric, self.prior)
        return Draws(cells.draw(streams, seen=True, purpose=0)[:, 0])

    def crowded(self, outcomes: Outcomes) -> int | None:
        """Give the number of cells where it was too large for the usual prior."""
        return _crowded(outcomes, self.prior)

    def described(self, outcomes: Outcomes) -> str:
        """Name the model and the prior."""
        return f"paired dirichlet {chosen_prior(outcomes, self.prior)}"


@dataclass(frozen=True)
class Unpaired:
    """Each system for itself, as if it had been tested on other items.

    Use this only when the systems really saw different items of one kind; on the same
    items it throws power away.

    Parameters
    ----------
    prior
        As in `Paired`.
    """

    name: ClassVar[str] = "unpaired"
    prior: PriorName | None = None

    def posterior(
        self, outcomes: Outcomes, metric: Metric, streams: Streams
    ) -> Posterior:
        """Draw the metric of each system from its own posterior."""
        cells = self._cells(outcomes, metric)
        values = [c.draw(streams, seen=True, purpose=i) for i, c in enumerate(cells)]
        alike = cells[0].view.same_counts(cells[1].view)
        return drawn_posterior(np.hstack(values), metric, mirror=alike)

    def unseen(
        self, outcomes: Outcomes, metric: Metric, streams: Streams
    ) -> Posterior | None:
        """Draw the metric of each system before any item was seen."""
        cells = self._cells(outcomes, metric)
        if any(one.prior == "bootstrap" for one in cells):
            return None
        values = [
            c.draw(streams, seen=False, purpose=len(cells) + i)
            for i, c in enumerate(cells)
        ]
        return drawn_posterior(np.hstack(values), metric, mirror=True)

    def _cells(self, outcomes: Outcomes, metric: Metric) -> list["_Cells"]:
        singles = (outcomes.keep(i) for i in range(len(outcomes.systems)))
        return [_Cells.of(single, metric, self.prior) for single in singles]

    def crowded(self, outcomes: Outcomes) -> int | None:
        """Give the number of cells where it was too large for the usual prior."""
        return _crowded(outcomes.keep(0), self.prior)

    def described(self, outcomes: Outcomes) -> str:
        """Name the model and the prior."""
        return f"unpaired dirichlet {chosen_prior(outcomes.keep(0), self.prior)}"


def chosen_prior(outcomes: Outcomes, name: PriorName | None) -> PriorName:
    """Return the prior that a name, or its absence, means for these outcomes."""
    if name is not None and name not in PRIORS:
        raise unknown_name(name, PRIORS, kind="prior")
    if outcomes.n_cells is None:
        if name not in (None, "bootstrap"):
            message = (
                "prior must be bootstrap for clusters, sets of labels and scores; "
                f"got {name}."
            )
            raise NotDefinedError(message, hint="Leave the prior out.")
        return "bootstrap"
    if name is not None:
        if name != "bootstrap" and outcomes.n_cells > LARGEST_TABLE:
            message = (
                f"prior {name} would need {outcomes.n_cells:,} cells, more than "
                f"{LARGEST_TABLE:,}."
            )
            raise NotDefinedError(message, hint="The prior bootstrap needs none.")
        return name
    if outcomes.n_cells > MOST_CELLS:
        return "bootstrap"
    return "uniform" if outcomes.n_labels == 2 else "objective"


def _crowded(outcomes: Outcomes, name: PriorName | None) -> int | None:
    cells = outcomes.n_cells
    return cells if name is None and cells is not None and cells > MOST_CELLS else None


@dataclass(frozen=True)
class _Cells:
    """The patterns that can occur, as the metric sees them, with their prior mass."""

    metric: Metric
    view: Outcomes
    prior: PriorName
    mass: FloatArray

    @classmethod
    def of(cls, outcomes: Outcomes, metric: Metric, name: PriorName | None) -> "_Cells":
        prior = chosen_prior(outcomes, name)
        table = outcomes if prior == "bootstrap" else outcomes.completed()
        share = 1.0 if prior == "uniform" else outcomes.n_labels / len(table.counts)
        each = 0.0 if prior == "bootstrap" else share
        view = metric.view(table).without_labels()
        view, mass = view.merged_with(np.full(len(table.counts), each))
        return cls(metric, view, prior, mass)

    def draw(self, streams: Streams, *, seen: bool, purpose: int) -> FloatArray:
        """Draw the metric (draw, system), with the items seen or from the prior."""
        counts = self.view.counts if seen else np.zeros(len(self.mass))
        shapes = counts + self.mass
        # Cells whose mass sums to their gold class's own make one plain Dirichlet.
        nested = _GoldClasses.of(self.view, counts) if self.prior == "uniform" else None

        def block(generator: np.random.Generator, n: int) -> FloatArray:
            weights = generator.standard_gamma(shapes, size=(n, len(shapes)))
            if nested is not None:
                weights = nested.reweighted(weights, generator)
            return self.metric.values(self.view, weights)

        return streams.run(block, width=len(shapes), purpose=purpose)


@dataclass(frozen=True)
class _GoldClasses:
    """Shares of the gold classes, drawn apart from what is said given them."""

    member: FloatArray
    shapes: FloatArray

    @classmethod
    def of(cls, view: Outcomes, counts: FloatArray) -> "_GoldClasses":
        present, index = np.unique(view.strata, return_inverse=True)
        member = np.eye(len(present))[index]
        return cls(member, counts @ member + 1.0)

    def reweighted(
        self, weights: FloatArray, generator: np.random.Generator
    ) -> FloatArray:
        shares = generator.standard_gamma(
            self.shapes, size=(len(weights), len(self.shapes))
        )
        return weights * ((shares / (weights @ self.member)) @ self.member.T)
