"""What systems print while they run, here or in workers, kept out of the results."""

import os
import select
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from threading import Event, Thread
from typing import TextIO

_LOOK_EVERY = 0.1
_AT_ONCE = 65536


@contextmanager
def to_stderr() -> Iterator[None]:
    """Let everything that is written to standard output go to standard error."""
    with _restored(1):
        os.dup2(2, 1)
        yield


@contextmanager
def to_lines(say: Callable[[str], None], terminal: TextIO) -> Iterator[None]:
    """Hand everything that is written to standard output and error over in lines.

    Parameters
    ----------
    say
        Is told each line.
    terminal
        Where it shows them; opened on a copy of standard error.
    """
    read, write = os.pipe()
    stop = Event()
    reader = Thread(target=_hand_over, args=(read, stop, say), daemon=True)
    with _restored(1), _restored(2):
        os.dup2(write, 1)
        os.dup2(write, 2)
        os.close(write)
        reader.start()
        try:
            yield
        finally:
            sys.stderr.flush()
            sys.stdout.flush()
            # Workers may hold the other end for long: it is not waited for its end.
            stop.set()
            reader.join()
            os.close(read)
            terminal.flush()


@contextmanager
def _restored(descriptor: int) -> Iterator[None]:
    sys.stdout.flush()
    sys.stderr.flush()
    saved = os.dup(descriptor)
    try:
        yield
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os.dup2(saved, descriptor)
        os.close(saved)


def _hand_over(read: int, stop: Event, say: Callable[[str], None]) -> None:
    rest = b""
    while True:
        last = stop.is_set()
        ready, _, _ = select.select([read], [], [], 0 if last else _LOOK_EVERY)
        if ready:
            content = (rest + os.read(read, _AT_ONCE)).replace(b"\r", b"\n")
            *lines, rest = content.split(b"\n")
            if len(rest) > _AT_ONCE:
                lines, rest = [*lines, rest], b""
            _say_all(lines, say)
        elif last:
            break
    _say_all([rest], say)


def _say_all(lines: list[bytes], say: Callable[[str], None]) -> None:
    for line in lines:
        # Whatever happens here, reading goes on: workers would wait for it.
        with suppress(Exception):
            if line:
                say(line.decode(errors="replace"))
