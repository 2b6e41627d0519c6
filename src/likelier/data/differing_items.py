"""Rows of predictions on which systems differ, with examples of their items."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from likelier._typing import BoolArray, FloatArray, IntArray
from likelier.data.item_examples import (
    Ids,
    ItemText,
    NamedItems,
    Texts,
    least_ids,
)
from likelier.data.pattern_rows import distinct, tally

ItemKind = Literal["labels", "sets", "scores", "chunks", "statistics"]

# So many rows have examples, so that the record stays small.
NAMED_ROWS = 10_000


@dataclass(frozen=True, eq=False)
class DifferingItems:
    """Distinct rows of predictions, of items on which systems do not all agree.

    It is carried along with outcomes for people to look at; nothing is computed
    from it. Clusters do not change it: it holds items.

    Attributes
    ----------
    systems
        Names of the systems.
    kind
        What a system predicts for an item: one label, a set of labels, a score, the
        chunks of a sentence, or any statistics.
    values
        What the codes in `cells` stand for: labels; sets, as tuples of labels; chunks,
        as tuples of (class, right, wrong, missing); statistics, as text and numbers.
        Scores have none.
    cells
        Codes (row, gold and systems); scores, chunks and statistics have no gold
        column, and scores stand there themselves. The most frequent rows come first;
        of scores those with the largest differences.
    counts
        How many items have each row.
    ids
        Examples of the items of the first rows, at most 10,000 of them: the least
        ids, the shortest first, at most 20 of a row. Later rows have none.
    agreed, agreed_counts
        Of single labels, also the codes (gold and answer) of items on which all
        systems agree, and how many items have each.
    texts
        Texts and groups of some of these examples by id, at most 2,000, of all rows
        in turn; empty where there are neither texts nor clusters.
    classes
        Names of the classes that numbers of statistics stand for, in turn.
    """

    systems: tuple[str, ...]
    kind: ItemKind
    values: tuple[Any, ...]
    cells: NDArray[Any]
    counts: FloatArray
    ids: tuple[tuple[str, ...], ...]
    agreed: NDArray[Any]
    agreed_counts: FloatArray
    texts: Mapping[str, ItemText] = field(default_factory=dict)
    classes: tuple[str, ...] = ()

    def __repr__(self) -> str:
        size = f"{self.counts.sum():,.0f} items that differ, {len(self.counts):,} rows"
        return f"<DifferingItems of {', '.join(self.systems)}: {size}>"

    @property
    def has_gold(self) -> bool:
        """True where the first column is the gold label."""
        return self.kind in ("labels", "sets")

    @property
    def is_numbers(self) -> bool:
        """True where a system is not right or wrong, but better or worse."""
        return self.kind in ("scores", "statistics")

    def pair(self, first: str, second: str) -> "DifferingItems | None":
        """Keep two systems by their names; None where one is not among the systems.

        Examples
        --------
        >>> from likelier.data.constructors import from_labels
        >>> items = from_labels("ab", "ab", "aa", "bb").items
        >>> items, items.pair("first", "third")
        (<DifferingItems of first, second, third: 2 items that differ, 2 rows>,
         <DifferingItems of first, third: 1 items that differ, 1 rows>)
        """
        if (first, second) == self.systems:
            return self
        if first not in self.systems or second not in self.systems:
            return None
        columns = [self.systems.index(name) + self.has_gold for name in (first, second)]
        cells = self.cells[:, [0, *columns] if self.has_gold else columns]
        kept = np.flatnonzero(cells[:, -1] != cells[:, -2])
        same = np.concatenate([self.agreed, np.delete(cells, kept, axis=0)[:, [0, -1]]])
        same_counts = np.append(self.agreed_counts, np.delete(self.counts, kept))
        return replace(
            self,
            systems=(first, second),
            cells=cells[kept],
            counts=self.counts[kept],
            ids=tuple(self.examples(row) for row in kept.tolist()),
            agreed=same,
            agreed_counts=same_counts,
        )._merged()

    def divided(self, parts: int) -> "DifferingItems":
        """Count rows of items of so many parts each."""
        counts, agreed = self.counts / parts, self.agreed_counts / parts
        return replace(self, counts=counts, agreed_counts=agreed)

    def _merged(self) -> "DifferingItems":
        """Put equal rows together, in the order of display."""
        rows, _, group = distinct(self.cells)
        counts = tally(group, self.counts, len(rows))
        order = _display_order(self.kind, rows, counts)
        ids: dict[int, list[str]] = {}
        for old, new in enumerate(group.tolist()):
            ids.setdefault(new, []).extend(self.examples(old))
        agreed, agreed_counts = _agreed(self.kind, self.agreed, self.agreed_counts)
        return replace(
            self,
            cells=rows[order],
            counts=counts[order],
            ids=tuple(least_ids(ids[row]) for row in order[:NAMED_ROWS].tolist()),
            agreed=agreed,
            agreed_counts=agreed_counts,
        )

    def examples(self, row: int) -> tuple[str, ...]:
        """Return the ids of some items of a row."""
        return self.ids[row] if row < len(self.ids) else ()

    def seen(self, positive: str | None) -> NDArray[Any]:
        """Return the cells as a metric sees them: one class and the rest, or all."""
        if positive is None or self.is_numbers:
            return self.cells
        if self.kind == "chunks":
            of_class = [_of_class(value, positive) for value in self.values]
            codes = {value: i for i, value in enumerate(dict.fromkeys(of_class))}
            part = np.array([codes[value] for value in of_class], dtype=np.int64)
        elif self.kind == "sets":
            part = np.array([positive in value for value in self.values], dtype=bool)
        else:
            part = np.array([positive == value for value in self.values], dtype=bool)
        return np.asarray(part[self.cells])

    def right(self, positive: str | None) -> BoolArray | None:
        """Return where each system is right (row, system); None for numbers."""
        if self.is_numbers:
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
        if self.kind == "statistics":
            return str(value[0])
        if self.kind == "sets":
            return ", ".join(value)
        return "; ".join(_chunk_text(*part) for part in value) or "nothing"


def together(parts: Mapping[str, DifferingItems]) -> DifferingItems:
    """Put the rows of several tables of labels together; ids begin with their names.

    Parameters
    ----------
    parts
        Labels of the same systems on the items of each table.

    Examples
    --------
    >>> from likelier.data.constructors import from_labels
    >>> parts = {"x": from_labels("ab", "ab", "aa").items,
    ...          "y": from_labels("bc", "bb", "ac").items}
    >>> together(parts).ids
    (('x/item 1', 'y/item 0'), ('y/item 1',))
    """
    tables = list(parts.values())
    values = sorted({value for table in tables for value in table.values})
    code = {value: i for i, value in enumerate(values)}
    recoded = [np.array([code[value] for value in t.values], int) for t in tables]
    both = list(zip(tables, recoded, strict=True))
    named = [(f"{name}/", table) for name, table in parts.items()]
    return replace(
        tables[0],
        values=tuple(values),
        cells=np.concatenate([codes[table.cells] for table, codes in both]),
        counts=np.concatenate([table.counts for table in tables]),
        ids=tuple(
            tuple(start + one for one in table.examples(row))
            for start, table in named
            for row in range(len(table.counts))
        ),
        agreed=np.concatenate([codes[table.agreed] for table, codes in both]),
        agreed_counts=np.concatenate([table.agreed_counts for table in tables]),
        texts={
            start + one: text
            for start, table in named
            for one, text in table.texts.items()
        },
    )._merged()


def _chunk_text(name: str, *numbers: float) -> str:
    """Write the chunks of a class: PER 2 right, 1 missing."""
    pairs = zip(numbers, ("right", "wrong", "missing"), strict=True)
    return f"{name} " + ", ".join(f"{n:g} {what}" for n, what in pairs if n)


def _of_class(value: Any, positive: str | None) -> tuple[Any, ...]:
    return tuple(part for part in value if positive is None or part[0] == positive)


def _agreed(
    kind: ItemKind, cells: NDArray[Any], counts: FloatArray
) -> tuple[NDArray[Any], FloatArray]:
    """Count gold labels with the answer that all systems give; of labels only."""
    if kind != "labels" or not len(cells):
        return cells[:0], counts[:0]
    rows, _, group = distinct(cells)
    return rows, tally(group, counts, len(rows))


def _display_order(kind: ItemKind, cells: NDArray[Any], counts: FloatArray) -> IntArray:
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


def differing_items(
    table: NDArray[Any],
    counts: FloatArray,
    index: IntArray,
    *,
    systems: Sequence[str],
    kind: ItemKind,
    values: Sequence[Any] = (),
    ids: Ids | None = None,
    item_name: Callable[[int], str] | None = None,
    texts: Texts | None = None,
    group_name: Callable[[int], str] | None = None,
    unique: bool = True,
    classes: Sequence[str] = (),
) -> DifferingItems | None:
    """Keep the rows on which systems differ, with examples of their items.

    Parameters
    ----------
    table
        Rows as in `DifferingItems.cells`.
    counts
        How many items each row has.
    index
        The row of each item; or, where `ids` names several, of each counted row.
    systems, kind, values
        As in `DifferingItems`.
    ids
        The ids of items.
    item_name
        Without ids, the name of an item by its index, from 0.
    texts
        Looks up the texts of some items.
    group_name
        The cluster of an item, or of a counted row, by its index.
    unique
        Whether the rows are distinct; those of clusters are not.
    classes
        As in `DifferingItems`.
    """
    if len(systems) < 2:
        return None
    predicted = table[:, 1:] if kind in ("labels", "sets") else table
    differ = np.flatnonzero((predicted != predicted[:, :1]).any(axis=1))
    rows, totals, group = table[differ], counts[differ], np.arange(len(differ))
    if not unique and len(rows):
        rows, _, group = distinct(rows)
        totals = tally(group, totals, len(rows))
    order = _display_order(kind, rows, totals)
    named = min(len(order), NAMED_ROWS)
    first = np.full(len(order), -1)
    first[order[:named]] = np.arange(named)
    rank = np.full(len(table), -1)
    rank[differ] = first[group]
    rank = rank[index]
    items = NamedItems.of(rank, named, ids, item_name)
    examples = items.examples(rank, named)
    same = np.delete(table, differ, axis=0)[:, [0, -1]]
    agreed, agreed_counts = _agreed(kind, same, np.delete(counts, differ))
    return DifferingItems(
        systems=tuple(systems),
        kind=kind,
        values=tuple(values),
        cells=rows[order],
        counts=totals[order],
        ids=examples,
        agreed=agreed,
        agreed_counts=agreed_counts,
        texts=items.texts(examples, texts, group_name),
        classes=tuple(classes),
    )
