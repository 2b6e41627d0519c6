"""Friedman's test of several systems over several data sets."""

from dataclasses import dataclass, field
from math import exp, inf
from typing import Any

import numpy as np
from scipy import special

from likelier.errors import InputError
from likelier.score_tests.inputs import (
    FloatArray,
    IntArray,
    finite,
    levels,
    twice_ranks,
)


@dataclass(frozen=True, eq=False)
class Friedman:
    """How systems rank over data sets, and how odd that were if they were alike.

    Attributes
    ----------
    average_ranks
        Each system's mean rank over the data sets, 1 for the best.
    statistic
        Friedman's chi-square, corrected for ties.
    p_value
        Of the chi-square with k - 1 degrees of freedom; too large for few data sets.
    f_statistic
        Iman & Davenport's F; infinite where all data sets give the same ranks.
    f_p_value
        Of F with k - 1 and (k - 1)(N - 1) degrees of freedom. Where F is infinite,
        the exact chance of so full an agreement, as F's law would say 0.
    data_sets
        How many data sets there are, N.
    """

    average_ranks: FloatArray = field(repr=False)
    statistic: float
    p_value: float
    f_statistic: float
    f_p_value: float
    data_sets: int

    @property
    def systems(self) -> int:
        """How many systems there are, k."""
        return len(self.average_ranks)


def friedman(scores: Any, *, higher_is_better: bool = True) -> Friedman:
    """Test whether several systems rank alike over several data sets.

    Use this for three or more systems, before any pairs are compared. With two
    systems it is the sign test by the normal law: `wilcoxon` says more.

    Parameters
    ----------
    scores
        One row per data set, one column per system. Scores of a row that are closer
        than 1e-12 of its largest are equal, and share their ranks.
    higher_is_better
        Whether the largest score has rank 1.

    References
    ----------
    Demšar, 2006, https://jmlr.org/papers/v7/demsar06a.html;
    Iman & Davenport, 1980, doi:10.1080/03610928008827904.

    Examples
    --------
    >>> test = friedman([[0.7, 0.8, 0.9], [0.6, 0.7, 0.9], [0.5, 0.8, 0.7]])
    >>> test.average_ranks.round(3).tolist()
    [3.0, 1.667, 1.333]
    >>> round(test.statistic, 4), round(test.f_p_value, 4)
    (4.6667, 0.0494)
    """
    table = finite(scores, name="scores", ndim=2)
    n, k = table.shape
    if n < 2 or k < 2:
        needed = "at least 2 rows (data sets) and 2 columns (systems)"
        message = f"scores must have {needed}; got {n} and {k}."
        raise InputError(message)
    twice = _ranked(-table if higher_is_better else table)
    # In whole numbers, so that full agreement and no difference are seen as such.
    off = twice - (k + 1)
    between = sum(int(total) ** 2 for total in off.sum(axis=0))
    within = sum(int(square) for square in (off**2).sum(axis=1))
    chi2 = (k - 1) * between / within if within else 0.0
    f, f_p = _iman_davenport(between, within, twice)
    return Friedman(
        average_ranks=twice.sum(axis=0) / (2 * n),
        statistic=chi2,
        p_value=float(special.chdtrc(k - 1, chi2)),
        f_statistic=f,
        f_p_value=f_p,
        data_sets=n,
    )


def _ranked(table: FloatArray) -> IntArray:
    sizes = np.abs(table).max(axis=1, keepdims=True)
    return twice_ranks(levels(table / np.where(sizes > 0, sizes, 1.0)))


def _iman_davenport(between: int, within: int, twice: IntArray) -> tuple[float, float]:
    n, k = twice.shape
    rest = n * within - between
    if rest:
        f = (n - 1) * between / rest
        return f, float(special.fdtrc(k - 1, (k - 1) * (n - 1), f))
    if not within:
        return 0.0, 1.0
    _, ties = np.unique(twice[0], return_counts=True)
    orders = special.gammaln(k + 1) - special.gammaln(ties + 1).sum()
    return inf, exp(-(n - 1) * float(orders))
