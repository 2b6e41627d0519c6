"""Dirichlet weights over patterns: the conjugate posterior, without MCMC.

Per item there is a gold class and what each system said. The gold class has a
Dirichlet distribution, and so has what the systems say given the gold class
(Zhang et al. 2016, doi:10.1145/2911451.2911547). Both are conjugate: independent
Gamma draws are exact draws of the posterior.
"""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from likelier._typing import FloatArray
from likelier.bayes_factor import LogDensity
from likelier.data.outcomes import Outcomes
from likelier.distribution import (
    Distribution,
    Draws,
    Posterior,
    drawn_posterior,
    mirrored,
)
from likelier.methods.items.cells import Cells, Prior, PriorName
from likelier.methods.items.point_null import at_zero
from likelier.metrics import Metric
from likelier.streams import Streams


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
    strength
        How many times as much as usual the prior weighs.

    Examples
    --------
    >>> from likelier import metrics, Outcomes
    >>> table = Outcomes.from_labels("aabb" * 9, "abbb" * 9, "aabb" * 9)
    >>> method = Paired()
    >>> method.parameters(table)
    {'prior': 'uniform', 'strength': 1.0}
    >>> method.posterior(table, metrics.accuracy, Streams.of(0)).difference.mean() > 0.1
    True
    """

    name: ClassVar[str] = "paired"
    prior: PriorName | None = None
    strength: float = 1.0

    def posterior(
        self, outcomes: Outcomes, metric: Metric, streams: Streams
    ) -> Posterior:
        """Draw the metric of both systems from their joint posterior."""
        cells = self._cells(outcomes, metric)
        values = cells.draw(streams, seen=True, purpose=0)
        return drawn_posterior(values, metric.differences, mirror=cells.view.symmetric)

    def together(
        self, outcomes: Outcomes, metric: Metric, streams: Streams
    ) -> FloatArray:
        """Draw the metric of all systems, however many, from one joint posterior."""
        cells = Cells.of(outcomes, metric, self.shared_prior(outcomes))
        return cells.draw(streams, seen=True, purpose=0)

    def shared_prior(self, outcomes: Outcomes) -> Prior:
        """Give the prior of all systems together, which weighs what that of two does.

        With 1 on every cell it would double with every system.
        """
        if len(outcomes.systems) <= 2 or self._prior.chosen(outcomes) != "uniform":
            return self._prior
        return Prior("objective", self.strength * outcomes.n_labels**2)

    def unseen(
        self, outcomes: Outcomes, metric: Metric, streams: Streams
    ) -> Posterior | None:
        """Draw the metric of both systems before any item was seen."""
        cells = self._cells(outcomes, metric)
        if cells.prior == "bootstrap":
            return None
        values = cells.draw(streams, seen=False, purpose=1)
        return drawn_posterior(values, metric.differences, mirror=True)

    def credible(
        self, outcomes: Outcomes, metric: Metric, streams: Streams
    ) -> Distribution:
        """Draw the metric of one system, or the difference of two."""
        if len(outcomes.systems) > 1:
            return self.posterior(outcomes, metric, streams).difference
        cells = self._cells(outcomes, metric)
        return Draws(cells.draw(streams, seen=True, purpose=0)[:, 0])

    def at_zero(
        self, outcomes: Outcomes, metric: Metric, streams: Streams, *, seen: bool
    ) -> LogDensity:
        """Give the density of no difference at all, where it is finite."""
        return at_zero([self._cells(outcomes, metric)], streams, seen=seen)

    def many(
        self,
        outcomes: Outcomes,
        metric: Metric,
        counts: FloatArray,
        generator: np.random.Generator,
        *,
        draws: int,
    ) -> FloatArray:
        """Draw the metric (table, draw, system) for many tables (table, pattern)."""
        cells = self._cells(outcomes, metric)
        tables = cells.tables(counts)
        values = cells.many(generator, tables, draws)
        return mirrored(values, cells.balanced(tables))

    def _cells(self, outcomes: Outcomes, metric: Metric) -> Cells:
        return Cells.of(outcomes, metric, self._prior)

    @property
    def _prior(self) -> Prior:
        return Prior(self.prior, self.strength)

    def crowded(self, outcomes: Outcomes) -> int | None:
        """Give the number of cells where it was too large for the usual prior."""
        return self._prior.crowded(outcomes)

    def parameters(self, outcomes: Outcomes) -> dict[str, Any]:
        """Return the prior by name, and its strength."""
        return self._prior.parameters(outcomes)


@dataclass(frozen=True)
class Unpaired:
    """Each system for itself, as if it had been tested on other items.

    Use this only when the systems really saw different items of one kind; on the same
    items it throws power away.

    Parameters
    ----------
    prior, strength
        As in `Paired`.
    """

    name: ClassVar[str] = "unpaired"
    prior: PriorName | None = None
    strength: float = 1.0

    def posterior(
        self, outcomes: Outcomes, metric: Metric, streams: Streams
    ) -> Posterior:
        """Draw the metric of each system from its own posterior."""
        cells = self._cells(outcomes, metric)
        values = [c.draw(streams, seen=True, purpose=i) for i, c in enumerate(cells)]
        alike = cells[0].view.same_counts(cells[1].view)
        return drawn_posterior(np.hstack(values), metric.differences, mirror=alike)

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
        return drawn_posterior(np.hstack(values), metric.differences, mirror=True)

    def at_zero(
        self, outcomes: Outcomes, metric: Metric, streams: Streams, *, seen: bool
    ) -> LogDensity:
        """Give the density of no difference at all, where it is finite."""
        return at_zero(self._cells(outcomes, metric), streams, seen=seen)

    def many(
        self,
        outcomes: Outcomes,
        metric: Metric,
        counts: FloatArray,
        generator: np.random.Generator,
        *,
        draws: int,
    ) -> FloatArray:
        """Draw the metric (table, draw, system) for many tables (table, pattern)."""
        cells = self._cells(outcomes, metric)
        tables = [one.tables(counts) for one in cells]
        values = [
            one.many(generator, table, draws)
            for one, table in zip(cells, tables, strict=True)
        ]
        alike = (tables[0] == tables[1]).all(axis=1)
        return mirrored(np.concatenate(values, axis=2), alike)

    def _cells(self, outcomes: Outcomes, metric: Metric) -> list[Cells]:
        # Patterns stay as they are, so that tables of them can be counted for both.
        singles = (outcomes.only(i) for i in range(len(outcomes.systems)))
        return [Cells.of(single, metric, self._prior) for single in singles]

    @property
    def _prior(self) -> Prior:
        return Prior(self.prior, self.strength)

    def crowded(self, outcomes: Outcomes) -> int | None:
        """Give the number of cells where it was too large for the usual prior."""
        return self._prior.crowded(outcomes.only(0))

    def parameters(self, outcomes: Outcomes) -> dict[str, Any]:
        """Return the prior by name, and its strength."""
        return self._prior.parameters(outcomes.only(0))
