"""Distinct rows of tables with their counts; labels as rows of statistics."""

from collections.abc import Sequence
from math import log2, prod
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from likelier._typing import FloatArray, IntArray

LABEL_STATISTICS = ("tp", "fp", "fn", "correct")

# Tables of so few columns are sorted column by column.
_NARROW = 8
# Numbers of so small a range are counted, not sorted; so many at a time that they
# stay in the processor's cache. The first of them tell most tables that are no rising.
_SMALL_RANGE, _STRETCH, _PREFIX = 2**16, 2**16, 100
# A row that is written as one number must fit into an integer with its sign.
_KEY_BITS = 62
# OpenBLAS starts threads above so many steps; on narrow tables they cost far more
# than they save. So dense tables are multiplied in strips.
_STEPS = 2**18


def distinct(table: NDArray[Any]) -> tuple[NDArray[Any], IntArray, IntArray]:
    """Find the distinct rows of a table, in sorted order.

    Returns
    -------
    tuple
        The distinct rows, the index of the first of each, and the distinct row of
        each row.
    """
    first, group = first_of_each(table)
    return table[first], first, group


def first_of_each(table: NDArray[Any]) -> tuple[IntArray, IntArray]:
    """Find the first of each distinct row, in sorted order, and that of each row."""
    if rises(table[:_PREFIX]) and rises(table):
        return np.arange(len(table)), np.arange(len(table))
    key = _integer_key(table)
    if key is not None and int(key.max()) < max(_SMALL_RANGE, len(key) // 4):
        return _first_by_counting(key)
    if key is not None:
        _, first, group = np.unique(key, return_index=True, return_inverse=True)
    elif 0 < table.shape[1] <= _NARROW:
        return _sorted_by_column(table)
    else:
        _, first, group = np.unique(
            table, axis=0, return_index=True, return_inverse=True
        )
    return first, group.reshape(-1)


def distinct_numbers(values: NDArray[Any]) -> tuple[NDArray[Any], IntArray]:
    """Find the distinct whole numbers, in order, and the index of each value's.

    Examples
    --------
    >>> distinct_numbers(np.array([7, -1, 7]))
    (array([-1,  7]), array([1, 0, 1], dtype=uint8))
    """
    if values.dtype.kind == "b":
        values = values.view(np.uint8)
        numbers, codes = distinct_numbers(values)
        return numbers.astype(bool), codes
    low, high = (int(values.min()), int(values.max())) if values.size else (0, 0)
    size = high - low + 1
    if size > _SMALL_RANGE:
        numbers, codes = np.unique(values, return_inverse=True)
        return numbers, codes
    # Where a difference overflows its type, it is right again without the sign.
    unsigned = np.dtype(f"u{values.dtype.itemsize}")
    offset = (values - values.dtype.type(low)).view(unsigned)
    offset = offset.astype(np.uint16, copy=False)
    seen = _tallied(offset, size) > 0
    index = np.cumsum(seen) - 1
    index = index.astype(np.min_scalar_type(int(index[-1])))
    numbers = np.flatnonzero(seen).astype(values.dtype) + values.dtype.type(low)
    return numbers, index[offset]


def _tallied(key: NDArray[Any], size: int) -> IntArray:
    """Count each number below a size, a stretch at a time: `bincount` makes copies."""
    counts = np.zeros(size, dtype=np.int64)
    for start in range(0, len(key), _STRETCH):
        counts += np.bincount(key[start : start + _STRETCH], minlength=size)
    return counts


def _first_by_counting(key: IntArray) -> tuple[IntArray, IntArray]:
    """Find the first of each number of a small range, and its rank for each."""
    size = int(key.max()) + 1
    seen = np.zeros(size, dtype=bool)
    first = np.zeros(size, dtype=np.int64)
    for start in range(0, len(key), _STRETCH):
        part = key[start : start + _STRETCH]
        new = np.flatnonzero(~seen[part])[::-1]
        first[part[new]] = start + new  # of equal ones the last is written, the first
        seen[part[new]] = True
    rank = np.cumsum(seen) - 1
    return first[seen], np.asarray(rank.astype(np.int32)[key])


def rises(table: NDArray[Any]) -> bool:
    """Return whether each row sorts after the one before."""
    equal = np.ones(max(len(table) - 1, 0), dtype=bool)
    for column in table.T:
        before, after = column[:-1], column[1:]
        if (equal & (after < before)).any():
            return False
        equal &= after == before
        if not equal.any():
            return True
    return not equal.any()


def _sorted_by_column(table: NDArray[Any]) -> tuple[IntArray, IntArray]:
    """Sort column by column, which is faster than row by row where there are few."""
    varying = table[:, (table != table[:1]).any(axis=0)]
    order = _order(varying) if varying.shape[1] else np.arange(len(table))
    new = np.zeros(len(table), dtype=bool)
    new[:1] = True
    for column in varying.T:
        # Most rows are told from the one before by the first column.
        same = np.flatnonzero(~new)
        new[same] = column[order[same]] != column[order[same - 1]]
    group = np.empty(len(table), dtype=np.int64)
    group[order] = np.cumsum(new) - 1
    return order[new], group


def _order(table: NDArray[Any]) -> IntArray:
    """Return the order of rows; most are told apart by their first column."""
    order = np.argsort(table[:, 0])
    first = table[order, 0]
    same = first[1:] == first[:-1]
    tied = np.flatnonzero(np.append(same, False) | np.append(False, same))
    if 2 * len(tied) > len(table):
        return np.asarray(np.lexsort(table.T[::-1]))
    rows = np.sort(order[tied])  # those that come first in the table stay so
    order[tied] = rows[np.lexsort(table[rows].T[::-1])]
    return np.asarray(order)


def _integer_key(table: NDArray[Any]) -> IntArray | None:
    """Write each row as one number that sorts alike, where it fits; much faster."""
    if table.size == 0 or not _is_whole(table):
        return None
    low = [int(column.min()) for column in table.T]
    span = [
        int(column.max()) - least + 1
        for column, least in zip(table.T, low, strict=True)
    ]
    if sum(log2(one) for one in span) >= _KEY_BITS:
        return None
    small: Any = np.int64 if prod(span) >= 2**31 else np.int32
    key: NDArray[Any] = np.zeros(len(table), dtype=small)
    for column, least, factor in zip(table.T, low, span, strict=True):
        if factor > 1:
            key *= small(factor)
            key += column.astype(small, copy=False) - small(least)
    return key


def _is_whole(table: NDArray[Any]) -> bool:
    if table.dtype.kind in "bui":
        return True
    return all(  # the first rows tell it of most tables
        bool((np.abs(part) < 2**31).all() and (part == np.floor(part)).all())
        for part in (table[:_PREFIX], table)
    )


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
    table: NDArray[Any], weights: FloatArray | None, clusters: IntArray | None
) -> CountedRows:
    """Count equal rows, within clusters where there are any; each once by default."""
    keys = table if clusters is None else np.column_stack([table, clusters])
    rows, _, group = distinct(keys)
    if weights is None:
        counts = _tallied(group, len(rows)).astype(np.float64)
    else:
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


def set_rows(codes: IntArray, sets: Sequence[tuple[int, ...]], n_classes: int) -> Any:
    """Turn codes of sets of labels (pattern, gold and systems) into statistics.

    Parameters
    ----------
    codes
        The gold set first, then one set per system.
    sets
        Positions of the labels of each set.
    n_classes
        Number of labels there are.

    Returns
    -------
    csr_array
        Rows as of `label_rows`; an item whose set is right counts at the first class.
    """
    ends = np.cumsum([0, *map(len, sets)])
    labels = np.fromiter((label for one in sets for label in one), np.int64)
    shape = (len(sets), n_classes)
    members = sparse.csr_array((np.ones(len(labels)), labels, ends), shape=shape)
    gold, n_statistics = members[codes[:, 0]], len(LABEL_STATISTICS)
    rows: list[IntArray] = []
    columns: list[IntArray] = []
    for system in range(codes.shape[1] - 1):
        predicted = members[codes[:, 1 + system]]
        both = gold.multiply(predicted)
        right = np.flatnonzero(codes[:, 0] == codes[:, 1 + system])
        for statistic, table in enumerate((both, predicted - both, gold - both)):
            row, label = (index.astype(np.int64) for index in table.nonzero())
            rows.append(row)
            columns.append((system * n_classes + label) * n_statistics + statistic)
        rows.append(right)
        columns.append(np.full(len(right), (system * n_classes) * n_statistics + 3))
    where = np.concatenate(rows), np.concatenate(columns)
    shape = (len(codes), (codes.shape[1] - 1) * n_classes * n_statistics)
    return sparse.csr_array((np.ones(len(where[0])), where), shape=shape)
