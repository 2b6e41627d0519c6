"""Fields of JSON lines as Arrow columns, read by DuckDB where that is exact.

DuckDB is an order of magnitude faster than Python, and as strict, but for three things:
it writes numbers with fractions anew, takes NaN for a number, and a line ``null`` for
an object. Where one of these may be, or DuckDB refuses a file, nothing is returned, and
the file is read line by line, with messages of our own.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import pyarrow.compute as pc

from likelier.errors import InputError
from likelier.readers.engine import Engine, literal, path_literal
from likelier.readers.file import File

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
    kinds = ", ".join(f"{literal(n)}: {literal(kind)}" for n, kind in fields.items())
    cells = ", ".join(f"f{i} AS c{i}" for i in range(len(fields)))
    names = ", ".join(f"f{i}" for i in range(len(fields)))
    packing = "gzip" if file.packed else "uncompressed"
    sql = (
        f"SELECT {cells} FROM read_json({path_literal(file)}, "
        f"format = 'newline_delimited', compression = '{packing}', "
        f"columns = {{{kinds}}}) AS t({names})"
    )
    try:
        table = engine.fetch(sql, name=file.name)
    except InputError:
        return None
    return None if _has_empty_row(table) else table


def _has_empty_row(table: Any) -> bool:
    """Return whether some row has no value at all, as a line ``null`` has."""
    if any(column.null_count == 0 for column in table.columns):
        return False
    empty = pc.is_null(table.column(0))
    for column in table.columns[1:]:
        empty = pc.and_(empty, pc.is_null(column))
    return bool(pc.any(empty, min_count=0).as_py())


def json_cells(
    engine: Engine, file: File, columns: Sequence[str], numbers: Sequence[str]
) -> Any | None:
    """Read columns as texts, just as they are written; None where DuckDB cannot.

    Parameters
    ----------
    engine
        The database.
    file
        The file.
    columns
        Names of fields.
    numbers
        Those whose values become numbers, so that their writing does not matter;
        what is none is refused there.
    """
    if any("." in name for name in columns):
        return None  # a field within a field
    table = json_fields(engine, file, dict.fromkeys(columns, "VARCHAR"))
    if table is None:
        return None
    for name, cells in zip(columns, table.columns, strict=True):
        if cells.null_count == len(cells):
            return None  # there may be no such field
        if name in numbers:
            continue
        if pc.any(pc.match_substring_regex(cells, _ODD)).as_py():
            return None
    return table
