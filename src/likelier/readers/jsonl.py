"""JSONL, one object per line: exact text of numbers, no key twice, no NaN."""

import json
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NoReturn

import pyarrow as pa

from likelier.errors import InputError
from likelier.readers.formats import File
from likelier.readers.kinds import check_columns

_BATCH = 1 << 16
_BLANK = b" \t\r\n"


class _BadTokenError(ValueError):
    """A token or key that JSON or we do not allow."""


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        message = f"an object must have different keys; {twice!r} stands there twice."
        raise _BadTokenError(message)
    return found


def _finite(text: str) -> str:
    if not math.isfinite(float(text)):
        message = f"numbers must be finite; got {text}."
        raise _BadTokenError(message)
    return text


def _constant(text: str) -> NoReturn:
    message = f"a value must be JSON; got {text}."
    raise _BadTokenError(message)


# Numbers stay as they are written.
_DECODER = json.JSONDecoder(
    object_pairs_hook=_unique,
    parse_float=_finite,
    parse_int=str,
    parse_constant=_constant,
)


@dataclass(frozen=True)
class JsonLines:
    """A JSONL file.

    Attributes
    ----------
    file
        The file.
    names
        The keys of the first object.
    cut
        Whether the last line has no line end.
    n_rows
        Not known before reading.
    """

    file: File
    names: tuple[str, ...]
    cut: bool
    n_rows: int | None = None

    def load(
        self,
        con: Any,
        wanted: Sequence[str],
        *,
        view: str,
        lists: Sequence[str] = (),
        closed: bool = False,
    ) -> None:
        """Read the wanted keys and register them as a table of the database.

        Parameters
        ----------
        con
            The database.
        wanted
            The keys.
        view
            The name of the table.
        lists
            Keys that hold lists of labels.
        closed
            Whether to refuse an object with keys that the first has not.
        """
        known = frozenset(self.names) if closed else None
        batches: list[list[Any]] = [[] for _ in wanted]
        cells: list[list[Any]] = [[] for _ in wanted]
        for row, (line, found) in enumerate(_objects(self.file), 1):
            if known is not None and not found.keys() <= known:
                raise self._surplus(found, line)
            for name, column in zip(wanted, cells, strict=True):
                column.append(found.get(name))
            if row % _BATCH == 0:
                self._flush(wanted, cells, batches, lists=lists)
        self._flush(wanted, cells, batches, lists=lists)
        self._check_found(wanted, batches)
        columns = {f"c{i}": pa.chunked_array(b) for i, b in enumerate(batches)}
        con.register(view, pa.table(columns))

    def _flush(
        self,
        wanted: Sequence[str],
        cells: list[list[Any]],
        batches: list[list[Any]],
        *,
        lists: Sequence[str],
    ) -> None:
        """Pack the cells into Arrow arrays, and empty them."""
        for name, column, packed in zip(wanted, cells, batches, strict=True):
            before = sum(len(array) for array in packed)
            as_list = name in lists
            kind = pa.list_(pa.string()) if as_list else pa.string()
            try:
                texts = _lists(column) if as_list else _texts(column)
                packed.append(pa.array(texts, kind))
            except (_BadTokenError, UnicodeEncodeError):
                raise self._bad_cell(name, column, before, as_list=as_list) from None
            column.clear()

    def _bad_cell(
        self, name: str, column: list[Any], before: int, *, as_list: bool
    ) -> InputError:
        """Find the first cell that is no label."""
        for i, value in enumerate(column):
            try:
                texts = _lists([value]) if as_list else _texts([value])
                pa.array(texts, pa.list_(pa.string()) if as_list else pa.string())
            except (_BadTokenError, UnicodeEncodeError) as error:
                place = self.where([before + i])[0]
                hint = None if as_list else "Lists of labels: --sets, kind='sets'."
                return InputError(f"{place}: {name!r} {_told(error)}", hint=hint)
        raise AssertionError  # pragma: no cover (the batch held a bad cell)

    def _check_found(self, wanted: Sequence[str], batches: list[list[Any]]) -> None:
        for name, packed in zip(wanted, batches, strict=True):
            if all(array.null_count == len(array) for array in packed):
                names = [n for n in self.names if n != name]
                if name not in self.names:
                    check_columns([name], names, table=self.file.shown)

    def _surplus(self, found: dict[str, Any], line: int) -> InputError:
        extra = next(name for name in found if name not in self.names)
        message = (
            f"{self.file.at(line)}: an object must have the keys of the first object; "
            f"got {extra!r} too."
        )
        return InputError(message, hint="Name the systems that are to be read.")

    def where(self, rows: Sequence[int]) -> list[str]:
        """Tell the lines in which rows stand."""
        wanted = set(rows)
        lines = (line for line, _ in _lines(self.file))
        found = {i: line for i, line in enumerate(lines) if i in wanted}
        return [self.file.at(found[row]) for row in rows]


def open_jsonl(file: File) -> JsonLines:
    """Look at the first object and the last byte of a JSONL file."""
    last = b""
    with file.open() as handle:
        for block in iter(lambda: handle.read(1 << 20), b""):
            last = block[-1:]
    _, first = next(_objects(file))
    return JsonLines(file, tuple(first), cut=last != b"\n")


def _lines(file: File) -> Iterator[tuple[int, bytes]]:
    with file.open() as handle:
        for line, raw in enumerate(handle, 1):
            if not raw.isspace():
                yield line, raw


def _objects(file: File) -> Iterator[tuple[int, dict[str, Any]]]:
    """Give the objects of a file with their lines."""
    parse = _DECODER.raw_decode
    for line, raw in _lines(file):
        try:
            text = raw.strip(_BLANK).decode()
            found, end = parse(text)
            if end != len(text):
                found = _DECODER.decode(text)  # tells what is wrong
        except (ValueError, RecursionError) as error:
            raise _broken(file, line, error) from error
        if not isinstance(found, dict):
            message = f"{file.at(line)}: a line must be one JSON object; got a value."
            raise InputError(message)
        yield line, found


def _broken(file: File, line: int, error: Exception) -> InputError:
    if isinstance(error, UnicodeDecodeError):
        byte = error.object[error.start]
        message = f"text must be UTF-8; got the byte 0x{byte:02x}."
    elif isinstance(error, _BadTokenError):
        message = str(error)
    else:
        told = getattr(error, "msg", "too deeply nested")
        message = f"a line must be one JSON object; {told}."
    return InputError(f"{file.at(line)}: {message}")


def _texts(values: list[Any]) -> list[str | None]:
    return [v if v is None or type(v) is str else _text(v) for v in values]


def _text(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    message = "must be one label; got a list or an object."
    raise _BadTokenError(message)


def _lists(values: list[Any]) -> list[list[str] | None]:
    return [None if v is None else _list(v) for v in values]


def _list(value: object) -> list[str]:
    if not isinstance(value, list) or None in value:
        message = "must be a list of labels; got something else."
        raise _BadTokenError(message)
    return [text for text in _texts(value) if text is not None]


def _told(error: Exception) -> str:
    if isinstance(error, UnicodeEncodeError):
        return "must be valid Unicode; got half a surrogate pair."
    return str(error)
