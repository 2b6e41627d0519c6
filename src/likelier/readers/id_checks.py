"""Ids of items in table files: one for each row, and the same in all files."""

from collections.abc import Sequence
from typing import Any

from likelier.errors import InputError
from likelier.readers.engine import Engine, Table
from likelier.readers.item_ids import id_title

_LISTED = 5
_LOOKED_AT = 1_000


def check_ids(
    engine: Engine, table: Table, *, relation: str, key: str, columns: Sequence[str]
) -> int:
    """Refuse missing and double ids, and list the first five; return their number.

    Parameters
    ----------
    engine
        The database.
    table
        The file with the ids.
    relation, key
        Table and column of the database that have them.
    columns
        The names of the columns that make the ids.
    """
    name, title = table.file.name, id_title(columns)
    ordered = _count_in_order(engine, relation, key, name=name)
    if ordered is not None:
        return ordered
    sql = f"SELECT count(*), count({key}), count(DISTINCT {key}) FROM {relation}"
    total, filled, distinct = engine.fetch(sql, name=name).to_pylist()[0].values()
    if filled < total:
        ids = engine.fetch(f"SELECT {key} AS id FROM {relation}", name=name)
        rows = [i for i, cell in enumerate(ids["id"].is_null()) if cell.as_py()]
        lines = ", ".join(table.locate(rows[:_LISTED]))
        message = (
            f"{title} of {name} must have an id for every item; "
            f"{total - filled:,} missing: {lines}."
        )
        raise InputError(message)
    if distinct < total:
        sql = (
            f"SELECT id FROM (SELECT {key} AS id, row_number() OVER () AS r "
            f"FROM {relation}) GROUP BY id HAVING count(*) > 1 ORDER BY min(r)"
        )
        ids = _first_ids(engine.fetch(sql, name=name))
        message = f"{title} of {name} must have each id once; twice: {ids}."
        raise InputError(message)
    return int(total)


def _count_in_order(
    engine: Engine, relation: str, key: str, *, name: str
) -> int | None:
    """Count ids if each is longer than the one before, or sorts after it; else None.

    Such ids differ, as m9 and m10 do, and one pass shows it, several times faster.
    """
    sql = (
        "SELECT bool_and(coalesce(n > m OR (n = m AND id > before), false)), count(*) "
        "FROM (SELECT id, length(id) AS n, lag(id, 1, '') OVER () AS before, "
        "lag(length(id), 1, 0) OVER () AS m "
        f"FROM (SELECT {key} AS id FROM {relation}{{limit}}))"
    )
    for limit in (f" LIMIT {_LOOKED_AT}", ""):
        rows = engine.fetch(sql.format(limit=limit), name=name)
        ordered, total = (column[0].as_py() for column in rows.columns)
        if not ordered:
            return None
    return int(total)


def _first_ids(ids: Any) -> str:
    first = ", ".join(repr(cell.as_py()) for cell in ids["id"][:_LISTED])
    rest = ids.num_rows - _LISTED
    return f"{first} and {rest:,} more" if rest > 0 else first


def check_same_ids(
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
