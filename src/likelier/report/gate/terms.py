"""The terms of a comparison: numbers, names of the JSON, and the verdict."""

import re
from dataclasses import dataclass
from difflib import get_close_matches

from likelier.decision import NAMES
from likelier.errors import SettingError
from likelier.report.gate.tokens import Token, unreadable
from likelier.report.gate.tree import Compared, Condition, Name, VerdictIs

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
_KEYS = re.compile(r"\"([^\"]*)\"|'([^']*)'|([^.]+)")
_VERDICT = ("verdict", "verdict.name")


@dataclass(frozen=True)
class Read:
    """A term, or a text, and the token where it began."""

    what: Name | float | str
    token: Token


def number_of(token: Token, *, percent: bool) -> float:
    """Read a number; what is too large for one is infinite."""
    value = float(token.text)
    return value / 100 if percent else value


def name_of(token: Token) -> Name:
    """Read a name: a short one, or keys with dots between them."""
    if token.kind == "name":
        return Name(
            token.text, path_of(SHORT.get(token.text, token.text)), token.column
        )
    word = token.text[2:-1].strip()
    if word not in CHANCES:
        known = ", ".join(f"P({name})" for name in CHANCES)
        close = get_close_matches(word, CHANCES, n=1)
        hint = f"Did you mean P({close[0]})?" if close else f"There are {known}."
        wrong = f"{token.shown} is unknown"
        raise unreadable(wrong, token.column, hint=hint)
    return Name(f"P({word})", path_of(CHANCES[word]), token.column)


def path_of(text: str) -> tuple[str | int, ...]:
    """Split a name into its keys; bare digits are a position, from 0.

    Examples
    --------
    >>> path_of("estimates.1.value"), path_of("estimates.'1.b'.value")
    (('estimates', 1, 'value'), ('estimates', '1.b', 'value'))
    """
    keys: list[str | int] = []
    for found in _KEYS.finditer(text):
        bare = found[3]
        if bare is None:
            keys.append(found[1] if found[1] is not None else found[2])
        else:
            keys.append(int(bare) if bare.isdigit() else bare)
    return tuple(keys)


def compared(left: Read, operator: str, right: Read) -> Condition:
    """Put two terms together, where that makes sense."""
    if _is_verdict(left) or isinstance(right.what, str):
        return _verdict(left, operator, right)
    if _is_verdict(right) or isinstance(left.what, str):
        return _verdict(right, operator, left)
    if isinstance(left.what, float) and isinstance(right.what, float):
        wrong = "two numbers say nothing of the result"
        raise unreadable(wrong, left.token.column)
    assert not isinstance(left.what, str)
    assert not isinstance(right.what, str)
    _check_share(left, right)
    _check_share(right, left)
    return Compared(left.what, operator, right.what)


def _check_share(named: Read, number: Read) -> None:
    """Refuse to compare a probability with what can be none: a per cent is missing."""
    chance = named.token.kind == "chance" or named.token.text == "p"
    if chance and isinstance(number.what, float) and not 0 <= number.what <= 1:
        wrong = (
            f"{named.token.shown} is a probability, and {number.token.shown} is none"
        )
        hint = f"Write {number.token.text} %, or a number between 0 and 1."
        raise unreadable(wrong, number.token.column, hint=hint)


def _is_verdict(read: Read) -> bool:
    return isinstance(read.what, Name) and read.what.text in _VERDICT


def _verdict(named: Read, operator: str, wanted: Read) -> VerdictIs:
    hint = "Write verdict == 'better', with quotation marks."
    if not _is_verdict(named):
        wrong = "only the verdict can be compared with a text"
        raise unreadable(wrong, wanted.token.column, hint=hint)
    if operator not in ("==", "!="):
        wrong = f"the verdict can be compared by == and != only, not by {operator}"
        raise unreadable(wrong, named.token.column, hint=hint)
    if wanted.what not in NAMES.values():
        raise _no_verdict(wanted)
    return VerdictIs(str(wanted.what), operator == "==")


def _no_verdict(wanted: Read) -> SettingError:
    known = ", ".join(f"'{name}'" for name in NAMES.values())
    wrong = f"{wanted.token.shown} is no verdict"
    return unreadable(wrong, wanted.token.column, hint=f"Verdicts are {known}.")
