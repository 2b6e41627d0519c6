"""CSV (RFC 4180) and TSV (no quotes): checked byte by byte, then read by DuckDB.

Semicolons take the place of commas where the header has these only.

DuckDB forgives what we must not: a surplus comma, a quote inside a field, a blank
before a quote. So the shape of the file is checked here first, block by block, with
numpy, and what is wrong is named by its line.
"""

import csv
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import IO, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from likelier.errors import InputError
from likelier.readers.engine import Engine, Table, literal, path_literal
from likelier.readers.file import (
    File,
    check_utf8,
    count_lines,
    last_line_end,
    line_blocks,
)

_BLOCK = 1 << 18
_NEWLINE, _RETURN, _QUOTE = 10, 13, 34
_LINE_SIZE = 2_000_000
_QUOTED = re.compile(rb'"[^"]*"')
_QUOTE_HINT = 'Write a field with a quote as "it is ""so""".'


@dataclass
class _Scan:
    """State of the check of a file."""

    file: File
    mark: int
    quoted: bool
    line: int = 1
    header: bytes = b""
    width: int = 0
    rows: int = -1
    crlf: bool = False
    quotes: bool = False
    longest: int = 0
    cut: bool = False
    started: bool = False

    def refuse(self, message: str, line: int, *, hint: str | None = None) -> InputError:
        return InputError(f"{self.file.at(line)}: {message}", hint=hint)


@dataclass(frozen=True)
class Delimited(Table):
    """A CSV or TSV file of good shape: all cells are text, an empty one is missing."""

    scan: _Scan = field(kw_only=True)
    splits_sets: ClassVar[bool] = True

    def relation(self) -> str:
        """Return the SQL that reads the file as it was checked."""
        scan = self.scan
        quote = '"' if scan.quotes else ""
        kinds = ", ".join(f"'f{i}': 'VARCHAR'" for i in range(scan.width))
        options = {
            "delim": literal(chr(scan.mark)),
            "quote": literal(quote),
            "escape": literal(quote),
            "compression": literal("gzip" if self.file.packed else "none"),
            "max_line_size": str(max(_LINE_SIZE, scan.longest + 100)),
            "columns": f"{{{kinds}}}",
        }
        settings = ", ".join(f"{name} = {value}" for name, value in options.items())
        return (
            f"read_csv({path_literal(self.file)}, {settings}, header = true, "
            "auto_detect = false, strict_mode = true, hive_partitioning = false)"
        )

    def locate(self, rows: Sequence[int]) -> list[str]:
        """Name the lines in which rows begin."""
        with self.file.open() as handle:
            starts = _row_lines(handle, quoted=self.scan.quotes, width=len(self.names))
            lines = {i: line for i, line in enumerate(starts) if i - 1 in rows}
        return [self.file.at(lines[row + 1]) for row in rows]


def is_tsv(file: File) -> bool:
    """Return whether a tab stands in the first line."""
    return b"\t" in file.start_lines[0]


def is_semicolons(file: File) -> bool:
    """Return whether the header has semicolons, and no comma, outside quotes."""
    header = _QUOTED.sub(b"", file.start_lines[0])
    return b";" in header and b"," not in header


def is_csv(_file: File) -> bool:
    """Return True: what is no other table is CSV, if of one column."""
    return True


def open_delimited(_engine: Engine, file: File) -> Delimited:
    """Check the shape of a CSV or TSV file and read its header.

    Raises
    ------
    InputError
        If a row has too few or too many fields, a quote is open or stray, line ends
        are mixed, or the bytes are not UTF-8; with the line.
    """
    tabs = is_tsv(file)
    mark = "\t" if tabs else ";" if is_semicolons(file) else ","
    scan = _Scan(file, mark=ord(mark), quoted=not tabs)
    ends = _last_row_end if scan.quoted else last_line_end
    with file.open() as handle:
        for block, whole in line_blocks(handle, file.name, size=_BLOCK, last_end=ends):
            _check_block(scan, block, whole=whole)
    names = _header_names(scan)
    if scan.rows <= 0:
        message = f"{file.name} must have at least one item; it has only a header."
        raise InputError(message)
    return Delimited(file, names, scan.cut, scan.rows, scan=scan)


def _header_names(scan: _Scan) -> tuple[str, ...]:
    text = scan.header.decode().removesuffix("\n").removesuffix("\r")
    if not scan.quoted:
        return tuple(text.split("\t"))
    # Quotes are checked already, so that the csv module has nothing to guess.
    try:
        mark = chr(scan.mark)
        return tuple(next(csv.reader([text], delimiter=mark, strict=True)))
    except csv.Error as error:
        message = f"the header must be a row of column names; {error}."
        raise scan.refuse(message, 1) from error


def _last_row_end(data: bytes) -> int:
    """Return the position after the last line end outside quotes; 0 without any."""
    before = data.count(b'"')
    upper = len(data)
    while (end := data.rfind(b"\n", 0, upper)) >= 0:
        before -= data.count(b'"', end, upper)
        if before % 2 == 0:
            return end + 1
        upper = end
    return 0


def _check_block(scan: _Scan, block: bytes, *, whole: bool) -> None:
    check_utf8(block, scan.file, scan.line)
    outside = _outside_quotes(scan, block)
    if not whole:
        scan.cut = True
        block += b"\r\n" if scan.crlf else b"\n"
        if outside is not None:
            outside = np.append(outside, [True] * (len(block) - len(outside)))
    codes = np.frombuffer(block, np.uint8)
    marks = (codes == scan.mark) | (codes == _NEWLINE)
    if outside is not None:
        marks &= outside
    edges = np.flatnonzero(marks)
    ends = np.flatnonzero(codes[edges] == _NEWLINE)
    row_ends = edges[ends]
    _check_line_ends(scan, block, codes, row_ends, outside)
    _check_widths(scan, block, fields=np.diff(ends, prepend=-1), row_ends=row_ends)
    scan.line += count_lines(block)


def _outside_quotes(scan: _Scan, block: bytes) -> NDArray[np.bool_] | None:
    """Return which bytes stand outside quotes; None where there are no quotes."""
    if not scan.quoted or b'"' not in block:
        return None
    scan.quotes = True
    codes = np.frombuffer(block, np.uint8)
    quotes = codes == _QUOTE
    _check_quotes(scan, block, codes, np.flatnonzero(quotes))
    # Sums wrap at 256, which keeps them even or odd.
    return np.cumsum(quotes, dtype=np.uint8) % 2 == 0


def _check_quotes(
    scan: _Scan, block: bytes, codes: NDArray[np.uint8], quotes: NDArray[Any]
) -> None:
    edges = np.concatenate([[_NEWLINE], codes, [_NEWLINE]])
    opening, closing = quotes[::2], quotes[1::2]
    good = np.array([scan.mark, _NEWLINE, _QUOTE, _RETURN])
    stray = np.concatenate(
        [
            opening[~np.isin(edges[opening], good[:3])],
            closing[~np.isin(edges[closing + 2], good)],
        ]
    )
    if stray.size:
        line = scan.line + block.count(b"\n", 0, int(stray.min()))
        message = "a quote must stand at the edge of a field; got one inside."
        raise scan.refuse(message, line, hint=_QUOTE_HINT)
    if quotes.size % 2:
        line = scan.line + block.count(b"\n", 0, _last_opening(quotes))
        message = "a quote that opens must be closed; the file ends first."
        raise scan.refuse(message, line, hint="The file may be cut off.")


def _last_opening(quotes: NDArray[Any]) -> int:
    """Find the quote that opened the last field, past doubled quotes in it."""
    i = len(quotes) - 1
    while i >= 2 and quotes[i] == quotes[i - 1] + 1:
        i -= 2
    return int(quotes[i])


def _check_line_ends(
    scan: _Scan,
    block: bytes,
    codes: NDArray[np.uint8],
    row_ends: NDArray[Any],
    outside: NDArray[np.bool_] | None,
) -> None:
    returns = codes == _RETURN
    if outside is not None:
        returns &= outside
    before = returns[np.maximum(row_ends - 1, 0)]
    if not scan.started:
        scan.crlf = bool(before[0])
    mixed = row_ends[before != scan.crlf]
    lone = np.flatnonzero(returns[:-1] & (codes[1:] != _NEWLINE))
    wrong = np.concatenate([mixed, lone])
    if wrong.size:
        line = scan.line + block.count(b"\n", 0, int(wrong.min()))
        message = r"lines must all end in \n, or all in \r\n; here is another line end."
        raise scan.refuse(message, line)


def _check_widths(
    scan: _Scan, block: bytes, *, fields: NDArray[Any], row_ends: NDArray[Any]
) -> None:
    starts = np.append(0, row_ends[:-1] + 1)
    lengths = row_ends - starts - scan.crlf
    blank = lengths == 0
    if not scan.started:
        scan.started = True
        scan.width = int(fields[0])
        scan.header = block[: row_ends[0] + 1]
        if blank[0]:
            message = "the first line must be a header; it is empty."
            raise scan.refuse(message, 1)
    if scan.width == 1:
        blank[:] = False
    wrong = np.flatnonzero((fields != scan.width) & ~blank)
    if wrong.size:
        first = wrong[0]
        line = scan.line + block.count(b"\n", 0, int(starts[first]))
        message = (
            f"a row must have {scan.width} fields, as the header has; "
            f"got {fields[first]}."
        )
        raise scan.refuse(message, line)
    scan.rows += int((~blank).sum())
    scan.longest = max(scan.longest, int(lengths.max()))


def _row_lines(handle: IO[bytes], *, quoted: bool, width: int) -> Iterator[int]:
    """Yield the line in which each row begins, the header's first."""
    inside = False
    for line, raw in enumerate(handle, 1):
        if not inside and (width == 1 or raw.strip(b"\r\n")):
            yield line
        inside ^= quoted and raw.count(b'"') % 2 == 1
