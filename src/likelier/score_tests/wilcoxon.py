"""Wilcoxon's signed-rank test over data sets, exact with ties and zeros."""

from math import sqrt
from typing import Any

import numpy as np
from scipy import special

from likelier.distribution import Null
from likelier.errors import InputError
from likelier.score_tests.inputs import IntArray, finite, levels, size_of, twice_ranks

_MOST_STEPS = 200_000_000


def wilcoxon(differences: Any, *, scale: float = 1.0) -> Null:
    """Test over data sets whether the second system is as often better as worse.

    Use this for two systems on several independent data sets, with one mean
    difference each; larger differences count more, but only by their rank.

    Parameters
    ----------
    differences
        One difference per data set, second minus first.
    scale
        The size of the scores. Differences closer than 1e-12 of it (or of the largest
        difference, where that is larger) are equal: 0.1 + 0.2 - 0.3 is a zero.

    Notes
    -----
    Given the ranks each difference is as likely to be positive as negative, and the
    p-value is the share of all such signs with a rank sum at least as far out. It is
    counted exactly, with ties as average ranks, up to some 500 data sets; beyond that
    the normal law is used, with the exact variance and a continuity correction
    (``details["exact"]`` is then 0). ``scipy.stats.wilcoxon`` is exact with ties up to
    13 only.

    Zeros are ranked with the rest and then left out (Pratt 1959). Leaving them out
    first, as Wilcoxon did and scipy does by default, can make a result *more*
    significant when a difference shrinks to 0. Splitting the ranks of zeros between
    both sides (Demšar 2006) gives the same statistic, and so the same p-value.

    References
    ----------
    Demšar, 2006, https://jmlr.org/papers/v7/demsar06a.html;
    Pratt, 1959, doi:10.1080/01621459.1959.10501526.

    Examples
    --------
    >>> test = wilcoxon([0.02, 0.01, 0.03, 0.01, -0.01, 0.04])
    >>> test.statistic, test.p_value
    (17.0, 0.125)
    """
    values = finite(differences, name="differences", ndim=1)
    if not len(values):
        message = "differences must be those of at least 1 data set; got none."
        raise InputError(message)
    magnitudes = np.abs(values) / size_of(values, scale=scale)
    # The zero put in front makes what is as good as 0 level with it.
    level = levels(np.concatenate([[0.0], magnitudes]))[1:]
    twice = twice_ranks(level[np.newaxis])[0]
    steps, better = twice[level > 0], int(twice[(level > 0) & (values > 0)].sum())
    worse = int(steps.sum()) - better
    p, exact = _two_sided(steps, abs(better - worse))
    return Null(
        p_value=p,
        statistic=(better - worse) / 2,
        statistic_name="signed-rank sum",
        alternative="two-sided",
        details={
            "data sets": len(values),
            "equal": len(values) - len(steps),
            "ranks better": better / 2,
            "ranks worse": worse / 2,
            "exact": int(exact),
        },
    )


def _two_sided(steps: IntArray, seen: int) -> tuple[float, bool]:
    """Give P(|sum of signed steps| >= seen), and whether it is exact."""
    if seen == 0:
        return 1.0, True
    divisor = int(np.gcd.reduce(steps))
    steps, seen = steps // divisor, seen // divisor
    total = int(steps.sum())
    if total * len(steps) > _MOST_STEPS:
        z = (seen - 2 / divisor) / sqrt(float(steps @ steps))
        return float(2 * special.ndtr(-max(z, 0.0))), False
    share = np.zeros(total + 1)
    share[0], reached = 1.0, 0
    for step in np.sort(steps).tolist():
        share[: reached + 1] /= 2
        share[step : step + reached + 1] += share[: reached + 1].copy()
        reached += step
    # The sum is 2 x (what the positive steps reach) - total.
    return min(1.0, float(2 * share[(total + seen) // 2 :].sum())), True
