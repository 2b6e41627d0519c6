"""Generic units: one system right and the others wrong, where nothing else tells.

The priors swap and extremes imagine them where no unit shows how systems may differ.
"""

from dataclasses import replace

import numpy as np
from scipy import sparse

from likelier._typing import FloatArray
from likelier.data.outcomes import Outcomes
from likelier.data.ranked_outcomes import RankedOutcomes
from likelier.metrics.group_mean import GroupMean
from likelier.metrics.metric import Metric

# Slopes that differ by less than this part of the largest are the same.
_ALIKE = 1e-7


def generic_rows(view: Outcomes, metric: Metric) -> sparse.csr_array:
    """Make a generic unit of each pattern: the first system right, the others wrong."""
    if isinstance(view, RankedOutcomes):
        return view.right_and_wrong()
    if isinstance(metric, GroupMean):
        own = metric.of_group
        return metric.grouped(view).with_rows(lambda group: generic_rows(group, own))
    cube = view.cube()
    rows = np.zeros_like(cube)
    if not view.of_labels and not _is_mean(metric):
        rows[:] = _best_and_worst(view, metric)
    elif "score" in view.statistics:
        right, wrong = _ends(view, metric)
        rows[:, 0, 0, 0] = right * view.sizes
        rows[:, 1:, 0, 0] = wrong * view.sizes[:, np.newaxis]
    else:
        at = {name: i for i, name in enumerate(view.statistics)}
        gold = cube[..., at["tp"]] + cube[..., at["fn"]]
        rows[:, :1, :, at["tp"]] = gold[:, :1]
        rows[:, 1:, :, at["fn"]] = gold[:, 1:]
        rows[:, 1:, :, at["fp"]] = _wrongly_predicted(view, gold[:, 1:])
        if "correct" in at:
            rows[:, 0, 0, at["correct"]] = view.sizes
    return sparse.csr_array(rows.reshape(len(rows), -1))


def _is_mean(metric: Metric) -> bool:
    """Return whether a score itself is on the scale of the metric."""
    mean = metric.linear and metric.statistics == ("score", "items")
    return mean or metric.average == "samples"


def _best_and_worst(view: Outcomes, metric: Metric) -> FloatArray:
    """Return what the first system adds, and what the others do (pattern, …).

    The first does as on the unit that raises the metric most, of all units and systems
    seen, and the others as on the one that lowers it most. Where all are alike, each
    statistic goes to the end of its own scale that the metric says is better, or worse.
    """
    rows = view.cube() / view.sizes[:, np.newaxis, np.newaxis, np.newaxis]
    seen = rows[view.counts > 0] if (view.counts > 0).any() else rows
    units = np.unique(seen.reshape(-1, *rows.shape[2:]), axis=0)
    slopes = _slopes(view, metric, units)
    if len(units) and np.ptp(slopes) > _ALIKE * np.abs(slopes).max(initial=0.0):
        best, worst = units[slopes.argmax()], units[slopes.argmin()]
    else:
        best, worst = _ends_of_each(view, metric, units)
    both = np.stack([best, *[worst] * (rows.shape[1] - 1)])
    return both * view.sizes[:, np.newaxis, np.newaxis, np.newaxis]


def _slopes(view: Outcomes, metric: Metric, units: FloatArray) -> FloatArray:
    """Return how far one more unit would raise the metric of any system."""
    same = np.repeat(units[:, np.newaxis], len(view.systems), axis=1)
    added = replace(
        view,
        rows=sparse.csr_array(same.reshape(len(units), -1)),
        counts=np.zeros(len(units)),
        sizes=np.ones(len(units)),
        strata=np.zeros(len(units), dtype=np.int64),
        labels=None,
    )
    slopes = metric.influence(metric.view(view), metric.view(added))
    return np.asarray(metric.oriented(slopes).mean(axis=1))


def _ends_of_each(
    view: Outcomes, metric: Metric, units: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Return the better and the worse end of each statistic's own scale."""
    unit = units[0]
    best, worst = unit.copy(), unit.copy()
    nothing = _slopes(view, metric, np.zeros((1, *unit.shape)))[0]
    for index in np.ndindex(unit.shape):
        low, high = _scale(unit[index], unit[index])
        one = np.zeros((1, *unit.shape))
        one[0][index] = 1.0
        slope = _slopes(view, metric, one)[0] - nothing
        if slope:
            best[index], worst[index] = (high, low) if slope > 0 else (low, high)
    return best, worst


def _scale(low: float, high: float) -> tuple[float, float]:
    """Return the ends of the scale of numbers that were seen."""
    if low >= 0 and high <= 1:
        return 0.0, 1.0
    if low == high:  # nothing else tells how large a difference may be
        return low - abs(low), high + abs(high)
    return low, high


def _ends(view: Outcomes, metric: Metric) -> tuple[float, float]:
    """Return the best and the worst score: of the scale, else of those seen."""
    scores = view.rows.data / np.repeat(view.sizes, np.diff(view.rows.indptr))
    stored = view.rows.nnz == view.rows.shape[0] * view.rows.shape[1]
    seen = scores if stored else np.append(scores, 0.0)  # zeros are not stored
    low, high = _scale(seen.min(), seen.max())
    if np.isfinite(metric.bounds).all():
        low, high = metric.bounds
    return (high, low) if metric.higher_is_better else (low, high)


def _wrongly_predicted(view: Outcomes, gold: FloatArray) -> FloatArray:
    """Return what a system predicts that gets every item wrong, class by class."""
    if len(view.classes) > 1:
        # A class that another system invented must not change the law of this one.
        classes = view.occurring
        others = (gold.sum(axis=2, keepdims=True) - gold) * classes
        return np.asarray(others / max(classes.sum() - 1, 1))
    if view.one_vs_rest and view.negatives:
        return np.asarray(view.sizes[:, np.newaxis, np.newaxis] - gold)
    return gold
