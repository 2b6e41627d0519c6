"""Data frames of any engine that narwhals knows: pandas, Polars, Arrow, DuckDB, ….

The engine groups and counts; only the distinct patterns are collected.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import narwhals as nw
import numpy as np
from narwhals.exceptions import NarwhalsError

from likelier.data.outcomes import Outcomes
from likelier.errors import InputError
from likelier.formatting import listed
from likelier.readers.counted import counted_outcomes, set_outcomes
from likelier.readers.frame_ids import frame_names, row_names
from likelier.readers.kinds import Roles, check_columns, check_header, roles

_IDS = 5


def looks_like_frame(obj: object) -> bool:
    """Tell whether something is a data frame, eager or lazy; arrays are not.

    Examples
    --------
    >>> import pyarrow as pa
    >>> looks_like_frame(pa.table({"a": [1]})), looks_like_frame([1, 2])
    (True, False)
    """
    try:
        wrapped = nw.from_native(obj, pass_through=True)
    except NarwhalsError:  # a frame, only not a good one: two columns of one name
        return True
    return isinstance(wrapped, nw.DataFrame | nw.LazyFrame)


def read_frame(
    frame: Any,
    *,
    gold: str | None,
    systems: Sequence[str],
    kind: str = "labels",
    cluster: str | None = None,
    id: str | None = None,  # noqa: A002 (the word people know)
    classes: Sequence[str] | None = None,
) -> Outcomes:
    """Count the items of a data frame with one row per item.

    Parameters
    ----------
    frame
        A data frame: pandas, Polars (eager or lazy), PyArrow, a DuckDB relation, ….
    gold
        The column of gold labels; not needed for scores.
    systems
        One column per system, the baseline first.
    kind
        What a cell holds: ``labels`` (one label), ``scores`` (a number) or ``sets``
        (a list of labels).
    cluster
        The column that says which items belong together.
    id
        The column of ids; they must be there and differ.
    classes
        All classes there are.

    Examples
    --------
    >>> import pyarrow as pa
    >>> table = pa.table({"gold": [1, 0, 1], "a": [1, 1, 1], "b": [1, 0, 0]})
    >>> read_frame(table, gold="gold", systems=["a", "b"])
    <Outcomes of a, b: 3 items, 3 patterns, 2 classes>
    """
    part = roles(kind=kind, gold=gold, systems=systems, cluster=cluster, id=id)
    rows = _selected(_wrapped(frame), part)
    origin = _FrameOrigin(part, rows)
    if id is not None:
        _check_ids(rows, name=id, place=len(part.grouped))
    if part.kind == "sets":
        return _sets(rows, part, origin=origin, classes=classes)
    keys = _keys(part.grouped)
    with _unicode():
        counted = rows.lazy().select(*keys).group_by(*keys).agg(nw.len().alias("n"))
        table = _arrow(counted)
    names = frame_names(rows, part, table)
    return counted_outcomes(part, table, origin=origin, classes=classes, ids=names)


def _wrapped(frame: Any) -> Any:
    try:
        wrapped = nw.from_native(frame)
        names = [str(name) for name in wrapped.collect_schema().names()]
    except (NarwhalsError, TypeError) as error:
        message = f"frame must be a data frame with different column names; {error}"
        raise InputError(message) from error
    check_header(names, table="The frame")
    return wrapped


def _keys(columns: Sequence[str]) -> list[str]:
    return [f"c{i}" for i in range(len(columns))]


def _selected(frame: Any, part: Roles) -> Any:
    """Keep the columns with a part, under names that no engine stumbles over."""
    schema = frame.collect_schema()
    check_columns(part.columns, schema.names(), table="The frame")
    if part.kind != "sets":
        _check_flat(schema, part)
    keys = _keys(part.columns)
    rows = frame.select(
        *(nw.col(n).alias(k) for n, k in zip(part.columns, keys, strict=True))
    )
    if rows.implementation.is_pyarrow():
        return nw.from_native(rows.to_native().unify_dictionaries())
    if isinstance(rows, nw.LazyFrame):
        return rows
    schema = rows.collect_schema()
    plain = keys[len(part.cells) :] if part.kind == "sets" else keys
    mixed = [_as_text(rows, key) for key in plain if schema[key] == nw.Object]
    return rows.with_columns(*mixed) if mixed else rows


def _check_flat(schema: Any, part: Roles) -> None:
    for name in part.grouped:
        if schema[name].is_nested():
            message = f"Column {name!r} must hold one value per item; got lists."
            raise InputError(message, hint="Lists of labels are of the kind 'sets'.")


def _as_text(rows: Any, key: str) -> Any:
    """Write Python objects as text before grouping: 1, 1.0 and True are one key."""
    column = rows[key]
    pairs = zip(column.to_list(), column.is_null().to_list(), strict=True)
    texts = [None if missing else cell_text(value) for value, missing in pairs]
    space = rows.implementation.to_native_namespace()
    with _unicode():
        return nw.new_series(key, texts, nw.String, backend=space)


def cell_text(value: Any) -> str:
    """Write a label of any type as text, whole numbers as their digits."""
    if isinstance(value, bool | np.bool_):
        return "true" if value else "false"
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    if isinstance(value, str | int | np.integer):
        return str(value)
    message = f"A cell must hold a string or a whole number; got {value!r}."
    raise InputError(message, hint="Turn the column into strings first.")


def _arrow(frame: Any) -> Any:
    with _unicode():
        collected = frame.collect() if isinstance(frame, nw.LazyFrame) else frame
        return collected.to_arrow()


@contextmanager
def _unicode() -> Iterator[None]:
    try:
        yield
    except UnicodeEncodeError as error:
        message = f"Labels must be valid Unicode; got {error.object!r}."
        raise InputError(message) from error


def _check_ids(rows: Any, *, name: str, place: int) -> None:
    key = f"c{place}"
    counts = rows.lazy().select(key).group_by(key).agg(nw.len().alias("n"))
    wrong = counts.filter((nw.col("n") > 1) | nw.col(key).is_null())
    found = _arrow(wrong.sort(key, nulls_last=True)).to_pylist()
    missing = sum(row["n"] for row in found if row[key] is None)
    if missing:
        message = f"Column {name!r} must have an id for every item; {missing} have not."
        raise InputError(message)
    if found:
        told = listed([row[key] for row in found], most=_IDS)
        message = f"Column {name!r} must have different ids; {told} more than once."
        raise InputError(message)


def _sets(
    rows: Any, part: Roles, *, origin: "_FrameOrigin", classes: Sequence[str] | None
) -> Outcomes:
    collected = rows.lazy().collect()
    n = len(part.cells)
    if len(collected) == 0:
        message = "There must be at least one item; the frame has none."
        raise InputError(message)
    columns = [collected[key].to_list() for key in _keys(part.cells)]
    cluster = None if part.cluster is None else _arrow(collected.select(f"c{n}"))[0]
    key = None if part.id is None else f"c{len(part.grouped)}"
    names = row_names(None if key is None else _arrow(collected.select(key))[0])
    return set_outcomes(
        part, columns, cluster=cluster, origin=origin, classes=classes, ids=names
    )


@dataclass(frozen=True)
class _FrameOrigin:
    part: Roles
    frame: Any

    def name(self, place: int) -> str:
        if place < 0:
            return "the frame"
        return f"Column {self.part.columns[place]!r}"

    def rows(self, place: int) -> Any:
        if isinstance(self.frame, nw.LazyFrame):
            return None
        return _arrow(self.frame.select(f"c{place}")).column(0)

    def where(self, _place: int, /, rows: Sequence[int]) -> list[str]:
        return [f"row {row}" for row in rows]
