"""Rows in the pages of an SQLite file, found without asking the pages above them.

The form of pages, cells and records is https://www.sqlite.org/fileformat2.html. A
database that is opened as one loses all rows below a damaged page, and everything where
the first page is damaged; this reader loses the rows that were hit. Rows come with what
damage made of them and from pages that are no longer used: callers need a checksum.
"""

import struct
from collections.abc import Iterator
from dataclasses import dataclass
from mmap import mmap

Value = int | float | str | bytes | None

_HEADER, _LEAF = 100, 0x0D
# Cells of a forged file may all say that they are as long as the file.
_MOST_READ = 8
_INTEGER_BYTES = (0, 1, 2, 3, 4, 6, 8)


@dataclass
class DatabasePages:
    """Pages of an SQLite file that holds no reserved bytes.

    Attributes
    ----------
    content
        The file.
    size
        How many bytes a page has.
    """

    content: bytes | mmap
    size: int = 4096

    def __post_init__(self) -> None:
        self._left = _MOST_READ * len(self.content)

    @property
    def header_size(self) -> int:
        """Size of pages as the file's header has it, where that is a possible one."""
        size = int.from_bytes(self.content[16:18], "big")
        size = 65536 if size == 1 else size
        return size if 512 <= size <= 65536 and size.bit_count() == 1 else self.size

    def __len__(self) -> int:
        return len(self.content) // self.size

    def page(self, number: int) -> bytes:
        """Return a page; they are numbered from 1."""
        return self.content[(number - 1) * self.size : number * self.size]

    def rows(self, columns: int) -> Iterator[list[Value]]:
        """Read all rows of so many columns, from all leaves of tables."""
        for number in range(1, len(self) + 1):
            yield from self.rows_of(number, columns)

    def rows_of(self, number: int, columns: int) -> Iterator[list[Value]]:
        """Read the rows of so many columns of a page, if it is the leaf of a table."""
        page = self.page(number)
        start = _HEADER if number == 1 else 0
        # Of all kinds of page, none that is full of other things is one bit away.
        if len(page) < self.size or (page[start] ^ _LEAF).bit_count() > 1:
            return
        (count,) = struct.unpack_from(">H", page, start + 3)
        for position in range(start + 8, min(start + 8 + 2 * count, self.size - 1), 2):
            (cell,) = struct.unpack_from(">H", page, position)
            try:
                row = _values(self._payload(page, cell), columns)
            except (IndexError, struct.error, ValueError):
                continue
            if row is not None:
                yield row

    def _payload(self, page: bytes, cell: int) -> bytes:
        """Read the content of a cell, some of which may lie on further pages."""
        length, position = _varint(page, cell)
        _, position = _varint(page, position)
        self._left -= length if length <= len(self.content) else 0
        if length > len(self.content) or self._left < 0:
            message = "longer than the file"
            raise ValueError(message)
        most = self.size - 35
        local = length
        if length > most:
            least = (self.size - 12) * 32 // 255 - 23
            local = least + (length - least) % (self.size - 4)
            local = least if local > most else local
        parts, left = [page[position : position + local]], length - local
        if left:
            (number,) = struct.unpack_from(">I", page, position + local)
        while left > 0:
            if not 1 < number <= len(self):
                message = "no such page"
                raise ValueError(message)
            content = self.page(number)
            (number,) = struct.unpack_from(">I", content)
            parts.append(content[4 : 4 + left])
            left -= self.size - 4
        return b"".join(parts)


def _varint(content: bytes, position: int) -> tuple[int, int]:
    """Read a number of up to nine bytes; return it and where it ends."""
    number = 0
    for index in range(8):
        byte = content[position + index]
        number = number << 7 | byte & 0x7F
        if byte < 0x80:
            return number, position + index + 1
    return number << 8 | content[position + 8], position + 9


def _values(payload: bytes, columns: int) -> list[Value] | None:
    """Read the values of a row; None if it has another number of them."""
    end, position = _varint(payload, 0)
    kinds: list[int] = []
    while position < end and len(kinds) <= columns:
        kind, position = _varint(payload, position)
        kinds.append(kind)
    if len(kinds) != columns:
        return None
    values: list[Value] = []
    for kind in kinds:
        value, end = _value(payload, end, kind)
        values.append(value)
    return values


def _value(payload: bytes, start: int, kind: int) -> tuple[Value, int]:
    if kind >= 12:
        end = start + (kind - 12) // 2
        part = payload[start:end]
        return (part.decode(errors="replace") if kind % 2 else part), end
    if kind in (8, 9):
        return kind - 8, start
    if kind == 7:
        return struct.unpack_from(">d", payload, start)[0], start + 8
    if kind == 0:
        return None, start
    end = start + _INTEGER_BYTES[kind]
    return int.from_bytes(payload[start:end], "big", signed=True), end
