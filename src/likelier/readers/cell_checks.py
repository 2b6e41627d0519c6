"""Cells of Arrow columns as labels, numbers or sets, and which of them are none.

Labels are strings, byte for byte. Whole numbers are their digits, booleans ``true``
and ``false``, categories their strings.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from likelier._typing import BoolArray, IntArray
from likelier.errors import InputError

_SETS_HINT = "Lists of labels: --sets, kind='sets'."
_HINT = "Turn the column into strings first."
# Above this, neighbouring whole numbers are one float.
_EXACT = 2**53
_DECIMAL_COMMA = re.compile(r"[-+]?[0-9]{1,30},[0-9]{1,30}")
# As JSON, Python, R and spreadsheets write them; the judges of MLflow say yes and no.
_TRUTHS = {"true": 1.0, "True": 1.0, "TRUE": 1.0, "yes": 1.0, "Yes": 1.0}
_TRUTHS |= {"false": 0.0, "False": 0.0, "FALSE": 0.0, "no": 0.0, "No": 0.0}


@dataclass(frozen=True)
class CheckedColumn:
    """Values of a column, and which of them cannot be used."""

    values: NDArray[Any]
    bad: BoolArray


Check = Callable[..., CheckedColumn]


def check_labels(column: Any, *, title: str) -> CheckedColumn:
    """Read a column as labels; missing ones are bad.

    Parameters
    ----------
    column
        An Arrow array or chunked array of any type.
    title
        Name of the column in messages.

    Examples
    --------
    >>> check_labels(pa.array([True, None]), title="gold").values
    array(['true', None], dtype=object)
    """
    plain = decoded(column)
    kind = plain.type
    if pa.types.is_floating(kind) or pa.types.is_decimal(kind):
        missing = plain.is_null(nan_is_null=True).cast(pa.uint8())
        bad = numpy_of(missing).astype(bool)
        texts = _digits(plain, bad, title=title)
    elif has_text(kind):
        written = pa.types.is_integer(kind) or pa.types.is_boolean(kind)
        cells = plain.cast(pa.large_string()) if written else plain
        texts = _objects(cells.to_pylist())
        # `is_null` would load the functions of Arrow.
        bad = np.asarray(texts == None)  # noqa: E711
    else:
        message = f"{title} must hold strings or whole numbers; its type is {kind}."
        nested = pa.types.is_list(kind) or pa.types.is_large_list(kind)
        raise InputError(message, hint=_SETS_HINT if nested else _HINT)
    return CheckedColumn(texts, bad)


def numpy_of(array: Any) -> NDArray[Any]:
    """Share an Arrow array of numbers without nulls; `to_numpy` would load pandas."""
    return np.from_dlpack(array)


def column_sum(table: Any, name: str) -> int:
    """Add up a column of whole numbers of an Arrow table."""
    return int(numpy_of(table[name].combine_chunks()).sum())


def picked_cells(column: Any, rows: IntArray) -> list[Any]:
    """Return some cells of an Arrow column; `take` of an array would load pandas."""
    return [column[row].as_py() for row in rows.tolist()]


def _objects(values: list[Any]) -> NDArray[Any]:
    """Put Python objects into an array as they are."""
    array = np.empty(len(values), dtype=object)
    array[:] = values
    return array


def decoded(column: Any) -> Any:
    """Return a column as one array, categories as their values."""
    array = column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column
    if isinstance(array, pa.ChunkedArray):  # too much text for one chunk
        array = pa.concat_arrays(array.cast(pa.large_string()).chunks)
    if pa.types.is_dictionary(array.type):
        return array.dictionary_decode()
    return array


def has_text(kind: Any) -> bool:
    """Return whether values of an Arrow type have one spelling only."""
    tests = (
        pa.types.is_string,
        pa.types.is_large_string,
        pa.types.is_string_view,
        pa.types.is_integer,
        pa.types.is_boolean,
        pa.types.is_null,
    )
    return any(test(kind) for test in tests)


def _digits(plain: Any, bad: BoolArray, *, title: str) -> NDArray[Any]:
    texts = np.full(len(plain), None, dtype=object)
    for i in np.flatnonzero(~bad):
        value = plain[int(i)].as_py()
        exact = pa.types.is_decimal(plain.type) or abs(value) <= _EXACT
        if not exact or value != int(value):
            message = f"{title} must hold labels; got the number {value}."
            raise InputError(message, hint=_HINT)
        texts[i] = str(int(value))
    return texts


def check_numbers(column: Any, *, title: str) -> CheckedColumn:
    """Read a column as numbers; missing and infinite ones are bad.

    Examples
    --------
    >>> check_numbers(pa.array(["1.5", "x"]), title="a")
    CheckedColumn(values=array([1.5, nan]), bad=array([False,  True]))
    """
    plain = decoded(column)
    try:
        numbers = plain.cast(pa.float64(), safe=False)
    except pa.ArrowNotImplementedError as error:
        message = f"{title} must hold numbers; its type is {plain.type}."
        raise InputError(message) from error
    except pa.ArrowInvalid:
        values = np.array([_number(text) for text in plain.to_pylist()])
    else:
        full = numbers.null_count == 0
        values = numpy_of(numbers) if full else numbers.to_numpy(zero_copy_only=False)
    return CheckedColumn(values, ~np.isfinite(values))


def check_scores(column: Any, *, title: str) -> CheckedColumn:
    """Read a column as numbers; one of truth values is 1 and 0.

    Examples
    --------
    >>> check_scores(pa.array(["true", "false"]), title="a").values
    array([1., 0.])
    """
    return check_numbers(_truth_numbers(decoded(column)), title=title)


def _truth_numbers(cells: Any) -> Any:
    """Write truth values as 1 and 0; other cells stay as they are."""
    kind = cells.type
    if pa.types.is_boolean(kind):
        return cells.cast(pa.uint8())
    if not (pa.types.is_string(kind) or pa.types.is_large_string(kind)):
        return cells
    if len(cells) and cells[0].as_py() not in {None, *_TRUTHS}:
        return cells
    encoded = cells.dictionary_encode()
    texts = encoded.dictionary.to_pylist()
    if not texts or not {*texts} <= {*_TRUTHS}:
        return cells
    return pa.array([_TRUTHS[text] for text in texts]).take(encoded.indices)


def decimal_hint(cell: object) -> str | None:
    """Return what to do about a cell that should be a number: decimal commas.

    Examples
    --------
    >>> decimal_hint("0,5")
    'Write numbers with a decimal point: 0.5, not 0,5.'
    """
    if not isinstance(cell, str) or not _DECIMAL_COMMA.fullmatch(cell):
        return None
    return f"Write numbers with a decimal point: {cell.replace(',', '.')}, not {cell}."


def _number(text: str | None) -> float:
    try:
        return float(pa.scalar(text).cast(pa.float64()).as_py())
    except (pa.ArrowInvalid, TypeError):
        return float("nan")


def check_sets(values: list[Any], *, title: str) -> CheckedColumn:
    """Read a column as sets of labels; missing ones are bad."""
    bad = np.array([value is None or _is_nan(value) for value in values], dtype=bool)
    for row, value in enumerate(values):
        if not bad[row] and (isinstance(value, str) or not hasattr(value, "__iter__")):
            message = f"{title} must hold lists of labels; row {row} is {value!r}."
            raise InputError(message, hint="A single label is a list of one.")
    return CheckedColumn(_objects(values), bad)


def _is_nan(value: object) -> bool:
    return isinstance(value, float) and value != value
