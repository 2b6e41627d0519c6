"""JSON text of a result; files that are written whole or not at all."""

import json
import os
import stat
import tempfile
from pathlib import Path
from typing import Any

from likelier.errors import InputError


def as_json(document: dict[str, Any], *, ascii_only: bool = False) -> str:
    """Write the JSON of a result as text; numbers are finite, or it is refused.

    Characters that cannot be seen are escaped: some command a terminal.
    """
    text = json.dumps(document, ensure_ascii=ascii_only, indent=2, allow_nan=False)
    lines = text.split("\n")
    return "".join(f"{_visible(line)}\n" for line in lines)


def _visible(line: str) -> str:
    if line.isprintable():
        return line
    return "".join(c if c.isprintable() else json.dumps(c)[1:-1] for c in line)


def check_writable(path: Path) -> None:
    """Refuse a path that cannot be written to, before any work is done."""
    try:
        # Not `Path.resolve`, which has no message for links that lead to themselves.
        target = Path(os.path.realpath(path))
        mode = target.lstat().st_mode if target.parent.is_dir() else None
    except FileNotFoundError:
        return
    except OSError as error:
        message = f"{path} must be a file to write; {error.strerror}."
        raise InputError(message) from error
    if mode is None:
        name, folder = f"{path}", path.parent
        if path.is_symlink():
            name, folder = f"{path}, a link to {target},", target.parent
        message = f"{name} must be in a folder that exists; {folder} does not."
        raise InputError(message)
    if stat.S_ISDIR(mode):
        message = f"{path} must be a file to write; it is a folder."
        raise InputError(message)
    if stat.S_ISLNK(mode):
        message = f"{path} must be a file to write; it is a link that leads to itself."
        raise InputError(message)
    if not stat.S_ISREG(mode):
        message = f"{path} must be a file to write; it is a pipe or device."
        raise InputError(message)


def write_whole(path: Path, content: bytes) -> None:
    """Write a file beside its path and move it there when it is complete."""
    check_writable(path)
    path = path.resolve()
    try:
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=".likelier.")
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
