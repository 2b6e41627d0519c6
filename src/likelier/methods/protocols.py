"""Protocols: what a method must offer to the question that uses it.

They keep apart what gives a posterior, a null and an estimate; the type checker
refuses one where another is needed. A method that derives from its protocol has the
defaults written here.
"""

from typing import Any, Protocol, runtime_checkable

import numpy as np

from likelier._typing import FloatArray
from likelier.bayes_factor import LogDensity
from likelier.citations import Sentence
from likelier.data.outcomes import Outcomes
from likelier.distribution import Distribution, Null, Posterior, Sampling
from likelier.findings import Finding
from likelier.metrics.metric import Metric
from likelier.settings import Settings
from likelier.streams import Streams


class NamedMethod(Protocol):
    """Method with a name, settings of its own, and words that describe it."""

    @property
    def name(self) -> str:
        """Name on the command line and in recipes."""

    def parameters(self, outcomes: Outcomes) -> dict[str, Any]:  # noqa: ARG002
        """Return the method's own settings by name, for the recipe and the JSON."""
        return {}

    def sentences(self, settings: Settings) -> list[Sentence]:
        """Describe the method, for the methods paragraph of an answer."""


class PosteriorMethod(NamedMethod, Protocol):
    """Method that says how probable each difference is: for `compare`."""

    def posterior(
        self, outcomes: Outcomes, metric: Metric, streams: Streams
    ) -> Posterior:
        """Return the posterior of both metrics and of their difference."""

    def with_proper_prior(self, outcomes: Outcomes) -> "PosteriorMethod":  # noqa: ARG002
        """Return the method with a prior that does not look at the data."""
        return self

    def prior_distribution(
        self, outcomes: Outcomes, metric: Metric, streams: Streams
    ) -> Posterior:
        """Return the same before any item was seen, under a proper prior."""

    def log_density_at_zero(
        self, outcomes: Outcomes, metric: Metric, streams: Streams, *, prior: bool
    ) -> LogDensity:
        """Return the density of no difference, of the prior or of the posterior."""

    def findings(
        self,
        outcomes: Outcomes,  # noqa: ARG002
        metric: Metric,  # noqa: ARG002
        posterior: Posterior,  # noqa: ARG002
    ) -> list[Finding | None]:
        """Return the findings of the model's own checks; None where all is well."""
        return []


@runtime_checkable
class SimulatedMethod(PosteriorMethod, Protocol):
    """Method that takes many tables of the same patterns at once: for `plan`."""

    @property
    def prior(self) -> Any:
        """Name of the prior; None for the usual one."""

    @property
    def strength(self) -> float:
        """Number of times that the prior weighs as much as usual."""

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


class NullMethod(NamedMethod, Protocol):
    """Method that says how odd a difference were if there was none: for `null_test`."""

    def null(self, outcomes: Outcomes, metric: Metric, streams: Streams) -> Null:
        """Test that the two systems do not differ."""


class EstimateMethod(NamedMethod, Protocol):
    """Method that says how well a single number is known: for `estimate`."""

    def estimate(
        self, outcomes: Outcomes, metric: Metric, streams: Streams
    ) -> Distribution | Sampling:
        """Return the distribution of one system's metric, or of a difference of two.

        A `Distribution` is a posterior; a `Sampling` says how the number would vary on
        other test sets.
        """
