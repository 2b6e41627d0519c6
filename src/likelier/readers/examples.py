"""Examples of the items on which systems differ, picked where the data are counted."""

from collections.abc import Sequence
from typing import Any

import pyarrow as pa

from likelier.data.differing_items import EXAMPLES, Naming
from likelier.readers.engine import fetch

IDS = "ids"
# Rows without ids are looked at for examples as far as here: numbering them is slow.
NUMBERED = 50_000
# Longer ids are sorted by their characters alone.
_LONGEST = 5_000


def rows_sql(view: str, keys: str, key: str | None) -> str:
    """Write the query that gives rows one by one, with their ids or else numbers."""
    return f"SELECT {keys}, {key or 'row_number() OVER ()'} AS {IDS} FROM {view}"


def counted_sql(view: str, keys: str, said: Sequence[str], key: str | None) -> str:
    """Write the query that counts patterns and picks examples of those that differ.

    Parameters
    ----------
    view
        Where the rows are.
    keys
        The columns that make a pattern.
    said
        The columns of the systems; less than two where no examples are wanted.
    key
        The SQL of the ids as text, if there are any; otherwise rows are numbered.

    Examples
    --------
    >>> counted_sql("wide", "c0, c1", ["c1"], None)
    'SELECT c0, c1, count(*) AS n FROM wide GROUP BY ALL'
    """
    counted = f"SELECT {keys}, count(*) AS n"
    if len(said) < 2 or key is not None:
        return f"{counted}{least_ids(said, key)} FROM {view} GROUP BY ALL"
    numbered = rows_sql(f"(SELECT * FROM {view} LIMIT {NUMBERED})", keys, None)
    # The second part counts nothing again: it only names rows of the first.
    return (
        f"{counted}, NULL AS {IDS} FROM {view} GROUP BY ALL UNION ALL "
        f"SELECT {keys}, 0, min({IDS}, {EXAMPLES}) FROM ({numbered}) "
        f"WHERE {_differ(said)} GROUP BY ALL"
    )


def least_ids(said: Sequence[str], key: str | None) -> str:
    """Write the SQL of a column with the least ids of patterns that differ."""
    if key is None or len(said) < 2:
        return ""
    picked = f"CASE WHEN {_differ(said)} THEN {_sortable(key)} END"
    return f", min({picked}, {EXAMPLES}) AS {IDS}"


def _sortable(key: str) -> str:
    """Put a character before an id that tells its length: m9 comes before m10."""
    return f"chr(CAST(32 + least(length({key}), {_LONGEST}) AS INTEGER)) || {key}"


def _differ(said: Sequence[str]) -> str:
    """Say that not all systems said the same; as text, whatever the types."""
    first, *others = (f"CAST({cell} AS VARCHAR)" for cell in said)
    return " OR ".join(f"{first} <> {other}" for other in others)


def named_patterns(table: Any) -> Naming | None:
    """Name items of patterns by the examples that a counting query picked."""
    if IDS not in table.column_names:
        return None
    column = table[IDS]

    def names(rows: Any) -> list[list[str]]:
        found = column.take(rows).to_pylist()
        return [[_name(key) for key in some or ()] for some in found]

    return names


def _name(key: str | int) -> str:
    return f"row {key}" if isinstance(key, int) else key[1:]


def named_rows(table: Any) -> Naming:
    """Name rows that are not counted together."""
    column = table[IDS]

    def names(rows: Any) -> list[list[str]]:
        found = column.take(rows).to_pylist()
        return [[key if isinstance(key, str) else _name(key)] for key in found]

    return names


def looked_up(con: Any, source: str, table: Any, *, width: int, shown: str) -> Naming:
    """Name items of patterns by going through the rows again, for patterns are many.

    Parameters
    ----------
    con
        The database.
    source
        The query that gives the rows with their ids, or else numbers.
    table
        The counted patterns.
    width
        How many columns make a pattern.
    shown
        What to call the file in messages.
    """
    columns = [f"c{i}" for i in range(width)]

    def names(rows: Any) -> list[list[str]]:
        wanted = table.select(columns).take(rows)
        place = pa.array(range(len(rows)), pa.int64())
        con.register("wanted", wanted.append_column("place", place))
        kind = str(con.sql(f"SELECT {IDS} FROM ({source}) LIMIT 0").types[0])
        key = IDS if kind == "BIGINT" else _sortable(IDS)
        sql = (
            f"SELECT place, min({key}, {EXAMPLES}) AS {IDS} FROM ({source}) "
            f"JOIN wanted USING ({', '.join(columns)}) GROUP BY place"
        )
        found = dict(
            zip(*fetch(con, sql, shown=shown).to_pydict().values(), strict=True)
        )
        return [[_name(key) for key in found.get(i) or ()] for i in range(len(rows))]

    return names
