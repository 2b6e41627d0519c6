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
from collections.abc import Callable
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any, NamedTuple

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

_OPERATORS: dict[str, Callable[[Any, Any], bool]] = {
    "<=": operator.le,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    ">": operator.gt,
}
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
    """Name of a number, or of the verdict, in the JSON of a result.

    Attributes
    ----------
    text
        The name as it was written.
    path
        Keys that lead to the number.
    column
        Column of the condition where it begins.
    """

    text: str
    path: tuple[str | int, ...]
    column: int

    @property
    def is_verdict(self) -> bool:
        """Whether it is the verdict, which is a text."""
        return self.text in ("verdict", "verdict.name")


Term = Name | float | str
# Value that a name has in a result; None where it cannot be known.
Lookup = Callable[[Name], float | str | None]
# Whether a comparison that holds, or does not, rests on what a finding blocks.
Doubt = Callable[["Comparison", bool], bool]


@dataclass(frozen=True)
class Comparison:
    """Two terms, and the sign between them."""

    left: Term
    sign: str
    right: Term

    def holds(self, lookup: Lookup, doubt: Doubt | None = None) -> bool | None:
        """Compare the terms; None where one cannot be known, or must be doubted."""
        terms = (self.left, self.right)
        left, right = (lookup(t) if isinstance(t, Name) else t for t in terms)
        if left is None or right is None:
            return None
        holds = _OPERATORS[self.sign](left, right)
        return None if doubt is not None and doubt(self, holds) else holds

    def names(self) -> list[Name]:
        """Return the names of numbers, in order."""
        names = [term for term in (self.left, self.right) if isinstance(term, Name)]
        return [name for name in names if not name.is_verdict]


@dataclass(frozen=True)
class Joined:
    """Conditions joined by ``and`` or ``or``, or the opposite of one by ``not``."""

    word: str
    parts: "tuple[Condition, ...]"

    def holds(self, lookup: Lookup, doubt: Doubt | None = None) -> bool | None:
        """Join all parts: a wrong name is refused even where another part decides."""
        values = [part.holds(lookup, doubt) for part in self.parts]
        if self.word == "not":
            return None if values[0] is None else not values[0]
        decisive = self.word == "or"
        if decisive in values:
            return decisive
        return None if None in values else not decisive

    def names(self) -> list[Name]:
        """Return the names of numbers in all parts."""
        return [name for part in self.parts for name in part.names()]


Condition = Comparison | Joined


class Token(NamedTuple):
    """Word of a condition, and its column, counted from 1."""

    kind: str
    text: str
    column: int

    @property
    def quoted(self) -> str:
        """The word as in a message."""
        return "nothing" if self.kind == "end" else repr(_cut(self.text))


def parse(text: str) -> Condition:
    """Read a condition, or raise an error that names what is wrong and where.

    Parameters
    ----------
    text
        Such as ``P(better) > 0.9 and not hdi.low < 0``.

    Examples
    --------
    >>> parse("0.9 < items").sign
    '<'
    >>> parse("P(better) > 0.9 and")
    Traceback (most recent call last):
    likelier.errors.SettingError: A condition must read like 'P(better) > 0.9'; a
    name or a number is missing and there is nothing at column 20.
    """
    return _Parser(tokens(text)).condition()


def tokens(condition: str) -> list[Token]:
    """Cut a condition into tokens, the last of which is its end.

    Examples
    --------
    >>> [(token.kind, token.column) for token in tokens("hdi.low > 1 %")]
    [('name', 1), ('operator', 9), ('number', 11), ('percent', 13), ('end', 14)]
    """
    length = len(condition)
    if length > MOST_CHARACTERS:
        message = (
            f"A condition must have at most {MOST_CHARACTERS:,} characters; got "
            f"{length:,}."
        )
        raise SettingError(message)
    words, start = [], 0
    while start < length:
        match = _TOKEN.match(condition, start)
        if match is None:
            raise _no_token(condition[start:], start + 1)
        kind, text = str(match.lastgroup), match.group()
        if kind != "blank":
            keyword = text in ("and", "or", "not")
            words.append(Token(text if keyword else kind, text, start + 1))
        start = match.end()
    return [*words, Token("end", "", length + 1)]


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


def _no_token(rest: str, column: int) -> SettingError:
    """Return the error for what begins no token."""
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
    """Return the error for a condition that is wrong at a column."""
    example = "'P(better) > 0.9'"
    message = f"A condition must read like {example}; {wrong} at column {column}."
    return SettingError(message, hint=hint)


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST_WORD else f"{text[:_LONGEST_WORD]}…"


class _Operand(NamedTuple):
    """Side of a comparison, and the token where it begins."""

    term: Term
    token: Token

    @property
    def is_verdict(self) -> bool:
        return isinstance(self.term, Name) and self.term.is_verdict


class _Parser:
    """Parser by recursive descent, with one token of look-ahead."""

    def __init__(self, words: list[Token]) -> None:
        self._rest = iter(words)
        self._next = next(self._rest)
        self._depth = 0

    def condition(self) -> Condition:
        condition = self._any()
        self._expect("'and' or 'or'", "end")
        return condition

    def _any(self) -> Condition:
        return self._joined("or", lambda: self._joined("and", self._one))

    def _joined(self, word: str, read: Callable[[], Condition]) -> Condition:
        parts = [read()]
        while self._skip(word):
            parts.append(read())
        return parts[0] if len(parts) == 1 else Joined(word, tuple(parts))

    def _one(self) -> Condition:
        token = self._next
        if token.kind not in ("not", "open"):
            return self._comparison()
        self._depth += 1
        if self._depth > DEEPEST:
            message = (
                f"A condition must nest at most {DEEPEST} deep; got more at column "
                f"{token.column}."
            )
            raise SettingError(message)
        if self._skip("not"):
            condition: Condition = Joined("not", (self._one(),))
        else:
            self._skip("open")
            condition = self._any()
            hint = f"Close the bracket of column {token.column}."
            self._expect("')'", "close", hint=hint)
        self._depth -= 1
        return condition

    def _comparison(self) -> Condition:
        left = self._operand()
        sign = self._expect("< <= > >= == or !=", "operator").text
        right = self._operand()
        if self._next.kind == "operator":
            wrong = f"only two things can be compared, and {self._next.quoted} follows"
            hint = "Join comparisons by 'and': 0.1 < p and p < 0.9"
            raise _unreadable(wrong, self._next.column, hint=hint)
        _check(left, sign, right)
        return Comparison(left.term, sign, right.term)

    def _operand(self) -> _Operand:
        what = "a name or a number"
        token = self._expect(what, "number", "chance", "name", "text")
        if token.kind == "text":
            return _Operand(token.text[1:-1], token)
        if token.kind == "number":
            share = 100 if self._skip("percent") else 1
            return _Operand(float(token.text) / share, token)
        return _Operand(_name(token), token)

    def _skip(self, kind: str) -> bool:
        """Go past a token if it is of a kind."""
        if self._next.kind != kind:
            return False
        self._next = next(self._rest, self._next)
        return True

    def _expect(self, what: str, *kinds: str, hint: str | None = None) -> Token:
        """Go past a token that must be of one of some kinds, and return it."""
        token = self._next
        if token.kind not in kinds:
            wrong = f"{what} is missing and there is {token.quoted}"
            raise _unreadable(wrong, token.column, hint=hint)
        self._skip(token.kind)
        return token


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


def _check(left: _Operand, sign: str, right: _Operand) -> None:
    """Check that it makes sense to compare two operands."""
    sides = ((left, right), (right, left))
    for named, other in sides:
        if named.is_verdict or isinstance(other.term, str):
            _check_verdict(named, sign, other)
            return
    if isinstance(left.term, float) and isinstance(right.term, float):
        wrong = "two numbers say nothing of the result"
        raise _unreadable(wrong, left.token.column)
    for named, other in sides:
        _check_share(named, other)


def _check_verdict(named: _Operand, sign: str, other: _Operand) -> None:
    """Check that the verdict is compared with one that there is."""
    hint = "Write verdict == 'better', with quotation marks."
    if not named.is_verdict:
        wrong = "only the verdict can be compared with a text"
        raise _unreadable(wrong, other.token.column, hint=hint)
    if sign not in ("==", "!="):
        wrong = f"the verdict can be compared by == and != only, not by {sign}"
        raise _unreadable(wrong, named.token.column, hint=hint)
    if other.term not in NAMES.values():
        every = ", ".join(f"'{name}'" for name in NAMES.values())
        wrong = f"{other.token.quoted} is no verdict"
        raise _unreadable(wrong, other.token.column, hint=f"Verdicts are {every}.")


def _check_share(named: _Operand, other: _Operand) -> None:
    """Check that a probability is compared with one: else a per cent is missing."""
    chance = named.token.kind == "chance" or named.token.text == "p"
    if chance and isinstance(other.term, float) and not 0 <= other.term <= 1:
        number = other.token
        wrong = f"{named.token.quoted} is a probability, and {number.quoted} is none"
        hint = f"Write {number.text} %, or a number between 0 and 1."
        raise _unreadable(wrong, number.column, hint=hint)
