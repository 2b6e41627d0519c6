"""Fields within fields, by dotted names."""

from typing import Any

# Longer numbers are no places in a list.
_DIGITS = 9


def dotted(record: Any, name: str) -> Any:
    """Return the value of a dotted field, such as ``doc.passage``; None without it.

    A field of that very name comes first; elements of lists have numbers, from 0.

    Examples
    --------
    >>> dotted({"doc": {"passage": 7}, "a.b": 1}, "doc.passage")
    7
    >>> dotted({"doc": [{"id": 1}]}, "doc.0.id")
    1
    """
    if isinstance(record, dict) and name in record:
        return record[name]
    first, _, rest = name.partition(".")
    if isinstance(record, dict):
        value = record.get(first)
    elif isinstance(record, list) and _is_place(first, record):
        value = record[int(first)]
    else:
        return None
    return dotted(value, rest) if rest else value


def _is_place(text: str, values: list[Any]) -> bool:
    digits = text.isascii() and text.isdigit() and len(text) <= _DIGITS
    return digits and int(text) < len(values)
