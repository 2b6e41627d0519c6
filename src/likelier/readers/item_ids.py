r"""Ids of items: one column, or several whose cells together are the id.

An id of several columns is one text, ``task/doc_id``. A backslash before ``/`` and
``\`` in later columns keeps different ids apart: ``a`` and ``b/c`` is ``a/b\/c``.
"""

import re
from collections.abc import Sequence
from typing import Any

import pyarrow as pa

from likelier.errors import InputError
from likelier.formatting import listed

IdColumns = str | Sequence[str]

_BETWEEN = "/"
_TOKEN = re.compile(r"\\(.)|/", re.DOTALL)


def id_columns(columns: IdColumns | None, names: Sequence[str]) -> tuple[str, ...]:
    """Return the columns of ids, which a text has between commas.

    Parameters
    ----------
    columns
        A column, several of them, or a text with commas; None for no ids.
    names
        The columns of the table: one of them may have a comma in its name.

    Examples
    --------
    >>> id_columns("task, doc_id", ["task", "doc_id", "a"])
    ('task', 'doc_id')
    >>> id_columns("task,doc_id", ["task,doc_id"])
    ('task,doc_id',)
    """
    if columns is None:
        return ()
    if not isinstance(columns, str):
        parts = tuple(columns)
    elif columns in names or "," not in columns:
        parts = (columns,)
    else:
        parts = tuple(part.strip() for part in columns.split(","))
    wrong = [p for p in parts if not isinstance(p, str) or not (p or p in names)]
    if wrong or not parts:
        message = f"id must name columns; got {columns!r}."
        raise InputError(message, hint="Several columns: --id task,doc_id")
    if len(set(parts)) < len(parts):
        message = f"id must name each column once; got {listed(parts)}."
        raise InputError(message)
    return parts


def id_title(parts: Sequence[str]) -> str:
    """Name the columns of ids in a message.

    Examples
    --------
    >>> id_title(["id"]), id_title(["task", "doc_id"])
    ("Column 'id'", "Columns 'task/doc_id'")
    """
    return f"Column{'s' if len(parts) > 1 else ''} {_BETWEEN.join(parts)!r}"


def joined_sql(parts: Sequence[str]) -> str:
    """Write the SQL that makes one text of columns of text."""
    if len(parts) == 1:
        return parts[0]
    texts = [rf"replace({part}, '\', '\\')" for part in parts]
    later = [rf"replace({text}, '{_BETWEEN}', '\{_BETWEEN}')" for text in texts[1:]]
    return f" || '{_BETWEEN}' || ".join([texts[0], *later])


def joined_texts(parts: Sequence[Any]) -> Any:
    r"""Make one Arrow array of several of text; null where one of them is.

    Examples
    --------
    >>> joined_texts([pa.array(["a/b", "a"]), pa.array(["c", "b/c"])]).to_pylist()
    ['a/b/c', 'a/b\\/c']
    """
    if len(parts) == 1:
        return parts[0]
    import pyarrow.compute as pc

    texts = [pc.replace_substring(part, "\\", "\\\\") for part in parts]
    later = [pc.replace_substring(t, _BETWEEN, f"\\{_BETWEEN}") for t in texts[1:]]
    kind = pa.large_string()
    columns = [pc.cast(text, kind) for text in (texts[0], *later)]
    return pc.binary_join_element_wise(*columns, pa.scalar(_BETWEEN, kind))


def joined_parts(parts: Sequence[str]) -> str:
    """Make one text of the parts of an id."""
    if len(parts) == 1:
        return parts[0]
    texts = [part.replace("\\", "\\\\") for part in parts]
    later = [text.replace(_BETWEEN, f"\\{_BETWEEN}") for text in texts[1:]]
    return _BETWEEN.join([texts[0], *later])


def split_id(text: str, n: int) -> list[str]:
    r"""Return the `n` parts of an id, of which only the first may hold a bare ``/``.

    Examples
    --------
    >>> split_id(joined_parts(["a/b\\", "c/d"]), 2)
    ['a/b\\', 'c/d']
    """
    if n == 1:
        return [text]
    bare = [match for match in _TOKEN.finditer(text) if match[1] is None]
    between = bare[len(bare) - n + 1 :]
    starts = [0, *(match.end() for match in between)]
    ends = [*(match.start() for match in between), len(text)]
    parts = [text[start:end] for start, end in zip(starts, ends, strict=True)]
    return [_TOKEN.sub(lambda match: match[1] or match[0], part) for part in parts]
