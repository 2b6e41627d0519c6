"""The shortest interval that holds a given mass."""

import numpy as np
from scipy import optimize

from likelier.laws.double import Array
from likelier.laws.ends import log_density
from likelier.laws.quantile import quantile, solve
from likelier.laws.shape import Shape


def shortest(shape: Shape, mass: float) -> tuple[float, float]:
    """Give the ends of the shortest interval; inside one peak they are equally high."""
    spare = 1 - mass
    lowest, highest = _ends(shape, 0.0, spare), _ends(shape, spare, 0.0)
    falls, rises = _tilt(shape, lowest) >= 0, _tilt(shape, highest) <= 0
    if falls and rises:
        return _between_two_ends(shape, lowest, highest)
    if falls or rises:
        low, high = lowest if falls else highest
        return float(low), float(high)
    return _balanced(shape, spare)


def _ends(shape: Shape, below: float, above: float) -> Array:
    """Give the ends of the interval that leaves these masses outside."""
    lower, upper = np.array([below, 1 - above]), np.array([1 - below, above])
    return quantile(shape, lower, upper)


def _tilt(shape: Shape, ends: Array) -> float:
    """Say which end is the higher, from -1 (the upper) to 1 (the lower)."""
    low, high = log_density(shape, ends)
    same = np.isclose(low, high, rtol=0, atol=1e-12)
    return 0.0 if same else float(np.tanh(low - high))


def _between_two_ends(
    shape: Shape, lowest: Array, highest: Array
) -> tuple[float, float]:
    if shape.ends() == (1, 1):
        middle = 0.5 * (lowest + highest)
        return float(middle[0]), float(middle[1])
    shorter = min(lowest, highest, key=np.ptp)
    return float(shorter[0]), float(shorter[1])


def _balanced(shape: Shape, spare: float) -> tuple[float, float]:
    """Move mass from one side to the other until both ends are equally high."""
    logits: Array | None = None
    ends = np.zeros(2)

    def tilt(below: float) -> float:
        nonlocal ends, logits
        above = spare - below
        if below <= 0 or above <= 0:
            return -1.0 if below <= 0 else 1.0
        lower, upper = np.array([below, 1 - above]), np.array([1 - below, above])
        ends, logits = solve(shape, lower, upper, logits)
        return _tilt(shape, ends)

    tilt(optimize.brentq(tilt, 0.0, spare, xtol=1e-13 * spare, rtol=1e-13))
    return float(ends[0]), float(ends[1])
