"""What every law on the unit interval can do.

A law says its log density and the logarithms of its two tails at a `Place`; all else
follows from them. Names and conventions are those of frozen distributions in
`scipy.stats`.
"""

from collections.abc import Callable
from typing import Protocol

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from likelier.errors import SettingError
from likelier.interval import Interval, checked_mass
from likelier.laws.double import Array
from likelier.laws.place import Place
from likelier.laws.quantile import place_of_tail
from likelier.laws.shortest import shortest

# So near to an end, a density that is finite there is its own limit.
_NEAREST = 1e-300


class Law(Protocol):
    """An exact distribution on the unit interval.

    Near 0 the density goes like x^(a-1), near 1 like (1-x)^(b-1).
    """

    @property
    def a(self) -> float:
        """The parameter that rules the lower end."""
        ...

    @property
    def b(self) -> float:
        """The parameter that rules the upper end."""
        ...

    def log_density(self, place: Place) -> Array:
        """Give the log density inside the support."""
        ...

    def log_tails(self, place: Place) -> tuple[Array, Array]:
        """Give the logarithms of the lower and of the upper tail."""
        ...

    def centre(self) -> tuple[float, float]:
        """Give about where the logit lies, and about how far it spreads."""
        ...

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
        return evaluated(lambda at: _density_with_ends(self, at), x, beyond=-np.inf)

    def pdf(self, x: ArrayLike) -> Array | float:
        """Give the density."""
        return _exp(self.logpdf(x))

    def logcdf(self, x: ArrayLike) -> Array | float:
        """Give log P(X <= x)."""
        return evaluated(lambda at: self.log_tails(Place.at(at))[0], x)

    def cdf(self, x: ArrayLike) -> Array | float:
        """Give P(X <= x)."""
        return _exp(self.logcdf(x))

    def logsf(self, x: ArrayLike) -> Array | float:
        """Give log P(X > x), not by way of the cdf."""
        return evaluated(lambda at: self.log_tails(Place.at(at))[1], x)

    def sf(self, x: ArrayLike) -> Array | float:
        """Give P(X > x), not by way of the cdf."""
        return _exp(self.logsf(x))

    def ppf(self, q: ArrayLike) -> Array | float:
        """Give the value below which the law has mass q."""
        return evaluated(lambda q: quantile(self, q, 1 - q), q, outside=np.nan)

    def isf(self, q: ArrayLike) -> Array | float:
        """Give the value above which the law has mass q."""
        return evaluated(lambda q: quantile(self, 1 - q, q), q, outside=np.nan)

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
        mass = checked_mass(mass)
        tail = 0.5 * (1 - mass)
        low, high = float(self.ppf(tail)), float(self.isf(tail))
        return Interval(low, high, mass=mass, kind="equal-tailed")

    def hdi(self, mass: float = 0.95) -> Interval:
        """Give the interval of highest density.

        For a law with two peaks, one at either end, this is the shorter of the two
        intervals that touch an end.
        """
        mass = checked_mass(mass)
        low, high = shortest(self, mass)
        return Interval(low, high, mass=mass, kind="hdi")
