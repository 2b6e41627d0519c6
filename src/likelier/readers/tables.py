"""A file of any format as a table that DuckDB can query."""

from collections.abc import Sequence
from os import PathLike
from typing import Any

from likelier.errors import InputError
from likelier.findings import Finding
from likelier.readers.delimited import Delimited, open_delimited
from likelier.readers.engine import connected, fetch
from likelier.readers.formats import File, detect
from likelier.readers.jsonl import JsonLines, open_jsonl
from likelier.readers.kinds import check_columns, check_header
from likelier.readers.parquet import Parquet, open_parquet

Table = Delimited | JsonLines | Parquet


def open_table(con: Any, file: File) -> Table:
    """Open a file as its format asks for, and check its header."""
    table: Table
    if file.form == "parquet":
        table = open_parquet(con, file)
    elif file.form == "jsonl":
        table = open_jsonl(file)
    else:
        table = open_delimited(file)
    check_header(table.names, table=file.shown)
    return table


def column_names(path: str | PathLike[str]) -> tuple[str, ...]:
    """Return the names of the columns of a file of any known format."""
    file = detect(path)
    with connected([file]) as con:
        return open_table(con, file).names


def load(
    con: Any,
    table: Table,
    wanted: Sequence[str],
    *,
    view: str,
    lists: Sequence[str] = (),
    closed: bool = False,
) -> None:
    """Make the wanted columns known to the database as c0, c1, … of a view.

    Parameters
    ----------
    con
        The database.
    table
        An open file.
    wanted
        The columns.
    view
        What to call the view.
    lists
        Columns of sets.
    closed
        Whether the columns of the table are all there may be.
    """
    if isinstance(table, JsonLines):
        # A key may be absent from the first object; reading tells.
        table.load(con, wanted, view=view, lists=lists, closed=closed)
        return
    check_columns(wanted, table.names, table=table.file.shown)
    table.load(con, wanted, view=view)


def check_rows(table: Table, n_rows: int) -> None:
    """Refuse a file of which DuckDB gave other rows than we counted."""
    if table.n_rows is not None and table.n_rows != n_rows:
        message = (
            f"{table.file.shown} must stay as it is while it is read; "
            f"it had {table.n_rows:,} rows, and then {n_rows:,}."
        )
        raise InputError(message)
    if n_rows == 0:
        message = f"{table.file.shown} must have at least one item; it has none."
        raise InputError(message)


def text_column(con: Any, view: str, column: str, *, shown: str) -> str:
    """Write the SQL that gives a column of ids as text, digits for whole numbers."""
    kind = str(con.sql(f"SELECT {column} FROM {view} LIMIT 0").types[0])
    if kind.startswith(("FLOAT", "DOUBLE", "DECIMAL")):
        odd = f"SELECT 1 FROM {view} WHERE {column} <> trunc({column}) LIMIT 1"
        if not fetch(con, odd, shown=shown).num_rows:
            return f"CAST(CAST({column} AS HUGEINT) AS VARCHAR)"
    if kind.endswith("INT") or kind in ("VARCHAR", "INTEGER", "BOOLEAN", "UUID"):
        return f"CAST({column} AS VARCHAR)"
    message = f"{shown} must have strings or whole numbers as ids; got {kind}."
    raise InputError(message, hint="Turn the ids into strings first.")


def cut_findings(tables: Sequence[Table]) -> tuple[Finding, ...]:
    """Remark on text files that end without a line end."""
    return tuple(
        Finding(
            "LIK103",
            f"{table.file.shown} does not end in a line end: it may be cut off in the "
            "last row, which was read as it stands",
            severity="problem",
        )
        for table in tables
        if table.cut
    )
