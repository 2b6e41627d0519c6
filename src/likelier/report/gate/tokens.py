"""Conditions cut into tokens, each with the column where it stands."""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from likelier.errors import SettingError

Kind = Literal[
    "number", "percent", "chance", "name", "text", "operator", "open", "close",
    "and", "or", "not", "end",
]  # fmt: skip

MOST_CHARACTERS = 2_000
_SHOWN = 24
_EXAMPLE = "'P(better) > 0.9'"
_KEY = r"[\w-]+|\"[^\"]*\"|'[^']*'"
# Every alternative begins with other characters, so that none is tried in vain.
_TOKEN = re.compile(
    rf"""
      (?P<blank>[ \t\r\n]+)
    | (?P<number>[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?(?![\w.]))
    | (?P<percent>%)
    | (?P<chance>P\([ ]*\w*[ ]*\))
    | (?P<name>[A-Za-z_]\w*(?:-\w+)*(?:\.(?:{_KEY}))*)
    | (?P<text>"[^"]*"|'[^']*')
    | (?P<operator><=|>=|==|!=|<(?![=>])|>(?!=))
    | (?P<open>\()
    | (?P<close>\))
    """,
    re.ASCII | re.VERBOSE,
)
_CURES = {
    "=>": "Write >= for at least.",
    "=<": "Write <= for at most.",
    "<>": "Write != for not equal.",
    "=": "Write == for equal.",
    "&": "Write and.",
    "|": "Write or.",
    "!": "Write not.",
    ",": "Write numbers with a point: 0.9",
    "'": "Close the quotation mark.",
    '"': "Close the quotation mark.",
    "≥": "Write >= for at least.",
    "≤": "Write <= for at most.",
    "≠": "Write != for not equal.",
}


@dataclass(frozen=True)
class Token:
    """A word of a condition, and its column, counted from 1."""

    kind: Kind
    text: str
    column: int

    @property
    def shown(self) -> str:
        """The word as a message tells it."""
        return "nothing" if self.kind == "end" else repr(_cut(self.text))


def tokens(condition: str) -> list[Token]:
    """Cut a condition into tokens, the last of which is its end.

    Examples
    --------
    >>> [(token.kind, token.column) for token in tokens("hdi.low > 1 %")]
    [('name', 1), ('operator', 9), ('number', 11), ('percent', 13), ('end', 14)]
    """
    if len(condition) > MOST_CHARACTERS:
        message = (
            f"A condition must have at most {MOST_CHARACTERS:,} characters; got "
            f"{len(condition):,}."
        )
        raise SettingError(message)
    return [*_scanned(condition), Token("end", "", len(condition) + 1)]


def unreadable(wrong: str, column: int, *, hint: str | None = None) -> SettingError:
    """Build the error for a condition that is wrong at a column."""
    message = f"A condition must read like {_EXAMPLE}; {wrong} at column {column}."
    return SettingError(message, hint=hint)


def _scanned(condition: str) -> Iterator[Token]:
    place = 0
    while place < len(condition):
        found = _TOKEN.match(condition, place)
        if found is None:
            raise _unknown(condition, place)
        text = found.group()
        if found.lastgroup != "blank":
            yield Token(_kind(str(found.lastgroup), text), text, place + 1)
        place = found.end()


def _kind(group: str, text: str) -> Kind:
    kinds: dict[str, Kind] = {"and": "and", "or": "or", "not": "not"}
    if group == "name" and text in kinds:
        return kinds[text]
    return group  # type: ignore[return-value]


def _unknown(condition: str, place: int) -> SettingError:
    rest = condition[place:]
    number = re.match(r"[+-]?\.?[0-9][\w.]*", rest, re.ASCII)
    if number is not None:
        wrong = f"{_cut(number.group())!r} is no number"
        return unreadable(wrong, place + 1, hint="Numbers are like 0.9, 90 % or 1e-3.")
    cure = next((_CURES[mark] for mark in _CURES if rest.startswith(mark)), None)
    return unreadable(f"got {_named(rest[0])}", place + 1, hint=cure)


def _named(character: str) -> str:
    """Show a character, and what it is where it may look like another."""
    if character.isascii():
        return repr(character)
    name = unicodedata.name(character, f"U+{ord(character):04X}")
    return f"{character!r} ({name})"


def _cut(text: str) -> str:
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"
