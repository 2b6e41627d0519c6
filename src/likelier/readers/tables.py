"""Table files of any format as tables that DuckDB can query."""

from collections.abc import Callable, Sequence
from os import PathLike
from typing import Any, NamedTuple

from likelier.errors import InputError
from likelier.readers.columns import check_header
from likelier.readers.delimited import is_csv, is_tsv, open_delimited
from likelier.readers.engine import Engine, Table, connected
from likelier.readers.file import File, find_file
from likelier.readers.foreign import refuse_foreign
from likelier.readers.item_ids import joined_sql
from likelier.readers.json_document import is_document, open_document
from likelier.readers.jsonl import is_jsonl, open_jsonl
from likelier.readers.parquet import is_parquet, open_parquet


class TableFormat(NamedTuple):
    """A format of table files: its name, how it starts, and how it is opened."""

    name: str
    sniff: Callable[[File], bool]
    open: Callable[[Engine, File], Table]


# In the order in which they look at a file; the last one takes any.
TABLE_FORMATS = (
    TableFormat("parquet", is_parquet, open_parquet),
    TableFormat("json", is_document, open_document),
    TableFormat("jsonl", is_jsonl, open_jsonl),
    TableFormat("tsv", is_tsv, open_delimited),
    TableFormat("csv", is_csv, open_delimited),
)


def open_table(engine: Engine, file: File) -> Table:
    """Open a file by its format, and check its header."""
    refuse_foreign(file.start, file.name)
    table = table_format(file).open(engine, file)
    check_header(table.names, table=file.name)
    return table


def table_format(file: File) -> TableFormat:
    """Return the format of a table file."""
    return next(form for form in TABLE_FORMATS if form.sniff(file))


def column_names(path: str | PathLike[str]) -> tuple[str, ...]:
    """Return the names of the columns of a table file."""
    file = find_file(path)
    with connected([file]) as engine:
        return open_table(engine, file).names


def load_rows(
    engine: Engine,
    table: Table,
    columns: Sequence[str],
    *,
    text: bool = False,
    numbers: Sequence[str] = (),
) -> Any:
    """Return columns of a table in the order of the file, as an Arrow table.

    Parameters
    ----------
    engine
        The database.
    table, columns
        What to read.
    text
        Whether cells of all types become text.
    numbers
        Columns whose cells become numbers.
    """
    if text:
        table.load(engine, columns, view="loaded")
        keys = ", ".join(f"CAST(c{i} AS VARCHAR) AS c{i}" for i in range(len(columns)))
        rows = engine.fetch(f"SELECT {keys} FROM loaded", name=table.file.name)
    else:
        rows = table.rows(engine, columns, numbers=numbers)
    check_rows(table, rows.num_rows)
    return rows.rename_columns(list(columns))


def check_rows(table: Table, n_rows: int) -> None:
    """Refuse a file of which DuckDB gave other rows than we counted."""
    if table.n_rows is not None and table.n_rows != n_rows:
        message = (
            f"{table.file.name} must stay as it is while it is read; "
            f"it had {table.n_rows:,} rows, and then {n_rows:,}."
        )
        raise InputError(message)
    if n_rows == 0:
        message = f"{table.file.name} must have at least one item; it has none."
        raise InputError(message)


def check_filled(cells: Sequence[Any], table: Table, column: str) -> None:
    """Refuse a column with a missing cell, and name the line of the first."""
    if None in cells:
        line = table.locate([cells.index(None)])[0]
        message = f"{line}: column {column!r} must have a value in every row."
        raise InputError(message)


def read_columns(
    path: str | PathLike[str], columns: Sequence[str], *, empty: Sequence[str] = ()
) -> tuple[dict[str, list[str]], int]:
    """Read columns as text in the order of the file, and count its rows.

    Parameters
    ----------
    path
        A table file.
    columns
        The columns; none of their cells may be missing.
    empty
        Columns of which a missing cell is an empty text.
    """
    file = find_file(path)
    with connected([file]) as engine:
        table = open_table(engine, file)
        names = list(columns) or [table.names[0]]
        rows = load_rows(engine, table, names, text=True)
    texts = {name: rows[name].to_pylist() for name in columns}
    for name in empty:
        texts[name] = [cell or "" for cell in texts[name]]
    for name, cells in texts.items():
        check_filled(cells, table, name)
    return texts, int(rows.num_rows)


def id_text(engine: Engine, view: str, columns: Sequence[str], *, name: str) -> str:
    """Return the SQL of ids as text, digits for whole numbers."""
    return joined_sql([_part_text(engine, view, part, name=name) for part in columns])


def _part_text(engine: Engine, view: str, column: str, *, name: str) -> str:
    kind = engine.types(view)[column]
    if kind.startswith(("FLOAT", "DOUBLE", "DECIMAL")):
        odd = f"SELECT 1 FROM {view} WHERE {column} <> trunc({column}) LIMIT 1"
        if not engine.fetch(odd, name=name).num_rows:
            return f"CAST(CAST({column} AS HUGEINT) AS VARCHAR)"
    if kind.endswith("INT") or kind in ("VARCHAR", "INTEGER", "BOOLEAN", "UUID"):
        return f"CAST({column} AS VARCHAR)"
    message = f"{name} must have strings or whole numbers as ids; got {kind}."
    raise InputError(message, hint="Turn the ids into strings first.")
