"""The density at the very ends of the unit interval."""

import numpy as np

from likelier.laws.double import Array, Double, Mask
from likelier.laws.place import Place
from likelier.laws.shape import Shape

# So near to an end, a density that is finite there is its own limit.
_NEAREST = 1e-300


def log_density(shape: Shape, value: Array) -> Array:
    """Give the log density from 0 to 1, ends included."""
    at, one = Place.at(value), Double.of(np.ones_like(value))
    bottom, top = value == 0, value == 1
    near = Double.of(np.full_like(value, _NEAREST))
    place = Place(
        _chosen(bottom, near, _chosen(top, one, at.value)),
        _chosen(top, near, _chosen(bottom, one, at.rest)),
    )
    result = shape.log_density(place)
    a, b = shape.ends()
    result[bottom] = _limit(result[bottom], a)
    result[top] = _limit(result[top], b)
    return result


def _limit(near: Array, exponent: float) -> Array:
    if exponent == 1:
        return near
    return np.full_like(near, np.inf if exponent < 1 else -np.inf)


def _chosen(condition: Mask, first: Double, second: Double) -> Double:
    return Double(
        np.where(condition, first.high, second.high),
        np.where(condition, first.low, second.low),
    )
