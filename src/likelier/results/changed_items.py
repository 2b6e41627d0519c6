"""The items of a table on which two systems differ, as a metric sees them."""

from dataclasses import replace

import numpy as np
from scipy import sparse

from likelier._typing import FloatArray, IntArray
from likelier.data.differing_items import DifferingItems
from likelier.data.item_examples import ItemText
from likelier.data.outcomes import Outcomes
from likelier.data.pattern_rows import total
from likelier.formatting import plain, plain_texts
from likelier.metrics.metric import Metric
from likelier.results.changes import ChangeRow, Changes, Side
from likelier.results.label_changes import label_changes

_SIDES: tuple[Side, ...] = ("neither", "first", "second")
_NO_TEXT = ItemText(None, None)


def changed_items(table: Outcomes, metric: Metric, most: int) -> Changes | None:
    """List the items on which the two systems of a table differ.

    Parameters
    ----------
    table
        The outcomes of two systems.
    metric
        Metric of the comparison, which knows whether greater scores are better.
    most
        Number of rows to list.

    Returns
    -------
    Changes or None
        None where the items of these systems are not recorded.
    """
    first, second = table.systems
    items = None if table.items is None else table.items.pair(first, second)
    if items is None:
        return None
    positive = table.classes[0] if table.one_vs_rest else None
    seen = items.seen(positive)
    differ = np.flatnonzero(seen[:, -1] != seen[:, -2])
    gains = _gains(items, table, metric)[differ] if items.is_numbers else None
    right = _right(items, positive)[differ] if gains is None else _better(gains)
    counts, order = items.counts[differ], _order(gains, items.counts[differ])
    first_right = total(counts[right == 1])
    listed, rest = order[:most], order[most:]
    return Changes(
        systems=(first, second),
        unit=table.unit,
        gold=items.has_gold,
        scores=items.is_numbers,
        rows=tuple(_row(items, int(differ[i]), _SIDES[right[i]]) for i in listed),
        total=table.n_items,
        items=total(counts),
        first_right=first_right,
        second_right=total(counts[right == 2]),
        unseen=total(np.delete(items.counts, differ)),
        left_out=(len(rest), total(counts[rest])),
        by_label=label_changes(items, differ, right, positive),
        unchanged_right=_both_right(table, first_right),
    )


def _both_right(table: Outcomes, first_right: float) -> float | None:
    """Count the items that both systems have right: the first does, not it alone."""
    if "correct" not in table.statistics:
        return None
    return total(table.sums()["correct"][0]) - first_right


def _right(items: DifferingItems, positive: str | None) -> IntArray:
    """Return which system is right, as an index into `_SIDES`."""
    right = items.right(positive)
    if right is None:
        return np.zeros(len(items.counts), dtype=np.int64)
    return np.select([right[:, 0], right[:, 1]], [1, 2], 0)


def _better(gains: FloatArray) -> IntArray:
    """Return which system is better, as an index into `_SIDES`."""
    return np.select([gains < 0, gains > 0], [1, 2], 0)


def _gains(items: DifferingItems, table: Outcomes, metric: Metric) -> FloatArray:
    """Return how far each row favours the second system."""
    rows = items.cells
    if not len(rows):
        return np.zeros(0)
    if items.kind == "scores" and metric.linear:
        return metric.oriented(rows[:, 1] - rows[:, 0])
    if items.kind == "statistics":
        rows = _numbers(items, table)[rows].reshape(len(rows), -1)
    if rows.shape[1] != table.rows.shape[1]:
        return np.zeros(len(rows))
    units = replace(
        table,
        rows=sparse.csr_array(rows),
        counts=np.ones(len(rows)),
        sizes=np.ones(len(rows)),
        strata=np.zeros(len(rows), dtype=np.int64),
        labels=None,
    )
    return metric.favour(metric.view(table), metric.view(units))


def _numbers(items: DifferingItems, table: Outcomes) -> FloatArray:
    """Return the numbers of each value, of one class where the table has but that."""
    numbers = np.array([number for _, number in items.values], dtype=np.float64)
    if not table.one_vs_rest or len(items.classes) < 2:
        return numbers
    by_class = numbers.reshape(len(numbers), len(items.classes), -1)
    return by_class[:, items.classes.index(table.classes[0])]


def _order(gains: FloatArray | None, counts: FloatArray) -> IntArray:
    """Sort rows by count, or numbers by how far they favour a system."""
    if gains is None:
        return np.argsort(-counts, kind="stable")
    return np.lexsort([-counts, -np.abs(gains)])


def _row(items: DifferingItems, row: int, right: Side) -> ChangeRow:
    texts = plain_texts([items.text(cell) for cell in items.cells[row]])
    return ChangeRow(
        gold=texts[0] if items.has_gold else None,
        first=texts[-2],
        second=texts[-1],
        right=right,
        count=total(items.counts[row : row + 1]),
        ids=plain_texts(items.examples(row)),
        texts=tuple(_plain_text(items.texts.get(key)) for key in items.examples(row)),
    )


def _plain_text(text: ItemText | None) -> ItemText:
    """Spell out control characters, as in all that comes from the data."""
    if text is None:
        return _NO_TEXT
    parts = (part and plain(part) for part in (text.text, text.group))
    return ItemText(next(parts), text.words, next(parts))
