"""The density of no difference under the Dirichlet model, where it is finite.

That is for metrics whose difference is a gain: accuracy, recall, specificity. Where
the denominator depends on what the systems say, both scores go to 0 together as the
positive class grows rare, and the prior density of their difference at 0 is infinite.
"""

from collections.abc import Sequence

import numpy as np

from likelier._typing import FloatArray
from likelier.bayes_factor import LogDensity, equal_gains, equal_rates
from likelier.errors import NotDefinedError
from likelier.methods.items.cells import Cells
from likelier.methods.items.gain_density import Gains, density_at_zero
from likelier.metrics import Metric
from likelier.streams import Streams

_PURPOSES = {False: 4, True: 5}
_CROWDING = ("precision", "npv", "jaccard", "markedness")


def at_zero(cells: Sequence[Cells], streams: Streams, *, seen: bool) -> LogDensity:
    """Give the density of no difference at all.

    Parameters
    ----------
    cells
        Those of both systems together, or of each.
    streams
        Where importance draws come from.
    seen
        Whether the items were seen, or the prior is asked for.
    """
    metric = cells[0].seen_by
    check_point_null(metric)
    if any(one.prior == "bootstrap" for one in cells):
        message = "A point null must have a proper prior; bootstrap is none."
        raise NotDefinedError(message, hint="Use the prior uniform or objective.")
    gains = _gains(cells, seen=seen)
    if cells[0].prior == "uniform" and len(gains.lost) > len(cells):
        return density_at_zero(gains, streams, purpose=_PURPOSES[seen])
    lost, won, kept = gains.totals()
    if len(cells) == 1:
        return equal_gains(float(lost[0]), float(won[0]), float(kept[0]))
    return equal_rates((lost[0], won[0]), (won[1], lost[1]))


def check_point_null(metric: Metric) -> None:
    """Refuse metrics that have no point null, and say why."""
    if metric.linear and not metric.takes_scores:
        return
    hint = "Give a rope: its factor exists for every metric."
    base = metric.name.removeprefix("micro_")
    if base in _CROWDING or metric.beta is not None:
        message = (
            f"A point null of {metric.name} does not exist: as the positive class "
            "grows rare both scores go to 0 together, so the prior density of no "
            "difference is infinite."
        )
    else:
        message = (
            "A point null is offered for accuracy, error_rate, recall and "
            f"specificity; got {metric.name}."
        )
    raise NotDefinedError(message, hint=hint)


def _gains(cells: Sequence[Cells], *, seen: bool) -> Gains:
    """Sort the cells by gold class and by which system has them right."""
    parts = [
        _parameters(one, seen=seen, turned=len(cells) == 2 and place == 0)
        for place, one in enumerate(cells)
    ]
    lost, won, kept, shares = (np.concatenate(x) for x in zip(*parts, strict=True))
    group = np.repeat(np.arange(len(parts)), [len(part[0]) for part in parts])
    return Gains(lost, won, kept, shares, group)


def _parameters(
    cells: Cells, *, seen: bool, turned: bool
) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
    counts = cells.view.counts if seen else np.zeros(len(cells.mass))
    counted = _counted(cells)
    member = cells.member[:, counted @ cells.member > 0]
    right = cells.view.per_pattern(cells.seen_by.needs[0])
    if right.shape[1] == 1:  # a system on its own: right is won and wrong is lost
        right = np.hstack([1 - right, right])
    won, lost = right[:, 1] > right[:, 0], right[:, 1] < right[:, 0]
    if turned:
        won, lost = lost, won
    weight = (counts + cells.mass) * counted
    kept = ~(won | lost)
    return (
        (weight * lost) @ member,
        (weight * won) @ member,
        (weight * kept) @ member,
        counts @ member + cells.gold_mass,
    )


def _counted(cells: Cells) -> FloatArray:
    """Tell which cells the metric counts at all: recall, only the positive ones."""
    part, rest = cells.seen_by.needs
    if rest == "items":
        return np.ones(len(cells.mass))
    whole = cells.view.per_pattern(part) + cells.view.per_pattern(rest)
    return np.asarray(whole[:, 0] > 0, dtype=np.float64)
