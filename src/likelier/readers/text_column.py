"""Column of the items' texts, which people see where systems differ.

It is named, or chosen where there is just one column of a usual name.
"""

from collections.abc import Collection, Iterable, Sequence
from typing import Any

from likelier.readers.engine import Engine, Table

# Usual names of columns of texts, in any case.
TEXT_NAMES = (
    *("text", "sentence", "question", "prompt", "input"),
    *("message", "document", "content", "query"),
)


def is_text(name: Any) -> bool:
    """Return whether a column has a usual name of texts."""
    return str(name).casefold() in TEXT_NAMES


def usual_text(names: Iterable[Any], parts: Collection[Any]) -> str | None:
    """Return the one column of a usual name that plays no other part.

    Examples
    --------
    >>> usual_text(["id", "Question", "gold"], ["id", "gold"])
    'Question'
    >>> usual_text(["question", "document", "gold"], ["gold"])
    """
    usual = [name for name in names if name not in parts and is_text(name)]
    return usual[0] if len(usual) == 1 else None


def find_text(
    engine: Engine,
    table: Table,
    parts: Collection[str | None],
    *,
    gold: str | None = None,
) -> str | None:
    """Return the one column of a usual name, where it holds texts.

    Parameters
    ----------
    engine
        The database.
    table
        The file.
    parts
        Columns that play other parts.
    gold
        Column of gold labels where columns of systems are not named: what holds one
        of these labels may be a system.
    """
    name = usual_text(table.names, parts)
    if name is None:
        return None
    others = [] if gold is None or gold not in table.names else [gold]
    cells, *labels = table.head(engine, [name, *others])
    return name if _are_texts(cells, *labels) else None


def _are_texts(cells: Sequence[Any], labels: Sequence[Any] = ()) -> bool:
    """Return whether cells are strings, not all of them numbers, and none a label."""
    texts = {cell for cell in cells if isinstance(cell, str) and cell.strip()}
    strings = all(cell is None or isinstance(cell, str) for cell in cells)
    return strings and not texts & {*map(str, labels)} and not all(map(_number, texts))


def _number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
