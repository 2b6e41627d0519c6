"""Parquet whose columns have other types than usual."""

import io
import random
from collections.abc import Callable, Iterator
from decimal import Decimal
from functools import partial
from typing import Any

import pyarrow as pa
from pyarrow import parquet
from tests.fuzz.inputs import Input, Inputs, Seed

_DAMAGED = (pa.ArrowException, ValueError, TypeError, OverflowError, ArithmeticError)
_TYPES = (
    *(pa.int8(), pa.int32(), pa.int64(), pa.uint8(), pa.uint64(), pa.bool_()),
    *(pa.float16(), pa.float32(), pa.float64(), pa.decimal128(38, 2), pa.null()),
    *(pa.decimal128(5, 5), pa.decimal256(60, 2), pa.string(), pa.large_string()),
    *(pa.binary(), pa.large_binary(), pa.binary(4), pa.date32(), pa.timestamp("us")),
    *(pa.timestamp("ns", "Europe/Rome"), pa.time64("us"), pa.duration("s")),
    *(pa.list_(pa.string()), pa.list_(pa.float64()), pa.list_(pa.null())),
    *(pa.struct([("x", pa.string())]), pa.map_(pa.string(), pa.int64())),
    *(pa.dictionary(pa.int8(), pa.string()), pa.string_view()),
    *(pa.list_(pa.list_(pa.int64())), pa.struct([("x", pa.list_(pa.null()))])),
)
_VALUES: tuple[Any, ...] = (
    *(None, "", "spam", "ham", b"spam", b"\xff\xfe", 0, 1, -1, 2**63 - 1, 2**64 - 1),
    *(0.5, float("nan"), float("inf"), 1e308, -0.0, True, False, Decimal("0.25")),
    *(["spam"], [], [None], {"x": "spam"}, {"x": None}, [0.5], [("k", 1)]),
)
_PACKINGS = ("none", "snappy", "gzip", "zstd", "lz4", "brotli")


def changed_types(seed: Seed) -> Inputs:
    """Return what yields a table with columns changed, without end."""
    (name,) = seed.damaged
    table = parquet.read_table(pa.BufferReader(seed.files[name]))

    def inputs(rng: random.Random) -> Iterator[Input]:
        while True:
            changed = table
            for _ in range(rng.choice([1, 1, 2])):
                changed = rng.choice(_CHANGES)(changed, rng)
            try:
                content = _written(changed, rng)
            except (*_DAMAGED, OSError):
                continue
            question = rng.choice(seed.questions)
            yield Input({name: content}, name, question, question.with_output(rng))

    return inputs


def _written(table: pa.Table, rng: random.Random) -> bytes:
    buffer = io.BytesIO()
    parquet.write_table(
        table,
        buffer,
        compression=rng.choice(_PACKINGS),
        row_group_size=rng.choice([1, 5, 100]),
        data_page_version=rng.choice(["1.0", "2.0"]),
        use_dictionary=rng.random() < 0.5,
        store_schema=rng.random() < 0.5,
        version=rng.choice(["1.0", "2.4", "2.6"]),
    )
    return buffer.getvalue()


def _with_column(table: pa.Table, rng: random.Random, make: Callable[..., Any]) -> Any:
    """Change the cells of one column, where they can be changed."""
    index = rng.randrange(table.num_columns)
    try:
        column = make(table.column(index), rng)
    except _DAMAGED:
        return table
    return table.set_column(index, table.column_names[index], column)


def _cast(column: Any, rng: random.Random) -> Any:
    return column.cast(rng.choice(_TYPES), safe=False)


def _filled(column: Any, rng: random.Random) -> Any:
    """Put values of a type into all cells."""
    values = rng.choices(_VALUES, k=rng.choice([1, 2]))
    cells = [rng.choice(values) for _ in range(len(column))]
    return pa.array(cells, rng.choice(_TYPES) if rng.random() < 0.7 else None)


def _holed(column: Any, rng: random.Random) -> Any:
    """Put a value into some cells."""
    value = rng.choice(_VALUES)
    cells = [value if rng.random() < 0.2 else cell for cell in column.to_pylist()]
    return pa.array(cells, column.type)


def _wrapped(column: Any, rng: random.Random) -> Any:
    """Put cells into lists or objects."""
    cells = column.to_pylist()
    if rng.random() < 0.5:
        return pa.array([[cell] * rng.randrange(3) for cell in cells])
    return pa.array([{"x": cell} for cell in cells])


def _packed(column: Any, rng: random.Random) -> Any:
    return column.dictionary_encode()


def _renamed(table: pa.Table, rng: random.Random) -> Any:
    names = list(table.column_names)
    others = [*names, "", " ", "a.x", "evaluation.score", "GOLD", "\x00", "x" * 999]
    names[rng.randrange(len(names))] = rng.choice(others)
    return table.rename_columns(names)


def _rows(table: pa.Table, rng: random.Random) -> Any:
    """Leave out rows, or repeat them."""
    start = rng.randrange(table.num_rows + 1)
    rows = table.slice(start, rng.choice([0, 1, table.num_rows]))
    return pa.concat_tables([rows] * rng.choice([1, 1, 2, 50]))


_CHANGES = (
    *(partial(_with_column, make=make) for make in (_cast, _filled, _holed, _wrapped)),
    *(partial(_with_column, make=make) for make in (_cast, _filled, _holed, _packed)),
    *(_renamed, _rows),
)
