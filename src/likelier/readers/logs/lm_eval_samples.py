"""Samples of lm-evaluation-harness, row by row, whatever version wrote them.

Versions before 0.4.5 name neither metrics nor filters: there the rows of each filter
are a block. Version 0.4.2 wrote one array.
"""

import json
import re
from array import array
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

import msgspec
import numpy as np

from likelier._typing import IntArray
from likelier.errors import InputError
from likelier.readers.file import File, filled_lines
from likelier.readers.logs.json_records import decode, read_document
from likelier.readers.logs.lm_eval_columns import SampleColumns, read_columns

HASHES = {"item": "doc_hash", "prompt": "prompt_hash"}
_OWN_KEYS = frozenset(
    [
        "doc_id",
        "doc",
        "target",
        "arguments",
        "resps",
        "filtered_resps",
        "filter",
        "metrics",
        "doc_hash",
        "prompt_hash",
        "target_hash",
        "input",
    ]
)
# What msgspec does not take in the name of a field.
_NO_FIELD = re.compile(r'[\\"\x00-\x1f]')


@dataclass
class FilterRows:
    """Rows of one filter, while they are read.

    Attributes
    ----------
    records
        Numbers of the records in the file, from 1.
    items, hashes
        As in a log.
    values
        Values of each metric: a list, or an array where all are numbers.
    """

    records: Any = field(default_factory=lambda: array("q"))
    items: list[str] = field(default_factory=list)
    hashes: dict[str, list[str | None]] = field(
        default_factory=lambda: {name: [] for name in HASHES}
    )
    values: dict[str, Any] = field(default_factory=dict)

    def add(self, number: int, item: str, record: Any, values: dict[str, Any]) -> None:
        """Add a row; metrics that it lacks, or that others lack, have None there."""
        for name, key in HASHES.items():
            self.hashes[name].append(getattr(record, key))
        if values.keys() != self.values.keys():
            for name in values:
                if name not in self.values:
                    self.values[name] = [None] * len(self.items)
        for name, column in self.values.items():
            column.append(values.get(name))
        self.records.append(number)
        self.items.append(item)


class _Decoder:
    """Decoder of the fields that are needed, whatever metrics a record names."""

    def __init__(self) -> None:
        self._metrics: tuple[str, ...] = ()
        self._build()

    def _build(self) -> None:
        text, names = str | None, list(self._metrics)
        fields: list[Any] = [("doc_id", int | str), ("filter", text, None)]
        fields += [("metrics", list[str] | None, None)]
        fields += [(key, text, None) for key in HASHES.values()]
        fields += [(f"m{i}", Any, None) for i in range(len(names))]
        rename = {f"m{i}": name for i, name in enumerate(names)}
        self._fields = {name: key for key, name in rename.items()}
        kind = msgspec.defstruct("Sample", fields, rename=rename)
        self._decoder = msgspec.json.Decoder(kind)

    def __call__(self, raw: bytes, where: str) -> tuple[Any, dict[str, Any]]:
        """Return the record, and its values by metric."""
        record: Any = decode(raw, self._decoder, where)
        if record.metrics is None:
            every = decode(raw, msgspec.json.Decoder(dict[str, Any]), where)
            return record, {n: v for n, v in every.items() if _may_be_value(n, v)}
        if not all(map(_may_be_field, record.metrics)):
            every = decode(raw, msgspec.json.Decoder(dict[str, Any]), where)
            return record, {name: every.get(name) for name in record.metrics}
        new = [name for name in record.metrics if name not in self._fields]
        if new:
            self._metrics += tuple(dict.fromkeys(new))
            self._build()
            record = decode(raw, self._decoder, where)
        fields = self._fields
        return record, {n: getattr(record, fields[n]) for n in record.metrics}


def _may_be_field(name: str) -> bool:
    """Return whether a metric can be a further field of the decoder."""
    return name not in _OWN_KEYS and not _NO_FIELD.search(name)


def _may_be_value(name: str, value: object) -> bool:
    """Return whether a key of an old log, which names no metrics, is one."""
    return name not in _OWN_KEYS and isinstance(value, int | float | list)


def read_samples(file: File) -> dict[str | int, FilterRows]:
    """Read the rows of each filter; without a name it is the number of its block."""
    columns = None if _is_array(file) else read_columns(file, HASHES)
    if columns is not None:
        return _filter_rows(columns)
    decoder, filters = _Decoder(), dict[str | int, FilterRows]()
    block, seen = 0, set[int | str]()
    for number, (where, raw) in enumerate(_located_records(file), 1):
        record, values = decoder(raw, where)
        if record.filter is None:
            if record.doc_id in seen:
                block, seen = block + 1, set()
            seen.add(record.doc_id)
        name = block if record.filter is None else record.filter
        if name not in filters:
            if len({type(other) for other in (*filters, name)}) > 1:
                message = f"{where}: all samples must name a filter, or none of them."
                raise InputError(message)
            filters[name] = FilterRows()
        filters[name].add(number, str(record.doc_id), record, values)
    return filters


def _filter_rows(columns: SampleColumns) -> dict[str | int, FilterRows]:
    """Return the rows of each filter, in the order of their first rows."""
    filters = dict[str | int, FilterRows]()
    for code, name in enumerate(columns.filters):
        rows = np.flatnonzero(columns.codes == code)
        filters[name] = FilterRows(
            records=rows + 1,
            items=_taken(columns.items, rows).to_pylist(),
            hashes={n: _taken(h, rows).to_pylist() for n, h in columns.hashes.items()},
            values={n: _taken(values, rows) for n, values in columns.values.items()},
        )
    return filters


def _taken(values: Any, rows: IntArray) -> Any:
    """Return some values of an array, an Arrow array or a list."""
    if len(rows) == len(values):
        return values
    if isinstance(values, list):
        return [values[row] for row in rows.tolist()]
    return values.take(rows)


def _is_array(file: File) -> bool:
    return file.start.lstrip().startswith(b"[")


def numbered_records(file: File) -> Iterator[tuple[int, bytes]]:
    """Yield each sample as JSON, with its number from 1."""
    yield from enumerate((raw for _, raw in _located_records(file)), 1)


def record_name(file: File, number: int) -> str:
    """Name a sample by its line, or by its number within one array."""
    return next(islice(_located_records(file), number - 1, None))[0]


def _located_records(file: File) -> Iterator[tuple[str, bytes]]:
    if not _is_array(file):
        yield from ((file.at(line), raw) for line, raw in filled_lines(file))
        return
    for number, record in enumerate(read_document(file, list[dict[str, Any]]), 1):
        yield file.at(number), json.dumps(record).encode()
