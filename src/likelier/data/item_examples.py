"""Examples of items for people to look at: their ids, texts and groups."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeVar

import numpy as np

from likelier._typing import IntArray
from likelier.errors import InputError

# Returns some ids, or numbers of rows, of the items of each row with these numbers.
Naming = Callable[[IntArray], Sequence[Sequence[Any]]]
# One id per item, or examples of the items of each row.
Ids = Sequence[str] | Naming
# Returns the texts of items, by the ids or numbers that `Naming` gave, else by index.
Texts = Callable[[Sequence[Any]], Sequence[Any]]
# So many items of a row are named; its count includes the others.
EXAMPLES = 20
# So many items have a text, of so many characters, so that the record stays small.
MOST_TEXTS = 2_000
LONGEST_TEXT = 500

T = TypeVar("T")


@dataclass(frozen=True)
class ItemText:
    """Text of an item as people see it, and the group that the item belongs to.

    Attributes
    ----------
    text
        Its words on one line, the first 500 characters of them; None without a text.
    words
        Number of words of the whole text.
    group
        Cluster of the item, where there is one.
    """

    text: str | None
    words: int | None
    group: str | None = None

    @classmethod
    def of(cls, text: Any, group: str | None = None) -> "ItemText":
        r"""Cut a text of any length; what is missing or blank is no text.

        Examples
        --------
        >>> ItemText.of("two\nwords", "mail 7")
        ItemText(text='two words', words=2, group='mail 7')
        """
        words = [] if text is None or text != text else str(text).split()
        if not words:
            return cls(None, None, group)
        line = " ".join(words)
        if len(line) > LONGEST_TEXT:
            line = line[: LONGEST_TEXT - 1] + "…"
        return cls(line, len(words), group)


def check_per_item(values: Any, n: int, *, name: str) -> None:
    """Refuse ids or texts that are not one per item."""
    if values is not None and not callable(values) and len(values) != n:
        message = (
            f"{name} must have one entry for each of {n} items; got {len(values)}."
        )
        raise InputError(message)


def in_turn(rows: Sequence[Sequence[T]], most: int) -> list[T]:
    """Take the first of each row, then the second of each, up to a number.

    Examples
    --------
    >>> in_turn(["abc", "d", "ef"], 5)
    ['a', 'd', 'e', 'b', 'f']
    """
    taken: list[T] = []
    depth = 0
    while len(taken) < most and rows:
        rows = [row for row in rows if len(row) > depth]
        taken += [row[depth] for row in rows[: most - len(taken)]]
        depth += 1
    return taken


def least_ids(ids: Sequence[str]) -> tuple[str, ...]:
    """Keep some ids, the shortest first: those that end in numbers, in their order.

    Examples
    --------
    >>> least_ids(["row 10", "row 9"])
    ('row 9', 'row 10')
    """
    return tuple(sorted(ids, key=lambda name: (len(name), name))[:EXAMPLES])


class NamedItems(NamedTuple):
    """Items with names, of which some become examples.

    Attributes
    ----------
    names
        What each is called.
    keys
        What `Texts` looks each up by.
    indexes
        Index of each, or of the row that it is counted in.
    """

    names: list[str]
    keys: Sequence[Any]
    indexes: IntArray

    @classmethod
    def of(
        cls,
        rank: IntArray,
        n: int,
        ids: Ids | None,
        item_name: Callable[[int], str] | None,
    ) -> "NamedItems":
        """Name items of the first n rows; `rank` is the row of each item, or less."""
        items = np.flatnonzero(rank >= 0)
        if callable(ids):
            some = ids(items)
            keys = [key for part in some for key in part]
            names = [key if isinstance(key, str) else f"row {key}" for key in keys]
            return cls(names, keys, np.repeat(items, [len(part) for part in some]))
        if ids is not None:
            names = [str(ids[item]) for item in items.tolist()]
        elif item_name is not None:
            items = _first_of_each(items, rank, n)
            names = [item_name(item) for item in items.tolist()]
        else:
            names, items = [], items[:0]
        return cls(names, items.tolist(), items)

    def examples(self, rank: IntArray, n: int) -> tuple[tuple[str, ...], ...]:
        """Return the least names of each of the first n rows."""
        rows: list[list[str]] = [[] for _ in range(n)]
        for row, name in zip(rank[self.indexes].tolist(), self.names, strict=True):
            rows[row].append(name)
        return tuple(map(least_ids, rows)) if self.names else ()

    def texts(
        self,
        examples: Sequence[Sequence[str]],
        texts: Texts | None,
        group_name: Callable[[int], str] | None,
    ) -> dict[str, ItemText]:
        """Look up texts and groups of examples, of all rows in turn, by their names."""
        chosen = in_turn(examples, MOST_TEXTS)
        if not chosen or (texts is None and group_name is None):
            return {}
        position = {name: i for i, name in enumerate(self.names)}
        numbers = [position[name] for name in chosen]
        contents = [None] * len(chosen)
        if texts is not None:
            contents = list(texts([self.keys[number] for number in numbers]))
        groups: list[str | None] = [None] * len(chosen)
        if group_name is not None:
            groups = [group_name(int(self.indexes[number])) for number in numbers]
        return dict(zip(chosen, map(ItemText.of, contents, groups), strict=True))


def _first_of_each(items: IntArray, rank: IntArray, n: int) -> IntArray:
    """Keep the first items of each row."""
    # Ranks fit into 16 bits, which numpy sorts by their digits, fast.
    by_row = items[np.argsort(rank[items].astype(np.uint16), kind="stable")]
    sizes = np.bincount(rank[items], minlength=n)
    within = np.arange(len(by_row)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    return np.asarray(by_row[within < EXAMPLES])
