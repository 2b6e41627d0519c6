"""One number and how well it is known."""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from likelier import wording
from likelier.distribution import Distribution, Draws
from likelier.findings import Finding
from likelier.interval import Interval
from likelier.recipe import Recipe
from likelier.results import notebook
from likelier.results.export import Backend, long_frame
from likelier.results.paragraph import Cited, Said
from likelier.results.question import SCHEMA, Origin, Question
from likelier.results.reporting import Reported
from likelier.results.said.tests import estimate_said

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@dataclass(frozen=True)
class Estimate(Cited, Reported):
    """A metric of one system, or a difference of two, and how well it is known.

    Attributes
    ----------
    question
        The system, the metric and the size of the data.
    value
        The metric on the items as they are, or the difference.
    distribution
        What is known of it: an exact law, or draws.
    interval
        Credible (hdi, equal-tailed) or confidence.
    origin
        The method, the recipe and the findings.
    """

    question: Question
    value: float
    distribution: Distribution = field(repr=False)
    interval: Interval
    origin: Origin

    @property
    def standard_error(self) -> float:
        """The standard deviation of the distribution."""
        return self.distribution.std()

    @property
    def decimals(self) -> int:
        """How many decimals are worth showing."""
        return wording.decimals_for(self.standard_error)

    def __repr__(self) -> str:
        return f"<{self.sentence()}>"

    def sentence(self) -> str:
        """Say the result as one may write it in a paper."""
        show = self.decimals
        low, high = (wording.number(end, show) for end in self.interval)
        name = wording.interval_name(self.interval.kind, self.interval.mass)
        return (
            f"{' against '.join(reversed(self.question.shown_systems))}: "
            f"{self.question.metric_name} {wording.number(self.value, show)}, "
            f"{name} {low} to {high}"
        )

    def to_dict(self) -> dict[str, Any]:
        """Give the documented JSON of an estimate."""
        draws = self.distribution
        return {
            "schema": SCHEMA,
            "kind": "estimate",
            **self.question.to_dict(),
            "value": self.value,
            "mean": draws.mean(),
            "sd": draws.std(),
            "mcse": draws.mcse() if isinstance(draws, Draws) else 0.0,
            "interval": self.interval.to_dict(),
            **self.origin.to_dict(),
        }

    @property
    def recipe(self) -> Recipe:
        """One line that makes the same numbers again."""
        return self.origin.recipe

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Remarks of the checks."""
        return self.origin.findings

    def frame(self, backend: Backend | None = None) -> Any:
        """Give a long table, one row per number."""
        return long_frame(self.to_dict(), backend)

    def plot(self, ax: "Axes | None" = None) -> "Axes":
        """Draw the distribution with its interval."""
        from likelier.plots.estimate import estimate

        return estimate(self, ax=ax)

    def methods(self) -> list[Said]:
        """Give the sentences of the methods paragraph, and what they cite."""
        return estimate_said(self)

    def _repr_html_(self) -> str:
        lines = self.sentence(), self.question.size
        return notebook.block(map(notebook.line, lines), self.recipe)
