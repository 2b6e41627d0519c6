"""CoNLL columns: one token per line, blank lines between sentences.

A file is read in blocks of bytes. Odd blanks, line ends and document lines are put
right first, so that numpy can find all columns of a block at once.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from likelier.errors import InputError, SettingError, listed
from likelier.outcomes.build import system_names
from likelier.outcomes.chunks import tag_outcomes
from likelier.readers.formats import File, detect
from likelier.readers.kinds import system_list
from likelier.readers.lines import (
    ChunkReading,
    Paths,
    checked_text,
    cut_findings,
    file_names,
    line_blocks,
    path_list,
)
from likelier.schemes import Codes, Corpus

IntArray = NDArray[np.int64]

_TAB, _NEWLINE, _BLANK, _OUTSIDE = b"\t\n O"
_DOCUMENT = re.compile(rb"\n-DOCSTART-(?=[ \t\n])[^\n]*")
_COMMENT = re.compile(rb"\n#[^\n]*")
_NEW_DOCUMENT = re.compile(rb"\n#\s*newdoc\b")
_BLANK_LINE = re.compile(rb"\n[ \t]+(?=\n)")
_BLANK_RUN = re.compile(rb"  +")
_BLANK_EDGE = re.compile(rb" +(?=\n)|(?<=\n) +")


def read_conll(
    paths: Paths,
    *,
    scheme: str | Sequence[str],
    gold: int | None = None,
    systems: Sequence[str] | Mapping[str, int] | None = None,
    token: int = 0,
    separator: str | None = None,
    strict: bool = False,
    typed: bool = True,
    only: str | None = None,
    documents: bool = False,
    comments: bool = False,
) -> ChunkReading:
    r"""Count the chunks of one file with a column per system, or of several files.

    Parameters
    ----------
    paths
        One file with columns of gold tags and of predicted tags; or the gold file and
        then one file per system, with the same tokens. Text may be gzipped.
    scheme, strict, typed, only
        As in `outcomes.from_chunks`.
    gold
        The column of gold tags, from 0, or from -1 backwards. By default the last
        before those of the systems; in several files the last.
    systems
        The names of the systems; or names with the columns of their tags. By default
        the last column of one file; the names of several files.
    token
        The column of tokens, which must agree between files.
    separator
        What stands between columns. By default tabs in lines with a tab, and any
        number of blanks in others.
    documents
        Whether sentences are summed over documents, which ``-DOCSTART-`` lines start.
    comments
        Whether lines that begin with ``#`` are comments, as in CoNLL-U; ``# newdoc``
        starts a document then.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> folder = tempfile.TemporaryDirectory()
    >>> path = pathlib.Path(folder.name, "tagged.conll")
    >>> _ = path.write_text("Ada B-PER B-PER\nLovelace I-PER O\n\nruns O O\n")
    >>> read_conll(path, scheme="iob2").outcomes
    <Outcomes of first: 2 items, 2 patterns, 1 classes>
    >>> folder.cleanup()
    """
    files = [detect(path) for path in path_list(paths)]
    form = _Form(_separator_byte(separator), comments=comments)
    if len(files) == 1:
        names, wanted = _one_file(gold=gold, systems=systems)
    else:
        names, wanted = _many_files(files, gold=gold, systems=systems)
    codes = Codes()
    tokens = token if len(files) > 1 else None
    sheets = [
        _read(file, form, columns, tokens, codes)
        for file, columns in zip(files, wanted, strict=True)
    ]
    first = sheets[0]
    for sheet in sheets[1:]:
        _check_agreement(first, sheet)
    columns = [(sheet, part) for sheet in sheets for part in sheet.codes]
    corpus = Corpus(
        tuple(codes), tuple(part for _, part in columns), np.diff(first.offsets)
    )
    outcomes = tag_outcomes(
        corpus,
        systems=names,
        scheme=scheme,
        strict=strict,
        typed=typed,
        only=only,
        cluster=_document_numbers(first) if documents else None,
        where=lambda tagger, row: f"{columns[tagger][0].at(row)}: a tag",
    )
    return ChunkReading(outcomes, cut_findings(sheets))


def _separator_byte(separator: str | None) -> bytes | None:
    if separator is None:
        return None
    if len(separator) != 1 or not separator.isascii() or separator in "\r\n":
        message = f"separator must be one ASCII character; got {separator!r}."
        raise SettingError(message)
    return separator.encode()


def _one_file(
    *, gold: int | None, systems: Sequence[str] | Mapping[str, int] | None
) -> tuple[tuple[str, ...], list[list[int]]]:
    names = system_names(None, 1) if systems is None else _given(systems)
    count = len(names)
    columns = list(range(-count, 0))
    if isinstance(systems, Mapping):
        columns = list(systems.values())
        if gold is None:
            message = f"gold must be given with the columns of systems {listed(names)}."
            raise SettingError(message)
    return names, [[-1 - count if gold is None else gold, *columns]]


def _many_files(
    files: Sequence[File],
    *,
    gold: int | None,
    systems: Sequence[str] | Mapping[str, int] | None,
) -> tuple[tuple[str, ...], list[list[int]]]:
    names = file_names(files[1:]) if systems is None else _given(systems)
    columns = [-1] * (len(files) - 1)
    if isinstance(systems, Mapping):
        columns = list(systems.values())
    told = system_names(names, len(files) - 1)
    return told, [[-1 if gold is None else gold], *([column] for column in columns)]


def _given(systems: Sequence[str] | Mapping[str, int]) -> tuple[str, ...]:
    return system_list(systems if isinstance(systems, str) else tuple(systems))


@dataclass(frozen=True)
class _Form:
    """How lines are split."""

    separator: bytes | None
    comments: bool


@dataclass
class _Sheet:
    """What was read of a file: wanted columns row by row, and sentence starts."""

    file: File
    form: _Form
    codes: list[Any] = field(default_factory=list)
    tokens: list[Any] = field(default_factory=list)
    breaks: list[IntArray] = field(default_factory=list)
    documents: list[int] = field(default_factory=list)
    rows: int = 0
    width: int = 0
    cut: bool = False

    @cached_property
    def offsets(self) -> IntArray:
        """The first row of each sentence, and the number of rows."""
        ends = np.concatenate([*self.breaks, [self.rows]])
        return np.append(0, ends[np.diff(ends, prepend=0) > 0])

    def line(self, row: int) -> int:
        """Find the line of a row, by reading the file once more."""
        done = 0
        for block in _blocks(self):
            if row < done + len(block.rows):
                return int(block.line + block.rows[row - done])
            done += len(block.rows)
        raise AssertionError(row)  # pragma: no cover

    def at(self, row: int) -> str:
        """Name the line of a row."""
        return self.file.at(self.line(row))


class _Block:
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

    def edge(self, column: int) -> tuple[IntArray, IntArray]:
        """Give the edges before and after the cells of a column."""
        place = self.starts + column
        return self.edges[place], self.edges[place + 1]


def _read(
    file: File, form: _Form, columns: Sequence[int], token: int | None, codes: Codes
) -> _Sheet:
    sheet = _Sheet(file, form)
    parts: list[list[Any]] = [[] for _ in columns]
    for block in _blocks(sheet):
        _count_rows(sheet, block, columns if token is None else [*columns, token])
        if not len(block.rows):
            continue
        for column, part in zip(columns, parts, strict=True):
            part.append(_numbered(block, column % sheet.width, codes))
        if token is not None:
            sheet.tokens.append(_cells(block, *block.edge(token % sheet.width)))
    if not sheet.rows:
        message = f"{file.shown} must have at least one token; it has none."
        raise InputError(message)
    sheet.codes = [np.concatenate(part) for part in parts]
    return sheet


def _blocks(sheet: _Sheet) -> Iterator[_Block]:
    line = 1
    with sheet.file.open() as handle:
        for raw, whole in line_blocks(handle):
            sheet.cut = not whole
            text = checked_text(raw, sheet.file, line)
            block = _block(b"\n" + text, line, sheet.form)
            yield block
            line += len(block.rows) + len(block.blank)


def _block(text: bytes, line: int, form: _Form) -> _Block:
    documents = []
    if b"-DOCSTART-" in text:
        documents += _lines_of(_DOCUMENT, text)
        text = _DOCUMENT.sub(b"\n", text)
    if form.comments:
        documents += _lines_of(_NEW_DOCUMENT, text)
        text = _COMMENT.sub(b"\n", text)
    exact = form.separator is not None
    mark = form.separator or (b"\t" if b"\t" in text else b" ")
    block = _Block(text, line, mark, documents)
    if not block.odd(exact=exact):
        return block
    text = _BLANK_LINE.sub(b"\n", text)
    return _Block(text if exact else _put_right(text, mark), line, mark, documents)


def _lines_of(pattern: re.Pattern[bytes], text: bytes) -> list[int]:
    starts = [0, *(match.start() for match in pattern.finditer(text))]
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


def _count_rows(sheet: _Sheet, block: _Block, wanted: Sequence[int]) -> None:
    # So many rows stand before a blank line, or before a document.
    blank = block.blank - np.arange(len(block.blank))
    documents = np.searchsorted(block.rows, block.documents)
    sheet.breaks.append(sheet.rows + blank)
    sheet.documents += (sheet.rows + documents).tolist()
    if not len(block.rows):
        return
    if not sheet.width:
        sheet.width = int(block.widths[0])
        _check_columns(sheet, block, wanted)
    wrong = np.flatnonzero(block.widths != sheet.width)
    if wrong.size:
        row = wrong[0]
        message = (
            f"{sheet.file.at(block.line + int(block.rows[row]))}: a row must have "
            f"{sheet.width} columns, as the first row has; got {block.widths[row]}."
        )
        raise InputError(message)
    sheet.rows += len(block.rows)


def _check_columns(sheet: _Sheet, block: _Block, wanted: Sequence[int]) -> None:
    for column in wanted:
        if not -sheet.width <= column < sheet.width:
            message = (
                f"{sheet.file.at(block.line + int(block.rows[0]))}: a row must have a "
                f"column {column}; it has {sheet.width} columns."
            )
            raise InputError(message, hint="The first column is 0, the last is -1.")


def _cells(block: _Block, before: IntArray, after: IntArray) -> Any:
    """Take cells, by the edges around them, as an Arrow array of bytes."""
    cuts = np.column_stack([before + 1, after]).astype(np.int32)
    # Every second piece of the text is a cell.
    pieces = pa.Array.from_buffers(
        pa.binary(),
        max(cuts.size - 1, 0),
        [None, pa.py_buffer(cuts), pa.py_buffer(block.text)],
    )
    return pieces.take(pa.array(np.arange(0, cuts.size, 2)))


def _numbered(block: _Block, column: int, codes: Codes) -> NDArray[np.int32]:
    """Give the numbers of the tags in a column; most are O, which is 0."""
    before, after = block.edge(column)
    outside = (after - before == 2) & (block.data[before + 1] == _OUTSIDE)
    others = np.flatnonzero(~outside)
    found = _cells(block, before[others], after[others]).dictionary_encode()
    tags = [cell.decode().strip(" ") for cell in found.dictionary.to_pylist()]
    known = np.array([codes[tag] for tag in tags], dtype=np.int32)
    numbers = np.zeros(len(before), dtype=np.int32)
    numbers[others] = known[found.indices.to_numpy()]
    return numbers


def _check_agreement(gold: _Sheet, other: _Sheet) -> None:
    ours, theirs = pa.chunked_array(gold.tokens), pa.chunked_array(other.tokens)
    if ours.equals(theirs) and np.array_equal(gold.offsets, other.offsets):
        return
    n = min(gold.rows, other.rows)
    row = _first_difference(ours.slice(0, n), theirs.slice(0, n))
    cut = np.setxor1d(gold.offsets[gold.offsets < n], other.offsets[other.offsets < n])
    if cut.size and cut[0] <= row:
        raise _different_sentences(gold, other, int(cut[0]))
    if row < n:
        told, said = (tokens[row].as_py().decode() for tokens in (ours, theirs))
        message = (
            f"{other.at(row)}: tokens must be those of {gold.file.shown}; "
            f"{gold.at(row)} has {told!r}, got {said!r}."
        )
        raise InputError(message)
    longer, shorter = (gold, other) if gold.rows > n else (other, gold)
    message = (
        f"{other.file.shown} must have the tokens of {gold.file.shown}; "
        f"{shorter.file.shown} ends at {shorter.at(n - 1)}, before the token of "
        f"{longer.at(n)}."
    )
    raise InputError(message)


def _first_difference(ours: Any, theirs: Any) -> int:
    import pyarrow.compute as pc

    same = pc.equal(ours, theirs)
    place = pc.index(same, value=False).as_py()
    return len(same) if place < 0 else int(place)


def _different_sentences(gold: _Sheet, other: _Sheet, row: int) -> InputError:
    starts = row in gold.offsets
    message = (
        f"{other.at(row)}: sentences must be those of {gold.file.shown}; the token of "
        f"{gold.at(row)} {'starts' if starts else 'does not start'} a sentence."
    )
    return InputError(message)


def _document_numbers(sheet: _Sheet) -> IntArray:
    if not sheet.documents:
        message = f"{sheet.file.shown} must have -DOCSTART- lines; it has none."
        raise InputError(message, hint="Leave documents out, or mark where they start.")
    return np.searchsorted(sheet.documents, sheet.offsets[:-1], side="right")
