"""Points of the unit interval, and integrals of functions with one peak.

The peak of an integrand is located first, wherever it lies, then the stretch on which
the function is above e^-40 of it; there the trapezoidal rule converges faster than any
power. Each column of an argument is an integral of its own.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import numpy as np

from likelier._typing import BoolArray, FloatArray


@dataclass(frozen=True, slots=True)
class UnitPoint:
    """Points between 0 and 1, as their distances from both ends.

    Both are stored, because 1 - value cannot be computed from a value near 1. The
    smaller one is exact; the larger one is rounded.
    """

    value: FloatArray
    rest: FloatArray

    @classmethod
    def at(cls, value: FloatArray) -> "UnitPoint":
        """Return the points with these values."""
        return cls(value, 1 - value)

    @classmethod
    def of_logit(cls, logit: FloatArray) -> "UnitPoint":
        """Return the points with these values of log(value / rest)."""
        return cls.between(0.0, 0.0, logit)

    @classmethod
    def between(
        cls, bottom: FloatArray | float, top: FloatArray | float, logit: FloatArray
    ) -> "UnitPoint":
        """Divide the stretch from `bottom` to `1 - top`, measured from the nearer end.

        The logit is that of the share of the stretch below the point.
        """
        left = logit < 0
        odds = np.exp(-np.abs(logit))
        step = (1 - bottom - top) * (odds / (1 + odds))
        value = np.where(left, bottom + step, (1 - top) - step)
        rest = np.where(left, (1 - bottom) - step, top + step)
        return cls(value, rest)

    def take(self, chosen: BoolArray | slice) -> "UnitPoint":
        """Select points by a mask or a slice."""
        return UnitPoint(self.value[chosen], self.rest[chosen])

    def log_slope(self) -> FloatArray:
        """Return log(value * rest), the logarithm of d value / d logit."""
        return np.log(self.value) + np.log(self.rest)


LogFunction = Callable[[FloatArray], FloatArray]

_DROP = 40.0
_PATTERN = np.arange(-4.0, 5.0)[:, None]
_LADDER = 2.0 ** np.arange(12)[:, None]
_RUNGS = np.linspace(0.25, 1.0, 4)[:, None]
_SPAN = np.linspace(-14.0, 14.0, 177)[:, None]
_SAME = 1e-12
_FIRST_PANELS = 32
_MOST_PANELS = 2**15
_STABLE = 1e-10
# Rounding alone changes the sum by this share of a large logarithm.
_NOISE = 1e-14


def log_integral(log_f: LogFunction, start: FloatArray, step: FloatArray) -> FloatArray:
    """Compute the log of the integral of exp(log_f) over the real line.

    Parameters
    ----------
    log_f
        Function of points of shape (points, integrals), with one peak in each column.
    start, step
        First guesses of the peak and of its width, one for each integral.

    Examples
    --------
    >>> far = log_integral(lambda t: -(t**2) - 1e4, np.array([9.0]), np.array([0.1]))
    >>> far.round(9) == np.round(0.5 * np.log(np.pi) - 1e4, 9)
    array([ True])
    """
    direct = _direct(log_f, start, step)
    if direct is not None:
        return direct
    low, high = window(log_f, start, step)
    return _trapezoid(log_f, low, high)


def _direct(
    log_f: LogFunction, start: FloatArray, step: FloatArray
) -> FloatArray | None:
    """Integrate around the first guess in one call, or return None if that fails.

    Every second point must give the same sum, and nothing may be left at the edges.
    """
    values = log_f(start + step * _SPAN)
    top = np.max(values, axis=0)
    heights = np.exp(values - top)
    fine, coarse = 0.5 * np.sum(heights, axis=0), np.sum(heights[::2], axis=0)
    stable = np.abs(fine - coarse) <= _SAME * fine
    complete = np.maximum(values[0], values[-1]) <= top - _DROP
    if not np.all(stable & complete):
        return None
    return top + np.log(2 * fine * step * (_SPAN[1, 0] - _SPAN[0, 0]))


def window(
    log_f: LogFunction, start: FloatArray, step: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Return the stretch outside of which the function is below e^-40 of its peak."""
    peak, top, width = _climb(log_f, start, step)
    floor = top - _DROP
    low = _edge(log_f, peak, -width, floor)
    return low, _edge(log_f, peak, width, floor)


def _climb(
    log_f: LogFunction, start: FloatArray, step: FloatArray
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Climb to the peak; return where it is, its height, and a step that suits it."""
    columns = np.arange(start.size)
    for _ in range(200):
        points = start + step * _PATTERN
        values = log_f(points)
        best = np.argmax(values, axis=0)
        inner = np.clip(best, 1, 7)
        fall = values[best, columns] - np.minimum(
            values[inner - 1, columns], values[inner + 1, columns]
        )
        done = (best == inner) & (fall <= 1)
        if np.all(done | np.isnan(fall)):
            break
        start = points[best, columns]
        step = np.where(done, step, np.where(best == inner, 0.25 * step, 4 * step))
    return points[best, columns], values[best, columns], step


def _edge(
    log_f: LogFunction, peak: FloatArray, width: FloatArray, floor: FloatArray
) -> FloatArray:
    """Return a point beyond the peak, not far below the floor."""
    before = np.zeros_like(peak)
    for _ in range(100):
        low = log_f(peak + width * _LADDER) < floor
        reached = low.any(axis=0)
        if reached.all():
            break
        before = np.where(reached, before, width * _LADDER[-1])
        width = np.where(reached, width, 2 * width * _LADDER[-1])
    rung = np.argmax(low, axis=0)
    before = np.where(rung > 0, width * _LADDER[rung - 1, 0], before)
    steps = before + _RUNGS * (width * _LADDER[rung, 0] - before)
    inside = np.sum(log_f(peak + steps[:-1]) >= floor, axis=0)
    return peak + steps[inside, np.arange(peak.size)]


def _trapezoid(log_f: LogFunction, low: FloatArray, high: FloatArray) -> FloatArray:
    """Sum over more and more panels until the sum is stable."""
    panels = _FIRST_PANELS
    share = np.linspace(0, 1, panels + 1)[:, None]
    values = log_f(low + share * (high - low))
    top = np.max(values, axis=0)
    sums = np.sum(np.exp(values - top), axis=0)
    while panels < _MOST_PANELS:
        share = (np.arange(panels)[:, None] + 0.5) / panels
        more = np.sum(np.exp(log_f(low + share * (high - low)) - top), axis=0)
        noise = np.maximum(_STABLE, _NOISE * np.abs(top))
        stable = np.abs(more - sums) <= noise * sums
        panels, sums = 2 * panels, sums + more
        if np.all(stable | np.isnan(sums)):
            break
    return top + np.log(sums * (high - low) / panels)


@cache
def legendre(n: int) -> tuple[FloatArray, FloatArray]:
    """Return the points and weights of Gauss and Legendre between -1 and 1."""
    return np.polynomial.legendre.leggauss(n)


def find_root(
    function: Callable[[float], float], low: float, high: float, *, tolerance: float
) -> float:
    """Find where a function changes its sign between two points.

    Loading `scipy.optimize` would take longer than a whole comparison.

    References
    ----------
    Chandrupatla (1997), doi:10.1016/S0965-9978(96)00051-8.

    Examples
    --------
    >>> round(find_root(lambda x: x**2 - 2, 0.0, 2.0, tolerance=1e-12), 10)
    1.4142135624
    """
    near, far, step = low, high, 0.5
    at_near, at_far = function(near), function(far)
    if at_near * at_far > 0:
        message = "The function must have different signs at both ends."
        raise ValueError(message)
    while at_near != 0 and at_far != 0 and abs(far - near) > 2 * tolerance:
        point = near + step * (far - near)
        value = function(point)
        if (value > 0) == (at_near > 0):
            last, at_last = near, at_near
        else:
            last, at_last = far, at_far
            far, at_far = near, at_near
        near, at_near = point, value
        share = (near - far) / (last - far)
        rise = (at_near - at_far) / (at_last - at_far)
        step = 0.5
        # The inverse parabola through three points rises from end to end.
        if rise**2 < share and (1 - rise) ** 2 < 1 - share:
            step = at_near / (at_far - at_near) * at_last / (at_far - at_last)
            step += (
                ((last - near) / (far - near))
                * (at_near / (at_last - at_near))
                * (at_far / (at_last - at_far))
            )
        least = min(tolerance / abs(far - near), 0.5)
        step = min(max(step, least), 1 - least)
    return near if abs(at_near) < abs(at_far) else far
