"""Files that a command reads, so that no output takes the place of one of them."""

import os
import sys
from pathlib import Path
from typing import Any

_WRITES = os.O_WRONLY | os.O_RDWR

_files: set[str] = set()
_hooked = False


def record() -> None:
    """Note from now on every file that Python opens for reading.

    Readers, fingerprints of code and data, and a study's own loaders all open their
    files, so nothing needs to be listed by hand.
    """
    global _hooked
    _files.clear()
    if not _hooked:
        sys.addaudithook(_note)
        _hooked = True


def _note(event: str, arguments: tuple[Any, ...]) -> None:
    if event != "open":
        return
    path, _, flags = arguments
    if isinstance(path, str | bytes) and not flags & _WRITES:
        _files.add(os.path.abspath(os.fsdecode(path)))  # noqa: PTH100 (cheap)


def was_read(path: Path) -> bool:
    """Return whether a path leads to a file that was read, by whatever name."""
    return any(is_same(path, Path(file)) for file in _files)


def is_same(first: Path, second: Path) -> bool:
    """Return whether two paths lead to the same file, also through links."""
    # Not `Path.resolve`, which has no answer for links that lead to themselves.
    if os.path.realpath(first) == os.path.realpath(second):
        return True
    try:
        return first.samefile(second)
    except OSError:
        return False
