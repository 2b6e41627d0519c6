"""Parquet, read by DuckDB with the types of its columns, and never too much of it.

A value that comes again and again takes next to no place in a file: a billion equal
numbers, or a long text in each of a million rows. So the footer tells how much there
is before anything is read, and texts are measured before they are copied.
"""

from collections.abc import Sequence
from typing import Any

from likelier.errors import InputError
from likelier.readers.columns import owner
from likelier.readers.engine import Engine, Table, literal, path_literal
from likelier.readers.file import File
from likelier.readers.unpacking import Allowance

_LENGTHS = {"varchar": "strlen", "blob": "octet_length"}
_TRUSTED = "Where you trust it, read it in Python, and give the data frame."


class Parquet(Table):
    """A Parquet file."""

    def relation(self) -> str:
        """Return the SQL that reads the file."""
        # DuckDB takes names that differ in case for one; positions are safe.
        fields = ", ".join(f"f{i}" for i in range(len(self.names)))
        path = path_literal(self.file)
        return f"read_parquet({path}, hive_partitioning = false) AS t({fields})"

    def expression(self, engine: Engine, column: str) -> str:
        """Return the SQL of a column, or of a field within one."""
        whole = owner(column, self.names)
        if column not in self.names and whole in self.names:
            i = self.names.index(whole)
            kind = engine.kinds(self.relation())[i]
            field = _field(f"f{i}", kind, column[len(whole) + 1 :])
            if field is not None:
                return field
        return super().expression(engine, column)

    def check_size(self, engine: Engine, query: str) -> None:
        """Refuse a query that gives more than the file can honestly hold."""
        check_texts(engine, self.file, query)

    def locate(self, rows: Sequence[int]) -> list[str]:
        """Name rows by their numbers, from 1."""
        return [f"{self.file.name} row {row + 1}" for row in rows]


def _field(cell: str, kind: Any, name: str) -> str | None:
    """Return the SQL of a field within a struct, by its dotted name."""
    if kind.id != "struct":
        return None
    kinds = dict(kind.children)
    first = owner(name, list(kinds))
    # DuckDB takes names that differ in case for one.
    alike = [other for other in kinds if other.casefold() == first.casefold()]
    if alike != [first]:
        return None
    field = f"struct_extract({cell}, {literal(first)})"
    rest = name[len(first) + 1 :]
    return _field(field, kinds[first], rest) if rest else field


def is_parquet(file: File) -> bool:
    """Return whether the file starts as Parquet does."""
    return file.start.startswith(b"PAR1")


def open_parquet(engine: Engine, file: File) -> Parquet:
    """Read the names of the columns, as they are written in the file."""
    if file.packed:
        message = f"{file.name} must be Parquet itself; it is Parquet within gzip."
        raise InputError(message)
    check_footer(engine, file)
    sql = f"SELECT name, num_children FROM parquet_schema({path_literal(file)})"
    schema = engine.fetch(sql, name=file.name).to_pylist()
    names, inner = [], 0
    for element in schema[1:]:
        if not inner:
            names.append(str(element["name"]))
        inner += (element["num_children"] or 0) - (inner > 0)
    return Parquet(file, tuple(names))


# --- bounds --------------------------------------------------------------------------


def check_footer(engine: Engine, file: File) -> None:
    """Refuse a file that says to have more values, or larger ones, than it can."""
    sql = (
        "SELECT sum(greatest(num_values, row_group_num_rows, "
        "total_uncompressed_size, 0)) "
        f"FROM parquet_metadata({path_literal(file)})"
    )
    _check(engine, file, sql)


def check_texts(engine: Engine, file: File, query: str) -> None:
    """Refuse a query whose texts are too long, all together."""
    kinds = engine.kinds(f"({query})")
    sizes = filter(None, (_size(f"c{i}", kind) for i, kind in enumerate(kinds)))
    # Each column's own sum looks at a text that comes again only once.
    if sums := ", ".join(f"sum({size})" for size in sizes):
        names = ", ".join(f"c{i}" for i in range(len(kinds)))
        _check(engine, file, f"SELECT {sums} FROM ({query}) AS t({names})")


def _check(engine: Engine, file: File, sql: str) -> None:
    allowance = Allowance(file.name, file.path.stat().st_size, hint=_TRUSTED)
    for sums in engine.fetch(sql, name=file.name).columns:
        allowance.take(int(sums[0].as_py() or 0))


def _size(cell: str, kind: Any) -> str | None:
    """Return the SQL of the bytes of all texts in a cell; None if it has no texts."""
    if kind.id in _LENGTHS:
        return f"{_LENGTHS[kind.id]}({cell})"
    if kind.id in ("list", "array"):
        return _size_of_all(cell, dict(kind.children)["child"])
    if kind.id == "map":
        children = dict(kind.children)
        return _together(
            [
                _size_of_all(f"map_keys({cell})", children["key"]),
                _size_of_all(f"map_values({cell})", children["value"]),
            ]
        )
    if kind.id == "struct":
        return _together(
            [
                _size(f"struct_extract({cell}, {literal(name)})", child)
                for name, child in kind.children
            ]
        )
    return None


def _size_of_all(cell: str, child: Any) -> str | None:
    """Return the SQL of the bytes of all texts in a list."""
    size = _size("x", child)
    return size and f"list_sum(list_transform({cell}, lambda x: {size}))"


def _together(sizes: Sequence[str | None]) -> str | None:
    """Return the SQL of the sum of sizes, of those that there are."""
    known = [f"coalesce({size}, 0)" for size in sizes if size]
    return f"({' + '.join(known)})" if known else None
