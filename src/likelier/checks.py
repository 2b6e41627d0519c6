"""Checks on the data and the method; each gives a finding or nothing."""

from dataclasses import replace

import numpy as np

from likelier._typing import FloatArray, IntArray
from likelier.data.outcomes import Outcomes
from likelier.data.scores import Scores
from likelier.distribution import Null
from likelier.findings import Finding
from likelier.formatting import listed, plain
from likelier.metrics import Metric
from likelier.metrics.formulas import undefined_as

CODES = {
    "LIK101": "few items or clusters",
    "LIK102": "a metric is 0/0",
    "LIK103": "a file may be cut off",
    "LIK105": "a p-value's direction was read off the data",
    "LIK106": "the systems never differ",
    "LIK107": "labels predicted but never gold",
    "LIK108": "too many cells for a prior on each",
    "LIK109": "draws too few for a Bayes factor of the rope",
    "LIK110": "one gold class only",
    "LIK111": "few items differ, all of them the same way",
    "LIK120": "blocks or folds are not even",
    "LIK121": "blocks dealt without regard to classes",
    "LIK122": "folds have unequal numbers of gold items",
    "LIK123": "systems have different gold items in one fold",
    "LIK130": "folds that all differ by the same amount",
    "LIK131": "few data sets for their population",
    "LIK132": "the mean points another way than most data sets",
    "LIK133": "many folds in one run",
    "LIK134": "quadrature less exact than asked for",
    "LIK140": "damaged results in a store",
    "LIK141": "folds were run with different versions",
    "LIK142": "a metric is not defined on some folds",
}


_ENOUGH = 30
_FEW_CLUSTERS = 10


def few_units(outcomes: Outcomes) -> Finding | None:
    """Remark fewer than 30 items, or clusters of them."""
    if outcomes.n_units >= _ENOUGH or outcomes.unit == "folds":
        return None
    count = f"{outcomes.n_units:g}"
    if not outcomes.clustered:
        message = (
            f"only {count} items: too few for a firm answer; the prior still weighs in "
            "it."
        )
        return Finding("LIK101", message)
    clusters = "1 cluster" if outcomes.n_units == 1 else f"{count} clusters"
    message = (
        f"only {clusters}: too few to tell how clusters differ; the interval is too "
        "narrow, and has no width where all are alike."
    )
    few = outcomes.n_units < _FEW_CLUSTERS
    return Finding("LIK101", message, severity="problem" if few else "note")


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


def identical(outcomes: Outcomes) -> Finding | None:
    """Remark two systems with equal statistics on every item."""
    if len(outcomes.systems) != 2:
        return None
    seen = outcomes.counts > 0
    first, second = (outcomes.only(place).rows[seen] for place in (0, 1))
    same = (first != second).nnz == 0
    if outcomes.labels is not None:
        labels = outcomes.labels[seen]
        same = same and (labels[:, 1] == labels[:, 2]).all()
    if not same:
        return None
    baseline, candidate = outcomes.systems
    message = f"{candidate} and {baseline} never differ: is one file given twice?"
    return Finding("LIK106", message, severity="problem")


def never_gold(outcomes: Outcomes) -> Finding | None:
    """Remark labels that a system predicts and no item has."""
    if outcomes.labels is None or outcomes.one_vs_rest:
        return None
    seen = outcomes.labels[outcomes.counts > 0]
    extra = sorted(set(np.unique(seen[:, 1:])) - set(np.unique(seen[:, 0])))
    if not extra:
        return None
    names = ", ".join(repr(outcomes.classes[code]) for code in extra[:5])
    more = f" and {len(extra) - 5} more" if len(extra) > 5 else ""
    message = f"predicted but never gold: {names}{more}. Are labels spelt alike?"
    gold = np.unique(seen[:, 0])
    none = any(not np.isin(column, gold).any() for column in seen[:, 1:].T)
    return Finding("LIK107", message, severity="problem" if none else "note")


def one_gold_class(outcomes: Outcomes) -> Finding | None:
    """Remark data in which every item has the same gold label."""
    if outcomes.labels is None or not outcomes.negatives:
        return None
    gold = np.unique(outcomes.labels[outcomes.counts > 0, 0])
    if len(gold) > 1:
        return None
    message = "every item has the same gold label: nothing tells the classes apart."
    return Finding("LIK110", message, severity="problem")


# So many items that all point one way leave less to chance than draws can show.
_ENOUGH_DIFFERING = 16


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
    if not 0 < units < _ENOUGH_DIFFERING or len(differing) > _ENOUGH_DIFFERING * 4:
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


def many_cells(cells: int | None) -> Finding | None:
    """Remark that only observed patterns can occur, since there are so many."""
    if cells is None:
        return None
    message = (
        f"{cells:,} patterns are possible, too many for a prior on each: the "
        "bootstrap prior is used, which lets only observed ones occur."
    )
    return Finding("LIK108", message)


def unresolved(*, asked: bool, given: bool) -> Finding | None:
    """Remark a factor of the rope that is missing for want of draws."""
    if not asked or given:
        return None
    message = (
        "the draws are too few to give a Bayes factor of this rope: hardly any of the "
        "prior's lie inside, or outside."
    )
    return Finding("LIK109", message)


def direction(null: Null) -> Finding | None:
    """Remark a test of the direction that happened to show."""
    if null.alternative != "as-observed":
        return None
    message = (
        "the published test: one-sided in the direction observed, and it leaves out "
        "ties. Without a direction fixed beforehand it errs more than twice as often "
        "as its level says, with few items four times; randomization does not."
    )
    return Finding("LIK105", message)


_FEW = 5
_MANY = 10
# An error that is seen in the digits that are shown.
_SEEN = 1e-3


def many_folds(scores: Scores) -> Finding | None:
    """Remark so many folds in one run that they may be something else."""
    names = [
        dataset.name
        for dataset in scores.datasets
        if dataset.runs == 1
        and dataset.folds > _MANY
        and dataset.test_share == 1 / dataset.folds
    ]
    if not names:
        return None
    message = (
        f"more than {_MANY} folds in one run on {listed(names)} are taken for one "
        "cross-validation; for repeated runs give the run, for random splits the share "
        "of items tested."
    )
    return Finding("LIK133", message)


def rough_quadrature(error: float, tolerance: float) -> Finding | None:
    """Remark a quadrature that did not get as far as it should."""
    if error <= tolerance:
        return None
    message = (
        f"the estimated error of the probabilities is {error:.1e}, more than the "
        f"{tolerance:g} aimed at: is a data set far from all others?"
    )
    seen = error > _SEEN
    return Finding("LIK134", message, severity="problem" if seen else "note")


def never_differ(scores: Scores) -> Finding | None:
    """Remark two systems with the same score on every fold."""
    if any(gap.any() for gap in scores.differences()):
        return None
    baseline, candidate = scores.systems
    message = f"{candidate} and {baseline} have the same score on every fold."
    return Finding("LIK106", message, severity="problem")


def constant_folds(scores: Scores) -> Finding | None:
    """Remark data sets whose folds all differ by the same amount."""
    pairs = zip(scores.datasets, scores.differences(), strict=True)
    names = [d.name for d, gap in pairs if d.folds > 1 and np.ptp(gap) == 0]
    if not names:
        return None
    message = (
        f"all folds differ by the same amount on {listed(names)}: the difference is "
        "taken as known only to the resolution of the scores."
    )
    return Finding("LIK130", message)


def mean_disagrees(scores: Scores) -> Finding | None:
    """Remark a mean over data sets that points where most data sets do not."""
    gaps = np.array([gap.mean() for gap in scores.differences()])
    most = np.sign(gaps).sum()
    if most * gaps.mean() >= 0:
        return None
    message = (
        f"most data sets point one way and the mean difference, {gaps.mean():+.3g}, "
        "the other: signs and ranks count data sets, the largest rule the mean."
    )
    return Finding("LIK132", message, severity="problem")


def few_data_sets(scores: Scores, *, certain: bool) -> Finding | None:
    """Remark so few data sets that the prior of their spread decides."""
    count = len(scores.datasets)
    if count >= _FEW:
        return None
    if certain:
        message = (
            f"{count} data sets are too few for signs or ranks: where they all point "
            "one way the probability is near 1 by construction."
        )
        return Finding("LIK131", message, severity="problem")
    message = (
        f"{count} data sets say little of how data sets differ: even a clear winner "
        "stays below certainty, since the next data set may be quite another."
    )
    return Finding("LIK131", message)
