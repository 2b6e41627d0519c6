"""The law of the difference of two independent laws."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy import interpolate, optimize

from likelier.interval import Interval, checked_mass
from likelier.laws.double import Array
from likelier.laws.law import Law
from likelier.laws.order import (
    log_chances,
    probability_greater,
    probability_not_greater,
)

_POINTS = 161
_REACH = 7.0


@dataclass(frozen=True)
class DifferenceLaw:
    """The law of second minus first, for two independent laws.

    Probabilities are exact; ends of intervals are good to about 1e-7 of the law's
    width.

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

    def mcse(self) -> float:
        """Give 0: nothing is drawn."""
        return 0.0

    @property
    def n_draws(self) -> int:
        """The number of draws: none."""
        return 0

    def share_below(self, x: float) -> float:
        """Give P(second - first <= x)."""
        return probability_not_greater(self.second, self.first, margin=x)

    def share_above(self, x: float) -> float:
        """Give P(second - first > x), not by way of its opposite."""
        return probability_greater(self.second, self.first, margin=x)

    def pdf(self, x: Array) -> Array:
        """Give the density, as the slope of the distribution function."""
        return np.maximum(self._curve.derivative()(np.asarray(x, dtype=float)), 0.0)

    def ends(self) -> tuple[float, float]:
        """Give the stretch outside of which there is nothing to see."""
        return self._stretch

    def interval(self, mass: float) -> Interval:
        """Give the interval that leaves the same mass on either side."""
        tail = (1 - checked_mass(mass)) / 2
        low, high = self._quantile(tail), self._quantile(1 - tail)
        return Interval(low, high, mass=mass, kind="equal-tailed")

    def hdi(self, mass: float) -> Interval:
        """Give the shortest interval that holds the mass."""
        spare = 1 - checked_mass(mass)

        def width(below: float) -> float:
            return self._quantile(below + mass) - self._quantile(below)

        found = optimize.minimize_scalar(
            width, bounds=(0.0, spare), method="bounded", options={"xatol": 1e-9}
        )
        low, high = self._quantile(found.x), self._quantile(found.x + mass)
        return Interval(low, high, mass=mass, kind="hdi")

    @cached_property
    def _stretch(self) -> tuple[float, float]:
        middle, reach = self.mean(), _REACH * self.std()
        return max(middle - reach, -1.0), min(middle + reach, 1.0)

    @cached_property
    def _curve(self) -> interpolate.CubicSpline:
        low, high = self.ends()
        points = np.linspace(low, high, _POINTS)
        shares = np.exp(log_chances(self.first, self.second, -points))
        return interpolate.CubicSpline(points, shares)

    def _quantile(self, share: float) -> float:
        low, high = self.ends()
        if not self._curve(low) < share < self._curve(high):
            return low if share <= self._curve(low) else high

        def gap(x: float) -> float:
            return float(self._curve(x)) - share

        return float(optimize.brentq(gap, low, high, xtol=1e-14))
