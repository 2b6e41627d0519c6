"""LIK102: a metric divides 0 by 0 on the data as they are."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from likelier.findings import Finding
from likelier.metrics import Metric
from likelier.outcomes import Outcomes, Sums

_MARGINS = (("tp", "fp"), ("tp", "fn"), ("tn", "fp"), ("tn", "fn"))


def undefined(outcomes: Outcomes, metric: Metric) -> Finding | None:
    """Remark systems whose metric is 0/0, which counts as 0."""
    if "items" in metric.needs or metric.average == "samples":
        return None
    view = metric.view(outcomes)
    counted = view.present if metric.average == "macro" else np.ones(view.shape[:2])
    missing = [
        f"{system} ({name})" if len(view.classes) > 1 else system
        for system, name in _empty(view, metric, counted.astype(bool))
    ]
    if not missing:
        return None
    more = f" and {len(missing) - 5} more" if len(missing) > 5 else ""
    message = f"{metric.name} is 0/0, counted as 0, for {', '.join(missing[:5])}{more}."
    return Finding("LIK102", message, severity="problem")


def _empty(
    view: Outcomes, metric: Metric, counted: NDArray[np.bool_]
) -> Iterator[tuple[str, str]]:
    empty = _zero_wholes(view.sums(), metric) & counted
    for i, j in zip(*np.nonzero(empty), strict=True):
        yield view.systems[i], view.classes[j]


def _zero_wholes(sums: Sums, metric: Metric) -> NDArray[np.bool_]:
    if len(metric.needs) < 4:
        return np.asarray(sum(sums[name] for name in metric.needs) == 0)
    if metric.formula is not None and "tn" not in sums:
        return np.zeros(sums["tp"].shape, dtype=bool)
    wholes = [sums[a] + sums[b] == 0 for a, b in _MARGINS]
    return np.asarray(np.logical_or.reduce(wholes))
