"""Distinct rows of tables with their counts; labels as rows of statistics."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from likelier._typing import FloatArray, IntArray

LABEL_STATISTICS = ("tp", "fp", "fn", "correct")

# Tables of so few columns are sorted column by column.
_NARROW = 8
# A row that is written as one number must fit into an integer with its sign.
_KEY_BITS = 62
# OpenBLAS starts threads above so many steps; on narrow tables they cost far more
# than they save. So dense tables are multiplied in strips.
_STEPS = 2**18
# Numbers of a range that is at most so many times as long are counted, not sorted.
_COUNTED = 4


def distinct(table: NDArray[Any]) -> tuple[NDArray[Any], IntArray, IntArray]:
    """Find the distinct rows of a table, in sorted order.

    Returns
    -------
    tuple
        The distinct rows, the index of the first of each, and the distinct row of
        each row.
    """
    key = _integer_key(table)
    if key is not None and key.max() < _COUNTED * len(key):
        first, group = _counted(key)
    elif key is not None:
        _, first, group = np.unique(key, return_index=True, return_inverse=True)
    elif 0 < table.shape[1] <= _NARROW:
        first, group = _sorted_by_column(table)
    else:
        _, first, group = np.unique(
            table, axis=0, return_index=True, return_inverse=True
        )
    return table[first], first, group.reshape(-1)


def _counted(key: IntArray) -> tuple[IntArray, IntArray]:
    """Find the distinct numbers of a small range without sorting."""
    first = np.full(int(key.max()) + 1, -1)
    # Backwards, so that the first of each is what remains.
    first[key[::-1]] = np.arange(len(key) - 1, -1, -1)
    occurs = first >= 0
    return first[occurs], (np.cumsum(occurs) - 1)[key]


def _sorted_by_column(table: NDArray[Any]) -> tuple[IntArray, IntArray]:
    """Sort column by column, which is faster than row by row where there are few."""
    order = np.lexsort(table.T[::-1])
    rows = table[order]
    new = np.ones(len(rows), dtype=bool)
    new[1:] = (rows[1:] != rows[:-1]).any(axis=1)
    group = np.empty(len(rows), dtype=np.int64)
    group[order] = np.cumsum(new) - 1
    return order[new], group


def _integer_key(table: NDArray[Any]) -> IntArray | None:
    """Write each row as one number that sorts alike, where it fits; much faster."""
    if table.size == 0:
        return None
    # A column at a time: rows of a few numbers are slow to go through.
    columns = np.ascontiguousarray(table.T)
    if not _is_whole(columns):
        return None
    low = columns.min(axis=1).astype(np.int64)
    span = columns.max(axis=1).astype(np.int64) - low + 1
    if np.log2(span.astype(np.float64)).sum() >= _KEY_BITS:
        return None
    key = np.zeros(len(table), dtype=np.int64)
    for column, least, count in zip(columns, low, span, strict=True):
        key *= count
        key += column.astype(np.int64) - least
    return key


def _is_whole(table: NDArray[Any]) -> bool:
    if table.dtype.kind in "bui":
        return True
    return bool((np.abs(table) < 2**31).all() and (table == np.floor(table)).all())


def distinct_sparse(table: Any, group: IntArray) -> tuple[IntArray, IntArray]:
    """Find the distinct rows of a sparse table within groups, in sorted order.

    Returns
    -------
    tuple
        The index of the first of each distinct row, and the distinct row of each.
    """
    columns = table.tocsc()
    bits = np.log2(columns.max(axis=0).toarray().ravel() + 1.0)
    _, first, group = np.unique(group, return_index=True, return_inverse=True)
    used = np.flatnonzero(bits)
    while used.size:
        # As many columns at a time as fit into one number beside the group.
        room = _KEY_BITS - np.log2(len(first))
        width = max(1, int(np.searchsorted(np.cumsum(bits[used]), room)))
        some, used = columns[:, used[:width]], used[width:]
        span = some.max(axis=0).toarray().ravel().astype(np.int64) + 1
        factor = np.cumprod(np.append(span, 1)[::-1])[::-1]
        key = group * factor[0] + some @ factor[1:]
        _, first, group = np.unique(key, return_index=True, return_inverse=True)
    return first, group


def tally(group: IntArray, weights: FloatArray, n: int) -> FloatArray:
    """Add up the weights of each of n groups."""
    return np.bincount(group, weights=weights, minlength=n).astype(np.float64)


def total(counts: FloatArray) -> float:
    """Add up counts; the sum is an integer where it is whole."""
    return whole_numbers([float(counts.sum())])[0]


def whole_numbers(numbers: Sequence[float]) -> list[float]:
    """Return integers for numbers that are whole.

    Examples
    --------
    >>> whole_numbers([3.0, 0.5])
    [3, 0.5]
    """
    return [int(number) if number.is_integer() else number for number in numbers]


def weigh(weights: FloatArray, table: Any) -> FloatArray:
    """Add up patterns by their weights.

    Parameters
    ----------
    weights
        Weights (pattern,) or (draw, pattern).
    table
        What patterns add (column, pattern), sparse or dense.
    """
    if not isinstance(table, np.ndarray) or weights.ndim == 1:
        return np.asarray((table @ weights.T).T)
    strip = _STEPS // max(table.size, 1)
    sums = np.empty((*weights.shape[:-1], len(table)))
    for start in range(0, len(weights), strip):
        part = slice(start, start + strip)
        np.matmul(weights[part], table.T, out=sums[part])
    return sums


class CountedRows(NamedTuple):
    """Distinct rows with counts, within clusters where there are any.

    Attributes
    ----------
    rows
        The distinct rows, once for each cluster.
    counts
        How often each occurred.
    clusters
        The cluster of each, or None.
    group
        The distinct row of each row that was counted.
    """

    rows: NDArray[Any]
    counts: FloatArray
    clusters: IntArray | None
    group: IntArray


def count_rows(
    table: NDArray[Any], weights: FloatArray, clusters: IntArray | None
) -> CountedRows:
    """Count equal rows, within clusters where there are any."""
    keys = table if clusters is None else np.column_stack([table, clusters])
    rows, _, group = distinct(keys)
    counts = tally(group, weights, len(rows))
    if clusters is None:
        return CountedRows(rows, counts, None, group)
    return CountedRows(rows[:, :-1], counts, rows[:, -1].astype(np.int64), group)


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
    n_classes, n_statistics = len(kept), len(LABEL_STATISTICS)
    class_index = np.full(max(int(codes.max(initial=0)), *kept) + 1, -1)
    class_index[list(kept)] = np.arange(n_classes)
    gold = class_index[codes[:, 0]]
    rows, columns = [], []
    for system in range(width - 1):
        predicted = class_index[codes[:, 1 + system]]
        right = codes[:, 0] == codes[:, 1 + system]
        for statistic, holds, label in (
            (0, right & (gold >= 0), gold),
            (1, ~right & (predicted >= 0), predicted),
            (2, ~right & (gold >= 0), gold),
            (3, right, np.zeros_like(gold)),
        ):
            pattern = np.flatnonzero(holds)
            cell = system * n_classes + label[pattern]
            rows.append(pattern)
            columns.append(cell * n_statistics + statistic)
    where = np.concatenate(rows), np.concatenate(columns)
    shape = (n, (width - 1) * n_classes * n_statistics)
    return sparse.csr_array((np.ones(len(where[0])), where), shape=shape)
