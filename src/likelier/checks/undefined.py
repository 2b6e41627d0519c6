"""LIK102: a metric divides 0 by 0 on the data as they are."""

import numpy as np

from likelier.findings import Finding
from likelier.formatting import plain
from likelier.metrics import Metric
from likelier.metrics.rates import undefined_as
from likelier.outcomes import Outcomes


def undefined(outcomes: Outcomes, metric: Metric) -> Finding | None:
    """Remark systems whose metric rests on 0/0, which counts as 0."""
    with undefined_as(float("nan")):
        values = metric.observed(outcomes)
    names = [
        plain(name)
        for name, value in zip(outcomes.systems, values, strict=True)
        if np.isnan(value)
    ]
    if not names:
        return None
    message = f"{metric.name} rests on 0/0, counted as 0, for {', '.join(names)}."
    return Finding("LIK102", message, severity="problem")
