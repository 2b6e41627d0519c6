"""Data frames of any engine that narwhals knows: pandas, Polars, Arrow, DuckDB, ….

The engine groups and counts; only the distinct patterns are collected.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import narwhals as nw
import numpy as np
from narwhals.exceptions import NarwhalsError

from likelier.data.outcomes import Outcomes
from likelier.errors import InputError
from likelier.findings import Finding
from likelier.formatting import listed
from likelier.readers.columns import (
    Columns,
    check_columns,
    check_header,
    check_kind,
    table_columns,
)
from likelier.readers.counting import (
    count_patterns,
    count_sets,
)
from likelier.readers.frame_examples import (
    arrow_table,
    names_of_patterns,
    names_of_rows,
    texts_of_rows,
    valid_unicode,
)
from likelier.readers.item_ids import IdColumns, id_columns, id_title
from likelier.readers.reader import ReadRequest
from likelier.readers.text_column import usual_text

_LISTED = 5


def looks_like_frame(obj: object) -> bool:
    """Return whether something is a data frame, eager or lazy; arrays are not.

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
    id: IdColumns | None = None,  # noqa: A002 (the word people know)
    classes: Sequence[str] | None = None,
    text: str | None = None,
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
        What a cell holds: ``labels`` (one label), ``scores`` (a number), ``sets``
        (a list of labels), ``numbers`` (gold numbers, too), ``probabilities`` or
        ``ranks`` (scores to rank items by; both beside gold labels).
    cluster
        The column that says which items belong together.
    id
        The column of ids, or several that are the id together; ids must be there and
        differ.
    classes
        All classes there are.
    text
        The column of the items' texts, as in `read_files`.

    Examples
    --------
    >>> import pyarrow as pa
    >>> table = pa.table({"gold": [1, 0, 1], "a": [1, 1, 1], "b": [1, 0, 0]})
    >>> read_frame(table, gold="gold", systems=["a", "b"])
    <Outcomes of a, b: 3 items, 3 patterns, 2 classes>
    """
    request = ReadRequest(
        kind=check_kind(kind), gold=gold, systems=systems, id=id, cluster=cluster
    )
    wrapped = wrapped_frame(frame)
    text = _text_column(wrapped, request) if text is None else text
    ids = id_columns(id, wrapped.collect_schema().names())
    columns = table_columns(request, systems, ids=ids, text=text or None)
    rows = _selected(wrapped, columns)
    if columns.id:
        _check_ids(rows, title=id_title(columns.id), key=columns.id_key)
    return FrameItems(columns, rows, classes).count()


@dataclass(frozen=True)
class FrameItems:
    """Items of a data frame, one row each.

    Attributes
    ----------
    columns
        Part that each column plays.
    rows
        The frame, with these columns as c0, c1, ….
    classes
        All classes there are.
    """

    columns: Columns
    rows: Any
    classes: Sequence[str] | None = None
    findings: tuple[Finding, ...] = ()

    def title(self, column: int | None) -> str:
        """Name a column, or the frame, in a message."""
        return (
            "the frame" if column is None else f"Column {self.columns.names[column]!r}"
        )

    def cells(self, column: int) -> Any:
        """Return a column row by row; None where the frame has no order of rows."""
        if isinstance(self.rows, nw.LazyFrame):
            return None
        return arrow_table(self.rows.select(f"c{column}")).column(0)

    def locate(self, _column: int, rows: Sequence[int]) -> list[str]:
        """Name rows by their numbers, from 0."""
        return [f"row {row}" for row in rows]

    def count(self, _metric: str | None = None) -> Outcomes:
        """Count the items in the engine; any metric speaks of all of them."""
        if self.columns.kind == "sets":
            return self._count_sets()
        keys = self.columns.keys
        with valid_unicode():
            grouped = self.rows.lazy().select(*keys).group_by(*keys)
            patterns = arrow_table(grouped.agg(nw.len().alias("n")))
        names = names_of_patterns(self.rows, self.columns, patterns)
        return count_patterns(
            self,
            patterns,
            classes=self.classes,
            ids=names,
            texts=texts_of_rows(self.rows, self.columns),
        )

    def _count_sets(self) -> Outcomes:
        columns = self.columns
        collected = self.rows.lazy().drop(columns.text_keys).collect()
        if len(collected) == 0:
            message = "There must be at least one item; the frame has none."
            raise InputError(message)
        sets = [collected[f"c{i}"].to_list() for i in range(len(columns.cells))]
        cluster = ids = None
        if columns.cluster is not None:
            cluster = arrow_table(collected.select(columns.keys[-1]))[0]
        if columns.id:
            ids = arrow_table(collected.select(columns.id_key))[0]
        return count_sets(
            self,
            sets,
            cluster=cluster,
            classes=self.classes,
            ids=names_of_rows(ids),
            texts=texts_of_rows(self.rows, columns),
        )


def _text_column(frame: Any, request: ReadRequest) -> str | None:
    """Return the one column of strings that has a usual name of texts."""
    schema = frame.collect_schema()
    ids = id_columns(request.id, schema.names())
    parts = (request.gold, *ids, request.cluster, *(request.systems or ()))
    name = usual_text(schema.names(), parts)
    return name if name is not None and schema[name] == nw.String else None


def wrapped_frame(frame: Any) -> Any:
    """Take a frame of any library; refuse two columns of one name."""
    try:
        wrapped = nw.from_native(frame)
        names = [str(name) for name in wrapped.collect_schema().names()]
    except (NarwhalsError, TypeError) as error:
        message = f"frame must be a data frame with different column names; {error}"
        raise InputError(message) from error
    check_header(names, table="The frame")
    return wrapped


def _selected(frame: Any, columns: Columns) -> Any:
    """Select the columns with a part, under names that no engine stumbles over."""
    schema = frame.collect_schema()
    check_columns(columns.names, schema.names(), table="The frame")
    if columns.kind != "sets":
        _check_flat(schema, columns)
    keys = [*columns.keys, *columns.id_keys[:1], *columns.text_keys]
    cells = [nw.col(name) for name in columns.grouped]
    if columns.id:
        cells.append(_joined_ids(frame, columns.id))
    if columns.text is not None:
        cells.append(nw.col(columns.text))
    rows = frame.select(*(c.alias(k) for c, k in zip(cells, keys, strict=True)))
    if rows.implementation.is_pyarrow():
        return nw.from_native(rows.to_native().unify_dictionaries())
    if isinstance(rows, nw.LazyFrame):
        return rows
    schema = rows.collect_schema()
    start = len(columns.cells) if columns.kind == "sets" else 0
    plain = keys[start : len(keys) - len(columns.text_keys)]
    mixed = [_as_text(rows, key) for key in plain if schema[key] == nw.Object]
    return rows.with_columns(*mixed) if mixed else rows


def _joined_ids(frame: Any, parts: Sequence[str]) -> Any:
    """Return the expression of ids, of which several columns are made one text."""
    if len(parts) == 1:
        return nw.col(parts[0])
    schema = frame.collect_schema()
    for name in parts:
        if schema[name].is_float() or schema[name].is_nested():
            message = f"Column {name!r} must have strings or whole numbers as ids."
            raise InputError(message, hint="Turn the ids into strings first.")
        # Some engines would write missing cells as words.
        _check_filled(frame.select(nw.col(name).is_null().alias("n")), name)
    texts = [_escaped(nw.col(name).cast(nw.String), "\\") for name in parts]
    later = [_escaped(text, "/") for text in texts[1:]]
    return nw.concat_str(texts[0], *later, separator="/")


def _escaped(text: Any, mark: str) -> Any:
    return text.str.replace_all(mark, f"\\{mark}", literal=True)


def _check_filled(missing: Any, column: str) -> None:
    counted = arrow_table(missing.lazy().filter(nw.col("n")).select(nw.len()))
    _refuse_missing(counted.column(0)[0].as_py(), f"Column {column!r}")


def _refuse_missing(missing: int, title: str) -> None:
    if missing:
        message = f"{title} must have an id for every item; {missing} have none."
        raise InputError(message)


def _check_flat(schema: Any, columns: Columns) -> None:
    for name in columns.grouped:
        if schema[name].is_nested():
            message = f"Column {name!r} must hold one value per item; got lists."
            raise InputError(message, hint="Lists of labels are of the kind 'sets'.")


def _as_text(rows: Any, key: str) -> Any:
    """Write Python objects as text before grouping: 1, 1.0 and True are one key."""
    space = rows.implementation.to_native_namespace()
    with valid_unicode():
        return nw.new_series(key, cell_texts(rows[key]), nw.String, backend=space)


def cell_texts(column: Any) -> list[str | None]:
    """Write the labels of a column of any type as text, None for missing ones."""
    pairs = zip(column.to_list(), column.is_null().to_list(), strict=True)
    return [None if missing else _cell_text(value) for value, missing in pairs]


def _cell_text(value: Any) -> str:
    """Write a label of any type as text, whole numbers as their digits."""
    if isinstance(value, bool | np.bool_):
        return "true" if value else "false"
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    if isinstance(value, str | int | np.integer):
        return str(value)
    message = f"A cell must hold a string or a whole number; got {value!r}."
    raise InputError(message, hint="Turn the column into strings first.")


def _check_ids(rows: Any, *, title: str, key: str) -> None:
    counts = rows.lazy().select(key).group_by(key).agg(nw.len().alias("n"))
    wrong = counts.filter((nw.col("n") > 1) | nw.col(key).is_null())
    bad = arrow_table(wrong.sort(key, nulls_last=True)).to_pylist()
    _refuse_missing(sum(row["n"] for row in bad if row[key] is None), title)
    if bad:
        ids = listed([row[key] for row in bad], most=_LISTED)
        message = f"{title} must have different ids; {ids} more than once."
        raise InputError(message)
