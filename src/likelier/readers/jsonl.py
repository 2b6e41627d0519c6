"""JSONL, one object per line."""

from collections.abc import Collection, Iterator, Sequence
from itertools import islice
from os import SEEK_END
from typing import Any

from likelier.errors import InputError
from likelier.readers.engine import Engine
from likelier.readers.file import File, filled_lines
from likelier.readers.json_fields import has_other_keys, text_fields
from likelier.readers.json_table import JsonTable
from likelier.readers.strict_json import DECODER, broken_json

_BLANK = b" \t\r\n"


class JsonLines(JsonTable):
    """A JSONL file."""

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
        """Read some keys by DuckDB, where it is as exact; else object by object."""
        if not lists:
            cells = self._by_duckdb(engine, columns, late=late, numbers=numbers)
            keys = engine, self.file, self.names, columns
            if cells is not None and not (closed and has_other_keys(*keys, cells)):
                engine.register(view, cells)
                return
        choice: dict[str, Any] = {"lists": lists, "late": late, "closed": closed}
        super().load(engine, columns, view=view, **choice)

    def rows(
        self, engine: Engine, columns: Sequence[str], *, numbers: Sequence[str] = ()
    ) -> Any:
        """Return the values of keys, in the order of the file, as texts."""
        cells = self._by_duckdb(engine, columns, numbers=numbers)
        return super().rows(engine, columns) if cells is None else cells

    def _by_duckdb(
        self,
        engine: Engine,
        columns: Sequence[str],
        *,
        late: Sequence[str | None] = (),
        numbers: Sequence[str],
    ) -> Any | None:
        if any(name not in self.names for name in late if name is not None):
            return None
        return text_fields(engine, self.file, columns, late=late, numbers=numbers)

    def records(
        self, rows: Collection[int] | None = None
    ) -> Iterator[tuple[int, dict[str, Any]]]:
        """Yield the objects of all lines, or of some, with their numbers from 1."""
        numbered = enumerate(filled_lines(self.file), 1)
        lines: Iterator[tuple[int, tuple[int, bytes]]] = numbered
        if rows is not None:
            some = islice(lines, max(rows, default=0))
            lines = (line for line in some if line[0] in rows)
        for row, (line, raw) in lines:
            yield row, _parsed(self.file, line, raw)

    def locate(self, rows: Sequence[int]) -> list[str]:
        """Name the lines of rows."""
        numbers = (line for line, _ in filled_lines(self.file))
        lines = {row: line for row, line in enumerate(numbers) if row in rows}
        return [self.file.at(lines[row]) for row in rows]


def is_jsonl(file: File) -> bool:
    """Return whether the text starts with an object."""
    return file.start.lstrip().startswith(b"{")


def open_jsonl(_engine: Engine, file: File) -> JsonLines:
    """Look at the first object and the last byte of a JSONL file."""
    first = _parsed(file, *next(filled_lines(file)))
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
