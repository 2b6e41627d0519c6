"""The Student law on the line, with its place and its scale."""

from dataclasses import dataclass

import numpy as np
from scipy import special

from likelier.interval import Interval, checked_mass
from likelier.laws.double import Array
from likelier.laws.exact import Exact


@dataclass(frozen=True)
class StudentLaw(Exact):
    """A Student variable with a location and a scale; a posterior of a difference.

    Attributes
    ----------
    location
        Its centre.
    scale
        Its scale, above 0.
    df
        Its degrees of freedom.

    Examples
    --------
    >>> law = StudentLaw(0.02, 0.01, 9.0)
    >>> round(law.share_above(0.0), 4), float(f"{law.share_below(-0.5):.3g}")
    (0.9617, 9.03e-13)
    """

    location: float
    scale: float
    df: float

    def mean(self) -> float:
        """Give the centre, which is the mean where there is one."""
        return self.location

    def std(self) -> float:
        """Give the standard deviation; it is infinite up to 2 degrees of freedom."""
        return self.scale * np.sqrt(self.df / (self.df - 2)) if self.df > 2 else np.inf

    def share_below(self, x: float) -> float:
        """Give the probability of a smaller value, however small it is."""
        return float(special.stdtr(self.df, (x - self.location) / self.scale))

    def share_above(self, x: float) -> float:
        """Give the probability of a larger value, not by way of its opposite."""
        return float(special.stdtr(self.df, (self.location - x) / self.scale))

    def pdf(self, x: Array) -> Array:
        """Give the density."""
        away = (np.asarray(x, dtype=float) - self.location) / self.scale
        height = special.poch(0.5 * self.df, 0.5) / np.sqrt(np.pi * self.df)
        power = -0.5 * (self.df + 1)
        return np.asarray(height / self.scale * (1 + away**2 / self.df) ** power)

    def hdi(self, mass: float) -> Interval:
        """Give the interval of highest density, which is the equal-tailed one."""
        reach = self._reach(checked_mass(mass))
        low, high = self.location - reach, self.location + reach
        return Interval(low, high, mass=mass, kind="hdi")

    def interval(self, mass: float) -> Interval:
        """Give the interval that leaves equal masses outside on both sides."""
        low, high = self.hdi(mass)
        return Interval(low, high, mass=mass, kind="equal-tailed")

    def ends(self) -> tuple[float, float]:
        """Give the stretch outside of which there is next to nothing to be seen."""
        reach = self._reach(0.9999)
        return self.location - reach, self.location + reach

    def _reach(self, mass: float) -> float:
        return self.scale * float(-special.stdtrit(self.df, 0.5 * (1 - mass)))
