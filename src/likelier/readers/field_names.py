"""Names of the columns of a table, and of the fields within its objects."""

from collections.abc import Iterator, Sequence
from os import PathLike
from typing import Any

from likelier.readers.engine import connected
from likelier.readers.file import find_file
from likelier.readers.tables import open_table


def field_names(path: str | PathLike[str]) -> tuple[str, ...]:
    """Return the columns of a table file, with the fields in place of objects.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> folder = tempfile.TemporaryDirectory()
    >>> path = pathlib.Path(folder.name, "rows.json")
    >>> _ = path.write_text('[{"q": {"id": 1, "text": "2+2?"}, "score": 0.5}]')
    >>> field_names(path)
    ('q.id', 'q.text', 'score')
    >>> folder.cleanup()
    """
    file = find_file(path)
    with connected([file]) as engine:
        table = open_table(engine, file)
        cells = table.head(engine, table.names)
    every = zip(table.names, cells, strict=True)
    return tuple(field for name, values in every for field in _fields(name, values))


def _fields(name: str, values: Sequence[Any]) -> Iterator[str]:
    """Yield a column, or the fields of its objects."""
    objects = [value for value in values if isinstance(value, dict)]
    if not objects:
        yield name
        return
    for field in dict.fromkeys(str(field) for one in objects for field in one):
        yield from _fields(f"{name}.{field}", [one.get(field) for one in objects])
