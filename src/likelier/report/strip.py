"""Strips of characters: a difference and its interval against the rope and 0.

A strip is a sketch, but what lies inside or outside the rope is drawn there.
"""

from dataclasses import dataclass
from math import isnan
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from likelier.results.screen_table import Strip, Strips

# Room at both ends of a strip for what is moved out of the rope.
_MARGIN = 2


class Marks(NamedTuple):
    """Characters that strips are drawn with; the dots: clear verdict, open verdict."""

    axis: str
    rope: str
    zero: str
    line: str
    low: str
    high: str
    dots: tuple[str, str]


BOX = Marks("─", "·", "│", "━", "├", "┤", ("●", "○"))
ASCII = Marks("-", ".", "|", "=", "(", ")", ("O", "o"))


def draw_axis(strips: "Strips", width: int, marks: Marks) -> str:
    """Draw one difference on an axis from worse to better."""
    (row,) = draw_rows(strips, width, marks)
    return f"worse {row.replace(' ', marks.axis)} better"


def draw_rows(strips: "Strips", width: int, marks: Marks) -> list[str]:
    """Draw each difference, all on one scale of so many characters."""
    scale = _Scale.of(strips, width)
    return [_draw(scale, row, marks) for row in strips.rows]


def _draw(scale: "_Scale", row: "Strip", marks: Marks) -> str:
    cells = [" "] * scale.width
    low, high = (scale.column(end) for end in row.interval)
    dot = scale.column(row.value)
    # The dot hides no end of the interval where there is room beside it.
    inner = {low: low + 1, high: high - 1}.get(dot, dot)
    if high - low > 1 and inner not in (scale.low, scale.high):
        dot = inner
    cells[scale.low : scale.high + 1] = marks.rope * (scale.high + 1 - scale.low)
    cells[low : high + 1] = marks.line * (high + 1 - low)
    cells[scale.zero] = marks.zero
    if scale.low < scale.high:
        cells[scale.low], cells[scale.high] = "[", "]"
    cells[low], cells[high] = marks.low, marks.high
    cells[dot] = marks.dots[0 if row.decided else 1]
    return "".join(cells)


@dataclass(frozen=True)
class _Scale:
    """Columns of 0 and of the ends of the rope, which are those of 0 without one."""

    strips: "Strips"
    width: int
    zero: int
    low: int
    high: int

    @classmethod
    def of(cls, strips: "Strips", width: int) -> "_Scale":
        zero, rope = _ideal(0.0, strips, width), strips.rope
        if rope is None:
            return cls(strips, width, zero, zero, zero)
        # Something may lie inside, however narrow the rope is.
        per_unit = _inner(width) / (strips.ends[1] - strips.ends[0])
        low = zero - max(1, round(-rope.low * per_unit))
        high = zero + max(1, round(rope.high * per_unit))
        return cls(strips, width, zero, low, high)

    def column(self, x: float) -> int:
        """Return the column of a number, on the side of the rope where it lies."""
        column, rope = _ideal(x, self.strips, self.width), self.strips.rope
        low, high = (0.0, 0.0) if rope is None else (rope.low, rope.high)
        if x < low:
            return min(column, self.low - 1)
        if x > high:
            return max(column, self.high + 1)
        if rope is None:
            return self.zero
        return min(max(column, self.low + 1), self.high - 1)


def _ideal(x: float, strips: "Strips", width: int) -> int:
    """Return the column nearest to a number."""
    low, high = strips.ends
    share = 0.5 if isnan(x) else (min(max(x, low), high) - low) / (high - low)
    return _MARGIN + round(share * _inner(width))


def _inner(width: int) -> int:
    """Return the number of columns between the ends of the scale."""
    return width - 1 - 2 * _MARGIN
