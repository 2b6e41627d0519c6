"""The items of a table on which two systems differ, as a metric sees them."""

import numpy as np

from likelier._typing import IntArray
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
    right = _right(items, metric, positive)[differ]
    counts, order = items.counts[differ], _order(items, differ)
    first_right = total(counts[right == 1])
    listed, rest = order[:most], order[most:]
    return Changes(
        systems=(first, second),
        unit=table.unit,
        gold=items.has_gold,
        scores=items.kind == "scores",
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


def _right(items: DifferingItems, metric: Metric, positive: str | None) -> IntArray:
    """Return which system is right, as an index into `_SIDES`."""
    right = items.right(positive)
    if right is None:
        gains = metric.oriented(items.cells[:, 1] - items.cells[:, 0])
        return np.where(gains > 0, 2, 1)
    return np.select([right[:, 0], right[:, 1]], [1, 2], 0)


def _order(items: DifferingItems, rows: IntArray) -> IntArray:
    """Sort rows by count, or scores by difference; ties keep their order."""
    cells, counts = items.cells[rows], items.counts[rows]
    if items.kind == "scores":
        return np.lexsort([-counts, -np.abs(cells[:, 1] - cells[:, 0])])
    return np.argsort(-counts, kind="stable")


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
