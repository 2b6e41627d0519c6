"""On how many data sets is the second system better? (Dror et al. 2017)."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from scipy import special

from likelier.score_tests.adjusted import holm
from likelier.score_tests.inputs import FloatArray, checked_p_values, error_rate


@dataclass(frozen=True, eq=False)
class Replicability:
    """On how many, and on which, data sets there is an effect.

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
        Whether the data sets were taken to be independent.
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
        Two-sided ones count data sets on which the systems differ *either* way.
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
    given, rate = checked_p_values(p_values), error_rate(alpha)
    least_first = np.sort(given)
    combined = _fisher(least_first) if independent else _bonferroni(least_first)
    partial = np.maximum.accumulate(combined)
    return Replicability(
        k_hat=int(np.count_nonzero(partial <= rate)),
        partial_conjunction=partial,
        identified=tuple(np.flatnonzero(holm(given) <= rate).tolist()),
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
