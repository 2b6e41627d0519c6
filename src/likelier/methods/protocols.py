"""Protocols: what a method must offer.

The three protocols keep apart what gives a posterior, a null and a sampling
distribution; the type checker refuses one where another is needed.
"""

from typing import Any, Protocol, runtime_checkable

import numpy as np

from likelier._typing import FloatArray
from likelier.bayes_factor import LogDensity
from likelier.data.outcomes import Outcomes
from likelier.distribution import Distribution, Null, Posterior, Sampling
from likelier.methods.items.cells import PriorName
from likelier.metrics import Metric
from likelier.streams import Streams


class PosteriorMethod(Protocol):
    """A way to say how probable each difference is."""

    @property
    def name(self) -> str:
        """What the command line calls the method."""

    def posterior(
        self, outcomes: Outcomes, metric: Metric, streams: Streams
    ) -> Posterior:
        """Give the posterior of the metric and of the difference."""

    def unseen(
        self, outcomes: Outcomes, metric: Metric, streams: Streams
    ) -> Posterior | None:
        """Give the same before any item was seen, where that is proper."""

    def at_zero(
        self, outcomes: Outcomes, metric: Metric, streams: Streams, *, seen: bool
    ) -> LogDensity:
        """Give the density of no difference at all, where it is finite."""

    def crowded(self, outcomes: Outcomes) -> int | None:
        """Give the number of cells where it was too large for the usual prior."""

    def parameters(self, outcomes: Outcomes) -> dict[str, Any]:
        """Return the method's own settings by name, for the recipe and the JSON."""


@runtime_checkable
class ManyMethod(PosteriorMethod, Protocol):
    """A way that answers many tables of the same patterns at once, for planning."""

    @property
    def prior(self) -> PriorName | None:
        """The name of the prior."""

    @property
    def strength(self) -> float:
        """How many times as much as usual the prior weighs."""

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


class NullMethod(Protocol):
    """A way to say how odd a difference were if there was none."""

    @property
    def name(self) -> str:
        """What the command line calls the method."""

    def null(self, outcomes: Outcomes, metric: Metric, streams: Streams) -> Null:
        """Test that the two systems do not differ."""

    def parameters(self, outcomes: Outcomes) -> dict[str, Any]:
        """Return the method's own settings by name, for the recipe and the JSON."""


@runtime_checkable
class SamplingMethod(Protocol):
    """A way to say how a number would vary on other test sets."""

    @property
    def name(self) -> str:
        """What the command line calls the method."""

    def sampling(
        self, outcomes: Outcomes, metric: Metric, streams: Streams
    ) -> Sampling:
        """Give the distribution of the metric, or of a difference of two systems."""

    def parameters(self, outcomes: Outcomes) -> dict[str, Any]:
        """Return the method's own settings by name, for the recipe and the JSON."""


@runtime_checkable
class CredibleMethod(Protocol):
    """A way to say how probable each value of one number is."""

    @property
    def name(self) -> str:
        """What the command line calls the method."""

    def credible(
        self, outcomes: Outcomes, metric: Metric, streams: Streams
    ) -> Distribution:
        """Give the posterior of the metric of one system, or of a difference."""

    def parameters(self, outcomes: Outcomes) -> dict[str, Any]:
        """Return the method's own settings by name, for the recipe and the JSON."""
