"""Examples of the items of data frames on which systems differ: ids and texts."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import reduce
from operator import or_
from typing import Any

import narwhals as nw
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from narwhals.exceptions import NarwhalsError

from likelier.data.item_examples import EXAMPLES, Naming, Texts
from likelier.errors import InputError
from likelier.readers.cell_checks import decoded, has_text
from likelier.readers.columns import Columns
from likelier.readers.counting import NUMBERED

_KEY, _SIZE, _RANK = "key", "size", "rank"
# Engines may round another way.
_SLACK = 1e-6


def arrow_table(frame: Any) -> Any:
    """Collect a frame as an Arrow table."""
    with valid_unicode():
        collected = frame.collect() if isinstance(frame, nw.LazyFrame) else frame
        return collected.to_arrow()


@contextmanager
def valid_unicode() -> Iterator[None]:
    """Refuse strings that are no Unicode."""
    try:
        yield
    except UnicodeEncodeError as error:
        message = f"Labels must be valid Unicode; got {error.object!r}."
        raise InputError(message) from error


def names_of_patterns(rows: Any, columns: Columns, patterns: Any) -> Naming | None:
    """Name items of counted patterns; None where nothing can be named.

    Without ids, rows of an eager frame are called by their number, from 0, as in
    messages; a lazy one has no order of rows.
    """
    lazy = isinstance(rows, nw.LazyFrame)
    if len(columns.systems) < 2 or (lazy and not columns.id):
        return None
    keys = columns.keys

    def names(numbers: Any) -> list[list[Any]]:
        picked = [decoded(patterns[key]).take(numbers) for key in keys]
        try:
            differing = _differing(_keyed(rows, columns), columns, picked)
            some = _collect_some(differing, keys) if lazy else differing.to_arrow()
        except (NarwhalsError, NotImplementedError):
            return [[] for _ in numbers]  # the engine cannot; examples are not needed
        ids = _least_keys(some, keys, numbered=not columns.id)
        cells = zip(*(column.to_pylist() for column in picked), strict=True)
        return [ids.get(pattern, []) for pattern in cells]

    return names


def names_of_rows(ids: Any | None) -> Naming:
    """Name rows by their ids, or else by their numbers."""
    if ids is None:
        return lambda numbers: [[row] for row in numbers.tolist()]
    texts = _id_texts(decoded(ids))
    return lambda numbers: [[text] for text in texts.take(numbers).to_pylist()]


def _keyed(rows: Any, columns: Columns) -> Any:
    """Add a column with what a row is called, and leave the texts out."""
    rows = rows.drop(columns.text_keys)
    if not columns.id:
        few = rows if columns.of_numbers else rows.head(NUMBERED)
        return few.with_row_index(_KEY)
    return rows.with_columns(nw.col(columns.id_key).alias(_KEY))


def _differing(rows: Any, columns: Columns, patterns: list[Any]) -> Any:
    """Select rows on which systems differ; of scores, as much as the patterns do."""
    schema = rows.collect_schema()
    systems = columns.system_keys
    kinds = {schema[name] for name in systems}
    if columns.of_numbers and all(kind.is_numeric() for kind in kinds):
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


def _least_keys(
    rows: Any, keys: list[str], *, numbered: bool
) -> dict[tuple[Any, ...], list[Any]]:
    """Return the least numbers or ids of each pattern, the shortest ids first."""
    columns = {key: decoded(rows[key]) for key in keys}
    items = decoded(rows[_KEY]) if numbered else _id_texts(decoded(rows[_KEY]))
    sizes = items if numbered else pc.utf8_length(items)
    table = pa.table(columns | {_KEY: items, _SIZE: sizes})
    table = table.sort_by([(_SIZE, "ascending"), (_KEY, "ascending")])
    # One thread keeps the order.
    grouped = table.group_by(keys, use_threads=False).aggregate([(_KEY, "list")])
    few = pc.list_slice(grouped[f"{_KEY}_list"], 0, EXAMPLES).to_pylist()
    patterns = zip(*(grouped[key].to_pylist() for key in keys), strict=True)
    return dict(zip(patterns, few, strict=True))


def texts_of_rows(rows: Any, columns: Columns) -> Texts | None:
    """Look up texts by ids, or by the numbers of rows; None where there are none."""
    lazy = isinstance(rows, nw.LazyFrame)
    if columns.text is None or (lazy and not columns.id):
        return None
    (text,) = columns.text_keys

    def texts(keys: Sequence[Any]) -> list[Any]:
        if not columns.id:
            return _values(rows[text][list(keys)])
        both = rows.select(columns.id_key, text)
        try:
            some = _with_ids(both, columns.id_key, keys, lazy=lazy)
        except (NarwhalsError, NotImplementedError):
            return [None] * len(keys)  # the engine cannot; texts are not needed
        ids = _id_texts(decoded(arrow_table(some.select(columns.id_key))[0]))
        by_id = dict(zip(ids.to_pylist(), _values(some[text]), strict=True))
        return [by_id.get(key) for key in keys]

    return texts


def _with_ids(rows: Any, column: str, keys: Sequence[str], *, lazy: bool) -> Any:
    """Collect the rows with some ids."""
    if lazy:
        return rows.filter(nw.col(column).cast(nw.String).is_in(keys)).collect()
    ids = _id_texts(decoded(arrow_table(rows.select(column))[0]))
    wanted = pc.is_in(ids, value_set=pa.array(keys, ids.type))
    return rows[pc.indices_nonzero(wanted).to_pylist()]


def _values(column: Any) -> list[Any]:
    """Return the values of a column, None for missing ones of any kind."""
    pairs = zip(column.to_list(), column.is_null().to_list(), strict=True)
    return [None if missing else value for value, missing in pairs]


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
