"""DuckDB as we use it: in memory, one list of files, no network, no extensions."""

import os
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from likelier.errors import InputError
from likelier.readers.formats import File

_SETTINGS = {
    "autoinstall_known_extensions": "false",
    "autoload_known_extensions": "false",
    "allow_community_extensions": "false",
    "allow_persistent_secrets": "false",
    "python_enable_replacements": "false",
}


@contextmanager
def connected(files: Sequence[File]) -> Iterator[Any]:
    """Open a database in memory that can read these files and nothing else."""
    import duckdb

    spill = Path(tempfile.gettempdir()) / f"likelier-{os.getpid()}"
    paths = [name for file in files for name in (str(file.path), _pattern(file.path))]
    allowed = ", ".join(literal(path) for path in paths)
    with duckdb.connect(":memory:", config=_SETTINGS) as con:
        con.execute(f"SET temp_directory = {literal(str(spill))}")
        con.execute(f"SET allowed_paths = [{allowed}]")
        con.execute("SET enable_external_access = false")
        con.execute("SET lock_configuration = true")
        yield con


def literal(text: str) -> str:
    """Write a text as an SQL string.

    Examples
    --------
    >>> literal("it's")
    "'it''s'"
    """
    return "'" + text.replace("'", "''") + "'"


def path_literal(file: File) -> str:
    """Write a path as an SQL string in which no character is a wildcard."""
    return literal(_pattern(file.path))


def _pattern(path: Path) -> str:
    return "".join(f"[{c}]" if c in "*?[" else c for c in str(path))


def run(con: Any, sql: str, *, shown: str) -> None:
    """Run a statement; what DuckDB refuses is an error of the input."""
    with _refusing(shown):
        con.execute(sql)


def fetch(con: Any, sql: str, *, shown: str) -> Any:
    """Run a query and give its rows as an Arrow table."""
    with _refusing(shown):
        return con.sql(sql).to_arrow_table()


@contextmanager
def _refusing(shown: str) -> Iterator[None]:
    import duckdb

    try:
        yield
    except duckdb.Error as error:
        told = str(error).strip().split("\n")[0]
        message = f"{shown} must be a readable table; DuckDB says: {told}"
        raise InputError(message) from error
