"""Exact laws given counts: of one system's metric, or of two independent systems."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from likelier import laws
from likelier._typing import FloatArray
from likelier.bayes_factor import LogDensity
from likelier.data.outcomes import Outcomes
from likelier.distribution import Posterior, drawn_posterior
from likelier.errors import NotDefinedError
from likelier.laws import DifferenceLaw, Law
from likelier.laws.difference import log_density_of_tie
from likelier.metrics import Metric, formulas
from likelier.streams import Streams


def has_law(outcomes: Outcomes, metric: Metric) -> bool:
    """Tell whether the metric of one system follows from counts of separate items."""
    # Pooled over classes, one wrong label is a false positive and a false negative.
    separate = metric.average == "one" or (
        metric.average == "micro" and not outcomes.negatives
    )
    known = metric.beta is not None or metric.rate in _KNOWN
    single = len(outcomes.systems) == 1 and not outcomes.clustered
    return separate and known and single


def counts_events(outcomes: Outcomes) -> bool:
    """Tell whether no item adds more than one event, or only totals are known.

    A sentence with several chunks is one item: its chunks are not independent.
    """
    if outcomes.negatives or outcomes.n_units <= 1 or outcomes.unit == "folds":
        return True
    events = sum(
        outcomes.per_pattern(name)
        for name in ("tp", "fp", "fn")
        if name in outcomes.statistics
    )
    return bool(np.max(events, initial=0) <= 1)


_PAIRS = (formulas.precision, formulas.recall, formulas.specificity, formulas.npv)
_KNOWN = (*_PAIRS, formulas.accuracy, formulas.error_rate, formulas.jaccard)


def law_of(outcomes: Outcomes, metric: Metric, *, prior: float) -> Law:
    """Give the law of the metric of one system."""
    sums = {
        name: float(value.reshape(-1)[0])
        for name, value in metric.view(outcomes).sums().items()
    }
    return _law(metric, sums, prior)


def _law(metric: Metric, sums: dict[str, float], prior: float) -> Law:
    if metric.rate in (formulas.accuracy, formulas.error_rate):
        wrong = sums["items"] - sums["correct"]
        ends = (
            (sums["correct"], wrong)
            if metric.higher_is_better
            else (
                wrong,
                sums["correct"],
            )
        )
        return laws.accuracy(*ends, prior=prior)
    if metric.rate in _PAIRS:
        first, second = metric.needs
        return laws.precision(sums[first], sums[second], prior=prior)
    counts = sums["tp"], sums["fp"], sums["fn"]
    if metric.beta is None:
        return laws.jaccard(*counts, prior=prior)
    return laws.fbeta(*counts, beta=metric.beta, prior=prior)


@dataclass(frozen=True)
class ExactLaw:
    """Take the counts as Dirichlet cells, which gives the metric an exact law.

    Precision, recall and their like are Beta; F1 and the other F-measures are maps of
    one (Goutte & Gaussier 2005, doi:10.1007/978-3-540-31865-1_25).

    Parameters
    ----------
    prior
        What is added to each count; 1 is uniform.

    Examples
    --------
    >>> from likelier import metrics, Outcomes
    >>> table = Outcomes.from_counts({"tp": [[80]], "fp": [[30]], "fn": [[20]]})
    >>> law = ExactLaw().credible(table, metrics.f1, Streams.of(0))
    >>> round(law.mean(), 3)
    0.756
    """

    name: ClassVar[str] = "exact-law"
    prior: float = 1.0

    def credible(self, outcomes: Outcomes, metric: Metric, _: Streams) -> Law:
        """Give the law of the metric of one system."""
        if not has_law(outcomes, metric):
            message = f"{metric.name} of these outcomes has no exact law."
            raise NotDefinedError(message, hint="Use method=Paired().")
        return law_of(outcomes, metric, prior=self.prior)

    def parameters(self, _: Outcomes) -> dict[str, Any]:
        """Return what is added to each count."""
        return {"prior": float(self.prior)}


@dataclass(frozen=True)
class Independent:
    """Compare the exact laws of two systems' metrics; no draws at all.

    Use this for counts of which only the totals are known. Where both systems saw the
    same items, `Paired` has more power.

    Parameters
    ----------
    prior
        What is added to each count; 1 is uniform.

    References
    ----------
    Wang & Li (2019), Bayes test of precision, recall and F1.
    """

    name: ClassVar[str] = "independent"
    prior: float = 1.0

    def posterior(self, outcomes: Outcomes, metric: Metric, _: Streams) -> Posterior:
        """Give the laws of both metrics and of their difference."""
        laws = _laws(outcomes, metric, self.prior)
        pair = laws if metric.higher_is_better else laws[::-1]
        return Posterior(tuple(laws), DifferenceLaw(*pair))

    def unseen(self, outcomes: Outcomes, metric: Metric, _: Streams) -> Posterior:
        """Give the laws before any item was seen."""
        laws = _laws(outcomes.scaled(0.0), metric, self.prior)
        return Posterior(tuple(laws), DifferenceLaw(*laws))

    def at_zero(
        self, outcomes: Outcomes, metric: Metric, _: Streams, *, seen: bool
    ) -> LogDensity:
        """Give the density of no difference at all, exactly."""
        return _tied(outcomes if seen else outcomes.scaled(0.0), metric, self.prior)

    def crowded(self, _: Outcomes) -> int | None:
        """Give nothing: there are no cells."""
        return None

    def parameters(self, _: Outcomes) -> dict[str, Any]:
        """Return what is added to each count."""
        return {"prior": float(self.prior)}


@dataclass(frozen=True)
class MonteCarlo:
    """Draw from the two laws, as the paper's Algorithm 1 does.

    Only to compare with the paper: `Independent` gives the same without draws.

    Parameters
    ----------
    prior
        What is added to each count; 1 is uniform.
    """

    name: ClassVar[str] = "monte-carlo"
    prior: float = 1.0

    def posterior(
        self, outcomes: Outcomes, metric: Metric, streams: Streams
    ) -> Posterior:
        """Draw both metrics independently."""
        return self._drawn(outcomes, metric, streams, purpose=0)

    def unseen(self, outcomes: Outcomes, metric: Metric, streams: Streams) -> Posterior:
        """Draw both metrics before any item was seen."""
        return self._drawn(outcomes.scaled(0.0), metric, streams, purpose=1)

    def _drawn(
        self, outcomes: Outcomes, metric: Metric, streams: Streams, *, purpose: int
    ) -> Posterior:
        laws = _laws(outcomes, metric, self.prior)

        def block(generator: np.random.Generator, n: int) -> FloatArray:
            return np.column_stack([law.rvs(n, generator) for law in laws])

        values = streams.run(block, width=len(laws), purpose=purpose)
        return drawn_posterior(values, metric.differences, mirror=laws[0] == laws[1])

    def at_zero(
        self, outcomes: Outcomes, metric: Metric, _: Streams, *, seen: bool
    ) -> LogDensity:
        """Give the density of no difference at all, exactly."""
        return _tied(outcomes if seen else outcomes.scaled(0.0), metric, self.prior)

    def crowded(self, _: Outcomes) -> int | None:
        """Give nothing: there are no cells."""
        return None

    def parameters(self, _: Outcomes) -> dict[str, Any]:
        """Return what is added to each count."""
        return {"prior": float(self.prior)}


def _tied(outcomes: Outcomes, metric: Metric, prior: float) -> LogDensity:
    density = log_density_of_tie(*_laws(outcomes, metric, prior))
    if density == np.inf:
        message = (
            "A point null must have a finite density at 0; under a prior of "
            f"{prior:g} it is infinite."
        )
        raise NotDefinedError(message, hint="Use a prior of 1.")
    return LogDensity(density)


def _laws(outcomes: Outcomes, metric: Metric, prior: float) -> list[Law]:
    singles = [outcomes.keep(i) for i in range(len(outcomes.systems))]
    if not all(has_law(single, metric) for single in singles):
        message = f"{metric.name} of these outcomes has no exact law."
        folds = outcomes.unit == "folds"
        hint = "Ask for precision, recall or F1." if folds else "Use the method paired."
        raise NotDefinedError(message, hint=hint)
    return [law_of(single, metric, prior=prior) for single in singles]
