"""Members of a zip archive, Zstandard too, none decompressed beyond a bound."""

import struct
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from io import BytesIO
from typing import IO

import pyarrow as pa

from likelier.errors import InputError, LikelierError
from likelier.readers.file import File
from likelier.readers.unpacking import Allowance

START = b"PK\x03\x04"

_ZSTANDARD = (93, 20)
_ENCRYPTED = 1
_LOCAL_HEADER = struct.Struct("<26xHH")
_TRUSTED = "Where you trust it, write it as JSON: inspect log convert --to json"
_DAMAGED = (
    zipfile.BadZipFile,
    NotImplementedError,
    ValueError,
    OverflowError,
    RuntimeError,
    EOFError,
    struct.error,
    zlib.error,
)


@dataclass(frozen=True)
class Archive:
    """An open archive.

    Attributes
    ----------
    name
        Name of its file, for messages.
    names
        Names of its members.
    """

    name: str
    names: tuple[str, ...]
    _zip: zipfile.ZipFile
    _handle: IO[bytes]
    _allowance: Allowance

    def at(self, member: str) -> str:
        """Name a member of the archive."""
        return f"{self.name}:{member}"

    def read(self, member: str) -> bytes:
        """Return the content of a member; of several with its name, the last."""
        info = self._zip.getinfo(member)
        if info.flag_bits & _ENCRYPTED:
            message = f"{self.at(member)} must not be encrypted."
            raise InputError(message)
        self._allowance.take(info.file_size)
        with _whole(self.at(member)):
            content = self._content(info)
            if len(content) != info.file_size or zlib.crc32(content) != info.CRC:
                message = "its size or checksum is another"
                raise zipfile.BadZipFile(message)
        return content

    def _content(self, info: zipfile.ZipInfo) -> bytes:
        if info.compress_type not in _ZSTANDARD:
            with self._zip.open(info) as member:
                return member.read(info.file_size + 1)
        # The zipfile of Python before 3.14 lists such members, but cannot read them.
        self._handle.seek(info.header_offset)
        header = self._handle.read(_LOCAL_HEADER.size)
        self._handle.seek(sum(_LOCAL_HEADER.unpack(header)), 1)
        packed = self._handle.read(info.compress_size)
        try:
            stream = pa.CompressedInputStream(pa.BufferReader(packed), "zstd")
            return bytes(stream.read(info.file_size + 1))
        except OSError as error:
            raise zipfile.BadZipFile(str(error)) from error


@contextmanager
def open_archive(file: File) -> Iterator[Archive]:
    """Open a zip archive.

    Raises
    ------
    InputError
        If it is damaged or cut off.
    """
    with file.open() as handle:
        with _whole(file.name):
            # The list of members stands at the end.
            whole = BytesIO(handle.read()) if file.packed else handle
            archive = zipfile.ZipFile(whole)
        with archive:
            names = tuple(archive.namelist())
            allowance = Allowance(file.name, file.path.stat().st_size, hint=_TRUSTED)
            yield Archive(file.name, names, archive, whole, allowance)


@contextmanager
def _whole(name: str) -> Iterator[None]:
    try:
        yield
    except LikelierError:
        raise
    except _DAMAGED as error:
        reason = str(error).rstrip(".")
        message = f"{name} must be a whole zip archive; it is damaged: {reason}."
        hint = "The file seems to be cut off; copy it again."
        raise InputError(message, hint=hint) from error
