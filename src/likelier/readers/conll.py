"""CoNLL columns: one token per line, blank lines between sentences.

A file is read in blocks of bytes. Odd blanks, line ends and document lines are put
right first, so that numpy can find all columns of a block at once.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from os import PathLike
from pathlib import Path
from typing import IO, Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from likelier.errors import InputError, SettingError, listed
from likelier.findings import Finding
from likelier.outcomes import Outcomes
from likelier.outcomes.build import system_names
from likelier.outcomes.chunks import tag_outcomes
from likelier.readers.formats import File, detect
from likelier.schemes import Codes, Corpus, describe

Paths = str | PathLike[str] | Sequence[str | PathLike[str]]
IntArray = NDArray[np.int64]

_BLOCK = 1 << 21
_NEWLINE = 10
_DOCUMENT = re.compile(rb"\n-DOCSTART-(?=[ \t\n])[^\n]*")
_COMMENT = re.compile(rb"\n#[^\n]*")
_NEW_DOCUMENT = re.compile(rb"\n#\s*newdoc\b")
_BLANK_LINE = re.compile(rb"\n[ \t]+(?=\n)")
_BLANK_RUN = re.compile(rb"  +")
_BLANK_EDGE = re.compile(rb" +(?=\n)|(?<=\n) +")


@dataclass(frozen=True)
class ChunkReading:
    """What a reader of chunks gives.

    Attributes
    ----------
    outcomes
        Chunks that are right, wrong and missing per sentence.
    findings
        Remarks on the files.
    description
        How the chunks were read, for the recipe.
    """

    outcomes: Outcomes
    findings: tuple[Finding, ...]
    description: str


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
    plan = _one_file if len(files) == 1 else _many_files
    names, wanted = plan(files, gold=gold, systems=systems)
    codes = Codes()
    several = len(files) > 1
    sheets = [
        _read(file, form, columns, token if several else None, codes)
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
    told = describe(scheme, strict=strict, typed=typed, only=only)
    return ChunkReading(outcomes, cut_findings(sheets), told)


def path_list(paths: Paths) -> list[str | PathLike[str]]:
    """Take one path or several."""
    given = [paths] if isinstance(paths, str | PathLike) else list(paths)
    if not given:
        message = "paths must name at least one file; got none."
        raise InputError(message)
    return given


def _separator_byte(separator: str | None) -> bytes | None:
    if separator is None:
        return None
    if len(separator) != 1 or not separator.isascii() or separator in "\r\n":
        message = f"separator must be one ASCII character; got {separator!r}."
        raise SettingError(message)
    return separator.encode()


def _one_file(
    files: Sequence[File],
    *,
    gold: int | None,
    systems: Sequence[str] | Mapping[str, int] | None,
) -> tuple[tuple[str, ...], list[list[int]]]:
    count = 1 if systems is None else len(systems)
    names = system_names(None if systems is None else list(systems), count)
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
    names = file_names(files[1:]) if systems is None else list(systems)
    columns = [-1] * (len(files) - 1)
    if isinstance(systems, Mapping):
        columns = list(systems.values())
    told = system_names(names, len(files) - 1)
    return told, [[-1 if gold is None else gold], *([column] for column in columns)]


def file_names(files: Sequence[File]) -> list[str]:
    """Name systems by their files."""
    names = [Path(file.shown).name.removesuffix(".gz") for file in files]
    stems = [Path(name).stem for name in names]
    if len(set(stems)) == len(stems):
        return stems
    return names if len(set(names)) == len(names) else [file.shown for file in files]


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
    offsets: IntArray = field(default_factory=lambda: np.zeros(1, np.int64))

    def line(self, row: int) -> int:
        """Find the line of a row, by reading the file once more."""
        done = 0
        for block in _blocks(self.file, self.form):
            places = np.flatnonzero(block.lengths)
            if row < done + len(places):
                return int(block.line + places[row - done])
            done += len(places)
        raise AssertionError(row)  # pragma: no cover

    def at(self, row: int) -> str:
        """Name the line of a row."""
        return self.file.at(self.line(row))


@dataclass(frozen=True)
class _Block:
    """Lines of a file, put right: a newline before each, one separator for all.

    Attributes
    ----------
    text
        The bytes.
    line
        The number of the first line.
    mark
        The separator.
    ends
        Where newlines stand; the first one is before the first line.
    documents
        Lines that start a document, counted within the block.
    """

    text: bytes
    line: int
    mark: int
    ends: IntArray
    documents: tuple[int, ...]

    @property
    def lengths(self) -> IntArray:
        """The length of each line; 0 where it is blank."""
        return np.diff(self.ends) - 1


def _read(
    file: File, form: _Form, columns: Sequence[int], token: int | None, codes: Codes
) -> _Sheet:
    sheet = _Sheet(file, form)
    parts: list[list[Any]] = [[] for _ in columns]
    for block in _blocks(file, form, sheet):
        marks = _row_marks(sheet, block, [*columns, *([] if token is None else [token])])
        if marks is None:
            continue
        for column, part in zip(columns, parts, strict=True):
            part.append(_numbered(_cells(block.text, marks, column), codes))
        if token is not None:
            sheet.tokens.append(_cells(block.text, marks, token))
    if not sheet.rows:
        message = f"{file.shown} must have at least one token; it has none."
        raise InputError(message)
    breaks = np.concatenate([[0], *sheet.breaks, [sheet.rows]])
    sheet.offsets = np.unique(breaks)
    sheet.codes = [np.concatenate(part) for part in parts]
    return sheet


def _blocks(
    file: File, form: _Form, sheet: _Sheet | None = None
) -> Iterator[_Block]:
    line = 1
    with file.open() as handle:
        for text, whole in line_blocks(handle):
            if not whole and sheet is not None:
                sheet.cut = True
            yield _put_right(checked_text(text, file, line), line, form)
            line += text.count(b"\n")


def line_blocks(handle: IO[bytes]) -> Iterator[tuple[bytes, bool]]:
    """Give blocks of whole lines; what comes last without a line end is not whole."""
    tail, size = b"", _BLOCK
    while chunk := handle.read(size):
        data = tail + chunk
        end = data.rfind(b"\n") + 1
        tail = data[end:]
        size = _BLOCK if end else 2 * size
        if end:
            yield data[:end], True
    if tail:
        yield tail, False


def checked_text(block: bytes, file: File, line: int) -> bytes:
    r"""Check that text is UTF-8, and end each line in ``\n``."""
    if not block.isascii():
        try:
            block.decode()
        except UnicodeDecodeError as error:
            line += block.count(b"\n", 0, error.start)
            byte = block[error.start]
            message = f"{file.at(line)}: text must be UTF-8; got the byte 0x{byte:02x}."
            hint = "Save the file with the encoding UTF-8."
            raise InputError(message, hint=hint) from error
    if b"\r" in block:
        block = block.replace(b"\r\n", b"\n")
        lone = block.find(b"\r")
        if lone >= 0:
            line += block.count(b"\n", 0, lone)
            message = rf"{file.at(line)}: lines must end in \n or \r\n; got a lone \r."
            raise InputError(message)
    return block if block.endswith(b"\n") else block + b"\n"


def _put_right(text: bytes, line: int, form: _Form) -> _Block:
    text = b"\n" + text
    documents = []
    if b"-DOCSTART-" in text:
        documents += _lines_of(_DOCUMENT, text)
        text = _DOCUMENT.sub(b"\n", text)
    if form.comments:
        documents += _lines_of(_NEW_DOCUMENT, text)
        text = _COMMENT.sub(b"\n", text)
    if b"\n " in text or b"\n\t" in text:
        text = _BLANK_LINE.sub(b"\n", text)
    mark = form.separator
    if mark is None:
        text, mark = _one_mark(text)
    ends = np.flatnonzero(np.frombuffer(text, np.uint8) == _NEWLINE)
    return _Block(text, line, mark[0], ends, tuple(sorted(documents)))


def _lines_of(pattern: re.Pattern[bytes], text: bytes) -> list[int]:
    starts = [0, *(match.start() for match in pattern.finditer(text))]
    steps = [text.count(b"\n", *both) for both in pairwise(starts)]
    return [int(line) for line in np.cumsum(steps)]


def _one_mark(text: bytes) -> tuple[bytes, bytes]:
    """Put tabs, or else single blanks, between columns."""
    if b"\t" not in text:
        return _single_blanks(text), b" "
    if b" " not in text or all(b"\t" in line for line in text.split(b"\n") if line):
        return text, b"\t"
    lines = [
        line if b"\t" in line else _single_blanks(line + b"\n")[:-1].replace(b" ", b"\t")
        for line in text.split(b"\n")
    ]
    return b"\n".join(lines), b"\t"


def _single_blanks(text: bytes) -> bytes:
    if b"  " in text:
        text = _BLANK_RUN.sub(b" ", text)
    if b" \n" in text or b"\n " in text or text.startswith(b" "):
        text = _BLANK_EDGE.sub(b"", text).removeprefix(b" ")
    return text


def _row_marks(sheet: _Sheet, block: _Block, wanted: Sequence[int]) -> Any:
    """Find where the columns of rows begin and end (row, mark); None without rows."""
    is_row = block.lengths > 0
    rows = np.flatnonzero(is_row)
    blank = np.flatnonzero(~is_row)
    # So many rows stand before a blank line.
    sheet.breaks.append(sheet.rows + blank - np.arange(len(blank)))
    before = np.searchsorted(rows, block.documents)
    sheet.documents += (sheet.rows + before).tolist()
    if not len(rows):
        return None
    if not sheet.width:
        sheet.width = _check_width(sheet, block, int(rows[0]), wanted)
    starts, ends = block.ends[rows], block.ends[rows + 1]
    inner = np.flatnonzero(np.frombuffer(block.text, np.uint8) == block.mark)
    shape = len(rows), sheet.width - 1
    if inner.size != shape[0] * shape[1]:
        raise _wrong_width(sheet, block)
    marks = np.column_stack([starts, inner.reshape(shape), ends])
    if (np.diff(marks, axis=1) <= 0).any():
        raise _wrong_width(sheet, block)
    sheet.rows += len(rows)
    return marks


def _check_width(
    sheet: _Sheet, block: _Block, row: int, wanted: Sequence[int]
) -> int:
    start, end = block.ends[row], block.ends[row + 1]
    width = 1 + block.text.count(bytes([block.mark]), start, end)
    for column in wanted:
        if not -width <= column < width:
            message = (
                f"{sheet.file.at(block.line + row)}: a row must have a column "
                f"{column}; it has {width} columns."
            )
            raise InputError(message, hint="The first column is 0, the last is -1.")
    return width


def _wrong_width(sheet: _Sheet, block: _Block) -> InputError:
    mark = bytes([block.mark])
    lines = enumerate(block.text.split(b"\n")[1:], block.line)
    line, width = next(
        (line, width)
        for line, text in lines
        if text and (width := 1 + text.count(mark)) != sheet.width
    )
    message = (
        f"{sheet.file.at(line)}: a row must have {sheet.width} columns, as the first "
        f"row has; got {width}."
    )
    return InputError(message)


def _cells(text: bytes, marks: IntArray, column: int) -> Any:
    """Take one column of the rows as an Arrow array of bytes."""
    place = column % (marks.shape[1] - 1)
    edges = marks[:, place : place + 2].astype(np.int32)
    edges[:, 0] += 1
    # Every second piece of the text, cut at these edges, is a cell.
    pieces = pa.Array.from_buffers(
        pa.binary(),
        edges.size - 1,
        [None, pa.py_buffer(edges), pa.py_buffer(text)],
    )
    return pieces.take(pa.array(np.arange(0, edges.size, 2)))


def _numbered(cells: Any, codes: Codes) -> NDArray[np.int32]:
    found = cells.dictionary_encode()
    tags = [cell.decode().strip(" ") for cell in found.dictionary.to_pylist()]
    numbers = np.array([codes[tag] for tag in tags], dtype=np.int32)
    return numbers[found.indices.to_numpy()]


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


def cut_findings(sheets: Sequence[Any]) -> tuple[Finding, ...]:
    """Remark on files that end without a line end."""
    return tuple(
        Finding(
            "LIK103",
            f"{sheet.file.shown} does not end in a line end: it may be cut off in the "
            "last row, which was read as it stands",
            severity="problem",
        )
        for sheet in sheets
        if sheet.cut
    )
