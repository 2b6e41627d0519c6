"""JSONL, one object per line: exact text of numbers, no key twice, no NaN."""

import json
import math
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any, ClassVar, NoReturn

import pyarrow as pa

from likelier.errors import InputError
from likelier.readers.columns import check_columns
from likelier.readers.engine import HEAD, Engine, Table
from likelier.readers.file import File

_BATCH = 1 << 16
_BLANK = b" \t\r\n"


class _BadTokenError(ValueError):
    """A token or key that JSON or we do not allow."""


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    values = dict(pairs)
    if len(values) != len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        message = f"an object must have different keys; {twice!r} is given twice."
        raise _BadTokenError(message)
    return values


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


class JsonLines(Table):
    """A JSONL file; its columns are the keys of the first object."""

    # Later objects may have further keys.
    all_named: ClassVar[bool] = False

    def relation(self) -> str:
        """Raise: JSONL is read here, and not by DuckDB."""
        raise NotImplementedError  # pragma: no cover

    def load(
        self,
        engine: Engine,
        columns: Sequence[str],
        *,
        view: str,
        lists: Sequence[str] = (),
        late: Sequence[str | None] = (),
        closed: bool = False,
    ) -> None:
        """Read some keys and register them as a table; late ones as numbers of rows."""
        keys = frozenset(self.names)
        chunks: list[list[Any]] = [[] for _ in columns]
        cells: list[list[Any]] = [[] for _ in columns]
        for row, (line, values) in enumerate(_objects(self.file), 1):
            if closed and not values.keys() <= keys:
                raise self._surplus(values, line)
            for name, column in zip(columns, cells, strict=True):
                value = values.get(name)
                column.append(row if name in late and value is not None else value)
            if row % _BATCH == 0:
                self._pack(columns, cells, chunks, lists=lists, late=late)
        self._pack(columns, cells, chunks, lists=lists, late=late)
        for name, arrays in zip(columns, chunks, strict=True):
            missing = all(array.null_count == len(array) for array in arrays)
            if missing and name not in self.names:
                check_columns([name], self.names, table=self.file.name)
        table = {f"c{i}": pa.chunked_array(arrays) for i, arrays in enumerate(chunks)}
        engine.register(view, pa.table(table))

    def _pack(
        self,
        columns: Sequence[str],
        cells: list[list[Any]],
        chunks: list[list[Any]],
        *,
        lists: Sequence[str],
        late: Sequence[str | None],
    ) -> None:
        """Pack the cells into Arrow arrays, and empty them."""
        for name, column, arrays in zip(columns, cells, chunks, strict=True):
            as_lists = name in lists
            try:
                arrays.append(
                    pa.array(column, pa.int64())
                    if name in late
                    else _array(column, as_lists=as_lists)
                )
            except (_BadTokenError, UnicodeEncodeError):
                before = sum(len(array) for array in arrays)
                raise self._bad_cell(name, column, before, as_lists=as_lists) from None
            column.clear()

    def _bad_cell(
        self, name: str, column: list[Any], before: int, *, as_lists: bool
    ) -> InputError:
        """Find the first cell that is no label."""
        for row, value in enumerate(column, before):
            try:
                _array([value], as_lists=as_lists)
            except (_BadTokenError, UnicodeEncodeError) as error:
                hint = None if as_lists else "Lists of labels: --sets, kind='sets'."
                reason = str(error)
                if isinstance(error, UnicodeEncodeError):
                    reason = "must be valid Unicode; got half a surrogate pair."
                line = self.locate([row])[0]
                return InputError(f"{line}: {name!r} {reason}", hint=hint)
        raise AssertionError  # pragma: no cover (the batch had a bad cell)

    def _surplus(self, values: dict[str, Any], line: int) -> InputError:
        extra = next(name for name in values if name not in self.names)
        message = (
            f"{self.file.at(line)}: an object must have the keys of the first object; "
            f"got {extra!r} too."
        )
        return InputError(message, hint="Name the systems that are to be read.")

    def texts(self, column: str, cells: Sequence[Any]) -> list[str | None]:
        """Read the texts of rows, by their numbers from 1."""
        missing, texts = {row for row in cells if row is not None}, {}
        for row, (line, raw) in enumerate(_lines(self.file), 1):
            if not missing:
                break
            if row in missing:
                missing.remove(row)
                texts[row] = _written(_parsed(self.file, line, raw).get(column))
        return [texts.get(row) for row in cells]

    def head(self, _engine: Engine, columns: Sequence[str]) -> list[list[Any]]:
        """Return the values of keys in the first objects."""
        rows = [values for _, values in islice(_objects(self.file), HEAD)]
        return [[row.get(name) for row in rows] for name in columns]

    def count_rows(self, _engine: Engine) -> int:
        """Count the objects, and refuse a line that is none."""
        return sum(1 for _ in _objects(self.file))

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
    """Yield the objects of a file with their lines."""
    for line, raw in _lines(file):
        yield line, _parsed(file, line, raw)


def _parsed(file: File, line: int, raw: bytes) -> dict[str, Any]:
    """Return the object of a line, or refuse it."""
    try:
        text = raw.strip(_BLANK).decode()
        value, end = _DECODER.raw_decode(text)
        if end != len(text):
            value = _DECODER.decode(text)  # raises what is wrong
    except (ValueError, RecursionError) as error:
        raise _broken(file, line, error) from error
    if not isinstance(value, dict):
        message = f"{file.at(line)}: a line must be one JSON object; got a value."
        raise InputError(message)
    return value


def _written(value: object) -> str | None:
    """Write a value of any kind as text."""
    if value is None or isinstance(value, str):
        return value
    return json.dumps(value, ensure_ascii=False)


def _broken(file: File, line: int, error: Exception) -> InputError:
    if isinstance(error, UnicodeDecodeError):
        byte = error.object[error.start]
        message = f"text must be UTF-8; got the byte 0x{byte:02x}."
    elif isinstance(error, _BadTokenError):
        message = str(error)
    else:
        reason = getattr(error, "msg", "too deeply nested")
        message = f"a line must be one JSON object; {reason}."
    return InputError(f"{file.at(line)}: {message}")


def _array(values: list[Any], *, as_lists: bool) -> Any:
    """Write JSON values, or lists of them, as an Arrow array of text."""
    if as_lists:
        lists = [None if value is None else _label_list(value) for value in values]
        return pa.array(lists, pa.list_(pa.string()))
    return pa.array(_texts(values), pa.string())


def _texts(values: list[Any]) -> list[str | None]:
    return [v if v is None or type(v) is str else _text(v) for v in values]


def _text(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    message = "must be one label; got a list or an object."
    raise _BadTokenError(message)


def _label_list(value: object) -> list[str | None]:
    if not isinstance(value, list) or None in value:
        message = "must be a list of labels; got something else."
        raise _BadTokenError(message)
    return _texts(value)
