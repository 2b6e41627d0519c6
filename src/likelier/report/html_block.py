"""Block of HTML for notebooks: a few static elements, without scripts and styles.

Colours lie between light and dark, text has the colour of the notebook, and
everything that may come from data is escaped.
"""

from collections.abc import Iterator, Sequence
from html import escape
from typing import TYPE_CHECKING

from likelier.results import parts

if TYPE_CHECKING:
    from likelier.results.result import Result

# As in the plots, but lighter: they must show on white and on black.
_COLOURS = {"worse": "#c8561b", "equivalent": "#9aa3ad", "better": "#2f74c0"}
_MOST_ROWS = 10
_LONGEST_CELL = 40
_LONGEST_LINE = 700
_TABLE = (
    "margin:6px 0;border-collapse:separate;border-spacing:10px 1px;text-align:right;"
    "white-space:nowrap"
)
_BAR = (
    "display:flex;max-width:36em;height:1em;border:1px solid;border-radius:3px;"
    "overflow:hidden"
)


def block(result: "Result") -> str:
    """Write the answer, findings, probabilities, a small table, what to do next."""
    symbol = "" if result.verdict is None else result.verdict.symbol
    next_step = result.next_step()
    pieces = [
        _line(result.sentence(), symbol),
        *(_line(str(finding)) for finding in result.findings),
        *_pieces(result.excerpt()),
        *map(_line, result.excerpt_lines()),
        *map(_line, [] if next_step is None else [f"→ {next_step}"]),
    ]
    return f"<div>{''.join(pieces)}</div>"


def _pieces(of_result: Sequence[parts.Part]) -> Iterator[str]:
    for part in of_result:
        if isinstance(part, parts.Probabilities):
            yield _bar(part)
        elif isinstance(part, parts.Table):
            yield table(part)


def table(part: parts.Table) -> str:
    """Show the first rows of a table."""
    head = _row("th", [column.name for column in part.columns], part.columns)
    body = "".join(_row("td", row, part.columns) for row in part.rows[:_MOST_ROWS])
    rest = len(part.rows) - _MOST_ROWS
    more = f"<p>and {rest:,} more rows</p>" if rest > 0 else ""
    return f'<table style="{_TABLE}">{head}{body}</table>{more}'


def _line(text: str, symbol: str = "") -> str:
    """Show a line of text, and a symbol before it."""
    mark = f"<strong>{escape(symbol)}</strong> " if symbol else ""
    # Spaces that part columns in a terminal would be lost here.
    return f"<p>{mark}{_cut(text.replace('    ', ' · '), _LONGEST_LINE)}</p>"


def _bar(part: parts.Probabilities) -> str:
    """Draw shares side by side, with what they are below."""
    strips = "".join(
        f'<span style="flex:0 0 {100 * share:.2f}%;background:{_COLOURS[name]}"></span>'
        for name, share, _ in part.shares
    )
    within = "" if part.rope is None else f"equivalent (within {part.rope})"
    names = {"equivalent": within}
    words = " &nbsp; ".join(
        f'<span style="color:{_COLOURS[name]}">&#9632;</span> '
        f"{escape(names.get(name, name))} {escape(text)}"
        for name, _, text in part.shares
    )
    label = escape(
        ", ".join(f"{names.get(name, name)} {text}" for name, _, text in part.shares)
    )
    image = f'<div role="img" aria-label="{label}" style="{_BAR}">{strips}</div>'
    return f"{image}<p>{words}</p>"


def _row(tag: str, cells: Sequence[str], columns: Sequence[parts.Column]) -> str:
    left = f'<{tag} style="text-align:left">'
    texts = (
        f"{f'<{tag}>' if column.numeric else left}{_cut(text, _LONGEST_CELL)}</{tag}>"
        for text, column in zip(cells, columns, strict=True)
    )
    return f"<tr>{''.join(texts)}</tr>"


def _cut(text: str, most: int) -> str:
    """Escape a text; a long one is cut before, so that no entity is."""
    return escape(text if len(text) <= most else f"{text[: most - 1]}…")
