"""The language of conditions: text to a tree; nothing is ever run as code.

::

    condition  := all ("or" all)*
    all        := one ("and" one)*
    one        := "not" one | "(" condition ")" | comparison
    comparison := term operator term | "verdict" ("==" | "!=") text
    operator   := "<" | "<=" | ">" | ">=" | "==" | "!="
    term       := number ["%"] | "P(" word ")" | name
    name       := key ("." (key | position | text))*
"""

from collections.abc import Iterator

from likelier.errors import SettingError
from likelier.report.gate.terms import Read, compared, name_of, number_of
from likelier.report.gate.tokens import Kind, Token, tokens, unreadable
from likelier.report.gate.tree import Condition, Joined, Not

DEEPEST = 50


def parsed(text: str) -> Condition:
    """Read a condition, or say what is wrong with it and where.

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
    return _Reader(iter(tokens(text))).whole()


class _Reader:
    """Goes through the tokens once, looking one ahead."""

    def __init__(self, rest: Iterator[Token]) -> None:
        self._rest = rest
        self._next = next(rest)
        self._depth = 0

    def whole(self) -> Condition:
        found = self._any()
        self._must_be("'and' or 'or'", "end")
        return found

    def _any(self) -> Condition:
        parts = [self._all()]
        while self._took("or"):
            parts.append(self._all())
        return parts[0] if len(parts) == 1 else Joined("or", tuple(parts))

    def _all(self) -> Condition:
        parts = [self._one()]
        while self._took("and"):
            parts.append(self._one())
        return parts[0] if len(parts) == 1 else Joined("and", tuple(parts))

    def _one(self) -> Condition:
        if self._next.kind not in ("not", "open"):
            return self._comparison()
        self._deeper()
        found = Not(self._one()) if self._took("not") else self._inside()
        self._depth -= 1
        return found

    def _deeper(self) -> None:
        self._depth += 1
        if self._depth > DEEPEST:
            message = (
                f"A condition must nest at most {DEEPEST} deep; got more at column "
                f"{self._next.column}."
            )
            raise SettingError(message)

    def _inside(self) -> Condition:
        opened = self._taken()
        found = self._any()
        hint = f"Close the bracket of column {opened.column}."
        self._must_be("')'", "close", hint=hint)
        return found

    def _comparison(self) -> Condition:
        left = self._term()
        operator = self._must_be("< <= > >= == or !=", "operator")
        right = self._term()
        if self._next.kind == "operator":
            wrong = f"only two things can be compared, and {self._next.shown} follows"
            hint = "Join comparisons by 'and': 0.1 < p and p < 0.9"
            raise unreadable(wrong, self._next.column, hint=hint)
        return compared(left, operator.text, right)

    def _term(self) -> Read:
        token = self._must_be("a name or a number", "number", "chance", "name", "text")
        if token.kind == "text":
            return Read(token.text[1:-1], token)
        if token.kind == "number":
            return Read(number_of(token, percent=self._took("percent")), token)
        return Read(name_of(token), token)

    def _taken(self) -> Token:
        token = self._next
        self._next = next(self._rest, token)
        return token

    def _took(self, kind: Kind) -> bool:
        if self._next.kind != kind:
            return False
        self._taken()
        return True

    def _must_be(self, what: str, *kinds: Kind, hint: str | None = None) -> Token:
        if self._next.kind not in kinds:
            wrong = f"{what} is missing and there is {self._next.shown}"
            raise unreadable(wrong, self._next.column, hint=hint)
        return self._taken()
