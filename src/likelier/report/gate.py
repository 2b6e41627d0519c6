"""Conditions on results, for continuous integration: a small language, no eval.

::

    condition  := clause (("and" | "or") clause)*
    clause     := name comparison number
    name       := P(better) | P(worse) | P(equivalent) | any dotted key of the JSON
    comparison := < | <= | > | >= | == | !=
"""

import operator
import re
from collections.abc import Callable
from math import nan
from typing import Any

from likelier.decision import OPEN
from likelier.errors import SettingError, listed

HOLDS, FAILS, UNCLEAR = 0, 1, 3
_SHOWN = 80

_OPERATORS: dict[str, Callable[[float, float], bool]] = {
    "<=": operator.le,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    ">": operator.gt,
}
_NUMBER = r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?"
_CLAUSE = re.compile(
    rf"\s*(?P<name>P\(\w+\)|[A-Za-z_][\w.]*)\s*(?P<op><=|>=|==|!=|<|>)\s*"
    rf"(?P<number>{_NUMBER})(?:\s*(?P<percent>%))?\s*"
)
_SHORT = {
    "P(better)": "probability.better",
    "P(worse)": "probability.worse",
    "P(equivalent)": "probability.equivalent",
    "P(best)": "best.probability",
    "p": "p_value",
    "hdi.low": "difference.interval.low",
    "hdi.high": "difference.interval.high",
    "bf01": "bayes_factor.bf01",
}


def gate(condition: str, document: dict[str, Any]) -> int:
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

    Examples
    --------
    >>> result = {"probability": {"better": 0.95}, "verdict": {"name": "better"}}
    >>> gate("P(better) > 0.9", result), gate("P(better) > 0.99", result)
    (0, 1)
    """
    if _holds(condition, document):
        return HOLDS
    verdict = document.get("verdict", {}).get("name")
    return UNCLEAR if verdict in OPEN else FAILS


def _holds(condition: str, document: dict[str, Any]) -> bool:
    # All clauses are read, so that a wrong one is refused even where another decides.
    alternatives = [
        [_clause(clause, document) for clause in re.split(r"\band\b", alternative)]
        for alternative in re.split(r"\bor\b", condition)
    ]
    return any(all(clauses) for clauses in alternatives)


def _clause(text: str, document: dict[str, Any]) -> bool:
    clause = _CLAUSE.fullmatch(text)
    if clause is None:
        shown = text.strip()[:_SHOWN]
        message = f"A condition must read like 'P(better) > 0.9'; got {shown!r}."
        hint = "Join conditions by 'and' or 'or'; compare a name with a number."
        raise SettingError(message, hint=hint)
    limit = float(clause["number"]) / (100 if clause["percent"] else 1)
    return _OPERATORS[clause["op"]](_value(clause["name"], document), limit)


def _value(name: str, document: dict[str, Any]) -> float:
    if name == "P(equivalent)" and document.get("rope", ()) is None:
        message = "P(equivalent) must have a rope to speak of; none was given."
        raise SettingError(message, hint="Give one: --rope 0.01")
    value = _found(name, document)
    if value is None and _absent(name, document):
        return nan  # what is not there meets no condition
    if value is None:
        shown = name[:_SHOWN]
        message = f"A condition must name a number of the result; got {shown!r}."
        names = (*_SHORT, "difference.value", "difference.mean", "needed.items")
        known = [key for key in names if _found(key, document) is not None]
        hint = f"Names are {listed(known, most=12)}." if known else "See the JSON."
        raise SettingError(message, hint=hint)
    return value


def _absent(name: str, document: dict[str, Any]) -> bool:
    """Tell whether a result of this kind has the number, but not this one."""
    head = _SHORT.get(name, name).split(".")[0]
    return head in ("needed", "outlook") and document.get(head, 0) is None


def _found(name: str, document: dict[str, Any]) -> float | None:
    value: Any = document
    for key in _SHORT.get(name, name).split("."):
        value = value.get(key) if isinstance(value, dict) else None
    number = isinstance(value, int | float) and not isinstance(value, bool)
    return float(value) if number else None
