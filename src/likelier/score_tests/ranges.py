"""The range of k standard normal numbers: its upper tail, directly."""

import numpy as np
from scipy import optimize, special

_STEP = 0.05
_EDGE = 9.0
# Beyond it the tail is less than the least float.
_FAR = 54.0


def range_tail(q: float, k: int) -> float:
    """Give P(range of k standard normal numbers > q), right in the far tail too.

    Parameters
    ----------
    q
        The range, at least 0.
    k
        How many numbers, at least 2.

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
    """Give the range of k standard normal numbers that is exceeded with rate alpha.

    Examples
    --------
    >>> round(range_quantile(0.05, 4), 3)
    3.633
    """
    solved = optimize.brentq(lambda q: range_tail(q, k) - alpha, 0.0, _FAR, xtol=1e-13)
    return float(solved)
