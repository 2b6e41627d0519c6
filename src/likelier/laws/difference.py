"""The difference of two independent laws, and P(X > Y + margin).

One smooth integral of the density of the narrower law times a tail of the other. The
opposite probability is the same function with the laws exchanged, so exchanging two
systems mirrors every number to the last digit.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy import interpolate, optimize, special

from likelier._typing import FloatArray
from likelier.errors import SettingError
from likelier.interval import Interval, checked_mass
from likelier.laws.law import Exact, Law
from likelier.laws.numerics import Double, Place, log_integral

_LOWER, _UPPER = 0, 1


def probability_greater(first: Law, second: Law, *, margin: float = 0.0) -> float:
    """Give P(X > Y + margin), X of the first and Y of the second law.

    Use this when two systems were scored on different items.

    Examples
    --------
    >>> from likelier.laws import f1
    >>> better, baseline = f1(80, 15, 12), f1(70, 22, 21)
    >>> round(probability_greater(better, baseline), 6)
    0.977661
    >>> probability_greater(baseline, baseline)
    0.5
    """
    return math.exp(log_probability_greater(first, second, margin=margin))


def probability_not_greater(first: Law, second: Law, *, margin: float = 0.0) -> float:
    """Give P(X <= Y + margin), not as 1 - P(X > Y + margin)."""
    return math.exp(log_probability_not_greater(first, second, margin=margin))


def log_probability_not_greater(
    first: Law, second: Law, *, margin: float = 0.0
) -> float:
    """Give log P(X <= Y + margin), not by way of its opposite."""
    return log_probability_greater(second, first, margin=-margin)


def log_probability_greater(first: Law, second: Law, *, margin: float = 0.0) -> float:
    """Give log P(X > Y + margin).

    Examples
    --------
    >>> from likelier.laws import accuracy
    >>> low, high = accuracy(500_000, 500_000), accuracy(520_000, 480_000)
    >>> round(log_probability_greater(low, high), 6)
    -404.449088
    """
    if not math.isfinite(margin):
        message = f"margin must be a finite number; got {margin!r}."
        raise SettingError(message)
    if margin == 0 and first == second:
        return math.log(0.5)
    return float(log_chances(first, second, np.array([margin]))[0])


def log_chances(first: Law, second: Law, margins: FloatArray) -> FloatArray:
    """Give log P(X > Y + margin) for many margins at once."""
    result = np.where(margins > 0, -np.inf, 0.0)
    inner = np.abs(margins) < 1
    if not inner.any():
        return result
    shift = margins[inner]
    if width(first) <= width(second):
        result[inner] = _log_chance(first, second, shift=-shift, side=_LOWER)
    else:
        result[inner] = _log_chance(second, first, shift=shift, side=_UPPER)
    return result


def log_density_of_tie(first: Law, second: Law) -> float:
    """Give the log density of X - Y at 0: the integral of both densities' product.

    It is infinite where both laws peak too sharply at the same end.

    Examples
    --------
    >>> from likelier.laws import accuracy
    >>> abs(log_density_of_tie(accuracy(0, 0), accuracy(0, 0))) < 1e-12
    True
    """
    ends = np.array(first.ends()) + np.array(second.ends())
    if (ends <= 1).any():
        return math.inf
    narrow = min(first, second, key=width)

    def log_f(logit: FloatArray) -> FloatArray:
        place = Place.of_logit(logit)
        with np.errstate(divide="ignore", invalid="ignore"):
            both = first.log_density(place) + second.log_density(place)
            result = both + place.log_spread()
        return np.where(np.isnan(result), -np.inf, result)

    start, spread = narrow.centre()
    return float(log_integral(log_f, np.array([start]), np.array([spread]))[0])


def width(law: Law) -> float:
    """Give about the standard deviation."""
    middle, spread = law.centre()
    return float(spread * special.expit(middle) * special.expit(-middle))


def _log_chance(
    density: Law, other: Law, *, shift: FloatArray, side: int
) -> FloatArray:
    """Integrate a density times a tail of the other law at value + shift.

    The stretch is that on which both values lie in the unit interval; beyond it the
    tail is 0, or 1 and then the density's own tail is added.
    """
    zero, one = Double.of(np.maximum(-shift, 0.0)), Double.of(np.maximum(shift, 0.0))
    low, high = zero, Double.of(np.ones_like(shift)) - one
    step = Double.of(shift)

    def log_f(logit: FloatArray) -> FloatArray:
        place = Place.beside(low, high, logit)
        moved = Place.beside(low + step, high + step, logit)
        jacobian = -np.abs(logit) - 2 * np.log1p(np.exp(-np.abs(logit)))
        with np.errstate(divide="ignore", invalid="ignore"):
            log_density = density.log_density(place) + jacobian
            result = log_density + other.log_tails(moved)[side]
        # So far out that the value is no longer a float.
        return np.where(np.isnan(result), -np.inf, result)

    start, spread = _start(density, low.high, high.high)
    inside = log_integral(log_f, start, spread) + np.log((high - low).high)
    sure = shift > 0 if side == _LOWER else shift < 0
    if sure.any():
        rest = Double.of(np.ones_like(shift))
        edge = Place(high, one) if side == _LOWER else Place(low, rest - low)
        with np.errstate(divide="ignore"):
            beyond = density.log_tails(edge)[1 - side]
        inside = np.where(sure, np.logaddexp(inside, beyond), inside)
    return np.minimum(inside, 0.0)


def _start(
    density: Law, low: FloatArray, high: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Give a first place and step, in the logit of the stretch."""
    middle, spread = density.centre()
    value = np.clip(special.expit(middle), low, high)
    share = np.clip((value - low) / (high - low), 1e-9, 1 - 1e-9)
    return special.logit(share), np.full_like(share, spread)


# So little lies beyond the ends of each law's table.
_REST = 1e-13
_POINTS = 1201
_POLISH = 4
_SHARES, _WEIGHTS = np.polynomial.legendre.leggauss(240)


@dataclass(frozen=True)
class DifferenceLaw(Exact):
    """The law of second minus first, for two independent laws.

    ThreeProbabilities are exact, and intervals hold their mass to about 1e-9; which of
    them is the shortest is judged by a table of the laws.

    Examples
    --------
    >>> from likelier.laws import f1
    >>> law = DifferenceLaw(f1(70, 22, 21), f1(80, 15, 12))
    >>> round(law.share_above(0.0), 6), round(law.mean(), 4)
    (0.977661, 0.0891)
    """

    first: Law
    second: Law

    def mean(self) -> float:
        """Give the difference of the means."""
        return self.second.mean() - self.first.mean()

    def std(self) -> float:
        """Give the standard deviation."""
        return float(np.sqrt(self.first.var() + self.second.var()))

    def share_below(self, x: float) -> float:
        """Give P(second - first <= x)."""
        return probability_not_greater(self.second, self.first, margin=x)

    def share_above(self, x: float) -> float:
        """Give P(second - first > x), not by way of its opposite."""
        return probability_greater(self.second, self.first, margin=x)

    def pdf(self, x: FloatArray) -> FloatArray:
        """Give the density, from the table of the laws."""
        given = np.asarray(x, dtype=float)
        return self._table.density(given.ravel()).reshape(given.shape)

    def ends(self) -> tuple[float, float]:
        """Give the stretch outside of which there is next to nothing."""
        low = float(self.second.ppf(_REST)) - float(self.first.isf(_REST))
        high = float(self.second.isf(_REST)) - float(self.first.ppf(_REST))
        return max(low, -1.0), min(high, 1.0)

    def interval(self, mass: float) -> Interval:
        """Give the interval that leaves the same mass on either side."""
        tail = (1 - checked_mass(mass)) / 2
        return Interval(*self._held(tail, tail), mass=mass, kind="equal-tailed")

    def hdi(self, mass: float) -> Interval:
        """Give the shortest interval that holds the mass."""
        spare, stretch = 1 - checked_mass(mass), self._stretch

        def wide(below: float) -> float:
            ends = self._table.quantiles((below, below + mass), stretch)
            return ends[1] - ends[0]

        def tilt(below: float) -> float:
            ends = self._table.quantiles((below, below + mass), stretch)
            lower, upper = self._table.density(np.array(ends))
            return float(lower - upper)

        choices = [0.0, spare]
        if tilt(0.0) < 0 < tilt(spare):
            choices.append(float(optimize.brentq(tilt, 0.0, spare)))
        below = spare / 2 if self.first == self.second else min(choices, key=wide)
        return Interval(*self._held(below, spare - below), mass=mass, kind="hdi")

    def _held(self, below: float, above: float) -> tuple[float, float]:
        """Give the ends that leave these masses outside, exactly."""
        low, high = self._table.quantiles((below, 1 - above), self._stretch)
        if below > 0:
            low = self._polished(low, lambda x: self.share_below(x) - below)
        if above > 0:
            high = self._polished(high, lambda x: above - self.share_above(x))
        return low, high

    def _polished(self, x: float, gap: Callable[[float], float]) -> float:
        """Step towards the place where the exact masses agree."""
        for _ in range(_POLISH):
            slope = float(self._table.density(np.array([x]))[0])
            step = gap(x) / slope if slope > 0 else 0.0
            if abs(step) < 1e-13 or not -1 < x - step < 1:
                break
            x -= step
        return x

    @cached_property
    def _stretch(self) -> tuple[float, float]:
        return self.ends()

    @cached_property
    def _table(self) -> "_Table":
        swapped = width(self.first) < width(self.second)
        narrow, wide = (self.first, self.second)[:: 1 if swapped else -1]
        return _Table.of(narrow, wide, sign=-1.0 if swapped else 1.0)


@dataclass(frozen=True)
class _Table:
    """The narrower law at nodes of its own mass, the wider one as a curve.

    With sign 1 the difference is narrow minus wide, with -1 wide minus narrow.
    """

    nodes: FloatArray
    weights: FloatArray
    curve: interpolate.PchipInterpolator
    slope: interpolate.PchipInterpolator
    sign: float

    @classmethod
    def of(cls, narrow: Law, wide: Law, *, sign: float) -> "_Table":
        shares = 0.5 + 0.5 * _SHARES
        low, high = float(wide.ppf(_REST)), float(wide.isf(_REST))
        # Evenly in value and in mass, since a law may crowd at an end.
        even = np.linspace(low, high, _POINTS)
        crowded = np.asarray(wide.ppf(np.linspace(0.001, 0.999, 400)))
        points = np.unique(np.concatenate([even, crowded]))
        curve = interpolate.PchipInterpolator(points, np.asarray(wide.cdf(points)))
        nodes = np.asarray(narrow.ppf(shares))
        return cls(nodes, 0.5 * _WEIGHTS, curve, curve.derivative(), sign)

    def share(self, d: float) -> float:
        """Give about P(difference <= d)."""
        held = float(self.weights @ self._below(self.nodes - self.sign * d))
        return 1 - held if self.sign > 0 else held

    def density(self, d: FloatArray) -> FloatArray:
        """Give about the density of the difference."""
        places = self.nodes - self.sign * d[:, np.newaxis]
        inside = (places > self.curve.x[0]) & (places < self.curve.x[-1])
        heights = np.where(inside, self.slope(places), 0.0)
        return np.maximum(heights @ self.weights, 0.0)

    def quantiles(
        self, shares: tuple[float, float], stretch: tuple[float, float]
    ) -> tuple[float, float]:
        """Give about the differences below which these shares lie."""
        low, high = (self._quantile(share, stretch) for share in shares)
        return low, high

    def _quantile(self, share: float, stretch: tuple[float, float]) -> float:
        low, high = stretch
        if share <= self.share(low):
            return low
        if share >= self.share(high):
            return high
        return float(optimize.brentq(lambda d: self.share(d) - share, low, high))

    def _below(self, x: FloatArray) -> FloatArray:
        return np.asarray(self.curve(np.clip(x, self.curve.x[0], self.curve.x[-1])))
