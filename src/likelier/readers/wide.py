"""One table with a column per system."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from likelier.errors import InputError
from likelier.readers.engine import fetch
from likelier.readers.examples import counted_sql, rows_sql
from likelier.readers.formats import File
from likelier.readers.joining import check_ids
from likelier.readers.kinds import Roles, check_columns, roles
from likelier.readers.sources import (
    FileOrigin,
    Reading,
    Source,
    Wish,
    file_ids,
    file_outcomes,
)
from likelier.readers.tables import (
    Table,
    check_rows,
    cut_findings,
    load,
    open_table,
    text_column,
)


def read_wide(con: Any, file: File, wish: Wish) -> Reading:
    """Read one table with a column per system."""
    table = open_table(con, file)
    part = _wide_roles(table, wish)
    lists = part.cells if part.kind == "sets" else ()
    closed = wish.systems is None
    load(con, table, part.columns, view="wide", lists=lists, closed=closed)
    key = None
    if part.id is not None:
        key = text_column(con, "wide", f"c{len(part.grouped)}", shown=file.shown)
        check_ids(con, table, view="wide", column=key, name=part.id)
    sources = tuple(
        Source(table, name, f"SELECT c{i} FROM wide")
        for i, name in enumerate(part.grouped)
    )
    origin = FileOrigin(con, sources)
    columns = [f"c{i}" for i in range(len(part.grouped))]
    said = columns[part.gold is not None : len(part.cells)]
    keys = ", ".join(columns)
    one_by_one = rows_sql("wide", keys, key)
    sql = one_by_one
    if part.kind != "sets":
        sql = counted_sql("wide", keys, said if part.kind == "labels" else (), key)
    rows = fetch(con, sql, shown=file.shown)
    check_rows(table, _n_rows(rows, part))
    ids = file_ids(con, rows, part, one_by_one, shown=file.shown)
    outcomes = file_outcomes(
        rows, part, origin=origin, separator=wish.separator, ids=ids
    )
    return Reading(replace(outcomes, findings=cut_findings([table])))


def _wide_roles(table: Table, wish: Wish) -> Roles:
    systems = wish.systems
    if systems is None:
        taken = (wish.gold, wish.id, wish.cluster)
        systems = [name for name in table.names if name not in taken]
        if wish.kind != "scores":
            check_columns([wish.gold], table.names, table=table.file.shown)
        _check_named(systems, table)
    return roles(
        kind=wish.kind,
        gold=wish.gold,
        systems=systems,
        cluster=wish.cluster,
        id=wish.id,
    )


def _check_named(systems: Sequence[str], table: Table) -> None:
    shown = table.file.shown
    if not systems:
        message = f"{shown} must have a column for each system; it has none."
        raise InputError(message)
    if "" in systems:
        message = f"{shown} must have a name for every column; one has none."
        raise InputError(message, hint="Name the systems that are to be read.")


def _n_rows(rows: Any, part: Roles) -> int:
    if part.kind == "sets":
        return int(rows.num_rows)
    return sum(rows["n"].to_pylist())
