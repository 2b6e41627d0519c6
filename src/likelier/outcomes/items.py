"""The items on which systems differ: what was said of them, how often, and of which."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from likelier.outcomes.patterns import distinct, tally

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]
ItemKind = Literal["labels", "sets", "scores", "chunks"]

# So many items of a row are named; how many more there are, its count tells.
EXAMPLES = 20
# So many rows have examples, so that the record stays small.
NAMED_ROWS = 10_000


@dataclass(frozen=True, eq=False)
class Items:
    """Distinct rows of what systems said, of items on which they do not all agree.

    It is carried along with outcomes for people to look at; nothing is computed
    from it. Clusters do not change it: it tells of items.

    Attributes
    ----------
    systems
        Names of the systems.
    kind
        What was said of an item: one label, a set of labels, a score, or the numbers
        of chunks in a sentence.
    values
        What the codes in `cells` stand for: labels; sets, as tuples of labels; chunks,
        as tuples of (class, right, wrong, missing). Scores have none.
    cells
        Codes (row, gold and systems); scores and chunks have no gold column, and
        scores stand there themselves. The most frequent rows come first; of scores
        those with the largest differences.
    counts
        How many items have each row.
    ids
        Examples of the items of the first rows, at most 10,000 of them: the least
        ids, the shortest first, at most 20 of a row. Later rows have none.
    """

    systems: tuple[str, ...]
    kind: ItemKind
    values: tuple[Any, ...]
    cells: NDArray[Any]
    counts: FloatArray
    ids: tuple[tuple[str, ...], ...]

    def __repr__(self) -> str:
        told = f"{self.counts.sum():,.0f} items that differ, {len(self.counts):,} rows"
        return f"<Items of {', '.join(self.systems)}: {told}>"

    @property
    def has_gold(self) -> bool:
        """Whether the first column is the gold label."""
        return self.kind in ("labels", "sets")

    def pair(self, first: str, second: str) -> "Items | None":
        """Keep two systems by their names; None where they are not known.

        Examples
        --------
        >>> from likelier.outcomes import from_labels
        >>> items = from_labels("ab", "ab", "aa", "bb").items
        >>> items, items.pair("first", "third")
        (<Items of first, second, third: 2 items that differ, 2 rows>,
         <Items of first, third: 1 items that differ, 1 rows>)
        """
        if (first, second) == self.systems:
            return self
        if first not in self.systems or second not in self.systems:
            return None
        places = [self.systems.index(name) + self.has_gold for name in (first, second)]
        cells = self.cells[:, [0, *places] if self.has_gold else places]
        kept = np.flatnonzero(cells[:, -1] != cells[:, -2])
        rows, _, group = distinct(cells[kept])
        counts = tally(group, self.counts[kept], len(rows))
        order = shown_order(self.kind, rows, counts)
        ids: dict[int, list[str]] = {}
        for row, place in zip(kept.tolist(), group.tolist(), strict=True):
            ids.setdefault(place, []).extend(self.examples(row))
        return Items(
            systems=(first, second),
            kind=self.kind,
            values=self.values,
            cells=rows[order],
            counts=counts[order],
            ids=tuple(least(ids[row]) for row in order[:NAMED_ROWS].tolist()),
        )

    def examples(self, row: int) -> tuple[str, ...]:
        """Name some items of a row."""
        return self.ids[row] if row < len(self.ids) else ()

    def seen(self, positive: str | None) -> NDArray[Any]:
        """Give the cells as a metric sees them: one class against the rest, or all."""
        if positive is None or self.kind == "scores":
            return self.cells
        if self.kind == "chunks":
            of_class = [_of_class(value, positive) for value in self.values]
            known = {value: i for i, value in enumerate(dict.fromkeys(of_class))}
            part = np.array([known[value] for value in of_class], dtype=np.int64)
        elif self.kind == "sets":
            part = np.array([positive in value for value in self.values], dtype=bool)
        else:
            part = np.array([positive == value for value in self.values], dtype=bool)
        return np.asarray(part[self.cells])

    def right(self, positive: str | None) -> NDArray[np.bool_] | None:
        """Tell where each system is right (row, system); of scores none is."""
        if self.kind == "scores":
            return None
        if self.kind == "chunks":
            kept = [_of_class(value, positive) for value in self.values]
            clean = [not any(x[-1] or x[-2] for x in value) for value in kept]
            return np.asarray(np.array(clean, dtype=bool)[self.cells])
        seen = self.seen(positive)
        return np.asarray(seen[:, 1:] == seen[:, :1])

    def text(self, cell: Any) -> str:
        """Write a cell as text, labels byte for byte."""
        if self.kind == "scores":
            return repr(float(cell)).removesuffix(".0")
        value = self.values[int(cell)]
        if self.kind == "labels":
            return str(value)
        if self.kind == "sets":
            return ", ".join(value)
        return "; ".join(_counted(*part) for part in value) or "nothing"


def _counted(name: str, *numbers: int) -> str:
    """Write the chunks of a class: PER 2 right, 1 missing."""
    told = zip(numbers, ("right", "wrong", "missing"), strict=True)
    return f"{name} " + ", ".join(f"{n} {what}" for n, what in told if n)


def _of_class(value: Any, positive: str | None) -> tuple[Any, ...]:
    return tuple(part for part in value if positive is None or part[0] == positive)


def least(ids: Sequence[str]) -> tuple[str, ...]:
    """Keep some ids, the shortest first and then by their characters.

    So ids that end in numbers come in the order of these.

    Examples
    --------
    >>> least(["row 10", "row 9"])
    ('row 9', 'row 10')
    """
    return tuple(sorted(ids, key=lambda text: (len(text), text))[:EXAMPLES])


def shown_order(kind: ItemKind, cells: NDArray[Any], counts: FloatArray) -> IntArray:
    """Put the most frequent rows first; of scores, those that differ most.

    Only rows with examples are sorted; the others follow as they stand.
    """
    weight = -np.ptp(cells, axis=1) if kind == "scores" else -counts
    if len(weight) <= NAMED_ROWS:
        return np.argsort(weight, kind="stable")
    first = np.sort(np.argpartition(weight, NAMED_ROWS)[:NAMED_ROWS])
    rest = np.ones(len(weight), dtype=bool)
    rest[first] = False
    ordered = first[np.argsort(weight[first], kind="stable")]
    return np.concatenate([ordered, np.flatnonzero(rest)])
