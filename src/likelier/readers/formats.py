"""Which format a file has, told by its content and not by its name."""

import gzip
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from difflib import get_close_matches
from os import PathLike, fspath
from pathlib import Path
from typing import IO, Literal, cast

from likelier.errors import InputError

Form = Literal["csv", "tsv", "jsonl", "parquet"]

BOM = b"\xef\xbb\xbf"
_GZIP = b"\x1f\x8b"
_PARQUET = b"PAR1"
_PEEK = 1 << 16
_FORMATS = "Known formats: CSV, TSV, JSONL (one object per line) and Parquet."


@dataclass(frozen=True)
class File:
    """A file that can be opened, and what it seems to hold.

    Attributes
    ----------
    path
        The absolute path.
    shown
        The path as the user wrote it, for messages.
    form
        The format.
    packed
        Whether it is compressed with gzip.
    """

    path: Path
    shown: str
    form: Form
    packed: bool = False

    @contextmanager
    def open(self) -> Iterator[IO[bytes]]:
        """Open the file for reading bytes, past gzip and a byte order mark."""
        with _readable(self.shown), _opened(self.path, packed=self.packed) as handle:
            if handle.read(len(BOM)) != BOM:
                handle.seek(0)
            yield handle

    def at(self, line: int) -> str:
        """Name a line of the file."""
        return f"{self.shown}:{line}"


def detect(path: str | PathLike[str]) -> File:
    """Look into a file and tell its format.

    Parameters
    ----------
    path
        A file of one of the known formats; text may be compressed with gzip.

    Raises
    ------
    InputError
        If there is no such file, or it cannot be read, or is empty.
    """
    shown = fspath(path)
    if any("\ud800" <= c <= "\udfff" for c in shown):
        message = f"{shown} must have a name in UTF-8; rename the file."
        raise InputError(message)
    with _readable(shown):
        full = Path(path).absolute()
        if not full.is_file():
            raise _no_file(full, shown)
        with _opened(full, packed=False) as handle:
            packed = handle.read(2) == _GZIP
        with _opened(full, packed=packed) as handle:
            start = handle.read(_PEEK)
            start += b"" if b"\n" in start else handle.readline()
    return File(full, shown, _form(start.removeprefix(BOM), shown), packed)


def _no_file(full: Path, shown: str) -> InputError:
    if full.is_dir():
        return InputError(f"{shown} must be a file; it is a folder.")
    if full.exists():
        return InputError(f"{shown} must be an ordinary file; it is a pipe or device.")
    folder = full.parent
    names = [path.name for path in folder.iterdir()] if folder.is_dir() else []
    close = get_close_matches(full.name, names, n=1)
    hint = f"Did you mean {close[0]!r}?" if close else None
    return InputError(f"{shown} must be a file; there is none of that name.", hint=hint)


def _opened(path: Path, *, packed: bool) -> IO[bytes]:
    return cast("IO[bytes]", gzip.open(path)) if packed else path.open("rb")


@contextmanager
def _readable(shown: str) -> Iterator[None]:
    try:
        yield
    except (gzip.BadGzipFile, zlib.error, EOFError) as error:
        message = f"{shown} must be a whole gzip file; it is damaged: {error}."
        raise InputError(message) from error
    except OSError as error:
        message = f"{shown} must be readable; {error.strerror or error}."
        raise InputError(message) from error


def _form(start: bytes, shown: str) -> Form:
    text = start.lstrip()
    if not text:
        message = f"{shown} must hold a table; it is empty."
        raise InputError(message)
    if start.startswith(_PARQUET):
        return "parquet"
    if text.startswith(b"{"):
        return "jsonl"
    if text.startswith(b"[") and text[1:].lstrip()[:1] in (b"{", b"]"):
        message = f"{shown} must hold one JSON object per line; it is one array."
        raise InputError(message, hint=_FORMATS)
    return "tsv" if b"\t" in start.partition(b"\n")[0] else "csv"
