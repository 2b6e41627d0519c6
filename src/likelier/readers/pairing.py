"""Table files: one with a column per system, or several that are paired by their ids.

Labels and ids are text, byte for byte; rows of two files are never paired by position.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from likelier.data.outcomes import Outcomes
from likelier.errors import InputError, SettingError
from likelier.readers.columns import (
    Columns,
    check_columns,
    check_kind,
    check_systems,
    doubled,
    gold_column,
    table_columns,
)
from likelier.readers.engine import Engine, Table, connected
from likelier.readers.file import File, Paths, file_names
from likelier.readers.file_items import IDS, CellSource, FileItems
from likelier.readers.reader import Description, ReadRequest, read_outcomes
from likelier.readers.tables import (
    TABLE_FORMATS,
    TableFormat,
    check_rows,
    describe_tables,
    id_text,
    open_table,
)

_LISTED = 5


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
) -> Outcomes:
    r"""Count the items of one wide file, or of several files joined on an id.

    Parameters
    ----------
    paths
        One file with a column of gold labels and one column per system; or the gold
        file and then one file per system; for scores, one file per system only.
        CSV, TSV, JSONL or Parquet, recognised by content; text may be gzipped.
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
    >>> read_files(path)
    <Outcomes of a, b: 2 items, 2 patterns, 2 classes>
    >>> folder.cleanup()
    """
    request = ReadRequest(
        kind=check_kind(kind),
        gold=gold,
        systems=systems,
        id=id,
        label=label,
        cluster=cluster,
        separator=separator,
    )
    return read_outcomes(READERS[-1], paths, request)[0]


class TableReader(TableFormat):
    """Reader of table files; several may have several formats."""

    def describe(self, files: Sequence[File]) -> Description:
        """Describe tables by the names of their columns and by their cells."""
        with connected(files) as engine:
            tables = [open_table(engine, file) for file in files]
            return describe_tables(engine, tables, name=self.name)

    @contextmanager
    def items(self, files: Sequence[File], request: ReadRequest) -> Iterator[FileItems]:
        """Open the items of one wide table, or of several that are paired by ids."""
        if request.separator == "":
            message = "separator must not be empty; got ''."
            raise SettingError(message)
        with connected(files) as engine:
            if len(files) > 1:
                yield _paired_items(engine, files, request)
            else:
                yield _wide_items(engine, open_table(engine, files[0]), request)


READERS = tuple(TableReader(*form) for form in TABLE_FORMATS)


def _check_separator(table: Table, request: ReadRequest) -> None:
    if request.kind == "sets" and table.splits_sets and request.separator is None:
        message = (
            f"separator must be given for sets of labels in {table.file.name}; "
            "got none."
        )
        raise SettingError(message, hint="For cells like 'a;b' the separator is ';'.")


# --- one table with a column per system ----------------------------------------


def _wide_items(engine: Engine, table: Table, request: ReadRequest) -> FileItems:
    _check_separator(table, request)
    systems = request.systems
    columns = table_columns(
        request, _other_columns(table, request) if systems is None else systems
    )
    lists = columns.cells if columns.kind == "sets" else ()
    table.load(engine, columns.names, view="wide", lists=lists, closed=systems is None)
    relation = "wide"
    if columns.id is not None:
        name = table.file.name
        key = id_text(engine, "wide", f"c{len(columns.grouped)}", name=name)
        relation = f"(SELECT {', '.join(columns.keys)}, {key} AS {IDS} FROM wide)"
        _check_ids(engine, table, relation=relation, key=IDS, column=columns.id)
    sources = [
        CellSource(table, name, f"SELECT c{i} FROM wide")
        for i, name in enumerate(columns.grouped)
    ]
    return FileItems(engine, columns, [table], sources, relation, request.separator)


def _other_columns(table: Table, request: ReadRequest) -> list[str]:
    """Return the columns that have no other part; every one must have a name."""
    gold = gold_column(request)
    if gold is not None:
        check_columns([gold], table.names, table=table.file.name)
    others = (request.gold, request.id, request.cluster)
    systems = [name for name in table.names if name not in others]
    if not systems:
        message = f"{table.file.name} must have a column for each system; it has none."
        raise InputError(message)
    if "" in systems:
        message = f"{table.file.name} must have a name for every column; one has none."
        raise InputError(message, hint="Name the systems that are to be read.")
    return systems


# --- the gold file and one file per system -------------------------------------


def _paired_items(
    engine: Engine, files: Sequence[File], request: ReadRequest
) -> FileItems:
    if request.id is None:
        message = f"id must name the column that joins {len(files)} files; got None."
        raise InputError(message, hint="Rows are never paired by their position.")
    gold = gold_column(request)
    systems = _file_systems(files if gold is None else files[1:], request)
    columns = Columns(request.kind, gold, systems, request.cluster, request.id)
    tables = [open_table(engine, file) for file in files]
    for table in tables:
        _check_separator(table, request)
    sources = [
        _load_one(engine, table, i, request=request) for i, table in enumerate(tables)
    ]
    for i in range(1, len(tables)):
        _check_same_ids(engine, ("t0", tables[0]), (f"t{i}", tables[i]))
    cells = [f"t{i}.c0 AS c{i}" for i in range(len(tables))]
    if columns.cluster is not None:
        cells.append(f"t0.c1 AS c{len(tables)}")
        sql = "SELECT c1 FROM t0 ORDER BY r"
        sources.append(CellSource(tables[0], columns.cluster, sql))
    joined = "t0" + "".join(f" JOIN t{i} USING (id)" for i in range(1, len(tables)))
    relation = f"(SELECT {', '.join(cells)}, id AS {IDS} FROM {joined})"
    return FileItems(engine, columns, tables, sources, relation, request.separator)


def _file_systems(files: Sequence[File], request: ReadRequest) -> tuple[str, ...]:
    """Return the names of the systems of files, as given or by the files' names."""
    if request.systems is not None:
        systems = check_systems(request.systems)
        if len(systems) != len(files):
            message = (
                f"systems must name the {len(files)} files of systems; "
                f"got {len(systems)} names."
            )
            raise InputError(message)
        return systems
    names = file_names(files)
    if doubled(names):
        message = f"Files of systems must have different names; got {doubled(names)}."
        raise InputError(message, hint="Name the systems yourself.")
    return tuple(names)


def _load_one(
    engine: Engine, table: Table, i: int, *, request: ReadRequest
) -> CellSource:
    """Put ids, cells and clusters of one file into a table of the database."""
    name, key = table.file.name, str(request.id)
    if table.all_named:
        check_columns([key], table.names, table=name)
    column = _label_column(table, request, gold=i == 0 and request.kind != "scores")
    cluster = [request.cluster] if i == 0 and request.cluster is not None else []
    columns = [column, *cluster, key]
    lists = [column] if request.kind == "sets" else []
    table.load(engine, columns, view=f"v{i}", lists=lists)
    last = f"c{len(columns) - 1}"
    text = id_text(engine, f"v{i}", last, name=f"Column {key!r} of {name}")
    cells = ", ".join(f"c{j}" for j in range(len(columns) - 1))
    sql = (
        f"CREATE TEMP TABLE t{i} AS "
        f"SELECT {text} AS id, {cells}, row_number() OVER () AS r FROM v{i}"
    )
    engine.run(sql, name=name)
    rows = engine.fetch(f"SELECT count(*) AS n FROM t{i}", name=name)
    check_rows(table, rows["n"][0].as_py())
    _check_ids(engine, table, relation=f"t{i}", key="id", column=key)
    return CellSource(table, column, f"SELECT c0 FROM t{i} ORDER BY r")


def _label_column(table: Table, request: ReadRequest, *, gold: bool) -> str:
    """Choose the column of a file that holds its labels or scores."""
    names, gold_name = table.names, str(request.gold)
    if request.label is not None:
        label = str(request.label)
        return (
            gold_name if gold and label not in names and gold_name in names else label
        )
    usual = "score" if request.kind == "scores" else "label"
    for name in [gold_name, usual] if gold else [usual, gold_name]:
        if name in names:
            return name
    rest = [name for name in names if name not in (request.id, request.cluster)]
    if len(rest) == 1:
        return rest[0]
    try:
        check_columns([usual], names, table=table.file.name)
    except InputError as error:
        hint = "Name the column with the labels: label=…"
        raise InputError(error.message, hint=hint) from None
    raise AssertionError  # pragma: no cover (the usual name is not there)


# --- ids -----------------------------------------------------------------------


def _check_ids(
    engine: Engine, table: Table, *, relation: str, key: str, column: str
) -> None:
    """Refuse missing and double ids, and list the first five.

    Parameters
    ----------
    engine
        The database.
    table
        The file with the ids.
    relation, key
        Table and column of the database that have them.
    column
        The column's own name.
    """
    name = table.file.name
    sql = f"SELECT count(*), count({key}), count(DISTINCT {key}) FROM {relation}"
    total, filled, distinct = engine.fetch(sql, name=name).to_pylist()[0].values()
    if filled < total:
        ids = engine.fetch(f"SELECT {key} AS id FROM {relation}", name=name)
        rows = [i for i, cell in enumerate(ids["id"].is_null()) if cell.as_py()]
        lines = ", ".join(table.locate(rows[:_LISTED]))
        message = (
            f"Column {column!r} of {name} must have an id for every item; "
            f"{total - filled:,} missing: {lines}."
        )
        raise InputError(message)
    if distinct < total:
        sql = (
            f"SELECT id FROM (SELECT {key} AS id, row_number() OVER () AS r "
            f"FROM {relation}) GROUP BY id HAVING count(*) > 1 ORDER BY min(r)"
        )
        ids = _first_ids(engine.fetch(sql, name=name))
        message = f"Column {column!r} of {name} must have each id once; twice: {ids}."
        raise InputError(message)


def _first_ids(ids: Any) -> str:
    first = ", ".join(repr(cell.as_py()) for cell in ids["id"][:_LISTED])
    rest = ids.num_rows - _LISTED
    return f"{first} and {rest:,} more" if rest > 0 else first


def _check_same_ids(
    engine: Engine, first: tuple[str, Table], other: tuple[str, Table]
) -> None:
    """Refuse ids that only one of two files has, and list the first five."""
    for (view, table), (against, lacking) in ((first, other), (other, first)):
        name = lacking.file.name
        sql = f"SELECT id FROM {view} ANTI JOIN {against} USING (id) ORDER BY {view}.r"
        ids = engine.fetch(sql, name=name)
        if ids.num_rows:
            message = (
                f"{name} must have the ids of {table.file.name}; "
                f"{ids.num_rows:,} missing: {_first_ids(ids)}."
            )
            raise InputError(message)
