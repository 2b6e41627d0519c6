"""Records read from bytes that anybody may have written."""

import json
import zlib
from collections.abc import Iterable
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from likelier.readers.unpacking import Allowance, TooLargeError
from likelier.study.records import COLUMNS, Record
from likelier.study.study_data import SEQUENCES, TASKS

_DTYPES = ("|u1", "<u2", "<u4", "<f8")
# What JSON makes of a text can be many times larger.
_LONGEST_HEAD = 64_000_000


class _Head(msgspec.Struct):
    """First line of the bytes of a record."""

    task: str
    words: list[str]
    columns: list[tuple[str, str, int]]


class RecordBytes:
    """Reader of records that have a common limit of memory.

    Parameters
    ----------
    compressed
        How many bytes all records have before they are decompressed.
    """

    def __init__(self, compressed: int) -> None:
        self._allowance = Allowance("The records of a store", compressed)

    def read(self, content: bytes) -> Record:
        """Read a record.

        Raises
        ------
        ValueError, zlib.error
            If the bytes are not those of a record.
        TooLargeError
            If this record and those before it are larger than the limit.
        """
        whole = self._decompressed(content)
        line, _, body = whole.partition(b"\n")
        if len(line) > _LONGEST_HEAD:
            message = f"the head of a record must not have {len(line)} bytes"
            raise ValueError(message)
        try:
            head = msgspec.convert(json.loads(line), _Head)
            columns = dict(_columns(head, body))
            record = Record(head.task, tuple(head.words), **columns)
            _check(record)
        except RecursionError as error:
            message = "the head of a record must not be nested"
            raise ValueError(message) from error
        return record

    def read_sound(self, content: bytes) -> Record | None:
        """Read a record; None if the bytes are not those of one."""
        try:
            return self.read(content)
        except TooLargeError:
            raise
        except (ValueError, zlib.error):
            return None

    def _decompressed(self, content: bytes) -> bytes:
        stream = zlib.decompressobj()
        whole = stream.decompress(content, self._allowance.left + 1)
        self._allowance.take(len(whole))
        if not stream.eof or stream.unused_data:
            message = "a record must be whole"
            raise ValueError(message)
        return whole


def _columns(head: _Head, body: bytes) -> Iterable[tuple[str, NDArray[Any]]]:
    names = [name for name, _, _ in head.columns]
    if sorted(names) != sorted(COLUMNS):
        message = f"a record must have the columns {', '.join(COLUMNS)}; got {names}"
        raise ValueError(message)
    start = 0
    for name, dtype, length in head.columns:
        is_scores = name == "scores"
        if dtype not in _DTYPES or (dtype == "<f8") != is_scores or length < 0:
            message = f"{name} must be numbers of a known kind; got {length} {dtype!r}"
            raise ValueError(message)
        end = start + length * np.dtype(dtype).itemsize
        if end > len(body):
            message = f"{name} must lie in the record; it ends beyond"
            raise ValueError(message)
        yield COLUMNS[name], np.frombuffer(body[start:end], dtype)
        start = end
    if start != len(body):
        message = f"a record must have {start} bytes of numbers; got {len(body)}"
        raise ValueError(message)


def _check(record: Record) -> None:
    """Check that the parts of a record belong together."""
    task, names, lengths = record.task, record.names, record.lengths
    items = len(record.scores) if task == "scores" else len(lengths)
    labels = int(lengths.sum(dtype=np.float64))
    of_labels = (len(record.gold), len(record.predicted))
    conditions = {
        "a known task": task in TASKS,
        "names, none of them twice": len(set(names)) == len(names),
        "finite scores": bool(np.isfinite(record.scores).all()),
        "scores or labels": not (
            (labels or names) if task == "scores" else len(record.scores)
        ),
        "one label per item": task in SEQUENCES or bool((lengths == 1).all()),
        "labels as the lengths say": of_labels == (labels, labels),
        "labels with names": all(
            int(codes.max(initial=0)) < max(1, len(names)) and (names or not len(codes))
            for codes in (record.gold, record.predicted)
        ),
        "marks of all tokens": len(record.unseen) in (0, labels)
        and int(record.unseen.max(initial=0)) <= 1,
        "groups of all items": len(record.groups) in (0, items),
        "numbers of groups below that of items": int(record.groups.max(initial=0))
        <= max(0, items - 1),
        "items": items > 0,
    }
    for wanted, holds in conditions.items():
        if not holds:
            message = f"a record must have {wanted}"
            raise ValueError(message)
    if task == "sets":
        for name in names:
            msgspec.convert(json.loads(name), list[str])
