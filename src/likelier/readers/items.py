"""Columns of a file, item by item: for what must know the order of items."""

from collections.abc import Sequence
from os import PathLike
from typing import Any

from likelier.errors import InputError
from likelier.readers.engine import connected, fetch
from likelier.readers.formats import detect
from likelier.readers.tables import load, open_table


def read_columns(
    path: str | PathLike[str], wanted: Sequence[str]
) -> tuple[dict[str, list[str]], int]:
    """Read columns as text in the order of the file, and count its items.

    Parameters
    ----------
    path
        A file of any known format.
    wanted
        The columns; none of their cells may be missing.
    """
    file = detect(path)
    with connected([file]) as con:
        table = open_table(con, file)
        names = list(wanted) or [table.names[0]]
        load(con, table, names, view="items")
        keys = ", ".join(f"CAST(c{i} AS VARCHAR) AS c{i}" for i in range(len(names)))
        rows = fetch(con, f"SELECT {keys} FROM items", shown=file.shown)
    columns: dict[str, list[Any]] = {
        name: rows.column(i).to_pylist() for i, name in enumerate(names)
    }
    for name in wanted:
        if None in columns[name]:
            place = table.where([columns[name].index(None)])[0]
            message = f"{place}: column {name!r} must have a value in every row."
            raise InputError(message)
    return {name: columns[name] for name in wanted}, int(rows.num_rows)
