"""Items on which two systems differ, by their answers, with examples."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

from likelier.data.item_examples import ItemText, in_turn
from likelier.formatting import plain
from likelier.results.label_changes import LabelChanges

Side = Literal["first", "second", "neither"]
Direction = Literal["fixed", "broken", "other"]

_DIRECTIONS: dict[Side, Direction] = {
    "first": "broken",
    "second": "fixed",
    "neither": "other",
}


@dataclass(frozen=True)
class ChangedItem:
    """One item on which two systems differ.

    Attributes
    ----------
    id
        What it is called.
    direction
        ``fixed`` where only the second system is right, or has the better score;
        ``broken`` where only the first; ``other`` where both are wrong.
    gold
        Gold label or labels, if there are any.
    first, second
        Answers of the systems: a label, labels, a score, or numbers of chunks.
    text
        The item's text, cut, where it is known.
    group
        Its cluster, where there is one.
    length
        Number of words of the whole text.
    """

    id: str
    direction: Direction
    gold: str | None
    first: str
    second: str
    text: str | None
    group: str | None
    length: int | None


@dataclass(frozen=True)
class ListedItems:
    """Some of the items on which two systems differ, one by one.

    Attributes
    ----------
    items
        The items.
    left_out
        Number of items that differ and are not listed.
    """

    items: tuple[ChangedItem, ...]
    left_out: float


@dataclass(frozen=True)
class ChangeRow:
    """Items to which the two systems gave the same two different answers.

    Attributes
    ----------
    gold
        Gold label or labels, if there are any.
    first, second
        Answers of the systems: a label, labels, a score, or numbers of chunks.
    right
        System that is right; of scores, the one with the better score.
    count
        Number of such items.
    ids
        Some of them.
    texts
        Their texts and groups.
    """

    gold: str | None
    first: str
    second: str
    right: Side
    count: float
    ids: tuple[str, ...]
    texts: tuple[ItemText, ...] = field(repr=False)

    @property
    def more(self) -> bool:
        """Whether there are more such items than are named."""
        return self.count > len(self.ids)

    @property
    def direction(self) -> Direction:
        """Direction of the change, from the first system to the second."""
        return _DIRECTIONS[self.right]

    def items(self) -> Iterator[ChangedItem]:
        """Yield the items that are named, one by one."""
        for name, text in zip(self.ids, self.texts, strict=True):
            yield ChangedItem(
                id=name,
                direction=self.direction,
                gold=self.gold,
                first=self.first,
                second=self.second,
                text=text.text,
                group=text.group,
                length=text.words,
            )


@dataclass(frozen=True)
class Changes:
    """Items on which two systems differ.

    Attributes
    ----------
    systems
        The two systems.
    unit
        Name of the items: items, tokens, sentences.
    gold
        Whether items have gold labels.
    scores
        Whether systems gave scores; rows are then sorted by their difference, and by
        their count otherwise.
    rows
        Their answers, the largest rows first.
    total
        Number of all items.
    items
        Number of items that differ, as the metric sees them.
    first_right, second_right
        Number of them that only one system has right; of scores, has better.
    unseen
        Number of further items that differ where the metric does not look: in labels
        that are both not the positive class, or in chunks of other types.
    left_out
        Numbers of rows, and of items in them, that are not listed.
    by_label
        Changes of each gold label, the largest 12 and the others together; of sets
        and chunks, of each label. Scores have none.
    unchanged_right
        Number of items that both systems have right, where that is known.
    """

    systems: tuple[str, str]
    unit: str
    gold: bool
    scores: bool
    rows: tuple[ChangeRow, ...]
    total: float
    items: float
    first_right: float
    second_right: float
    unseen: float
    left_out: tuple[int, float]
    by_label: tuple[LabelChanges, ...] = ()
    unchanged_right: float | None = None

    @property
    def unchanged(self) -> float:
        """Number of items on which the systems do the same, as the metric sees them."""
        return self.total - self.items

    @property
    def unchanged_wrong(self) -> float | None:
        """Number of them that both systems have wrong, where that is known."""
        right = self.unchanged_right
        return None if right is None else self.unchanged - right

    @property
    def neither(self) -> float:
        """Number of the items that neither system has right."""
        return self.items - self.first_right - self.second_right

    @property
    def unnamed(self) -> float:
        """Number of items in the listed rows that are not named there."""
        return sum(row.count - len(row.ids) for row in self.rows)

    def listed(self, *, most: int = 200) -> ListedItems:
        """List items one by one, of all rows in turn, so that rare changes are seen.

        Parameters
        ----------
        most
            Number of items to list.

        Examples
        --------
        >>> from likelier import Outcomes, metrics
        >>> from likelier.results.changed_items import changed_items
        >>> table = Outcomes.from_labels("aab", "abb", "aaa", texts=["x", "y", "z"])
        >>> listed = changed_items(table, metrics.accuracy, 10).listed(most=1)
        >>> listed.left_out, listed.items[0]
        (1, ChangedItem(id='item 1', direction='fixed', gold='a', first='b',
                        second='a', text='y', group=None, length=1))
        """
        items = in_turn([tuple(row.items()) for row in self.rows], most)
        return ListedItems(tuple(items), self.items - len(items))

    def sentence(self) -> str:
        """Say how many items differ, and who is right on them."""
        first, second = map(plain, self.systems)
        whole = f"{_count_text(self.total)} {self.unit}"
        if not self.items:
            labelled = self.gold or self.scores
            by = "" if labelled else ", by their numbers of right and wrong chunks"
            text = f"{second} and {first} do the same on all {whole}{by}."
        else:
            verb = "has the better score" if self.scores else "alone is right"
            neither = f", neither on {_count_text(self.neither)}"
            text = (
                f"{second} and {first} differ on {_count_text(self.items)} of "
                f"{whole}: {second} {verb} on {_count_text(self.second_right)}, "
                f"{first} on {_count_text(self.first_right)}"
                f"{neither if self.neither else ''}."
            )
        unseen = (
            f" On {_count_text(self.unseen)} more they differ in a way that the metric "
            "does not see."
        )
        return f"{text}{unseen if self.unseen else ''}"

    def to_dict(self) -> dict[str, float]:
        """Return how many items differ, and who is right on them, as in the JSON."""
        return {
            "items": self.items,
            "of": self.total,
            "first_right": self.first_right,
            "second_right": self.second_right,
            "neither": self.neither,
            "unseen": self.unseen,
        }


def _count_text(number: float) -> str:
    return f"{number:,.6g}" if number % 1 else f"{number:,.0f}"
