"""The exact law of one system's metric, given its counts."""

from dataclasses import dataclass
from typing import ClassVar

from likelier import laws
from likelier.errors import NotDefinedError
from likelier.laws import Law
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
    >>> from likelier import metrics, outcomes
    >>> table = outcomes.from_counts({"tp": [[80]], "fp": [[30]], "fn": [[20]]})
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
        sums = {
            name: float(value.reshape(-1)[0])
            for name, value in metric.view(outcomes).sums().items()
        }
        return _law(metric, sums, self.prior)

    def described(self, _: Outcomes) -> str:
        """Name the law and its prior."""
        return f"exact law prior={self.prior:g}"


def has_law(outcomes: Outcomes, metric: Metric) -> bool:
    """Tell whether the metric of one system follows from counts of separate items."""
    # Pooled over classes, one wrong label is a false positive and a false negative.
    separate = metric.average == "one" or (
        metric.average == "micro" and not outcomes.negatives
    )
    shaped = metric.beta is not None or metric.needs in _PAIRS or metric.name in _SELF
    single = len(outcomes.systems) == 1 and not outcomes.clustered
    return separate and shaped and single


_PAIRS = (("tp", "fp"), ("tp", "fn"), ("tn", "fp"), ("tn", "fn"))
_SELF = ("accuracy", "error_rate", "jaccard", "micro_jaccard")


def _law(metric: Metric, sums: dict[str, float], prior: float) -> Law:
    if metric.needs == ("correct", "items"):
        wrong = sums["items"] - sums["correct"]
        ends = (
            (sums["correct"], wrong)
            if metric.greater_is_better
            else (
                wrong,
                sums["correct"],
            )
        )
        return laws.accuracy(*ends, prior=prior)
    if metric.needs in _PAIRS:
        first, second = metric.needs
        return laws.precision(sums[first], sums[second], prior=prior)
    counts = sums["tp"], sums["fp"], sums["fn"]
    if metric.beta is None:
        return laws.jaccard(*counts, prior=prior)
    if metric.beta == 1:
        return laws.f1(*counts, prior=prior)
    return laws.fbeta(*counts, beta=metric.beta, prior=prior)
