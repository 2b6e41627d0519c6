"""Tables as a narrow screen shows them: what it leaves out, and strips beside rows."""

from dataclasses import dataclass
from math import isfinite
from typing import TYPE_CHECKING, NamedTuple

from likelier.results.parts import Table

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from likelier.interval import Interval, Rope
    from likelier.results.comparison import Comparison


class Strip(NamedTuple):
    """Difference and its interval, and whether the verdict is clear."""

    value: float
    interval: "Interval"
    decided: bool


@dataclass(frozen=True)
class Strips:
    """Differences on one scale, with 0 and the rope.

    Attributes
    ----------
    rows
        One for each difference.
    rope
        Region of practical equivalence, if there is one.
    """

    rows: tuple[Strip, ...]
    rope: "Rope | None"

    @classmethod
    def of(cls, results: "Sequence[Comparison]") -> "Strips":
        """Put the differences of comparisons on one scale."""
        rows = (Strip(r.difference, r.hdi, not r.verdict.open) for r in results)
        return cls(tuple(rows), results[0].rope)

    def part(self, rows: "Sequence[int]") -> "Strips":
        """Return some of the differences, on a scale of their own."""
        return Strips(tuple(self.rows[row] for row in rows), self.rope)

    @property
    def ends(self) -> tuple[float, float]:
        """Ends of the scale, which holds 0, the rope and all finite intervals."""
        rope = () if self.rope is None else (self.rope.low, self.rope.high)
        intervals = ((r.value, r.interval.low, r.interval.high) for r in self.rows)
        every = (0.0, *rope, *(x for row in intervals for x in row if isfinite(x)))
        low, high = min(every), max(every)
        return (low, high) if low < high else (low - 1.0, high + 1.0)


@dataclass(frozen=True)
class ScreenTable:
    """Table, and what a screen may leave out of it.

    Attributes
    ----------
    table
        All of it.
    spare
        Indices of columns, in the order in which a narrow screen leaves them out.
    main_rows
        Indices of the rows that a screen shows where all are too many.
    rows_name
        Name of several rows.
    strips
        Differences to be drawn, one for each row.
    """

    table: Table
    spare: tuple[int, ...] = ()
    main_rows: tuple[int, ...] | None = None
    rows_name: str = "rows"
    strips: Strips | None = None

    def small(self) -> Table:
        """Return the table without all that may be left out."""
        kept = [i for i in range(len(self.table.columns)) if i not in self.spare]
        rows = range(len(self.table.rows)) if self.main_rows is None else self.main_rows
        return self.part(kept, rows)

    def part(self, columns: "Sequence[int]", rows: "Iterable[int]") -> Table:
        """Return the table with some of its columns and rows."""
        return Table(
            self.table.title,
            tuple(self.table.columns[i] for i in columns),
            tuple(tuple(self.table.rows[row][i] for i in columns) for row in rows),
        )
