"""Results on the screen: the answer, findings, numbers, what to do next, the recipe."""

import sys
from shutil import get_terminal_size
from typing import TYPE_CHECKING

from likelier.findings import joined
from likelier.formatting import counted
from likelier.report.console import Screen

if TYPE_CHECKING:
    from collections.abc import Sequence

    from likelier.results.result import Result
    from likelier.results.screen_table import ScreenTable

_COLOURS = {
    "better": "bold blue",
    "leans better": "blue",
    "worse": "bold red",
    "leans worse": "red",
    "equivalent": "bold",
}
_MOST_RECIPES = 2


def show(result: "Result", *, columns: int | None = None) -> None:
    """Print a result for a person; plain text where nobody watches.

    Parameters
    ----------
    result
        Any result.
    columns
        Width of the terminal; by default that of the one there is. A pipe has none.
    """
    if columns is None and sys.stdout.isatty():
        columns = get_terminal_size().columns
    _show(Screen(columns), result)


def _show(screen: Screen, result: "Result") -> None:
    members = result.members()
    if members is not None:
        _several(screen, result, members)
        return
    if result.in_row and not result.in_words:
        _tables(screen, result.screen_tables())
        _findings(screen, [result])
    else:
        _answer(screen, result)
    _recipes(screen, [result])


def _answer(screen: Screen, result: "Result") -> None:
    verdict = result.verdict
    symbol = "" if verdict is None else f"{verdict.symbol} "
    style = "bold" if verdict is None else _COLOURS.get(verdict.name, "")
    first, *rest = result.clauses()
    screen.sentence([f"{symbol}{first}", *rest], style)
    _findings(screen, [result])
    if not result.in_words:
        _tables(screen, result.screen_tables())
    strips = result.strips()
    if strips is not None:
        screen.strip(strips)
    for line in result.main_lines():
        screen.line(line)
    _next_step(screen, result)
    for line in result.small_print():
        screen.line(line, "dim")


def _several(screen: Screen, result: "Result", members: "Sequence[Result]") -> None:
    """Show the members, as one table if they fit, then what is the whole's own."""
    own, tables = result.own_tables(), result.screen_tables()
    if len(members) > 1 and all(member.in_row for member in members):
        _tables(screen, [table for table in tables if table.table not in own])
        _findings(screen, members)
        _recipes(screen, members)
        if own:
            screen.gap()
    else:
        for member in members:
            _show(screen, member)
            if own:
                screen.gap()
    if own:
        _own(screen, result, members, [table for table in tables if table.table in own])


def _own(
    screen: Screen,
    result: "Result",
    members: "Sequence[Result]",
    tables: "Sequence[ScreenTable]",
) -> None:
    for line in result.lines():
        screen.line(line, indent="")
    _tables(screen, tables)
    of_members = {finding for member in members for finding in member.findings}
    for finding in joined(f for f in result.findings if f not in of_members):
        screen.line(str(finding), indent="")


def _tables(screen: Screen, tables: "Sequence[ScreenTable]") -> None:
    """Print tables, an empty line between them."""
    for index, table in enumerate(tables):
        if index:
            screen.gap()
        screen.table(table)


def _findings(screen: Screen, results: "Sequence[Result]") -> None:
    """Print findings, each once."""
    for finding in joined(f for result in results for f in result.findings):
        screen.line(str(finding))


def _next_step(screen: Screen, result: "Result") -> None:
    step = result.next_step()
    if step is not None:
        screen.line(f"→ {step}")


def _recipes(screen: Screen, results: "Sequence[Result]") -> None:
    """Print recipes, each once."""
    recipes = list(dict.fromkeys(result.recipe for result in results))
    for recipe in recipes[:_MOST_RECIPES]:
        screen.line(f"recipe: {recipe}", "dim")
    if len(recipes) > _MOST_RECIPES:
        more = counted(len(recipes) - _MOST_RECIPES, "more recipe")
        screen.line(f"and {more}: see --json", "dim")
