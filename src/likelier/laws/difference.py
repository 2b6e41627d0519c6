"""The law of the difference of two independent laws."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy import interpolate, optimize

from likelier.interval import Interval, checked_mass
from likelier.laws.double import Array
from likelier.laws.exact import Exact
from likelier.laws.law import Law
from likelier.laws.order import probability_greater, probability_not_greater, width

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

    def pdf(self, x: Array) -> Array:
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

    nodes: Array
    weights: Array
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

    def density(self, d: Array) -> Array:
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

    def _below(self, x: Array) -> Array:
        return np.asarray(self.curve(np.clip(x, self.curve.x[0], self.curve.x[-1])))
