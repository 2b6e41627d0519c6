"""From rows of codes to distinct patterns, and from labels to statistics."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

IntArray = NDArray[np.int64]
FloatArray = NDArray[np.float64]

_NARROW = 8
LABEL_STATISTICS = ("tp", "fp", "fn", "correct")


def distinct(table: NDArray[Any]) -> tuple[NDArray[Any], IntArray, IntArray]:
    """Find the distinct rows of a table, in sorted order.

    Returns
    -------
    tuple
        The distinct rows, where each first stands, and the distinct row of each row.
    """
    key = _integer_key(table)
    if key is None and 0 < table.shape[1] <= _NARROW:
        return _narrow_distinct(table)
    if key is None:
        _, first, group = np.unique(
            table, axis=0, return_index=True, return_inverse=True
        )
    else:
        _, first, group = np.unique(key, return_index=True, return_inverse=True)
    return table[first], first, group.reshape(-1)


def _narrow_distinct(
    table: NDArray[Any],
) -> tuple[NDArray[Any], IntArray, IntArray]:
    """Sort column by column, which is faster than row by row where there are few."""
    order = np.lexsort(table.T[::-1])
    rows = table[order]
    new = np.ones(len(rows), dtype=bool)
    new[1:] = (rows[1:] != rows[:-1]).any(axis=1)
    group = np.empty(len(rows), dtype=np.int64)
    group[order] = np.cumsum(new) - 1
    return rows[new], order[new], group


def _integer_key(table: NDArray[Any]) -> IntArray | None:
    """Write each row as one number that sorts alike, where it fits; much faster."""
    if table.size == 0 or not _is_whole(table):
        return None
    low = table.min(axis=0).astype(np.int64)
    span = table.max(axis=0).astype(np.int64) - low + 1
    if np.log2(span.astype(np.float64)).sum() >= 62:
        return None
    place = np.append(np.cumprod(span[:0:-1])[::-1], 1).astype(np.int64)
    return np.asarray((table.astype(np.int64) - low) @ place)


def _is_whole(table: NDArray[Any]) -> bool:
    if table.dtype.kind in "bui":
        return True
    return bool((np.abs(table) < 2**31).all() and (table == np.floor(table)).all())


def tally(group: IntArray, weights: FloatArray, n: int) -> FloatArray:
    """Add up the weights of each of n groups."""
    return np.bincount(group, weights=weights, minlength=n).astype(np.float64)


def label_rows(codes: IntArray, *, kept: Sequence[int]) -> Any:
    """Turn label codes (pattern, gold and systems) into rows of statistics.

    Parameters
    ----------
    codes
        The gold label first, then one label per system.
    kept
        The classes that get statistics, in order.

    Returns
    -------
    csr_array
        Rows (pattern, system x class x statistic), statistics as in
        `LABEL_STATISTICS`. An item that is right counts at the first class.
    """
    n, width = codes.shape
    n_systems, n_classes, n_statistics = width - 1, len(kept), len(LABEL_STATISTICS)
    position = np.full(max(int(codes.max(initial=0)), *kept) + 1, -1)
    position[list(kept)] = np.arange(n_classes)
    gold = codes[:, 0]
    pattern, column = [], []
    for system in range(n_systems):
        predicted = codes[:, 1 + system]
        right = gold == predicted
        first = np.zeros_like(gold)
        for statistic, holds, place in (
            (0, right & (position[gold] >= 0), position[gold]),
            (1, ~right & (position[predicted] >= 0), position[predicted]),
            (2, ~right & (position[gold] >= 0), position[gold]),
            (3, right, first),
        ):
            where = np.flatnonzero(holds)
            pattern.append(where)
            cell = system * n_classes + place[where]
            column.append(cell * n_statistics + statistic)
    rows, columns = np.concatenate(pattern), np.concatenate(column)
    shape = (n, n_systems * n_classes * n_statistics)
    return sparse.csr_array((np.ones(len(rows)), (rows, columns)), shape=shape)
