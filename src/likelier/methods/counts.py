"""The exact law of one system's metric, given its counts."""

from dataclasses import dataclass
from typing import Any, ClassVar

from likelier.errors import NotDefinedError
from likelier.laws import Law
from likelier.methods.law_of import has_law, law_of
from likelier.metrics import Metric
from likelier.outcomes import Outcomes
from likelier.streams import Streams


@dataclass(frozen=True)
class FromCounts:
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
    >>> law = FromCounts().credible(table, metrics.f1, Streams.of(0))
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
