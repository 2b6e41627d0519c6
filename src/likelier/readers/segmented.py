"""Segmented text: words between blanks, one sentence per line."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest

import numpy as np

from likelier._typing import IntArray
from likelier.data.chunks import span_outcomes
from likelier.data.constructors import system_names
from likelier.data.tag_corpus import Chunks
from likelier.errors import InputError
from likelier.readers.formats import File, detect
from likelier.readers.lines import (
    ChunkReading,
    Paths,
    checked_text,
    cut_findings,
    file_names,
    line_blocks,
    path_list,
)

WORD = "word"
_NEWLINE, _BLANK = ord("\n"), ord(" ")
_IDEOGRAPHIC_SPACE = "\u3000".encode()
_SHOWN = 20


def read_segmented(
    paths: Paths, *, systems: Sequence[str] | None = None
) -> ChunkReading:
    r"""Count the words of segmented text that are right, wrong and missing.

    A word is right if the gold text has the same word at the same place.

    Parameters
    ----------
    paths
        The gold file, then one file per system: one sentence per line, words between
        blanks, tabs or ideographic spaces (U+3000). Blank lines count for nothing.
    systems
        Names of the systems; by default those of the files.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> folder = tempfile.TemporaryDirectory()
    >>> gold, first = (pathlib.Path(folder.name, name) for name in ("gold", "crf"))
    >>> _ = gold.write_text("我们 喜欢 北京\n", encoding="utf-8")
    >>> _ = first.write_text("我们 喜 欢 北京\n", encoding="utf-8")
    >>> read_segmented([gold, first]).outcomes.sums()["tp"]
    array([[2.]])
    >>> folder.cleanup()
    """
    files = [detect(path) for path in path_list(paths)]
    if len(files) < 2:
        message = "paths must name the gold file and at least one more; got one."
        raise InputError(message)
    told = file_names(files[1:]) if systems is None else list(systems)
    names = system_names(told, len(files) - 1)
    texts = [_read(file) for file in files]
    gold = texts[0]
    for text in texts[1:]:
        _check_agreement(gold, text)
    outcomes = span_outcomes(
        [text.words for text in texts],
        _line_starts(gold.characters),
        systems=names,
        classes=(WORD,),
        start=1,
    )
    outcomes = replace(outcomes, source="segmented words")
    return ChunkReading(replace(outcomes, findings=cut_findings(texts)))


@dataclass(frozen=True)
class _Text:
    """A text without its blanks, and its words by the bytes they stand at."""

    file: File
    characters: bytes
    words: Chunks
    cut: bool


def _read(file: File) -> _Text:
    line, size, cut = 1, 0, False
    characters, starts, ends = [], [], []
    with file.open() as handle:
        for raw, whole in line_blocks(handle):
            text = checked_text(raw, file, line)
            line, cut = line + text.count(b"\n"), not whole
            # No other character of UTF-8 holds these three bytes.
            text = text.replace(_IDEOGRAPHIC_SPACE, b" ").replace(b"\t", b" ")
            first, last = _words(text)
            characters.append(text.replace(b" ", b""))
            starts.append(size + first)
            ends.append(size + last)
            size += len(characters[-1])
    start = np.concatenate(starts)
    if not start.size:
        message = f"{file.shown} must have at least one word; it has none."
        raise InputError(message)
    words = Chunks(start, np.concatenate(ends), np.zeros_like(start))
    # Blank lines at the end are no lines.
    return _Text(file, b"".join(characters).rstrip(b"\n") + b"\n", words, cut)


def _words(text: bytes) -> tuple[IntArray, IntArray]:
    """Tell where words begin and end in the text without its blanks."""
    data = np.frombuffer(b"\n" + text, np.uint8)
    blank = data == _BLANK
    letter = ~blank & (data != _NEWLINE)
    edges = np.flatnonzero(letter[1:] != letter[:-1])
    place = edges - np.cumsum(blank)[edges]
    return place[::2], place[1::2]


def _line_starts(characters: bytes) -> IntArray:
    """Tell where lines begin that are not blank."""
    ends = np.flatnonzero(np.frombuffer(characters, np.uint8) == _NEWLINE)
    starts = np.append(0, ends[:-1] + 1)
    return starts[ends > starts]


def _check_agreement(gold: _Text, other: _Text) -> None:
    if gold.characters == other.characters:
        return
    lines = zip_longest(*(t.characters[:-1].split(b"\n") for t in (gold, other)))
    line, (told, said) = next(
        (line, pair) for line, pair in enumerate(lines, 1) if pair[0] != pair[1]
    )
    raise _different(gold.file, other.file, line, told, said)


def _different(
    gold: File, other: File, line: int, told: bytes | None, said: bytes | None
) -> InputError:
    if told is None or said is None:
        longer, shorter = (other, gold) if told is None else (gold, other)
        message = (
            f"{other.shown} must have as many lines as {gold.shown}; {shorter.shown} "
            f"ends before {longer.at(line)}."
        )
        return InputError(message)
    ours, theirs = told.decode(), said.decode()
    pairs = enumerate(zip_longest(ours, theirs))
    place = next(i for i, (a, b) in pairs if a != b)
    ours, theirs = ours[place : place + _SHOWN], theirs[place : place + _SHOWN]
    message = (
        f"{other.at(line)}: characters must be those of {gold.at(line)}, whatever the "
        f"blanks; after {place} of them that has {ours!r}, got {theirs!r}."
    )
    return InputError(message)
