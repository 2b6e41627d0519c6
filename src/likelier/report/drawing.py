"""Drawings of a page: densities, intervals and bars on their scales."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import ceil
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from likelier import formatting
from likelier.density_curve import Atom, DensityCurve, window
from likelier.distribution import Difference
from likelier.results.what_if import nice_step

if TYPE_CHECKING:
    from likelier.interval import Interval, Rope
    from likelier.results.parts import Bar, Forest, Leaderboard, Ruler


# The box of a path: its own units, stretched to whatever width there is.
WIDTH, HEIGHT = 1000, 1000
_POINTS = 150
# Width of a region that has room for its label, and twice the distance of two labels,
# in per cent: the script has the same.
_ROOM, _APART = 12, 44
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

    def ticks(self, *, signed: bool, most: int = _TICKS) -> list[tuple[float, str]]:
        """Return round numbers with their positions, about so many at most."""
        step = nice_step((self.high - self.low) / most)
        values = self._multiples(step)
        finer = nice_step(0.39 * step)
        if len(values) <= most // 2 and len(self._multiples(finer)) <= most:
            step, values = finer, self._multiples(finer)
        decimals = formatting.decimals_for(5 * step)
        return [
            (
                self.position(value),
                formatting.number(value, decimals, signed=signed) if value else "0",
            )
            for value in values
        ]

    def _multiples(self, step: float) -> list[float]:
        first, last = ceil(self.low / step), int(self.high // step)
        return [step * i for i in range(first, last + 1)]


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
    bandwidth
        That of the kernel that smoothed draws; None for an exact density.
    """

    path: str
    scale: Scale
    interval: tuple[float, float]
    rope: tuple[float, float]
    roped: bool
    bandwidth: float | None

    @classmethod
    def of(
        cls, distribution: Difference, interval: "Interval", rope: "Rope | None"
    ) -> "Curve":
        """Draw a density, with its interval, its rope and 0 in view."""
        scale = Scale(*window(distribution, *interval, 0.0, rope=rope))
        density = DensityCurve.of(distribution, scale.low, scale.high, _POINTS)
        ends = (0.0, 0.0) if rope is None else (rope.low, rope.high)
        return cls(
            _path(density, scale),
            scale,
            (scale.position(interval.low), scale.position(interval.high)),
            (scale.position(ends[0]), scale.position(ends[1])),
            rope is not None,
            density.bandwidth,
        )

    def has_room(self, region: str) -> bool:
        """Return whether the label of a region fits beside those of the others."""
        left, right = self.rope
        if region != "equivalent":
            return (left if region == "worse" else 100 - right) > _ROOM
        # It may be wider than the rope, where its neighbours are far enough.
        apart = (left <= _ROOM or right > _APART) and (
            100 - right <= _ROOM or 100 - left > _APART
        )
        return self.roped and apart


def _path(density: DensityCurve, scale: Scale) -> str:
    """Write the outline of a density, and its atoms as thin bars."""
    top = float(density.height.max(initial=0.0)) or 1.0
    shares = (density.x - scale.low) / (scale.high - scale.low)
    right = np.rint(WIDTH * shares).astype(int)
    down = np.rint(HEIGHT * (1 - density.height / top)).astype(int)
    points = " ".join(f"{a} {b}" for a, b in zip(right, down, strict=True))
    outline = f"M{right[0]} {HEIGHT}L{points} {right[-1]} {HEIGHT}Z"
    return "".join([outline, *_bars(density.atoms, scale)])


def _bars(atoms: Sequence[Atom], scale: Scale) -> Iterator[str]:
    most = max((atom.share for atom in atoms), default=1.0)
    for value, share in atoms:
        middle = round(10 * scale.position(value))
        height = round(HEIGHT * share / most)
        yield f"M{middle - 3} {HEIGHT}v{-height}h6v{height}Z"


class Strip(NamedTuple):
    """Piece of a bar, in per cent of its width."""

    name: str
    tone: str
    start: float
    width: float
    text: str


def strips(bar: "Bar") -> Iterator[Strip]:
    """Lay probabilities side by side."""
    start = 0.0
    for (name, share, text), tone in zip(bar.shares, bar.tones, strict=True):
        width = 100 * share
        yield Strip(name, tone, round(start, 3), round(width, 3), text)
        start += width


def ruler_scale(ruler: "Ruler") -> Scale:
    """Choose the scale that holds value, interval, 0, and the rope if it is near."""
    ends = [*ruler.interval, ruler.value, 0.0]
    return _roomy(_with_rope(ends, ruler.rope), 0.12)


def forest_scale(forest: "Forest") -> Scale:
    """Choose the scale that holds all intervals, and 0 where they are differences."""
    rows = [*forest.rows, *forest.foot]
    ends = [x for row in rows for x in (*(row.interval or ()), row.value)]
    ends += [row.counted for row in rows if row.counted is not None]
    if forest.differences:
        ends.append(0.0)
    return _roomy(_with_rope(ends, forest.rope), 0.05)


def board_scale(board: "Leaderboard") -> Scale:
    """Choose the scale that holds all systems."""
    ends = [x for row in board.rows for x in (*(row.interval or ()), row.value)]
    return _roomy(ends, 0.05)


def _with_rope(ends: list[float], rope: "Rope | None") -> list[float]:
    """Add the ends of the rope; one far wider than all else is cut at the edge."""
    if rope is None:
        return ends
    width = max(ends) - min(ends)
    return [*ends, max(rope.low, -4 * width), min(rope.high, 4 * width)]


def _roomy(ends: list[float], share: float) -> Scale:
    margin = share * (max(ends) - min(ends)) or 0.01
    return Scale(min(ends) - margin, max(ends) + margin)


def heat(share: float) -> int:
    """Return the strength of a colour for a probability, from 0 to 4."""
    return sum(share >= least for least in (0.05, 0.5, 0.75, 0.95))


def whole_per_cent(share: float) -> str:
    """Write a probability as a whole number of per cent.

    Examples
    --------
    >>> whole_per_cent(0.512), whole_per_cent(0.9999), whole_per_cent(0.001)
    ('51', '>99', '<1')
    """
    if share > 0.99:
        return ">99"
    return "<1" if share < 0.01 else f"{100 * share:.0f}"
