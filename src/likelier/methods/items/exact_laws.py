"""Exact laws given counts: of one system's metric, or of two independent systems."""

from abc import abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from likelier import laws
from likelier._typing import FloatArray
from likelier.bayes_factor import LogDensity
from likelier.citations import Sentence
from likelier.data.outcomes import Outcomes
from likelier.distribution import Posterior, drawn_posterior
from likelier.errors import NotDefinedError
from likelier.laws import DifferenceLaw, Law
from likelier.laws.difference import log_density_of_tie
from likelier.methods.protocols import PosteriorMethod
from likelier.metrics import formulas
from likelier.metrics.metric import Metric
from likelier.settings import Settings
from likelier.streams import Streams

_PAIRS = (formulas.precision, formulas.recall, formulas.specificity, formulas.npv)
_WITH_LAW = (*_PAIRS, formulas.jaccard)
_SHARES = (formulas.accuracy, formulas.error_rate, formulas.mean)


def has_law(outcomes: Outcomes, metric: Metric) -> bool:
    """Check whether the metric of one system follows from counts of separate items.

    The mean of scores does where they are all 0 or 1.
    """
    # Pooled over classes, one wrong label is a false positive and a false negative.
    separate = metric.average == "one" or (
        metric.average == "micro" and not outcomes.negatives
    )
    if not separate or len(outcomes.systems) != 1 or outcomes.composite:
        return False
    if metric.statistics[0] not in (*outcomes.statistics, "tn"):
        return False
    if metric.statistics in (("score", "items"), ("correct", "items")):
        part = outcomes.per_pattern(metric.statistics[0])
        shares = metric.formula in _SHARES and np.isin(part, (0.0, 1.0)).all()
        return bool(shares)
    counts = set(metric.statistics) <= {"tp", "fp", "fn", "tn"}
    return counts and (metric.beta is not None or metric.formula in _WITH_LAW)


def counts_events(outcomes: Outcomes) -> bool:
    """Check that no item adds more than one event, or that there are totals only.

    A sentence with several chunks is one item: its chunks are not independent.
    """
    if outcomes.negatives or outcomes.n_units <= 1 or outcomes.unit == "folds":
        return True
    events = sum(
        outcomes.per_pattern(name)
        for name in ("tp", "fp", "fn")
        if name in outcomes.statistics
    )
    return bool(np.isin(events, (0.0, 1.0)).all())


def law_of(outcomes: Outcomes, metric: Metric, *, prior: float) -> Law:
    """Return the law of the metric of one system."""
    sums = {
        name: float(value.reshape(-1)[0])
        for name, value in metric.view(outcomes).sums().items()
    }
    if metric.formula in (formulas.accuracy, formulas.error_rate):
        right, wrong = sums["correct"], sums["items"] - sums["correct"]
        counts = (right, wrong) if metric.higher_is_better else (wrong, right)
        return laws.accuracy(*counts, prior=prior)
    if metric.formula is formulas.mean:
        return laws.accuracy(sums["score"], sums["items"] - sums["score"], prior=prior)
    if metric.formula in _PAIRS:
        first, second = metric.statistics
        return laws.precision(sums[first], sums[second], prior=prior)
    errors = sums["tp"], sums["fp"], sums["fn"]
    if metric.beta is None:
        return laws.jaccard(*errors, prior=prior)
    return laws.fbeta(*errors, beta=metric.beta, prior=prior)


@dataclass(frozen=True)
class ExactLaw:
    """Exact law of a metric, from counts as cells of a Dirichlet distribution.

    Precision, recall and their like are Beta; F1 and the other F-measures are maps of
    one (Goutte & Gaussier 2005, doi:10.1007/978-3-540-31865-1_25).

    Parameters
    ----------
    prior
        Number added to each count; 1 is uniform.

    Examples
    --------
    >>> from likelier import metrics, Outcomes
    >>> table = Outcomes.from_statistics({"tp": [[80]], "fp": [[30]], "fn": [[20]]})
    >>> law = ExactLaw().estimate(table, metrics.f1, Streams.of(0))
    >>> round(law.mean(), 3)
    0.756
    """

    name: ClassVar[str] = "exact-law"
    prior: float = 1.0

    def estimate(self, outcomes: Outcomes, metric: Metric, _: Streams) -> Law:
        """Return the law of the metric of one system."""
        if not has_law(outcomes, metric):
            raise _no_law(metric, hint="Use method=Paired().")
        return law_of(outcomes, metric, prior=self.prior)

    def parameters(self, _: Outcomes) -> dict[str, Any]:
        """Return what is added to each count."""
        return {"prior": float(self.prior)}

    def sentences(self, settings: Settings) -> list[Sentence]:
        """Describe the law and its prior."""
        text = (
            "Its posterior is the exact law that follows from the counts as cells of a "
            f"Dirichlet distribution, with a prior of {settings.parameters['prior']:g} "
            "on each"
        )
        return [Sentence(text, ("goutte2005",))]


@dataclass(frozen=True)
class _TwoLaws(PosteriorMethod):
    """Base of `Independent` and `MonteCarlo`: an exact law for each system."""

    prior: float = 1.0

    @abstractmethod
    def _compare(
        self, laws: list[Law], metric: Metric, streams: Streams, *, purpose: int
    ) -> Posterior:
        """Return the posterior of the two metrics and of their difference."""

    def posterior(
        self, outcomes: Outcomes, metric: Metric, streams: Streams
    ) -> Posterior:
        """Return the posterior of both metrics and of their difference."""
        return self._compare(self._laws(outcomes, metric), metric, streams, purpose=0)

    def prior_distribution(
        self, outcomes: Outcomes, metric: Metric, streams: Streams
    ) -> Posterior:
        """Return the same before any item was seen."""
        laws = self._laws(outcomes.scaled(0.0), metric)
        return self._compare(laws, metric, streams, purpose=1)

    def log_density_at_zero(
        self, outcomes: Outcomes, metric: Metric, _: Streams, *, prior: bool
    ) -> LogDensity:
        """Return the density of no difference at all, exactly."""
        laws = self._laws(outcomes.scaled(0.0) if prior else outcomes, metric)
        density = log_density_of_tie(*laws)
        if density == np.inf:
            message = (
                "A point null must have a finite density at 0; under a prior of "
                f"{self.prior:g} it is infinite."
            )
            raise NotDefinedError(message, hint="Use a prior of 1.")
        return LogDensity(density)

    def parameters(self, _: Outcomes) -> dict[str, Any]:
        """Return what is added to each count."""
        return {"prior": float(self.prior)}

    def sentences(self, settings: Settings) -> list[Sentence]:
        """Describe the laws and their prior."""
        text = (
            "The score of each system has the posterior that follows from its own "
            "counts as cells of a Dirichlet distribution, with a prior of "
            f"{settings.parameters['prior']:g} on each, and the two systems are taken "
            "as independent"
        )
        return [Sentence(text, ("wang2019", "goutte2005"))]

    def _laws(self, outcomes: Outcomes, metric: Metric) -> list[Law]:
        metric.view(outcomes)  # says which statistics are missing, if any
        singles = [outcomes.keep(i) for i in range(len(outcomes.systems))]
        if not all(has_law(single, metric) for single in singles):
            hint = "Use the method paired."
            if outcomes.unit == "folds":
                hint = "Ask for precision, recall or F1."
            raise _no_law(metric, hint=hint)
        return [law_of(single, metric, prior=self.prior) for single in singles]


@dataclass(frozen=True)
class Independent(_TwoLaws):
    """Compare the exact laws of two systems' metrics; no draws at all.

    Use this for counts of which only the totals are known. Where both systems saw the
    same items, `Paired` has more power.

    Parameters
    ----------
    prior
        Number added to each count; 1 is uniform.

    References
    ----------
    Wang & Li (2019), Bayes test of precision, recall and F1.
    """

    name: ClassVar[str] = "independent"

    def _compare(
        self,
        laws: list[Law],
        metric: Metric,
        streams: Streams,  # noqa: ARG002
        *,
        purpose: int,  # noqa: ARG002
    ) -> Posterior:
        pair = laws if metric.higher_is_better else laws[::-1]
        return Posterior(tuple(laws), DifferenceLaw(*pair))


@dataclass(frozen=True)
class MonteCarlo(_TwoLaws):
    """Draw from the two laws, as the paper's Algorithm 1 does.

    Only to compare with the paper: `Independent` gives the same without draws.

    Parameters
    ----------
    prior
        Number added to each count; 1 is uniform.
    """

    name: ClassVar[str] = "monte-carlo"

    def _compare(
        self, laws: list[Law], metric: Metric, streams: Streams, *, purpose: int
    ) -> Posterior:
        def block(generator: np.random.Generator, n: int) -> FloatArray:
            return np.column_stack([law.rvs(n, generator) for law in laws])

        values = streams.run(block, width=len(laws), purpose=purpose)
        return drawn_posterior(values, metric.differences, mirror=laws[0] == laws[1])


def _no_law(metric: Metric, *, hint: str) -> NotDefinedError:
    message = f"{metric.name} of these outcomes has no exact law."
    return NotDefinedError(message, hint=hint)
