"""Blocks of lines with columns, cut into cells.

Odd blanks, line ends, comments and document lines are put right first, so that numpy
can find all columns of a block at once.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import pyarrow as pa

from likelier._typing import IntArray
from likelier.errors import SettingError
from likelier.readers.formats import File
from likelier.readers.lines import checked_text, line_blocks

_TAB, _NEWLINE, _BLANK = b"\t\n "
_DOCUMENT = re.compile(rb"\n-DOCSTART-(?=[ \t\n])[^\n]*")
_NEW_DOCUMENT = re.compile(rb"\n#[ \t]*newdoc\b")
_BLANK_LINE = re.compile(rb"\n[ \t]+(?=\n)")
_BLANK_RUN = re.compile(rb"  +")
_BLANK_EDGE = re.compile(rb" +(?=\n)|(?<=\n) +")
_NO_WORD = re.compile(rb"[0-9]+[-.][0-9]+")

# Lines that begin with #; and those with a blank after it that have no tab: they can
# hardly be rows between tabs.
COMMENTS = re.compile(rb"\n#[^\n]*")
COMMENTS_WITHOUT_TABS = re.compile(rb"\n# [^\n\t]*(?=\n)")


@dataclass(frozen=True)
class Form:
    """How lines are split, and which of them are rows.

    Attributes
    ----------
    separator
        The byte between columns. By default tabs in lines with a tab, and any number
        of blanks in others.
    comments
        What comments look like, if there are any; ``# newdoc`` starts a document.
    ids
        Whether the first column numbers the words, as in CoNLL-U: rows of several
        words (``1-2``) and of none (``8.1``) are left out.
    """

    separator: bytes | None = None
    comments: re.Pattern[bytes] | None = None
    ids: bool = False


def separator_byte(separator: str | None) -> bytes | None:
    """Take one character that separates columns."""
    if separator is None:
        return None
    if len(separator) != 1 or not separator.isascii() or separator in "\r\n":
        message = f"separator must be one ASCII character; got {separator!r}."
        raise SettingError(message)
    return separator.encode()


class Block:
    """Lines of a file with a newline before each, cut into cells.

    Parameters
    ----------
    text
        The lines.
    line
        The number of the first line.
    mark
        The one byte between columns.
    documents
        Lines that start a document, counted within the block.
    """

    def __init__(
        self, text: bytes, line: int, mark: bytes, documents: Sequence[int]
    ) -> None:
        self.text, self.line, self.mark = text, line, mark
        self.documents = sorted(documents)
        self.data = np.frombuffer(text, np.uint8)
        self.edges = np.flatnonzero((self.data == mark[0]) | (self.data == _NEWLINE))
        ends = np.flatnonzero(self.data[self.edges] == _NEWLINE)
        filled = np.diff(self.edges[ends]) > 1
        self.lines = len(filled)
        self.rows, self.blank = np.flatnonzero(filled), np.flatnonzero(~filled)
        # The newline before each row, as a place among the edges.
        self.starts = ends[self.rows]
        self.widths = ends[self.rows + 1] - self.starts

    def odd(self, *, exact: bool) -> bool:
        """Tell whether blanks may stand where no column ends."""
        if exact or self.mark == b"\t":
            first = self.data[self.edges[self.starts] + 1]
            blank = (first == _BLANK) | (first == _TAB) | (self.widths == 1)
            return bool(blank.any())
        return int((np.diff(self.edges) == 1).sum()) > len(self.blank)

    def keep_words(self) -> None:
        """Leave out the rows whose ids are those of several words, or of none."""
        before, after = self.edge(0)
        long = np.flatnonzero(after - before > len("1-2"))
        ids = (self.text[before[row] + 1 : after[row]] for row in long)
        others = [
            row for row, id_ in zip(long, ids, strict=True) if _NO_WORD.fullmatch(id_)
        ]
        for name in ("rows", "starts", "widths"):
            setattr(self, name, np.delete(getattr(self, name), others))

    def edge(self, column: int) -> tuple[IntArray, IntArray]:
        """Give the edges before and after the cells of a column."""
        place = self.starts + column
        return self.edges[place], self.edges[place + 1]

    def cells(self, before: IntArray, after: IntArray) -> Any:
        """Take cells, by the edges around them, as an Arrow array of bytes."""
        cuts = np.column_stack([before + 1, after]).astype(np.int32)
        # Every second piece of the text is a cell.
        pieces = pa.Array.from_buffers(
            pa.binary(),
            max(cuts.size - 1, 0),
            [None, pa.py_buffer(cuts), pa.py_buffer(self.text)],
        )
        return pieces.take(pa.array(np.arange(0, cuts.size, 2)))


def file_blocks(file: File, form: Form) -> Iterator[tuple[Block, bool]]:
    """Give the blocks of a file, and whether each ends in a line end."""
    line = 1
    with file.open() as handle:
        for raw, whole in line_blocks(handle):
            text = checked_text(raw, file, line)
            block = _block(b"\n" + text, line, form)
            if form.ids:
                block.keep_words()
            yield block, whole
            line += block.lines


def _block(text: bytes, line: int, form: Form) -> Block:
    documents = []
    if b"-DOCSTART-" in text:
        documents += _lines_of(_DOCUMENT.finditer(text), text)
        text = _DOCUMENT.sub(b"\n", text)
    if form.comments is not None and b"\n#" in text:
        found = form.comments.finditer(text)
        starts = (match for match in found if _NEW_DOCUMENT.match(match[0]))
        documents += _lines_of(starts, text)
        text = form.comments.sub(b"\n", text)
    exact = form.separator is not None
    mark = form.separator or (b"\t" if b"\t" in text else b" ")
    block = Block(text, line, mark, documents)
    if not block.odd(exact=exact):
        return block
    text = _BLANK_LINE.sub(b"\n", text)
    return Block(text if exact else _put_right(text, mark), line, mark, documents)


def _lines_of(matches: Iterable[re.Match[bytes]], text: bytes) -> list[int]:
    starts = [0, *(match.start() for match in matches)]
    steps = [text.count(b"\n", *both) for both in pairwise(starts)]
    return [int(line) for line in np.cumsum(steps)]


def _put_right(text: bytes, mark: bytes) -> bytes:
    """Write a tab, or else a single blank, for the blanks between columns."""
    if mark == b" ":
        return _BLANK_EDGE.sub(b"", _BLANK_RUN.sub(b" ", text))
    lines = text.split(b"\n")
    split = (filter(None, line.split(b" ")) for line in lines)
    rows = zip(lines, split, strict=True)
    return b"\n".join(row if mark in row else mark.join(cells) for row, cells in rows)
