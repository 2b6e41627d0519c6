"""Files: found, opened past gzip, named in messages, and cut into blocks of lines."""

import gzip
import mmap
import os
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from difflib import get_close_matches
from functools import partial
from io import BufferedReader
from os import PathLike, fspath
from pathlib import Path
from typing import IO, Protocol

import numpy as np

from likelier.errors import InputError
from likelier.findings import Finding
from likelier.readers.foreign import refuse_foreign
from likelier.readers.unpacking import open_gzip

Paths = str | PathLike[str] | Sequence[str | PathLike[str]]

_BOM = b"\xef\xbb\xbf"
_GZIP = b"\x1f\x8b"
_PEEK = 1 << 16
# Documents of one line may be as large as the disk.
_LONGEST_LINE = 1 << 22
_MAPPED = 1 << 26
_LONGEST_ROW = 32_000_000
# Small enough for the processor's cache, where numpy is several times faster.
_BLOCK = 1 << 18
_NEWLINE = ord("\n")


@dataclass(frozen=True)
class File:
    """A file that can be opened, and how it starts.

    Attributes
    ----------
    path
        The absolute path.
    name
        The path as the user wrote it, for messages.
    start
        The first bytes, past gzip and a byte order mark; at least one line, or as much
        of it as tells what it is.
    packed
        Whether it is compressed with gzip.
    """

    path: Path
    name: str
    start: bytes
    packed: bool = False

    @contextmanager
    def open(self) -> Iterator[IO[bytes]]:
        """Open the file for reading bytes, past gzip and a byte order mark."""
        with _opened(self.path, self.name, packed=self.packed) as handle:
            if handle.peek(len(_BOM)).startswith(_BOM):
                handle.read(len(_BOM))
            yield handle

    @contextmanager
    def content(self) -> Iterator[memoryview]:
        """Open the whole content for reading; a large file without a copy of it."""
        self.check_size()
        with self.open() as handle:
            if self.packed or self.path.stat().st_size < _MAPPED:
                yield memoryview(handle.read())
                return
            start = handle.tell()
            with (
                mmap.mmap(handle.fileno(), 0, access=mmap.ACCESS_READ) as mapped,
                memoryview(mapped) as whole,
                whole[start:] as content,
            ):
                yield content

    def at(self, line: int) -> str:
        """Name a line of the file."""
        return f"{self.name}:{line}"

    def check_size(self) -> None:
        """Refuse a file that unpacks to too much before anything is made of it."""
        if self.packed:
            with self.open() as handle:
                while handle.read(1 << 20):
                    pass

    @property
    def bare(self) -> Path:
        """The path without the ending of gzip."""
        return self.path.with_suffix("") if self.packed else self.path

    @property
    def start_lines(self) -> list[bytes]:
        """The lines at the start, without their ends; the last one may be cut."""
        return self.start.replace(b"\r", b"").split(b"\n")


class FileContent(Protocol):
    """Content of a file, which may lack its last line end."""

    @property
    def file(self) -> File:
        """The file."""

    @property
    def cut(self) -> bool:
        """Whether the last line has no line end."""


def find_files(paths: Paths) -> list[File]:
    """Look into one file or several; none is an error."""
    several = [paths] if isinstance(paths, str | PathLike) else list(paths)
    if not several:
        message = "paths must name at least one file; got none."
        raise InputError(message)
    return [find_file(path) for path in several]


def find_file(path: str | PathLike[str]) -> File:
    """Look into a file, which may be compressed with gzip.

    Raises
    ------
    InputError
        If there is no such file, or it cannot be read, or is empty.
    """
    name = fspath(path)
    if any("\ud800" <= c <= "\udfff" for c in name):
        message = f"{name} must have a name in UTF-8; rename the file."
        raise InputError(message)
    with _readable(name):
        full = Path(path).absolute()
        if not full.is_file():
            raise _no_file(full, name)
        with full.open("rb") as handle:
            packed = handle.read(2) == _GZIP
    with _opened(full, name, packed=packed) as handle:
        start = handle.read(_PEEK)
        start += b"" if b"\n" in start else handle.readline(_LONGEST_LINE)
    start = start.removeprefix(_BOM)
    if not start.strip():
        message = f"{name} must hold a table; it is empty."
        raise InputError(message)
    return File(full, name, start, packed)


def read_settings(path: str | PathLike[str]) -> str:
    """Return the text of a file that people write, which is never a large one."""
    name = fspath(path)
    with _readable(name):
        full = Path(path).absolute()
        if not full.is_file():
            raise _no_file(full, name)
        if full.stat().st_size > _LONGEST_ROW:
            message = f"{name} must have at most {_LONGEST_ROW:,} bytes."
            raise InputError(message)
        return full.read_bytes().decode()


def _no_file(full: Path, name: str) -> InputError:
    if full.is_dir():
        return InputError(f"{name} must be a file; it is a folder.")
    if full.exists():
        return InputError(f"{name} must be an ordinary file; it is a pipe or device.")
    if full.is_symlink():
        target = os.readlink(full)  # noqa: PTH115 (the words of the link)
        return InputError(
            f"{name} must be a file; it is a link to {target}, and there is none."
        )
    folder = full.parent
    names = [path.name for path in folder.iterdir()] if folder.is_dir() else []
    close = get_close_matches(full.name, names, n=1)
    hint = f"Did you mean {close[0]!r}?" if close else None
    return InputError(f"{name} must be a file; there is none of that name.", hint=hint)


@contextmanager
def _opened(path: Path, name: str, *, packed: bool) -> Iterator[BufferedReader]:
    with (
        _readable(name),
        open_gzip(path, name) if packed else path.open("rb") as handle,
    ):
        yield handle


@contextmanager
def _readable(name: str) -> Iterator[None]:
    try:
        yield
    except (gzip.BadGzipFile, zlib.error, EOFError) as error:
        message = f"{name} must be a whole gzip file; it is damaged: {error}."
        raise InputError(message) from error
    except OSError as error:
        message = f"{name} must be readable; {error.strerror or error}."
        raise InputError(message) from error


def file_names(files: Sequence[File]) -> list[str]:
    """Name systems by their files; with the folder where two are equal."""
    stems = [file.bare.stem or file.bare.name for file in files]
    return [
        f"{file.path.parent.name}/{stem}" if stems.count(stem) > 1 else stem
        for file, stem in zip(files, stems, strict=True)
    ]


def shortest_endings(places: Sequence[Path]) -> dict[Path, str]:
    """Name paths by as many of their last parts as tell them apart.

    Examples
    --------
    >>> list(shortest_endings([Path("/x/a/logs"), Path("/x/b/logs")]).values())
    ['a/logs', 'b/logs']
    """
    parts = [p.with_suffix("").parts if p.is_file() else p.parts for p in places]
    longest = max(map(len, parts))
    for n in range(1, longest + 1):
        names = ["/".join(part[-n:]) for part in parts]
        if len(set(names)) == len(names):
            break
    return dict(zip(places, names, strict=True))


def cut_findings(contents: Iterable[FileContent]) -> tuple[Finding, ...]:
    """Remark on text files that end without a line end."""
    return tuple(
        Finding(
            "LIK103",
            f"{content.file.name} does not end in a line end: it may be cut off in the "
            "last row, which was read as it stands",
            severity="warning",
        )
        for content in contents
        if content.cut
    )


def last_line_end(data: bytes) -> int:
    """Return the position after the last line end; 0 where there is none."""
    return data.rfind(b"\n") + 1


def line_blocks(
    handle: IO[bytes],
    name: str,
    *,
    size: int | None = None,
    last_end: Callable[[bytes], int] = last_line_end,
) -> Iterator[tuple[bytes, bool]]:
    """Yield blocks of whole lines, and whether they end in a line end.

    Parameters
    ----------
    handle
        The file.
    name
        Its name, for messages.
    size
        Bytes of a block, about.
    last_end
        Finds the end of the last line in a block.
    """
    block = step = size or _BLOCK
    tail = b""
    while chunk := handle.read(step):
        data = tail + chunk
        end = last_end(data)
        tail = data[end:]
        # A line larger than the block: read more each time, so the work stays linear.
        step = block if end else 2 * step
        if end:
            yield data[:end], True
        elif len(data) > _LONGEST_ROW:
            hint = "The rest of a table is one line where a quote is not closed."
            raise _too_long(name, hint)
    if tail:
        yield tail, False


def filled_lines(file: File) -> Iterator[tuple[int, bytes]]:
    """Yield the lines of a file that are not blank, with their numbers from 1."""
    with file.open() as handle:
        line = partial(handle.readline, _LONGEST_ROW + 1)
        for number, raw in enumerate(iter(line, b""), 1):
            if len(raw) > _LONGEST_ROW:
                raise _too_long(file.at(number))
            if not raw.isspace():
                yield number, raw


def _too_long(name: str, hint: str | None = None) -> InputError:
    message = f"{name} must have no line of more than {_LONGEST_ROW:,} bytes."
    return InputError(message, hint=hint)


def check_utf8(block: bytes, file: File, line: int) -> None:
    """Refuse bytes that are not UTF-8, and name their line."""
    if block.isascii():
        return
    try:
        block.decode()
    except UnicodeDecodeError as error:
        line += block.count(b"\n", 0, error.start)
        byte = block[error.start]
        message = f"{file.at(line)}: text must be UTF-8; got the byte 0x{byte:02x}."
        hint = "Save the file with the encoding UTF-8."
        raise InputError(message, hint=hint) from error


def count_lines(block: bytes) -> int:
    """Count line ends; of many, numpy is faster than `bytes.count`."""
    return int(np.count_nonzero(np.frombuffer(block, np.uint8) == _NEWLINE))


def text_blocks(file: File) -> Iterator[tuple[bytes, int, bool]]:
    r"""Yield blocks of lines that end in ``\n``, checked to be UTF-8.

    Each comes with the number of its first line, and whether the file had the last
    line end itself.
    """
    refuse_foreign(file.start, file.name)
    line = 1
    file.check_size()
    with file.open() as handle:
        for raw, whole in line_blocks(handle, file.name):
            check_utf8(raw, file, line)
            block = raw.replace(b"\r\n", b"\n") if b"\r" in raw else raw
            lone = block.find(b"\r")
            if lone >= 0:
                line += block.count(b"\n", 0, lone)
                message = (
                    rf"{file.at(line)}: lines must end in \n or \r\n; got a lone \r."
                )
                raise InputError(message)
            block = block if block.endswith(b"\n") else block + b"\n"
            yield block, line, whole
            line += count_lines(block)
