"""Which items differ, and examples of them: what becomes `Items`."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likelier.errors import InputError
from likelier.outcomes.items import (
    EXAMPLES,
    NAMED_ROWS,
    ItemKind,
    Items,
    least,
    shown_order,
)
from likelier.outcomes.patterns import distinct, tally

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]

# Gives some ids of each of the rows with these numbers.
Naming = Callable[[IntArray], Sequence[Sequence[str]]]
# One id per item, or examples of the items of each row.
Ids = Sequence[str] | Naming


def items_of(
    table: NDArray[Any],
    counts: FloatArray,
    index: IntArray,
    *,
    systems: Sequence[str],
    kind: ItemKind,
    values: Sequence[Any] = (),
    ids: Ids | None = None,
    called: Callable[[int], str] | None = None,
    unique: bool = True,
) -> Items | None:
    """Keep the rows on which systems differ, with examples of their items.

    Parameters
    ----------
    table
        Rows as in `Items.cells`.
    counts
        How many items each row has.
    index
        The row of each item; or, where `ids` names several, of each counted row.
    systems, kind, values
        As in `Items`.
    ids
        What items are called.
    called
        Without ids, what the item at a place, from 0, is called.
    unique
        Whether the rows are distinct; those of clusters are not.
    """
    if len(systems) < 2:
        return None
    said = table[:, 1:] if kind in ("labels", "sets") else table
    differ = np.flatnonzero((said != said[:, :1]).any(axis=1))
    rows, totals, place = table[differ], counts[differ], np.arange(len(differ))
    if not unique and len(rows):
        rows, _, place = distinct(rows)
        totals = tally(place, totals, len(rows))
    order = shown_order(kind, rows, totals)
    named = min(len(order), NAMED_ROWS)
    first = np.full(len(order), -1)
    first[order[:named]] = np.arange(named)
    rank = np.full(len(table), -1)
    rank[differ] = first[place]
    return Items(
        systems=tuple(systems),
        kind=kind,
        values=tuple(values),
        cells=rows[order],
        counts=totals[order],
        ids=_examples(rank[index], named, ids, called),
    )


def checked_ids(ids: Ids | None, n: int) -> Ids | None:
    """Refuse ids that are not one per item."""
    if ids is None or callable(ids):
        return ids
    if len(ids) != n:
        message = f"ids must name each of {n} items; got {len(ids)}."
        raise InputError(message)
    return ids


def _examples(
    rank: IntArray, n: int, ids: Ids | None, called: Callable[[int], str] | None
) -> tuple[tuple[str, ...], ...]:
    """Name some items of each of the first n rows, given the row of each item."""
    items = np.flatnonzero(rank >= 0)
    named: Sequence[Sequence[str]]
    if callable(ids):
        named = ids(items)
    elif ids is not None:
        named = [[str(ids[item])] for item in items.tolist()]
    elif called is not None:
        items = _first_of_each(items, rank, n)
        named = [[called(item)] for item in items.tolist()]
    else:
        return ()
    found: list[list[str]] = [[] for _ in range(n)]
    for row, some in zip(rank[items].tolist(), named, strict=True):
        found[row] += some
    return tuple(least(some) for some in found)


def _first_of_each(items: IntArray, rank: IntArray, n: int) -> IntArray:
    """Keep the first items of each row."""
    # Ranks fit into 16 bits, which numpy sorts by their digits, fast.
    by_row = items[np.argsort(rank[items].astype(np.uint16), kind="stable")]
    sizes = np.bincount(rank[items], minlength=n)
    place = np.arange(len(by_row)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    return np.asarray(by_row[place < EXAMPLES])
