"""From columns of an engine, as Arrow, to outcomes; bad cells are located.

Labels are strings, byte for byte. Whole numbers are their digits, booleans ``true``
and ``false``, categories their strings.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from likelier._typing import BoolArray, IntArray
from likelier.data.constructors import from_patterns, from_scores, from_sets
from likelier.data.item_examples import Naming, Texts
from likelier.data.outcomes import Outcomes
from likelier.errors import InputError
from likelier.readers.columns import Columns

_SETS_HINT = "Lists of labels: --sets, kind='sets'."
_HINT = "Turn the column into strings first."
# Above this, neighbouring whole numbers are one float.
_EXACT = 2**53
_LOCATED = 5
_DECIMAL_COMMA = re.compile(r"[-+]?[0-9]{1,30},[0-9]{1,30}")
# Rows without ids are looked at for examples as far as here: numbering them is slow.
NUMBERED = 50_000


class CellTable(Protocol):
    """Table of labels, scores or sets that can locate its cells."""

    @property
    def columns(self) -> Columns:
        """Part that each column plays."""

    def title(self, column: int | None) -> str:
        """Name a column in a message; or the table, for None."""

    def cells(self, column: int) -> Any:
        """Return a column row by row; None where the engine has no order of rows."""

    def locate(self, column: int, rows: Sequence[int]) -> list[str]:
        """Name the lines of a file, or the rows of a frame."""


@dataclass(frozen=True)
class CheckedColumn:
    """Values of a column, and which of them cannot be used."""

    values: NDArray[Any]
    bad: BoolArray


Check = Callable[..., CheckedColumn]


def count_patterns(
    table: CellTable,
    patterns: Any,
    *,
    classes: Sequence[str] | None = None,
    ids: Naming | None = None,
    texts: Texts | None = None,
) -> Outcomes:
    """Turn distinct rows with counts into outcomes.

    Parameters
    ----------
    table
        The table they were counted in.
    patterns
        An Arrow table that begins with `Columns.grouped` and has the counts as ``n``.
    classes
        All classes there are.
    ids
        Names some items of rows of the patterns.
    texts
        Looks up the texts of some of these items.
    """
    columns = table.columns
    counts = numpy_of(patterns["n"].combine_chunks()).astype(np.int64)
    if counts.sum() == 0:
        message = f"There must be at least one item; {table.title(None)} has none."
        raise InputError(message)
    scores = columns.kind == "scores"
    checks = [check_numbers if scores else check_labels] * len(columns.cells)
    if columns.cluster is not None:
        checks.append(check_labels)
    values = [
        _checked(check, patterns.column(i), counts, table=table, column=i)
        for i, check in enumerate(checks)
    ]
    cluster = None if columns.cluster is None else values.pop()
    about: dict[str, Any] = {
        "systems": columns.systems,
        "cluster": cluster,
        "ids": ids,
        "texts": texts,
    }
    if scores:
        return from_scores(*values, counts=counts, **about)
    return from_patterns(values, counts, classes=classes, **about)


def count_sets(
    table: CellTable,
    columns: Sequence[list[Any]],
    *,
    cluster: Any = None,
    classes: Sequence[str] | None = None,
    ids: Naming | None = None,
    texts: Texts | None = None,
) -> Outcomes:
    """Turn one list of label sets per column, row by row, into outcomes."""
    ones = np.ones(len(columns[0]), dtype=np.int64)
    sets = []
    for i, values in enumerate(columns):
        checked = check_sets(values, title=table.title(i))
        if checked.bad.any():
            raise _bad_cells(checked, ones, table=table, column=i, rows=checked)
        sets.append(checked.values)
    groups = None
    if cluster is not None:
        groups = _checked(check_labels, cluster, ones, table=table, column=len(columns))
    return from_sets(
        *sets,
        systems=table.columns.systems,
        classes=classes,
        cluster=groups,
        ids=ids,
        texts=texts,
    )


def _checked(
    check: Check, values: Any, counts: IntArray, *, table: CellTable, column: int
) -> NDArray[Any]:
    """Return the values of a column, or refuse it and locate the bad ones."""
    title = table.title(column)
    checked = check(values, title=title)
    if not checked.bad.any():
        return checked.values
    cells = table.cells(column)
    rows = None if cells is None else check(cells, title=title)
    numbers = check is check_numbers
    bad = _bad_cells(
        checked,
        counts,
        table=table,
        column=column,
        rows=rows,
        content="a finite number" if numbers else "a label",
    )
    first = values[int(np.flatnonzero(checked.bad)[0])].as_py()
    raise InputError(bad.message, hint=decimal_hint(first) if numbers else None)


def _bad_cells(
    checked: CheckedColumn,
    counts: IntArray,
    *,
    table: CellTable,
    column: int,
    rows: CheckedColumn | None,
    content: str = "a label",
) -> InputError:
    total = int(counts[checked.bad].sum())
    items = "1 item has" if total == 1 else f"{total:,} items have"
    message = f"{table.title(column)} must have {content} for every item; {items} none"
    if rows is None:
        return InputError(f"{message}.")
    first = np.flatnonzero(rows.bad)[:_LOCATED].tolist()
    more = ", …" if total > _LOCATED else "."
    return InputError(f"{message}: {', '.join(table.locate(column, first))}{more}")


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
    bad = numpy_of(pc.is_null(plain, nan_is_null=True).cast(pa.uint8())).astype(bool)
    kind = plain.type
    if pa.types.is_floating(kind) or pa.types.is_decimal(kind):
        texts = _digits(plain, bad, title=title)
    elif has_text(kind):
        texts = _objects(pc.cast(plain, pa.large_string()).to_pylist())
    else:
        message = f"{title} must hold strings or whole numbers; its type is {kind}."
        nested = pa.types.is_list(kind) or pa.types.is_large_list(kind)
        raise InputError(message, hint=_SETS_HINT if nested else _HINT)
    return CheckedColumn(texts, bad)


def numpy_of(array: Any) -> NDArray[Any]:
    """Share an Arrow array of numbers without nulls; `to_numpy` would load pandas."""
    return np.from_dlpack(array)


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
        numbers = pc.cast(plain, pa.float64(), safe=False)
    except pa.ArrowNotImplementedError as error:
        message = f"{title} must hold numbers; its type is {plain.type}."
        raise InputError(message) from error
    except pa.ArrowInvalid:
        values = np.array([_number(text) for text in plain.to_pylist()])
    else:
        full = numbers.null_count == 0
        values = numpy_of(numbers) if full else numbers.to_numpy(zero_copy_only=False)
    return CheckedColumn(values, ~np.isfinite(values))


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
        return float(pc.cast(pa.scalar(text), pa.float64()).as_py())
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
