"""Laws on the real line: Student's, and one tabulated by its tails."""

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from scipy import special

from likelier._typing import FloatArray
from likelier.interval import Interval, checked_mass
from likelier.laws.law import NoDraws

if TYPE_CHECKING:
    from scipy.interpolate import PchipInterpolator


@dataclass(frozen=True)
class StudentLaw(NoDraws):
    """A Student variable with a location and a scale; a posterior of a difference.

    Attributes
    ----------
    location
        The centre.
    scale
        The scale, above 0.
    df
        The degrees of freedom.

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
        """Return the centre, which is the mean where there is one."""
        return self.location

    def std(self) -> float:
        """Return the standard deviation; it is infinite up to 2 degrees of freedom."""
        return self.scale * np.sqrt(self.df / (self.df - 2)) if self.df > 2 else np.inf

    def share_below(self, x: float) -> float:
        """Return the probability of a smaller value, however small it is."""
        return float(special.stdtr(self.df, (x - self.location) / self.scale))

    def share_above(self, x: float) -> float:
        """Return the probability of a larger value, not computed from its opposite."""
        return float(special.stdtr(self.df, (self.location - x) / self.scale))

    def pdf(self, x: FloatArray) -> FloatArray:
        """Return the density."""
        away = (np.asarray(x, dtype=float) - self.location) / self.scale
        height = special.poch(0.5 * self.df, 0.5) / np.sqrt(np.pi * self.df)
        power = -0.5 * (self.df + 1)
        return np.asarray(height / self.scale * (1 + away**2 / self.df) ** power)

    def hdi(self, mass: float) -> Interval:
        """Return the interval of highest density, which is the equal-tailed one."""
        reach = self._reach(checked_mass(mass))
        low, high = self.location - reach, self.location + reach
        return Interval(low, high, mass=mass, kind="hdi")

    def interval(self, mass: float) -> Interval:
        """Return the interval that leaves equal masses outside on both sides."""
        low, high = self.hdi(mass)
        return Interval(low, high, mass=mass, kind="equal-tailed")

    def ends(self) -> tuple[float, float]:
        """Return the stretch outside of which there is next to nothing."""
        reach = self._reach(0.9999)
        return self.location - reach, self.location + reach

    def _reach(self, mass: float) -> float:
        return self.scale * float(-special.stdtrit(self.df, 0.5 * (1 - mass)))


# Widths up to this multiple of the least are near it.
_NEAR = 1.02


@dataclass(frozen=True, eq=False)
class TabulatedLaw(NoDraws):
    """A law tabulated by its tails at increasing points, smooth between them.

    Attributes
    ----------
    points
        Points at which the tails were computed.
    below, above
        The probabilities below and above each point, each computed for itself.
    centre, spread
        The mean and the standard deviation, which the table does not give exactly.
    """

    points: FloatArray = field(repr=False)
    below: FloatArray = field(repr=False)
    above: FloatArray = field(repr=False)
    centre: float
    spread: float

    def __post_init__(self) -> None:
        # Tails that were summed may waver in their last digits.
        object.__setattr__(self, "below", np.maximum.accumulate(self.below))
        object.__setattr__(self, "above", np.minimum.accumulate(self.above))

    def mean(self) -> float:
        """Return the mean."""
        return self.centre

    def std(self) -> float:
        """Return the standard deviation."""
        return self.spread

    def share_below(self, x: float) -> float:
        """Return the probability of a smaller value."""
        return float(np.clip(self._below(np.clip(x, *self.ends())), 0.0, 1.0))

    def share_above(self, x: float) -> float:
        """Return the probability of a larger value, not computed from its opposite."""
        return float(np.clip(self._above(np.clip(x, *self.ends())), 0.0, 1.0))

    def pdf(self, x: FloatArray) -> FloatArray:
        """Return the density."""
        x = np.asarray(x, dtype=float)
        low, high = self.ends()
        density, middles = self._density, self._density.x
        height = density(np.clip(x, middles[0], middles[-1]))
        return np.where((x >= low) & (x <= high), height, 0.0)

    def interval(self, mass: float) -> Interval:
        """Return the interval that leaves equal masses outside on both sides."""
        tail = 0.5 * (1 - checked_mass(mass))
        low, high = self.quantile(np.array([tail, 1 - tail]))
        return Interval(float(low), float(high), mass=mass, kind="equal-tailed")

    def hdi(self, mass: float) -> Interval:
        """Return the shortest interval that holds the mass."""
        starts = np.linspace(0, 1 - checked_mass(mass), 401)
        widths = self.quantile(starts + mass) - self.quantile(starts)
        # The width is flat around its minimum: a parabola through what is near it finds
        # the middle, whatever the last digits do.
        near = np.flatnonzero(widths <= _NEAR * widths.min())
        start = starts[int(np.argmin(widths))]
        if len(near) > 4 and near[0] > 0 and near[-1] < len(starts) - 1:
            bend, slope, _ = np.polyfit(starts[near], widths[near], 2)
            start = float(
                np.clip(-0.5 * slope / bend, starts[near[0]], starts[near[-1]])
            )
        low, high = self.quantile(np.array([start, start + mass]))
        return Interval(float(low), float(high), mass=mass, kind="hdi")

    def median(self) -> float:
        """Return the value with half of the mass on either side."""
        return float(self.quantile(np.array([0.5]))[0])

    def quantile(self, share: FloatArray) -> FloatArray:
        """Return the values below which these shares of the mass lie."""
        share = np.clip(share, self.below[0], self.below[-1])
        return np.asarray(self._inverse(share))

    def ends(self) -> tuple[float, float]:
        """Return the first and the last point of the table."""
        return float(self.points[0]), float(self.points[-1])

    @cached_property
    def _below(self) -> "PchipInterpolator":
        return _interpolator(self.points, self.below)

    @cached_property
    def _density(self) -> "PchipInterpolator":
        # The slope of an interpolated tail would have a kink at every point.
        middles = (self.points[1:] + self.points[:-1]) / 2
        slopes = np.diff(self.below) / np.diff(self.points)
        return _interpolator(middles, slopes)

    @cached_property
    def _above(self) -> "PchipInterpolator":
        return _interpolator(self.points, self.above)

    @cached_property
    def _inverse(self) -> "PchipInterpolator":
        rising = np.concatenate([[True], np.diff(self.below) > 0])
        return _interpolator(self.below[rising], self.points[rising])


def _interpolator(x: FloatArray, y: FloatArray) -> "PchipInterpolator":
    """Return the monotone curve through points."""
    from scipy.interpolate import PchipInterpolator

    return PchipInterpolator(x, y)
