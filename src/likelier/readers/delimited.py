"""CSV (RFC 4180) and TSV (no quotes): checked byte by byte, then read by DuckDB.

DuckDB forgives what we must not: a surplus comma, a quote inside a field, a blank
before a quote. So the shape of the file is checked here first, block by block, with
numpy, and what is wrong is named by its line.
"""

import csv
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from likelier.errors import InputError
from likelier.readers.engine import literal, path_literal, run
from likelier.readers.formats import File

_BLOCK = 1 << 21
_NEWLINE, _RETURN, _QUOTE = 10, 13, 34
_LINE_SIZE = 2_000_000
_QUOTE_HINT = 'Write a field with a quote as "it is ""so""".'


@dataclass
class _Scan:
    """What is known of the file so far."""

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
    started: bool = field(default=False)

    def refuse(self, message: str, line: int, *, hint: str | None = None) -> InputError:
        return InputError(f"{self.file.at(line)}: {message}", hint=hint)


@dataclass(frozen=True)
class Delimited:
    """A CSV or TSV file of good shape.

    Attributes
    ----------
    file
        The file.
    names
        The columns, from the header.
    n_rows
        How many rows there are.
    cut
        Whether the last line has no line end.
    """

    file: File
    names: tuple[str, ...]
    n_rows: int
    cut: bool
    _scan: _Scan

    def load(self, con: Any, wanted: Sequence[str], *, view: str) -> None:
        """Make a view of the wanted columns, all text, an empty field missing."""
        scan = self._scan
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
        told = ", ".join(f"{name} = {value}" for name, value in options.items())
        picked = ", ".join(
            f"f{self.names.index(name)} AS c{i}" for i, name in enumerate(wanted)
        )
        source = (
            f"read_csv({path_literal(self.file)}, {told}, header = true, "
            "auto_detect = false, strict_mode = true, hive_partitioning = false)"
        )
        shown = self.file.shown
        run(con, f"CREATE VIEW {view} AS SELECT {picked} FROM {source}", shown=shown)

    def where(self, rows: Sequence[int]) -> list[str]:
        """Tell the lines in which rows begin."""
        wanted = set(rows)
        with self.file.open() as handle:
            lines = _row_lines(handle, quoted=self._scan.quotes, width=len(self.names))
            found = {i: line for i, line in enumerate(lines) if i - 1 in wanted}
        return [self.file.at(found[row + 1]) for row in rows]


def open_delimited(file: File) -> Delimited:
    """Check the shape of a CSV or TSV file and read its header.

    Raises
    ------
    InputError
        If a row has too few or too many fields, a quote is open or stray, line ends
        are mixed, or the bytes are not UTF-8; with the line.
    """
    tabs = file.form == "tsv"
    scan = _Scan(file, mark=ord("\t" if tabs else ","), quoted=not tabs)
    with file.open() as handle:
        for block, whole in _row_blocks(handle, quoted=scan.quoted):
            _check_block(scan, block, whole=whole)
    names = _header_names(scan)
    if scan.rows <= 0:
        message = f"{file.shown} must have at least one item; it has only a header."
        raise InputError(message)
    return Delimited(file, names, scan.rows, scan.cut, scan)


def _header_names(scan: _Scan) -> tuple[str, ...]:
    text = scan.header.decode().removesuffix("\n").removesuffix("\r")
    if not scan.quoted:
        return tuple(text.split("\t"))
    # Quotes are checked already, so that the csv module has nothing to guess.
    try:
        return tuple(next(csv.reader([text], strict=True)))
    except csv.Error as error:
        message = f"the header must be a row of column names; {error}."
        raise scan.refuse(message, 1) from error


def _row_blocks(handle: IO[bytes], *, quoted: bool) -> Iterator[tuple[bytes, bool]]:
    """Give blocks of whole rows; what comes last without a line end is not whole."""
    tail, size = b"", _BLOCK
    while chunk := handle.read(size):
        data = tail + chunk
        end = _last_row_end(data) if quoted else data.rfind(b"\n") + 1
        tail = data[end:]
        # A row larger than the block: read more each time, so the work stays linear.
        size = _BLOCK if end else 2 * size
        if end:
            yield data[:end], True
    if tail:
        yield tail, False


def _last_row_end(data: bytes) -> int:
    """Find the end of the last line end outside quotes; 0 where there is none."""
    before = data.count(b'"')
    upper = len(data)
    while (end := data.rfind(b"\n", 0, upper)) >= 0:
        before -= data.count(b'"', end, upper)
        if before % 2 == 0:
            return end + 1
        upper = end
    return 0


def _check_block(scan: _Scan, block: bytes, *, whole: bool) -> None:
    _check_text(scan, block)
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
    places = np.flatnonzero(marks)
    ends = np.flatnonzero(codes[places] == _NEWLINE)
    row_ends = places[ends]
    _check_line_ends(scan, block, codes, row_ends, outside)
    _check_widths(scan, block, fields=np.diff(ends, prepend=-1), row_ends=row_ends)
    scan.line += block.count(b"\n")


def _check_text(scan: _Scan, block: bytes) -> None:
    if block.isascii():
        return
    try:
        block.decode()
    except UnicodeDecodeError as error:
        line = scan.line + block.count(b"\n", 0, error.start)
        byte = block[error.start]
        message = f"text must be UTF-8; got the byte 0x{byte:02x}."
        hint = "Save the file with the encoding UTF-8."
        raise scan.refuse(message, line, hint=hint) from error


def _outside_quotes(scan: _Scan, block: bytes) -> NDArray[np.bool_] | None:
    """Tell which bytes stand outside quotes; None where there are no quotes."""
    if not scan.quoted or b'"' not in block:
        return None
    scan.quotes = True
    codes = np.frombuffer(block, np.uint8)
    quotes = codes == _QUOTE
    places = np.flatnonzero(quotes)
    _check_quotes(scan, block, codes, places)
    # Sums wrap at 256, which keeps them even or odd.
    return np.cumsum(quotes, dtype=np.uint8) % 2 == 0


def _check_quotes(
    scan: _Scan, block: bytes, codes: NDArray[np.uint8], places: NDArray[Any]
) -> None:
    edges = np.concatenate([[_NEWLINE], codes, [_NEWLINE]])
    opening, closing = places[::2], places[1::2]
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
    if places.size % 2:
        line = scan.line + block.count(b"\n", 0, _opened_at(places))
        message = "a quote that opens must be closed; the file ends first."
        raise scan.refuse(message, line, hint="The file may be cut off.")


def _opened_at(places: NDArray[Any]) -> int:
    """Find the quote that opened the last field, past doubled quotes in it."""
    i = len(places) - 1
    while i >= 2 and places[i] == places[i - 1] + 1:
        i -= 2
    return int(places[i])


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
    """Give the line in which each row begins, the header's first."""
    inside = False
    for line, raw in enumerate(handle, 1):
        if not inside and (width == 1 or raw.strip(b"\r\n")):
            yield line
        inside ^= quoted and raw.count(b'"') % 2 == 1
