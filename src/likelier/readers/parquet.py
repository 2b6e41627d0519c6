"""Parquet, read by DuckDB: columns by their place, so that names may be anything."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from likelier.errors import InputError
from likelier.readers.engine import fetch, path_literal, run
from likelier.readers.formats import File


@dataclass(frozen=True)
class Parquet:
    """A Parquet file.

    Attributes
    ----------
    file
        The file.
    names
        Its columns.
    cut
        Never: a Parquet file that is cut cannot be opened.
    n_rows
        Not needed: Parquet counts its rows itself.
    """

    file: File
    names: tuple[str, ...]
    cut: bool = False
    n_rows: int | None = None

    def load(self, con: Any, wanted: Sequence[str], *, view: str) -> None:
        """Make a view of the wanted columns, with their types."""
        # DuckDB takes names that differ in case for one; places are safe.
        fields = ", ".join(f"f{i}" for i in range(len(self.names)))
        picked = ", ".join(
            f"f{self.names.index(name)} AS c{i}" for i, name in enumerate(wanted)
        )
        source = f"{_reader(self.file)} AS t({fields})"
        shown = self.file.shown
        run(con, f"CREATE VIEW {view} AS SELECT {picked} FROM {source}", shown=shown)

    def where(self, rows: Sequence[int]) -> list[str]:
        """Tell rows by their number, from 1."""
        return [f"{self.file.shown} row {row + 1}" for row in rows]


def _reader(file: File) -> str:
    return f"read_parquet({path_literal(file)}, hive_partitioning = false)"


def open_parquet(con: Any, file: File) -> Parquet:
    """Read the names of the columns, as they are written in the file."""
    if file.packed:
        message = f"{file.shown} must be Parquet itself; it is Parquet within gzip."
        raise InputError(message)
    sql = f"SELECT name, num_children FROM parquet_schema({path_literal(file)})"
    schema = fetch(con, sql, shown=file.shown).to_pylist()
    names, i = [], 1
    while i < len(schema):
        names.append(str(schema[i]["name"]))
        i = _after(schema, i)
    return Parquet(file, tuple(names))


def _after(schema: list[dict[str, Any]], i: int) -> int:
    """Step over an element and all that it holds."""
    children = schema[i]["num_children"] or 0
    i += 1
    for _ in range(children):
        i = _after(schema, i)
    return i
