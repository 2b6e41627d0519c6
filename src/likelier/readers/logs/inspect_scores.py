"""Scores of Inspect: numbers, letters, words and named parts, as columns of numbers."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from likelier._typing import FloatArray

_LETTERS = {"C": 1.0, "P": 0.5, "I": 0.0, "N": 0.0}
_WORDS = {"yes": 1.0, "true": 1.0, "no": 0.0, "false": 0.0}


@dataclass(frozen=True)
class Columns:
    """Numbers per row of each metric, and metrics that are none, with the reason."""

    scores: dict[str, FloatArray] = field(default_factory=dict)
    unusable: dict[str, str] = field(default_factory=dict)


def score_columns(rows: Sequence[Mapping[str, Any]]) -> Columns:
    """Return one column for each scorer, or for each part that it names.

    Parameters
    ----------
    rows
        Value of each scorer for every row: NaN or None is no value.

    Examples
    --------
    >>> score_columns([{"a": "C", "b": {"ok": True}}, {"a": "P"}]).scores
    {'a': array([1. , 0.5]), 'b.ok': array([ 1., nan])}
    """
    values = dict[str, list[Any]]()
    for row, scores in enumerate(rows):
        for name, value in _parts(scores):
            values.setdefault(name, [None] * len(rows))[row] = value
    columns = Columns()
    for name, column in values.items():
        reason = next(filter(None, map(_why_no_number, column)), None)
        if reason is not None:
            columns.unusable[name] = reason
        else:
            columns.scores[name] = np.array([_number(v) for v in column], dtype=float)
    return _without_empty(columns)


def _parts(scores: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    for scorer, value in scores.items():
        if isinstance(value, dict):
            for part, number in value.items():
                yield f"{scorer}.{part}", number
        else:
            yield scorer, value


def _without_empty(columns: Columns) -> Columns:
    """Leave out scorers with parts whose own value is only ever NaN: not scored."""
    names = [*columns.scores, *columns.unusable]
    whole = {
        name: column
        for name, column in columns.scores.items()
        if not np.isnan(column).all()
        or not any(other.startswith(f"{name}.") for other in names)
    }
    return Columns(whole, columns.unusable)


def _why_no_number(value: Any) -> str | None:
    if isinstance(value, list):
        return "its values are lists"
    if isinstance(value, dict):
        return "its values have parts within parts"
    try:
        _number(value)
    except (ValueError, OverflowError):
        return f"its values are not numbers, such as {str(value)[:20]!r}"
    return None


def _number(value: Any) -> float:
    """Return a value as Inspect itself counts it; texts that it takes for 0 raise."""
    if value is None:
        return math.nan
    if isinstance(value, str):
        if value in _LETTERS:
            return _LETTERS[value]
        word = value.lower()
        return _WORDS[word] if word in _WORDS else float(word)
    return float(value)
