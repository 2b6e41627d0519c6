"""Lines between boxes, bent around what is in their way."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]

# How far a line is bent aside, of the width of the axes.
_BENDS = (0.0, 0.12, -0.12, 0.18, -0.18, 0.24, -0.24, 0.32, -0.32)
# A bend up or down, in levels, beside one to the left or right.
_UPRIGHT = 2.4
_POINTS = 61


@dataclass(frozen=True, eq=False)
class Box:
    """What a name, or a mark, takes up of the axes.

    Attributes
    ----------
    x, y
        Its middle.
    wide, high
        Its size.
    """

    x: float
    y: float
    wide: float
    high: float

    def hit(self, curve: FloatArray) -> bool:
        """Say whether a curve runs through the box."""
        away = np.abs(curve - (self.x, self.y)) / (self.wide / 2, self.high / 2)
        return bool((away.max(axis=1) < 1).any())


def between(
    one: Box, other: Box, others: Iterable[Box], heights: tuple[float, float]
) -> tuple[FloatArray, bool]:
    """Give points of a line from one middle to another, and whether its way is clear.

    Parameters
    ----------
    one, other
        What is to be joined.
    others
        What is in the way.
    heights
        The ends of the vertical axis; the horizontal one goes from 0 to 1.
    """
    curves, obstacles = [_curve(one, other, bend) for bend in _BENDS], list(others)
    for curve in curves:
        seen = _in_sight(curve, *heights)
        if seen and not any(box.hit(curve) for box in obstacles):
            return curve, True
    return curves[0], False


def _in_sight(curve: FloatArray, low: float, high: float) -> bool:
    inside = (curve >= (0.01, low + 0.1)) & (curve <= (0.99, high - 0.1))
    return bool(inside.all())


def _curve(one: Box, other: Box, bend: float) -> FloatArray:
    """Give points from one middle to another, bent to a side."""
    start, end = np.array([one.x, one.y]), np.array([other.x, other.y])
    level = one.y == other.y
    aside = np.array([0.0, _UPRIGHT * bend] if level else [bend, 0.0])
    along = np.linspace(0, 1, _POINTS)[:, None]
    straight = (1 - along) * start + along * end
    return np.asarray(straight + 4 * along * (1 - along) * aside)
