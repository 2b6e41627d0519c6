"""Nemenyi's test of all pairs, after Friedman's."""

from dataclasses import dataclass, field
from math import sqrt

import numpy as np

from likelier.score_tests.friedman import Friedman
from likelier.score_tests.inputs import FloatArray, error_rate
from likelier.score_tests.ranges import range_quantile, range_tail


@dataclass(frozen=True, eq=False)
class Nemenyi:
    """Which pairs of systems differ in average rank; what a diagram of them shows.

    Attributes
    ----------
    critical_difference
        How far apart two average ranks must be to differ.
    p_values
        For each pair (row, column); 1 on the diagonal.
    groups
        The largest sets of systems, as columns from the best to the worst, whose
        average ranks all lie within less than the critical difference. Each system is
        in at least one; one that differs from all others is a group by itself.
    alpha
        The rate of any false difference among all pairs.
    """

    critical_difference: float
    p_values: FloatArray = field(repr=False)
    groups: tuple[tuple[int, ...], ...]
    alpha: float


def nemenyi(test: Friedman, *, alpha: float = 0.05) -> Nemenyi:
    """Compare all pairs of systems by their average ranks.

    Use this for the critical-difference diagram, once Friedman's test says that the
    systems differ. The answer for a pair depends on the other systems in the table
    (Benavoli et al. 2016); pairwise `wilcoxon` with `holm` does not.

    Parameters
    ----------
    test
        Friedman's test of the scores.
    alpha
        The rate of any false difference among all pairs.

    References
    ----------
    Demšar, 2006, https://jmlr.org/papers/v7/demsar06a.html;
    Benavoli et al., 2016, https://jmlr.org/papers/v17/benavoli16a.html.

    Examples
    --------
    >>> from likelier.score_tests import friedman
    >>> scores = [[0.7, 0.8, 0.9]] * 5
    >>> pairs = nemenyi(friedman(scores))
    >>> round(pairs.critical_difference, 3), pairs.groups
    (1.482, ((2, 1), (1, 0)))
    """
    rate, ranks, k = error_rate(alpha), test.average_ranks, test.systems
    # The range of k normal numbers is measured in the error of one rank, not of two.
    error = sqrt(k * (k + 1) / (12 * test.data_sets))
    distances, pair = np.unique(
        np.abs(ranks[:, np.newaxis] - ranks), return_inverse=True
    )
    tails = np.array([range_tail(q / error, k) for q in distances.tolist()])
    critical = range_quantile(rate, k) * error
    return Nemenyi(critical, tails[pair], _groups(ranks, critical), rate)


def _groups(ranks: FloatArray, critical: float) -> tuple[tuple[int, ...], ...]:
    order = np.argsort(ranks, kind="stable")
    ends = np.searchsorted(ranks[order], ranks[order] + critical, side="left")
    # A run that ends where the one before it ends lies inside that one.
    starts = np.flatnonzero(np.diff(ends, prepend=0))
    return tuple(tuple(order[start : ends[start]].tolist()) for start in starts)
