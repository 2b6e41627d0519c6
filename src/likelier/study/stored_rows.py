"""Rows of a store: their checksums, and the folds that sound rows hold."""

import hashlib
import json
import math
from collections.abc import Sequence
from typing import Any, NamedTuple

from likelier.study.schedule import FoldKey, FoldResult, PlannedFold

_MOST_TEXT = 100_000


class StoredFold(NamedTuple):
    """Row of the table of results, its columns in their order."""

    key: str
    dataset: str
    system: str
    repetition: int
    fold: int
    origin: str
    record: bytes
    fit_seconds: float
    predict_seconds: float
    versions: str
    checksum: str


# Types of the columns; bool is none of them.
_TYPES = tuple(StoredFold.__annotations__.values())
COLUMNS = ", ".join(StoredFold._fields)


def checksum(*parts: Any) -> str:
    """Return the fingerprint of a row."""
    whole = hashlib.sha256()
    for part in parts:
        content = part if isinstance(part, bytes) else repr(part).encode()
        whole.update(str(len(content)).encode() + b":" + content)
    return whole.hexdigest()


def stored_fold(result: FoldResult) -> StoredFold:
    """Return the row of a fold that finished."""
    key, fingerprint, origin = result.planned
    content = (
        fingerprint,
        *key,
        json.dumps(origin, sort_keys=True),
        result.record or b"",
        result.fit_seconds,
        result.predict_seconds,
        json.dumps(dict(result.versions), sort_keys=True),
    )
    return StoredFold(*content, checksum(*content))


def read_fold(row: Sequence[Any]) -> FoldResult | None:
    """Read a row; None if it is damaged, or nothing that a run has written."""
    if tuple(map(type, row)) != _TYPES or checksum(*row[:-1]) != row[-1]:
        return None
    stored = StoredFold(*row)
    origin, versions = read_texts(stored.origin), read_texts(stored.versions)
    seconds = stored.fit_seconds, stored.predict_seconds
    if origin is None or versions is None or not all(map(is_duration, seconds)):
        return None
    if min(stored.repetition, stored.fold) < 1:
        return None
    key = FoldKey(stored.dataset, stored.system, stored.repetition, stored.fold)
    planned = PlannedFold(key, stored.key, origin)
    return FoldResult(planned, stored.record, *seconds, versions)


def read_failure(row: Sequence[Any]) -> tuple[float, str, str] | None:
    """Read seconds, error and details of a failed fold; None if they are damaged."""
    seconds, error, details = row
    texts = isinstance(error, str) and isinstance(details, str)
    if not texts or not is_duration(seconds):
        return None
    return seconds, error[:_MOST_TEXT], details[: 2 * _MOST_TEXT]


def read_texts(text: object) -> dict[str, str] | None:
    """Read a JSON object of texts; None if it is none."""
    try:
        parts = json.loads(text) if isinstance(text, str) else None
    except (ValueError, RecursionError):
        return None
    if not isinstance(parts, dict) or any(type(v) is not str for v in parts.values()):
        return None
    return parts


def is_duration(seconds: object) -> bool:
    """Check whether a value is a number of seconds."""
    return isinstance(seconds, float) and math.isfinite(seconds) and seconds >= 0
