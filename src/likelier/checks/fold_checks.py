"""Checks on scores of folds and on the integrals of the hierarchical model."""

import numpy as np

from likelier.data.scores import Scores
from likelier.decision import EVERY
from likelier.findings import Finding
from likelier.formatting import listed

_FEW_DATA_SETS = 5
_MANY_FOLDS = 10
# An error that changes the digits that are printed.
_VISIBLE = 1e-3


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
    if error <= _VISIBLE:
        return Finding("LIK134", message)
    reason = "the probabilities are not exact enough"
    return Finding("LIK134", message, "block", reason, blocks=EVERY)


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
