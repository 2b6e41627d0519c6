"""Data frames of any engine that narwhals knows: pandas, Polars, Arrow, DuckDB, ….

The engine groups and counts; only the distinct patterns are collected.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import reduce
from operator import or_
from typing import Any

import narwhals as nw
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from narwhals.exceptions import NarwhalsError

from likelier.data.differing_items import EXAMPLES, Naming
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
    NUMBERED,
    count_patterns,
    count_sets,
    decoded,
    has_text,
)
from likelier.readers.reader import ReadRequest

_LISTED = 5
_KEY, _SIZE, _RANK = "key", "size", "rank"
# Engines may round another way.
_SLACK = 1e-6


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
    request = ReadRequest(
        kind=check_kind(kind), gold=gold, systems=systems, id=id, cluster=cluster
    )
    columns = table_columns(request, systems)
    rows = _selected(_wrapped(frame), columns)
    if columns.id is not None:
        _check_ids(rows, column=columns.id, key=f"c{len(columns.grouped)}")
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
        return _arrow(self.rows.select(f"c{column}")).column(0)

    def locate(self, _column: int, rows: Sequence[int]) -> list[str]:
        """Name rows by their numbers, from 0."""
        return [f"row {row}" for row in rows]

    def count(self, _metric: str | None = None) -> Outcomes:
        """Count the items in the engine; any metric speaks of all of them."""
        if self.columns.kind == "sets":
            return self._count_sets()
        keys = self.columns.keys
        with _unicode():
            grouped = self.rows.lazy().select(*keys).group_by(*keys)
            patterns = _arrow(grouped.agg(nw.len().alias("n")))
        names = _pattern_names(self.rows, self.columns, patterns)
        return count_patterns(self, patterns, classes=self.classes, ids=names)

    def _count_sets(self) -> Outcomes:
        collected, columns = self.rows.lazy().collect(), self.columns
        if len(collected) == 0:
            message = "There must be at least one item; the frame has none."
            raise InputError(message)
        keys = [f"c{i}" for i in range(len(columns.names))]
        sets = [collected[key].to_list() for key in keys[: len(columns.cells)]]
        cluster = ids = None
        if columns.cluster is not None:
            cluster = _arrow(collected.select(keys[len(columns.cells)]))[0]
        if columns.id is not None:
            ids = _arrow(collected.select(keys[-1]))[0]
        names = _row_names(ids)
        return count_sets(self, sets, cluster=cluster, classes=self.classes, ids=names)


def _wrapped(frame: Any) -> Any:
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
    keys = [f"c{i}" for i in range(len(columns.names))]
    rows = frame.select(
        *(nw.col(n).alias(k) for n, k in zip(columns.names, keys, strict=True))
    )
    if rows.implementation.is_pyarrow():
        return nw.from_native(rows.to_native().unify_dictionaries())
    if isinstance(rows, nw.LazyFrame):
        return rows
    schema = rows.collect_schema()
    plain = keys[len(columns.cells) :] if columns.kind == "sets" else keys
    mixed = [_as_text(rows, key) for key in plain if schema[key] == nw.Object]
    return rows.with_columns(*mixed) if mixed else rows


def _check_flat(schema: Any, columns: Columns) -> None:
    for name in columns.grouped:
        if schema[name].is_nested():
            message = f"Column {name!r} must hold one value per item; got lists."
            raise InputError(message, hint="Lists of labels are of the kind 'sets'.")


def _as_text(rows: Any, key: str) -> Any:
    """Write Python objects as text before grouping: 1, 1.0 and True are one key."""
    space = rows.implementation.to_native_namespace()
    with _unicode():
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


def _check_ids(rows: Any, *, column: str, key: str) -> None:
    counts = rows.lazy().select(key).group_by(key).agg(nw.len().alias("n"))
    wrong = counts.filter((nw.col("n") > 1) | nw.col(key).is_null())
    bad = _arrow(wrong.sort(key, nulls_last=True)).to_pylist()
    missing = sum(row["n"] for row in bad if row[key] is None)
    if missing:
        message = (
            f"Column {column!r} must have an id for every item; {missing} have none."
        )
        raise InputError(message)
    if bad:
        ids = listed([row[key] for row in bad], most=_LISTED)
        message = f"Column {column!r} must have different ids; {ids} more than once."
        raise InputError(message)


# --- examples of the items on which systems differ -----------------------------


def _pattern_names(rows: Any, columns: Columns, patterns: Any) -> Naming | None:
    """Name items of counted patterns; None where nothing can be named.

    Without ids, rows of an eager frame are called by their number, from 0, as in
    messages; a lazy one has no order of rows.
    """
    lazy = isinstance(rows, nw.LazyFrame)
    if len(columns.systems) < 2 or (lazy and columns.id is None):
        return None
    keys = columns.keys

    def names(numbers: Any) -> list[list[str]]:
        picked = [decoded(patterns[key]).take(numbers) for key in keys]
        try:
            differing = _differing(_keyed(rows, columns), columns, picked)
            some = _collect_some(differing, keys) if lazy else differing.to_arrow()
        except (NarwhalsError, NotImplementedError):
            return [[] for _ in numbers]  # the engine cannot; examples are not needed
        ids = _least_ids(some, keys, numbered=columns.id is None)
        cells = zip(*(column.to_pylist() for column in picked), strict=True)
        return [ids.get(pattern, []) for pattern in cells]

    return names


def _row_names(ids: Any | None) -> Naming:
    """Name rows by their ids, or else by their numbers."""
    if ids is None:
        return lambda numbers: [[f"row {row}"] for row in numbers.tolist()]
    texts = _id_texts(decoded(ids))
    return lambda numbers: [[text] for text in texts.take(numbers).to_pylist()]


def _keyed(rows: Any, columns: Columns) -> Any:
    """Add a column with what a row is called."""
    if columns.id is None:
        few = rows if columns.kind == "scores" else rows.head(NUMBERED)
        return few.with_row_index(_KEY)
    return rows.with_columns(nw.col(f"c{len(columns.grouped)}").alias(_KEY))


def _differing(rows: Any, columns: Columns, patterns: list[Any]) -> Any:
    """Select rows on which systems differ; of scores, as much as the patterns do."""
    schema = rows.collect_schema()
    systems = columns.system_keys
    kinds = {schema[name] for name in systems}
    if columns.kind == "scores" and all(kind.is_numeric() for kind in kinds):
        numbers = [nw.col(name).cast(nw.Float64) for name in systems]
        spread = nw.max_horizontal(*numbers) - nw.min_horizontal(*numbers)
        values = np.array([column.to_pylist() for column in patterns[: len(systems)]])
        least = float(np.ptp(values.astype(float), axis=0).min(initial=np.inf))
        return rows.filter(spread >= least * (1 - _SLACK))
    plain = len(kinds) == 1 and not kinds & {nw.Categorical, nw.Enum, nw.Object}
    cells = [nw.col(n) if plain else nw.col(n).cast(nw.String) for n in systems]
    return rows.filter(reduce(or_, (cells[0] != other for other in cells[1:])))


def _collect_some(rows: Any, keys: list[str]) -> Any:
    """Collect but a few rows of each pattern from an engine that has many."""
    text = nw.col(_KEY).cast(nw.String)
    sized = rows.with_columns(text.alias(_KEY), text.str.len_chars().alias(_SIZE))
    rank = nw.col(_KEY).cum_count().over(*keys, order_by=[_SIZE, _KEY])
    few = sized.with_columns(rank.alias(_RANK)).filter(nw.col(_RANK) <= EXAMPLES)
    return few.collect().to_arrow()


def _least_ids(
    rows: Any, keys: list[str], *, numbered: bool
) -> dict[tuple[Any, ...], list[str]]:
    """Return the least ids of each pattern, the shortest first."""
    columns = {key: decoded(rows[key]) for key in keys}
    texts = _id_texts(decoded(rows[_KEY]))
    if numbered:
        texts = pc.binary_replace_slice(texts, 0, 0, "row ")
    table = pa.table(columns | {_KEY: texts, _SIZE: pc.utf8_length(texts)})
    table = table.sort_by([(_SIZE, "ascending"), (_KEY, "ascending")])
    # One thread keeps the order.
    grouped = table.group_by(keys, use_threads=False).aggregate([(_KEY, "list")])
    few = pc.list_slice(grouped[f"{_KEY}_list"], 0, EXAMPLES).to_pylist()
    patterns = zip(*(grouped[key].to_pylist() for key in keys), strict=True)
    return dict(zip(patterns, few, strict=True))


def _id_texts(column: Any) -> Any:
    """Write ids as text, whole numbers as their digits."""
    if has_text(column.type):
        return pc.cast(column, pa.large_string())
    texts = [
        str(int(value))
        if isinstance(value, float) and value.is_integer()
        else str(value)
        for value in column.to_pylist()
    ]
    return pa.array(texts, pa.large_string())
