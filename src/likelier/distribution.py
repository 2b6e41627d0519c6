"""Three kinds of distribution, each answering only its own question.

A `Posterior` tells how probable a difference is, a `Null` how unusual the data would be
without one, a `Sampling` how a number would vary on other test sets. Nothing turns one
into another.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from likelier._typing import FloatArray
from likelier.errors import NotDefinedError
from likelier.interval import Interval, checked_mass

Alternative = Literal["two-sided", "greater", "less", "as-observed"]


class Distribution(Protocol):
    """A distribution of one number: an exact law or draws."""

    def mean(self) -> float:
        """Return the expectation."""

    def std(self) -> float:
        """Return the standard deviation."""

    def hdi(self, mass: float) -> Interval:
        """Return the shortest interval that holds the mass."""

    def interval(self, mass: float) -> Interval:
        """Return the interval that leaves equal masses outside on both sides."""


class Difference(Distribution, Protocol):
    """A distribution of second minus first."""

    @property
    def n_draws(self) -> int:
        """Number of draws that it rests on; 0 where it is exact."""

    @property
    def n_independent(self) -> int:
        """Number of independent draws that it rests on; 0 where it is exact."""

    def mcse(self) -> float:
        """Return the Monte-Carlo standard error of the mean; 0 where it is exact."""

    def share_below(self, x: float) -> float:
        """Return the probability of a smaller difference."""

    def share_above(self, x: float) -> float:
        """Return the probability of a larger difference."""


@dataclass(frozen=True, eq=False)
class Draws:
    """Draws of one number; whatever is computed from them has a Monte-Carlo error.

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
        """Number of draws."""
        return len(self.values)

    @property
    def n_independent(self) -> int:
        """Number of independent draws."""
        return len(self) // 2 if self.mirrored else len(self)

    @cached_property
    def ordered(self) -> FloatArray:
        """The draws from the least to the largest."""
        return np.sort(self.values)

    @cached_property
    def _constant(self) -> bool:
        return bool(self.values.min() == self.values.max())

    def mean(self) -> float:
        """Return the mean of the draws."""
        return float(self.values[0] if self._constant else self.values.mean())

    def std(self) -> float:
        """Return the standard deviation of the draws."""
        return 0.0 if self._constant else float(self.values.std())

    def mcse(self) -> float:
        """Return the Monte-Carlo standard error of the mean."""
        return self.std() / float(np.sqrt(len(self)))

    def share_below(self, x: float) -> float:
        """Return the share of the draws strictly below x."""
        return int(np.count_nonzero(self.values < x)) / len(self)

    def share_above(self, x: float) -> float:
        """Return the share of the draws strictly above x."""
        return int(np.count_nonzero(self.values > x)) / len(self)

    def hdi(self, mass: float) -> Interval:
        """Return the shortest interval that holds the mass of the draws."""
        low, high = shortest(self.ordered[np.newaxis], checked_mass(mass))
        return Interval(float(low[0]), float(high[0]), mass=mass, kind="hdi")

    def interval(self, mass: float) -> Interval:
        """Return the interval that leaves equal shares outside on both sides."""
        tail = (1 - checked_mass(mass)) / 2
        low, high = np.quantile(self.values, [tail, 1 - tail])
        return Interval(float(low), float(high), mass=mass, kind="equal-tailed")


class Regions(Protocol):
    """Probabilities that each of three regions holds most of the next data set."""

    @property
    def n_independent(self) -> int:
        """Number of independent draws that it rests on; 0 where it is exact."""

    def shares(self, low: float, high: float) -> tuple[float, float, float]:
        """Return the probabilities for below, between and above two ends."""

    def masses(self, low: float, high: float) -> FloatArray:
        """Return the mass of the next data set by region (point, region)."""


@dataclass(frozen=True)
class Posterior:
    """Posterior of the metrics of two systems and of their difference.

    Attributes
    ----------
    systems
        The posterior of each system's metric, the baseline's first; none where the
        method is about differences only.
    difference
        The posterior of second minus first, positive where the second is better.
    regions
        Over many data sets: probabilities of the region that the next one falls into.
    """

    systems: tuple[Distribution, ...]
    difference: Difference
    regions: Regions | None = None


@dataclass(frozen=True)
class Sampling:
    """Sampling distribution of a metric or a difference, over other test sets."""

    values: Draws

    def standard_error(self) -> float:
        """Return the standard deviation over test sets."""
        return self.values.std()

    def confidence(self, mass: float) -> Interval:
        """Return the percentile interval."""
        low, high = self.values.interval(mass)
        return Interval(low, high, mass=mass, kind="confidence")


@dataclass(frozen=True)
class Null:
    """Test of the hypothesis that the systems do not differ.

    Attributes
    ----------
    p_value
        The probability of a difference at least as large without a real one.
    statistic
        The test statistic.
    statistic_name
        Name of the test statistic.
    alternative
        Differences that count as at least as large.
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


# Windows this much wider than the shortest are near it; the fewer the draws, the more
# of the widths is luck, and the more neighbours it takes to see through it.
_NEAR_SCALE = 0.75
_FEWEST = 20


def shortest(ordered: FloatArray, mass: float) -> tuple[FloatArray, FloatArray]:
    """Return the ends of the shortest interval that holds the mass, row by row.

    Parameters
    ----------
    ordered
        Draws (row, draw), each row from the least to the largest.
    mass
        The mass to hold.

    Examples
    --------
    >>> low, high = shortest(np.array([[0.0, 5.0, 6.0, 7.0, 9.0]]), 0.5)
    >>> float(low[0]), float(high[0])
    (5.0, 9.0)
    """
    n = ordered.shape[1]
    # Between draws i and j lies a mass of (j - i) / (n + 1) on average.
    gaps = min(n - 1, int(np.ceil(mass * (n + 1) - 1e-9)))
    widths = ordered[:, gaps:] - ordered[:, : n - gaps]
    start = _flattest(widths, 1 + _NEAR_SCALE / n ** (1 / 3))
    row = np.arange(len(ordered))
    return ordered[row, start], ordered[row, start + gaps]


def _flattest(widths: FloatArray, near: float) -> NDArray[np.int64]:
    """Return where the shortest window starts, not misled by single draws.

    Widths change slowly around the shortest window, so the luck of the draws moves
    the bare minimum far, and towards windows that hold too little; the vertex of a
    parabola through the near-minimal ones stays.
    """
    row = np.arange(len(widths))
    best = np.argmin(widths, axis=1)
    least = widths[row, best]
    close = widths <= near * least[:, np.newaxis]
    clear = (close.sum(axis=1) >= _FEWEST) & (least > 0)
    if not clear.any():
        return best
    x = np.linspace(-1.0, 1.0, widths.shape[1])
    excess = np.where(close, widths - least[:, np.newaxis], 0.0)
    vertex, curved = _vertices(x, close.astype(np.float64), excess)
    middle = np.rint((vertex + 1) / 2 * (len(x) - 1)).astype(np.int64)
    return np.where(clear & curved & close[row, middle], middle, best)


def _vertices(
    x: FloatArray, close: FloatArray, heights: FloatArray
) -> tuple[FloatArray, NDArray[np.bool_]]:
    """Fit a parabola to the close points of each row; return where it is lowest."""
    powers = np.vander(x, 5, increasing=True)
    moments = close @ powers
    products = heights @ powers[:, :3]
    count = moments[:, 0]
    mean = moments[:, 1] / count
    # Orthogonal over the close points are 1, x - mean, and (x - mean)(x - lean) less
    # the spread.
    spread = moments[:, 2] / count - mean**2
    third = moments[:, 3] - 2 * mean * moments[:, 2] + mean**2 * moments[:, 1]
    lean = np.divide(third / count, spread, out=np.zeros_like(mean), where=spread > 0)
    linear = products[:, 1] - mean * products[:, 0]
    square = (
        products[:, 2]
        - (mean + lean) * products[:, 1]
        + (mean * lean - spread) * products[:, 0]
    )
    norm = _square_norm(moments, mean, lean, spread)
    slope = np.divide(linear, count * spread, out=np.zeros_like(mean), where=spread > 0)
    bend = np.divide(square, norm, out=np.zeros_like(mean), where=norm > 0)
    curved = bend > 0
    offset = np.divide(slope, 2 * bend, out=np.zeros_like(mean), where=curved)
    return np.clip((mean + lean) / 2 - offset, -1.0, 1.0), curved


def _square_norm(
    moments: FloatArray, mean: FloatArray, lean: FloatArray, spread: FloatArray
) -> FloatArray:
    """Sum the squares of the third polynomial, (x - mean)(x - lean) - spread."""
    linear, constant = -(mean + lean), mean * lean - spread
    return (
        moments[:, 4]
        + 2 * linear * moments[:, 3]
        + (linear**2 + 2 * constant) * moments[:, 2]
        + 2 * linear * constant * moments[:, 1]
        + constant**2 * moments[:, 0]
    )


def drawn_posterior(
    values: FloatArray,
    differences: Callable[[FloatArray], FloatArray],
    *,
    mirror: bool,
) -> Posterior:
    """Build a posterior of draws (draw, system) of two metrics.

    Parameters
    ----------
    values
        The metric of both systems.
    differences
        Function that subtracts the systems, positive where the second is better.
    mirror
        Whether the systems are exchangeable. Then their posterior is symmetric, and so
        are the draws, lest one system be ahead by luck.
    """
    if mirror:
        half = values[: (len(values) + 1) // 2]
        values = np.concatenate([half, half[:, ::-1]])
    systems = tuple(Draws(column) for column in np.ascontiguousarray(values.T))
    return Posterior(systems, Draws(differences(values), mirrored=mirror))


def mirrored(
    values: NDArray[np.float64], alike: NDArray[np.bool_]
) -> NDArray[np.float64]:
    """Mirror the draws of many tables (table, draw, system) where systems are alike.

    The last draw of an odd number is left as it is.
    """
    half = values.shape[1] // 2
    values[alike, half : 2 * half] = values[alike, :half, ::-1]
    return values
