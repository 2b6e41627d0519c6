"""Segmented text: words between blanks, one sentence per line."""

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from os import PathLike
from pathlib import Path

import numpy as np

from likelier._typing import IntArray
from likelier.data.chunks import span_outcomes
from likelier.data.encoding import Clusters
from likelier.data.outcomes import Outcomes
from likelier.data.tag_corpus import Chunks
from likelier.errors import InputError
from likelier.readers.file import (
    File,
    Paths,
    cut_findings,
    file_names,
    text_blocks,
)
from likelier.readers.reader import (
    Description,
    ReadRequest,
    TokenItems,
    read_outcomes,
)
from likelier.readers.same_text import read_same_texts
from likelier.readers.token_lines import TABLE_COLUMNS, holds_objects

WORD = "word"
_NEWLINE, _BLANK = ord("\n"), ord(" ")
_IDEOGRAPHIC_SPACE = "\u3000".encode()
_BETWEEN = re.compile(rb"\S( |\xe3\x80\x80)+\S")


def read_segmented(paths: Paths, *, systems: Sequence[str] | None = None) -> Outcomes:
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
    >>> read_segmented([gold, first]).sums()["tp"]
    array([[2.]])
    >>> folder.cleanup()
    """
    return read_outcomes(READERS[0], paths, ReadRequest(systems=systems))[0]


@dataclass(frozen=True)
class SegmentedReader:
    """Reader of the gold text and of one text per system."""

    name: str = "segmented"

    def sniff(self, file: File) -> bool:
        """Return whether most lines have words between blanks, and no columns."""
        lines = [line for line in file.start_lines if line.strip()]
        if holds_objects(file) or b"\t" in lines[0]:
            return False
        marks = any(_in_all_lines(mark, lines) for mark in (b",", b";"))
        table = marks or re.search(rb"\S,", lines[0])
        if table or lines[0].strip() in TABLE_COLUMNS:
            return False
        return 2 * sum(bool(_BETWEEN.search(line)) for line in lines) > len(lines)

    def describe(self, files: Sequence[File]) -> Description:
        """Describe segmented text; its items are sentences."""
        texts = [_read_text(file) for file in files]
        gold, *systems = file_names(files)
        return Description(
            format=self.name,
            kind="words",
            unit="sentences",
            items=len(_line_starts(texts[0].characters)),
            gold=gold,
            systems=tuple(systems),
            findings=cut_findings(texts),
        )

    @contextmanager
    def items(
        self, files: Sequence[File], request: ReadRequest
    ) -> Iterator[TokenItems]:
        """Read texts that agree in their characters."""
        systems, texts = read_same_texts(files, request, _read_text)
        starts = _line_starts(texts[0].characters)

        def sentences(numbers: Sequence[int]) -> list[str]:
            return [texts[0].line(int(starts[number])) for number in numbers]

        def count(_metric: str | None) -> Outcomes:
            outcomes = span_outcomes(
                [text.words for text in texts],
                starts,
                systems=systems,
                classes=(WORD,),
                clusters=Clusters(),
                texts=sentences,
                start=1,
            )
            return replace(outcomes, source="segmented words")

        yield TokenItems(cut_findings(texts), count)


READERS = (SegmentedReader(),)


@dataclass(frozen=True)
class Text:
    """A text without its blanks, and its words by the bytes they stand at."""

    file: File
    characters: bytes
    words: Chunks
    cut: bool

    def at_character(self, index: int) -> str:
        """Name the line of a character."""
        return self.file.at(1 + self.characters.decode()[:index].count("\n"))

    def line(self, start: int) -> str:
        """Return the words of the line that begins at a byte, between blanks."""
        end = self.characters.index(b"\n", start)
        some = slice(*np.searchsorted(self.words.start, [start, end]))
        spans = zip(self.words.start[some], self.words.end[some], strict=True)
        return b" ".join(self.characters[a:b] for a, b in spans).decode()


def read_words(path: str | PathLike[str], *, encoding: str) -> list[list[str]]:
    """Read the words of each line of segmented text in any encoding, but blank lines.

    Parameters
    ----------
    path
        The file.
    encoding
        Its encoding, by Python's name.
    """
    # A byte order mark is no character of the text.
    codec = "utf-8-sig" if encoding == "utf-8" else str(encoding)
    try:
        text = Path(path).read_text(encoding=codec)
    except (OSError, UnicodeError, LookupError) as error:
        message = f"{path} must be a text file in the encoding {encoding}; {error}."
        raise InputError(message) from error
    return [line.split() for line in text.split("\n") if line.split()]


def _read_text(file: File) -> Text:
    size, cut = 0, False
    characters, starts, ends = [], [], []
    for block, _, whole in text_blocks(file):
        cut = not whole
        # No other character of UTF-8 holds these three bytes.
        text = block.replace(_IDEOGRAPHIC_SPACE, b" ").replace(b"\t", b" ")
        first, last = _word_edges(text)
        characters.append(text.replace(b" ", b""))
        starts.append(size + first)
        ends.append(size + last)
        size += len(characters[-1])
    start = np.concatenate(starts)
    if not start.size:
        message = f"{file.name} must have at least one word; it has none."
        raise InputError(message)
    words = Chunks(start, np.concatenate(ends), np.zeros_like(start))
    # Blank lines at the end are no lines.
    return Text(file, b"".join(characters).rstrip(b"\n") + b"\n", words, cut)


def _word_edges(text: bytes) -> tuple[IntArray, IntArray]:
    """Return where words begin and end in the text without its blanks."""
    data = np.frombuffer(b"\n" + text, np.uint8)
    blank = data == _BLANK
    letter = ~blank & (data != _NEWLINE)
    edges = np.flatnonzero(letter[1:] != letter[:-1])
    positions = edges - np.cumsum(blank)[edges]
    return positions[::2], positions[1::2]


def _line_starts(characters: bytes) -> IntArray:
    """Return where lines begin that are not blank."""
    ends = np.flatnonzero(np.frombuffer(characters, np.uint8) == _NEWLINE)
    starts = np.append(0, ends[:-1] + 1)
    return starts[ends > starts]


def _in_all_lines(mark: bytes, lines: Sequence[bytes]) -> bool:
    """Return whether all lines, of which the last may be cut, have a mark as often."""
    counts = {line.count(mark) for line in lines[: max(2, len(lines) - 1)]}
    return len(counts) == 1 and counts != {0}
