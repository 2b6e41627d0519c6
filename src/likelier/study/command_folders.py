"""Private folders of commands, and what killed runs have left of them."""

import os
import shutil
import stat
import sys
import tempfile
import weakref
from pathlib import Path

from likelier.study.lifetime import end_started

_PREFIX, _LOCK = "likelier-command-", "in-use.lock"


class CommandFolder(tempfile.TemporaryDirectory[str]):
    """Folder that only its owner can enter, locked as long as this process lives."""

    def __init__(self) -> None:
        super().__init__(prefix=_PREFIX)
        lock = os.open(Path(self.name, _LOCK), os.O_RDWR | os.O_CREAT, 0o600)
        weakref.finalize(self, os.close, lock)
        _try_lock(lock)


def remove_left_folders() -> None:
    """Remove the folders of workers that were killed; end what their commands started.

    Nothing is removed but folders of the same user whose lock is free.
    """
    if os.name != "posix":
        return
    for folder in Path(tempfile.gettempdir()).glob(f"{_PREFIX}*"):
        try:
            status = folder.lstat()
            if not stat.S_ISDIR(status.st_mode) or status.st_uid != os.getuid():
                continue
            lock = os.open(folder / _LOCK, os.O_RDWR | os.O_NOFOLLOW)
        except OSError:
            continue
        try:
            if _try_lock(lock):
                end_started(str(folder))
                shutil.rmtree(folder, ignore_errors=True)
        finally:
            os.close(lock)


if sys.platform == "win32":  # pragma: no cover

    def _try_lock(file: int) -> bool:
        return file >= 0

else:
    import fcntl

    def _try_lock(file: int) -> bool:
        try:
            # Not lockf, which does not hold between the threads of one process.
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return False
        return True
