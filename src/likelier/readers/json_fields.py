"""Fields of JSON lines as Arrow columns, read by DuckDB where that is exact.

DuckDB is an order of magnitude faster than Python, and as strict, but for three things:
it writes numbers with fractions anew, takes NaN for a number, and a line ``null`` for
an object. Where one of these may be, or DuckDB refuses a file, nothing is returned, and
the file is read line by line, with messages of our own.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from likelier.errors import InputError
from likelier.readers.engine import HEAD, Engine, literal, path_literal
from likelier.readers.file import File

_BLOCK = 1 << 18
# Lists, objects and what is no JSON; and numbers that may be written otherwise.
_ODD = (
    r"^(?:[\[{]|-?(?i:nan|inf|infinity)$|"
    r"-?[0-9]+(?:\.[0-9]+|(?:\.[0-9]+)?e[-+]?[0-9]+)$)"
)


def json_fields(engine: Engine, file: File, fields: Mapping[str, str]) -> Any | None:
    """Read fields of the objects of all lines; None where DuckDB cannot.

    Parameters
    ----------
    engine
        The database.
    file
        The file.
    fields
        Names of fields, each with its type in DuckDB.

    Returns
    -------
    pyarrow.Table
        The columns c0, c1, …, in the order of lines.
    """
    file.check_size()
    try:
        table = engine.fetch(_fields_sql(file, fields), name=file.name)
    except InputError:
        return None
    return None if _has_empty_row(table) else table


def _fields_sql(file: File, fields: Mapping[str, str]) -> str:
    """Write the query of fields of the objects of all lines."""
    kinds = ", ".join(f"{literal(n)}: {literal(kind)}" for n, kind in fields.items())
    cells = ", ".join(f"f{i} AS c{i}" for i in range(len(fields)))
    names = ", ".join(f"f{i}" for i in range(len(fields)))
    return (
        f"SELECT {cells} FROM read_json({path_literal(file)}, "
        f"format = 'newline_delimited', compression = '{_packing(file)}', "
        f"columns = {{{kinds}}}) AS t({names})"
    )


def _has_empty_row(table: Any) -> bool:
    """Return whether some row has no value at all, as a line ``null`` has."""
    import pyarrow.compute as pc

    if any(column.null_count == 0 for column in table.columns):
        return False
    empty = pc.is_null(table.column(0))
    for column in table.columns[1:]:
        empty = pc.and_(empty, pc.is_null(column))
    return bool(pc.any(empty, min_count=0).as_py())


def load_cells(
    engine: Engine,
    file: File,
    columns: Sequence[str],
    *,
    view: str,
    late: Sequence[str | None],
    numbers: Sequence[str],
) -> bool:
    """Make a table of columns as texts, just as they are written, if DuckDB can.

    Parameters
    ----------
    engine
        The database.
    file
        The file.
    columns
        Names of fields.
    view
        Name of the table.
    late
        Columns for which the numbers of the rows, from 1, stand.
    numbers
        Columns whose values become numbers, so that their writing does not matter;
        what is none is refused there.

    Returns
    -------
    bool
        Whether the table is there.
    """
    read = [name for name in columns if name not in late]
    if not read or any("." in name for name in read) or len({*columns}) < len(columns):
        return False  # a field within a field
    keys = {name: f"c{i}" for i, name in enumerate(read)}
    cells = [keys.get(name, "row_number() OVER ()") for name in columns]
    picked = ", ".join(f"{cell} AS c{i}" for i, cell in enumerate(cells))
    fields = _fields_sql(file, dict.fromkeys(read, "VARCHAR"))
    sql = f"CREATE TEMP TABLE {view} AS SELECT {picked} FROM ({fields})"
    places = {name: f"c{i}" for i, name in enumerate(columns) if name in keys}
    exact = [key for name, key in places.items() if name not in numbers]
    try:
        engine.run(sql, name=file.name)
    except InputError:
        return False
    if _are_exact(engine, view, [*places.values()], exact, name=file.name):
        return True
    engine.run(f"DROP TABLE {view}", name=file.name)
    return False


def _are_exact(
    engine: Engine, view: str, keys: Sequence[str], exact: Sequence[str], *, name: str
) -> bool:
    """Return whether every row and column has a value, and those of some are exact."""
    head = ", ".join(f"count(DISTINCT {key})" for key in keys)
    sql = f"SELECT {head} FROM (SELECT * FROM {view} LIMIT {HEAD})"
    counts = [column[0].as_py() for column in engine.fetch(sql, name=name).columns]
    many = {key: count > HEAD // 2 for key, count in zip(keys, counts, strict=True)}
    empty = " AND ".join(f"{key} IS NULL" for key in keys)
    tests = [f"count({key}) > 0" for key in keys]
    tests.append(f"NOT coalesce(bool_or({empty}), false)")
    for key in exact:
        odd = f"bool_or(regexp_matches({key}, {literal(_ODD)}))"
        if not many[key]:  # labels: each is looked at once
            odd = f"(SELECT {odd} FROM (SELECT DISTINCT {key} FROM {view}))"
        tests.append(f"NOT coalesce({odd}, false)")
    sql = f"SELECT {' AND '.join(tests)} FROM {view}"
    return bool(engine.fetch(sql, name=name).column(0)[0].as_py())


def has_other_keys(
    engine: Engine,
    file: File,
    names: Sequence[str],
    columns: Sequence[str],
    *,
    view: str,
) -> bool:
    """Return whether some object has keys that are not among the names.

    Parameters
    ----------
    engine
        The database.
    file
        The file.
    names
        The keys that objects may have.
    columns
        Those in the table.
    view
        Name of the table, which is removed if there are others.
    """
    if {*columns} == {*names}:
        filled = " AND ".join(f"count(c{i}) = count(*)" for i in range(len(columns)))
        sql = f"SELECT count(*), {filled} FROM {view}"
        n, full = (c[0].as_py() for c in engine.fetch(sql, name=file.name).columns)
        # One colon for each cell leaves none for other keys.
        if full and _count_colons(file) == n * len(names):
            return False
    keys = f"[{', '.join(map(literal, names))}]"
    sql = (
        f"SELECT bool_and(CASE WHEN keys = {keys} THEN true "
        f"ELSE list_has_all({keys}, keys) END) FROM (SELECT json_keys(json) AS keys "
        f"FROM read_json_objects({path_literal(file)}, format = 'newline_delimited', "
        f"compression = '{_packing(file)}'))"
    )
    if engine.fetch(sql, name=file.name).column(0)[0].as_py():
        return False
    engine.run(f"DROP TABLE {view}", name=file.name)
    return True


def _count_colons(file: File) -> int:
    with file.open() as handle:
        return sum(
            block.count(b":") for block in iter(lambda: handle.read(_BLOCK), b"")
        )


def _packing(file: File) -> str:
    return "gzip" if file.packed else "uncompressed"
