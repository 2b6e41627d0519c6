"""Files beside a log that describe the run: read where they are, not asked for."""

import os
from pathlib import Path
from typing import Any

from likelier.readers.file import File, find_file
from likelier.readers.logs.json_records import read_document


def read_beside(file: File, path: Path) -> dict[str, Any]:
    """Return the JSON object in another file; an empty one where there is no file."""
    if not path.is_file():
        return {}
    other = find_file(path)
    relative = os.path.relpath(path, file.path.parent)
    name = os.path.normpath(Path(file.name).parent / relative)
    return read_document(File(path, name, other.start, other.packed), dict[str, Any])


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
