"""Standard output and error: text from data commands no runner, and failures are told.

Runners of builds obey some lines that a program prints: GitHub Actions those that begin
with ``::``, others what stands anywhere in a line after ``##``. The name of a system or
a label could be such a line.
"""

import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from io import TextIOWrapper
from pathlib import Path
from typing import Any

# GitHub Actions looks past blanks. Spelt as in JSON, for JSON is printed, too.
_LINE_START = re.compile(r"^(\s*):(?=:)", re.MULTILINE)
_ANYWHERE = re.compile(r"#(?=#(?:\[|vso\[|teamcity\[))")


def disarmed(text: str, *, at_start: bool = True) -> str:
    r"""Spell out what a runner would take for a command.

    Parameters
    ----------
    text
        Any text to be printed.
    at_start
        Whether it begins a line.

    Examples
    --------
    >>> disarmed("::error::no")
    '\\u003a:error::no'
    >>> disarmed("a::b ##[error]no")
    'a::b \\u0023#[error]no'
    """
    text = _ANYWHERE.sub(r"\\u0023", text)
    if at_start:
        return _LINE_START.sub(r"\1\\u003a", text)
    first, newline, rest = text.partition("\n")
    return first + newline + _LINE_START.sub(r"\1\\u003a", rest)


class PrintError(BaseException):
    """Something could not be printed: the command ends, as after `SystemExit`.

    Parameters
    ----------
    code
        The exit code.
    message
        What to say; nothing where nobody reads.
    """

    def __init__(self, code: int, message: str = "") -> None:
        super().__init__(message)
        self.code = code
        self.message = message


class _Stream(TextIOWrapper):
    """Stream on which every line is disarmed."""

    _blank = True

    def write(self, text: str) -> int:
        """Write a text, of which the start of the line may be there already."""
        with self._failures_told():
            super().write(disarmed(text, at_start=self._blank))
        *before, last = text.rsplit("\n", 1)
        self._blank = (self._blank or bool(before)) and not last.strip()
        return len(text)

    def flush(self) -> None:
        """Write what waits to be written."""
        with self._failures_told():
            super().flush()

    @contextmanager
    def _failures_told(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            # What still waits goes nowhere; else the end of the process would fail.
            os.dup2(os.open(os.devnull, os.O_WRONLY), self.fileno())
            if self is sys.stderr:
                # There is nobody to tell, and the answer may still be read.
                return
            if isinstance(error, BrokenPipeError):
                raise PrintError(141) from None
            message = f"what is printed must be writable; {error.strerror}."
            raise PrintError(2, message) from None


@contextmanager
def guarded() -> Iterator[None]:
    """Put such streams in the place of standard output and error for a while."""
    before = {name: getattr(sys, name) for name in ("stdout", "stderr")}
    own = {name: _guard(stream) for name, stream in before.items()}
    vars(sys).update(own)
    try:
        yield
    finally:
        vars(sys).update(before)
        for name, stream in own.items():
            if stream is not before[name]:
                # The buffer is another stream's, and stays open.
                with suppress(PrintError):
                    stream.flush()
                if isinstance(stream, _Stream):
                    stream.detach()


def _guard(stream: Any) -> Any:
    if stream is None:
        # It was closed before the process began.
        return Path(os.devnull).open("w", encoding="utf-8")
    if not isinstance(stream, TextIOWrapper):
        return stream
    with suppress(OSError):
        stream.flush()
    return _Stream(
        stream.buffer,
        encoding=stream.encoding,
        errors="backslashreplace",
        line_buffering=stream.line_buffering,
        write_through=stream.write_through,
    )
