"""Table files: one with a column per system, or several that are paired by their ids.

Labels and ids are text, byte for byte; rows of two files are never paired by position.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from likelier.data.outcomes import Outcomes
from likelier.errors import InputError, SettingError
from likelier.findings import Finding
from likelier.formatting import listed
from likelier.readers.cell_checks import column_sum
from likelier.readers.columns import (
    Columns,
    check_columns,
    check_kind,
    check_systems,
    doubled,
    gold_column,
    owner,
    table_columns,
)
from likelier.readers.describe_tables import describe_tables
from likelier.readers.engine import Engine, Table, connected
from likelier.readers.file import File, Paths, file_names
from likelier.readers.file_items import (
    IDS,
    LACKING,
    CellSource,
    FileItems,
    TextSource,
    counting_sql,
)
from likelier.readers.id_checks import check_ids
from likelier.readers.item_ids import IdColumns, id_columns, id_title
from likelier.readers.number_ids import match_ids
from likelier.readers.reader import Description, ReadRequest, read_outcomes
from likelier.readers.tables import (
    TABLE_FORMATS,
    TableFormat,
    check_rows,
    id_text,
    open_table,
)
from likelier.readers.text_column import find_text, is_text


def read_files(
    paths: Paths,
    *,
    gold: str = "gold",
    systems: Sequence[str] | None = None,
    kind: str = "labels",
    id: IdColumns | None = None,  # noqa: A002 (the word people know)
    label: str | None = None,
    cluster: str | None = None,
    separator: str | None = None,
    text: str | None = None,
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
        What a cell holds: ``labels`` (one label), ``scores`` (a number), ``sets``
        (labels between separators, or a list), ``numbers`` (gold numbers, too),
        ``probabilities`` or ``ranks`` (scores to rank items by; both beside gold
        labels).
    id
        The column of ids, needed for several files; or several columns that are the
        id together, as a list or a text with commas.
    label
        The column with the label or score in several files. By default the column
        ``label`` (``score`` for scores), or that of the gold name, or the only one
        that is left.
    cluster
        The column that says which items belong together; in the first file.
    separator
        What stands between the labels of a set in CSV and TSV.
    text
        The column of the items' texts, which people see where systems differ; of
        several files, in the first that has it. By default the only column that holds
        texts under a usual name: text, sentence, question, prompt, input, message,
        document, content or query. An empty name is for none.

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
        text=text,
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
    systems, text = request.systems, _wide_text(engine, table, request)
    columns = table_columns(
        request,
        _other_columns(table, request, text) if systems is None else systems,
        ids=id_columns(request.id, table.names),
        text=None if request.text == "" else text,
    )
    lists = columns.cells if columns.kind == "sets" else ()
    table.load(
        engine,
        columns.names,
        view="wide",
        lists=lists,
        late=[columns.text],
        numbers=columns.cells if columns.kind == "scores" else (),
        closed=systems is None,
    )
    key = "NULL"
    if columns.id:
        name = table.file.name
        key = id_text(engine, "wide", columns.id_keys, name=name)
        check_ids(engine, table, relation="wide", key=key, columns=columns.id)
    sources = [
        CellSource(table, name, f"SELECT c{i} FROM wide")
        for i, name in enumerate(columns.grouped)
    ]
    source = None
    for text_key in columns.text_keys:
        sql = f"SELECT {key} AS {IDS}, {text_key} AS text FROM wide"
        source = TextSource(table, str(columns.text), sql)
    return FileItems(
        engine, columns, [table], sources, "wide", request.separator, source, key=key
    )


def _wide_text(engine: Engine, table: Table, request: ReadRequest) -> str | None:
    """Return the column of texts: as named, or else of a usual name."""
    if request.text:
        return request.text
    gold, systems = gold_column(request), request.systems
    named = () if systems is None else check_systems(systems)
    ids = id_columns(request.id, table.names)
    parts = [gold, *ids, request.cluster, *named]
    return find_text(engine, table, parts, gold=gold if systems is None else None)


def _other_columns(table: Table, request: ReadRequest, text: str | None) -> list[str]:
    """Return the columns that have no other part; every one must have a name."""
    gold = gold_column(request)
    if gold is not None:
        check_columns([owner(gold, table.names)], table.names, table=table.file.name)
    ids = id_columns(request.id, table.names)
    parts = [name for name in (gold, *ids, request.cluster, text) if name is not None]
    others = {owner(name, table.names) for name in parts}
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
    tables = [open_table(engine, file) for file in files]
    ids = id_columns(request.id, tables[0].names)
    request = replace(request, id=ids)
    columns = Columns(request.kind, gold, systems, request.cluster, ids)
    for table in tables:
        _check_separator(table, request)
        if table.all_named:
            own = [owner(name, table.names) for name in ids]
            check_columns(own, table.names, table=table.file.name)
    labels = [
        _label_column(table, request, gold=i == 0 and gold is not None)
        for i, table in enumerate(tables)
    ]
    texts = _paired_text(engine, tables, labels, request)
    sources = [
        _load_one(engine, table, i, label=labels[i], text=texts.get(i), request=request)
        for i, table in enumerate(tables)
    ]
    if columns.cluster is not None:
        sql = "SELECT c1 FROM x0"
        sources.append(CellSource(tables[0], columns.cluster, sql))
    relation, findings = _joined(engine, tables, columns), []
    counted = _count_joined(engine, tables, columns, relation)
    if counted is None:
        findings = _check_each(engine, tables, ids)
    source = None
    for i, text in texts.items():
        source = TextSource(tables[i], text, _texts_sql(i, plain=bool(findings)))
    return FileItems(
        engine,
        columns,
        tables,
        sources,
        relation,
        request.separator,
        source,
        tuple(findings),
        counted,
    )


def _joined(engine: Engine, tables: Sequence[Table], columns: Columns) -> str:
    """Make the tables of ids and cells one relation with all ids of all files."""
    for i, table in enumerate(tables):
        engine.run(f"CREATE TEMP VIEW t{i} AS SELECT * FROM x{i}", name=table.file.name)
    cells = [f"t{i}.c0 AS c{i}" for i in range(len(tables))]
    if columns.cluster is not None:
        cells.append(f"t0.c1 AS c{len(tables)}")
    lacking = " OR ".join(f"t{i}.id IS NULL" for i in range(len(tables)))
    joins = "".join(f" FULL JOIN t{i} USING (id)" for i in range(1, len(tables)))
    return (
        f"(SELECT {', '.join(cells)}, id AS {IDS}, {lacking} AS {LACKING} "
        f"FROM t0{joins})"
    )


def _count_joined(
    engine: Engine, tables: Sequence[Table], columns: Columns, relation: str
) -> Any | None:
    """Count patterns in the join that shows whether all files have the same ids.

    As the ids of the first file differ, and as many rows come out as it has, all of
    them with an id in every file, each id is in each file just once. Where that is
    not so, None is returned.
    """
    first, *others = tables
    total = check_ids(engine, first, relation="x0", key="id", columns=columns.id)
    check_rows(first, total)
    if columns.kind == "sets":
        return None
    rows = engine.fetch(
        counting_sql(relation, columns, lacking=True), name=first.file.name
    )
    if column_sum(rows, LACKING) or column_sum(rows, "n") != total:
        return None
    for table in others:
        check_rows(table, total)
    return rows


def _check_each(
    engine: Engine, tables: Sequence[Table], ids: Sequence[str]
) -> list[Finding]:
    """Check the ids of each file, and write the same numbers alike."""
    for i, table in enumerate(tables):
        name = table.file.name
        engine.run(f"DROP VIEW t{i}", name=name)
        sql = f"CREATE TEMP TABLE t{i} AS SELECT *, row_number() OVER () AS r FROM x{i}"
        engine.run(sql, name=name)
        rows = engine.fetch(f"SELECT count(*) AS n FROM t{i}", name=name)
        check_rows(table, rows["n"][0].as_py())
        check_ids(engine, table, relation=f"t{i}", key="id", columns=ids)
    return match_ids(engine, tables, ids)


def _texts_sql(i: int, *, plain: bool) -> str:
    """Write the query of ids and texts of a file, whose ids may have been rewritten."""
    if not plain:
        return f"SELECT {IDS}, text FROM s{i}"
    return f"SELECT plain AS {IDS}, text FROM s{i} JOIN plain{i} ON {IDS} = written"


def _paired_text(
    engine: Engine,
    tables: Sequence[Table],
    labels: Sequence[str],
    request: ReadRequest,
) -> dict[int, str]:
    """Return the number of the file with the texts, if there is one, and its column."""
    name = request.text
    if name == "":
        return {}
    files = list(enumerate(zip(tables, labels, strict=True)))
    if name is None:
        for i, (table, label) in files:
            parts = [label, *(request.id or ()), request.cluster]
            text = find_text(engine, table, parts)
            if text is not None:
                return {i: text}
        return {}
    free = [i for i, (_, label) in files if name not in (label, *(request.id or ()))]
    having = [i for i in free if owner(name, tables[i].names) in tables[i].names]
    # Later objects of JSONL may have further keys.
    for i in having or [i for i in free if not tables[i].all_named]:
        return {i: name}
    names = "; ".join(f"{t.file.name} has {listed(t.names)}" for t in tables)
    message = f"A file must have the texts {name!r} beside ids and labels; {names}."
    raise InputError(message)


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
    engine: Engine,
    table: Table,
    i: int,
    *,
    label: str,
    text: str | None,
    request: ReadRequest,
) -> CellSource:
    """Put ids, cells and clusters of one file into a table; texts stay in the file."""
    name, keys = table.file.name, list(request.id or ())
    cluster = [request.cluster] if i == 0 and request.cluster is not None else []
    columns = [label, *cluster, *keys]
    lists = [label] if request.kind == "sets" else []
    further = [] if text is None else [text]
    table.load(
        engine,
        [*columns, *further],
        view=f"v{i}",
        lists=lists,
        late=further,
        numbers=[label] if request.kind == "scores" else [],
    )
    first = len(columns) - len(keys)
    parts = [f"c{j}" for j in range(first, len(columns))]
    ids = id_text(engine, f"v{i}", parts, name=f"{id_title(keys)} of {name}")
    cells = ", ".join(f"c{j}" for j in range(first))
    sql = f"CREATE TEMP VIEW x{i} AS SELECT {ids} AS id, {cells} FROM v{i}"
    engine.run(sql, name=name)
    if text is not None:
        sql = f"SELECT {ids} AS {IDS}, c{len(columns)} AS text FROM v{i}"
        engine.run(f"CREATE TEMP VIEW s{i} AS {sql}", name=name)
    return CellSource(table, label, f"SELECT c0 FROM x{i}")


def _label_column(table: Table, request: ReadRequest, *, gold: bool) -> str:
    """Choose the column of a file that holds its labels or scores."""
    names, gold_name = table.names, str(request.gold)
    if request.label is not None:
        label = str(request.label)
        return (
            gold_name
            if gold and owner(label, names) not in names and gold_name in names
            else label
        )
    usual = "score" if request.kind == "scores" else "label"
    for name in [gold_name, usual] if gold else [usual, gold_name]:
        if name in names:
            return name
    parts = [*(request.id or ()), *([request.cluster] if request.cluster else [])]
    used = {owner(name, names) for name in parts}
    rest = [name for name in names if name not in used]
    if len(rest) > 1:
        rest = [n for n in rest if n != request.text and not is_text(n)]
    if len(rest) == 1:
        return rest[0]
    try:
        check_columns([usual], names, table=table.file.name)
    except InputError as error:
        hint = "Name the column with the labels: label=…"
        raise InputError(error.message, hint=hint) from None
    raise AssertionError  # pragma: no cover (the usual name is not there)
