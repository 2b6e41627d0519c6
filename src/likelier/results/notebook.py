"""Results in a notebook: a few static elements, without scripts and style sheets.

Colours are told by style attributes and lie between light and dark, text has the
colour of the notebook, and everything that may come from data is escaped.
"""

from collections.abc import Iterable, Sequence
from html import escape

from likelier.recipe import Recipe

# As in the plots, but lighter: they must show on white and on black.
WORSE, EQUIVALENT, BETTER = "#c8561b", "#9aa3ad", "#2f74c0"

_MOST_ROWS = 10
_LONGEST_CELL = 40
_LONGEST_LINE = 700
_CELL = "padding:1px 10px 1px 0;white-space:nowrap;text-align:"
_BAR = (
    "display:flex;max-width:36em;height:1em;border:1px solid;border-radius:3px;"
    "overflow:hidden"
)

Part = tuple[str, float, str, str]


def block(parts: Iterable[str | None], recipe: Recipe) -> str:
    """Put elements into one, with the recipe below them."""
    shown = "".join(part for part in parts if part)
    return f"<div>{shown}<p><code>{_cut(str(recipe), _LONGEST_LINE)}</code></p></div>"


def line(text: str | None, symbol: str = "") -> str | None:
    """Show a line of text, and a symbol before it."""
    if not text:
        return None
    mark = f"<strong>{escape(symbol)}</strong> " if symbol else ""
    # What stands apart in a terminal would run together here.
    apart = text.replace("    ", " · ")
    return f"<p>{mark}{_cut(apart, _LONGEST_LINE)}</p>"


def bar(parts: Sequence[Part]) -> str:
    """Draw shares side by side, and say what they are below.

    Parameters
    ----------
    parts
        The name, the share, how it is written, and its colour, one after the other.
    """
    strips = "".join(
        f'<span style="flex:0 0 {100 * share:.2f}%;background:{colour}"></span>'
        for _, share, _, colour in parts
    )
    words = " &nbsp; ".join(
        f'<span style="color:{colour}">&#9632;</span> {escape(name)} {escape(shown)}'
        for name, _, shown, colour in parts
    )
    label = escape(", ".join(f"{name} {shown}" for name, _, shown, _ in parts))
    image = f'<div role="img" aria-label="{label}" style="{_BAR}">{strips}</div>'
    return f"{image}<p>{words}</p>"


def table(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Show a small table of numbers, whose first column and verdicts are text."""
    sides = ["left", *(_side(name) for name in columns[1:])]
    head = _row("th", columns, sides)
    body = "".join(_row("td", row, sides) for row in rows[:_MOST_ROWS])
    rest = len(rows) - _MOST_ROWS
    more = f"<p>and {rest:,} more rows</p>" if rest > 0 else ""
    return f'<table style="margin:6px 0">{head}{body}</table>{more}'


def _side(name: str) -> str:
    return "left" if name == "verdict" else "right"


def _row(tag: str, cells: Sequence[str], sides: Sequence[str]) -> str:
    told = (
        f'<{tag} style="{_CELL}{side}">{_cut(text, _LONGEST_CELL)}</{tag}>'
        for text, side in zip(cells, sides, strict=True)
    )
    return f"<tr>{''.join(told)}</tr>"


def _cut(text: str, most: int) -> str:
    """Escape a text; a long one is cut before, so that no entity is."""
    return escape(text if len(text) <= most else f"{text[: most - 1]}…")
