"""The law of Fbeta: given how the errors split, a map of a Beta law."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy import optimize

from likelier.errors import SettingError
from likelier.laws import tails
from likelier.laws.centre import logit_centre
from likelier.laws.double import Array, Double, Mask
from likelier.laws.law import Law
from likelier.laws.moments import fbeta_moments
from likelier.laws.parameters import checked_positive
from likelier.laws.place import Place
from likelier.laws.quadrature import log_integral, window

# Above, the law is that of the recall, and beta² leaves the range of floats.
LARGEST_BETA = 1e100
# Integrals done at once; more would wait for the slowest.
_BLOCK = 64


@dataclass(frozen=True)
class FbetaLaw(Law):
    """The law of Fbeta when (tp, fp, fn) are the parameters of a Dirichlet law.

    U ~ Beta(tp, fp + fn) is the share of true positives, V ~ Beta(fn, fp) the share of
    misses among the errors, and the odds of F are (1 + beta²) U : (1 - U) c(V) with
    c(V) = 1 - V + beta² V. Density and tails are integrals over the logit of V. Each
    of the three integrands has one peak: the tails are log-concave in V or in its
    logit, the density is a Dirichlet density along a line.

    Examples
    --------
    >>> law = FbetaLaw(81.0, 21.0, 11.0, beta=2.0)
    >>> round(law.mean(), 4), round(law.cdf(0.8), 4)
    (0.8612, 0.0271)
    """

    tp: float
    fp: float
    fn: float
    beta: float

    def __post_init__(self) -> None:
        checked_positive("tp", self.tp)
        checked_positive("fp", self.fp)
        checked_positive("fn", self.fn)
        if not 0 <= self.beta <= LARGEST_BETA:
            message = f"beta must be between 0 and {LARGEST_BETA:g}; got {self.beta!r}."
            raise SettingError(message)

    def ends(self) -> tuple[float, float]:
        """Give a and b, which rule the lower and the upper end."""
        return self.tp, self.fp + (self.fn if self.beta else 0.0)

    def log_density(self, place: Place) -> Array:
        """Give the log density inside the support."""
        return self._log_kernel(place) - place.log_spread()

    def log_tails(self, place: Place) -> tuple[Array, Array]:
        """Give the logarithms of the lower and of the upper tail."""
        odds = float(np.exp(self.centre()[0]))

        def below(place: Place) -> Mask:
            return place.value.high < odds * place.rest.high

        def given(place: Place, split: Place) -> Array:
            lower, upper = tails.log_tails(self._spot(place, split))
            return np.where(below(place), lower, upper)

        small = np.minimum(self._over_splits(given, place), 0.0)
        large = tails.log_complement(small)
        left = below(place)
        return np.where(left, small, large), np.where(left, large, small)

    def centre(self) -> tuple[float, float]:
        """Give about where the logit lies, and about how far it spreads."""
        square, errors = self.beta**2, self.fp + self.fn
        c = (self.fp + square * self.fn) / errors
        slope = (square - 1) * (self.fp / errors) * (self.fn / errors) / c
        middle, spread = logit_centre(self.tp, errors)
        split_spread = logit_centre(self.fn, self.fp)[1]
        shift = np.log1p(square) - np.log(c)
        return middle + float(shift), float(np.hypot(spread, slope * split_spread))

    def mean(self) -> float:
        """Give the mean."""
        return fbeta_moments(self.tp, self.fp, self.fn, self.beta**2)[0]

    def var(self) -> float:
        """Give the variance."""
        return fbeta_moments(self.tp, self.fp, self.fn, self.beta**2)[1]

    def mode(self) -> float:
        """Give the value of highest density, to about 1e-8 of the law's width."""
        a, b = self.ends()
        if a < 1 or b < 1:
            return 0.0 if a <= b else 1.0
        middle, spread = self.centre()
        low, high = window(
            lambda t: self._log_kernel(Place.of_logit(t)),
            np.array([middle]),
            np.array([spread]),
        )
        grid = np.linspace(low[0], high[0], 65)
        best = int(np.argmax(self.log_density(Place.of_logit(grid))))
        if best in (0, 64):
            return float(best > 0)
        found = optimize.minimize_scalar(
            lambda t: -self.log_density(Place.of_logit(np.array([t])))[0],
            bounds=(grid[best - 1], grid[best + 1]),
            method="bounded",
            options={"xatol": 1e-8 * (grid[1] - grid[0])},
        )
        return float(Place.of_logit(found.x).value.high)

    def rvs(self, size: int | tuple[int, ...], rng: np.random.Generator) -> Array:
        """Draw random values."""
        square = self.beta**2
        hits, false, missed = (
            rng.standard_gamma(shape, size) for shape in (self.tp, self.fp, self.fn)
        )
        return (1 + square) * hits / ((1 + square) * hits + false + square * missed)

    def _log_kernel(self, place: Place) -> Array:
        """Give the log density of the logit."""

        def given(place: Place, split: Place) -> Array:
            return tails.log_kernel(self._spot(place, split))

        return self._over_splits(given, place)

    def _spot(self, place: Place, split: Place) -> tails.Spot:
        beta = Double.of(self.beta)
        square = beta * beta
        x = place.value * (split.rest + square * split.value)
        y = place.rest * (Double.of(1.0) + square)
        return tails.spot(self.tp, self.fp + self.fn, x, y)

    def _over_splits(
        self, given: Callable[[Place, Place], Array], place: Place
    ) -> Array:
        """Integrate a function of value and split, given as a logarithm."""
        inner = (place.value.high > 0) & (place.rest.high > 0)
        places, values = place.take(inner), np.empty(np.count_nonzero(inner))
        for first in range(0, values.size, _BLOCK):
            block = slice(first, first + _BLOCK)
            values[block] = self._integrals(given, places.take(block))
        result = np.full(inner.shape, -np.inf)
        result[inner] = values
        return result

    def _integrals(self, given: Callable[[Place, Place], Array], place: Place) -> Array:
        def log_f(logit: Array) -> Array:
            split = Place.of_logit(logit)
            weight = tails.spot(self.fn, self.fp, split.value, split.rest)
            return tails.log_kernel(weight) + given(place, split)

        middle, spread = logit_centre(self.fn, self.fp)
        full = np.ones(place.value.high.size)
        return log_integral(log_f, middle * full, spread * full)
