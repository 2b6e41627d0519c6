"""Conditions held against results: they hold, do not, or the evidence is too little."""

import operator
from collections.abc import Callable, Iterable
from typing import Any

from likelier.decision import OPEN
from likelier.report.gate.looking import known_verdict, value_of, verdict_of
from likelier.report.gate.parsing import parsed
from likelier.report.gate.tree import (
    Compared,
    Condition,
    Joined,
    Name,
    Not,
    Term,
    VerdictIs,
)

HOLDS, FAILS, UNCLEAR = 0, 1, 3

_OPERATORS: dict[str, Callable[[float, float], bool]] = {
    "<=": operator.le,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    ">": operator.gt,
}


def gate(condition: str | Condition, document: dict[str, Any]) -> int:
    """Decide whether a condition holds for the JSON of a result.

    Parameters
    ----------
    condition
        Such as ``P(better) > 0.9 and difference.mean > 0``.
    document
        The JSON of one result.

    Returns
    -------
    int
        0: it holds; 1: it does not; 3: it does not, but the evidence decides neither
        way.

    Notes
    -----
    Only what is asked and the verdict count, not how it is written: conditions that
    say the same give the same. A number that is not there meets no comparison, nor
    does it meet the opposite of one (Kleene's logic of three values).

    Examples
    --------
    >>> result = {"probability": {"better": 0.95}, "verdict": {"name": "better"}}
    >>> gate("P(better) > 0.9", result), gate("P(better) > 0.99", result)
    (0, 1)
    """
    tree = parsed(condition) if isinstance(condition, str) else condition
    if _holds(tree, document):
        return HOLDS
    return UNCLEAR if verdict_of(document) in OPEN else FAILS


def worst(codes: Iterable[int]) -> int:
    """Give the code of several results: all must hold, and a failure outweighs doubt.

    Examples
    --------
    >>> worst([0, 3]), worst([3, 1]), worst([])
    (3, 1, 0)
    """
    found = set(codes)
    return next((code for code in (FAILS, UNCLEAR) if code in found), HOLDS)


def _holds(tree: Condition, document: dict[str, Any]) -> bool | None:
    """Give True, False, or None where it cannot be known.

    All parts are looked up, so that a wrong name is refused even where another part
    decides.
    """
    if isinstance(tree, Compared):
        return _compares(tree, document)
    if isinstance(tree, VerdictIs):
        return (known_verdict(document) == tree.verdict) == tree.wanted
    if isinstance(tree, Not):
        inside = _holds(tree.part, document)
        return None if inside is None else not inside
    return _joined(tree, [_holds(part, document) for part in tree.parts])


def _joined(tree: Joined, parts: list[bool | None]) -> bool | None:
    decides = tree.how == "or"
    if decides in parts:
        return decides
    return None if None in parts else not decides


def _compares(tree: Compared, document: dict[str, Any]) -> bool | None:
    left, right = (_value(term, document) for term in (tree.left, tree.right))
    if left is None or right is None:
        return None
    return _OPERATORS[tree.operator](left, right)


def _value(term: Term, document: dict[str, Any]) -> float | None:
    return value_of(term, document) if isinstance(term, Name) else term
