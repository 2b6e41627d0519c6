"""Effective share c_m of the counts of all folds of an m x 2 design."""

from math import isfinite, log1p

from likelier.designs.split_items import whole_number
from likelier.errors import SettingError

Range = float | tuple[float, float]

RHO1 = (0.0, 0.5)
RHO2 = (0.25, 0.5)


def effective_share(m: int, *, rho1: Range = RHO1, rho2: Range = RHO2) -> float:
    """Return c_m, the share of the counts of all 2m folds that is independent evidence.

    The counts of the folds overlap, so their sum says more than it knows. Wang & Li
    (2019, eq. 22) scale it by the mean of 1 / (1 + rho1 + 2(m-1) rho2) over the
    correlations that cross-validation has.

    Parameters
    ----------
    m
        The number of repetitions of two folds.
    rho1
        Correlation of the two folds of one repetition: its range, or a number.
    rho2
        Correlation of folds of different repetitions: its range, or a number.

    Notes
    -----
    With t = 1 + low1 + 2(m-1) low2, the widths a of rho1 and b of 2(m-1) rho2,
    p = t + a and q = t + b, the mean is
    ``L(b/p)/p + L(a/q)/q - t/(pq) L(-ab/(pq))`` where L(z) = log(1+z)/z: the four
    corners of z log z, regrouped so that narrow ranges lose no digits.

    References
    ----------
    Wang & Li, 2019, doi:10.18653/v1/P19-1405.

    Examples
    --------
    >>> round(effective_share(3), 8)
    0.36880211

    The mean over the folds, as in Wang et al. (2015):

    >>> round(effective_share(3, rho1=1, rho2=1), 8)
    0.16666667
    """
    others = 2.0 * (whole_number(m, name="m") - 1)
    low1, width1 = _range(rho1, name="rho1")
    low2, width2 = _range(rho2, name="rho2")
    start, a, b = 1.0 + low1 + others * low2, width1, others * width2
    p, q = start + a, start + b
    corner = start / (p * q) * _log_ratio(-a * b / (p * q))
    return _log_ratio(b / p) / p + _log_ratio(a / q) / q - corner


def _log_ratio(z: float) -> float:
    return log1p(z) / z if z else 1.0


def _range(rho: Range, *, name: str) -> tuple[float, float]:
    """Check a correlation's range; return its low end and its width."""
    try:
        low, high = rho if isinstance(rho, tuple | list) else (rho, rho)
        low, high = float(low), float(high)
    except (TypeError, ValueError):
        low, high = 1.0, 0.0
    if not (isfinite(low) and isfinite(high) and 0 <= low <= high <= 1):
        message = f"{name} must be a number or (low, high) within 0 and 1; got {rho!r}."
        raise SettingError(message)
    return low, high - low
