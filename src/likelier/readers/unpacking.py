"""Bounds on what compressed data become: a small file must not fill the memory."""

import gzip
import io
from pathlib import Path

from likelier.errors import InputError

# Text is seldom packed to less than a hundredth, but where it is all alike; then even a
# million rows of it are no more than the part that is free.
_FREE, _TIMES = 256_000_000, 100
_BUFFER = 1 << 17


class TooLargeError(InputError):
    """Data are larger than compressed data of this size can honestly be."""


class Allowance:
    """How many bytes the parts of something compressed may have, all together.

    Parameters
    ----------
    name
        What is compressed, for messages.
    packed
        How many bytes it has before it is unpacked.
    hint
        What to do where it has more, but is to be trusted.
    """

    def __init__(self, name: str, packed: int, *, hint: str | None = None) -> None:
        self._name, self._hint = name, hint
        self._limit = self.left = _FREE + _TIMES * packed

    def take(self, size: int) -> None:
        """Count bytes that are unpacked, or will be.

        Raises
        ------
        TooLargeError
            If they and those before them are too many.
        """
        self.left -= size
        if self.left < 0:
            message = (
                f"{self._name} must unpack to at most {self._limit / 1e6:,.0f} MB, "
                f"which is {_FREE / 1e6:.0f} MB and {_TIMES} times the compressed size;"
                " there is more."
            )
            raise TooLargeError(message, hint=self._hint)


class _Unpacked(io.RawIOBase):
    """The content of a gzip file, as far as it may be read."""

    def __init__(self, path: Path, allowance: Allowance) -> None:
        self._gzip = gzip.GzipFile(path)
        self._allowance = allowance

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        size = self._gzip.readinto(buffer)
        self._allowance.take(size)
        return size

    def readall(self) -> bytes:
        return b"".join(iter(lambda: self.read(_BUFFER) or b"", b""))

    def close(self) -> None:
        self._gzip.close()
        super().close()


def open_gzip(path: Path, name: str) -> io.BufferedReader:
    """Open a gzip file for reading from its start to its end.

    Parameters
    ----------
    path
        The file.
    name
        The file, for messages.
    """
    hint = f"Where you trust it, unpack it first: gunzip {name}"
    allowance = Allowance(name, path.stat().st_size, hint=hint)
    return io.BufferedReader(_Unpacked(path, allowance), _BUFFER)
