"""The gold file and one file per system, joined on their ids."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from likelier.errors import InputError
from likelier.readers.engine import fetch, run
from likelier.readers.examples import IDS, counted_sql
from likelier.readers.formats import File
from likelier.readers.joining import check_ids, check_matches, joined_sql
from likelier.readers.kinds import (
    Roles,
    check_columns,
    check_kind,
    doubled,
    system_list,
)
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


def read_joined(con: Any, files: Sequence[File], wish: Wish) -> Reading:
    """Join the gold file and one file per system on their ids."""
    if wish.id is None:
        message = f"id must name the column that joins {len(files)} files; got None."
        raise InputError(message, hint="Rows are never paired by their position.")
    part = _joined_roles(files, wish)
    tables = [open_table(con, file) for file in files]
    sources = tuple(
        _load_one(con, table, i, wish=wish, part=part) for i, table in enumerate(tables)
    )
    for i in range(1, len(tables)):
        check_matches(con, ("t0", tables[0]), (f"t{i}", tables[i]))
    if part.cluster is not None:
        sql = "SELECT c1 FROM t0 ORDER BY r"
        sources = (*sources, Source(tables[0], part.cluster, sql))
    views = [f"t{i}" for i in range(len(tables))]
    one_by_one = joined_sql(views, cluster=part.cluster is not None)
    sql = one_by_one
    if part.kind != "sets":
        columns = [f"c{i}" for i in range(len(part.grouped))]
        said = columns[1 : len(part.cells)] if part.kind == "labels" else ()
        sql = counted_sql(f"({one_by_one})", ", ".join(columns), said, IDS)
    shown = files[0].shown
    rows = fetch(con, sql, shown=shown)
    ids = file_ids(con, rows, part, one_by_one, shown=shown)
    origin = FileOrigin(con, sources)
    outcomes = file_outcomes(
        rows, part, origin=origin, separator=wish.separator, ids=ids
    )
    return Reading(replace(outcomes, findings=cut_findings(tables)))


def _joined_roles(files: Sequence[File], wish: Wish) -> Roles:
    predicted = files if wish.kind == "scores" else files[1:]
    names = _file_names(predicted)
    if wish.systems is not None:
        given = system_list(wish.systems)
        if len(given) != len(names):
            message = (
                f"systems must name the {len(names)} files of systems; "
                f"got {len(given)} names."
            )
            raise InputError(message)
        names = list(given)
    elif doubled(names):
        message = f"Files of systems must have different names; got {doubled(names)}."
        raise InputError(message, hint="Name the systems yourself.")
    gold = None if wish.kind == "scores" else wish.gold
    return Roles(check_kind(wish.kind), gold, tuple(names), wish.cluster, wish.id)


def _file_names(files: Sequence[File]) -> list[str]:
    """Name systems by their files; with the folder where two are equal."""
    stems = [_stem(file) for file in files]
    twice = doubled(stems)
    return [
        f"{file.path.parent.name}/{stem}" if stem in twice else stem
        for file, stem in zip(files, stems, strict=True)
    ]


def _stem(file: File) -> str:
    path = file.path.with_suffix("") if file.packed else file.path
    return path.stem or path.name


def _load_one(con: Any, table: Table, i: int, *, wish: Wish, part: Roles) -> Source:
    """Put ids, cells and clusters of one file into a table of the database."""
    shown, key = table.file.shown, str(wish.id)
    if table.file.form != "jsonl":
        check_columns([key], table.names, table=shown)
    is_gold = i == 0 and part.gold is not None
    column = _label_column(table, wish, is_gold=is_gold)
    cluster = [part.cluster] if i == 0 and part.cluster is not None else []
    wanted = [column, *cluster, key]
    lists = [column] if part.kind == "sets" else []
    load(con, table, wanted, view=f"v{i}", lists=lists)
    last = f"c{len(wanted) - 1}"
    text = text_column(con, f"v{i}", last, shown=f"Column {key!r} of {shown}")
    cells = ", ".join(f"c{j}" for j in range(len(wanted) - 1))
    sql = (
        f"CREATE TEMP TABLE t{i} AS "
        f"SELECT {text} AS id, {cells}, row_number() OVER () AS r FROM v{i}"
    )
    run(con, sql, shown=shown)
    count = fetch(con, f"SELECT count(*) AS n FROM t{i}", shown=shown)
    check_rows(table, count["n"][0].as_py())
    check_ids(con, table, view=f"t{i}", column="id", name=key)
    return Source(table, column, f"SELECT c0 FROM t{i} ORDER BY r")


def _label_column(table: Table, wish: Wish, *, is_gold: bool) -> str:
    """Choose the column of a file that holds its labels or scores."""
    names = table.names
    if wish.label is not None:
        own = is_gold and wish.label not in names and wish.gold in names
        return wish.gold if own else wish.label
    usual = "score" if wish.kind == "scores" else "label"
    for name in [wish.gold, usual] if is_gold else [usual, wish.gold]:
        if name in names:
            return name
    rest = [name for name in names if name not in (wish.id, wish.cluster)]
    if len(rest) == 1:
        return rest[0]
    try:
        check_columns([usual], names, table=table.file.shown)
    except InputError as error:
        hint = "Name the column with the labels: label=…"
        raise InputError(error.message, hint=hint) from None
    raise AssertionError  # pragma: no cover (the usual name is not there)
