"""Files of TREC: relevance judgments (qrels), and runs of retrieved documents."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from likelier.errors import InputError
from likelier.metrics.retrieval import LARGEST
from likelier.readers.file import File, text_blocks

QRELS = ("query", "iteration", "document", "relevance")
RUN = ("query", "Q0", "document", "rank", "score", "tag")
# Judgments as the collections of BEIR have them.
_BEIR = ["query-id", "corpus-id", "score"]
# Lines that are looked at to recognise a file.
_LOOK = 10


@dataclass(frozen=True)
class RunFile:
    """Content of a run.

    Attributes
    ----------
    file
        The file.
    tag
        Name of the system; None where lines have several.
    results
        Scores of documents by query.
    """

    file: File
    tag: str | None
    results: dict[str, dict[str, float]]


def is_qrels(file: File) -> bool:
    """Return whether a file has judgments."""
    rows = _first_rows(file)
    return rows[:1] == [_BEIR] or _mostly(
        [len(row) == len(QRELS) and _is_number(row[-1]) for row in rows]
    )


def is_run(file: File) -> bool:
    """Return whether a file has retrieved documents."""
    return _mostly(
        [
            len(row) == len(RUN) and _is_number(row[3]) and _is_number(row[4])
            for row in _first_rows(file)
        ]
    )


def is_trec(file: File) -> bool:
    """Return whether a file has judgments or retrieved documents."""
    return is_qrels(file) or is_run(file)


def _first_rows(file: File) -> list[list[str]]:
    lines = file.start.replace(b"\r", b"").split(b"\n", _LOOK)
    # What follows the last line end may be cut, unless there is nothing else.
    rows = [line.decode(errors="replace").split() for line in lines[:-1] or lines]
    return [row for row in rows if row]


def _mostly(fits: list[bool]) -> bool:
    """Take files with some bad lines for what they are, so that these are named."""
    return fits[:1] == [True] and 2 * sum(fits) >= len(fits)


def _is_number(text: str) -> bool:
    try:
        # 8_0 and digits of other scripts are numbers to Python alone.
        float(text.replace("_", "x").encode("ascii"))
    except ValueError:
        return False
    return True


def read_qrels(file: File) -> dict[str, dict[str, int]]:
    """Read the relevance of documents, by query."""
    beir = _first_rows(file)[:1] == [_BEIR]
    columns = tuple(_BEIR) if beir else QRELS
    judgments: dict[str, dict[str, int]] = {}
    rows = _rows(file, columns)
    if beir:
        next(rows)
    for line, fields in rows:
        query, document, relevance = fields[0], fields[-2], _whole(fields[-1])
        if relevance is None:
            message = (
                f"{file.at(line)}: relevance must be a whole number of at most "
                f"{LARGEST:,}; got {fields[-1]!r}."
            )
            raise InputError(message)
        _add(judgments, query, document, relevance, file, line)
    return judgments


def read_run(file: File) -> RunFile:
    """Read the scores of retrieved documents, by query."""
    results: dict[str, dict[str, float]] = {}
    tags: set[str] = set()
    for line, (query, _, document, _, text, tag) in _rows(file, RUN):
        score = float(text) if _is_number(text) else math.nan
        if not math.isfinite(score):
            message = f"{file.at(line)}: score must be a finite number; got {text!r}."
            raise InputError(message)
        _add(results, query, document, score, file, line)
        tags.add(tag)
    return RunFile(file, tags.pop() if len(tags) == 1 else None, results)


def _whole(text: str) -> int | None:
    digits = text.removeprefix("-").removeprefix("+")
    if not (digits.isascii() and digits.isdecimal()):
        return None
    value = int(text) if len(text) <= len(str(LARGEST)) + 1 else LARGEST + 1
    return value if abs(value) <= LARGEST else None


def _add(
    table: dict[str, dict[str, Any]],
    query: str,
    document: str,
    value: float,
    file: File,
    line: int,
) -> None:
    """Add the value of a document, which must stand once for a query."""
    own = table.setdefault(query, {})
    if document in own:
        message = (
            f"{file.at(line)}: a document must stand once for a query; {document!r} of "
            f"query {query!r} does a second time."
        )
        raise InputError(message)
    own[document] = value


def _rows(file: File, columns: tuple[str, ...]) -> Iterator[tuple[int, list[str]]]:
    """Yield the number and the fields of each line that is not empty."""
    for block, first, _ in text_blocks(file):
        for line, text in enumerate(block.decode().split("\n"), first):
            fields = text.split()
            if len(fields) == len(columns):
                yield line, fields
            elif fields:
                raise wrong_width(file, line, len(fields), columns)


def wrong_width(
    file: File, line: int, width: int, columns: tuple[str, ...]
) -> InputError:
    """Build the error for a line of too few or too many columns."""
    message = (
        f"{file.at(line)}: a line must have {len(columns)} columns "
        f"({' '.join(columns)}); got {width}."
    )
    return InputError(message)


def no_trec_file(file: File) -> InputError:
    """Build the error for a file that is neither judgments nor a run."""
    width = len((_first_rows(file) or [[]])[0])
    message = (
        f"{file.name} must be judgments, lines of {' '.join(QRELS)}, or a run, lines "
        f"of {' '.join(RUN)}; its first line has {width} columns."
    )
    return InputError(message)
