"""Files: one wide table, or the gold labels and one file per system.

DuckDB reads and counts them; labels and ids are text, byte for byte.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from os import PathLike
from typing import Any

from likelier.errors import InputError, SettingError
from likelier.findings import Finding
from likelier.outcomes import Outcomes
from likelier.readers.counted import counted_outcomes, set_outcomes
from likelier.readers.engine import connected, fetch, run
from likelier.readers.formats import File, detect
from likelier.readers.joining import check_ids, check_matches, joined_sql
from likelier.readers.kinds import Roles, check_columns, check_kind, doubled, roles
from likelier.readers.kinds import system_list as different
from likelier.readers.tables import (
    Table,
    check_rows,
    cut_findings,
    load,
    open_table,
    text_column,
)

Paths = str | PathLike[str] | Sequence[str | PathLike[str]]


@dataclass(frozen=True)
class Reading:
    """What a reader gives: the outcomes, and remarks on the files."""

    outcomes: Outcomes
    findings: tuple[Finding, ...] = ()


@dataclass(frozen=True)
class _Wish:
    """What the caller asked for."""

    kind: str
    gold: str
    systems: Sequence[str] | None
    id: str | None
    label: str | None
    cluster: str | None
    separator: str | None


def read_files(
    paths: Paths,
    *,
    gold: str = "gold",
    systems: Sequence[str] | None = None,
    kind: str = "labels",
    id: str | None = None,  # noqa: A002 (the word people know)
    label: str | None = None,
    cluster: str | None = None,
    separator: str | None = None,
) -> Reading:
    r"""Count the items of one wide file, or of several files joined on an id.

    Parameters
    ----------
    paths
        One file with a column of gold labels and one column per system; or the gold
        file and then one file per system; for scores, one file per system only.
        CSV, TSV, JSONL or Parquet, told by content; text may be gzipped.
    gold
        The column of gold labels.
    systems
        The columns of a wide file, by default all others; the names to give to the
        systems of several files, by default the names of the files.
    kind
        What a cell holds: ``labels`` (one label), ``scores`` (a number) or ``sets``
        (labels between separators, or a list).
    id
        The column of ids; needed for several files.
    label
        The column with the label or score in several files. By default the column
        ``label`` (``score`` for scores), or that of the gold name, or the only one
        that is left.
    cluster
        The column that says which items belong together; in the first file.
    separator
        What stands between the labels of a set in CSV and TSV.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> folder = tempfile.TemporaryDirectory()
    >>> path = pathlib.Path(folder.name, "predictions.csv")
    >>> _ = path.write_text("gold,a,b\nyes,yes,no\nno,no,no\n")
    >>> read_files(path).outcomes
    <Outcomes of a, b: 2 items, 2 patterns, 2 classes>
    >>> folder.cleanup()
    """
    wish = _Wish(check_kind(kind), gold, systems, id, label, cluster, separator)
    if isinstance(paths, str | PathLike):
        paths = [paths]
    if not paths:
        message = "paths must name at least one file; got none."
        raise InputError(message)
    files = [detect(path) for path in paths]
    _check_separator(wish, files)
    with connected(files) as con:
        if len(files) == 1:
            return _wide(con, files[0], wish)
        return _joined(con, files, wish)


def _check_separator(wish: _Wish, files: Sequence[File]) -> None:
    if wish.separator == "":
        message = "separator must not be empty; got ''."
        raise SettingError(message)
    text = [file.shown for file in files if file.form in ("csv", "tsv")]
    if wish.kind == "sets" and wish.separator is None and text:
        message = f"separator must be given for sets of labels in {text[0]}; got none."
        raise SettingError(message, hint="For cells like 'a;b' the separator is ';'.")


@dataclass(frozen=True)
class _Source:
    """Where the cells of one column come from."""

    table: Table
    column: str
    sql: str


@dataclass(frozen=True)
class _FileOrigin:
    con: Any
    sources: tuple[_Source, ...]

    def name(self, place: int) -> str:
        source = self.sources[place]
        shown = source.table.file.shown
        return shown if place < 0 else f"Column {source.column!r} of {shown}"

    def rows(self, place: int) -> Any:
        source = self.sources[place]
        return fetch(self.con, source.sql, shown=source.table.file.shown).column(0)

    def where(self, place: int, /, rows: Sequence[int]) -> list[str]:
        return self.sources[place].table.where(rows)


def _wide(con: Any, file: File, wish: _Wish) -> Reading:
    """Read one table with a column per system."""
    table = open_table(con, file)
    part = _wide_roles(table, wish)
    lists = part.cells if part.kind == "sets" else ()
    closed = wish.systems is None
    load(con, table, part.columns, view="wide", lists=lists, closed=closed)
    if part.id is not None:
        column = f"c{len(part.grouped)}"
        column = text_column(con, "wide", column, shown=file.shown)
        check_ids(con, table, view="wide", column=column, name=part.id)
    sources = tuple(
        _Source(table, name, f"SELECT c{i} FROM wide")
        for i, name in enumerate(part.grouped)
    )
    origin = _FileOrigin(con, sources)
    keys = ", ".join(f"c{i}" for i in range(len(part.grouped)))
    sql = f"SELECT {keys} FROM wide"
    if part.kind != "sets":
        sql = f"SELECT {keys}, count(*) AS n FROM wide GROUP BY ALL"
    rows = fetch(con, sql, shown=file.shown)
    check_rows(table, _n_rows(rows, part))
    outcomes = _outcomes(rows, part, origin=origin, separator=wish.separator)
    return Reading(outcomes, cut_findings([table]))


def _wide_roles(table: Table, wish: _Wish) -> Roles:
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


def _joined(con: Any, files: Sequence[File], wish: _Wish) -> Reading:
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
        sources = (*sources, _Source(tables[0], part.cluster, sql))
    sql = joined_sql(
        [f"t{i}" for i in range(len(tables))],
        cluster=part.cluster is not None,
        grouped=part.kind != "sets",
    )
    rows = fetch(con, sql, shown=files[0].shown)
    origin = _FileOrigin(con, sources)
    outcomes = _outcomes(rows, part, origin=origin, separator=wish.separator)
    return Reading(outcomes, cut_findings(tables))


def _joined_roles(files: Sequence[File], wish: _Wish) -> Roles:
    predicted = files if wish.kind == "scores" else files[1:]
    names = _file_names(predicted)
    if wish.systems is not None:
        given = different(wish.systems)
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


def _load_one(con: Any, table: Table, i: int, *, wish: _Wish, part: Roles) -> _Source:
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
    return _Source(table, column, f"SELECT c0 FROM t{i} ORDER BY r")


def _label_column(table: Table, wish: _Wish, *, is_gold: bool) -> str:
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


def _outcomes(
    rows: Any, part: Roles, *, origin: _FileOrigin, separator: str | None
) -> Outcomes:
    if part.kind != "sets":
        return counted_outcomes(part, rows, origin=origin)
    n = len(part.cells)
    columns = [
        _split(rows.column(i).to_pylist(), separator, origin=origin, place=i)
        for i in range(n)
    ]
    cluster = None if part.cluster is None else rows.column(n)
    return set_outcomes(part, columns, cluster=cluster, origin=origin)


def _split(
    cells: list[Any], separator: str | None, *, origin: _FileOrigin, place: int
) -> list[Any]:
    """Split the text of CSV and TSV cells into labels; an empty cell has none."""
    file = origin.sources[place].table.file
    if file.form not in ("csv", "tsv") or separator is None:
        return cells
    sets = {cell: cell.split(separator) if cell else [] for cell in set(cells)}
    for cell, labels in sets.items():
        if "" in labels:
            row = origin.rows(place).to_pylist().index(cell)
            message = (
                f"{origin.where(place, [row])[0]}: {origin.name(place)} must have "
                f"labels between separators; got {cell!r}."
            )
            raise InputError(message)
    return [sets[cell] for cell in cells]
