"""Language of conditions: text to a tree; nothing is ever run as code.

::

    condition  := all ("or" all)*
    all        := one ("and" one)*
    one        := "not" one | "(" condition ")" | comparison
    comparison := term operator term | "verdict" ("==" | "!=") text
    operator   := "<" | "<=" | ">" | ">=" | "==" | "!="
    term       := number ["%"] | "P(" word ")" | name
    name       := key ("." (key | position | text))*
"""

import operator
import re
import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from difflib import get_close_matches
from typing import NamedTuple, Protocol

from likelier.decision import NAMES
from likelier.errors import SettingError

CHANCES = {
    "better": "probability.better",
    "worse": "probability.worse",
    "equivalent": "probability.equivalent",
    "best": "best.probability",
    "H0": "hypotheses.h0",
    "H1": "hypotheses.h1",
}
SHORT = {
    "p": "p_value",
    "hdi.low": "difference.interval.low",
    "hdi.high": "difference.interval.high",
    "rope.low": "rope.0",
    "rope.high": "rope.1",
    "bf01": "bayes_factor.bf01",
}
DEEPEST = 50
MOST_CHARACTERS = 2_000

_OPERATORS: dict[str, Callable[[float, float], bool]] = {
    "<=": operator.le,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    ">": operator.gt,
}
_VERDICT = ("verdict", "verdict.name")
_LONGEST_WORD = 24
_KEY = r"[\w-]+|\"[^\"]*\"|'[^']*'"
_KEYS = re.compile(r"\"([^\"]*)\"|'([^']*)'|([^.]+)")
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
class Name:
    """Name of a number in the JSON of a result.

    Attributes
    ----------
    text
        The name as it was written.
    path
        The keys that lead there.
    column
        Where it stands in the condition.
    """

    text: str
    path: tuple[str | int, ...]
    column: int


class Lookup(Protocol):
    """Numbers and the verdict of one result, for conditions to ask for."""

    def number(self, name: Name) -> float | None:
        """Return a number; None where there is none to be known."""

    def verdict(self) -> str:
        """Return the verdict, which must be there."""


class Condition(Protocol):
    """Part of a condition."""

    def holds(self, lookup: Lookup) -> bool | None:
        """Return True, False, or None where it cannot be known."""

    def names(self) -> list[Name]:
        """Return the names that it asks for, in order."""


Term = Name | float


@dataclass(frozen=True)
class Compared:
    """Two terms, and how they are compared."""

    left: Term
    operator: str
    right: Term

    def holds(self, lookup: Lookup) -> bool | None:
        """Compare the terms, where both are known."""
        terms = (self.left, self.right)
        left, right = (lookup.number(t) if isinstance(t, Name) else t for t in terms)
        if left is None or right is None:
            return None
        return _OPERATORS[self.operator](left, right)

    def names(self) -> list[Name]:
        """Return those terms that are names."""
        return [term for term in (self.left, self.right) if isinstance(term, Name)]


@dataclass(frozen=True)
class VerdictIs:
    """Whether the verdict is the one that is named, or is not."""

    verdict: str
    wanted: bool

    def holds(self, lookup: Lookup) -> bool:
        """Compare the verdict with that of the result."""
        return (lookup.verdict() == self.verdict) == self.wanted

    def names(self) -> list[Name]:
        """Return nothing: a verdict is no number."""
        return []


@dataclass(frozen=True)
class Not:
    """Opposite of a condition."""

    part: Condition

    def holds(self, lookup: Lookup) -> bool | None:
        """Turn the part round, where it is known."""
        inside = self.part.holds(lookup)
        return None if inside is None else not inside

    def names(self) -> list[Name]:
        """Return the names of the part."""
        return self.part.names()


@dataclass(frozen=True)
class Joined:
    """Conditions of which one decides where it holds (or), or fails (and)."""

    decides: bool
    parts: tuple[Condition, ...]

    def holds(self, lookup: Lookup) -> bool | None:
        """Join all parts: a wrong name is refused even where another part decides."""
        values = [part.holds(lookup) for part in self.parts]
        if self.decides in values:
            return self.decides
        return None if None in values else not self.decides

    def names(self) -> list[Name]:
        """Return the names of all parts."""
        return [name for part in self.parts for name in part.names()]


class Token(NamedTuple):
    """Word of a condition, and its column, counted from 1."""

    kind: str
    text: str
    column: int

    @property
    def quoted(self) -> str:
        """The word as in a message."""
        return "nothing" if self.kind == "end" else repr(_cut(self.text))


def parsed(text: str) -> Condition:
    """Read a condition, or raise an error that names what is wrong and where.

    Parameters
    ----------
    text
        Such as ``P(better) > 0.9 and not hdi.low < 0``.

    Examples
    --------
    >>> parsed("0.9 < items").operator
    '<'
    >>> parsed("P(better) > 0.9 and")
    Traceback (most recent call last):
    likelier.errors.SettingError: A condition must read like 'P(better) > 0.9'; a
    name or a number is missing and there is nothing at column 20.
    """
    return _Parser(iter(tokens(text))).whole()


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
    return [*_words(condition), Token("end", "", len(condition) + 1)]


def path_of(text: str) -> tuple[str | int, ...]:
    """Split a name into its keys; bare digits are a position, from 0.

    Examples
    --------
    >>> path_of("estimates.1.value"), path_of("estimates.'1.b'.value")
    (('estimates', 1, 'value'), ('estimates', '1.b', 'value'))
    """
    keys: list[str | int] = []
    for double, single, bare in _KEYS.findall(text):
        keys.append(int(bare) if bare.isdigit() else bare or double or single)
    return tuple(keys)


def _words(condition: str) -> Iterator[Token]:
    start = 0
    while start < len(condition):
        match = _TOKEN.match(condition, start)
        if match is None:
            raise _no_token(condition[start:], start + 1)
        kind, text = str(match.lastgroup), match.group()
        if kind != "blank":
            word = kind == "name" and text in ("and", "or", "not")
            yield Token(text if word else kind, text, start + 1)
        start = match.end()


def _no_token(rest: str, column: int) -> SettingError:
    number = re.match(r"[+-]?\.?[0-9][\w.]*", rest, re.ASCII)
    if number is not None:
        wrong = f"{_cut(number.group())!r} is no number"
        return _unreadable(wrong, column, hint="Numbers are like 0.9, 90 % or 1e-3.")
    cure = next((_CURES[mark] for mark in _CURES if rest.startswith(mark)), None)
    sign = rest[0]
    # A character may look like another one: its name tells them apart.
    name = "" if sign.isascii() else unicodedata.name(sign, f"U+{ord(sign):04X}")
    return _unreadable(f"got {sign!r}{f' ({name})' if name else ''}", column, hint=cure)


def _unreadable(wrong: str, column: int, *, hint: str | None = None) -> SettingError:
    """Build the error for a condition that is wrong at a column."""
    example = "'P(better) > 0.9'"
    message = f"A condition must read like {example}; {wrong} at column {column}."
    return SettingError(message, hint=hint)


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST_WORD else f"{text[:_LONGEST_WORD]}…"


class _Read(NamedTuple):
    """Term or text of a comparison, and the token where it began."""

    value: Name | float | str
    token: Token

    @property
    def is_verdict(self) -> bool:
        return isinstance(self.value, Name) and self.value.text in _VERDICT


class _Parser:
    """Goes through the tokens once, looking one ahead."""

    def __init__(self, rest: Iterator[Token]) -> None:
        self._rest = rest
        self._next = next(rest)
        self._depth = 0

    def whole(self) -> Condition:
        condition = self._any()
        self._must_be("'and' or 'or'", "end")
        return condition

    def _any(self) -> Condition:
        return self._joined("or", self._all)

    def _all(self) -> Condition:
        return self._joined("and", self._one)

    def _joined(self, word: str, read: Callable[[], Condition]) -> Condition:
        parts = [read()]
        while self._took(word):
            parts.append(read())
        return parts[0] if len(parts) == 1 else Joined(word == "or", tuple(parts))

    def _one(self) -> Condition:
        if self._next.kind not in ("not", "open"):
            return self._comparison()
        self._depth += 1
        if self._depth > DEEPEST:
            message = (
                f"A condition must nest at most {DEEPEST} deep; got more at column "
                f"{self._next.column}."
            )
            raise SettingError(message)
        part = Not(self._one()) if self._took("not") else self._inside()
        self._depth -= 1
        return part

    def _inside(self) -> Condition:
        opened = self._taken()
        condition = self._any()
        hint = f"Close the bracket of column {opened.column}."
        self._must_be("')'", "close", hint=hint)
        return condition

    def _comparison(self) -> Condition:
        left = self._term()
        sign = self._must_be("< <= > >= == or !=", "operator")
        right = self._term()
        if self._next.kind == "operator":
            wrong = f"only two things can be compared, and {self._next.quoted} follows"
            hint = "Join comparisons by 'and': 0.1 < p and p < 0.9"
            raise _unreadable(wrong, self._next.column, hint=hint)
        return _compared(left, sign.text, right)

    def _term(self) -> _Read:
        token = self._must_be("a name or a number", "number", "chance", "name", "text")
        if token.kind == "text":
            return _Read(token.text[1:-1], token)
        if token.kind == "number":
            value = float(token.text)
            return _Read(value / 100 if self._took("percent") else value, token)
        return _Read(_name(token), token)

    def _taken(self) -> Token:
        token = self._next
        self._next = next(self._rest, token)
        return token

    def _took(self, kind: str) -> bool:
        if self._next.kind != kind:
            return False
        self._taken()
        return True

    def _must_be(self, what: str, *kinds: str, hint: str | None = None) -> Token:
        if self._next.kind not in kinds:
            wrong = f"{what} is missing and there is {self._next.quoted}"
            raise _unreadable(wrong, self._next.column, hint=hint)
        return self._taken()


def _name(token: Token) -> Name:
    """Read a name: a short one, or keys with dots between them."""
    if token.kind == "name":
        text = token.text
        return Name(text, path_of(SHORT.get(text, text)), token.column)
    word = token.text[2:-1].strip()
    if word not in CHANCES:
        every = ", ".join(f"P({name})" for name in CHANCES)
        close = get_close_matches(word, CHANCES, n=1)
        hint = f"Did you mean P({close[0]})?" if close else f"There are {every}."
        wrong = f"{token.quoted} is unknown"
        raise _unreadable(wrong, token.column, hint=hint)
    return Name(f"P({word})", path_of(CHANCES[word]), token.column)


def _compared(left: _Read, sign: str, right: _Read) -> Condition:
    """Put two terms together, where that makes sense."""
    if left.is_verdict or isinstance(right.value, str):
        return _verdict(left, sign, right)
    if right.is_verdict or isinstance(left.value, str):
        return _verdict(right, sign, left)
    if isinstance(left.value, float) and isinstance(right.value, float):
        wrong = "two numbers say nothing of the result"
        raise _unreadable(wrong, left.token.column)
    _check_share(left, right)
    _check_share(right, left)
    return Compared(left.value, sign, right.value)


def _check_share(named: _Read, number: _Read) -> None:
    """Refuse to compare a probability with what can be none: a per cent is missing."""
    chance = named.token.kind == "chance" or named.token.text == "p"
    if chance and isinstance(number.value, float) and not 0 <= number.value <= 1:
        wrong = (
            f"{named.token.quoted} is a probability, and {number.token.quoted} is none"
        )
        hint = f"Write {number.token.text} %, or a number between 0 and 1."
        raise _unreadable(wrong, number.token.column, hint=hint)


def _verdict(named: _Read, sign: str, wanted: _Read) -> VerdictIs:
    hint = "Write verdict == 'better', with quotation marks."
    if not named.is_verdict:
        wrong = "only the verdict can be compared with a text"
        raise _unreadable(wrong, wanted.token.column, hint=hint)
    if sign not in ("==", "!="):
        wrong = f"the verdict can be compared by == and != only, not by {sign}"
        raise _unreadable(wrong, named.token.column, hint=hint)
    if wanted.value not in NAMES.values():
        every = ", ".join(f"'{name}'" for name in NAMES.values())
        wrong = f"{wanted.token.quoted} is no verdict"
        raise _unreadable(wrong, wanted.token.column, hint=f"Verdicts are {every}.")
    return VerdictIs(str(wanted.value), sign == "==")
