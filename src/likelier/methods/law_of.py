"""Which metrics have an exact law given counts, and which law that is."""

import numpy as np

from likelier import laws
from likelier.laws import Law
from likelier.metrics import Metric, rates
from likelier.outcomes import Outcomes


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


_PAIRS = (rates.precision, rates.recall, rates.specificity, rates.npv)
_KNOWN = (*_PAIRS, rates.accuracy, rates.error_rate, rates.jaccard)


def law_of(outcomes: Outcomes, metric: Metric, *, prior: float) -> Law:
    """Give the law of the metric of one system."""
    sums = {
        name: float(value.reshape(-1)[0])
        for name, value in metric.view(outcomes).sums().items()
    }
    return _law(metric, sums, prior)


def _law(metric: Metric, sums: dict[str, float], prior: float) -> Law:
    if metric.rate in (rates.accuracy, rates.error_rate):
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
