"""Ids: none missing, none double; files are joined on them, never by position."""

from collections.abc import Sequence
from typing import Any

from likelier.errors import InputError
from likelier.readers.engine import fetch
from likelier.readers.examples import IDS
from likelier.readers.tables import Table

_SHOWN = 5


def check_ids(con: Any, table: Table, *, view: str, column: str, name: str) -> None:
    """Refuse missing and double ids, and name the first five.

    Parameters
    ----------
    con
        The database.
    table
        The file that the ids stand in.
    view
        Where the database has it.
    column
        The SQL that gives the ids.
    name
        The column's own name.
    """
    shown = table.file.shown
    sql = f"SELECT count(*), count({column}), count(DISTINCT {column}) FROM {view}"
    total, there, distinct = fetch(con, sql, shown=shown).to_pylist()[0].values()
    if there < total:
        ids = fetch(con, f"SELECT {column} AS id FROM {view}", shown=shown)
        rows = [i for i, cell in enumerate(ids["id"].is_null()) if cell.as_py()]
        places = ", ".join(table.where(rows[:_SHOWN]))
        message = (
            f"Column {name!r} of {shown} must have an id for every item; "
            f"{total - there:,} missing: {places}."
        )
        raise InputError(message)
    if distinct < total:
        raise _double_ids(con, view=view, column=column, name=name, shown=shown)


def _double_ids(
    con: Any, *, view: str, column: str, name: str, shown: str
) -> InputError:
    sql = (
        f"SELECT id FROM (SELECT {column} AS id, row_number() OVER () AS r FROM {view})"
        " GROUP BY id HAVING count(*) > 1 ORDER BY min(r)"
    )
    told = _first_ids(fetch(con, sql, shown=shown))
    message = f"Column {name!r} of {shown} must have different ids; double: {told}."
    return InputError(message)


def _first_ids(ids: Any) -> str:
    first = ", ".join(repr(cell.as_py()) for cell in ids["id"][:_SHOWN])
    rest = ids.num_rows - _SHOWN
    return f"{first} and {rest:,} more" if rest > 0 else first


def check_matches(con: Any, first: tuple[str, Table], other: tuple[str, Table]) -> None:
    """Refuse ids that only one of two files has, and name the first five."""
    for (view, table), (against, lacking) in ((first, other), (other, first)):
        shown = lacking.file.shown
        sql = f"SELECT id FROM {view} ANTI JOIN {against} USING (id) ORDER BY {view}.r"
        ids = fetch(con, sql, shown=shown)
        if ids.num_rows:
            message = (
                f"{shown} must have the ids of {table.file.shown}; "
                f"{ids.num_rows:,} missing: {_first_ids(ids)}."
            )
            raise InputError(message)


def joined_sql(views: Sequence[str], *, cluster: bool) -> str:
    """Write the query that puts the cells of one item side by side, with its id.

    Examples
    --------
    >>> joined_sql(["t0", "t1"], cluster=False)
    'SELECT t0.c0 AS c0, t1.c0 AS c1, id AS ids FROM t0 JOIN t1 USING (id)'
    """
    cells = [f"{view}.c0 AS c{i}" for i, view in enumerate(views)]
    if cluster:
        cells.append(f"{views[0]}.c1 AS c{len(views)}")
    source = views[0] + "".join(f" JOIN {view} USING (id)" for view in views[1:])
    return f"SELECT {', '.join(cells)}, id AS {IDS} FROM {source}"
