"""Laws on the unit interval: density, tails, quantiles, shortest intervals.

A law says its log density and the logarithms of its two tails at a `Place`; all else
follows from them. Names and conventions are those of frozen distributions in
`scipy.stats`.
"""

import math
from collections.abc import Callable
from typing import Protocol

import numpy as np
from numpy.typing import ArrayLike
from scipy import optimize, special

from likelier._typing import BoolArray, FloatArray
from likelier.errors import SettingError
from likelier.interval import Interval, checked_mass
from likelier.laws.numerics import Double, Place


class Shape(Protocol):
    """A density on the unit interval and its two tails, as logarithms.

    Near 0 the density goes like x^(a-1), near 1 like (1-x)^(b-1).
    """

    def ends(self) -> tuple[float, float]:
        """Give a and b, which rule the lower and the upper end."""
        ...

    def log_density(self, place: Place) -> FloatArray:
        """Give the log density inside the support."""
        ...

    def log_tails(self, place: Place) -> tuple[FloatArray, FloatArray]:
        """Give the logarithms of the lower and of the upper tail."""
        ...

    def centre(self) -> tuple[float, float]:
        """Give about where the logit lies, and about how far it spreads."""
        ...


class Exact:
    """A law without draws, and so without a Monte-Carlo error."""

    def mcse(self) -> float:
        """Give 0: nothing is drawn."""
        return 0.0

    @property
    def n_draws(self) -> int:
        """The number of draws: none."""
        return 0

    @property
    def n_independent(self) -> int:
        """The number of independent draws: none."""
        return 0


def checked_positive(name: str, value: float) -> float:
    """Return a finite number above 0, or say what came instead."""
    if not (math.isfinite(value) and value > 0):
        message = f"{name} must be a finite number above 0; got {value!r}."
        raise SettingError(message)
    return float(value)


def checked_count(name: str, value: float) -> float:
    """Return a finite number of at least 0, or say what came instead."""
    if not (math.isfinite(value) and value >= 0):
        message = f"{name} must be a finite number of at least 0; got {value!r}."
        raise SettingError(message)
    return float(value)


# Beyond, the smaller of value and 1 - value is no longer a float.
_FARTHEST = 740.0
# The last step squares the gap that is left.
_GAP = 1e-7


def quantile(shape: Shape, lower: FloatArray, upper: FloatArray) -> FloatArray:
    """Give the values with these masses below and above them."""
    values = np.where(lower > 0, 1.0, 0.0)
    inner = (lower > 0) & (upper > 0)
    if np.any(inner):
        values[inner] = solve(shape, lower[inner], upper[inner])[0]
    return values


def solve(
    shape: Shape, lower: FloatArray, upper: FloatArray, start: FloatArray | None = None
) -> tuple[FloatArray, FloatArray]:
    """Give the values with these masses on either side, and their logits.

    The log of a tail is concave in the logit, so Newton's rule converges from the far
    side without a bracket; the bracket guards the near side.
    """
    rising = lower <= upper
    target = np.log(np.where(rising, lower, upper))
    logit = _guess(shape, np.exp(target), rising) if start is None else start
    low, high = np.full_like(logit, -_FARTHEST), np.full_like(logit, _FARTHEST)
    for _ in range(200):
        logit = np.clip(logit, low, high)
        step, gap = _newton(shape, logit, target, rising)
        low, high = np.where(step > 0, logit, low), np.where(step > 0, high, logit)
        done = (np.abs(gap) <= _GAP) | (high - low <= 1e-12)
        if np.all(done):
            break
        new = logit + step
        new = np.where((new > low) & (new < high), new, 0.5 * (low + high))
        logit = np.where(done, logit, new)
    place = Place.of_logit(logit)
    # A logit far from 0 is coarser than the value itself: end in the value.
    shift = place.value.high * place.rest.high * np.where(np.abs(gap) < 1, step, 0)
    return place.value.high + (place.value.low + shift), logit


def _guess(shape: Shape, tail: FloatArray, rising: BoolArray) -> FloatArray:
    middle, spread = shape.centre()
    return middle + np.where(rising, 1, -1) * spread * special.ndtri(tail)


def _newton(
    shape: Shape, logit: FloatArray, target: FloatArray, rising: BoolArray
) -> tuple[FloatArray, FloatArray]:
    """Give the step towards the target, and how far the log tail is from it."""
    place = Place.of_logit(logit)
    lower, upper = shape.log_tails(place)
    tail = np.where(rising, lower, upper)
    log_slope = shape.log_density(place) + place.log_spread() - tail
    gap = target - tail
    with np.errstate(over="ignore"):
        step = gap * np.exp(np.minimum(-log_slope, 700.0))
    return np.where(rising, step, -step), gap


def shortest(shape: Shape, mass: float) -> tuple[float, float]:
    """Give the ends of the shortest interval; inside one peak they are equally high."""
    spare = 1 - mass
    lowest, highest = _ends(shape, 0.0, spare), _ends(shape, spare, 0.0)
    falls, rises = _tilt(shape, lowest) >= 0, _tilt(shape, highest) <= 0
    if falls and rises:
        return _between_two_ends(shape, lowest, highest)
    if falls or rises:
        low, high = lowest if falls else highest
        return float(low), float(high)
    return _balanced(shape, spare)


def _ends(shape: Shape, below: float, above: float) -> FloatArray:
    """Give the ends of the interval that leaves these masses outside."""
    lower, upper = np.array([below, 1 - above]), np.array([1 - below, above])
    return quantile(shape, lower, upper)


def _tilt(shape: Shape, ends: FloatArray) -> float:
    """Say which end is the higher, from -1 (the upper) to 1 (the lower)."""
    low, high = log_density(shape, ends)
    same = np.isclose(low, high, rtol=0, atol=1e-12)
    return 0.0 if same else float(np.tanh(low - high))


def _between_two_ends(
    shape: Shape, lowest: FloatArray, highest: FloatArray
) -> tuple[float, float]:
    if shape.ends() == (1, 1):
        middle = 0.5 * (lowest + highest)
        return float(middle[0]), float(middle[1])
    shorter = min(lowest, highest, key=np.ptp)
    return float(shorter[0]), float(shorter[1])


def _balanced(shape: Shape, spare: float) -> tuple[float, float]:
    """Move mass from one side to the other until both ends are equally high."""
    logits: FloatArray | None = None
    ends = np.zeros(2)

    def tilt(below: float) -> float:
        nonlocal ends, logits
        above = spare - below
        if below <= 0 or above <= 0:
            return -1.0 if below <= 0 else 1.0
        lower, upper = np.array([below, 1 - above]), np.array([1 - below, above])
        ends, logits = solve(shape, lower, upper, logits)
        return _tilt(shape, ends)

    tilt(optimize.brentq(tilt, 0.0, spare, xtol=1e-13 * spare, rtol=1e-13))
    return float(ends[0]), float(ends[1])


class Law(Shape, Protocol):
    """An exact distribution on the unit interval."""

    def mean(self) -> float:
        """Give the mean."""
        ...

    def var(self) -> float:
        """Give the variance."""
        ...

    def mode(self) -> float:
        """Give the value of highest density."""
        ...

    def rvs(self, size: int | tuple[int, ...], rng: np.random.Generator) -> FloatArray:
        """Draw random values."""
        ...

    def logpdf(self, x: ArrayLike) -> FloatArray | float:
        """Give the log density."""
        return _evaluated(lambda x: log_density(self, x), x, beyond=-np.inf)

    def pdf(self, x: ArrayLike) -> FloatArray | float:
        """Give the density."""
        return _exp(self.logpdf(x))

    def logcdf(self, x: ArrayLike) -> FloatArray | float:
        """Give log P(X <= x)."""
        return _evaluated(lambda x: self.log_tails(Place.at(x))[0], x)

    def cdf(self, x: ArrayLike) -> FloatArray | float:
        """Give P(X <= x)."""
        return _exp(self.logcdf(x))

    def logsf(self, x: ArrayLike) -> FloatArray | float:
        """Give log P(X > x), not by way of the cdf."""
        return _evaluated(lambda x: self.log_tails(Place.at(x))[1], x)

    def sf(self, x: ArrayLike) -> FloatArray | float:
        """Give P(X > x), not by way of the cdf."""
        return _exp(self.logsf(x))

    def ppf(self, q: ArrayLike) -> FloatArray | float:
        """Give the value below which the law has mass q."""
        return _evaluated(lambda q: quantile(self, q, 1 - q), q, beyond=np.nan)

    def isf(self, q: ArrayLike) -> FloatArray | float:
        """Give the value above which the law has mass q."""
        return _evaluated(lambda q: quantile(self, 1 - q, q), q, beyond=np.nan)

    def median(self) -> float:
        """Give the value with half of the mass on either side."""
        return float(self.ppf(0.5))

    def std(self) -> float:
        """Give the standard deviation."""
        return float(np.sqrt(self.var()))

    def support(self) -> tuple[float, float]:
        """Give the ends of the support."""
        return 0.0, 1.0

    def interval(self, mass: float = 0.95) -> Interval:
        """Give the interval that leaves the same mass on either side."""
        tail = 0.5 * (1 - checked_mass(mass))
        low, high = float(self.ppf(tail)), float(self.isf(tail))
        return Interval(low, high, mass=float(mass), kind="equal-tailed")

    def hdi(self, mass: float = 0.95) -> Interval:
        """Give the interval of highest density.

        A law that peaks at both ends has no single such interval: it gets the shorter
        of the two that touch an end. A flat law gets the equal-tailed one.
        """
        low, high = shortest(self, checked_mass(mass))
        return Interval(low, high, mass=float(mass), kind="hdi")


def _evaluated(
    function: Callable[[FloatArray], FloatArray],
    x: ArrayLike,
    *,
    beyond: float | None = None,
) -> FloatArray | float:
    """Apply a function of the unit interval to anything; a scalar gives a float."""
    given = np.asarray(x, dtype=float)
    result = np.full(given.shape, np.nan)
    known = ~np.isnan(given)
    result[known] = function(np.clip(given[known], 0.0, 1.0))
    if beyond is not None:
        result[(given < 0) | (given > 1)] = beyond
    return result if result.ndim else float(result)


def _exp(log: FloatArray | float) -> FloatArray | float:
    result = np.exp(log)
    return result if np.ndim(result) else float(result)


# So near to an end, a density that is finite there is its own limit.
_NEAREST = 1e-300


def log_density(shape: Shape, value: FloatArray) -> FloatArray:
    """Give the log density from 0 to 1, ends included."""
    at, one = Place.at(value), Double.of(np.ones_like(value))
    bottom, top = value == 0, value == 1
    near = Double.of(np.full_like(value, _NEAREST))
    place = Place(
        _chosen(bottom, near, _chosen(top, one, at.value)),
        _chosen(top, near, _chosen(bottom, one, at.rest)),
    )
    result = shape.log_density(place)
    a, b = shape.ends()
    result[bottom] = _limit(result[bottom], a)
    result[top] = _limit(result[top], b)
    return result


def _limit(near: FloatArray, exponent: float) -> FloatArray:
    if exponent == 1:
        return near
    return np.full_like(near, np.inf if exponent < 1 else -np.inf)


def _chosen(condition: BoolArray, first: Double, second: Double) -> Double:
    return Double(
        np.where(condition, first.high, second.high),
        np.where(condition, first.low, second.low),
    )
