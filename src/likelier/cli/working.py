"""One line on a terminal about what takes long; nothing in pipes and logs."""

import shutil
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Event, Thread
from time import monotonic

from likelier.formatting import counted, plain

# Seconds before the line appears, and between two times on it.
PATIENCE = 1.0
_ERASED = "\r\x1b[2K"


@contextmanager
def working(text: str) -> Iterator[None]:
    """Show on a terminal what is under way and for how long, if over a second."""
    if not sys.stderr.isatty():
        yield
        return
    end = Event()
    thread = Thread(target=_show, args=(plain(text), end), daemon=True)
    thread.start()
    try:
        yield
    finally:
        end.set()
        thread.join()


def _show(text: str, end: Event) -> None:
    start, shown = monotonic(), False
    # Whoever looked may be gone: the work goes on all the same.
    with suppress(OSError):
        while not end.wait(PATIENCE):
            line = f"{text} … {monotonic() - start:.0f} s"
            width = shutil.get_terminal_size().columns - 1
            sys.stderr.write(f"{_ERASED}{line[-width:]}")
            sys.stderr.flush()
            shown = True
        if shown:
            sys.stderr.write(_ERASED)
            sys.stderr.flush()


def sized(files: Sequence[Path]) -> str:
    """Name files with their size, as far as they are there.

    Examples
    --------
    >>> sized([Path("predictions.csv")])
    'predictions.csv'
    """
    paths = [Path(file) for file in files]
    name = str(files[0]) if len(files) == 1 else counted(len(files), "file")
    size = sum(path.stat().st_size for path in paths if path.is_file())
    return f"{name} ({size / 1e6:,.0f} MB)" if size >= 1e6 else name
