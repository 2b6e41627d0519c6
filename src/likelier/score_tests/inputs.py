"""Differences, scores and p-values, checked; and what counts as equal."""

from math import frexp, isfinite, ldexp
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from likelier.errors import InputError, SettingError

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]

# Sums and means of scores are good to about 1e-15 of their size, and one item more or
# less moves a score by far more than this.
ROUND_OFF = 1e-12

_DIMENSIONS = {1: "a row of numbers", 2: "a table of numbers"}


class Measured(NamedTuple):
    """Differences in a unit near their size, so that no square of them overflows.

    Attributes
    ----------
    values
        The differences in this unit.
    unit
        A power of two: dividing by it loses no digit.
    round_off
        What may be rounding only, in this unit.
    """

    values: FloatArray
    unit: float
    round_off: float

    @property
    def all_zero(self) -> bool:
        """Whether no difference is more than rounding."""
        return bool((np.abs(self.values) <= self.round_off).all())


def finite(values: Any, *, name: str, ndim: int) -> FloatArray:
    """Check that the values are numbers, none of them missing or infinite."""
    try:
        array = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError):
        message = f"{name} must be {_DIMENSIONS[ndim]}; got {type(values).__name__}."
        raise InputError(message) from None
    if array.ndim != ndim:
        message = f"{name} must be {_DIMENSIONS[ndim]}; got the shape {array.shape}."
        raise InputError(message)
    bad = np.argwhere(~np.isfinite(array))
    if len(bad):
        place = tuple(bad[0].tolist())
        shown = place[0] if ndim == 1 else place
        message = f"{name} must be finite; got {array[place]} at {shown}."
        hint = "Leave out what was not scored for all systems."
        raise InputError(message, hint=hint)
    return array


def measured(differences: FloatArray, *, scale: float) -> Measured:
    """Put differences into a unit near their size.

    Parameters
    ----------
    differences
        At least one difference.
    scale
        The size of the scores.
    """
    size = size_of(differences, scale=scale)
    # One power of two less than frexp gives, as the largest float must have one too.
    unit = ldexp(1.0, frexp(size)[1] - 1)
    return Measured(differences / unit, unit, ROUND_OFF * (size / unit))


def size_of(differences: FloatArray, *, scale: float) -> float:
    """Give the size that rounding is measured by: of the scores, or more."""
    number = isinstance(scale, int | float | np.number) and not isinstance(scale, bool)
    if not (number and isfinite(scale) and scale > 0):
        message = f"scale must be a number above 0, the size of scores; got {scale!r}."
        raise SettingError(message)
    return max(float(scale), float(np.abs(differences).max()))


def levels(values: FloatArray) -> IntArray:
    """Give equal values along the last axis one number, from 0 for the least.

    Parameters
    ----------
    values
        Numbers whose size is 1: what lies closer than `ROUND_OFF` is equal. Rounding
        to a grid would part equal numbers that lie on two sides of a line.

    Examples
    --------
    >>> levels(np.array([0.3, 0.1, 0.1 + 0.2, 0.0]))
    array([2, 1, 2, 0])
    """
    order = np.argsort(values, axis=-1, kind="stable")
    gaps = np.diff(np.take_along_axis(values, order, axis=-1), axis=-1)
    steps = np.zeros(values.shape, dtype=np.int64)
    steps[..., 1:] = np.cumsum(gaps > ROUND_OFF, axis=-1)
    numbered = np.empty_like(steps)
    np.put_along_axis(numbered, order, steps, axis=-1)
    return numbered


def twice_ranks(level: IntArray) -> IntArray:
    """Give twice the rank of each number in its row, 1 for the least.

    Equal numbers share the mean of their ranks, which may be a half: twice it is whole.

    Parameters
    ----------
    level
        Rows of what `levels` gives.

    Examples
    --------
    >>> twice_ranks(np.array([[1, 0, 1, 2]]))
    array([[5, 2, 5, 8]])
    """
    rows, width = len(level), int(level.max()) + 1
    place = level + width * np.arange(rows)[:, np.newaxis]
    counts = np.bincount(place.ravel(), minlength=rows * width).reshape(rows, width)
    ranks = 2 * np.cumsum(counts, axis=1) - counts + 1
    return np.asarray(ranks.ravel()[place], dtype=np.int64)


def checked_p_values(values: Any) -> FloatArray:
    """Check that there are p-values and that each lies within 0 and 1."""
    array = finite(values, name="p-values", ndim=1)
    outside = np.flatnonzero((array < 0) | (array > 1))
    if len(outside):
        first = int(outside[0])
        message = f"p-values must be within 0 and 1; got {array[first]} at {first}."
        raise InputError(message)
    if not len(array):
        message = "p-values must be at least one; got none."
        raise InputError(message)
    return array


def error_rate(alpha: float) -> float:
    """Check an error rate."""
    number = isinstance(alpha, int | float | np.number) and not isinstance(alpha, bool)
    if not (number and 0 < alpha < 1):
        message = f"alpha must be a number between 0 and 1; got {alpha!r}."
        raise SettingError(message)
    return float(alpha)
