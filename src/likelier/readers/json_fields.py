"""Fields of JSON lines as Arrow columns, read by DuckDB where that is exact.

DuckDB is an order of magnitude faster than Python, and as exact, but for three things:
it writes numbers with fractions anew, takes NaN for a number, and a line ``null`` for
an object. Where one of these may be, or DuckDB refuses a file, nothing is returned, and
the file is read line by line, with messages of our own. Two things that are refused
there pass here: a comma behind the last field, and nonsense in fields that nobody asks
for.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from likelier.errors import InputError
from likelier.readers.engine import HEAD, Engine, literal, path_literal
from likelier.readers.file import File

# What these begin with, which is looked at first, as that is faster.
_ODD_STARTS = b"[{-0123456789nNiI"
_BLOCK = 1 << 18
# A column is one of labels where the first rows have at most so many.
_LABELS = HEAD // 10
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


def text_fields(
    engine: Engine,
    file: File,
    columns: Sequence[str],
    *,
    late: Sequence[str | None],
    numbers: Sequence[str],
) -> Any | None:
    """Read fields as texts, just as they are written; None where DuckDB cannot.

    Parameters
    ----------
    engine
        The database.
    file
        The file.
    columns
        Names of fields.
    late
        Columns for which the numbers of the rows, from 1, stand.
    numbers
        Columns whose values become numbers, so that their writing does not matter;
        what is none is refused there.

    Returns
    -------
    pyarrow.Table
        The columns c0, c1, …, in the order of lines.
    """
    import pyarrow as pa

    read = [name for name in columns if name not in late]
    if not read or any("." in name for name in read) or len({*columns}) < len(columns):
        return None  # a field within a field
    cells = _cells(engine, file, read, numbers)
    if cells is None:
        return None
    for name, column in cells.items():
        empty = column.null_count == len(column)
        if empty or (name not in numbers and _has_odd(column)):
            return None
    rows = pa.array(range(1, len(cells[read[0]]) + 1)) if late else None
    named = [cells.get(name, rows) for name in columns]
    return pa.table(named, names=[f"c{i}" for i in range(len(named))])


def _cells(
    engine: Engine, file: File, names: Sequence[str], numbers: Sequence[str]
) -> dict[str, Any] | None:
    """Read fields as texts, numbers as JSON: that is faster, but keeps quotes."""
    kinds = {name: "JSON" if name in numbers else "VARCHAR" for name in names}
    table = json_fields(engine, file, kinds)
    if table is None:
        return None
    cells = dict(zip(names, table.columns, strict=True))
    if any(_is_quoted(cells[name]) for name in names if name in numbers):
        return _cells(engine, file, names, ())
    return cells


def _is_quoted(column: Any) -> bool:
    import pyarrow.compute as pc

    return bool(pc.any(pc.starts_with(column, '"'), min_count=0).as_py())


def _has_odd(column: Any) -> bool:
    """Return whether some text may be written otherwise than in the file."""
    import pyarrow as pa
    import pyarrow.compute as pc

    if len(pc.unique(column[:HEAD])) <= _LABELS:  # each is looked at once
        column = pc.unique(column)
    starts = pc.unique(pc.binary_slice(column.cast(pa.binary()), 0, 1)).to_pylist()
    if not any(start in _ODD_STARTS for start in starts if start is not None):
        return False
    return bool(pc.any(pc.match_substring_regex(column, _ODD), min_count=0).as_py())


def has_other_keys(
    engine: Engine, file: File, names: Sequence[str], columns: Sequence[str], table: Any
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
        Those that were read.
    table
        Their cells.
    """
    full = not any(column.null_count for column in table.columns)
    # One colon for each cell leaves none for other keys.
    cells = len(table) * len(names)
    if full and {*columns} == {*names} and _count_colons(file) == cells:
        return False
    keys = f"[{', '.join(map(literal, names))}]"
    sql = (
        f"SELECT bool_and(CASE WHEN keys = {keys} THEN true "
        f"ELSE list_has_all({keys}, keys) END) FROM (SELECT json_keys(json) AS keys "
        f"FROM read_json_objects({path_literal(file)}, format = 'newline_delimited', "
        f"compression = '{_packing(file)}'))"
    )
    return not engine.fetch(sql, name=file.name).column(0)[0].as_py()


def _count_colons(file: File) -> int:
    with file.open() as handle:
        return sum(
            block.count(b":") for block in iter(lambda: handle.read(_BLOCK), b"")
        )


def _packing(file: File) -> str:
    return "gzip" if file.packed else "uncompressed"
