"""The difference of two independent laws, and P(X > Y + margin).

One smooth integral of the density of the narrower law times a tail of the other. The
opposite probability is the same function with the laws exchanged, so exchanging two
systems mirrors every number to the last digit.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from scipy import special

from likelier._typing import FloatArray
from likelier.errors import SettingError
from likelier.interval import Interval, checked_mass
from likelier.laws.law import Law, NoDraws
from likelier.laws.numerics import UnitPoint, find_root, legendre, log_integral

if TYPE_CHECKING:
    from scipy.interpolate import PchipInterpolator

_LOWER, _UPPER = 0, 1
# Mass that a table of a law leaves out beyond each of its ends.
_REST = 1e-13
_POINTS = 1201
_MOST_STEPS = 4
_NODES = 240
_TOLERANCE = 2e-12


def probability_greater(first: Law, second: Law, *, margin: float = 0.0) -> float:
    """Compute P(X > Y + margin), X of the first and Y of the second law.

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
    """Compute P(X <= Y + margin), not as 1 - P(X > Y + margin)."""
    return math.exp(log_probability_not_greater(first, second, margin=margin))


def log_probability_not_greater(
    first: Law, second: Law, *, margin: float = 0.0
) -> float:
    """Compute log P(X <= Y + margin), not from its opposite."""
    return log_probability_greater(second, first, margin=-margin)


def log_probability_greater(first: Law, second: Law, *, margin: float = 0.0) -> float:
    """Compute log P(X > Y + margin).

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
    if abs(margin) >= 1:
        return -math.inf if margin > 0 else 0.0
    if _width(first) <= _width(second):
        return _log_chance(first, second, shift=-margin, side=_LOWER)
    return _log_chance(second, first, shift=margin, side=_UPPER)


def log_density_of_tie(first: Law, second: Law) -> float:
    """Compute the log density of X - Y at 0: the integral of both densities' product.

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
    narrow = min(first, second, key=_width)

    def log_f(logit: FloatArray) -> FloatArray:
        point = UnitPoint.of_logit(logit)
        with np.errstate(divide="ignore", invalid="ignore"):
            both = first.log_density(point) + second.log_density(point)
            result = both + point.log_slope()
        return np.where(np.isnan(result), -np.inf, result)

    start, spread = narrow.centre()
    return float(log_integral(log_f, np.array([start]), np.array([spread]))[0])


def _width(law: Law) -> float:
    """Return approximately the standard deviation."""
    middle, spread = law.centre()
    return float(spread * special.expit(middle) * special.expit(-middle))


def _log_chance(density: Law, other: Law, *, shift: float, side: int) -> float:
    """Integrate a density times a tail of the other law at value + shift.

    The stretch is that on which both values lie in the unit interval; beyond it the
    tail is 0, or 1 and then the density's own tail is added.
    """
    bottom, top = max(-shift, 0.0), max(shift, 0.0)

    def log_f(logit: FloatArray) -> FloatArray:
        point = UnitPoint.between(bottom, top, logit)
        shifted = UnitPoint.between(top, bottom, logit)
        jacobian = -np.abs(logit) - 2 * np.log1p(np.exp(-np.abs(logit)))
        with np.errstate(divide="ignore", invalid="ignore"):
            log_density = density.log_density(point) + jacobian
            result = log_density + other.log_tails(shifted)[side]
        # So far out that the value is no longer a float.
        return np.where(np.isnan(result), -np.inf, result)

    middle, spread = density.centre()
    value = np.clip(special.expit(middle), bottom, 1 - top)
    length = 1 - abs(shift)
    share = np.clip((value - bottom) / length, 1e-9, 1 - 1e-9)
    start = np.array([special.logit(share)])
    log_chance = log_integral(log_f, start, np.array([spread])) + np.log(length)
    if shift > 0 if side == _LOWER else shift < 0:
        edge = (1 - top, top) if side == _LOWER else (bottom, 1 - bottom)
        with np.errstate(divide="ignore"):
            at_edge = UnitPoint(*np.array(edge)[:, None])
            beyond = density.log_tails(at_edge)[1 - side]
        log_chance = np.logaddexp(log_chance, beyond)
    return min(float(log_chance[0]), 0.0)


@dataclass(frozen=True)
class DifferenceLaw(NoDraws):
    """The law of second minus first, for two independent laws.

    Probabilities are exact, and intervals hold their mass to about 1e-9; which of them
    is the shortest is decided by a table of the laws.

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
        """Return the difference of the means."""
        return self.second.mean() - self.first.mean()

    def std(self) -> float:
        """Return the standard deviation."""
        return float(np.sqrt(self.first.var() + self.second.var()))

    def share_below(self, x: float) -> float:
        """Return P(second - first <= x)."""
        return probability_not_greater(self.second, self.first, margin=x)

    def share_above(self, x: float) -> float:
        """Return P(second - first > x), not computed from its opposite."""
        return probability_greater(self.second, self.first, margin=x)

    def pdf(self, x: FloatArray) -> FloatArray:
        """Return the density, from the table of the laws."""
        x = np.asarray(x, dtype=float)
        return self._table.density(x.ravel()).reshape(x.shape)

    def ends(self) -> tuple[float, float]:
        """Return the stretch outside of which there is next to nothing."""
        return self._ends

    def interval(self, mass: float) -> Interval:
        """Return the interval that leaves the same mass on either side."""
        tail = (1 - checked_mass(mass)) / 2
        return Interval(*self._leaving(tail, tail), mass=mass, kind="equal-tailed")

    def hdi(self, mass: float) -> Interval:
        """Return the shortest interval that holds the mass."""
        spare = 1 - checked_mass(mass)

        def width_from(below: float) -> float:
            low, high = self._quantiles(below, below + mass)
            return high - low

        def tilt(below: float) -> float:
            ends = np.array(self._quantiles(below, below + mass))
            lower, upper = self._table.density(ends)
            return float(lower - upper)

        starts = [0.0, spare]
        if tilt(0.0) < 0 < tilt(spare):
            starts.append(find_root(tilt, 0.0, spare, tolerance=_TOLERANCE))
        equal = self.first == self.second
        below = spare / 2 if equal else min(starts, key=width_from)
        return Interval(*self._leaving(below, spare - below), mass=mass, kind="hdi")

    def _leaving(self, below: float, above: float) -> tuple[float, float]:
        """Return the ends that leave these masses outside, exactly."""
        low, high = self._quantiles(below, 1 - above)
        if below > 0:
            low = self._refined(low, lambda x: self.share_below(x) - below)
        if above > 0:
            high = self._refined(high, lambda x: above - self.share_above(x))
        return low, high

    def _refined(self, x: float, gap: Callable[[float], float]) -> float:
        """Move an end by Newton steps until the exact masses agree."""
        for _ in range(_MOST_STEPS):
            slope = float(self._table.density(np.array([x]))[0])
            step = gap(x) / slope if slope > 0 else 0.0
            if abs(step) < 1e-13 or not -1 < x - step < 1:
                break
            x -= step
        return x

    def _quantiles(self, *shares: float) -> tuple[float, ...]:
        return tuple(self._table.quantile(share, self._ends) for share in shares)

    @cached_property
    def _ends(self) -> tuple[float, float]:
        low = float(self.second.ppf(_REST)) - float(self.first.isf(_REST))
        high = float(self.second.isf(_REST)) - float(self.first.ppf(_REST))
        return max(low, -1.0), min(high, 1.0)

    @cached_property
    def _table(self) -> "_Table":
        if _width(self.first) < _width(self.second):
            return _Table.of(self.first, self.second, sign=-1.0)
        return _Table.of(self.second, self.first, sign=1.0)


@dataclass(frozen=True)
class _Table:
    """The narrower law at nodes of its own mass, the wider one as a curve.

    With sign 1 the difference is narrow minus wide, with -1 wide minus narrow.
    """

    nodes: FloatArray
    weights: FloatArray
    curve: "PchipInterpolator"
    slope: "PchipInterpolator"
    sign: float

    @classmethod
    def of(cls, narrow: Law, wide: Law, *, sign: float) -> "_Table":
        from scipy.interpolate import PchipInterpolator

        low, high = float(wide.ppf(_REST)), float(wide.isf(_REST))
        # Evenly in value and in mass, since a law may crowd at an end.
        even = np.linspace(low, high, _POINTS)
        crowded = np.asarray(wide.ppf(np.linspace(0.001, 0.999, 400)))
        points = np.unique(np.concatenate([even, crowded]))
        curve = PchipInterpolator(points, np.asarray(wide.cdf(points)))
        shares, weights = legendre(_NODES)
        nodes = np.asarray(narrow.ppf(0.5 + 0.5 * shares))
        return cls(nodes, 0.5 * weights, curve, curve.derivative(), sign)

    def share_below(self, x: float) -> float:
        """Return approximately P(difference <= x)."""
        at = np.clip(self.nodes - self.sign * x, self.curve.x[0], self.curve.x[-1])
        share = float(self.weights @ self.curve(at))
        return 1 - share if self.sign > 0 else share

    def density(self, x: FloatArray) -> FloatArray:
        """Return approximately the density of the difference."""
        at = self.nodes - self.sign * x[:, np.newaxis]
        inside = (at > self.curve.x[0]) & (at < self.curve.x[-1])
        heights = np.where(inside, self.slope(at), 0.0)
        return np.maximum(heights @ self.weights, 0.0)

    def quantile(self, share: float, ends: tuple[float, float]) -> float:
        """Return approximately the difference below which a share of the mass lies."""
        low, high = ends
        if share <= self.share_below(low):
            return low
        if share >= self.share_below(high):
            return high
        return find_root(
            lambda x: self.share_below(x) - share, low, high, tolerance=_TOLERANCE
        )
