"""The laws of F1 and Fbeta, maps of Beta laws, and their moments.

All is written in deviations from a central value, u - a/n = -residual/n, so that the
variance does not cancel when the law is narrow.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy import optimize

from likelier._typing import BoolArray, FloatArray
from likelier.errors import SettingError
from likelier.laws.beta import (
    BetaPoint,
    beta_point,
    log_complement,
    log_kernel,
    log_tails,
    logit_centre,
)
from likelier.laws.law import Law, checked_positive
from likelier.laws.numerics import Double, Place, log_integral, window

_MOST_PANELS = 2**17
_BLOCK_SIZE = 2**18


def f1_moments(a: float, b: float) -> tuple[float, float]:
    """Give the mean and the variance of 2U / (1 + U), U ~ Beta(a, b)."""
    spot, weights = _nodes(a, b)
    centre = 2 * a / (a + (a + b))
    step = -spot.residual / (a + b)
    deviation = step * (2 - centre) / (1 + spot.u)
    first, second = weights @ deviation, weights @ deviation**2
    return _moments(centre, float(first), float(second))


def fbeta_moments(
    tp: float, fp: float, fn: float, square: float
) -> tuple[float, float]:
    """Give the mean and the variance of Fbeta, square being beta²."""
    u, u_weights = _nodes(tp, fp + fn)
    v, v_weights = _nodes(fn, fp)
    first = second = 0.0
    size = max(1, _BLOCK_SIZE // u.u.size)
    for start in range(0, v.u.size, size):
        block = slice(start, start + size)
        deviation = _deviation(u, v.take(block), square)
        first += float(v_weights[block] @ (deviation @ u_weights))
        second += float(v_weights[block] @ (deviation**2 @ u_weights))
    u0, c0 = tp / (tp + fp + fn), (fp + square * fn) / (fp + fn)
    top = (1 + square) * u0
    return _moments(top / (top + (1 - u0) * c0), first, second)


def _deviation(u: BetaPoint, v: BetaPoint, square: float) -> FloatArray:
    """Give F(u, v) minus F at the means, for every v (rows) and u (columns)."""
    tp, false = u.a[0], u.b[0]
    u0, c0 = tp / (tp + false), (v.b[0] + square * v.a[0]) / false
    u_step, v_step = -u.residual / (tp + false), (-v.residual / false)[:, None]
    c = (v.v + square * v.u)[:, None]
    top = u_step * c0 - u0 * u.v * (square - 1) * v_step
    scale = (1 + square) * u.u + u.v * c
    scale0 = (1 + square) * u0 + (1 - u0) * c0
    return (1 + square) * top / (scale * scale0)


def _moments(centre: float, first: float, second: float) -> tuple[float, float]:
    return centre + first, second - first**2


def _nodes(a: float, b: float) -> tuple[BetaPoint, FloatArray]:
    """Give nodes and weights that integrate smooth functions of a Beta law."""
    low, high = window(lambda t: log_kernel(_spot(a, b, t)), *_start(a, b))
    panels = 32
    while True:
        spot = _spot(a, b, np.linspace(low[0], high[0], 2 * panels + 1))
        values = np.exp(log_kernel(spot))
        step = (high[0] - low[0]) / panels
        coarse, fine = step * values[::2].sum(), 0.5 * step * values.sum()
        if abs(coarse - fine) <= 1e-12 or panels >= _MOST_PANELS:
            return spot, values / values.sum()
        panels *= 2


def _start(a: float, b: float) -> tuple[FloatArray, FloatArray]:
    middle, spread = logit_centre(a, b)
    return np.array([middle]), np.array([spread])


def _spot(a: float, b: float, logit: FloatArray) -> BetaPoint:
    place = Place.of_logit(logit)
    return beta_point(a, b, place.value, place.rest)


@dataclass(frozen=True)
class F1Law(Law):
    """The law of F = 2U / (1 + U), U ~ Beta(a, b): the odds of F are twice those of U.

    With counts, a is tp and b is fp + fn, each with its prior. Goutte and Gaussier
    (2005), doi:10.1007/978-3-540-31865-1_25.

    Examples
    --------
    >>> law = F1Law(81.0, 42.0)
    >>> round(law.mode(), 4), round(law.mean(), 4)
    (0.7976, 0.7933)
    """

    a: float
    b: float

    def __post_init__(self) -> None:
        checked_positive("a", self.a)
        checked_positive("b", self.b)

    def ends(self) -> tuple[float, float]:
        """Give a and b, which rule the lower and the upper end."""
        return self.a, self.b

    def log_density(self, place: Place) -> FloatArray:
        """Give the log density inside the support."""
        return log_kernel(self._spot(place)) - place.log_spread()

    def log_tails(self, place: Place) -> tuple[FloatArray, FloatArray]:
        """Give the logarithms of the lower and of the upper tail."""
        return log_tails(self._spot(place))

    def centre(self) -> tuple[float, float]:
        """Give the mean and the standard deviation of the logit."""
        middle, spread = logit_centre(self.a, self.b)
        return middle + float(np.log(2)), spread

    def mean(self) -> float:
        """Give the mean."""
        return f1_moments(self.a, self.b)[0]

    def var(self) -> float:
        """Give the variance."""
        return f1_moments(self.a, self.b)[1]

    def mode(self) -> float:
        """Give the value of highest density.

        The density is f^(a-1) (1-f)^(b-1) (2-f)^-(a+b), whose slope is 0 where
        2 f² + (2a + b - 5) f = 2 (a - 1).
        """
        if self.a < 1 or self.b < 1:
            return 0.0 if self.a <= self.b else 1.0
        p, q = 2 * self.a + self.b - 5, self.a - 1
        root = float(np.sqrt(p * p + 16 * q))
        return 4 * q / (p + root) if p > 0 else (root - p) / 4

    def rvs(self, size: int | tuple[int, ...], rng: np.random.Generator) -> FloatArray:
        """Draw random values."""
        u = rng.beta(self.a, self.b, size)
        return 2 * u / (1 + u)

    def _spot(self, place: Place) -> BetaPoint:
        return beta_point(self.a, self.b, place.value, Double.of(2.0) * place.rest)


# Above, the law is that of the recall, and beta² leaves the range of floats.
LARGEST_BETA = 1e100
# Integrals done at once; more would wait for the slowest.
_BLOCK_LENGTH = 64


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

    def log_density(self, place: Place) -> FloatArray:
        """Give the log density inside the support."""
        return self._log_kernel(place) - place.log_spread()

    def log_tails(self, place: Place) -> tuple[FloatArray, FloatArray]:
        """Give the logarithms of the lower and of the upper tail."""
        odds = float(np.exp(self.centre()[0]))

        def below(place: Place) -> BoolArray:
            return place.value.high < odds * place.rest.high

        def given(place: Place, split: Place) -> FloatArray:
            lower, upper = log_tails(self._spot(place, split))
            return np.where(below(place), lower, upper)

        small = np.minimum(self._over_splits(given, place), 0.0)
        large = log_complement(small)
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

    def rvs(self, size: int | tuple[int, ...], rng: np.random.Generator) -> FloatArray:
        """Draw random values."""
        square = self.beta**2
        hits, false, missed = (
            rng.standard_gamma(shape, size) for shape in (self.tp, self.fp, self.fn)
        )
        return (1 + square) * hits / ((1 + square) * hits + false + square * missed)

    def _log_kernel(self, place: Place) -> FloatArray:
        """Give the log density of the logit."""

        def given(place: Place, split: Place) -> FloatArray:
            return log_kernel(self._spot(place, split))

        return self._over_splits(given, place)

    def _spot(self, place: Place, split: Place) -> BetaPoint:
        beta = Double.of(self.beta)
        square = beta * beta
        x = place.value * (split.rest + square * split.value)
        y = place.rest * (Double.of(1.0) + square)
        return beta_point(self.tp, self.fp + self.fn, x, y)

    def _over_splits(
        self, given: Callable[[Place, Place], FloatArray], place: Place
    ) -> FloatArray:
        """Integrate a function of value and split, given as a logarithm."""
        inner = (place.value.high > 0) & (place.rest.high > 0)
        places, values = place.take(inner), np.empty(np.count_nonzero(inner))
        for first in range(0, values.size, _BLOCK_LENGTH):
            block = slice(first, first + _BLOCK_LENGTH)
            values[block] = self._integrals(given, places.take(block))
        result = np.full(inner.shape, -np.inf)
        result[inner] = values
        return result

    def _integrals(
        self, given: Callable[[Place, Place], FloatArray], place: Place
    ) -> FloatArray:
        def log_f(logit: FloatArray) -> FloatArray:
            split = Place.of_logit(logit)
            weight = beta_point(self.fn, self.fp, split.value, split.rest)
            return log_kernel(weight) + given(place, split)

        middle, spread = logit_centre(self.fn, self.fp)
        full = np.ones(place.value.high.size)
        return log_integral(log_f, middle * full, spread * full)
