"""What every law on the unit interval can do.

A law says its log density and the logarithms of its two tails at a `Place`; all else
follows from them. Names and conventions are those of frozen distributions in
`scipy.stats`.
"""

from collections.abc import Callable
from typing import Protocol

import numpy as np
from numpy.typing import ArrayLike

from likelier.interval import Interval, checked_mass
from likelier.laws.double import Array
from likelier.laws.ends import log_density
from likelier.laws.place import Place
from likelier.laws.quantile import quantile
from likelier.laws.shape import Shape
from likelier.laws.shortest import shortest


class Law(Shape, Protocol):
    """An exact distribution on the unit interval."""

    def mean(self) -> float:
        """Give the mean."""
        ...

    def var(self) -> float:
        """Give the variance."""
        ...

    def mode(self) -> float:
        """Give the value of highest density."""
        ...

    def rvs(self, size: int | tuple[int, ...], rng: np.random.Generator) -> Array:
        """Draw random values."""
        ...

    def logpdf(self, x: ArrayLike) -> Array | float:
        """Give the log density."""
        return _evaluated(lambda x: log_density(self, x), x, beyond=-np.inf)

    def pdf(self, x: ArrayLike) -> Array | float:
        """Give the density."""
        return _exp(self.logpdf(x))

    def logcdf(self, x: ArrayLike) -> Array | float:
        """Give log P(X <= x)."""
        return _evaluated(lambda x: self.log_tails(Place.at(x))[0], x)

    def cdf(self, x: ArrayLike) -> Array | float:
        """Give P(X <= x)."""
        return _exp(self.logcdf(x))

    def logsf(self, x: ArrayLike) -> Array | float:
        """Give log P(X > x), not by way of the cdf."""
        return _evaluated(lambda x: self.log_tails(Place.at(x))[1], x)

    def sf(self, x: ArrayLike) -> Array | float:
        """Give P(X > x), not by way of the cdf."""
        return _exp(self.logsf(x))

    def ppf(self, q: ArrayLike) -> Array | float:
        """Give the value below which the law has mass q."""
        return _evaluated(lambda q: quantile(self, q, 1 - q), q, beyond=np.nan)

    def isf(self, q: ArrayLike) -> Array | float:
        """Give the value above which the law has mass q."""
        return _evaluated(lambda q: quantile(self, 1 - q, q), q, beyond=np.nan)

    def median(self) -> float:
        """Give the value with half of the mass on either side."""
        return float(self.ppf(0.5))

    def std(self) -> float:
        """Give the standard deviation."""
        return float(np.sqrt(self.var()))

    def support(self) -> tuple[float, float]:
        """Give the ends of the support."""
        return 0.0, 1.0

    def interval(self, mass: float = 0.95) -> Interval:
        """Give the interval that leaves the same mass on either side."""
        tail = 0.5 * (1 - checked_mass(mass))
        low, high = float(self.ppf(tail)), float(self.isf(tail))
        return Interval(low, high, mass=float(mass), kind="equal-tailed")

    def hdi(self, mass: float = 0.95) -> Interval:
        """Give the interval of highest density.

        A law that peaks at both ends has no single such interval: it gets the shorter
        of the two that touch an end. A flat law gets the equal-tailed one.
        """
        low, high = shortest(self, checked_mass(mass))
        return Interval(low, high, mass=float(mass), kind="hdi")


def _evaluated(
    function: Callable[[Array], Array], x: ArrayLike, *, beyond: float | None = None
) -> Array | float:
    """Apply a function of the unit interval to anything; a scalar gives a float."""
    given = np.asarray(x, dtype=float)
    result = np.full(given.shape, np.nan)
    known = ~np.isnan(given)
    result[known] = function(np.clip(given[known], 0.0, 1.0))
    if beyond is not None:
        result[(given < 0) | (given > 1)] = beyond
    return result if result.ndim else float(result)


def _exp(log: Array | float) -> Array | float:
    result = np.exp(log)
    return result if np.ndim(result) else float(result)
