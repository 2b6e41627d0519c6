"""A law on the line that is known by a table of its two tails."""

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from scipy import interpolate

from likelier.interval import Interval, checked_mass
from likelier.laws.double import Array
from likelier.laws.exact import Exact

_NEAR = 1.02


@dataclass(frozen=True, eq=False)
class TabulatedLaw(Exact):
    """A law by its tails at increasing points, smooth between them.

    Attributes
    ----------
    points
        Where the tails are known.
    below, above
        The probabilities below and above each point, each computed for itself.
    centre, spread
        The mean and the standard deviation, as the maker of the table knows them.
    """

    points: Array = field(repr=False)
    below: Array = field(repr=False)
    above: Array = field(repr=False)
    centre: float
    spread: float

    def __post_init__(self) -> None:
        # Tails that were summed may waver in their last digits.
        object.__setattr__(self, "below", np.maximum.accumulate(self.below))
        object.__setattr__(self, "above", np.minimum.accumulate(self.above))

    def mean(self) -> float:
        """Give the mean."""
        return self.centre

    def std(self) -> float:
        """Give the standard deviation."""
        return self.spread

    def share_below(self, x: float) -> float:
        """Give the probability of a smaller value."""
        return float(np.clip(self._below(np.clip(x, *self.ends())), 0.0, 1.0))

    def share_above(self, x: float) -> float:
        """Give the probability of a larger value, not by way of its opposite."""
        return float(np.clip(self._above(np.clip(x, *self.ends())), 0.0, 1.0))

    def pdf(self, x: Array) -> Array:
        """Give the density."""
        given = np.asarray(x, dtype=float)
        low, high = self.ends()
        inside = (given >= low) & (given <= high)
        slope = self._below.derivative()(np.clip(given, low, high))
        return np.where(inside, np.maximum(slope, 0.0), 0.0)

    def interval(self, mass: float) -> Interval:
        """Give the interval that leaves equal masses outside on both sides."""
        tail = 0.5 * (1 - checked_mass(mass))
        low, high = self._quantile(np.array([tail, 1 - tail]))
        return Interval(float(low), float(high), mass=mass, kind="equal-tailed")

    def hdi(self, mass: float) -> Interval:
        """Give the shortest interval that holds the mass."""
        starts = np.linspace(0, 1 - checked_mass(mass), 401)
        widths = self._quantile(starts + mass) - self._quantile(starts)
        # The width is flat where it is least: a parabola through what is near finds
        # the middle of it, whatever the last digits do.
        near = np.flatnonzero(widths <= _NEAR * widths.min())
        start = starts[int(np.argmin(widths))]
        if len(near) > 4 and near[0] > 0 and near[-1] < len(starts) - 1:
            bend, slope, _ = np.polyfit(starts[near], widths[near], 2)
            start = float(
                np.clip(-0.5 * slope / bend, starts[near[0]], starts[near[-1]])
            )
        low, high = self._quantile(np.array([start, start + mass]))
        return Interval(float(low), float(high), mass=mass, kind="hdi")

    def median(self) -> float:
        """Give the value with half of the mass on either side."""
        return float(self._quantile(np.array([0.5]))[0])

    def quantile(self, share: Array) -> Array:
        """Give the values below which these shares of the mass lie."""
        return self._quantile(np.asarray(share, dtype=float))

    def ends(self) -> tuple[float, float]:
        """Give the first and the last point of the table."""
        return float(self.points[0]), float(self.points[-1])

    def _quantile(self, share: Array) -> Array:
        return np.asarray(self._inverse(np.clip(share, self.below[0], self.below[-1])))

    @cached_property
    def _below(self) -> interpolate.PchipInterpolator:
        return interpolate.PchipInterpolator(self.points, self.below)

    @cached_property
    def _above(self) -> interpolate.PchipInterpolator:
        return interpolate.PchipInterpolator(self.points, self.above)

    @cached_property
    def _inverse(self) -> interpolate.PchipInterpolator:
        rising = np.concatenate([[True], np.diff(self.below) > 0])
        return interpolate.PchipInterpolator(self.below[rising], self.points[rising])
