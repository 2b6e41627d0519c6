"""Labels, sets and numbers as codes, and distinct rows of them."""

from collections.abc import Collection, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse

from likelier._typing import FloatArray, IntArray
from likelier.errors import InputError
from likelier.formatting import listed

# Larger scores would overflow when they are added up and squared.
_LARGEST = 1e100
_INTEGER_HINT = "Turn the labels into strings or whole numbers first."


def label_codes(
    columns: Sequence[ArrayLike],
    *,
    names: Sequence[str],
    classes: Sequence[str] | None = None,
) -> tuple[tuple[str, ...], IntArray]:
    """Give every label its place among the sorted distinct labels of all columns.

    Parameters
    ----------
    columns
        Sequences of labels of equal length.
    names
        What to call the columns in messages.
    classes
        The labels there may be; those found, by default.

    Returns
    -------
    tuple
        The labels, and codes (item, column).

    Examples
    --------
    >>> label_codes([["b", "a"], ["b", "b"]], names=["gold", "first"])
    (('a', 'b'), array([[1, 1],
           [0, 1]]))
    """
    found = [_factorised(c, name=n) for c, n in zip(columns, names, strict=True)]
    check_lengths([len(index) for _, index in found], names)
    known = sorted({label for labels, _ in found for label in labels})
    if classes is not None:
        known = _checked_classes(classes, known)
    place = {label: i for i, label in enumerate(known)}
    codes = [
        np.array([place[label] for label in labels], dtype=np.int64)[index]
        for labels, index in found
    ]
    return tuple(known), np.column_stack(codes)


def _checked_classes(classes: Sequence[str], known: Sequence[str]) -> list[str]:
    given = [label_text(label, "classes", row) for row, label in enumerate(classes)]
    if len(set(given)) < len(given):
        message = f"classes must be different; got {listed(given)}."
        raise InputError(message)
    extra = sorted(set(known) - set(given))
    if extra:
        message = f"classes must hold every label of the data; missing {listed(extra)}."
        raise InputError(message)
    return given


def check_lengths(lengths: Sequence[int], names: Sequence[str]) -> None:
    """Refuse columns of unequal length, and columns without items."""
    if len(set(lengths)) > 1:
        told = ", ".join(f"{n} has {k}" for n, k in zip(names, lengths, strict=True))
        message = f"All columns must have the same number of items; {told}."
        raise InputError(message)
    if not lengths or lengths[0] == 0:
        message = "There must be at least one item; got none."
        raise InputError(message)


def _factorised(column: ArrayLike, *, name: str) -> tuple[list[str], IntArray]:
    """Give the distinct labels of a column, and the place of each item's among them."""
    if isinstance(column, str | list | tuple):
        return _factorised_items(list(column), name=name)
    values = np.asarray(column)
    if values.ndim != 1:
        message = f"{name} must hold one label per item; got shape {values.shape}."
        raise InputError(message, hint="For sets of labels use Outcomes.from_sets.")
    if values.dtype.kind == "f":
        values = _whole_numbers(values, name=name)
    if values.dtype.kind in "biu":
        numbers, index = np.unique(values, return_inverse=True)
        return [label_text(number, name, 0) for number in numbers], index
    return _factorised_items(values.tolist(), name=name)


def _factorised_items(items: list[Any], *, name: str) -> tuple[list[str], IntArray]:
    # Not through numpy, which would strip NUL characters and turn True into "True";
    # a dictionary beats sorting, too. Types are told apart, since 1 == True.
    texts = all(issubclass(kind, str) for kind in set(map(type, items)))
    keys = items if texts else [(type(item), item) for item in items]
    try:
        first = dict(zip(reversed(keys), range(len(keys) - 1, -1, -1), strict=True))
    except TypeError as error:
        message = f"{name} must hold one label per item; {error}."
        raise InputError(message, hint="Outcomes.from_sets takes sets.") from error
    labels = {key: label_text(items[row], name, row) for key, row in first.items()}
    known = list(dict.fromkeys(labels.values()))
    place = {label: i for i, label in enumerate(known)}
    code = {key: place[label] for key, label in labels.items()}
    return known, np.fromiter((code[key] for key in keys), np.int64, len(keys))


def _whole_numbers(values: NDArray[Any], *, name: str) -> IntArray:
    missing = np.flatnonzero(np.isnan(values))
    if missing.size:
        raise _missing(name, missing)
    if (values != np.floor(values)).any() or (np.abs(values) > 2**53).any():
        message = f"{name} must hold labels; got numbers with fractions."
        raise InputError(message, hint=_INTEGER_HINT)
    return values.astype(np.int64)


def label_text(value: object, name: str, row: int) -> str:
    """Write one label as text; refuse what cannot be a label.

    Examples
    --------
    >>> label_text(True, "gold", 0), label_text(1.0, "gold", 0)
    ('true', '1')
    """
    if isinstance(value, str):
        return value
    if isinstance(value, bool | np.bool_):
        return str(value).lower()  # as JSON writes it
    if isinstance(value, int | np.integer):
        return str(value)
    if value is None or _is_missing(value):
        raise _missing(name, np.array([row]))
    if isinstance(value, float | np.floating) and value.is_integer():
        return str(int(value))
    message = f"{name} must hold strings or whole numbers; item {row} is {value!r}."
    raise InputError(message, hint=_INTEGER_HINT)


def _is_missing(value: object) -> bool:
    """Tell NaN and its like, which differ from themselves, and pandas' NA."""
    if type(value).__name__ in ("NAType", "NaTType"):
        return True
    alone = np.ndim(np.asarray(value, dtype=object)) == 0
    return alone and bool(value != value)


def _missing(name: str, rows: IntArray) -> InputError:
    where = listed(rows.tolist())
    message = f"{name} must have a label for every item; missing at item {where}."
    return InputError(message)


def score_columns(columns: Sequence[ArrayLike], *, names: Sequence[str]) -> FloatArray:
    """Give finite numbers (item, system); refuse NaN and infinities by their place."""
    arrays = [_numbers(c, name=n) for c, n in zip(columns, names, strict=True)]
    check_lengths([len(a) for a in arrays], names)
    for name, array in zip(names, arrays, strict=True):
        bad = np.flatnonzero(~(np.abs(array) < _LARGEST))
        if bad.size:
            message = (
                f"scores of {name} must be finite numbers, below 1e100; "
                f"item {bad[0]} is {array[bad[0]]}."
            )
            raise InputError(message)
    return np.column_stack(arrays) + 0.0  # -0.0 and 0.0 are one score


def _numbers(column: ArrayLike, *, name: str) -> FloatArray:
    try:
        values = np.asarray(column, dtype=np.float64)
    except (TypeError, ValueError) as error:
        message = f"scores of {name} must be numbers; {error}."
        raise InputError(message) from error
    if values.ndim != 1:
        message = f"scores of {name} must be one per item; got shape {values.shape}."
        raise InputError(message)
    return values


def set_indicators(
    columns: Sequence[Any],
    *,
    names: Sequence[str],
    classes: Sequence[str] | None = None,
) -> tuple[tuple[str, ...], NDArray[np.bool_], bool]:
    """Give label sets as indicators (item, column, class).

    Returns
    -------
    tuple
        The classes, the indicators, and whether the classes were told beforehand.
    """
    if any(is_matrix(c) for c in columns):
        return _matrix_indicators(columns, names=names, classes=classes)
    sets = [
        [label_set(value, name, row) for row, value in enumerate(column)]
        for column, name in zip(columns, names, strict=True)
    ]
    check_lengths([len(s) for s in sets], names)
    known = sorted({label for column in sets for labels in column for label in labels})
    if classes is not None:
        known = _checked_classes(classes, known)
    place = {label: i for i, label in enumerate(known)}
    cube = np.zeros((len(sets[0]), len(sets), len(known)), dtype=bool)
    for j, column in enumerate(sets):
        for i, labels in enumerate(column):
            cube[i, j, [place[label] for label in labels]] = True
    return tuple(known), cube, classes is not None


def is_matrix(column: object) -> bool:
    """Tell a matrix of indicators from sets of labels."""
    if isinstance(column, list | tuple):
        return _is_list_of_indicators(column)
    return getattr(column, "ndim", 1) == 2


def _is_list_of_indicators(rows: Sequence[Any]) -> bool:
    """Tell [[1, 0, 0], [0, 1, 1]] from sets of labels, which do not repeat."""
    if not rows or not all(isinstance(row, list | tuple) for row in rows):
        return False
    width, cells = len(rows[0]), {(type(c), c) for row in rows for c in row}
    known = {(kind, kind(value)) for kind in (int, bool) for value in (0, 1)}
    return width > 1 and cells <= known and all(len(row) == width for row in rows)


def _matrix_indicators(
    columns: Sequence[Any], *, names: Sequence[str], classes: Sequence[str] | None
) -> tuple[tuple[str, ...], NDArray[np.bool_], bool]:
    arrays = [np.asarray(c) if is_matrix(c) else np.empty(len(c)) for c in columns]
    check_lengths([len(a) for a in arrays], names)
    for name, array in zip(names, arrays, strict=True):
        if array.shape != arrays[0].shape or not np.isin(array, (0, 1)).all():
            message = f"{name} must be a matrix of 0 and 1 shaped as the gold labels."
            raise InputError(message)
    width = arrays[0].shape[1]
    known = tuple(classes or (str(i) for i in range(width)))
    if len(set(known)) != width:
        message = f"classes must name the {width} columns; got {listed(known)}."
        raise InputError(message)
    return known, np.stack([a.astype(bool) for a in arrays], axis=1), True


def label_set(value: object, name: str, row: int) -> list[str]:
    """Take the labels of one item as text; refuse what is no set of labels."""
    if isinstance(value, str) or not isinstance(value, Collection):
        message = f"{name} must hold a set of labels per item; item {row} is {value!r}."
        raise InputError(message, hint="A single label is a set of one: {'a'}.")
    labels = [label_text(label, name, row) for label in value]
    if len(set(labels)) < len(labels):
        message = (
            f"{name} must hold each label of an item once; item {row} is {value!r}."
        )
        raise InputError(message)
    return labels


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
