"""Results on the screen: words for one, a table for several."""

import sys
from collections.abc import Sequence

from rich.console import Console
from rich.table import Table as RichTable
from rich.text import Text

from likelier import wording
from likelier.report.composite import Table, composite_tables
from likelier.report.summary import Composite, Result
from likelier.report.table import finding_lines, tables
from likelier.report.text import detail_lines, lines
from likelier.results import Comparison, Estimate, Pairs, StudyReport

_COLOURS = {
    "better": "bold blue",
    "leans better": "blue",
    "worse": "bold red",
    "leans worse": "red",
    "equivalent": "bold",
}


_MOST_RECIPES = 2


class _Screen(Console):
    """A console that leaves a closed pipe to the caller."""

    def on_broken_pipe(self) -> None:
        raise BrokenPipeError


def show(results: Sequence[Result]) -> None:
    """Print results for a person; plain text where nobody watches."""
    # A pipe has no width: nothing may be folded or cut there.
    width = None if sys.stdout.isatty() else 10_000
    console = _Screen(highlight=False, markup=False, emoji=False, width=width)
    parts = [result for result in results if isinstance(result, Composite)]
    if parts:
        for part in parts:
            if isinstance(part, StudyReport):
                _study(console, part)
            else:
                _composite(console, part)
        return
    _singles(console, results)


def _study(console: Console, report: StudyReport) -> None:
    """Show what was found first, then the folds it rests on."""
    found = report.answers
    pairs = [part for part in found if isinstance(part, Pairs)]
    for part in pairs:
        _composite(console, part)
        console.print()
    if found and not pairs:
        _singles(console, found)
        console.print()
    for line in detail_lines(report):
        console.print(Text(line), soft_wrap=True)
    for shown in composite_tables(report):
        _grid(console, shown)
    for finding in report.remarks:
        console.print(Text(str(finding)), soft_wrap=True)


def _singles(console: Console, results: Sequence[Result]) -> None:
    if len(results) > 1 or isinstance(results[0], Estimate):
        _grid(console, tables(results)[0])
        _origins(console, results)
        return
    first, *rest = lines(results[0])
    console.print(Text(first, style=_colour(results[0])), soft_wrap=True)
    for line in rest:
        console.print(Text(line), soft_wrap=True)


def _colour(result: Result) -> str:
    if not isinstance(result, Comparison):
        return "bold"
    return _COLOURS.get(result.verdict.name, "")


def _composite(console: Console, result: Composite) -> None:
    console.print(Text(result.sentence(), style="bold"), soft_wrap=True)
    for shown in composite_tables(result):
        _grid(console, shown)
    for line in detail_lines(result):
        console.print(Text(f"  {line}"), soft_wrap=True)
    _origins(console, [result])


def _grid(console: Console, shown: Table) -> None:
    grid = RichTable(box=None, pad_edge=False, header_style="bold")
    for column in shown.columns:
        grid.add_column(Text(column), overflow="fold")
    for row in shown.rows:
        grid.add_row(*(Text(cell) for cell in row))
    console.print(grid)


def _origins(console: Console, results: Sequence[Result]) -> None:
    recipes = list(dict.fromkeys(str(result.recipe) for result in results))
    for recipe in recipes[:_MOST_RECIPES]:
        console.print(Text(f"recipe: {recipe}"), soft_wrap=True)
    if len(recipes) > _MOST_RECIPES:
        rest = len(recipes) - _MOST_RECIPES
        more = wording.counted(rest, "more recipe")
        console.print(Text(f"and {more}: --json tells all"), soft_wrap=True)
    for finding in finding_lines(results):
        console.print(Text(finding), soft_wrap=True)
