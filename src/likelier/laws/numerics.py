"""Double-double numbers, points near 0 and 1, integrals of one peak.

Rounding an argument once already costs 2e-10 of a tail probability that lies 37
standard deviations out when the counts are 1e9. Portable: no long double, no fma.


The peak is found first, wherever it lies, then the stretch on which the function is
above e^-40 of it; there the trapezoidal rule converges faster than any power. Each
column of an argument is an integral of its own.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from likelier._typing import BoolArray, FloatArray

# 2**27 + 1 cuts a float into two halves of 26 bits (Dekker 1971).
_SPLITTER = 134217729.0


@dataclass(frozen=True, slots=True)
class Double:
    """The sum `high + low`, never added up; `low` is below half a unit of `high`.

    Examples
    --------
    >>> third = Double.of(0.1) + Double.of(0.2) - Double.of(0.3)
    >>> float(third.high)
    2.7755575615628914e-17
    """

    high: FloatArray
    low: FloatArray

    @classmethod
    def of(cls, value: FloatArray | float) -> "Double":
        """Take floats as they are."""
        high = np.asarray(value, dtype=float)
        return cls(high, np.zeros_like(high))

    def take(self, chosen: BoolArray | slice) -> "Double":
        """Keep the chosen numbers."""
        return Double(self.high[chosen], self.low[chosen])

    def __neg__(self) -> "Double":
        return Double(-self.high, -self.low)

    def __add__(self, other: "Double") -> "Double":
        high, low = two_sum(self.high, other.high), two_sum(self.low, other.low)
        sum_ = _settled(high.high, high.low + low.high)
        return _settled(sum_.high, sum_.low + low.low)

    def __sub__(self, other: "Double") -> "Double":
        return self + (-other)

    def __mul__(self, other: "Double") -> "Double":
        product = two_product(self.high, other.high)
        rest = self.high * other.low + self.low * other.high
        return _settled(product.high, product.low + rest)


def two_sum(first: FloatArray, second: FloatArray) -> Double:
    """Give the sum of two floats and what its rounding lost."""
    total = first + second
    back = total - first
    return Double(total, (first - (total - back)) + (second - back))


def two_product(first: FloatArray, second: FloatArray) -> Double:
    """Give the product of two floats and what its rounding lost."""
    total = first * second
    (high1, low1), (high2, low2) = _split(first), _split(second)
    lost = ((high1 * high2 - total) + high1 * low2 + low1 * high2) + low1 * low2
    return Double(total, lost)


def _split(value: FloatArray) -> tuple[FloatArray, FloatArray]:
    scaled = _SPLITTER * value
    high = scaled - (scaled - value)
    return high, value - high


def _settled(high: FloatArray, low: FloatArray) -> Double:
    """Renormalise a sum whose first part is the larger."""
    total = high + low
    return Double(total, low - (total - high))


@dataclass(frozen=True, slots=True)
class Place:
    """A value and its distance from 1.

    Both are kept, because 1 - value cannot be had from a value near 1.
    """

    value: Double
    rest: Double

    @classmethod
    def at(cls, value: FloatArray | float) -> "Place":
        """Take a float between 0 and 1 as it is."""
        given = Double.of(value)
        return cls(given, Double.of(1.0) - given)

    @classmethod
    def of_logit(cls, logit: FloatArray | float) -> "Place":
        """Take log(value / rest): the smaller of the two is a float, exactly."""
        logit = np.asarray(logit, dtype=float)
        return cls.beside(Double.of(0.0), Double.of(1.0), logit)

    @classmethod
    def beside(cls, low: Double, high: Double, logit: FloatArray) -> "Place":
        """Share the stretch from low to high, measuring from the nearer end."""
        left = logit < 0
        odds = np.exp(-np.abs(logit))
        step = (high - low).high * (odds / (1 + odds))
        end = Double(
            np.where(left, low.high, high.high), np.where(left, low.low, high.low)
        )
        value = end + Double.of(np.where(left, step, -step))
        rest = (Double.of(1.0) - end) + Double.of(np.where(left, -step, step))
        return cls(value, rest)

    def take(self, chosen: BoolArray | slice) -> "Place":
        """Keep the chosen points."""
        return Place(self.value.take(chosen), self.rest.take(chosen))

    def log_spread(self) -> FloatArray:
        """Give log(value * rest), the slope of the value in its logit."""
        return np.log(self.value.high) + np.log(self.rest.high)


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
# The rounding of a large logarithm is never stable to 1e-10.
_NOISE = 1e-14


def log_integral(log_f: LogFunction, start: FloatArray, step: FloatArray) -> FloatArray:
    """Give log of the integral of exp(log_f) over the line.

    Parameters
    ----------
    log_f
        Takes points of shape (points, integrals); has one peak in each column.
    start, step
        Where to look first, and about how wide the peak is; one per integral.

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
    """Take the start for the peak and the step for its width, if that proves right.

    It does where most of the mass lies: then one call is enough. Every second point
    must give the same sum, and nothing may be left at the edges.
    """
    values = log_f(start + step * _SPAN)
    top = np.max(values, axis=0)
    heights = np.exp(values - top)
    fine, coarse = 0.5 * np.sum(heights, axis=0), np.sum(heights[::2], axis=0)
    still = np.abs(fine - coarse) <= _SAME * fine
    gone = np.maximum(values[0], values[-1]) <= top - _DROP
    if not np.all(still & gone):
        return None
    return top + np.log(2 * fine * step * (_SPAN[1, 0] - _SPAN[0, 0]))


def window(
    log_f: LogFunction, start: FloatArray, step: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Find the stretch outside of which the function is below e^-40 of its peak."""
    peak, top, width = _climb(log_f, start, step)
    floor = top - _DROP
    low = _edge(log_f, peak, -width, floor)
    return low, _edge(log_f, peak, width, floor)


def _climb(
    log_f: LogFunction, start: FloatArray, step: FloatArray
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Walk to the peak; give its place, its height and a step that is small there."""
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
    """Find a point beyond the peak, not far below the floor."""
    before = np.zeros_like(peak)
    for _ in range(100):
        low = log_f(peak + width * _LADDER) < floor
        found = low.any(axis=0)
        if found.all():
            break
        before = np.where(found, before, width * _LADDER[-1])
        width = np.where(found, width, 2 * width * _LADDER[-1])
    rung = np.argmax(low, axis=0)
    before = np.where(rung > 0, width * _LADDER[rung - 1, 0], before)
    steps = before + _RUNGS * (width * _LADDER[rung, 0] - before)
    inside = np.sum(log_f(peak + steps[:-1]) >= floor, axis=0)
    return peak + steps[inside, np.arange(peak.size)]


def _trapezoid(log_f: LogFunction, low: FloatArray, high: FloatArray) -> FloatArray:
    """Double the panels until the sum stands still."""
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
