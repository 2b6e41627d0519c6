"""Tables read plainly, by csv, json and pyarrow, and counted by loops.

A function takes the bytes of files by name and returns the number of items and the
values of systems. It raises where it cannot read them, and returns nothing where it
cannot tell what they are to mean.
"""

import csv
import gzip
import io
import json
import re
import zlib
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from pyarrow import ArrowException, BufferReader, parquet
from tests.fuzz.outcome import PlainError, Unclear, refuse_if

Rows = list[dict[str, Any]]
Facts = dict[str, float]
Files = Mapping[str, bytes]

# A cell that has no value, or two.
_LOST, _UNREADABLE = object(), object()
_DAMAGED = (ArrowException, OSError, ValueError, TypeError)
_MOST_ROWS = 10_000
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)


def text_of(raw: bytes) -> str:
    """Decode UTF-8, past a byte order mark."""
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise PlainError(str(error)) from error


def unpacked(raw: bytes) -> bytes:
    """Return bytes past gzip, where they are packed."""
    if raw[:2] != b"\x1f\x8b":
        return raw
    try:
        return gzip.decompress(raw)
    except (OSError, EOFError, zlib.error) as error:
        raise PlainError(str(error)) from error


def separated(raw: bytes, mark: str) -> Rows:
    """Read cells separated by commas, with quotes, or by tabs, without."""
    lines = io.StringIO(text_of(unpacked(raw)), newline="")
    quoting = csv.QUOTE_MINIMAL if mark == "," else csv.QUOTE_NONE
    table = csv.reader(lines, delimiter=mark, strict=True, quoting=quoting)
    try:
        header, *rows = (row for row in table if row)
    except (csv.Error, ValueError) as error:
        raise PlainError(str(error)) from error
    refuse_if(any(len(row) != len(header) for row in rows), "ragged")
    return [_unique(zip(header, row, strict=True)) for row in rows]


def _unique(pairs: Iterable[tuple[str, Any]]) -> dict[str, Any]:
    """Collect values by name; one that has two is no value."""
    content: dict[str, Any] = {}
    for name, value in pairs:
        content[name] = _LOST if name in content else value
    return content


def json_of(text: str) -> Any:
    """Decode JSON in which no name stands twice."""
    try:
        return json.loads(text, object_pairs_hook=_unique)
    except (ValueError, RecursionError) as error:
        raise PlainError(str(error)) from error


def json_lines(raw: bytes) -> Rows:
    """Read one object per line."""
    return _objects(
        [json_of(line) for line in text_of(raw).split("\n") if line.strip()]
    )


def json_rows(raw: bytes) -> Rows:
    """Read the rows of a document."""
    document = json_of(text_of(raw))
    if isinstance(document, dict):
        if "rows" not in document:
            raise Unclear
        document = document["rows"]
    return _objects(document)


def _objects(rows: Any) -> Rows:
    refuse_if(
        not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows),
        "no rows",
    )
    return rows


def parquet_rows(raw: bytes) -> Rows:
    """Read the rows of Parquet, each column by itself: some may be damaged."""
    try:
        file = parquet.ParquetFile(BufferReader(raw))
        names, n = file.schema_arrow.names, file.metadata.num_rows
    except _DAMAGED as error:
        # It also looks at what Arrow adds, which other readers do not need.
        raise Unclear from error
    refuse_if(n > _MOST_ROWS, "too many rows")
    columns = []
    for name in names:
        try:
            columns.append(file.read([name]).column(name).to_pylist())
        except (*_DAMAGED, KeyError):
            columns.append([_UNREADABLE] * n)
    refuse_if(any(len(cells) != n for cells in columns), "columns of other lengths")
    return [
        _unique(zip(names, cells, strict=True)) for cells in zip(*columns, strict=True)
    ]


def label(cell: Any) -> str:
    """Return a label, which is a text; other values may be written in several ways."""
    if isinstance(cell, bytes):
        cell = text_of(cell)
    refuse_if(cell is None, "no label")
    if not isinstance(cell, str):
        raise Unclear
    return cell


def number(cell: Any) -> float:
    """Return a number, in digits of ASCII."""
    if isinstance(cell, bool):
        raise Unclear
    refuse_if(isinstance(cell, str) and not _NUMBER.fullmatch(cell), "no number")
    try:
        value = float(cell)
    except (ValueError, TypeError, OverflowError) as error:
        raise PlainError(str(error)) from error
    refuse_if(value - value != 0, "not finite")
    return value


def column(rows: Rows, name: str) -> list[Any]:
    """Return the cells of a column; a table without it cannot be read."""
    refuse_if(not any(name in row for row in rows), f"no {name}")
    cells = [row.get(name) for row in rows]
    refuse_if(any(cell is _LOST for cell in cells), f"{name} stands twice")
    # Pages of Parquet have no checksums: DuckDB may read what Arrow cannot.
    if any(cell is _UNREADABLE for cell in cells):
        raise Unclear
    return cells


def _check_ids(cells: list[Any]) -> None:
    if any(not isinstance(cell, str) for cell in cells):
        raise Unclear
    refuse_if(len(set(cells)) < len(cells), "ids stand twice")


def f1_of_spam(rows: Rows) -> Facts:
    """Count spam that is found, with ids that stand once."""
    ids = column(rows, "id")
    _check_ids(ids)
    if "" in ids:
        # In JSON and Parquet that is a text, and so an id; in CSV there is none.
        raise Unclear
    gold = [label(cell) for cell in column(rows, "gold")]
    found: Facts = {"items": len(rows)}
    for system in "ab":
        answers = [label(cell) for cell in column(rows, system)]
        pairs = list(zip(gold, answers, strict=True))
        right = pairs.count(("spam", "spam"))
        total = gold.count("spam") + answers.count("spam")
        if not total:
            raise Unclear
        found[f"f1 {system}"] = 2 * right / total
    return found


def mean_of_s(rows: Rows) -> Facts:
    """Average a column of numbers."""
    numbers = [number(cell) for cell in column(rows, "s")]
    refuse_if(not numbers, "no rows")
    return {"items": len(rows), "mean s": sum(numbers) / len(numbers)}


def of_rows(
    read: Callable[[bytes], Rows], count: Callable[[Rows], Facts]
) -> Callable[[Files, str], Facts]:
    """Return a function that counts the damaged file."""
    return lambda files, damaged: count(read(files[damaged]))


def joined(files: Files) -> Facts:
    """Count right labels of files joined by id."""
    labels = {}
    for name, raw in files.items():
        rows = separated(raw, ",")
        _check_ids(column(rows, "id"))
        refuse_if("" in column(rows, "id"), "no id")
        # The only other column is that of the labels.
        (other,) = (
            (n for n in rows[0] if n != "id") if len(rows[0]) == 2 else ("label",)
        )
        cells = [label(cell) for cell in column(rows, other)]
        labels[name[:-4]] = dict(zip(column(rows, "id"), cells, strict=True))
    gold = labels.pop("gold")
    refuse_if(any(own.keys() != gold.keys() for own in labels.values()), "other items")
    return {"items": len(gold)} | {
        f"accuracy {name}": sum(own[i] == gold[i] for i in gold) / len(gold)
        for name, own in labels.items()
    }


def scores_of_systems(rows: Rows) -> Facts:
    """Average scores by system, each item of which stands once."""
    scores: dict[str, dict[str, float]] = {}
    for row in rows:
        cells = [row.get(name) for name in ("model", "item", "score")]
        if None in cells or "" in cells:
            raise Unclear
        model, item, score = cells
        own = scores.setdefault(str(model), {})
        refuse_if(item in own, "an item stands twice")
        own[str(item)] = number(score)
    first, *others = scores.values()
    refuse_if(any(own.keys() != first.keys() for own in others), "other items")
    return {"items": len(first)} | {
        f"score {name}": sum(own.values()) / len(own) for name, own in scores.items()
    }


def fold_scores(files: Files) -> Facts:
    """Average scores of folds by system."""
    scores: dict[tuple[str, str], dict[tuple[str, str], float]] = {}
    for row in separated(files["s.csv"], ","):
        if "run" not in row:
            raise Unclear  # It need not be there.
        try:
            key = row["system"], row["dataset"]
            fold = row["run"], row["fold"]
            value = number(row["score"])
        except KeyError as error:
            raise PlainError(str(error)) from error
        own = scores.setdefault(key, {})
        refuse_if(fold in own, "a fold stands twice")
        own[fold] = value
    systems = {system for system, _ in scores}
    data_sets = {data_set for _, data_set in scores}
    means = {}
    for system in systems:
        of = [scores.get((system, name)) for name in data_sets]
        refuse_if(None in of, "folds are missing")
        each = [sum(own.values()) / len(own) for own in of if own]
        means[f"score {system}"] = sum(each) / len(each)
    return {"items": sum(map(len, scores.values())) / len(systems), **means}


def fold_counts(files: Files) -> Facts:
    """Add up counts of folds by system."""
    sums: dict[str, list[float]] = {}
    keys = []
    for row in separated(files["c.csv"], ","):
        try:
            counts = [number(row[name]) for name in ("tp", "fp", "fn")]
            keys.append((row["system"], row["repetition"], row["fold"]))
        except KeyError as error:
            raise PlainError(str(error)) from error
        refuse_if(any(n < 0 or n != int(n) or n > 1e12 for n in counts), "no counts")
        own = sums.setdefault(row["system"], [0, 0, 0])
        sums[row["system"]] = [a + b for a, b in zip(own, counts, strict=True)]
    refuse_if(len(set(keys)) < len(keys), "a fold stands twice")
    return {"items": len(keys) / len(sums)} | {
        f"f1 {name}": 2 * tp / (2 * tp + fp + fn) for name, (tp, fp, fn) in sums.items()
    }
