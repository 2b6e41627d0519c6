"""LIK106 for scores, LIK130 and LIK131: folds that do not vary, few data sets."""

import numpy as np

from likelier.findings import Finding
from likelier.formatting import listed
from likelier.scores import Scores

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
