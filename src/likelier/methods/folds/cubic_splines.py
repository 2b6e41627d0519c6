"""Cubic splines between even steps, looked up at many points at once.

Coefficients are found from the values nearby alone, so that no digit of a table depends
on how far it reaches.
"""

import numpy as np

from likelier._typing import FloatArray, IntArray

# Values beyond each end of the coefficients, and coefficients beyond the last cell.
BESIDE, BEYOND = 2, 3


def coefficients(values: FloatArray) -> FloatArray:
    """Return the coefficients of a spline through values at even steps.

    The local formula is the inverse of the sampled cubic B-spline up to the fourth
    difference. There are as many values more at each end as `BESIDE` says; further axes
    are kept.
    """
    second = values[:-2] - 2 * values[1:-1] + values[2:]
    fourth = second[:-2] - 2 * second[1:-1] + second[2:]
    return np.asarray(values[2:-2] - second[1:-1] / 6 + fourth / 36)


def weights(offset: FloatArray) -> tuple[FloatArray, ...]:
    """Return the weights of four coefficients at an offset in a cell."""
    square, rest = offset * offset, 1 - offset
    cube = square * offset
    first = rest * rest
    first *= rest
    first *= 1 / 6
    last = cube * (1 / 6)
    second = 0.5 * cube
    second -= square
    second += 2 / 3
    third = 1 - first
    third -= second
    third -= last
    return first, second, third, last


def weighted_sum(
    flat: FloatArray, index: IntArray, parts: tuple[FloatArray, ...]
) -> FloatArray:
    """Weigh four coefficients from each index on."""
    result = np.zeros(index.shape)
    for i, weight in enumerate(parts):
        term = flat[i:].take(index)
        term *= weight
        result += term
    return result
