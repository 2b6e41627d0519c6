"""Lines of files with one token per line, cut into cells block by block.

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
from numpy.typing import NDArray

from likelier.data.tag_corpus import TagCodes
from likelier.errors import SettingError
from likelier.readers.file import File, text_blocks

# Indexes of bytes between cells, in a block of lines.
Edges = NDArray[np.int32]

_TAB, _NEWLINE, _BLANK = b"\t\n "
_OUTSIDE = ord("O")
_DOCUMENT = re.compile(rb"\n-DOCSTART-(?=[ \t\n])[^\n]*")
_NEW_DOCUMENT = re.compile(rb"\n#[ \t]*newdoc\b")
_BLANK_LINE = re.compile(rb"\n[ \t]+(?=\n)")
_BLANK_RUN = re.compile(rb"  +")
_BLANK_EDGE = re.compile(rb" +(?=\n)|(?<=\n) +")
_OBJECTS = re.compile(rb"\s*(PAR1|\{|\[\s*[{\]])")
TABLE_COLUMNS = {b"gold", b"id", b"system", b"score"}
# Columns of CoNLL-U.
_COLUMNS = 10
_NO_WORD = re.compile(rb"[0-9]+[-.][0-9]+")

# Lines that begin with #; and those with a blank after it that have no tab: they can
# hardly be rows between tabs.
COMMENTS = re.compile(rb"\n#[^\n]*")
COMMENTS_WITHOUT_TABS = re.compile(rb"\n# [^\n\t]*(?=\n)")


@dataclass(frozen=True)
class LineFormat:
    """Rules that split lines into cells, and tell which lines are rows.

    Attributes
    ----------
    separator
        The byte between columns. By default tabs in lines with a tab, and any number
        of blanks in others.
    comments
        Pattern of comments, if there are any; ``# newdoc`` starts a document.
    ids
        Whether the first column numbers the words, as in CoNLL-U: rows of several
        words (``1-2``) and of none (``8.1``) are left out.
    """

    separator: bytes | None = None
    comments: re.Pattern[bytes] | None = None
    ids: bool = False


def separator_byte(separator: str | None) -> bytes | None:
    """Check the one character that separates columns."""
    if separator is None:
        return None
    if len(separator) != 1 or not separator.isascii() or separator in "\r\n":
        message = f"separator must be one ASCII character; got {separator!r}."
        raise SettingError(message)
    return separator.encode()


class LineBlock:
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
        is_edge = (self.data == mark[0]) | (self.data == _NEWLINE)
        self.edges: Edges = np.flatnonzero(is_edge).astype(np.int32)
        ends = np.flatnonzero(self.data[self.edges] == _NEWLINE)
        filled = np.diff(self.edges[ends]) > 1
        self.rows, self.blank = np.flatnonzero(filled), np.flatnonzero(~filled)
        # The newline before each row, as an index of the edges.
        self.starts = ends[self.rows]
        self.widths = ends[self.rows + 1] - self.starts

    def odd(self, *, exact: bool) -> bool:
        """Return whether blanks may stand where no column ends."""
        if exact or self.mark == b"\t":
            first = self.data[self.edges[self.starts] + 1]
            blank = (first == _BLANK) | (first == _TAB) | (self.widths == 1)
            return bool(blank.any())
        return int((np.diff(self.edges) == 1).sum()) > len(self.blank)

    def drop_ranges(self) -> None:
        """Leave out the rows whose ids are those of several words, or of none.

        One that lacks columns stays, to be refused with all others that do.
        """
        before, after = self.edge(0)
        long = np.flatnonzero((after - before > len("1-2")) & (self.widths == _COLUMNS))
        ids = (self.text[before[row] + 1 : after[row]] for row in long)
        others = [
            row for row, id_ in zip(long, ids, strict=True) if _NO_WORD.fullmatch(id_)
        ]
        for name in ("rows", "starts", "widths"):
            setattr(self, name, np.delete(getattr(self, name), others))

    def edge(self, column: int) -> tuple[Edges, Edges]:
        """Return the edges before and after the cells of a column."""
        index = self.starts + column
        return self.edges[index], self.edges[index + 1]

    def cells(self, before: Edges, after: Edges) -> Any:
        """Return cells, by the edges around them, as an Arrow array of bytes."""
        cuts = np.column_stack([before + 1, after])
        # Every second piece of the text is a cell.
        pieces = pa.Array.from_buffers(
            pa.binary(),
            max(cuts.size - 1, 0),
            [None, pa.py_buffer(cuts), pa.py_buffer(self.text)],
        )
        return pieces.take(pa.array(np.arange(0, cuts.size, 2)))

    def codes(self, column: int, numbers: TagCodes) -> NDArray[np.int32]:
        """Return the numbers of the tags in a column; O is 0, and often most."""
        before, after = self.edge(column)
        outside = (after - before == 2) & (self.data[before + 1] == _OUTSIDE)
        others = np.flatnonzero(~outside)
        encoded = self.cells(before[others], after[others]).dictionary_encode()
        tags = [cell.decode().strip(" ") for cell in encoded.dictionary.to_pylist()]
        distinct = np.array([numbers[tag] for tag in tags], dtype=np.int32)
        codes = np.zeros(len(before), dtype=np.int32)
        codes[others] = distinct[encoded.indices.to_numpy()]
        return codes


def token_blocks(file: File, form: LineFormat) -> Iterator[tuple[LineBlock, bool]]:
    """Yield the blocks of a file, and whether each ends in a line end."""
    for text, line, whole in text_blocks(file):
        block = _line_block(b"\n" + text, line, form)
        if form.ids:
            block.drop_ranges()
        yield block, whole


def _line_block(text: bytes, line: int, form: LineFormat) -> LineBlock:
    documents = []
    if b"-DOCSTART-" in text:
        documents += _line_numbers(_DOCUMENT.finditer(text), text)
        text = _DOCUMENT.sub(b"\n", text)
    if form.comments is not None and b"\n#" in text:
        comments = form.comments.finditer(text)
        starts = (match for match in comments if _NEW_DOCUMENT.match(match[0]))
        documents += _line_numbers(starts, text)
        text = form.comments.sub(b"\n", text)
    exact = form.separator is not None
    mark = form.separator or (b"\t" if b"\t" in text else b" ")
    block = LineBlock(text, line, mark, documents)
    if not block.odd(exact=exact):
        return block
    text = _BLANK_LINE.sub(b"\n", text)
    text = text if exact else _single_marks(text, mark)
    return LineBlock(text, line, mark, documents)


def _line_numbers(matches: Iterable[re.Match[bytes]], text: bytes) -> list[int]:
    starts = [0, *(match.start() for match in matches)]
    steps = [text.count(b"\n", *both) for both in pairwise(starts)]
    return [int(line) for line in np.cumsum(steps)]


def _single_marks(text: bytes, mark: bytes) -> bytes:
    """Write a tab, or else a single blank, for the blanks between columns."""
    if mark == b" ":
        return _BLANK_EDGE.sub(b"", _BLANK_RUN.sub(b" ", text))
    lines = text.split(b"\n")
    split = (filter(None, line.split(b" ")) for line in lines)
    rows = zip(lines, split, strict=True)
    return b"\n".join(row if mark in row else mark.join(cells) for row, cells in rows)


def holds_objects(file: File) -> bool:
    """Return whether a file starts like Parquet or JSON, so that it has no tokens."""
    return bool(_OBJECTS.match(file.start))


def start_rows(file: File) -> list[list[bytes]]:
    """Return the rows at the start of a file that looks like columns of tokens.

    All rows have the same number of columns, two at least, the first is no header of
    a table, and a blank line or a document stands between some; the ending ``.conll``
    does for that.
    """
    rows: list[list[bytes]] = []
    gap, gaps = False, file.bare.suffix.lower() == ".conll"
    if holds_objects(file):
        return []
    # The last line may be cut.
    for line in file.start_lines[:-1]:
        if not line.strip() or line.startswith(b"-DOCSTART-"):
            gap = bool(rows)
        elif not (line.startswith(b"# ") and b"\t" not in line):
            gaps |= gap
            rows.append(line.split(b"\t") if b"\t" in line else line.split())
    same = len({len(row) for row in rows}) == 1
    columns = same and len(rows[0]) > 1 and not TABLE_COLUMNS & {*rows[0]}
    return rows if gaps and columns else []
