"""Checks on the data and the method; each returns a finding or None."""

from dataclasses import replace

import numpy as np

from likelier._typing import FloatArray, IntArray
from likelier.data.outcomes import Outcomes
from likelier.data.scores import Scores
from likelier.distribution import Null
from likelier.findings import Finding
from likelier.formatting import listed, plain
from likelier.metrics.formulas import undefined_as
from likelier.metrics.metric import Metric

_ENOUGH = 30
_FEW_CLUSTERS = 10
_FEW_DATA_SETS = 5
_MANY_FOLDS = 10
# So many items that all favour one system leave less to chance than draws can show.
_ENOUGH_DIFFERING = 16
# An error that changes the digits that are printed.
_VISIBLE = 1e-3


def few_units(outcomes: Outcomes) -> Finding | None:
    """Check for fewer than 30 items, or clusters of them."""
    if outcomes.n_units >= _ENOUGH or outcomes.unit == "folds":
        return None
    count = f"{outcomes.n_units:g}"
    if not outcomes.clustered:
        message = (
            f"only {count} items: too few for a firm answer; the prior still has "
            "influence."
        )
        return Finding("LIK101", message)
    clusters = "1 cluster" if outcomes.n_units == 1 else f"{count} clusters"
    message = (
        f"only {clusters}: too few to tell how clusters differ; the interval is too "
        "narrow, and has no width where all are alike."
    )
    few = outcomes.n_units < _FEW_CLUSTERS
    return Finding("LIK101", message, severity="warning" if few else "note")


def undefined(outcomes: Outcomes, metric: Metric) -> Finding | None:
    """Check for systems whose metric is 0/0, which counts as 0."""
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
    return Finding("LIK102", message, severity="warning")


def identical(outcomes: Outcomes) -> Finding | None:
    """Check for two systems with equal statistics on every item."""
    if len(outcomes.systems) != 2:
        return None
    observed = outcomes.counts > 0
    first, second = (outcomes.only(system).rows[observed] for system in (0, 1))
    same = (first != second).nnz == 0
    if outcomes.labels is not None:
        labels = outcomes.labels[observed]
        same = same and (labels[:, 1] == labels[:, 2]).all()
    if not same:
        return None
    baseline, candidate = outcomes.systems
    message = f"{candidate} and {baseline} never differ: is one file given twice?"
    return Finding("LIK106", message, severity="warning")


def never_gold(outcomes: Outcomes) -> Finding | None:
    """Check for labels that a system predicts and no item has."""
    if outcomes.labels is None or outcomes.one_vs_rest:
        return None
    labels = outcomes.labels[outcomes.counts > 0]
    gold, predicted = labels[:, 0], labels[:, 1:]
    extra = sorted(set(np.unique(predicted)) - set(np.unique(gold)))
    if not extra:
        return None
    names = ", ".join(repr(outcomes.classes[code]) for code in extra[:5])
    more = f" and {len(extra) - 5} more" if len(extra) > 5 else ""
    message = f"predicted but never gold: {names}{more}. Are labels spelt alike?"
    never = any(not np.isin(column, gold).any() for column in predicted.T)
    return Finding("LIK107", message, severity="warning" if never else "note")


def one_gold_class(outcomes: Outcomes) -> Finding | None:
    """Check for data in which every item has the same gold label."""
    if outcomes.labels is None or not outcomes.negatives:
        return None
    gold = np.unique(outcomes.labels[outcomes.counts > 0, 0])
    if len(gold) > 1:
        return None
    message = "every item has the same gold label: nothing tells the classes apart."
    return Finding("LIK110", message, severity="warning")


def one_way(table: Outcomes, metric: Metric, *, observed_only: bool) -> Finding | None:
    """Check for a posterior that is too sure, since nothing contrary was observed.

    Parameters
    ----------
    table
        The outcomes of two systems, with their effective counts.
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
    gains = np.array([_gain(table, metric, int(row)) for row in differing])
    if not (gains > 0).all() and not (gains < 0).all():
        return None
    what = "clusters" if table.clustered else table.unit
    favoured = plain(table.systems[int(gains[0] > 0)])
    message = (
        f"what differs amounts to {units:.3g} {what}, all in favour of {favoured}: "
        "what was never seen has no weight here, so the posterior is too sure. "
        "Counting signs alone, the other system would still be the better one with a "
        f"probability of {0.5 ** (units + 1):.2g}."
    )
    return Finding("LIK111", message, "warning")


def _differing(table: Outcomes) -> IntArray:
    """Return the patterns on which the two systems differ."""
    half = table.rows.shape[1] // 2
    distance = abs(table.rows[:, :half] - table.rows[:, half:]).sum(axis=1)
    return np.flatnonzero((np.asarray(distance).ravel() > 0) & (table.counts > 0))


def _gain(table: Outcomes, metric: Metric, row: int) -> float:
    """Return how far one pattern favours the second system."""
    alone = replace(
        table,
        rows=table.rows[[row]],
        counts=np.ones(1),
        sizes=table.sizes[[row]],
        strata=table.strata[[row]],
        labels=None if table.labels is None else table.labels[[row]],
    )
    gain = float(metric.differences(metric.observed(alone)))
    return gain or _fewer_errors(alone.cube()[0], table.statistics)


def _fewer_errors(cells: FloatArray, statistics: tuple[str, ...]) -> float:
    """Count how many errors fewer the second system has, where the metric is equal."""
    wrong = [i for i, name in enumerate(statistics) if name in ("fp", "fn")]
    errors = cells[..., wrong].sum(axis=(1, 2))
    return float(errors[0] - errors[1])


def unresolved(*, requested: bool, computed: bool) -> Finding | None:
    """Report a Bayes factor of the rope that is missing for want of draws."""
    if not requested or computed:
        return None
    message = (
        "the draws are too few to give a Bayes factor of this rope: hardly any of the "
        "prior's lie inside, or outside."
    )
    return Finding("LIK109", message)


def direction(null: Null) -> Finding | None:
    """Check for a one-sided test in the direction that the data show."""
    if null.alternative != "as-observed":
        return None
    message = (
        "the published test: one-sided in the direction observed, and it leaves out "
        "ties. Without a direction fixed beforehand it errs more than twice as often "
        "as its level says, with few items four times; randomization does not."
    )
    return Finding("LIK105", message)


def many_folds(scores: Scores) -> Finding | None:
    """Check for so many folds in one run that they may be something else."""
    names = [
        dataset.name
        for dataset in scores.datasets
        if dataset.runs == 1
        and dataset.folds > _MANY_FOLDS
        and dataset.test_share == 1 / dataset.folds
    ]
    if not names:
        return None
    message = (
        f"more than {_MANY_FOLDS} folds in one run on {listed(names)} are taken for "
        "one cross-validation; for repeated runs give the run, for random splits the "
        "share of items tested."
    )
    return Finding("LIK133", message)


def rough_quadrature(error: float, tolerance: float) -> Finding | None:
    """Check for a quadrature that missed its tolerance."""
    if error <= tolerance:
        return None
    message = (
        f"the estimated error of the probabilities is {error:.1e}, more than the "
        f"{tolerance:g} aimed at: is a data set far from all others?"
    )
    visible = error > _VISIBLE
    return Finding("LIK134", message, severity="warning" if visible else "note")


def never_differ(scores: Scores) -> Finding | None:
    """Check for two systems with the same score on every fold."""
    if any(gap.any() for gap in scores.differences()):
        return None
    baseline, candidate = scores.systems
    message = f"{candidate} and {baseline} have the same score on every fold."
    return Finding("LIK106", message, severity="warning")


def constant_folds(scores: Scores) -> Finding | None:
    """Check for data sets whose folds all differ by the same amount."""
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
    """Check for a mean over data sets whose sign most data sets do not have."""
    gaps = np.array([gap.mean() for gap in scores.differences()])
    most = np.sign(gaps).sum()
    if most * gaps.mean() >= 0:
        return None
    message = (
        f"most data sets point one way and the mean difference, {gaps.mean():+.3g}, "
        "the other: signs and ranks count data sets, the mean follows the largest."
    )
    return Finding("LIK132", message, severity="warning")


def few_data_sets(scores: Scores, *, certain: bool) -> Finding | None:
    """Check for so few data sets that the prior of their spread decides."""
    count = len(scores.datasets)
    if count >= _FEW_DATA_SETS:
        return None
    if certain:
        message = (
            f"{count} data sets are too few for signs or ranks: where they all point "
            "one way the probability is near 1 by construction."
        )
        return Finding("LIK131", message, severity="warning")
    message = (
        f"{count} data sets say little of how data sets differ: even a clear winner "
        "stays below certainty, since the next data set may be quite another."
    )
    return Finding("LIK131", message)
