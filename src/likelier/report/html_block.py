"""Block of HTML for notebooks: the top of the page, without scripts and styles.

Colours lie between light and dark, text has the colour of the notebook, and
everything that may come from data is escaped.
"""

from collections.abc import Iterator
from html import escape
from typing import TYPE_CHECKING

from likelier.findings import joined
from likelier.results import parts

if TYPE_CHECKING:
    from likelier.results.result import Result

# As in the page, but lighter: they must show on white and on black.
_COLOURS = {
    "worse": "#d9692a",
    "equivalent": "#9aa3ad",
    "better": "#3b82d0",
    "leans-better": "#9cc3ee",
    "more-probably-better": "#9cc3ee",
    "leans-equivalent": "#c3c9cf",
    "undecided": "#c3c9cf",
    "leans-worse": "#eeb592",
    "more-probably-not-better": "#eeb592",
}
_LONGEST = 700
_BAR = (
    "display:flex;max-width:36em;height:1em;border:1px solid;border-radius:3px;"
    "overflow:hidden"
)


def block(result: "Result") -> str:
    """Write the headline, what it rests on, the facts, findings and the next step."""
    summary = result.summary()
    symbol = "" if summary.verdict is None else f"{summary.verdict.symbol} "
    pieces = [
        f"<p>{_cut(summary.context)}</p>" if summary.context else "",
        f'<p style="font-size:1.35em">{escape(symbol)}{_words(summary.headline)}</p>',
        f"<p>{_words(summary.lede)}</p>" if summary.lede else "",
        *(f"<p>{_cut(str(finding))}</p>" for finding in joined(summary.findings)),
        *(piece for fact in summary.facts for piece in _fact(fact)),
        f"<p>{_words(summary.next_step)}</p>" if summary.next_step else "",
        *(f"<p>{_cut(line)}</p>" for line in summary.lines),
    ]
    return f"<div>{''.join(pieces)}</div>"


def _words(pieces: parts.Words) -> str:
    """Write a sentence, its strong words bold."""
    texts = (
        f"<strong>{_cut(piece)}</strong>"
        if isinstance(piece, parts.Strong)
        else _cut(piece)
        for piece in pieces
    )
    return "".join(texts)


def _fact(fact: parts.Fact) -> Iterator[str]:
    """Write a fact on one line, and its probabilities as a bar."""
    value = f"<strong>{_cut(fact.value)}</strong> " if fact.value else ""
    yield f"<p>{_cut(fact.title)}: {value}{_cut(fact.remark)}</p>"
    if isinstance(fact.drawing, parts.Bar):
        yield _bar(fact.drawing)


def _bar(bar: parts.Bar) -> str:
    """Draw shares side by side, with what they are below."""
    toned = list(zip(bar.shares, bar.tones, strict=True))
    strips = "".join(
        f'<span style="flex:0 0 {100 * share.share:.2f}%;background:{_COLOURS[tone]}">'
        "</span>"
        for share, tone in toned
    )
    words = " &nbsp; ".join(
        f'<span style="color:{_COLOURS[tone]}">&#9632;</span> '
        f"{_cut(share.name)} {escape(share.text)}"
        for share, tone in toned
    )
    label = escape(", ".join(f"{share.name} {share.text}" for share in bar.shares))
    image = f'<div role="img" aria-label="{label}" style="{_BAR}">{strips}</div>'
    return f"{image}<p>{words}</p>"


def _cut(text: str) -> str:
    """Escape a text; a long one is cut before, so that no entity is."""
    return escape(text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…")
