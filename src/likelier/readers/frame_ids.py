"""Examples of the items of a data frame on which systems differ."""

from functools import reduce
from operator import or_
from typing import Any

import narwhals as nw
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from narwhals.exceptions import NarwhalsError

from likelier.data.differing_items import EXAMPLES, Naming
from likelier.readers.cells import decoded, has_text
from likelier.readers.examples import NUMBERED
from likelier.readers.kinds import Roles

_KEY, _SIZE, _PLACE = "key", "size", "place"
# Engines may round another way.
_SLACK = 1e-6


def frame_names(rows: Any, part: Roles, table: Any) -> Naming | None:
    """Name items of counted patterns, or tell that nothing can be named.

    Without ids, rows of an eager frame are called by their number, from 0, as in
    messages; a lazy one has no order of rows.

    Parameters
    ----------
    rows
        The frame, its columns named by their places in `part`.
    part
        What the columns are.
    table
        The patterns, as an Arrow table.
    """
    lazy = isinstance(rows, nw.LazyFrame)
    if len(part.systems) < 2 or (lazy and part.id is None):
        return None
    keys = [f"c{i}" for i in range(len(part.grouped))]

    def names(wanted: Any) -> list[list[str]]:
        patterns = [decoded(table[key]).take(wanted) for key in keys]
        try:
            found = _differing(_keyed(rows, part), part, patterns)
            some = _some(found, keys) if lazy else found.to_arrow()
        except (NarwhalsError, NotImplementedError):
            return [[] for _ in wanted]  # the engine cannot; examples are not needed
        ids = _least(some, keys, numbered=part.id is None)
        told = zip(*(column.to_pylist() for column in patterns), strict=True)
        return [ids.get(pattern, []) for pattern in told]

    return names


def row_names(ids: Any | None) -> Naming:
    """Name rows by their ids, or else by their numbers."""
    texts = None if ids is None else _texts(decoded(ids))

    def names(wanted: Any) -> list[list[str]]:
        if texts is None:
            return [[f"row {row}"] for row in wanted.tolist()]
        return [[text] for text in texts.take(wanted).to_pylist()]

    return names


def _keyed(rows: Any, part: Roles) -> Any:
    """Add what a row is called."""
    if part.id is None:
        few = rows if part.kind == "scores" else rows.head(NUMBERED)
        return few.with_row_index(_KEY)
    return rows.with_columns(nw.col(f"c{len(part.grouped)}").alias(_KEY))


def _differing(rows: Any, part: Roles, patterns: list[Any]) -> Any:
    """Keep rows on which systems differ; of scores, as much as the patterns do."""
    schema = rows.collect_schema()
    first = int(part.gold is not None)
    said = [f"c{i}" for i in range(first, len(part.cells))]
    kinds = {schema[name] for name in said}
    if part.kind == "scores" and all(kind.is_numeric() for kind in kinds):
        numbers = [nw.col(name).cast(nw.Float64) for name in said]
        spread = nw.max_horizontal(*numbers) - nw.min_horizontal(*numbers)
        values = np.array([column.to_pylist() for column in patterns[: len(said)]])
        least = float(np.ptp(values.astype(float), axis=0).min(initial=np.inf))
        return rows.filter(spread >= least * (1 - _SLACK))
    plain = len(kinds) == 1 and not kinds & {nw.Categorical, nw.Enum, nw.Object}
    cells = [nw.col(name) if plain else nw.col(name).cast(nw.String) for name in said]
    return rows.filter(reduce(or_, (cells[0] != other for other in cells[1:])))


def _some(rows: Any, keys: list[str]) -> Any:
    """Collect but a few rows of each pattern from an engine that has many."""
    text = nw.col(_KEY).cast(nw.String)
    sized = rows.with_columns(text.alias(_KEY), text.str.len_chars().alias(_SIZE))
    place = nw.col(_KEY).cum_count().over(*keys, order_by=[_SIZE, _KEY])
    few = sized.with_columns(place.alias(_PLACE)).filter(nw.col(_PLACE) <= EXAMPLES)
    return few.collect().to_arrow()


def _least(
    found: Any, keys: list[str], *, numbered: bool
) -> dict[tuple[Any, ...], list[str]]:
    """Give the least ids of each pattern, the shortest first."""
    columns = {key: decoded(found[key]) for key in keys}
    texts = _texts(decoded(found[_KEY]))
    if numbered:
        texts = pc.binary_replace_slice(texts, 0, 0, "row ")
    table = pa.table(columns | {_KEY: texts, _SIZE: pc.utf8_length(texts)})
    table = table.sort_by([(_SIZE, "ascending"), (_KEY, "ascending")])
    # One thread keeps the order.
    grouped = table.group_by(keys, use_threads=False).aggregate([(_KEY, "list")])
    few = pc.list_slice(grouped[f"{_KEY}_list"], 0, EXAMPLES).to_pylist()
    patterns = zip(*(grouped[key].to_pylist() for key in keys), strict=True)
    return dict(zip(patterns, few, strict=True))


def _texts(column: Any) -> Any:
    """Write ids as text, whole numbers as their digits."""
    if has_text(column.type):
        return pc.cast(column, pa.large_string())
    texts = [_text(value) for value in column.to_pylist()]
    return pa.array(texts, pa.large_string())


def _text(value: Any) -> str:
    whole = isinstance(value, float) and value.is_integer()
    return str(int(value)) if whole else str(value)
