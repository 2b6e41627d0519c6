"""Rows of logs that have one record for each value: k-th values are the k-th repeat."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from likelier._typing import FloatArray
from likelier.readers.logs.json_records import numbers


def sort_scores(
    columns: Mapping[str, Sequence[Any]], where: Callable[[int], str]
) -> tuple[dict[str, FloatArray], dict[str, str]]:
    """Split metrics into those with numbers, and others with the reason."""
    scores: dict[str, FloatArray] = {}
    unusable: dict[str, str] = {}
    for metric, values in columns.items():
        kinds = {type(value).__name__ for value in values if value is not None}
        if kinds <= {"int", "float", "bool"}:
            scores[metric] = numbers(values, where)
        else:
            names = ", ".join(sorted(kinds))
            unusable[metric] = f"its values are not single numbers but {names}"
    return scores, unusable


@dataclass
class RepeatedRows:
    """Rows by item and repeat, while records are read.

    Attributes
    ----------
    items, repeats
        Item and number of the repeat of each row; repeats count from 1.
    records
        Number of the first record of each row.
    columns
        Values by metric, then by row.
    reasons
        Why rows lack values.
    """

    items: list[str] = field(default_factory=list)
    repeats: list[int] = field(default_factory=list)
    records: list[int] = field(default_factory=list)
    columns: dict[str, dict[int, Any]] = field(default_factory=dict)
    reasons: dict[int, str] = field(default_factory=dict)
    _rows: dict[tuple[str, int], int] = field(default_factory=dict)
    _counts: Counter[tuple[str, str]] = field(default_factory=Counter)

    def row(self, item: str, repeat: int, record: int) -> int:
        """Return the row of an item and repeat; a new one where there is none."""
        row = self._rows.setdefault((item, repeat), len(self.items))
        if row == len(self.items):
            self.items.append(item)
            self.repeats.append(repeat)
            self.records.append(record)
        return row

    def add(self, item: str, values: Mapping[str, Any], record: int) -> int:
        """Add a row of its own, whatever metrics it has; return it."""
        self._counts[item, ""] += 1
        row = self.row(item, self._counts[item, ""], record)
        for metric, value in values.items():
            self.columns.setdefault(metric, {})[row] = value
        return row

    def put(self, item: str, metric: str, value: Any, record: int) -> int:
        """Add a value; return its row."""
        self._counts[item, metric] += 1
        row = self.row(item, self._counts[item, metric], record)
        self.columns.setdefault(metric, {})[row] = value
        return row

    def whole_columns(self) -> dict[str, list[Any]]:
        """Return the values of each metric for all rows; None where there is none."""
        rows = range(len(self.items))
        return {
            metric: [column.get(row) for row in rows]
            for metric, column in self.columns.items()
        }

    def errors(self) -> dict[int, str]:
        """Return the rows without any value, with the reason."""
        return {
            row: self.reasons.get(row, "the log has no score for it")
            for row in range(len(self.items))
            if all(column.get(row) is None for column in self.columns.values())
        }

    @property
    def known_repeats(self) -> list[int] | None:
        """Repeats; None where each item has one row."""
        return self.repeats if any(repeat > 1 for repeat in self.repeats) else None
