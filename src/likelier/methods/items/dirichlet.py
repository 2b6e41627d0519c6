"""Dirichlet weights over patterns: the conjugate posterior, without MCMC.

Per item there is a gold class and what each system predicts. The gold class has a
Dirichlet distribution, and so have the predictions given the gold class
(Zhang et al. 2016, doi:10.1145/2911451.2911547). Both are conjugate: independent
Gamma draws are exact draws of the posterior.
"""

from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from likelier._typing import FloatArray
from likelier.bayes_factor import LogDensity
from likelier.checks import answer_checks
from likelier.citations import Sentence
from likelier.data.outcomes import Outcomes
from likelier.data.ranked_outcomes import RankedOutcomes
from likelier.distribution import (
    Distribution,
    Draws,
    Posterior,
    drawn_posterior,
    mirrored,
)
from likelier.errors import NotDefinedError, SettingError
from likelier.findings import Finding
from likelier.formatting import plain
from likelier.methods.items.dirichlet_cells import (
    PROPER,
    DirichletCells,
    Prior,
    PriorName,
)
from likelier.methods.items.extremes_prior import ExtremeCells
from likelier.methods.items.point_null import log_density_at_zero
from likelier.methods.items.swap_prior import SwapCells, differing
from likelier.methods.items.swap_process import SwapProcess
from likelier.methods.protocols import PosteriorMethod
from likelier.metrics.metric import Metric
from likelier.metrics.ranked import RANKED
from likelier.settings import Settings
from likelier.streams import Streams

# With more patterns imaginary units are drawn instead of listed; ranks have more.
_MOST_LISTED, _MOST_RANKED = 1000, 200


@dataclass(frozen=True)
class _DirichletMethod(PosteriorMethod):
    """Base of `Paired` and `Unpaired`: draws from one Dirichlet model, or two."""

    prior: PriorName | None = None
    strength: float = 1.0

    def _tables(self, outcomes: Outcomes) -> list[Outcomes]:
        """Return the tables that have a Dirichlet model of their own."""
        return [outcomes]

    def _symmetric(self, views: list[Outcomes], metric: Metric) -> bool:
        """Check whether exchanging the systems changes nothing that counts."""
        (view,) = views
        apart = differing(view, metric) & (view.counts > 0)
        return not apart.any() or view.symmetric

    def _exchangeable(
        self, cells: list[DirichletCells], tables: list[FloatArray]
    ) -> NDArray[np.bool_]:
        """Find the tables of counts that stay the same if systems are swapped."""
        return cells[0].exchangeable(tables[0])

    def posterior(
        self, outcomes: Outcomes, metric: Metric, streams: Streams
    ) -> Posterior:
        """Draw the metric of both systems."""
        models = [_model(t, metric, self._prior) for t in self._tables(outcomes)]
        draws = [m.draw(metric, streams, purpose=i) for i, m in enumerate(models)]
        mirror = self._symmetric([model.view for model in models], metric)
        return drawn_posterior(_beside(draws), metric.differences, mirror=mirror)

    def with_proper_prior(self, outcomes: Outcomes) -> "_DirichletMethod":
        """Return the method under the prior uniform, or objective for many classes."""
        if self.prior in PROPER:
            return self
        if outcomes.labels is None:
            message = (
                "A Bayes factor must have a proper prior, which needs items with one "
                "label each; scores, clusters and sets of labels have none."
            )
            raise NotDefinedError(message, hint="Leave the factor out.")
        return replace(self, prior="uniform" if outcomes.n_labels == 2 else "objective")

    def prior_distribution(
        self, outcomes: Outcomes, metric: Metric, streams: Streams
    ) -> Posterior:
        """Draw the metric of both systems before any item was seen."""
        cells = self._cells(outcomes, metric)
        if any(one.prior not in PROPER for one in cells):
            message = f"prior {cells[0].prior} says nothing before any item was seen."
            raise NotDefinedError(message, hint="Use the prior uniform or objective.")
        draws = [
            one.draw(metric, streams, purpose=purpose, prior=True)
            for purpose, one in enumerate(cells, start=len(cells))
        ]
        return drawn_posterior(_beside(draws), metric.differences, mirror=True)

    def log_density_at_zero(
        self, outcomes: Outcomes, metric: Metric, streams: Streams, *, prior: bool
    ) -> LogDensity:
        """Return the density of no difference at all, where it is finite."""
        cells = self._cells(outcomes, metric)
        return log_density_at_zero(cells, metric, streams, prior=prior)

    def draw_tables(
        self,
        outcomes: Outcomes,
        metric: Metric,
        counts: FloatArray,
        generator: np.random.Generator,
        *,
        draws: int,
    ) -> FloatArray:
        """Draw the metric (table, draw, system) for many tables (table, pattern)."""
        cells = self._cells(outcomes, metric, generic=True)
        tables = [one.tables(counts) for one in cells]
        values = [
            one.draw_tables(metric, generator, table, draws)
            for one, table in zip(cells, tables, strict=True)
        ]
        alike = self._exchangeable(cells, tables)
        return mirrored(np.concatenate(values, axis=2), alike)

    def findings(
        self, outcomes: Outcomes, metric: Metric, posterior: Posterior
    ) -> list[Finding | None]:
        """Remark a prior that has too much weight."""
        table = self._tables(outcomes)[0]
        name, mass = self._prior.resolve(table), self._prior.mass(table)
        shift = None
        if name in PROPER:
            observed = metric.observed(outcomes).tolist()
            laws = posterior.systems
            shift = answer_checks.moved(outcomes.systems, observed, laws, prior=name)
        return [answer_checks.outweighed(table, mass, prior=name), shift]

    def parameters(self, outcomes: Outcomes) -> dict[str, Any]:
        """Return the prior by name, and its strength."""
        return self._prior.parameters(self._tables(outcomes)[0])

    @property
    def _prior(self) -> Prior:
        return Prior(self.prior, self.strength)

    def _cells(
        self, outcomes: Outcomes, metric: Metric, *, generic: bool = False
    ) -> list[DirichletCells]:
        return [
            listed_cells(table, metric, self._prior, generic=generic).merged_for(metric)
            for table in self._tables(outcomes)
        ]


def _beside(draws: list[FloatArray]) -> FloatArray:
    """Put draws of independent models side by side, as many as each of them has."""
    least = min(len(drawn) for drawn in draws)
    return np.hstack([drawn[:least] for drawn in draws])


def listed_cells(
    table: Outcomes, metric: Metric, prior: Prior, *, generic: bool = False
) -> DirichletCells:
    """List the cells of a table, with labels where it has them, and their prior."""
    name = prior.resolve(table)
    if name not in ("swap", "extremes"):
        return DirichletCells.of(table, prior)
    kind = SwapCells if name == "swap" else ExtremeCells
    return kind.of_metric(table, metric, strength=prior.strength, generic=generic)


def _model(
    table: Outcomes, metric: Metric, prior: Prior
) -> DirichletCells | SwapProcess:
    """Return what the metric is drawn from: cells, or a process for very many."""
    most = _MOST_RANKED if isinstance(table, RankedOutcomes) else _MOST_LISTED
    many = len(table.systems) > 2 or len(table.counts) > most
    if many and prior.resolve(table) == "swap":
        return SwapProcess.of_metric(table, metric, strength=prior.strength)
    return listed_cells(table, metric, prior).merged_for(metric)


@dataclass(frozen=True)
class Paired(_DirichletMethod):
    """Both systems on the same items: the cells are pairs of predictions.

    Use this when two systems predicted the same items, which is nearly always.

    Parameters
    ----------
    prior
        ``swap``, the default, imagines two more items like those on which the systems
        differ, one of them with the systems exchanged. ``uniform`` puts 1 on every
        cell and every gold class (the paper's). ``objective`` spreads 1 over the cells
        of each gold class. ``bootstrap`` puts 0 on all, so that only observed patterns
        can occur.
    strength
        Number of times that the prior weighs as much as usual.

    Examples
    --------
    >>> from likelier import metrics, Outcomes
    >>> table = Outcomes.from_labels("aabb" * 9, "abbb" * 9, "aabb" * 9)
    >>> method = Paired()
    >>> method.parameters(table)
    {'prior': 'swap', 'strength': 1.0}
    >>> method.posterior(table, metrics.accuracy, Streams.of(0)).difference.mean() > 0.1
    True
    """

    name: ClassVar[str] = "paired"

    def draw_systems(
        self, outcomes: Outcomes, metric: Metric, streams: Streams
    ) -> FloatArray:
        """Draw the metric of all systems, however many, from one joint posterior."""
        model = _model(outcomes, metric, self.shared_prior(outcomes))
        return model.draw(metric, streams, purpose=0)

    def shared_prior(self, outcomes: Outcomes) -> Prior:
        """Return the prior of all systems together, with the weight of that of two.

        With 1 on every cell it would double with every system.
        """
        if len(outcomes.systems) <= 2 or self._prior.resolve(outcomes) != "uniform":
            return self._prior
        return Prior("objective", self.strength * outcomes.n_labels**2)

    def estimate(
        self, outcomes: Outcomes, metric: Metric, streams: Streams
    ) -> Distribution:
        """Draw the metric of one system, or the difference of two."""
        if len(outcomes.systems) > 1:
            return self.posterior(outcomes, metric, streams).difference
        (cells,) = self._cells(outcomes, metric)
        return Draws(cells.draw(metric, streams, purpose=0)[:, 0])

    def findings(
        self, outcomes: Outcomes, metric: Metric, posterior: Posterior
    ) -> list[Finding | None]:
        """Remark a posterior that cannot doubt, or that the prior pulls to 0, too."""
        name = self._prior.resolve(outcomes)
        own = None
        if name == "bootstrap":
            differs = differing(metric.view(outcomes), metric)
            own = answer_checks.one_way(outcomes, metric, differs)
        if name == "swap":
            own = answer_checks.pulled(outcomes, self._prior.mass(outcomes))
        return [*super().findings(outcomes, metric, posterior), own]

    def sentences(self, settings: Settings) -> list[Sentence]:
        """Describe the joint model of both systems, and its prior."""
        both = len(settings.systems) > 1
        cells = _cells_text(settings, both=both)
        text = f"The score has the posterior of a Dirichlet model of {cells}"
        if both:
            text = (
                f"Both scores have a joint posterior, from a Dirichlet model of {cells}"
            )
        return [Sentence(text, ("zhang2016",)), _prior_sentence(settings)]


@dataclass(frozen=True)
class Unpaired(_DirichletMethod):
    """Each system for itself, as if it had been tested on other items.

    Use this only when the systems really saw different items of one kind; on the same
    items it throws power away.

    Parameters
    ----------
    prior
        ``extremes``, the default, imagines one item of each system like its best, and
        one like its worst; else as in `Paired`, but for ``swap``.
    strength
        As in `Paired`.
    """

    name: ClassVar[str] = "unpaired"

    def __post_init__(self) -> None:
        if self.prior == "swap":
            message = (
                "prior swap must come with the method paired, where both systems have "
                "the same items to be exchanged on; got the method unpaired."
            )
            hint = "Leave the prior out, or the method if the items are the same."
            raise SettingError(message, hint=hint)

    def _tables(self, outcomes: Outcomes) -> list[Outcomes]:
        # Patterns stay as they are, so that tables of them can be counted for both.
        return [outcomes.only(i) for i in range(len(outcomes.systems))]

    def _symmetric(self, views: list[Outcomes], metric: Metric) -> bool:  # noqa: ARG002
        return views[0].same_counts(views[1])

    def _exchangeable(
        self,
        cells: list[DirichletCells],  # noqa: ARG002
        tables: list[FloatArray],
    ) -> NDArray[np.bool_]:
        return np.asarray((tables[0] == tables[1]).all(axis=1))

    def sentences(self, settings: Settings) -> list[Sentence]:
        """Describe the model of each system, and its prior."""
        text = (
            "Each score has a posterior of its own, from a Dirichlet model of "
            f"{_cells_text(settings, both=False)}, as if the systems had been tested "
            "on different items"
        )
        return [Sentence(text, ("zhang2016",)), _prior_sentence(settings)]


def _cells_text(settings: Settings, *, both: bool) -> str:
    """Name the patterns that can occur, of both systems or of each."""
    if settings.parameters["prior"] not in PROPER:
        patterns = settings.data.patterns
        count = f"{patterns:,} " if both and patterns > 0 else ""
        seen = "observed " if settings.parameters["prior"] == "bootstrap" else ""
        return f"the {count}{seen}patterns of what {'both' if both else 'it'} did"
    predictions = "the two predictions" if both else "prediction"
    if settings.positive is None:
        return f"all possible patterns of gold label and {predictions}"
    count = "8" if both else "4"
    return (
        f"the {count} patterns of gold label and {predictions}, each "
        f"{plain(settings.positive)} or not"
    )


def _prior_sentence(settings: Settings) -> Sentence:
    name = settings.parameters["prior"]
    if name == "bootstrap":
        text = (
            "The prior is 0 throughout (the Bayesian bootstrap), so that only observed "
            "patterns can occur"
        )
        return Sentence(text, ("rubin1981",))
    strength = settings.parameters["strength"]
    ranked = settings.metric in RANKED
    few = "where one side is rare" if ranked else "for averages over small classes"
    reduced = f"counts are reduced by the factor 1 - 1/n, and by more {few}"
    if name == "swap":
        by_ranks = ", by their ranks" if ranked else ""
        return Sentence(
            f"The prior has the weight of {2 * strength:g} imaginary items: half like "
            "those on which the systems differ and half the same with the systems "
            f"exchanged{by_ranks}, so that it favours neither; {reduced}"
        )
    weight = "" if strength == 1 else f", all weighed {strength:g} times"
    if name == "extremes":
        return Sentence(
            "The prior has the weight of two imaginary items of a system, one like its "
            f"best and one like its worst{weight}; {reduced}"
        )
    if name == "uniform":
        return Sentence(
            "The prior is uniform: 1 for every gold class, and 1 for every pattern "
            f"given the gold class{weight}"
        )
    return Sentence(
        "The prior is objective: a total of 1 for every gold class, spread evenly over "
        f"its patterns{weight}"
    )
