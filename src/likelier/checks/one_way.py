"""LIK111: few items differ, all of them for the same system."""

from dataclasses import replace

import numpy as np

from likelier.findings import Finding
from likelier.formatting import plain
from likelier.metrics import Metric
from likelier.outcomes import Outcomes
from likelier.outcomes.table import FloatArray, IntArray

# So many items that all point one way leave less to chance than draws can show.
_ENOUGH = 16


def one_way(table: Outcomes, metric: Metric, *, observed_only: bool) -> Finding | None:
    """Remark a posterior that cannot doubt, since nothing was seen to the contrary.

    Parameters
    ----------
    table
        The outcomes of two systems, counted for what they are worth.
    metric
        The metric.
    observed_only
        Whether the posterior lets only observed patterns occur.
    """
    if not observed_only or len(table.systems) != 2:
        return None
    differing = _differing(table)
    units = float(table.counts[differing].sum())
    if not 0 < units < _ENOUGH or len(differing) > _ENOUGH * 4:
        return None
    gains = np.array([_gain(table, metric, int(place)) for place in differing])
    if not (gains > 0).all() and not (gains < 0).all():
        return None
    what = "clusters" if table.clustered else table.unit
    for_whom = plain(table.systems[int(gains[0] > 0)])
    message = (
        f"what differs is worth {units:.3g} {what}, all in favour of {for_whom}: "
        "what was never seen has no weight here, so the posterior is surer than that. "
        f"Of so few all the same way, chance would still have {0.5 ** (units + 1):.2g}."
    )
    return Finding("LIK111", message, "problem")


def _differing(table: Outcomes) -> IntArray:
    """Find the patterns on which the two systems differ."""
    half = table.rows.shape[1] // 2
    apart = abs(table.rows[:, :half] - table.rows[:, half:]).sum(axis=1)
    return np.flatnonzero((np.asarray(apart).ravel() > 0) & (table.counts > 0))


def _gain(table: Outcomes, metric: Metric, place: int) -> float:
    """Tell how far one pattern speaks for the second system."""
    alone = replace(
        table,
        rows=table.rows[[place]],
        counts=np.ones(1),
        sizes=table.sizes[[place]],
        strata=table.strata[[place]],
        labels=None if table.labels is None else table.labels[[place]],
    )
    gain = float(metric.differences(metric.observed(alone)))
    return gain or _fewer_errors(alone.cube()[0], table.statistics)


def _fewer_errors(cells: FloatArray, statistics: tuple[str, ...]) -> float:
    """Count by how many the second has fewer errors, where the metric is silent."""
    wrong = [i for i, name in enumerate(statistics) if name in ("fp", "fn")]
    errors = cells[..., wrong].sum(axis=(1, 2))
    return float(errors[0] - errors[1])
