"""Density of no difference under the Dirichlet model, where it is finite.

That is for metrics whose difference is a gain: accuracy, recall, specificity. Where
the denominator depends on the predictions, both scores go to 0 together as the
positive class grows rare, and the prior density of their difference at 0 is infinite.
"""

from collections.abc import Sequence

import numpy as np

from likelier._typing import FloatArray
from likelier.bayes_factor import LogDensity
from likelier.errors import NotDefinedError
from likelier.methods.items.dirichlet_cells import PROPER, DirichletCells
from likelier.methods.items.gain_density import GainParameters, density_at_zero
from likelier.metrics.metric import Metric
from likelier.streams import Streams

_PRIOR_PURPOSE, _POSTERIOR_PURPOSE = 4, 5
# Metrics whose values go to 0 together as the positive class grows rare.
_VANISHING = ("precision", "npv", "jaccard", "markedness")


def log_density_at_zero(
    cells: Sequence[DirichletCells], metric: Metric, streams: Streams, *, prior: bool
) -> LogDensity:
    """Return the density of no difference at all.

    Parameters
    ----------
    cells
        Those of both systems together, or of each, as the metric sees them.
    metric
        The metric.
    streams
        Source of importance draws.
    prior
        Whether to take the prior in place of the posterior.
    """
    check_point_null(metric)
    if any(one.prior not in PROPER for one in cells):
        message = f"A point null must have a proper prior; {cells[0].prior} is none."
        raise NotDefinedError(message, hint="Use the prior uniform or objective.")
    gains = _gains(cells, metric, prior=prior)
    if cells[0].prior == "uniform" and len(gains.lost) > len(cells):
        purpose = _PRIOR_PURPOSE if prior else _POSTERIOR_PURPOSE
        return density_at_zero(gains, streams, purpose=purpose)
    return gains.pooled_density()


def check_point_null(metric: Metric) -> None:
    """Refuse metrics that have no point null, with the reason."""
    if metric.linear and not metric.takes_scores:
        return
    hint = "Give a rope: its factor exists for every metric."
    base = metric.name.removeprefix("micro_")
    if base in _VANISHING or metric.beta is not None:
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


def _gains(
    cells: Sequence[DirichletCells], metric: Metric, *, prior: bool
) -> GainParameters:
    """Sort the cells by gold class and by which system has them right."""
    parts = [_parameters(one, metric, prior=prior) for one in cells]
    if len(parts) == 2:  # what the first system has right speaks against the second
        lost, won, tied, shares = parts[0]
        parts[0] = won, lost, tied, shares
    lost, won, tied, shares = (np.concatenate(x) for x in zip(*parts, strict=True))
    group = np.repeat(np.arange(len(parts)), [len(part[0]) for part in parts])
    return GainParameters(lost, won, tied, shares, group)


def _parameters(
    cells: DirichletCells, metric: Metric, *, prior: bool
) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
    """Add up what is lost, won and tied in each gold class, and its items."""
    counts = cells.counts(prior=prior)
    counted = _counted(cells, metric)
    member = cells.member[:, counted @ cells.member > 0]
    right = cells.view.per_pattern(metric.statistics[0])
    if right.shape[1] == 1:  # a system on its own: right is won and wrong is lost
        right = np.hstack([1 - right, right])
    won, lost = right[:, 1] > right[:, 0], right[:, 1] < right[:, 0]
    weight = (counts + cells.mass) * counted
    return (
        (weight * lost) @ member,
        (weight * won) @ member,
        (weight * ~(won | lost)) @ member,
        counts @ member + cells.gold_mass,
    )


def _counted(cells: DirichletCells, metric: Metric) -> FloatArray:
    """Mark the cells that the metric counts at all: for recall the positive ones."""
    part, rest = metric.statistics
    if rest == "items":
        return np.ones(len(cells.mass))
    whole = cells.view.per_pattern(part) + cells.view.per_pattern(rest)
    return np.asarray(whole[:, 0] > 0, dtype=np.float64)
