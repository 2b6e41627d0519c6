"""Screen of results: lines that wrap at words, tables that fit.

A pipe has no width: nothing is folded, shortened or left out there.
"""

from typing import TYPE_CHECKING

from rich.cells import cell_len
from rich.console import Console
from rich.table import Table as Grid
from rich.text import Text

from likelier.formatting import join_words
from likelier.report.strip import ASCII, BOX, draw_axis, draw_rows

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from likelier.results.parts import Table
    from likelier.results.screen_table import ScreenTable, Strips

# Lines are no longer than this, however wide the terminal is.
_MOST_COLUMNS = 100
_ENDLESS = 10_000
_AXIS = 48
_NARROWEST_STRIP, _WIDEST_STRIP = 16, 28
# Between the facts of a line, which wraps there first.
_GAP = "    "
_INDENT = "  "
_BETWEEN_COLUMNS = 2
_EVERYTHING = "--markdown, --html FILE or --json FILE"
# For a terminal that has no such characters.
_IN_ASCII = str.maketrans(
    {"≫": ">>", "≪": "<<", "≈": "~=", "≳": ">~", "≲": "<~", "±": "+/-"}
    | {"→": "->", "←": "<-", "…": "...", "–": "-"}
)


class Screen:
    """Lines and tables, no wider than a terminal.

    Parameters
    ----------
    columns
        Width of the terminal; None in a pipe.
    """

    def __init__(self, columns: int | None) -> None:
        width = _ENDLESS if columns is None else columns
        self._columns = columns
        self._console = Console(highlight=False, markup=False, emoji=False, width=width)
        self._ascii = not self._console.encoding.startswith("utf")
        self._marks = ASCII if self._ascii else BOX

    def sentence(self, clauses: "Sequence[str]", style: str) -> None:
        """Print a sentence on one line, or each of its clauses on lines of its own."""
        whole = " ".join(clauses)
        fits = self._columns is None or cell_len(whole) <= self._longest
        for index, text in enumerate([whole] if fits else clauses):
            self.line(text, style, indent=_INDENT if index else "")

    def line(self, text: str, style: str = "", *, indent: str = _INDENT) -> None:
        """Print a line; on a terminal it wraps between its facts, or at words."""
        if self._columns is None:
            self._print(f"{indent}{text}", style)
            return
        for facts in _filled(text.split(_GAP), self._longest - len(indent)):
            for line in self._hanging(facts, indent):
                self._print(line, style)

    def strip(self, strips: "Strips") -> None:
        """Print one difference on a scale with the rope and 0."""
        self.line(draw_axis(strips, _AXIS, self._marks))

    def gap(self) -> None:
        """Print an empty line."""
        self._console.print()

    def table(self, table: "ScreenTable") -> None:
        """Print a table; a terminal leaves out what has no room, and names it."""
        every = range(len(table.table.rows))
        shortened = self._columns is not None and table.main_rows is not None
        rows = table.main_rows or () if shortened else tuple(every)
        columns, width = self._layout(table, rows)
        self._console.print(self._grid(table, columns, rows, width))
        heads = enumerate(table.table.columns)
        spared = [head.name for index, head in heads if index not in columns]
        more = len(every) - len(rows)
        texts = [f"{more:,} more {table.rows_name}"] if more else []
        texts += [join_words(spared)] if spared else []
        if texts:
            self.line(f"… {'; '.join(texts)}: {_EVERYTHING}", "dim", indent="")

    @property
    def _longest(self) -> int:
        return min(self._columns or _MOST_COLUMNS, _MOST_COLUMNS)

    def _text(self, text: str, style: str = "") -> Text:
        """Return text in characters that the terminal has."""
        return Text(text.translate(_IN_ASCII) if self._ascii else text, style=style)

    def _hanging(self, text: str, indent: str) -> "Iterator[str]":
        """Yield the lines of a text, all but the first indented further."""
        room = self._longest - len(indent)
        if cell_len(text) <= room:
            yield f"{indent}{text}"
            return
        pieces = self._text(text).wrap(self._console, room - len(_INDENT))
        for index, piece in enumerate(pieces):
            yield f"{indent}{_INDENT if index else ''}{piece.plain.rstrip()}"

    def _print(self, text: str, style: str) -> None:
        self._console.print(self._text(text, style), soft_wrap=True)

    def _layout(
        self, table: "ScreenTable", rows: "Sequence[int]"
    ) -> tuple[list[int], int]:
        """Return the columns that fit, and the width of the strips: 0 for none."""
        every, room = list(range(len(table.table.columns))), self._columns
        if room is None:
            return every, 0
        choices = [[i for i in every if i not in out] for out in _more(table.spare)]
        widths = [_width(table.part(choice, rows)) for choice in choices]
        if widths[0] <= room:
            choices, widths = choices[:1], widths[:1]
        if table.strips is not None:
            for columns, width in zip(choices, widths, strict=True):
                rest = room - width - _BETWEEN_COLUMNS
                if rest >= _NARROWEST_STRIP:
                    return columns, min(rest, _WIDEST_STRIP)
        both = zip(choices, widths, strict=True)
        return next((c for c, width in both if width <= room), choices[-1]), 0

    def _grid(
        self,
        table: "ScreenTable",
        columns: "Sequence[int]",
        rows: "Sequence[int]",
        width: int,
    ) -> Grid:
        """Return some columns and rows, with strips before the last column."""
        part = table.part(columns, rows)
        heads, body = [c.name for c in part.columns], [list(row) for row in part.rows]
        if width and table.strips is not None:
            drawn = draw_rows(table.strips.part(rows), width, self._marks)
            heads.insert(-1, f"← worse{'better →':>{width - 7}}")
            for cells, strip in zip(body, drawn, strict=True):
                cells.insert(-1, strip)
        grid = Grid(box=None, pad_edge=False, header_style="bold")
        for head in heads:
            grid.add_column(self._text(head), overflow="fold")
        for cells in body:
            grid.add_row(*map(self._text, cells))
        return grid


def _more(spare: "Sequence[int]") -> "Iterator[Sequence[int]]":
    """Yield what is left out: nothing, the first, the first two, and so on."""
    for count in range(len(spare) + 1):
        yield spare[:count]


def _width(table: "Table") -> int:
    """Return the width of a table with the blanks between its columns."""
    heads = [column.name for column in table.columns]
    widths = [
        max(map(cell_len, cells)) for cells in zip(heads, *table.rows, strict=True)
    ]
    return sum(widths) + _BETWEEN_COLUMNS * (len(widths) - 1)


def _filled(facts: "Sequence[str]", room: int) -> list[str]:
    """Put as many facts on each line as there is room for."""
    lines = [facts[0]]
    for fact in facts[1:]:
        longer = f"{lines[-1]}{_GAP}{fact}"
        if cell_len(longer) <= room:
            lines[-1] = longer
        else:
            lines.append(fact)
    return lines
