"""Masses of Student laws of few different degrees of freedom, looked up.

The points of a posterior stand on rows of one nu each, so the lower tail of a few
Student laws is needed at millions of points: its logarithm is tabulated for each.
"""

from functools import lru_cache

import numpy as np
from scipy import special

from likelier._typing import FloatArray
from likelier.methods.folds import cubic_splines

# Steps of asinh, and where they end.
_STEP, _END = 0.02, 25.0
_CELLS = round(_END / _STEP)
_LENGTH = _CELLS + cubic_splines.BEYOND
_LEAST = 1e-320


class StudentTails:
    """Lower and upper masses of Student laws.

    Parameters
    ----------
    nu
        The degrees of freedom of each law.

    Examples
    --------
    >>> tails = StudentTails(np.array([1.0, 4.0]))
    >>> tails.below(np.array([-1.0, 0.0])).round(6)
    array([0.25, 0.5 ])
    """

    def __init__(self, nu: FloatArray) -> None:
        distinct, index = np.unique(nu, return_inverse=True)
        self._flat = np.concatenate([_log_tail(float(df)) for df in distinct])
        self._start = index.reshape(nu.shape) * _LENGTH

    def below(self, z: FloatArray) -> FloatArray:
        """Return the mass of each law below points (..., law), each tail for itself."""
        place = np.arcsinh(np.abs(z))
        place *= 1 / _STEP
        np.minimum(place, _CELLS - 1e-6, out=place)
        cell = place.astype(np.int64)
        place -= cell
        cell += self._start
        parts = cubic_splines.weights(place)
        tail = np.exp(cubic_splines.weighted_sum(self._flat, cell, parts))
        return np.where(z < 0, tail, 1 - tail)


@lru_cache(maxsize=256)
def _log_tail(nu: float) -> FloatArray:
    """Return the spline of the log mass below minus sinh of even steps."""
    ends = 1 + cubic_splines.BESIDE
    steps = _STEP * np.arange(-ends, _LENGTH + cubic_splines.BESIDE - 1)
    tail = special.stdtr(nu, -np.sinh(steps))
    return cubic_splines.coefficients(np.log(np.maximum(tail, _LEAST)))
