"""JSON of logs: records decoded into the fields that are needed, errors located."""

import json
import re
import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from hashlib import sha256
from itertools import takewhile
from typing import Any, TypeVar

import msgspec
import numpy as np

from likelier._typing import FloatArray
from likelier.errors import InputError
from likelier.readers.dotted import dotted
from likelier.readers.file import File, filled_lines

T = TypeVar("T")

_LARGEST = sys.float_info.max
_CUT = "The file seems to be cut off, or was changed by hand."
# Everything before the next bare NaN; words within strings are passed over.
_SURROGATE = re.compile(
    rb"\\u[dD][89abAB][0-9a-fA-F]{2}(?!\\u[dD][c-fC-F])|"
    rb"(?<!\\u[dD][89abAB][0-9a-fA-F]{2})\\u[dD][c-fC-F]"
)
_TO_NAN = re.compile(rb'(?:[^"N]++|"(?:[^"\\]++|\\.)*+")*+NaN', re.DOTALL)


def decode(
    raw: bytes | memoryview, decoder: "msgspec.json.Decoder[T]", where: str
) -> T:
    """Decode one JSON value; NaN and Infinity, which some tools write, are numbers.

    Parameters
    ----------
    raw
        The text.
    decoder
        Decoder of the expected type.
    where
        File and line, for messages.
    """
    try:
        return decoder.decode(raw)
    except msgspec.ValidationError as error:
        raise _wrong(where, error) from error
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        pass
    plain = _without_nan(raw)
    if plain is not None:
        try:
            return decoder.decode(plain)
        except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
            pass
    return _decode_loosely(raw, decoder, where)


def _without_nan(raw: bytes | memoryview) -> bytes | None:
    """Write null for NaN: the json module reads NaN, but takes much more memory."""
    # Views, as a large document should not be in memory a third time.
    view, pieces, start = memoryview(raw), list[memoryview | bytes](), 0
    while match := _TO_NAN.match(raw, start):
        pieces += [view[start : match.end() - len("NaN")], b"null"]
        start = match.end()
    return b"".join([*pieces, view[start:]]) if pieces else None


def _decode_loosely(
    raw: bytes | memoryview, decoder: "msgspec.json.Decoder[T]", where: str
) -> T:
    try:
        value = json.loads(bytes(raw))
        json.dumps(value, ensure_ascii=False).encode()
        return msgspec.convert(value, decoder.type)
    except msgspec.ValidationError as error:
        raise _wrong(where, error) from error
    except UnicodeDecodeError as error:
        got = f"the byte 0x{error.object[error.start]:02x}"
        message = f"{where}: text must be UTF-8; got {got} at {_at(raw, error.start)}."
        raise InputError(message) from error
    except UnicodeEncodeError as error:
        half = _SURROGATE.search(raw)
        at = "" if half is None else f" at {_at(raw, half.start())}"
        message = f"{where}: text must be valid Unicode; got half a surrogate pair{at}."
        raise InputError(message) from error
    except RecursionError as error:
        message = f"{where}: JSON must not be nested so deeply."
        raise InputError(message) from error
    except ValueError as error:
        reason = getattr(error, "msg", str(error)).removesuffix(" at")
        line, column = (getattr(error, name, 1) for name in ("lineno", "colno"))
        at = f"character {column}" if line == 1 else f"line {line}, character {column}"
        message = f"{where}: a record must be JSON; {reason} at {at}."
        raise InputError(message, hint=_CUT) from error


def _at(raw: bytes | memoryview, position: int) -> str:
    """Name a byte of a record or document."""
    before = bytes(raw[:position])
    line, byte = before.count(b"\n") + 1, position - before.rfind(b"\n")
    return f"byte {byte}" if line == 1 else f"line {line}, byte {byte}"


def _wrong(where: str, error: msgspec.ValidationError) -> InputError:
    reason = str(error).replace("`", "").replace("$.", "").replace(" - at ", ", in ")
    return InputError(f"{where}: {reason[:1].lower()}{reason[1:]}.")


def read_lines(file: File, kind: type[T]) -> Iterator[tuple[int, T]]:
    """Decode a file with one JSON record per line, each with the number of its line."""
    decoder = msgspec.json.Decoder(kind)
    for number, raw in filled_lines(file):
        yield number, decode(raw, decoder, file.at(number))


def read_document(file: File, kind: type[T]) -> T:
    """Decode a file that is one JSON value."""
    with file.content() as raw:
        return decode(raw, msgspec.json.Decoder(kind), file.name)


def leaf_names(record: Any, prefix: str = "", *, depth: int = 3) -> Iterator[str]:
    """Yield the dotted names of texts, numbers and booleans of a record.

    Examples
    --------
    >>> list(leaf_names({"doc": {"id": "q", "choices": ["a"]}, "n": 1}))
    ['doc.id', 'n']
    """
    for name, value in record.items() if isinstance(record, dict) else ():
        if isinstance(value, dict) and depth > 1:
            yield from leaf_names(value, f"{prefix}{name}.", depth=depth - 1)
        elif isinstance(value, str | int | float):
            yield f"{prefix}{name}"


def pick(
    records: Iterable[Any], name: str, rows: Sequence[int] | None = None
) -> list[Any]:
    """Return a dotted field of some records, or of all, in the order of `rows`."""
    if rows is None:
        return [dotted(record, name) for record in records]
    wanted: Collection[int] = set(rows)
    found = {
        row: dotted(record, name) for row, record in enumerate(records) if row in wanted
    }
    return [found.get(row) for row in rows]


def pick_lines(
    file: File,
    name: str,
    numbers: Sequence[int],
    records: Iterable[tuple[int, bytes]] | None = None,
) -> list[Any]:
    """Return a dotted field of the records on some lines, in the order of these.

    Parameters
    ----------
    file
        The file, for messages.
    name
        Name of the field; the whole record where it is empty.
    numbers
        Numbers of the lines.
    records
        The records with their numbers; by default the lines of the file.
    """
    decoder = msgspec.json.Decoder(dict[str, Any])
    wanted, last = set(numbers), max(numbers, default=0)
    every = filled_lines(file) if records is None else records
    values = {
        number: _field(decode(raw, decoder, file.at(number)), name)
        for number, raw in takewhile(lambda record: record[0] <= last, every)
        if number in wanted
    }
    return [values.get(number) for number in numbers]


def _field(record: dict[str, Any], name: str) -> Any:
    return dotted(record, name) if name else record


def numbers(values: Iterable[Any], where: Callable[[int], str]) -> FloatArray:
    """Return values as numbers: NaN for None, 1 and 0 for booleans.

    Parameters
    ----------
    values
        Numbers, booleans or None; anything else is an error.
    where
        Names the record of a row.
    """
    if isinstance(values, np.ndarray):
        return values
    column = list(values)
    try:
        array = np.array([np.nan if v is None else v for v in column], dtype=float)
    except (ValueError, TypeError, OverflowError):
        array = None
    if array is not None and array.ndim == 1:
        return array
    row = next(row for row, value in enumerate(column) if not _is_number(value))
    message = f"{where(row)}: a score must be a number; got {str(column[row])[:40]!r}."
    raise InputError(message)


def _is_number(value: object) -> bool:
    return value is None or (
        isinstance(value, int | float) and not abs(value) > _LARGEST
    )


def written(value: object) -> str:
    """Write a value down: a text as it is, anything else as JSON.

    Examples
    --------
    >>> written("a"), written({"b": 1, "a": [None]})
    ('a', '{"a": [null], "b": 1}')
    """
    return value if isinstance(value, str) else _dumped(value)


def digest(value: object) -> str:
    """Return a hash of a value's JSON; the order of keys does not matter.

    Examples
    --------
    >>> digest({"a": 1, "b": 2}) == digest({"b": 2, "a": 1}) != digest([1, 2])
    True
    """
    text = _dumped(value, separators=(",", ":"), default=str)
    return sha256(text.encode()).hexdigest()


def _dumped(value: object, **settings: Any) -> str:
    try:
        return json.dumps(value, sort_keys=True, **settings)
    except RecursionError as error:
        message = "A value of a log must not be nested so deeply."
        raise InputError(message) from error
