"""Output of a command: its last part is kept, in memory, however much it prints."""

import os
from threading import Thread
from typing import IO

_BYTES, _AT_ONCE, _SECONDS = 100_000, 65_536, 5.0
_LAST_LINES, _LAST_LETTERS = 3, 400


class CommandOutput:
    """Reader of all that a command prints.

    Parameters
    ----------
    stream
        The end of a pipe whose other end the command and its children have.
    """

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream, self._kept = stream, bytearray()
        self._thread = Thread(target=self._read, daemon=True)
        self._thread.start()

    def _read(self) -> None:
        while part := os.read(self._stream.fileno(), _AT_ONCE):
            self._kept += part
            if len(self._kept) > 2 * _BYTES:
                del self._kept[:-_BYTES]

    def close(self) -> None:
        """Read what is left; all that print have ended, or are not waited for."""
        self._thread.join(_SECONDS)
        if not self._thread.is_alive():
            self._stream.close()

    def text(self) -> str:
        """Return the last part of what was printed."""
        return bytes(self._kept[-_BYTES:]).decode(errors="replace").rstrip()

    def last_words(self) -> str:
        """Return the last lines in a sentence."""
        stripped = (line.strip() for line in self.text().splitlines())
        lines = [line for line in stripped if line]
        last = " | ".join(lines[-_LAST_LINES:])[-_LAST_LETTERS:]
        return f"Its last words: {last}" if lines else "It printed nothing."
