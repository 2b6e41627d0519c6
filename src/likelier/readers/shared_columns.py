"""Columns that several tables share: the id of the items, and their scores."""

from collections import Counter
from collections.abc import Sequence
from os import PathLike
from typing import NamedTuple

from likelier.errors import InputError
from likelier.readers.field_names import field_names
from likelier.readers.gold_names import is_gold_name
from likelier.readers.item_rows import row_source
from likelier.readers.row_columns import RowColumns
from likelier.readers.usual_columns import is_output

# How many columns are looked at.
_MOST_COLUMNS = 50


class SharedColumns(NamedTuple):
    """The column, or field within one, of ids; the columns of scores; shared items."""

    id: str
    scores: list[str]
    items: int


def shared_columns(paths: Sequence[str | PathLike[str]]) -> SharedColumns | None:
    """Return the id and the scores of tables with one system each; None without.

    The id is what never repeats within a table and is the same in most of them. Where
    some table has gold labels, cells are labels, and no scores.

    Parameters
    ----------
    paths
        The tables.
    """
    names = [field_names(path) for path in paths]
    if any(name == "label" or is_gold_name(name) for of in names for name in of):
        return None
    first, *others = names
    shared = [n for n in first if all(n in of for of in others)][:_MOST_COLUMNS]
    in_common = {name: _in_common(paths, name) for name in shared}
    most = max(in_common.values(), default=0)
    if not most:
        return None
    key = next(name for name, count in in_common.items() if count == most)
    # What all tables have in common row by row says nothing of the systems.
    rest = [n for n in shared if in_common[n] < most and not is_output(n)]
    scores = [name for name in rest if all(_is_score(path, name) for path in paths)]
    return SharedColumns(key, scores, most) if scores else None


def _in_common(paths: Sequence[str | PathLike[str]], name: str) -> int:
    """Count the values that all tables have; 0 where one repeats within a table."""
    counts: Counter[str] = Counter()
    for path in paths:
        try:
            texts, codes = RowColumns(row_source(path), [name], []).names(name)
        except InputError:
            return 0
        if len(texts) < len(codes):
            return 0
        counts.update(texts.tolist())
    return sum(count == len(paths) for count in counts.values())


def _is_score(path: str | PathLike[str], name: str) -> bool:
    """Return whether the cells of a column are numbers or truth values."""
    try:
        RowColumns(row_source(path), [name], [name]).scores(name)
    except InputError:
        return False
    return True
