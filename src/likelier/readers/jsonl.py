"""JSONL, one object per line."""

from collections.abc import Collection, Iterator, Sequence
from itertools import islice
from os import SEEK_END
from typing import Any

from likelier.errors import InputError
from likelier.readers.engine import Engine
from likelier.readers.file import File
from likelier.readers.json_fields import has_other_keys, load_cells
from likelier.readers.json_table import JsonTable
from likelier.readers.strict_json import DECODER, broken_json

_BLANK = b" \t\r\n"


class JsonLines(JsonTable):
    """A JSONL file."""

    def load_fast(
        self,
        engine: Engine,
        columns: Sequence[str],
        *,
        view: str,
        late: Sequence[str | None] = (),
        numbers: Sequence[str] = (),
        closed: bool = False,
    ) -> bool:
        """Make a table of cells as texts by DuckDB, where it is as exact."""
        if any(name not in self.names for name in late if name is not None):
            return False
        loaded = load_cells(
            engine, self.file, columns, view=view, late=late, numbers=numbers
        )
        return loaded and not (
            closed and has_other_keys(engine, self.file, self.names, columns, view=view)
        )

    def records(
        self, rows: Collection[int] | None = None
    ) -> Iterator[tuple[int, dict[str, Any]]]:
        """Yield the objects of all lines, or of some, with their numbers from 1."""
        lines: Iterator[tuple[int, tuple[int, bytes]]] = enumerate(_lines(self.file), 1)
        if rows is not None:
            some = islice(lines, max(rows, default=0))
            lines = (line for line in some if line[0] in rows)
        for row, (line, raw) in lines:
            yield row, _parsed(self.file, line, raw)

    def locate(self, rows: Sequence[int]) -> list[str]:
        """Name the lines of rows."""
        numbers = (line for line, _ in _lines(self.file))
        lines = {row: line for row, line in enumerate(numbers) if row in rows}
        return [self.file.at(lines[row]) for row in rows]


def is_jsonl(file: File) -> bool:
    """Return whether the text starts with an object."""
    return file.start.lstrip().startswith(b"{")


def open_jsonl(_engine: Engine, file: File) -> JsonLines:
    """Look at the first object and the last byte of a JSONL file."""
    first = _parsed(file, *next(_lines(file)))
    return JsonLines(file, tuple(first), cut=_last_byte(file) != b"\n")


def _last_byte(file: File) -> bytes:
    with file.open() as handle:
        if not file.packed:
            handle.seek(-1, SEEK_END)
            return handle.read()
        last = b""
        for block in iter(lambda: handle.read(1 << 20), b""):
            last = block[-1:]
    return last


def _lines(file: File) -> Iterator[tuple[int, bytes]]:
    with file.open() as handle:
        for line, raw in enumerate(handle, 1):
            if not raw.isspace():
                yield line, raw


def _parsed(file: File, line: int, raw: bytes) -> dict[str, Any]:
    """Return the object of a line, or refuse it."""
    try:
        text = raw.strip(_BLANK).decode()
        value, end = DECODER.raw_decode(text)
        if end != len(text):
            value = DECODER.decode(text)  # raises what is wrong
    except (ValueError, RecursionError) as error:
        must = "a line must be one JSON object"
        raise broken_json(error, at=file.at(line), must=must) from error
    if not isinstance(value, dict):
        message = f"{file.at(line)}: a line must be one JSON object; got a value."
        raise InputError(message)
    return value
