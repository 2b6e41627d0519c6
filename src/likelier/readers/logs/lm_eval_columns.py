"""Samples of lm-evaluation-harness as columns, by DuckDB, where all rows are alike.

Rows that name other metrics or no filter, whose ids are no whole numbers, or whose
hashes are not those of SHA-256, are left to `lm_eval_samples`, which reads row by row
and says what is wrong with one.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import msgspec
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from likelier.readers.cell_checks import decoded, numpy_of
from likelier.readers.engine import connected
from likelier.readers.file import File, filled_lines
from likelier.readers.json_fields import json_fields

_WHOLE_NUMBER = r"^-?[0-9]+$"
# Digits of SHA-256.
_HASH = 64


class SampleColumns(NamedTuple):
    """Columns of all samples: items, filters with codes, hashes, values by metric."""

    items: Any
    filters: list[str]
    codes: Any
    hashes: Mapping[str, Any]
    values: Mapping[str, Any]


def read_columns(file: File, hashes: Mapping[str, str]) -> SampleColumns | None:
    """Read the samples of a file; None where they are not all alike.

    Parameters
    ----------
    file
        A file with one sample per line.
    hashes
        Fields of hashes by their names.
    """
    metrics = _first_metrics(file)
    if metrics is None:
        return None
    texts = ["doc_id", *hashes.values()]
    names = [*texts, "filter", "metrics", *metrics]
    kinds = {name: "VARCHAR" if name in texts else "JSON" for name in names}
    with connected([file]) as engine:
        table = json_fields(engine, file, kinds)
    if table is None or len(kinds) < len(names):
        return None
    fields = dict(zip(names, map(decoded, table.columns), strict=True))
    items, own = fields["doc_id"], {n: fields[key] for n, key in hashes.items()}
    encoded = fields["filter"].dictionary_encode()
    alike = (
        len(pc.unique(fields["metrics"])) == 1
        and not any(fields[n].null_count for n in ("metrics", "doc_id", "filter"))
        and _all(pc.match_substring_regex(items, _WHOLE_NUMBER))
        and all(map(_are_hashes, own.values()))
    )
    filters = _decoded(encoded.dictionary.to_pylist())
    if not alike or not filters or not all(isinstance(n, str) for n in filters):
        return None
    values = {name: _values(fields[name]) for name in metrics}
    if any(column is None for column in values.values()):
        return None
    return SampleColumns(items, filters, numpy_of(encoded.indices), own, values)


def _first_metrics(file: File) -> Sequence[str] | None:
    """Return the metrics that the first sample names, if it does."""
    _, raw = next(filled_lines(file))
    try:
        metrics = msgspec.json.decode(raw, type=dict[str, Any]).get("metrics")
        return msgspec.convert(metrics, list[str])
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None


def _all(flags: Any) -> bool:
    return bool(pc.all(flags, min_count=0).as_py())


def _are_hashes(column: Any) -> bool:
    """Return whether all texts that there are may be hashes."""
    nested = pc.or_(pc.starts_with(column, "["), pc.starts_with(column, "{"))
    whole = pc.equal(pc.binary_length(column), _HASH)
    return _all(pc.and_not(whole, nested))


def _values(column: Any) -> Any | None:
    """Return JSON values: an array of numbers, NaN for null, or else a list."""
    try:
        numbers = pc.fill_null(pc.cast(column, pa.float64()), np.nan)
    except pa.ArrowInvalid:
        return _decoded(column.to_pylist())
    values = numpy_of(numbers)
    if np.isfinite(values).sum() + column.null_count < len(values):
        return None  # NaN or Infinity
    return values


def _decoded(texts: list[str | None]) -> list[Any] | None:
    decode = msgspec.json.Decoder().decode
    try:
        return [None if text is None else decode(text) for text in texts]
    except (msgspec.DecodeError, RecursionError):
        return None
