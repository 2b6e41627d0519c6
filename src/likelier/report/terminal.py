"""Results on the screen: words for one answer, tables for several."""

import sys
from typing import TYPE_CHECKING

from rich.console import Console
from rich.table import Table as Grid
from rich.text import Text

from likelier.formatting import counted

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from likelier.results.parts import Table
    from likelier.results.result import Result

_COLOURS = {
    "better": "bold blue",
    "leans better": "blue",
    "worse": "bold red",
    "leans worse": "red",
    "equivalent": "bold",
}
_MOST_RECIPES = 2


class _Screen(Console):
    """Console that leaves a closed pipe to the caller."""

    def on_broken_pipe(self) -> None:
        raise BrokenPipeError

    def put(self, text: str, style: str = "") -> None:
        """Print one line as it is, never folded."""
        self.print(Text(text, style=style), soft_wrap=True)

    def grids(self, tables: "Iterable[Table]") -> None:
        """Print tables."""
        for table in tables:
            grid = Grid(box=None, pad_edge=False, header_style="bold")
            for column in table.columns:
                grid.add_column(Text(column.name), overflow="fold")
            for row in table.rows:
                grid.add_row(*map(Text, row))
            self.print(grid)


def show(result: "Result") -> None:
    """Print a result for a person; plain text where nobody watches."""
    # A pipe has no width: nothing may be folded or cut there.
    width = None if sys.stdout.isatty() else 10_000
    screen = _Screen(highlight=False, markup=False, emoji=False, width=width)
    _show(screen, result)


def _show(screen: _Screen, result: "Result") -> None:
    members = result.members()
    if members is not None:
        _several(screen, result, members)
    elif result.in_words:
        first, *rest = in_words(result)
        verdict = result.verdict
        style = "bold" if verdict is None else _COLOURS.get(verdict.name, "")
        screen.put(first, style)
        for line in rest:
            screen.put(line)
    else:
        if result.in_row:
            screen.grids(result.tables())
            _findings(screen, [result])
        else:
            screen.put(result.sentence(), "bold")
            _findings(screen, [result])
            screen.grids(result.tables())
            for line in result.lines():
                screen.put(f"  {line}")
        _recipes(screen, [result])


def in_words(result: "Result") -> list[str]:
    """Return all lines of one answer."""
    symbol = "" if result.verdict is None else f"    {result.verdict.symbol}"
    return [
        f"{result.sentence()}{symbol}",
        *(f"  {finding}" for finding in result.findings),
        *(f"  {line}" for line in result.lines()),
        f"  recipe: {result.recipe}",
    ]


def _several(screen: _Screen, result: "Result", members: "Sequence[Result]") -> None:
    """Show the members, as one table if they fit, then what is the whole's own."""
    own = result.own_tables()
    if len(members) > 1 and all(member.in_row for member in members):
        screen.grids(table for table in result.tables() if table not in own)
        _findings(screen, members)
        _recipes(screen, members)
        if own:
            screen.print()
    else:
        for member in members:
            _show(screen, member)
            if own:
                screen.print()
    if own:
        _own(screen, result, members)


def _own(screen: _Screen, result: "Result", members: "Sequence[Result]") -> None:
    for line in result.lines():
        screen.put(line)
    screen.grids(result.own_tables())
    of_members = {finding for member in members for finding in member.findings}
    for finding in result.findings:
        if finding not in of_members:
            screen.put(str(finding))


def _findings(screen: _Screen, results: "Sequence[Result]") -> None:
    """Print findings, each once."""
    for text in dict.fromkeys(str(f) for result in results for f in result.findings):
        screen.put(text)


def _recipes(screen: _Screen, results: "Sequence[Result]") -> None:
    """Print recipes, each once."""
    recipes = list(dict.fromkeys(result.recipe for result in results))
    for recipe in recipes[:_MOST_RECIPES]:
        screen.put(f"recipe: {recipe}")
    if len(recipes) > _MOST_RECIPES:
        more = counted(len(recipes) - _MOST_RECIPES, "more recipe")
        screen.put(f"and {more}: see --json")
