"""Integrals over many lines at once, by panels that split where it matters.

A function of one variable is known by its logarithm, on many lines of different
weight, and its largest values are of the order of 1. Each panel of a line holds points
of Gauss and Legendre, so that inside it the function is a polynomial. The last Legendre
coefficients tell how well that polynomial fits; the panels that fit worst, on all lines
together, are halved until what is left to mend is below the tolerance.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, cached_property

import numpy as np
from numpy.typing import NDArray

from likelier._typing import FloatArray, IntArray
from likelier.methods.folds.student_sum import legendre

# Takes points and the line of each, gives the logarithm of the function.
LogFunction = Callable[[FloatArray, IntArray], FloatArray]

ORDER = 8
# Halve the panels that make up so much of the error, all at once.
_SHARE = 0.95
# A panel that varies by more than this, in the logarithm, may hide a peak.
_STEEP, _HIDDEN, _DEEP = 12.0, 12.0, 2000.0
_MOST_ROUNDS = 40
# How much faster an integral converges than what is seen of it.
GAINED = 1.5


@dataclass(frozen=True, eq=False)
class Panels:
    """A function on panels of lines.

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
        """Give the mass of each panel below its cut."""
        return self._part(cut, lower=True)

    def above(self, cut: FloatArray) -> FloatArray:
        """Give the mass of each panel above its cut."""
        return self._part(cut, lower=False)

    def tails(
        self, points: FloatArray, weight: FloatArray
    ) -> tuple[FloatArray, FloatArray]:
        """Give the mass of all panels below and above points, each with its weight."""
        whole = weight * self.masses.sum(axis=1)
        tails = np.empty((2, len(points)))
        for place, x in enumerate(points):
            cut = (self.low < x) & (x < self.high)
            part, cuts = self.kept(cut), np.full(int(cut.sum()), x)
            tails[0, place] = whole[self.high <= x].sum() + weight[cut] @ part.below(
                cuts
            )
            tails[1, place] = whole[self.low >= x].sum() + weight[cut] @ part.above(
                cuts
            )
        return tails[0], tails[1]

    def _part(self, cut: FloatArray, *, lower: bool) -> FloatArray:
        place = np.clip(2 * (cut - self.low) / (self.high - self.low) - 1, -1.0, 1.0)
        partial = partial_weights(place, lower=lower)
        half = 0.5 * (self.high - self.low)
        return half * np.einsum("pi,pi->p", np.exp(self.logs), partial)

    def joined(self, other: "Panels") -> "Panels":
        """Put the panels of two sets together."""
        return Panels(
            np.concatenate([self.line, other.line]),
            np.concatenate([self.low, other.low]),
            np.concatenate([self.high, other.high]),
            np.concatenate([self.logs, other.logs]),
        )

    def kept(self, chosen: NDArray[np.bool_]) -> "Panels":
        """Keep some of the panels."""
        return Panels(
            self.line[chosen], self.low[chosen], self.high[chosen], self.logs[chosen]
        )


def points_between(low: FloatArray, high: FloatArray) -> FloatArray:
    """Give the points of panels (panel, point)."""
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
    known: float = 0.0,
) -> tuple[Panels, float]:
    """Lay panels over lines until they know the function well.

    Parameters
    ----------
    log_f
        The function, with the weight of its line.
    line, low, high
        The first panels.
    cuts
        Where each line is cut into parts whose integrals are wanted.
    tolerance
        How large the estimated error of all lines together may be, relative to their
        integral.
    known
        What the integral is at least, with other lines.

    Returns
    -------
    tuple
        The panels, and the estimated error.
    """
    panels = _evaluated(log_f, line, low, high)
    for _ in range(_MOST_ROUNDS):
        errors = _errors(panels, cuts)
        whole = max(known, float(panels.masses.sum()))
        chosen = _hiding(panels.logs) | worst(errors, tolerance * whole)
        if not chosen.any():
            break
        old = panels.kept(chosen)
        middle = 0.5 * (old.low + old.high)
        halves = _evaluated(
            log_f,
            np.concatenate([old.line, old.line]),
            np.concatenate([old.low, middle]),
            np.concatenate([middle, old.high]),
        )
        panels = panels.kept(~chosen).joined(halves)
    return panels, float(_errors(panels, cuts).sum())


def _evaluated(
    log_f: LogFunction, line: IntArray, low: FloatArray, high: FloatArray
) -> Panels:
    logs = log_f(points_between(low, high).ravel(), np.repeat(line, ORDER))
    return Panels(line, low, high, logs.reshape(-1, ORDER))


def _errors(panels: Panels, cuts: Sequence[FloatArray]) -> FloatArray:
    """Give the error of each panel, by its polynomial where it is cut."""
    last = 0.5 * (panels.high - panels.low) * last_modes(np.exp(panels.logs))
    cut = np.zeros(len(panels.line), dtype=bool)
    for place in cuts:
        at = place[panels.line]
        cut |= (panels.low < at) & (at < panels.high)
    return np.where(cut, last, gained(panels.masses.sum(axis=1), last))


def gained(masses: FloatArray, last: FloatArray) -> FloatArray:
    """Give the error of integrals over whole panels from their last coefficients.

    They are better than the polynomials inside: to a higher power of what the last
    coefficients are of the whole.
    """
    share = np.minimum(last / np.maximum(masses, 1e-300), 1.0)
    return np.asarray(masses * share**GAINED)


def worst(errors: FloatArray, allowed: float) -> NDArray[np.bool_]:
    """Choose the panels that make up most of the error, where that is too large."""
    chosen = np.zeros(len(errors), dtype=bool)
    if errors.sum() > allowed:
        order = np.argsort(-errors, kind="stable")
        needed = np.searchsorted(np.cumsum(errors[order]), _SHARE * errors.sum())
        chosen[order[: needed + 1]] = True
    return chosen


def _hiding(logs: FloatArray) -> NDArray[np.bool_]:
    """Choose the panels that may hide a peak between their points."""
    most, steep = logs.max(axis=1), np.ptp(logs, axis=1)
    high = most + 0.5 * steep > -_HIDDEN
    return (steep > _STEEP) & high & (most > -_DEEP)


def last_modes(values: FloatArray) -> FloatArray:
    """Say how far the fit of each panel may be off, from its last two coefficients."""
    return np.abs(values @ _last_modes()).max(axis=-1)


@cache
def _coefficients() -> FloatArray:
    """Turn values at the points into coefficients of Legendre polynomials."""
    nodes, weights = legendre(ORDER)
    values = np.polynomial.legendre.legvander(nodes, ORDER - 1)
    return values * weights[:, None] * (np.arange(ORDER) + 0.5)


@cache
def _last_modes() -> FloatArray:
    """Give the last two coefficients, by how much they move a part of an integral."""
    degrees = np.arange(ORDER)[-2:]
    return _coefficients()[:, -2:] / (degrees + 0.5) ** 1.5


def partial_weights(cut: FloatArray, *, lower: bool) -> FloatArray:
    """Give the weights of the points for the integral from -1 to a cut, or above it."""
    polynomials = np.polynomial.legendre.legvander(cut, ORDER)
    degrees = np.arange(1, ORDER)
    rises = np.empty((*np.shape(cut), ORDER))
    rises[..., 0] = cut + 1 if lower else 1 - cut
    inner = (polynomials[..., 2:] - polynomials[..., :-2]) / (2 * degrees + 1)
    rises[..., 1:] = inner if lower else -inner
    return rises @ _coefficients().T
