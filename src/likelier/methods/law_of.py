"""Which metrics have an exact law given counts, and which law that is."""

from likelier import laws
from likelier.laws import Law
from likelier.metrics import Metric
from likelier.outcomes import Outcomes


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


def law_of(outcomes: Outcomes, metric: Metric, *, prior: float) -> Law:
    """Give the law of the metric of one system."""
    sums = {
        name: float(value.reshape(-1)[0])
        for name, value in metric.view(outcomes).sums().items()
    }
    return _law(metric, sums, prior)


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
