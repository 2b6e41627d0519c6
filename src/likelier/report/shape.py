"""The shape of a posterior as an SVG path, and where things stand below it."""

from dataclasses import dataclass
from math import ceil

import numpy as np
from numpy.typing import NDArray

from likelier import wording
from likelier.distribution import Difference, Draws
from likelier.report.stops import nice_step
from likelier.results import Comparison

FloatArray = NDArray[np.float64]

# The box of the path: its own units, stretched to whatever width there is.
WIDTH, HEIGHT = 1000, 100
_BARS = 90
_POINTS = 180
# How far a density is drawn beyond its middle 95 %, as a multiple of that.
_REACH = 0.75
_TICKS = 5


@dataclass(frozen=True)
class Shape:
    """A density as a path, on a scale of differences.

    Attributes
    ----------
    path
        The outline, in a box of WIDTH by HEIGHT.
    low, high
        The differences at the left and right edge.
    ticks
        Places in per cent of the width, and what is written there.
    """

    path: str
    low: float
    high: float
    ticks: tuple[tuple[float, str], ...]

    @classmethod
    def of(cls, result: Comparison) -> "Shape":
        """Draw the posterior of the difference, with its interval and rope in view."""
        known = result.posterior.difference
        low, high = _window(result)
        if isinstance(known, Draws):
            path = _steps(known, low, high)
        else:
            path = _curve(known, low, high)
        return cls(path, low, high, _ticks(low, high))

    def place(self, value: float) -> float:
        """Give where a difference stands, in per cent of the width."""
        share = (value - self.low) / (self.high - self.low)
        return round(100 * min(max(share, 0.0), 1.0), 2)


def _window(result: Comparison) -> tuple[float, float]:
    """Choose the stretch of differences: the posterior, 0 and the rope in sight."""
    known, rope = result.posterior.difference, result.rope
    inner, outer = known.interval(0.95), known.interval(0.999)
    reach = _REACH * (inner.high - inner.low)
    ends = [
        max(outer.low, inner.low - reach),
        min(outer.high, inner.high + reach),
        *result.hdi,
        0.0,
    ]
    width = max(ends) - min(ends)
    if rope is not None:
        # A rope far wider than the posterior is cut at the edge.
        ends += [max(rope.low, -4 * width), min(rope.high, 4 * width)]
    low, high = min(ends), max(ends)
    margin = 0.04 * (high - low) or 0.01
    return low - margin, high + margin


def _steps(draws: Draws, low: float, high: float) -> str:
    edges = np.linspace(low, high, _BARS + 1)
    heights = np.histogram(draws.values, bins=edges)[0].astype(np.float64)
    x = np.repeat(edges, 2)[1:-1]
    return _path(x, np.repeat(heights, 2), low, high)


def _curve(known: Difference, low: float, high: float) -> str:
    # A law may be far narrower than the window, and must not fall between points.
    inner = known.interval(0.999)
    near = np.linspace(max(inner.low, low), min(inner.high, high), _POINTS)
    x = np.union1d(np.linspace(low, high, _POINTS), near)
    return _path(x, known.pdf(x), low, high)


def _path(x: FloatArray, heights: FloatArray, low: float, high: float) -> str:
    """Write the outline of what lies below the heights."""
    finite = np.nan_to_num(heights, posinf=0.0)
    top = float(finite.max()) or 1.0
    right = np.rint(WIDTH * (x - low) / (high - low)).astype(int)
    down = HEIGHT * (1 - finite / top)
    points = " ".join(f"{a} {b:.1f}" for a, b in zip(right, down, strict=True))
    return f"M{right[0]} {HEIGHT}L{points} {right[-1]} {HEIGHT}Z"


def _ticks(low: float, high: float) -> tuple[tuple[float, str], ...]:
    step = nice_step((high - low) / _TICKS)
    decimals = wording.decimals_for(5 * step)
    first, last = ceil(low / step), int(high // step)
    places = [step * i for i in range(first, last + 1)]
    return tuple(
        (
            round(100 * (value - low) / (high - low), 2),
            wording.number(value, decimals, signed=value != 0),
        )
        for value in places
    )
