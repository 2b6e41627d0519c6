"""Drawings of a page: densities, intervals and bars on their scales."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import ceil
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from likelier import formatting
from likelier.density_curve import DensityCurve, window
from likelier.distribution import Difference
from likelier.results.what_if import nice_step

if TYPE_CHECKING:
    from likelier.interval import Interval, Rope
    from likelier.results.parts import Forest, Share


# The box of a path: its own units, stretched to whatever width there is.
WIDTH, HEIGHT = 1000, 100
_POINTS = 180
_TICKS = 5


@dataclass(frozen=True)
class Scale:
    """Numbers from the left to the right edge of a drawing."""

    low: float
    high: float

    def position(self, value: float) -> float:
        """Return the position of a number, in per cent of the width."""
        share = (value - self.low) / (self.high - self.low)
        return round(100 * min(max(share, 0.0), 1.0), 2)

    def ticks(self) -> list[tuple[float, str]]:
        """Return round numbers with their positions."""
        step = nice_step((self.high - self.low) / _TICKS)
        decimals = formatting.decimals_for(5 * step)
        first, last = ceil(self.low / step), int(self.high // step)
        values = [step * i for i in range(first, last + 1)]
        return [
            (
                self.position(value),
                formatting.number(value, decimals, signed=value != 0),
            )
            for value in values
        ]


@dataclass(frozen=True)
class Curve:
    """Density of a difference as a path, with its interval and rope.

    Attributes
    ----------
    path
        The outline, in a box of WIDTH by HEIGHT.
    scale
        The differences below it.
    interval, rope
        Positions of their ends, in per cent of the width; without a rope both are
        those of 0.
    roped
        Whether there is a rope.
    """

    path: str
    scale: Scale
    interval: tuple[float, float]
    rope: tuple[float, float]
    roped: bool

    @classmethod
    def of(
        cls, distribution: Difference, interval: "Interval", rope: "Rope | None"
    ) -> "Curve":
        """Draw a density, with its interval, its rope and 0 in view."""
        scale = Scale(*window(distribution, *interval, 0.0, rope=rope))
        curve = DensityCurve.of(distribution, scale.low, scale.high, _POINTS)
        ends = (0.0, 0.0) if rope is None else (rope.low, rope.high)
        return cls(
            _path(curve, scale),
            scale,
            (scale.position(interval.low), scale.position(interval.high)),
            (scale.position(ends[0]), scale.position(ends[1])),
            rope is not None,
        )


def _path(curve: DensityCurve, scale: Scale) -> str:
    """Write the outline of a density, with a needle for each atom."""
    x, height = curve.x, curve.height
    top = float(height.max()) or 1.0
    most = max((atom.share for atom in curve.atoms), default=1.0)
    for value, share in curve.atoms:
        index, level = int(np.searchsorted(x, value)), np.interp(value, x, height)
        x = np.insert(x, index, [value] * 3)
        height = np.insert(height, index, [level, top * share / most, level])
    shares = (x - scale.low) / (scale.high - scale.low)
    right = np.rint(WIDTH * shares).astype(int)
    down = HEIGHT * (1 - height / top)
    points = " ".join(f"{a} {b:.1f}" for a, b in zip(right, down, strict=True))
    return f"M{right[0]} {HEIGHT}L{points} {right[-1]} {HEIGHT}Z"


class Strip(NamedTuple):
    """Piece of a bar, in per cent of its width."""

    name: str
    start: float
    width: float
    text: str


def strips(shares: "Sequence[Share]") -> Iterator[Strip]:
    """Lay probabilities side by side."""
    start = 0.0
    for name, share, text in shares:
        width = 100 * share
        yield Strip(name, round(start, 3), round(width, 3), text)
        start += width


def forest_scale(forest: "Forest") -> Scale:
    """Choose the scale that holds all intervals, and 0 where they are differences."""
    ends = [x for row in forest.rows for x in (*row.interval, row.value)]
    if forest.differences:
        ends.append(0.0)
    margin = 0.05 * (max(ends) - min(ends)) or 0.01
    return Scale(min(ends) - margin, max(ends) + margin)
