"""Two systems whose counts are taken as independent: exact laws, or draws of them."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from likelier.bayes_factor import LogDensity
from likelier.distribution import Posterior, drawn_posterior
from likelier.errors import NotDefinedError
from likelier.laws import DifferenceLaw, Law
from likelier.laws.order import log_density_of_tie
from likelier.methods.law_of import has_law, law_of
from likelier.metrics import Metric
from likelier.outcomes import Outcomes
from likelier.streams import Streams

FloatArray = NDArray[np.float64]


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
