"""P-values of many systems or data sets: Friedman, Nemenyi, Holm, replicability."""

from dataclasses import dataclass, field
from math import exp, inf, sqrt
from typing import Any

import numpy as np
from scipy import special

from likelier._typing import FloatArray, IntArray
from likelier.errors import InputError, SettingError
from likelier.methods.folds.fold_tests import finite, is_number, levels, twice_ranks

_STEP = 0.05
_EDGE = 9.0
# Beyond it the tail is less than the least float.
_FAR = 54.0


def range_tail(q: float, k: int) -> float:
    """Return P(range of k standard normal numbers > q), right in the far tail too.

    Parameters
    ----------
    q
        The range, at least 0.
    k
        The number of normal numbers, at least 2.

    Notes
    -----
    With z the largest number the tail is the integral of
    k phi(z) (Phi(z)^(k-1) - (Phi(z) - Phi(z-q))^(k-1)): every term is positive, while
    ``scipy.stats.studentized_range.sf`` is 1 - cdf and has no digit left at 1e-16. The
    trapezoidal rule is exact to the last digits for so smooth an integrand.

    Examples
    --------
    >>> round(range_tail(3.633, 4), 4)
    0.05
    """
    if q == 0 or q > _FAR:
        return float(q == 0)
    z = np.arange(-_EDGE, q + _EDGE, _STEP)
    log_below = special.log_ndtr(z)
    too_low = np.exp(special.log_ndtr(z - q) - log_below)
    some_too_low = -np.expm1(special.xlog1py(k - 1, -np.minimum(too_low, 1.0)))
    log_density = (k - 1) * log_below - z**2 / 2 - np.log(2 * np.pi) / 2
    return min(1.0, float(k * _STEP * (np.exp(log_density) * some_too_low).sum()))


def range_quantile(alpha: float, k: int) -> float:
    """Return the range of k standard normal numbers exceeded with rate alpha.

    Examples
    --------
    >>> round(range_quantile(0.05, 4), 3)
    3.633
    """
    from scipy.optimize import brentq

    solved = brentq(lambda q: range_tail(q, k) - alpha, 0.0, _FAR, xtol=1e-13)
    return float(solved)


def _checked_p_values(values: Any) -> FloatArray:
    array = finite(values, name="p-values", ndim=1)
    outside = np.flatnonzero((array < 0) | (array > 1))
    if len(outside):
        first = int(outside[0])
        message = f"p-values must be within 0 and 1; got {array[first]} at {first}."
        raise InputError(message)
    if not len(array):
        message = "p-values must be at least one; got none."
        raise InputError(message)
    return array


def _checked_alpha(alpha: float) -> float:
    if not (is_number(alpha) and 0 < alpha < 1):
        message = f"alpha must be a number between 0 and 1; got {alpha!r}."
        raise SettingError(message)
    return float(alpha)


def holm(p_values: Any) -> FloatArray:
    """Adjust p-values so that the rate of any false finding is controlled.

    Use this for a few comparisons of which none may be wrong, however they depend on
    each other. A comparison is a finding where its adjusted p-value is at most alpha.

    Parameters
    ----------
    p_values
        The p-values; the adjusted ones come in the same order.

    References
    ----------
    Holm, 1979, https://www.jstor.org/stable/4615733.

    Examples
    --------
    >>> holm([0.03, 0.01, 0.02])
    array([0.04, 0.03, 0.04])
    """
    p = _checked_p_values(p_values)
    order = np.argsort(p, kind="stable")
    factors = np.arange(len(p), 0, -1)
    adjusted = np.empty_like(p)
    adjusted[order] = np.maximum.accumulate(factors * p[order])
    return np.minimum(adjusted, 1.0)


def benjamini_hochberg(p_values: Any) -> FloatArray:
    """Adjust p-values so that the share of false ones among the findings is controlled.

    Use this for many comparisons of which some may be wrong. It holds for independent
    and for positively dependent comparisons.

    Parameters
    ----------
    p_values
        The p-values; the adjusted ones come in the same order.

    References
    ----------
    Benjamini & Hochberg, 1995, doi:10.1111/j.2517-6161.1995.tb02031.x.

    Examples
    --------
    >>> benjamini_hochberg([0.03, 0.01, 0.02, 0.5])
    array([0.04, 0.04, 0.04, 0.5 ])
    """
    p = _checked_p_values(p_values)
    n = len(p)
    largest_first = np.argsort(-p, kind="stable")
    factors = n / np.arange(n, 0, -1)
    adjusted = np.empty_like(p)
    # The largest one has the factor 1, and none may exceed it: no need for a cap.
    adjusted[largest_first] = np.minimum.accumulate(factors * p[largest_first])
    return adjusted


@dataclass(frozen=True, eq=False)
class Friedman:
    """Friedman's test: average ranks over data sets, and their p-values.

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
        the exact chance of so full an agreement, as F's law has 0.
    data_sets
        Number of data sets, N.
    """

    average_ranks: FloatArray = field(repr=False)
    statistic: float
    p_value: float
    f_statistic: float
    f_p_value: float
    data_sets: int

    @property
    def systems(self) -> int:
        """Number of systems, k."""
        return len(self.average_ranks)


def friedman(scores: Any, *, higher_is_better: bool = True) -> Friedman:
    """Test whether several systems rank alike over several data sets.

    Use this for three or more systems, before any pairs are compared. With two
    systems it is the sign test by the normal law, and `wilcoxon` is stronger.

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
    # In whole numbers, so that full agreement and no difference are exact.
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


@dataclass(frozen=True, eq=False)
class Nemenyi:
    """Nemenyi's test: pairs of systems that differ in average rank.

    Attributes
    ----------
    critical_difference
        Distance of two average ranks that differ, at least.
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

    Use this for the critical-difference diagram, once Friedman's test shows that the
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
    >>> from likelier.methods.folds.rank_tests import friedman
    >>> scores = [[0.7, 0.8, 0.9]] * 5
    >>> pairs = nemenyi(friedman(scores))
    >>> round(pairs.critical_difference, 3), pairs.groups
    (1.482, ((2, 1), (1, 0)))
    """
    rate, ranks, k = _checked_alpha(alpha), test.average_ranks, test.systems
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


@dataclass(frozen=True, eq=False)
class Replicability:
    """Data sets on which there is an effect: their number, and which they are.

    Attributes
    ----------
    k_hat
        With confidence 1 - alpha there is an effect on at least so many data sets.
    partial_conjunction
        For u = 1, 2, … the p-value of "an effect on fewer than u data sets".
    identified
        The data sets, by position, on which Holm's procedure finds the effect.
    alpha
        The error rate.
    independent
        True where the data sets were assumed to be independent.
    """

    k_hat: int
    partial_conjunction: FloatArray = field(repr=False)
    identified: tuple[int, ...]
    alpha: float
    independent: bool


def k_hat(
    p_values: Any, *, alpha: float = 0.05, independent: bool = False
) -> Replicability:
    """Count the data sets on which a system is better, with an error rate.

    Use this instead of counting the p-values below alpha, which finds some on 20 data
    sets even where nothing differs.

    Parameters
    ----------
    p_values
        One p-value per data set, all for the same direction ("second is better").
        Two-sided ones count data sets that differ in *either* direction.
    alpha
        The chance that the count is too large.
    independent
        False: Bonferroni's combination, whatever the data sets share. True: Fisher's,
        which finds more but needs data sets that share nothing.

    Notes
    -----
    With p-values in order, p(u/n) is (n - u + 1) p_(u) by Bonferroni, and by Fisher the
    chi-square tail of -2 (log p_(u) + … + log p_(n)) with 2 (n - u + 1) degrees of
    freedom; each is then made at least the one before. By Bonferroni the count is just
    that of the identified data sets. By Fisher it may be larger, as many small effects
    add up, or smaller, as one clear effect drowns among many data sets without any.

    References
    ----------
    Dror et al., 2017, doi:10.1162/tacl_a_00074.

    Examples
    --------
    >>> p = [0.168, 0.297, 0.357, 0.019, 0.218, 0.001]
    >>> k_hat(p).k_hat, k_hat(p, independent=True).k_hat
    (1, 2)
    >>> k_hat(p).identified
    (5,)
    """
    p, rate = _checked_p_values(p_values), _checked_alpha(alpha)
    least_first = np.sort(p)
    combined = _fisher(least_first) if independent else _bonferroni(least_first)
    partial = np.maximum.accumulate(combined)
    return Replicability(
        k_hat=int(np.count_nonzero(partial <= rate)),
        partial_conjunction=partial,
        identified=tuple(np.flatnonzero(holm(p) <= rate).tolist()),
        alpha=rate,
        independent=independent,
    )


def _bonferroni(least_first: FloatArray) -> FloatArray:
    return np.minimum(np.arange(len(least_first), 0, -1) * least_first, 1.0)


def _fisher(least_first: FloatArray) -> FloatArray:
    with np.errstate(divide="ignore"):
        logs = np.log(least_first)
    sums = np.cumsum(logs[::-1])[::-1]
    freedom = 2 * np.arange(len(least_first), 0, -1)
    return np.asarray(special.chdtrc(freedom, -2 * sums), dtype=np.float64)
