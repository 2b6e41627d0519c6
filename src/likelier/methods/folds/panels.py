"""Integrals over many lines at once, by panels that split where it matters.

The logarithm of a function of one variable is computed on many lines of different
weight; the function's largest values are of the order of 1. Each panel of a line holds
points of Gauss and Legendre, so that inside it the function is a polynomial. The last
Legendre coefficients show how well that polynomial fits; the panels that fit worst, on
all lines together, are halved until the error is below the tolerance.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, cached_property

import numpy as np

from likelier._typing import BoolArray, FloatArray, IntArray
from likelier.laws.numerics import legendre

# From points (panel, point) and lines (panel, 1) to the logarithm of the function.
LogFunction = Callable[[FloatArray, IntArray], FloatArray]

ORDER = 8
# Halve the panels that make up so much of the error, all at once.
_SHARE = 0.95
# A panel that varies by more than this, in the logarithm, may hide a peak.
_STEEP, _HIDDEN, _DEEP = 12.0, 12.0, 2000.0
_MOST_ROUNDS = 40
# Power by which an integral converges faster than the polynomials under it.
FASTER = 1.5


@dataclass(frozen=True, eq=False)
class Panels:
    """Function on panels of lines.

    Attributes
    ----------
    line
        The line of each panel.
    low, high
        The ends of each panel.
    logs
        The logarithm of the function at the points of each panel (panel, point).
    """

    line: IntArray
    low: FloatArray
    high: FloatArray
    logs: FloatArray

    @cached_property
    def points(self) -> FloatArray:
        """The points of each panel (panel, point)."""
        return points_between(self.low, self.high)

    @cached_property
    def masses(self) -> FloatArray:
        """The mass of each point (panel, point)."""
        _, weights = legendre(ORDER)
        half = 0.5 * (self.high - self.low)
        return np.exp(self.logs) * half[:, None] * weights

    def below(self, cut: FloatArray) -> FloatArray:
        """Return the mass of each panel below its cut."""
        return self._part(cut, lower=True)

    def above(self, cut: FloatArray) -> FloatArray:
        """Return the mass of each panel above its cut."""
        return self._part(cut, lower=False)

    def masses_around(
        self, points: FloatArray, weight: FloatArray
    ) -> tuple[FloatArray, FloatArray]:
        """Return the weighted mass of all panels below and above each point."""
        count = len(points)
        whole = weight * self.masses.sum(axis=1)
        first = np.searchsorted(points, self.low, side="right")
        last = np.searchsorted(points, self.high, side="left")
        # Panels that end before a point, and those that begin at it or after it.
        ended = np.bincount(last, whole, count + 1)
        begun = np.bincount(first, whole, count + 1)
        below = np.cumsum(ended, dtype=np.float64)[:count]
        above = np.cumsum(begun[::-1], dtype=np.float64)[::-1][1:]
        # Each panel is cut by the points inside it.
        cuts = last - first
        panel = np.repeat(np.arange(len(cuts)), cuts)
        point = np.arange(len(panel)) + np.repeat(last - np.cumsum(cuts), cuts)
        half = 0.5 * (self.high - self.low)
        values = np.exp(self.logs) * (weight * half)[:, None] @ _coefficients()
        scaled = (points[point] - self.low[panel]) / half[panel] - 1
        inner = _legendre_rise(scaled, values[panel])
        ends = values[panel, 0]
        inside = ends * (1 + scaled) + inner, ends * (1 - scaled) - inner
        below = below + np.bincount(point, inside[0], count)
        return below, above + np.bincount(point, inside[1], count)

    def _part(self, cut: FloatArray, *, lower: bool) -> FloatArray:
        scaled = np.clip(2 * (cut - self.low) / (self.high - self.low) - 1, -1.0, 1.0)
        partial = partial_weights(scaled, lower=lower)
        half = 0.5 * (self.high - self.low)
        return half * np.einsum("pi,pi->p", np.exp(self.logs), partial)

    def join(self, other: "Panels") -> "Panels":
        """Put the panels of two sets together."""
        return Panels(
            np.concatenate([self.line, other.line]),
            np.concatenate([self.low, other.low]),
            np.concatenate([self.high, other.high]),
            np.concatenate([self.logs, other.logs]),
        )

    def select(self, chosen: BoolArray) -> "Panels":
        """Return some of the panels."""
        return Panels(
            self.line[chosen], self.low[chosen], self.high[chosen], self.logs[chosen]
        )


def points_between(low: FloatArray, high: FloatArray) -> FloatArray:
    """Return the points of panels (panel, point)."""
    nodes, _ = legendre(ORDER)
    return 0.5 * (low + high)[:, None] + 0.5 * (high - low)[:, None] * nodes


def integrate(
    log_f: LogFunction,
    line: IntArray,
    low: FloatArray,
    high: FloatArray,
    *,
    cuts: Sequence[FloatArray] = (),
    tolerance: float,
    least_integral: float = 0.0,
) -> tuple[Panels, FloatArray]:
    """Halve panels of lines until they fit the function well.

    Parameters
    ----------
    log_f
        The function, with the weight of its line.
    line, low, high
        The first panels.
    cuts
        Points at which each line is cut into parts with an integral each.
    tolerance
        Largest estimated error of all lines together, relative to their integral.
    least_integral
        Lower bound of the integral, from other lines.

    Returns
    -------
    tuple
        The panels, and the estimated error of each.
    """
    panels = _evaluate(log_f, line, low, high)
    for _ in range(_MOST_ROUNDS):
        whole = max(least_integral, float(panels.masses.sum()))
        worst = worst_panels(_errors(panels, cuts), tolerance * whole)
        chosen = worst | _may_hide_peaks(panels.logs)
        if not chosen.any():
            break
        old = panels.select(chosen)
        middle = 0.5 * (old.low + old.high)
        halves = _evaluate(
            log_f,
            np.concatenate([old.line, old.line]),
            np.concatenate([old.low, middle]),
            np.concatenate([middle, old.high]),
        )
        panels = panels.select(~chosen).join(halves)
    return panels, _errors(panels, cuts)


def _evaluate(
    log_f: LogFunction, line: IntArray, low: FloatArray, high: FloatArray
) -> Panels:
    return Panels(line, low, high, log_f(points_between(low, high), line[:, None]))


def _errors(panels: Panels, cuts: Sequence[FloatArray]) -> FloatArray:
    """Return the error of each panel, by its polynomial where it is cut."""
    fit = 0.5 * (panels.high - panels.low) * fit_errors(np.exp(panels.logs))
    is_cut = np.zeros(len(panels.line), dtype=bool)
    for cut in cuts:
        point = cut[panels.line]
        is_cut |= (panels.low < point) & (point < panels.high)
    return np.where(is_cut, fit, integral_errors(panels.masses.sum(axis=1), fit))


def integral_errors(masses: FloatArray, fit: FloatArray) -> FloatArray:
    """Return the error of integrals over whole panels from that of the fit.

    They are better than the polynomials inside: to a higher power of the error's share
    of the whole.
    """
    share = np.minimum(fit / np.maximum(masses, 1e-300), 1.0)
    return np.asarray(masses * share**FASTER)


def worst_panels(errors: FloatArray, allowed: float) -> BoolArray:
    """Choose the panels that make up most of the error, where that is too large."""
    chosen = np.zeros(len(errors), dtype=bool)
    if errors.sum() > allowed:
        order = np.argsort(-errors, kind="stable")
        needed = np.searchsorted(np.cumsum(errors[order]), _SHARE * errors.sum())
        chosen[order[: needed + 1]] = True
    return chosen


def _may_hide_peaks(logs: FloatArray) -> BoolArray:
    """Choose the panels that may hide a peak between their points."""
    most, steep = logs.max(axis=1), np.ptp(logs, axis=1)
    high = most + 0.5 * steep > -_HIDDEN
    return (steep > _STEEP) & high & (most > -_DEEP)


def fit_errors(values: FloatArray) -> FloatArray:
    """Estimate the error of each panel's fit from its last two coefficients."""
    return np.abs(values @ _last_coefficients()).max(axis=-1)


@cache
def _coefficients() -> FloatArray:
    """Return the matrix from values to coefficients of Legendre polynomials."""
    nodes, weights = legendre(ORDER)
    values = np.polynomial.legendre.legvander(nodes, ORDER - 1)
    return values * weights[:, None] * (np.arange(ORDER) + 0.5)


@cache
def _last_coefficients() -> FloatArray:
    """Return the last two columns, scaled to how much they move part of an integral."""
    degrees = np.arange(ORDER)[-2:]
    return _coefficients()[:, -2:] / (degrees + 0.5) ** 1.5


def even_points(masses: FloatArray, n: int) -> IntArray:
    """Choose n of the points, evenly over their masses."""
    shares = np.cumsum(masses)
    return np.searchsorted(shares, (np.arange(n) + 0.5) / n * shares[-1])


def _legendre_rise(x: FloatArray, coefficients: FloatArray) -> FloatArray:
    """Return the integral up to x of Legendre series without their constants.

    Each polynomial's integral is a difference of its two neighbours, and 0 at both
    ends.
    """
    rise = np.zeros(len(x))
    before, now = np.ones(len(x)), x
    for degree in range(1, ORDER):
        after = ((2 * degree + 1) * x * now - degree * before) / (degree + 1)
        rise += coefficients[:, degree] * (after - before) / (2 * degree + 1)
        before, now = now, after
    return rise


def partial_weights(cut: FloatArray, *, lower: bool) -> FloatArray:
    """Return the weights of the points for the integral from -1 to a cut, or above."""
    polynomials = np.polynomial.legendre.legvander(cut, ORDER)
    degrees = np.arange(1, ORDER)
    rises = np.empty((*np.shape(cut), ORDER))
    rises[..., 0] = cut + 1 if lower else 1 - cut
    inner = (polynomials[..., 2:] - polynomials[..., :-2]) / (2 * degrees + 1)
    rises[..., 1:] = inner if lower else -inner
    return rises @ _coefficients().T
