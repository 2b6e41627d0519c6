"""From the columns of an engine (as Arrow) to labels, numbers and sets.

Labels are strings, byte for byte. Whole numbers are their digits, booleans ``true``
and ``false``, categories their strings.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from likelier.errors import InputError

_SETS_HINT = "Lists of labels: --sets, kind='sets'."
_HINT = "Turn the column into strings first."
# Above this, neighbouring whole numbers are one float.
_EXACT = 2**53


@dataclass(frozen=True)
class Cells:
    """The values of a column, and which of them cannot be used."""

    values: NDArray[Any]
    bad: NDArray[np.bool_]


Check = Callable[..., Cells]


def label_cells(column: Any, *, name: str) -> Cells:
    """Read a column as labels; missing ones are bad.

    Parameters
    ----------
    column
        An Arrow array or chunked array of any type.
    name
        What to call the column in messages.

    Examples
    --------
    >>> label_cells(pa.array([True, None]), name="gold").values
    array(['true', None], dtype=object)
    """
    plain = decoded(column)
    bad = numpy_of(pc.is_null(plain, nan_is_null=True).cast(pa.uint8())).astype(bool)
    kind = plain.type
    if pa.types.is_floating(kind) or pa.types.is_decimal(kind):
        texts = _digits(plain, bad, name=name)
    elif has_text(kind):
        texts = objects(pc.cast(plain, pa.large_string()).to_pylist())
    else:
        message = f"{name} must hold strings or whole numbers; its type is {kind}."
        nested = pa.types.is_list(kind) or pa.types.is_large_list(kind)
        raise InputError(message, hint=_SETS_HINT if nested else _HINT)
    return Cells(texts, bad)


def numpy_of(array: Any) -> NDArray[Any]:
    """Share an Arrow array of numbers without nulls; `to_numpy` would load pandas."""
    return np.from_dlpack(array)


def objects(values: list[Any]) -> NDArray[Any]:
    """Keep Python objects as they are in an array."""
    array = np.empty(len(values), dtype=object)
    array[:] = values
    return array


def decoded(column: Any) -> Any:
    """Give a column as one array, categories as their values."""
    array = column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column
    if isinstance(array, pa.ChunkedArray):  # too much text for one chunk
        array = pa.concat_arrays(array.cast(pa.large_string()).chunks)
    if pa.types.is_dictionary(array.type):
        return array.dictionary_decode()
    return array


def has_text(kind: Any) -> bool:
    """Tell whether values of an Arrow type are written in one way only."""
    tests = (
        pa.types.is_string,
        pa.types.is_large_string,
        pa.types.is_string_view,
        pa.types.is_integer,
        pa.types.is_boolean,
        pa.types.is_null,
    )
    return any(test(kind) for test in tests)


def _digits(plain: Any, bad: NDArray[np.bool_], *, name: str) -> NDArray[Any]:
    texts = np.full(len(plain), None, dtype=object)
    for i in np.flatnonzero(~bad):
        value = plain[int(i)].as_py()
        exact = pa.types.is_decimal(plain.type) or abs(value) <= _EXACT
        if not exact or value != int(value):
            message = f"{name} must hold labels; got the number {value}."
            raise InputError(message, hint=_HINT)
        texts[i] = str(int(value))
    return texts


def number_cells(column: Any, *, name: str) -> Cells:
    """Read a column as numbers; missing and infinite ones are bad.

    Examples
    --------
    >>> number_cells(pa.array(["1.5", "x"]), name="a")
    Cells(values=array([1.5, nan]), bad=array([False,  True]))
    """
    plain = decoded(column)
    try:
        numbers = pc.cast(plain, pa.float64(), safe=False)
    except pa.ArrowNotImplementedError as error:
        message = f"{name} must hold numbers; its type is {plain.type}."
        raise InputError(message) from error
    except pa.ArrowInvalid:
        values = np.array([_number(text) for text in plain.to_pylist()])
    else:
        full = numbers.null_count == 0
        values = numpy_of(numbers) if full else numbers.to_numpy(zero_copy_only=False)
    return Cells(values, ~np.isfinite(values))


def _number(text: str | None) -> float:
    try:
        return float(pc.cast(pa.scalar(text), pa.float64()).as_py())
    except (pa.ArrowInvalid, TypeError):
        return float("nan")


def set_cells(values: list[Any], *, name: str) -> Cells:
    """Read a column as sets of labels; missing ones are bad."""
    bad = np.array([v is None or _is_nan(v) for v in values], dtype=bool)
    for row, value in enumerate(values):
        if not bad[row] and (isinstance(value, str) or not hasattr(value, "__iter__")):
            message = f"{name} must hold lists of labels; row {row} is {value!r}."
            raise InputError(message, hint="A single label is a list of one.")
    return Cells(objects(values), bad)


def _is_nan(value: object) -> bool:
    return isinstance(value, float) and value != value
