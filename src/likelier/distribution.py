"""Three kinds of distribution, each answering only its own question.

A `Posterior` says how probable a difference is; a `Null` how odd the data were without
one; a `Sampling` how a number would vary on other test sets. Nothing turns one into
another.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from likelier.errors import NotDefinedError
from likelier.interval import Interval, checked_mass
from likelier.windows import shortest

FloatArray = NDArray[np.float64]
Alternative = Literal["two-sided", "greater", "less", "as-observed"]


class Distribution(Protocol):
    """A distribution of one number: an exact law or draws."""

    def mean(self) -> float:
        """Give the expectation."""

    def std(self) -> float:
        """Give the standard deviation."""

    def hdi(self, mass: float) -> Interval:
        """Give the shortest interval that holds the mass."""

    def interval(self, mass: float) -> Interval:
        """Give the interval that leaves equal masses outside on both sides."""


class Difference(Distribution, Protocol):
    """A distribution of second minus first."""

    @property
    def n_draws(self) -> int:
        """How many draws it rests on; 0 where it is exact."""

    @property
    def n_independent(self) -> int:
        """How many independent draws it rests on; 0 where it is exact."""

    def mcse(self) -> float:
        """Give the Monte-Carlo standard error of the mean; 0 where it is exact."""

    def share_below(self, x: float) -> float:
        """Give the probability of a smaller difference."""

    def share_above(self, x: float) -> float:
        """Give the probability of a larger difference."""

    def pdf(self, x: FloatArray) -> FloatArray:
        """Give the density, or an estimate of it."""


@dataclass(frozen=True, eq=False)
class Draws:
    """Independent draws of one number; all it says carries a Monte-Carlo error.

    Attributes
    ----------
    values
        The draws.
    mirrored
        Whether the second half is the first one turned round, so that only half of
        the draws are independent.

    Examples
    --------
    >>> draws = Draws(np.array([0.0, 1.0, 2.0, 3.0]))
    >>> draws.mean(), draws.share_below(2)
    (1.5, 0.5)
    """

    values: FloatArray = field(repr=False)
    mirrored: bool = False

    def __post_init__(self) -> None:
        if self.values.ndim != 1 or self.values.size == 0:
            message = f"draws must be a row of numbers; got {self.values.shape}."
            raise NotDefinedError(message)

    def __len__(self) -> int:
        return len(self.values)

    @property
    def n_draws(self) -> int:
        """How many draws there are."""
        return len(self.values)

    @property
    def n_independent(self) -> int:
        """How many of the draws are independent."""
        return len(self) // 2 if self.mirrored else len(self)

    @cached_property
    def ordered(self) -> FloatArray:
        """The draws from the least to the largest."""
        return np.sort(self.values)

    @cached_property
    def _constant(self) -> bool:
        return bool(self.values.min() == self.values.max())

    def mean(self) -> float:
        """Give the mean of the draws."""
        return float(self.values[0] if self._constant else self.values.mean())

    def std(self) -> float:
        """Give the standard deviation of the draws."""
        return 0.0 if self._constant else float(self.values.std())

    def mcse(self) -> float:
        """Give the Monte-Carlo standard error of the mean."""
        return self.std() / float(np.sqrt(len(self)))

    def share_below(self, x: float) -> float:
        """Give the share of the draws strictly below x."""
        return int(np.count_nonzero(self.values < x)) / len(self)

    def share_above(self, x: float) -> float:
        """Give the share of the draws strictly above x."""
        return int(np.count_nonzero(self.values > x)) / len(self)

    def pdf(self, x: FloatArray) -> FloatArray:
        """Estimate the density by a histogram of 200 bars."""
        heights, bins = np.histogram(self.values, bins=200, density=True)
        place = np.clip(np.searchsorted(bins, x, side="right") - 1, 0, 199)
        return np.where((x >= bins[0]) & (x <= bins[-1]), heights[place], 0.0)

    def hdi(self, mass: float) -> Interval:
        """Give the shortest interval that holds the mass of the draws."""
        low, high = shortest(self.ordered[np.newaxis], checked_mass(mass))
        return Interval(float(low[0]), float(high[0]), mass=mass, kind="hdi")

    def interval(self, mass: float) -> Interval:
        """Give the interval that leaves equal shares outside on both sides."""
        tail = (1 - checked_mass(mass)) / 2
        low, high = np.quantile(self.values, [tail, 1 - tail])
        return Interval(float(low), float(high), mass=mass, kind="equal-tailed")


class Regions(Protocol):
    """How probable it is that a region holds more of the next data set than others."""

    @property
    def n_independent(self) -> int:
        """How many independent draws it rests on; 0 where it is exact."""

    def shares(self, low: float, high: float) -> tuple[float, float, float]:
        """Give the probabilities for below, between and above two ends."""

    def masses(self, low: float, high: float) -> FloatArray:
        """Give what each region holds of the next data set (point, region)."""


@dataclass(frozen=True)
class Posterior:
    """How probable each value of the two metrics and of their difference is.

    Attributes
    ----------
    systems
        The posterior of each system's metric, the baseline's first; none where the
        method speaks of differences only.
    difference
        The posterior of second minus first, positive where the second is better.
    regions
        Over many data sets: which region the next one most probably falls into.
    """

    systems: tuple[Distribution, ...]
    difference: Difference
    regions: Regions | None = None


@dataclass(frozen=True)
class Sampling:
    """How a metric, or a difference of two, would vary on other test sets."""

    values: Draws

    def standard_error(self) -> float:
        """Give the standard deviation over test sets."""
        return self.values.std()

    def confidence(self, mass: float) -> Interval:
        """Give the percentile interval."""
        low, high = self.values.interval(mass)
        return Interval(low, high, mass=mass, kind="confidence")


@dataclass(frozen=True)
class Null:
    """How odd the observed difference were if the systems did not differ.

    Attributes
    ----------
    p_value
        The probability of a difference at least as large without a real one.
    statistic
        The test statistic.
    statistic_name
        What the test statistic is.
    alternative
        Which differences count as at least as large.
    mcse
        The Monte-Carlo standard error of the p-value; 0 where it is exact.
    details
        Numbers behind the p-value, such as the discordant items.
    """

    p_value: float
    statistic: float
    statistic_name: str
    alternative: Alternative
    mcse: float = 0.0
    details: Mapping[str, float] = field(default_factory=dict)
