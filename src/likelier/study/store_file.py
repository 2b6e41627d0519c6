"""File of a store: where its name leads, and what its database says of errors."""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from likelier.errors import InputError

RESCUE = "What is sound can be saved: likelier study rescue OLD NEW"
_DAMAGE = (
    *("SQLITE_CORRUPT", "SQLITE_NOTADB", "SQLITE_TOOBIG"),
    *("SQLITE_ERROR", "SQLITE_MISMATCH", "SQLITE_CONSTRAINT"),
)


class StoreError(InputError):
    """The store cannot be read or written."""


def real_path(path: Path) -> Path:
    """Follow links to a file.

    Raises
    ------
    StoreError
        If they lead nowhere, or the name cannot be that of a file.
    """
    try:
        real = path.resolve()
        real.is_file()
    except (OSError, RuntimeError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "its links lead in circles"
        message = f"{path} must be the name of a file; {reason}."
        raise StoreError(message, hint="Choose another store: --store FILE") from error
    if path.is_symlink() and not real.parent.is_dir():
        message = f"{path} must lead to a file; {real.parent}, where it leads, is not."
        raise StoreError(message, hint="Make the folder, or choose: --store FILE")
    return real


def why_no_file(real: Path) -> str:
    """Return in words what there is in the place of a file."""
    if real.is_dir():
        return "it is a folder"
    return "it is a pipe or device" if real.exists() else "there is no such file"


def is_writable(path: Path) -> bool:
    """Check whether a file and its folder can be written."""
    file = real_path(path)
    return os.access(file, os.W_OK) and os.access(file.parent, os.W_OK)


@contextmanager
def translated(path: Path) -> Iterator[None]:
    """Turn errors of a store's database into messages with a cure."""
    try:
        yield
    except sqlite3.Error as error:
        raise database_error(path, error) from error
    except UnicodeDecodeError as error:
        # Messages of the database quote the file, which may hold any bytes.
        raise damaged(path) from error


def damaged(path: Path, reason: str = "database disk image is malformed") -> StoreError:
    """Return the error of a store whose pages are damaged."""
    message = f"{path} must be the store of a study; {reason}."
    hint = f"Restore it from a copy, or choose another: --store FILE. {RESCUE}"
    return StoreError(message, hint=hint)


def database_error(path: Path, error: sqlite3.Error) -> StoreError:
    """Return the error of a store for one of its database."""
    name = getattr(error, "sqlite_errorname", "") or ""
    if name.startswith(_DAMAGE):
        return damaged(path, str(error))
    if name.startswith("SQLITE_FULL"):
        message = f"{path} must have room on its disk; the disk is full."
        hint = "Make room and run again: what is finished is kept."
    elif name.startswith(("SQLITE_READONLY", "SQLITE_CANTOPEN", "SQLITE_PERM")):
        message = f"{path} must be a file that can be written; {error}."
        hint = "Choose another store: --store FILE"
    elif name.startswith("SQLITE_BUSY"):
        message = f"{path} must be free; another program is using it."
        hint = "Wait until it has ended."
    else:
        message = f"{path} cannot be used: {error}."
        hint = "Is the disk full or gone? What is finished is kept."
    return StoreError(message, hint=hint)
