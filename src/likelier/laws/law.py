"""Laws on the unit interval: density, tails, quantiles, shortest intervals.

A law defines its log density and the logarithms of its two tails at a `UnitPoint`; all
else follows from them. Names and conventions are those of frozen distributions in
`scipy.stats`.
"""

import math
from collections.abc import Callable
from functools import lru_cache
from typing import Protocol

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from likelier._typing import FloatArray
from likelier.errors import SettingError
from likelier.interval import Interval, checked_mass
from likelier.laws.numerics import UnitPoint, find_root

# Beyond this logit the smaller of value and 1 - value is no longer a float.
_FARTHEST = 740.0
# Newton's last step squares the gap that is left.
_GAP = 1e-7
# So near to an end, a density that is finite there equals its limit.
_NEAREST = 1e-300


class Law(Protocol):
    """An exact distribution on the unit interval."""

    def ends(self) -> tuple[float, float]:
        """Return a and b: the density goes like x^(a-1) near 0, (1-x)^(b-1) near 1."""
        ...

    def log_density(self, point: UnitPoint) -> FloatArray:
        """Return the log density inside the support."""
        ...

    def log_tails(self, point: UnitPoint) -> tuple[FloatArray, FloatArray]:
        """Return the logarithms of the lower and of the upper tail."""
        ...

    def centre(self) -> tuple[float, float]:
        """Return approximately the mean and the standard deviation of the logit."""
        ...

    def mean(self) -> float:
        """Return the mean."""
        ...

    def var(self) -> float:
        """Return the variance."""
        ...

    def mode(self) -> float:
        """Return the value of highest density."""
        ...

    def rvs(self, size: int | tuple[int, ...], rng: np.random.Generator) -> FloatArray:
        """Draw random values."""
        ...

    def logpdf(self, x: ArrayLike) -> FloatArray | float:
        """Return the log density."""
        return _evaluate(lambda x: log_density(self, x), x, outside=-np.inf)

    def pdf(self, x: ArrayLike) -> FloatArray | float:
        """Return the density."""
        return _exp(self.logpdf(x))

    def logcdf(self, x: ArrayLike) -> FloatArray | float:
        """Return log P(X <= x)."""
        return _evaluate(lambda x: self.log_tails(UnitPoint.at(x))[0], x)

    def cdf(self, x: ArrayLike) -> FloatArray | float:
        """Return P(X <= x)."""
        return _exp(self.logcdf(x))

    def logsf(self, x: ArrayLike) -> FloatArray | float:
        """Return log P(X > x), not computed from the cdf."""
        return _evaluate(lambda x: self.log_tails(UnitPoint.at(x))[1], x)

    def sf(self, x: ArrayLike) -> FloatArray | float:
        """Return P(X > x), not computed from the cdf."""
        return _exp(self.logsf(x))

    def ppf(self, q: ArrayLike) -> FloatArray | float:
        """Return the value below which the law has mass q."""
        return _evaluate(lambda q: quantile(self, q, 1 - q), q, outside=np.nan)

    def isf(self, q: ArrayLike) -> FloatArray | float:
        """Return the value above which the law has mass q."""
        return _evaluate(lambda q: quantile(self, 1 - q, q), q, outside=np.nan)

    def median(self) -> float:
        """Return the value with half of the mass on either side."""
        return float(self.ppf(0.5))

    def std(self) -> float:
        """Return the standard deviation."""
        return float(np.sqrt(self.var()))

    def support(self) -> tuple[float, float]:
        """Return the ends of the support."""
        return 0.0, 1.0

    def interval(self, mass: float = 0.95) -> Interval:
        """Return the interval that leaves the same mass on either side."""
        tail = 0.5 * (1 - checked_mass(mass))
        low, high = float(self.ppf(tail)), float(self.isf(tail))
        return Interval(low, high, mass=float(mass), kind="equal-tailed")

    def hdi(self, mass: float = 0.95) -> Interval:
        """Return the interval of highest density.

        A law that peaks at both ends has no single such interval: it gets the shorter
        of the two that touch an end. A flat law gets the equal-tailed one.
        """
        low, high = _shortest(self, checked_mass(mass))  # type: ignore[arg-type]
        return Interval(low, high, mass=float(mass), kind="hdi")


# Pairs of many systems, and many priors, ask for the same intervals.
@lru_cache(maxsize=4096)
def _shortest(law: Law, mass: float) -> tuple[float, float]:
    low, high = shortest(law, mass)
    return float(low), float(high)


class NoDraws:
    """Part of an exact law that answers questions about draws."""

    n_draws = 0
    n_independent = 0

    def mcse(self) -> float:
        """Return the Monte-Carlo standard error of the mean: 0."""
        return 0.0


def checked_count(name: str, value: float, *, positive: bool = False) -> float:
    """Return a finite number of at least 0, or above 0, or raise an error."""
    if not (math.isfinite(value) and (value > 0 if positive else value >= 0)):
        bound = "above 0" if positive else "of at least 0"
        message = f"{name} must be a finite number {bound}; got {value!r}."
        raise SettingError(message)
    return float(value)


def log_density(law: Law, value: FloatArray) -> FloatArray:
    """Return the log density from 0 to 1, ends included."""
    bottom, top = value == 0, value == 1
    point = UnitPoint(
        np.where(bottom, _NEAREST, value), np.where(top, _NEAREST, 1 - value)
    )
    result = law.log_density(point)
    for at_end, exponent in zip((bottom, top), law.ends(), strict=True):
        if exponent != 1:
            result[at_end] = np.inf if exponent < 1 else -np.inf
    return result


def quantile(law: Law, lower: FloatArray, upper: FloatArray) -> FloatArray:
    """Return the values with these masses below and above them."""
    values = np.where(lower > 0, 1.0, 0.0)
    inner = (lower > 0) & (upper > 0)
    if np.any(inner):
        values[inner] = _solve(law, lower[inner], upper[inner])[0]
    return values


def _solve(
    law: Law,
    lower: FloatArray,
    upper: FloatArray,
    start: FloatArray | None = None,
) -> tuple[FloatArray, FloatArray]:
    """Return the values with these masses on either side, and their logits.

    The log of a tail is concave in the logit, so Newton's rule converges from the far
    side without a bracket; the bracket guards the near side.
    """
    rising = lower <= upper
    target = np.log(np.where(rising, lower, upper))
    if start is None:
        middle, spread = law.centre()
        away = spread * special.ndtri(np.exp(target))
        start = middle + np.where(rising, 1, -1) * away
    logit = start
    low, high = np.full_like(logit, -_FARTHEST), np.full_like(logit, _FARTHEST)
    for _ in range(200):
        logit = np.clip(logit, low, high)
        point = UnitPoint.of_logit(logit)
        log_tail = np.where(rising, *law.log_tails(point))
        log_slope = law.log_density(point) + point.log_slope() - log_tail
        gap = target - log_tail
        with np.errstate(over="ignore"):
            step = gap * np.exp(np.minimum(-log_slope, 700.0))
        step = np.where(rising, step, -step)
        low, high = np.where(step > 0, logit, low), np.where(step > 0, high, logit)
        done = (np.abs(gap) <= _GAP) | (high - low <= 1e-12)
        if np.all(done):
            break
        new = logit + step
        new = np.where((new > low) & (new < high), new, 0.5 * (low + high))
        logit = np.where(done, logit, new)
    # A logit far from 0 is coarser than the value itself: end in the value.
    shift = point.value * point.rest * np.where(np.abs(gap) < 1, step, 0)
    rounding = (1 - point.value) - point.rest
    return point.value + (rounding + shift), logit


def shortest(law: Law, mass: float) -> FloatArray:
    """Return the two ends of the shortest interval.

    Unless the density peaks at an end, both ends are equally high.
    """
    spare = 1 - mass
    lowest = quantile(law, *_masses_beside(0.0, spare))
    highest = quantile(law, *_masses_beside(spare, 0.0))
    falls, rises = _tilt(law, lowest) >= 0, _tilt(law, highest) <= 0
    if not falls and not rises:
        return _balanced(law, spare)
    if falls and rises:
        if law.ends() == (1, 1):
            return 0.5 * (lowest + highest)
        return min(lowest, highest, key=np.ptp)
    return lowest if falls else highest


def _masses_beside(below: float, above: float) -> tuple[FloatArray, FloatArray]:
    """Return the masses below and above both ends of an interval."""
    return np.array([below, 1 - above]), np.array([1 - below, above])


def _tilt(law: Law, ends: FloatArray) -> float:
    """Compare the density at both ends, from -1 (upper higher) to 1 (lower higher)."""
    low, high = log_density(law, ends)
    same = np.isclose(low, high, rtol=0, atol=1e-12)
    return 0.0 if same else float(np.tanh(low - high))


def _balanced(law: Law, spare: float) -> FloatArray:
    """Move mass from one side to the other until both ends are equally high."""
    logits: FloatArray | None = None
    ends = np.zeros(2)

    def tilt(below: float) -> float:
        nonlocal ends, logits
        above = spare - below
        if below <= 0 or above <= 0:
            return -1.0 if below <= 0 else 1.0
        ends, logits = _solve(law, *_masses_beside(below, above), logits)
        return _tilt(law, ends)

    tilt(find_root(tilt, 0.0, spare, tolerance=1e-13 * spare))
    return ends


def _evaluate(
    function: Callable[[FloatArray], FloatArray],
    x: ArrayLike,
    *,
    outside: float | None = None,
) -> FloatArray | float:
    """Apply a function of the unit interval to any array; a scalar gives a float."""
    x = np.asarray(x, dtype=float)
    result = np.full(x.shape, np.nan)
    valid = ~np.isnan(x)
    result[valid] = function(np.clip(x[valid], 0.0, 1.0))
    if outside is not None:
        result[(x < 0) | (x > 1)] = outside
    return result if result.ndim else float(result)


def _exp(log: FloatArray | float) -> FloatArray | float:
    result = np.exp(log)
    return result if np.ndim(result) else float(result)
