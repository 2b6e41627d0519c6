"""Outputs are written whole or not at all."""

import os
import tempfile
from pathlib import Path

from likelier.errors import InputError


def check_writable(path: Path) -> None:
    """Refuse a place that cannot be written to, before any work is done."""
    if path.is_dir() or not path.absolute().parent.is_dir():
        message = f"{path} must be a file in a folder that exists."
        raise InputError(message)


def write_whole(path: Path, content: bytes) -> None:
    """Write a file beside its place and move it there when it is complete."""
    check_writable(path)
    folder = path.absolute().parent
    try:
        handle, name = tempfile.mkstemp(dir=folder, prefix=f".{path.name}.")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            mask = os.umask(0)
            os.umask(mask)
            Path(name).chmod(0o666 & ~mask)
            Path(name).replace(path)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise
    except OSError as error:
        message = f"{path} must be writable; {error.strerror}."
        raise InputError(message) from error
