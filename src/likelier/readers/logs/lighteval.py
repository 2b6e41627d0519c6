"""Details of lighteval: ``details_<task>|<few-shot>_<date>.parquet``."""

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from likelier.errors import InputError
from likelier.readers.engine import Engine, connected, path_literal
from likelier.readers.file import File
from likelier.readers.logs.json_records import digest
from likelier.readers.logs.lighteval_run import Run
from likelier.readers.logs.log import Log, LogFormat
from likelier.readers.logs.repeated_rows import RepeatedRows, sort_scores
from likelier.readers.parquet import check_footer, check_texts

_NAME = re.compile(r"details_(.+?)(?:_(\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d[.\d]*))?$")
# Columns by version: the item, the values and the answer.
_LAYOUTS = (
    ("doc", "metric", "model_response"),
    ("__doc__", "__metric__", "__model_response__"),
    ("example", "metrics", "predictions"),
)
_CONTENT = ("query", "choices", "gold_index")


def is_lighteval(file: File) -> bool:
    """Return whether a Parquet file has the columns of details."""
    if file.packed or not file.start.startswith(b"PAR1"):
        return False
    from pyarrow import ArrowException, parquet

    try:
        names = parquet.read_schema(file.path).names
    except (ArrowException, OSError, ValueError):
        return False
    return _layout(names) is not None


def _layout(names: Sequence[str]) -> tuple[str, str, str] | None:
    return next((layout for layout in _LAYOUTS if set(layout) <= set(names)), None)


def read_lighteval(file: File) -> Iterator[Log]:
    """Read the details of one task."""
    with connected([file]) as engine:
        column, items, values = _fetch(engine, file)
    rows, hashes = RepeatedRows(), list[str | None]()
    for number, (item, own) in enumerate(zip(items, values, strict=True), 1):
        fields = item if isinstance(item, dict) else {"query": item}
        scores = _values(own, f"{file.name}: row {number}")
        rows.add(_item(fields), scores, number)
        hashes.append(digest([fields.get(name) for name in _CONTENT]))
    if not rows.items:
        message = f"{file.name} must have at least one row; it has none."
        raise InputError(message)
    yield _log(file, rows, hashes, column)


def _fetch(engine: Engine, file: File) -> tuple[str, list[Any], list[Any]]:
    """Return the item's column, fields of items, and values by metric."""
    check_footer(engine, file)
    source = f"read_parquet({path_literal(file)})"
    empty = engine.fetch(f"SELECT * FROM {source} LIMIT 0", name=file.name)
    layout = _layout(empty.column_names)
    if layout is None:
        message = f"{file.name} must have the columns {', '.join(_LAYOUTS[0])}."
        raise InputError(message)
    item, values, _ = layout
    known = _struct_fields(empty.schema.field(item).type)
    parts = {n: f'"{item}"."{n}"' for n in ("id", *_CONTENT) if n in known}
    if not parts:
        # Before 2025 the fields of an item were columns, and it had no id.
        flat = [name for name in _CONTENT[1:] if name in empty.column_names]
        parts = {"query": f'"{item}"'} | {name: f'"{name}"' for name in flat}
    picked = ", ".join(f"'{name}': {sql}" for name, sql in parts.items())
    sql = f'SELECT {{{picked}}} AS item, "{values}" AS scores FROM {source}'
    check_texts(engine, file, sql)
    table = engine.fetch(sql, name=file.name)
    return item, table.column(0).to_pylist(), table.column(1).to_pylist()


def _struct_fields(kind: Any) -> list[str]:
    from pyarrow import types

    if not types.is_struct(kind):
        return []
    return [kind.field(i).name for i in range(kind.num_fields)]


def _fields(file: File, column: str) -> tuple[str, ...]:
    """Return the dotted names of texts, numbers and booleans of an item."""
    from pyarrow import parquet

    kind = parquet.read_schema(file.path).field(column).type
    return tuple(_leaves(kind, column))


def _leaves(kind: Any, name: str) -> Iterator[str]:
    from pyarrow import types

    if types.is_struct(kind):
        for i in range(kind.num_fields):
            child = kind.field(i)
            # The name of a field could not be told from a path.
            if "." not in child.name:
                yield from _leaves(child.type, f"{name}.{child.name}")
    elif not (types.is_nested(kind) or types.is_null(kind)):
        yield name


def _field(file: File, name: str) -> list[Any]:
    path = ".".join(_quoted(part) for part in name.split("."))
    with connected([file]) as engine:
        sql = f"SELECT {path} FROM read_parquet({path_literal(file)})"
        check_texts(engine, file, sql)
        return list(engine.fetch(sql, name=file.name).column(0).to_pylist())


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _item(fields: Mapping[str, Any]) -> str:
    id_ = fields.get("id")
    return digest(fields.get("query"))[:16] if id_ in (None, "") else str(id_)


def _values(values: Any, where: str) -> dict[str, Any]:
    """Return values by metric; lighteval writes text where types of rows differ."""
    content = values
    if isinstance(values, str):
        try:
            content = ast.literal_eval(values)
        except (ValueError, SyntaxError, TypeError, RecursionError, MemoryError):
            content = values
    if content is None:
        return {}
    if not isinstance(content, dict):
        message = f"{where}: metrics must be an object; got {str(content)[:60]!r}."
        raise InputError(message)
    return {str(name): value for name, value in content.items()}


def _log(file: File, rows: RepeatedRows, hashes: list[str | None], column: str) -> Log:
    def locate(row: int) -> str:
        return f"{file.name}: row {rows.records[row]}"

    def look_up(name: str, wanted: Sequence[int] | None) -> list[Any]:
        if name not in fields:
            return [None] * len(rows.items if wanted is None else wanted)
        values = _field(file, name)
        return values if wanted is None else [values[row] for row in wanted]

    scores, unusable = sort_scores(rows.whole_columns(), locate)
    name = _NAME.match(file.bare.stem)
    task, date = (name[1], name[2]) if name else (file.bare.stem, None)
    run = Run.of(file, date)
    text = column if column == "example" else f"{column}.query"
    fields = _fields(file, column)
    return Log(
        file=file,
        format=FORMAT.name,
        version=run.version,
        system=run.system or file.path.parent.name,
        task=task,
        run=date,
        items=rows.items,
        repeats=rows.known_repeats,
        locate=locate,
        scores=scores,
        unusable=unusable,
        higher_is_better=run.higher_is_better(task),
        errors=rows.errors(),
        hashes={"item": hashes},
        conditions=run.conditions(task),
        fields=fields,
        text=text if text in fields else None,
        look_up=look_up,
    )


FORMAT = LogFormat("lighteval", is_lighteval, read_lighteval, ("results_*.json",))
