"""The laws of F1 and Fbeta, maps of Beta laws, and their moments.

Moments are written in deviations from a central value, u - a/n = -residual/n, so that
the variance does not cancel when the law is narrow.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from likelier._typing import FloatArray
from likelier.errors import SettingError
from likelier.laws.beta import (
    BetaPoint,
    ScaledBetaLaw,
    beta_point,
    both_tails,
    log_kernel,
    log_tails,
    logit_centre,
    residual,
)
from likelier.laws.law import Law, checked_count
from likelier.laws.numerics import UnitPoint, log_integral, window

# Above, the law is that of the recall, and beta² leaves the range of floats.
LARGEST_BETA = 1e100
# Integrals computed at once; more would wait for the slowest.
_BLOCK_LENGTH = 64
_BLOCK_SIZE = 2**18
_MOST_PANELS = 2**17


@dataclass(frozen=True)
class F1Law(ScaledBetaLaw):
    """The law of F = 2U / (1 + U), U ~ Beta(a, b): the odds of F are twice those of U.

    With counts, a is tp and b is fp + fn, each with its prior. Goutte and Gaussier
    (2005), doi:10.1007/978-3-540-31865-1_25.

    Examples
    --------
    >>> law = F1Law(81.0, 42.0)
    >>> round(law.mode(), 4), round(law.mean(), 4)
    (0.7976, 0.7933)
    """

    scale = 2.0

    def mean(self) -> float:
        """Return the mean."""
        return self._moments()[0]

    def var(self) -> float:
        """Return the variance."""
        return self._moments()[1]

    def mode(self) -> float:
        """Return the value of highest density.

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

    def _moments(self) -> tuple[float, float]:
        """Return mean and variance."""
        u, weights = _nodes(self.a, self.b)
        n = self.a + self.b
        centre = 2 * self.a / (self.a + n)
        deviation = -u.residual / n * (2 - centre) / (1 + u.u)
        first = float(weights @ deviation)
        return centre + first, float(weights @ deviation**2) - first**2


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
        for name in ("tp", "fp", "fn"):
            checked_count(name, getattr(self, name), positive=True)
        if not 0 <= self.beta <= LARGEST_BETA:
            message = f"beta must be between 0 and {LARGEST_BETA:g}; got {self.beta!r}."
            raise SettingError(message)

    def ends(self) -> tuple[float, float]:
        """Return a and b: the density goes like x^(a-1) near 0, (1-x)^(b-1) near 1."""
        return self.tp, self.fp + (self.fn if self.beta else 0.0)

    def log_density(self, point: UnitPoint) -> FloatArray:
        """Return the log density inside the support."""
        return self._log_kernel(point) - point.log_slope()

    def log_tails(self, point: UnitPoint) -> tuple[FloatArray, FloatArray]:
        """Return the logarithms of the lower and of the upper tail."""
        odds = float(np.exp(self.centre()[0]))

        def smaller_tail(point: UnitPoint, u: BetaPoint) -> FloatArray:
            return np.where(point.value < odds * point.rest, *log_tails(u))

        small = self._over_splits(smaller_tail, point)
        return both_tails(small, point.value < odds * point.rest)

    def centre(self) -> tuple[float, float]:
        """Return approximately the mean and the standard deviation of the logit."""
        square, errors = self.beta**2, self.fp + self.fn
        c = (self.fp + square * self.fn) / errors
        slope = (square - 1) * (self.fp / errors) * (self.fn / errors) / c
        middle, spread = logit_centre(self.tp, errors)
        split_spread = logit_centre(self.fn, self.fp)[1]
        shift = np.log1p(square) - np.log(c)
        return middle + float(shift), float(np.hypot(spread, slope * split_spread))

    def mean(self) -> float:
        """Return the mean."""
        return self._moments()[0]

    def var(self) -> float:
        """Return the variance."""
        return self._moments()[1]

    def mode(self) -> float:
        """Return the value of highest density, to about 1e-8 of the law's width."""
        a, b = self.ends()
        if a < 1 or b < 1:
            return 0.0 if a <= b else 1.0
        from scipy.optimize import minimize_scalar

        def log_kernel_at(logit: FloatArray) -> FloatArray:
            return self._log_kernel(UnitPoint.of_logit(logit))

        def log_density_at(logit: FloatArray) -> FloatArray:
            return self.log_density(UnitPoint.of_logit(logit))

        middle, spread = self.centre()
        low, high = window(log_kernel_at, np.array([middle]), np.array([spread]))
        grid = np.linspace(low[0], high[0], 65)
        best = int(np.argmax(log_density_at(grid)))
        if best in (0, 64):
            return float(best > 0)
        peak = minimize_scalar(
            lambda logit: -log_density_at(np.array([logit]))[0],
            bounds=(grid[best - 1], grid[best + 1]),
            method="bounded",
            options={"xatol": 1e-8 * (grid[1] - grid[0])},
        )
        return float(UnitPoint.of_logit(np.array(peak.x)).value)

    def rvs(self, size: int | tuple[int, ...], rng: np.random.Generator) -> FloatArray:
        """Draw random values."""
        square = self.beta**2
        hits, false, missed = (
            rng.standard_gamma(shape, size) for shape in (self.tp, self.fp, self.fn)
        )
        return (1 + square) * hits / ((1 + square) * hits + false + square * missed)

    def _log_kernel(self, point: UnitPoint) -> FloatArray:
        """Return the log density of the logit."""
        return self._over_splits(lambda _, u: log_kernel(u), point)

    def _over_splits(
        self, log_f: Callable[[UnitPoint, BetaPoint], FloatArray], point: UnitPoint
    ) -> FloatArray:
        """Integrate over V a function of F and of the U that belongs to F and V."""
        inner = (point.value > 0) & (point.rest > 0)
        points, values = point.take(inner), np.empty(np.count_nonzero(inner))
        middle, spread = logit_centre(self.fn, self.fp)
        for first in range(0, values.size, _BLOCK_LENGTH):
            block = points.take(slice(first, first + _BLOCK_LENGTH))

            def log_integrand(
                logit: FloatArray, block: UnitPoint = block
            ) -> FloatArray:
                v = beta_point(self.fn, self.fp, UnitPoint.of_logit(logit))
                return log_kernel(v) + log_f(block, self._share(block, v))

            full = np.ones(block.value.size)
            values[first : first + _BLOCK_LENGTH] = log_integral(
                log_integrand, middle * full, spread * full
            )
        result = np.full(inner.shape, -np.inf)
        result[inner] = values
        return result

    def _share(self, point: UnitPoint, v: BetaPoint) -> BetaPoint:
        """Return the U at which Fbeta has a value, for each V.

        Its residual is that at the mean of V and a correction by the residual of V, so
        that rounding c(V) costs no digits; far from the mean it is computed directly.
        """
        square, errors = self.beta**2, self.fp + self.fn
        c, mean_c = v.v + square * v.u, (self.fp + square * self.fn) / errors
        x, y = point.value * c, point.rest * (1 + square)
        total = x + y
        at_mean = residual(self.tp * (1 + square), errors * mean_c, point)
        centred = at_mean + (square - 1) * point.value * v.residual
        direct = self.tp * y - errors * x
        difference = np.where(c > 0.25 * mean_c, centred, direct)
        a, b = np.full_like(x, self.tp), np.full_like(x, errors)
        return BetaPoint(a, b, x / total, y / total, difference / total)

    def _moments(self) -> tuple[float, float]:
        """Return mean and variance."""
        tp, fp, fn, square = self.tp, self.fp, self.fn, self.beta**2
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
        return top / (top + (1 - u0) * c0) + first, second - first**2


def _deviation(u: BetaPoint, v: BetaPoint, square: float) -> FloatArray:
    """Return F(u, v) minus F at the means, for every v (rows) and u (columns)."""
    tp, errors = u.a[0], u.b[0]
    u0, c0 = tp / (tp + errors), (v.b[0] + square * v.a[0]) / errors
    u_step, v_step = -u.residual / (tp + errors), (-v.residual / errors)[:, None]
    c = (v.v + square * v.u)[:, None]
    top = u_step * c0 - u0 * u.v * (square - 1) * v_step
    scale = (1 + square) * u.u + u.v * c
    scale0 = (1 + square) * u0 + (1 - u0) * c0
    return (1 + square) * top / (scale * scale0)


def _nodes(a: float, b: float) -> tuple[BetaPoint, FloatArray]:
    """Return nodes and weights that integrate smooth functions of a Beta law."""

    def at(logit: FloatArray) -> BetaPoint:
        return beta_point(a, b, UnitPoint.of_logit(logit))

    middle, spread = logit_centre(a, b)
    low, high = window(
        lambda logit: log_kernel(at(logit)), np.array([middle]), np.array([spread])
    )
    panels = 32
    while True:
        points = at(np.linspace(low[0], high[0], 2 * panels + 1))
        values = np.exp(log_kernel(points))
        step = (high[0] - low[0]) / panels
        coarse, fine = step * values[::2].sum(), 0.5 * step * values.sum()
        if abs(coarse - fine) <= 1e-12 or panels >= _MOST_PANELS:
            return points, values / values.sum()
        panels *= 2
