"""One JSON document as a table: a list of objects, alone or in an object.

The layout ``{"columns": […], "data": [[…], …]}``, which MLflow and Weights & Biases
write, is read too. Lists are decoded element by element, so that messages can name
the record.
"""

import json
import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from likelier.errors import InputError
from likelier.formatting import listed
from likelier.readers.engine import Engine
from likelier.readers.file import File
from likelier.readers.json_table import JsonTable
from likelier.readers.strict_json import DECODER, BadTokenError, broken_json

_BLANK = re.compile(r"[ \t\r\n]*")
_LINES = (".jsonl", ".ndjson")
_MUST = "the file must be one JSON document"


@dataclass(frozen=True)
class JsonDocument(JsonTable):
    """A JSON document with a list of objects."""

    objects: Sequence[dict[str, Any]] = field(kw_only=True, repr=False)

    def records(
        self, rows: Collection[int] | None = None
    ) -> Iterator[tuple[int, dict[str, Any]]]:
        """Yield all objects, or some, with their numbers from 1."""
        if rows is None:
            yield from enumerate(self.objects, 1)
        else:
            yield from ((row, self.objects[row - 1]) for row in rows)

    def locate(self, rows: Sequence[int]) -> list[str]:
        """Name rows as records, from 1."""
        return [_record(self.file, row) for row in rows]


def _record(file: File, row: int) -> str:
    return f"{file.name} record {row + 1}"


# --- which files are documents -------------------------------------------------------


def is_document(file: File) -> bool:
    """Return whether a file is one JSON value, and not a line for each."""
    text = file.start.lstrip()
    if text.startswith(b"["):
        return text[1:].lstrip()[:1] in (b"{", b"]")
    if not text.startswith(b"{") or file.bare.suffix.lower() in _LINES:
        return False
    first, _, rest = text.partition(b"\n")
    if rest.strip():
        # After the first line of an object comes a key, in JSONL another object.
        return rest.lstrip()[:1] in b'"}' and not first.rstrip().endswith(b"}")
    lines = _two_lines(file)
    return len(lines) == 1 and _has_tables(lines[0])


def _two_lines(file: File) -> list[bytes]:
    """Return the first two lines that are not blank, as far as there are any."""
    with file.open() as handle:
        return list(islice((raw for raw in handle if not raw.isspace()), 2))


def _has_tables(line: bytes) -> bool:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return False
    return isinstance(value, dict) and (_is_split(value) or bool(_lists(value)))


def _is_split(value: dict[str, Any]) -> bool:
    columns, data = value.get("columns"), value.get("data")
    if not isinstance(columns, list) or not isinstance(data, list):
        return False
    return all(isinstance(row, list) for row in data[:1])


def _lists(value: dict[str, Any]) -> list[str]:
    """Return the keys of lists of objects."""
    return [
        key
        for key, items in value.items()
        if isinstance(items, list) and items and isinstance(items[0], dict)
    ]


# --- reading -------------------------------------------------------------------------


def open_document(_engine: Engine, file: File) -> JsonDocument:
    """Decode a document, and find the list of objects in it."""
    with file.content() as content:
        try:
            text = str(content, "utf-8")
        except UnicodeDecodeError as error:
            line = error.object.count(b"\n", 0, error.start) + 1
            raise broken_json(error, at=file.at(line), must=_MUST) from error
    value = _Walk(file, text).document()
    objects = _objects(file, value) if isinstance(value, dict) else value
    if not objects:
        message = f"{file.name} must have at least one item; it has none."
        raise InputError(message)
    for row, record in enumerate(objects):
        if not isinstance(record, dict):
            message = f"{_record(file, row)}: a record must be one JSON object."
            raise InputError(message)
    # A split layout has the columns of the header, also where it names one twice.
    split = isinstance(value, dict) and _is_split(value)
    names = tuple(value["columns"]) if split else tuple(objects[0])
    return JsonDocument(file, names, n_rows=len(objects), objects=objects)


def _objects(file: File, value: dict[str, Any]) -> list[Any]:
    if _is_split(value):
        return _split_objects(file, value["columns"], value["data"])
    keys = _lists(value)
    if len(keys) == 1:
        return list(value[keys[0]])
    if keys:
        message = f"{file.name} must hold one list of objects; it has {listed(keys)}."
        hint = f"Write one of them to a file: jq '.{keys[0]}' {file.name} > one.json"
        raise InputError(message, hint=hint)
    message = f"{file.name} must hold a list of objects; it has {listed(value)}."
    raise InputError(message, hint="JSONL has one object per line.")


def _split_objects(
    file: File, columns: list[Any], data: list[Any]
) -> list[dict[str, Any]]:
    if not columns or not all(isinstance(name, str) for name in columns):
        message = f"{file.name} must have names as columns; got {listed(columns)}."
        raise InputError(message)
    for row, cells in enumerate(data):
        if not isinstance(cells, list) or len(cells) != len(columns):
            got = len(cells) if isinstance(cells, list) else "no list"
            message = (
                f"{_record(file, row)}: a record must have {len(columns)} values, as "
                f"there are columns; got {got}."
            )
            raise InputError(message)
    return [dict(zip(columns, cells, strict=True)) for cells in data]


@dataclass(frozen=True)
class _Walk:
    """Way through the text of a document; positions are those of characters."""

    file: File
    text: str

    def document(self) -> Any:
        """Decode the whole text, lists at the top or right below it by records."""
        start = self._skip(0)
        if self.text.startswith("[", start):
            value: Any = self._list(start)
        else:
            value = self._object(start)
        content, end = value
        if end < len(self.text):
            reason = "something follows its end"
            raise self._refuse(reason)
        return content

    def _skip(self, i: int) -> int:
        blank = _BLANK.match(self.text, i)
        return i if blank is None else blank.end()

    def _refuse(self, reason: str, *, at: str | None = None) -> InputError:
        hint = "The file seems to be cut off, or was changed by hand."
        return InputError(f"{at or self.file.name}: {_MUST}; {reason}.", hint=hint)

    def _value(self, i: int, at: str | int) -> tuple[Any, int]:
        """Decode a value, which messages call by its name, or number as a record."""
        try:
            value, end = DECODER.raw_decode(self.text, i)
        except (ValueError, RecursionError) as error:
            name = at if isinstance(at, str) else _record(self.file, at)
            raise broken_json(error, at=name, must="a record must be JSON") from error
        return value, self._skip(end)

    def _list(self, i: int) -> tuple[list[Any], int]:
        values: list[Any] = []
        i = self._skip(i + 1)
        while not self.text.startswith("]", i):
            i = self._next(i, len(values), record=True)
            value, i = self._value(i, len(values))
            values.append(value)
        return values, self._skip(i + 1)

    def _object(self, i: int) -> tuple[dict[str, Any], int]:
        values: dict[str, Any] = {}
        i = self._skip(i + 1)
        while not self.text.startswith("}", i):
            i = self._next(i, len(values))
            key, i = self._key(i)
            if key in values:
                twice = BadTokenError(
                    f"an object must have different keys; {key!r} is given twice."
                )
                raise broken_json(twice, at=self.file.name, must=_MUST)
            is_list = self.text.startswith("[", i)
            at = f"{self.file.name} {key!r}"
            values[key], i = self._list(i) if is_list else self._value(i, at)
        return values, self._skip(i + 1)

    def _next(self, i: int, before: int, *, record: bool = False) -> int:
        """Step over the comma before a value, which the first one has not."""
        if not before:
            return i
        if not self.text.startswith(",", i):
            reason = (
                "it ends too early" if i >= len(self.text) else "a comma is missing"
            )
            at = _record(self.file, before) if record else self.file.name
            raise self._refuse(reason, at=at)
        return self._skip(i + 1)

    def _key(self, i: int) -> tuple[str, int]:
        if not self.text.startswith('"', i):
            reason = "a key is missing"
            raise self._refuse(reason)
        key, i = self._value(i, self.file.name)
        if not self.text.startswith(":", i):
            reason = f"a colon is missing after {key!r}"
            raise self._refuse(reason)
        return key, self._skip(i + 1)
