"""Files beside a log that describe the run: read where they are, not asked for."""

import os
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

from likelier.readers.file import File, find_file
from likelier.readers.logs.json_records import read_document

T = TypeVar("T")


def read_beside(file: File, path: Path, kind: type[T]) -> T | None:
    """Decode another file, named as the user named the first; None without it."""
    if not path.is_file():
        return None
    relative = os.path.relpath(path, file.path.parent)
    name = os.path.normpath(Path(file.name).parent / relative)
    return read_document(replace(find_file(path), name=name), kind)


def part(content: Any, *names: str) -> Any:
    """Return a value within objects; None where any of the names is missing.

    Examples
    --------
    >>> part({"a": {"b": 1}}, "a", "b"), part({"a": 2}, "a", "b")
    (1, None)
    """
    for name in names:
        content = content.get(name) if isinstance(content, dict) else None
    return content
