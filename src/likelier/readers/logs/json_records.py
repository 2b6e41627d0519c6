"""JSON of logs: records decoded into the fields that are needed, errors located."""

import json
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import Any, TypeVar

import msgspec
import numpy as np

from likelier._typing import FloatArray
from likelier.errors import InputError
from likelier.readers.dotted import dotted
from likelier.readers.file import File

T = TypeVar("T")

_LARGEST = np.finfo(float).max
_CUT = "The file seems to be cut off, or was changed by hand."


def lines(file: File) -> Iterator[tuple[int, bytes]]:
    """Yield the lines of a file that are not blank, with their numbers from 1."""
    with file.open() as handle:
        for number, raw in enumerate(handle, 1):
            if not raw.isspace():
                yield number, raw


def decode(raw: bytes, decoder: "msgspec.json.Decoder[T]", where: str) -> T:
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
        return _decode_loosely(raw, decoder, where)


def _decode_loosely(raw: bytes, decoder: "msgspec.json.Decoder[T]", where: str) -> T:
    try:
        return msgspec.convert(json.loads(raw), decoder.type)
    except msgspec.ValidationError as error:
        raise _wrong(where, error) from error
    except UnicodeDecodeError as error:
        byte = error.object[error.start]
        message = f"{where}: text must be UTF-8; got the byte 0x{byte:02x}."
        raise InputError(message) from error
    except RecursionError as error:
        message = f"{where}: JSON must not be nested so deeply."
        raise InputError(message) from error
    except ValueError as error:
        reason = getattr(error, "msg", str(error))
        message = f"{where}: a record must be JSON; {reason}."
        raise InputError(message, hint=_CUT) from error


def _wrong(where: str, error: msgspec.ValidationError) -> InputError:
    reason = str(error).replace("`", "").replace("$.", "").replace(" - at ", ", in ")
    return InputError(f"{where}: {reason[:1].lower()}{reason[1:]}.")


def read_lines(file: File, kind: type[T]) -> Iterator[tuple[int, T]]:
    """Decode a file with one JSON record per line, each with the number of its line."""
    decoder = msgspec.json.Decoder(kind)
    for number, raw in lines(file):
        yield number, decode(raw, decoder, file.at(number))


def read_document(file: File, kind: type[T]) -> T:
    """Decode a file that is one JSON value."""
    with file.open() as handle:
        raw = handle.read()
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


def numbers(values: Iterable[Any], where: Callable[[int], str]) -> FloatArray:
    """Return values as numbers: NaN for None, 1 and 0 for booleans.

    Parameters
    ----------
    values
        Numbers, booleans or None; anything else is an error.
    where
        Names the record of a row.
    """
    column = list(values)
    try:
        return np.array([np.nan if v is None else v for v in column], dtype=float)
    except (ValueError, TypeError, OverflowError):
        for row, value in enumerate(column):
            if not isinstance(value, int | float | None) or abs(value or 0) > _LARGEST:
                message = f"{where(row)}: a score must be a number; got {value!r}."
                raise InputError(message) from None
        raise
