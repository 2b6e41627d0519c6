"""One run at a time on one store: a lock that the system drops when a run dies."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Lock
from typing import IO

from likelier.errors import InputError

# Locks of files hold between processes; within one, this does.
_held: set[Path] = set()
_guard = Lock()


class StoreBusyError(InputError):
    """Another run is using the store."""


@contextmanager
def locked(store: Path) -> Iterator[None]:
    """Keep other runs away from a store.

    Raises
    ------
    StoreBusyError
        If another run has it.
    """
    # A store has one lock, by whatever name it is called.
    kept = store.resolve()
    path = kept.with_name(f"{kept.name}.lock")
    with _guard:
        if path in _held:
            raise _busy(store)
        file = _opened(path, store)
        _held.add(path)
    try:
        yield
    finally:
        # Removed while it is still held: a run that waits for it sees that it is gone.
        with _guard:
            with suppress(OSError):
                path.unlink()
            file.close()
            _held.discard(path)


def _opened(path: Path, store: Path) -> IO[str]:
    while True:
        try:
            file = path.open("a+")
        except OSError as error:
            message = (
                f"{store} must be in a folder that can be written; {error.strerror}."
            )
            raise InputError(message) from error
        try:
            _lock(file)
        except OSError as error:
            file.close()
            raise _busy(store) from error
        if _still_there(file, path):
            return file
        file.close()


def _still_there(file: IO[str], path: Path) -> bool:
    """Tell whether the locked file is the one that others would lock."""
    try:
        return os.path.samestat(os.fstat(file.fileno()), path.stat())
    except OSError:
        return False


def _busy(store: Path) -> StoreBusyError:
    message = f"{store} must be free; another run is using it."
    hint = "Wait until it has ended. What it has done can be seen: likelier study show"
    return StoreBusyError(message, hint=hint)


if sys.platform == "win32":  # pragma: no cover
    import msvcrt

    def _lock(file: IO[str]) -> None:
        file.seek(0)
        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)

else:
    import fcntl

    def _lock(file: IO[str]) -> None:
        # Not flock: forked workers would inherit it and outlive a run that is killed.
        fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
