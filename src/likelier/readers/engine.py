"""DuckDB as we use it: in memory, one list of files, no network, no extensions.

A `Table` is a file that it can query.
"""

import os
import tempfile
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar

from likelier.errors import InputError
from likelier.readers.columns import check_columns
from likelier.readers.file import File

_SETTINGS = {
    "autoinstall_known_extensions": "false",
    "autoload_known_extensions": "false",
    "allow_community_extensions": "false",
    "allow_persistent_secrets": "false",
    "python_enable_replacements": "false",
}

# Small files are to take little memory, however they are made; large ones may have what
# DuckDB takes by itself, four fifths of the machine.
_MEMORY, _TIMES, _MUCH_MEMORY = 1_000_000_000, 100, 4_000_000_000

# So many rows show what a column holds.
HEAD = 1_000


class Engine:
    """A database in memory that can read some files and nothing else.

    It is opened when first used, for files may turn out wrong before that.

    Parameters
    ----------
    files
        The files.
    """

    def __init__(self, files: Sequence[File]) -> None:
        self._files = files

    @cached_property
    def con(self) -> Any:
        """The connection of DuckDB."""
        return _connect([file.path for file in self._files])

    def run(self, sql: str, *, name: str) -> None:
        """Run a statement; what DuckDB refuses is an error of the named input."""
        with _refusing(name):
            self.con.execute(sql)

    def fetch(self, sql: str, *, name: str) -> Any:
        """Run a query and return its rows as an Arrow table."""
        with _refusing(name):
            return self.con.sql(sql).to_arrow_table()

    def types(self, view: str) -> dict[str, str]:
        """Return the types of the columns of a view, as DuckDB writes them."""
        relation = self.con.sql(f"SELECT * FROM {view} LIMIT 0")
        return dict(zip(relation.columns, map(str, relation.types), strict=True))

    def kinds(self, relation: str) -> list[Any]:
        """Return the types of the columns of a relation, as DuckDB's objects."""
        return list(self.con.sql(f"SELECT * FROM {relation} LIMIT 0").types)

    def register(self, view: str, table: Any) -> None:
        """Make an Arrow table a view."""
        self.con.register(view, table)


def _connect(files: Sequence[Path]) -> Any:
    import duckdb

    spill = Path(tempfile.gettempdir()) / f"likelier-{os.getpid()}"
    paths = [name for path in files for name in (str(path), _pattern(path))]
    allowed = ", ".join(literal(path) for path in paths)
    con = duckdb.connect(":memory:", config=_SETTINGS)
    size = sum(path.stat().st_size for path in files)
    if (memory := _MEMORY + _TIMES * size) < _MUCH_MEMORY:
        con.execute(f"SET memory_limit = '{memory}B'")
    con.execute("SET enable_progress_bar = false")
    con.execute(f"SET temp_directory = {literal(str(spill))}")
    con.execute(f"SET allowed_paths = [{allowed}]")
    con.execute("SET enable_external_access = false")
    con.execute("SET lock_configuration = true")
    return con


@contextmanager
def connected(files: Sequence[File]) -> Iterator[Engine]:
    """Yield a database that can read these files, and close it."""
    engine = Engine(files)
    try:
        yield engine
    finally:
        if "con" in vars(engine):
            engine.con.close()


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


@contextmanager
def _refusing(name: str) -> Iterator[None]:
    import duckdb

    try:
        yield
    except duckdb.OutOfMemoryException as error:
        message = f"{name} must not take more memory to read than its size allows."
        hint = "Where you trust it, read it in Python, and give the data frame."
        raise InputError(message, hint=hint) from error
    except duckdb.Error as error:
        reason = str(error).strip().split("\n")[0].rstrip(".")
        message = f"{name} must be a readable table; DuckDB says: {reason}."
        raise InputError(message) from error


@dataclass(frozen=True)
class Table(ABC):
    """An open table file.

    Attributes
    ----------
    file
        The file.
    names
        Its columns; `all_named` says whether there can be no others.
    cut
        Whether the last line has no line end.
    n_rows
        The number of rows, where it is counted before DuckDB reads them.
    splits_sets
        Whether cells are text, in which a separator stands between labels.
    """

    file: File
    names: tuple[str, ...]
    cut: bool = False
    n_rows: int | None = None
    all_named: ClassVar[bool] = True
    splits_sets: ClassVar[bool] = False

    @abstractmethod
    def relation(self) -> str:
        """Return the SQL that reads the file, its columns as f0, f1, …."""

    @abstractmethod
    def locate(self, rows: Sequence[int]) -> list[str]:
        """Name the lines of rows."""

    def check_size(self, engine: Engine, query: str) -> None:
        """Refuse a query that gives too much; by default, none does."""
        del engine, query

    def count_rows(self, engine: Engine) -> int:
        """Count the rows, whatever their cells hold."""
        if self.n_rows is not None:
            return self.n_rows
        sql = f"SELECT count(*) FROM {self.relation()}"
        return int(engine.fetch(sql, name=self.file.name).column(0)[0].as_py())

    def load(
        self,
        engine: Engine,
        columns: Sequence[str],
        *,
        view: str,
        lists: Sequence[str] = (),
        late: Sequence[str | None] = (),
        numbers: Sequence[str] = (),
        closed: bool = False,
    ) -> None:
        """Make a view with columns as c0, c1, …; refuse any that is not there.

        Parameters
        ----------
        engine
            The database.
        columns
            The columns.
        view
            Name of the view.
        lists
            Columns of sets, where a format must know.
        late
            Columns of which few cells are needed: a cell may stand for what `texts`
            reads later.
        numbers
            Columns whose cells become numbers: how they are written does not matter.
        closed
            Whether to refuse rows with further columns, where they can have any.
        """
        del lists, late, numbers, closed
        cells = [self.expression(engine, name) for name in columns]
        picked = ", ".join(f"{cell} AS c{i}" for i, cell in enumerate(cells))
        query = f"SELECT {picked} FROM {self.relation()}"
        self.check_size(engine, query)
        engine.run(f"CREATE TEMP VIEW {view} AS {query}", name=self.file.name)

    def rows(
        self, engine: Engine, columns: Sequence[str], *, numbers: Sequence[str] = ()
    ) -> Any:
        """Return columns in the order of the file as an Arrow table, c0, c1, …."""
        self.load(engine, columns, view="loaded", numbers=numbers)
        return engine.fetch("SELECT * FROM loaded", name=self.file.name)

    def expression(self, engine: Engine, column: str) -> str:
        """Return the SQL of a column; refuse one that is not there."""
        del engine
        check_columns([column], self.names, table=self.file.name)
        # By position, so that names may be anything.
        return f"f{self.names.index(column)}"

    def texts(self, column: str, cells: Sequence[Any]) -> list[str | None]:
        """Return the texts of some cells of a column that was loaded as late."""
        del column
        return [None if cell is None else str(cell) for cell in cells]

    def head(self, engine: Engine, columns: Sequence[str]) -> list[list[Any]]:
        """Return the cells of columns in the first rows."""
        picked = ", ".join(f"f{self.names.index(name)}" for name in columns)
        sql = f"SELECT {picked} FROM {self.relation()} LIMIT {HEAD}"
        self.check_size(engine, sql)
        rows = engine.fetch(sql, name=self.file.name)
        return [column.to_pylist() for column in rows.columns]
