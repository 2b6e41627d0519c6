"""Names of a condition looked up in the JSON of a result."""

from collections.abc import Iterator
from difflib import get_close_matches
from math import inf, isnan
from typing import Any

from likelier.errors import SettingError, listed
from likelier.report.gate.terms import CHANCES, SHORT, path_of
from likelier.report.gate.tree import Name

_SHOWN = 80
_MOST_KEYS = 500
# What names an entry of a list.
_TITLES = ("system", "name", "class")
# There is nothing to know here for some results: one data set, two folds, no prior.
_MAY_LACK = ("needed", "outlook", "difference", "friedman", "bayes_factor")
_USUAL = (
    *(f"P({word})" for word in CHANCES),
    *SHORT,
    *("difference", "difference.mean", "value", "interval.low", "needed.items"),
)


def value_of(name: Name, document: dict[str, Any]) -> float | None:
    """Look up a number; None where there is none to be known.

    Parameters
    ----------
    name
        The name.
    document
        The JSON of one result.

    Examples
    --------
    >>> result = {"estimates": [{"system": "new", "value": 0.9}]}
    >>> value_of(Name("", path_of("estimates.new.value"), 1), result)
    0.9
    """
    _check_rope(name, document)
    found = _number(_entry(name.path, document))
    if found is not None:
        return None if isinstance(found, float) and isnan(found) else found
    if name.path == ("bayes_factor", "bf01"):
        found = _beyond(document)
    if found is None and not _lacks(name.path, document):
        raise _unknown(name, document)
    return found


def verdict_of(document: dict[str, Any]) -> str | None:
    """Look up the verdict, where there is one."""
    found = _entry(("verdict", "name"), document)
    return found if isinstance(found, str) else None


def known_verdict(document: dict[str, Any]) -> str:
    """Look up the verdict, which must be there."""
    found = verdict_of(document)
    if found is None:
        message = "A condition must ask for a verdict where there is one; here is none."
        raise SettingError(message, hint=_known(document))
    return found


def _entry(path: tuple[str | int, ...], document: Any) -> Any:
    """Follow keys, positions and titles; None where they lead nowhere."""
    found = document
    if path[0] == "findings":
        return _findings(path[1:], document)
    for key in path:
        if isinstance(found, dict):
            found = found.get(str(key))
        elif isinstance(found, list):
            found = _of_list(key, found)
        else:
            return None
    return found


def _of_list(key: str | int, entries: list[Any]) -> Any:
    if isinstance(key, int):
        return entries[key] if key < len(entries) else None
    titled = [e for e in entries if isinstance(e, dict) and key in _titles(e)]
    return titled[0] if len(titled) == 1 else None


def _titles(entry: dict[str, Any]) -> list[Any]:
    return [entry[title] for title in _TITLES if title in entry]


def _findings(path: tuple[str | int, ...], document: dict[str, Any]) -> int | None:
    """Count the findings, or those of a severity."""
    found = document.get("findings")
    if not isinstance(found, list) or path not in ((), ("problem",), ("note",)):
        return None
    return sum(not path or finding.get("severity") == path[0] for finding in found)


def _number(found: Any) -> float | None:
    """Take a number, or the value of what has one; True and False are none."""
    value = found.get("value") if isinstance(found, dict) else found
    number = isinstance(value, int | float) and not isinstance(value, bool)
    # Not as a float: whole numbers may be too large for one, and compare as well.
    return value if number else None


def _beyond(document: dict[str, Any]) -> float | None:
    """Take a factor that is too large or too small for a number as such."""
    power = _number(_entry(("bayes_factor", "log10"), document))
    if power is None:
        return None
    return inf if power > 0 else 0.0


def _lacks(path: tuple[str | int, ...], document: dict[str, Any]) -> bool:
    """Tell whether results of this kind have the number, but not this one."""
    if path[0] not in _MAY_LACK or path[0] not in document or len(path) != 2:
        return False
    whole = document[path[0]]
    return whole is None or (isinstance(whole, dict) and path[1] in whole)


def _check_rope(name: Name, document: dict[str, Any]) -> None:
    asked = name.path == ("probability", "equivalent") or name.path[0] == "rope"
    if name.path[0] == "bayes_factor":  # a factor of the point 0 needs none
        asked = document.get("bayes_factor", ()) is None
    if asked and document.get("rope", ()) is None:
        message = f"{name.text} must have a rope to speak of; none was given."
        raise SettingError(message, hint="Give one: --rope 0.01")


def _unknown(name: Name, document: dict[str, Any]) -> SettingError:
    message = (
        "A condition must name a number of the result; got "
        f"{name.text[:_SHOWN]!r} at column {name.column}."
    )
    return SettingError(message, hint=_known(document, near=name.text))


def _known(document: dict[str, Any], *, near: str = "") -> str:
    names = [n for n in _USUAL if _number(_entry(_path(n), document)) is not None]
    close = get_close_matches(
        near[:_SHOWN], {*names, *_keys(document)}, n=1, cutoff=0.8
    )
    meant = f"Did you mean {close[0]}? " if close else ""
    told = f"Names are {listed(names, most=12)}." if names else "See the JSON."
    return f"{meant}{told}"


def _path(name: str) -> tuple[str | int, ...]:
    chance = CHANCES.get(name[2:-1]) if name.startswith("P(") else None
    return path_of(chance or SHORT.get(name, name))


def _keys(document: dict[str, Any]) -> Iterator[str]:
    """Give the dotted keys of some numbers."""
    left = [("", document)]
    for _ in range(_MOST_KEYS):
        if not left:
            return
        before, found = left.pop()
        for key, value in found.items():
            if isinstance(value, dict):
                left.append((f"{before}{key}.", value))
            elif _number(value) is not None:
                yield f"{before}{key}"
