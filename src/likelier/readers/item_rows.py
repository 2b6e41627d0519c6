"""Rows of a table file or a data frame as Arrow columns, each row with its name."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Any

import pyarrow as pa

from likelier.errors import InputError
from likelier.readers.columns import check_columns
from likelier.readers.engine import connected
from likelier.readers.file import File, find_file
from likelier.readers.frame_examples import arrow_table
from likelier.readers.frames import looks_like_frame, wrapped_frame
from likelier.readers.tables import load_rows, open_table, table_format

FRAME = "The frame"


@dataclass(frozen=True, kw_only=True)
class RowSource:
    """A table whose columns can be read, each in the order of the rows.

    Attributes
    ----------
    file
        The file; for a data frame, one that is not there.
    format
        Name of its format.
    names
        Its columns.
    load
        Reads columns, some of which become numbers.
    locate
        Names rows in a message.
    """

    file: File
    format: str
    names: tuple[str, ...]
    load: Callable[[Sequence[str], Sequence[str]], list[Any]]
    locate: Callable[[Sequence[int]], list[str]]

    @property
    def stem(self) -> str:
        """Name of the file without its ending; of a frame, what it is."""
        return self.file.bare.stem or self.file.bare.name or self.format

    def at(self, row: int) -> str:
        """Name one row in a message."""
        return self.locate([row])[0]

    def look_up(self, name: str, rows: Any) -> list[Any]:
        """Return a column of some rows."""
        (column,) = self.load([name], [])
        return list(column.take(pa.array(rows)).to_pylist())


def row_source(data: Any) -> RowSource:
    """Open a table file, by its path, or a data frame."""
    if looks_like_frame(data):
        return _frame_rows(data)
    if isinstance(data, str | PathLike | File):
        return _file_rows(data if isinstance(data, File) else find_file(data))
    message = f"A table must be a file or a data frame; got {type(data).__name__}."
    raise InputError(message)


def _file_rows(file: File) -> RowSource:
    with connected([file]) as engine:
        table = open_table(engine, file)

    def load(columns: Sequence[str], numbers: Sequence[str]) -> list[Any]:
        with connected([file]) as engine:
            return list(load_rows(engine, table, columns, numbers=numbers).columns)

    return RowSource(
        file=file,
        format=table_format(file).name,
        names=table.names,
        load=load,
        locate=table.locate,
    )


def _frame_rows(data: Any) -> RowSource:
    frame = wrapped_frame(data).lazy().collect()
    names = tuple(frame.columns)

    def load(columns: Sequence[str], _numbers: Sequence[str]) -> list[Any]:
        check_columns(columns, names, table=FRAME)
        if not len(frame):
            message = f"{FRAME} must have at least one item; it has none."
            raise InputError(message)
        return [_arrow_column(frame, name) for name in columns]

    return RowSource(
        file=File(Path(), FRAME, b""),
        format="frame",
        names=names,
        load=load,
        locate=lambda rows: [f"row {row}" for row in rows],
    )


def _arrow_column(frame: Any, name: str) -> Any:
    try:
        return arrow_table(frame.select(name)).column(0)
    except (pa.ArrowInvalid, pa.ArrowTypeError, pa.ArrowNotImplementedError) as error:
        message = f"Column {name!r} must hold values of one kind; {error}."
        hint = "Turn the column into strings first."
        raise InputError(message, hint=hint) from error
