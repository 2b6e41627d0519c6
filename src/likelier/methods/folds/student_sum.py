"""Density of a sum of two Student variables, one narrow and one wide.

A data set's mean is its own difference plus noise, both Student: the density of a mean
is one integral over the difference. Each of the two densities has a peak of its own
width, and either may be a spike to the other. So the line is cut into a ball around
the narrower peak, as wide as the other density is nearly constant, and the two sides
beyond it; points are spaced like sinh around the peak that rules each part.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from likelier._typing import FloatArray
from likelier.laws.numerics import legendre

POINTS = 36
# Beyond the point where the kernels are down by so many digits, nothing is left.
_DIGITS = 10.0
# Numbers that fit into a processor's cache.
_MOST_NUMBERS = 2**15


def log_sum_density(
    gap: ArrayLike,
    ratio: ArrayLike,
    inner_df: ArrayLike,
    outer_df: ArrayLike,
    *,
    points: int = POINTS,
) -> FloatArray:
    """Return the log density at `gap` of a unit Student variable plus a scaled one.

    Parameters
    ----------
    gap
        The point of the density, in units of the first variable's scale.
    ratio
        The second variable's scale, in the same units.
    inner_df, outer_df
        The degrees of freedom of the first and of the second variable.
    points
        Number of points in the ball; each side has half as many.

    Examples
    --------
    Two Cauchy variables add up to one of the summed scale:

    >>> value = np.exp(log_sum_density(1.5, 0.5, 1.0, 1.0))
    >>> bool(np.isclose(value, 1 / (np.pi * 1.5 * 2), rtol=1e-8))
    True
    """
    arrays = np.broadcast_arrays(*map(np.asarray, (gap, ratio, inner_df, outer_df)))
    flat = [np.ravel(array).astype(np.float64) for array in arrays]
    size = max(1, _MOST_NUMBERS // (2 * points))

    def part(start: int) -> FloatArray:
        gap, ratio, first, second = (a[start : start + size] for a in flat)
        return _log_integral(gap, ratio, first, second, points)

    parts = [part(start) for start in range(0, flat[0].size, size)]
    whole = np.concatenate(parts) if parts else np.empty(0)
    heights = [student_height(np.asarray(df, float)) for df in (inner_df, outer_df)]
    return whole.reshape(arrays[0].shape) + np.log(heights[0]) + np.log(heights[1])


def student_height(df: FloatArray) -> FloatArray:
    """Return the constant in a Student density, which is its height at the peak."""
    # A ratio of gammas: their logarithms would lose digits where they are large.
    return np.asarray(special.poch(0.5 * df, 0.5) / np.sqrt(np.pi * df))


def _log_integral(
    gap: FloatArray, ratio: FloatArray, first: FloatArray, second: FloatArray, n: int
) -> FloatArray:
    """Return the log of the integral of both kernels, but for their constants."""
    sums = _sums(gap, ratio, first, second, n)
    wide = np.maximum(ratio, 1.0)
    top = np.max([part.unit for part in sums], axis=0)
    whole = sum(np.exp(part.unit - top) * part.terms.sum(axis=1) for part in sums)
    return np.asarray(top + np.log(whole / wide))


def _sums(
    gap: FloatArray, ratio: FloatArray, first: FloatArray, second: FloatArray, n: int
) -> "tuple[_Sum, _Sum, _Sum]":
    """Return the integrals over the ball and both sides, but for constants."""
    spike = ratio < 1
    narrow, wide = np.minimum(ratio, 1.0), np.maximum(ratio, 1.0)
    narrow_df, wide_df = np.where(spike, second, first), np.where(spike, first, second)
    # All lengths in units of the narrower scale, with its peak at 0.
    distance, width = np.abs(gap) / narrow, wide / narrow
    radius = np.maximum(2 * width, 0.5 * distance)
    pair = _Pair(*(x[:, None] for x in (distance, width, narrow_df, wide_df)))
    reach = _reach(narrow_df)
    # Far peaks of like width have most of their product halfway between them.
    far = distance > width**2
    end = np.minimum(radius, np.where(far, np.maximum(reach, 0.5 * distance), reach))
    last = _reach(narrow_df + wide_df)
    start = (radius + distance) / width
    return (
        pair.around_narrow(-end, end, n),
        pair.around_wide((radius - distance) / width, last, n // 2),
        pair.around_wide(-start - last, -start, n // 2),
    )


def _reach(df: FloatArray) -> FloatArray:
    """Return the point at which a Student kernel is down by so many digits."""
    return np.sqrt(df * np.expm1(2 * _DIGITS * np.log(10) / (df + 1)))


class _Sum(NamedTuple):
    """Integral as a sum: the log of the unit, and terms in that unit."""

    unit: FloatArray
    terms: FloatArray


class _Pair(NamedTuple):
    """Two Student kernels: a unit one at 0, and a wider one at a distance."""

    distance: FloatArray
    width: FloatArray
    narrow_df: FloatArray
    wide_df: FloatArray

    def around_narrow(self, low: FloatArray, high: FloatArray, n: int) -> _Sum:
        """Integrate over points spaced around the narrow peak."""
        sinh, steps = _spaced(low, high, n)
        return self._sum(sinh, sinh - self.distance, steps)

    def around_wide(self, low: FloatArray, high: FloatArray, n: int) -> _Sum:
        """Integrate over points spaced around the wide peak."""
        sinh, steps = _spaced(low, high, n)
        offset = self.width * sinh
        return self._sum(self.distance + offset, offset, self.width * steps)

    def _sum(self, narrow: FloatArray, wide: FloatArray, steps: FloatArray) -> _Sum:
        """Weigh points by both kernels; they are measured from each kernel's peak."""
        # In place: most of the time goes by in writing numbers down.
        terms = _log_kernel(narrow, self.narrow_df, 1 / self.narrow_df)
        terms += _log_kernel(wide, self.wide_df, 1 / (self.wide_df * self.width**2))
        unit = terms.max(axis=1)
        terms -= unit[:, None]
        np.exp(terms, out=terms)
        terms *= steps
        return _Sum(unit, terms)


def _spaced(low: FloatArray, high: FloatArray, n: int) -> tuple[FloatArray, FloatArray]:
    """Return points between two ends, close around 0 and wider apart from it.

    They are the sinh of points of Gauss and Legendre; their steps come with them.
    """
    nodes, weights = legendre(n)
    start, end = np.arcsinh(low), np.arcsinh(high)
    half = 0.5 * (end - start)[:, None]
    grown = half * nodes
    grown += 0.5 * (end + start)[:, None]
    np.exp(grown, out=grown)
    shrunk = 1 / grown
    sinh = grown - shrunk
    sinh *= 0.5
    grown += shrunk
    grown *= 0.5 * half
    grown *= weights
    return sinh, grown


def _log_kernel(y: FloatArray, df: FloatArray, factor: FloatArray) -> FloatArray:
    """Return the logarithm of a Student kernel, -(df + 1) / 2 log(1 + factor y²)."""
    log = y * y
    log *= factor
    log += 1
    np.log(log, out=log)
    log *= -0.5 * (df + 1)
    return log
