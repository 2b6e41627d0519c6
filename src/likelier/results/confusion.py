"""Confusion of labels by two systems, and counts by type, side by side."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from likelier._typing import FloatArray, IntArray
from likelier.data.differing_items import DifferingItems
from likelier.data.grouped_outcomes import GroupedOutcomes
from likelier.data.outcomes import Outcomes
from likelier.data.pattern_rows import tally, whole_numbers

# Beyond so many classes people see single cells only, those that changed most.
MOST_CLASSES = 12
LARGEST = 10


@dataclass(frozen=True)
class ConfusionCell:
    """Items with a gold label and a prediction, by each of two systems.

    Attributes
    ----------
    gold, predicted
        The labels.
    first, second
        Number of such items by the first and by the second system.
    right
        Whether the prediction is right, so that more such items are better.
    """

    gold: str
    predicted: str
    first: float
    second: float
    right: bool

    @property
    def difference(self) -> float:
        """Number of items that the second system has more."""
        return self.second - self.first

    @property
    def improved(self) -> bool | None:
        """Whether the difference is for the better; None without a difference."""
        return None if not self.difference else (self.difference > 0) == self.right

    def to_dict(self) -> dict[str, Any]:
        """Return the cell as in the JSON."""
        names = ("gold", "predicted", "first", "second")
        return {name: getattr(self, name) for name in names}


class TypeTally(NamedTuple):
    """Decisions of one system on one class: right, wrong and missing."""

    tp: float
    fp: float
    fn: float


@dataclass(frozen=True)
class TypeCounts:
    """Decisions of two systems on one class.

    Attributes
    ----------
    name
        The class: a label, or the type of chunks.
    first, second
        True positives, false positives and false negatives of each system.
    """

    name: str
    first: TypeTally
    second: TypeTally

    def to_dict(self) -> dict[str, Any]:
        """Return the counts as in the JSON."""
        systems = {"first": self.first._asdict(), "second": self.second._asdict()}
        return {"type": self.name, **systems}


@dataclass(frozen=True)
class Confusion:
    """Right and wrong predictions of two systems, label by label.

    Names are those of the data, byte for byte; views spell out control characters.

    Attributes
    ----------
    systems
        The two systems.
    unit
        Name of what is counted in a matrix: items, tokens.
    classes
        Classes of the matrix: those that occur; the positive class and all others,
        where the metric speaks of one. None beyond 12, and where items do not have
        one label each.
    rows
        The matrix, gold labels down and predictions across, in the order of `classes`.
    largest
        The ten cells with the largest differences, of any number of classes.
    types
        Right, wrong and missing decisions for each class that occurs.
    """

    systems: tuple[str, str]
    unit: str
    classes: tuple[str, ...]
    rows: tuple[tuple[ConfusionCell, ...], ...]
    largest: tuple[ConfusionCell, ...]
    types: tuple[TypeCounts, ...]

    @property
    def totals(self) -> tuple[float, ...]:
        """Number of items of each gold label, in the order of the rows."""
        return tuple(sum(cell.first for cell in row) for row in self.rows)

    def to_dict(self) -> dict[str, Any] | None:
        """Return a matrix, the largest differences, or counts by type; else None."""
        if self.rows:
            return {
                "classes": list(self.classes),
                "first": [[cell.first for cell in row] for row in self.rows],
                "second": [[cell.second for cell in row] for row in self.rows],
            }
        if self.largest:
            return {"largest": [cell.to_dict() for cell in self.largest]}
        few = 0 < len(self.types) <= MOST_CLASSES
        return {"types": [one.to_dict() for one in self.types]} if few else None


def confusion_of(table: Outcomes) -> Confusion | None:
    """Count the predictions of two systems by gold label; None for scores and groups.

    Parameters
    ----------
    table
        The outcomes of two systems; the positive class against the rest, where the
        metric speaks of one.

    Examples
    --------
    >>> table = Outcomes.from_labels("aab", "abb", "aaa")
    >>> confusion = confusion_of(table)
    >>> [[(cell.first, cell.second) for cell in row] for row in confusion.rows]
    [[(1, 2), (1, 0)], [(0, 1), (1, 0)]]
    >>> confusion_of(table.binary("b")).classes
    ('b', 'a')
    """
    first, second = table.systems
    items = None if table.items is None else table.items.pair(first, second)
    counts = None
    if items is not None and items.kind == "labels":
        counts = _CellCounts.of(items, table.classes[0] if table.one_vs_rest else None)
    elif "tp" not in table.statistics or isinstance(table, GroupedOutcomes):
        return None
    few = counts is not None and len(counts.classes) <= MOST_CLASSES
    return Confusion(
        systems=(first, second),
        unit=table.unit,
        classes=tuple(counts.classes) if counts is not None and few else (),
        rows=counts.matrix() if counts is not None and few else (),
        largest=() if counts is None else counts.largest(),
        types=_types(table),
    )


@dataclass(frozen=True)
class _CellCounts:
    """Cells that are not empty: codes of their labels, and counts by each system."""

    names: Sequence[str]
    classes: Sequence[str]
    gold: IntArray
    predicted: IntArray
    first: FloatArray
    second: FloatArray

    @classmethod
    def of(cls, items: DifferingItems, positive: str | None) -> "_CellCounts":
        """Count items by gold label and prediction; of one class, against the rest."""
        names = list(items.values)
        counts = np.append(items.counts, items.agreed_counts)
        pairs = zip(items.cells.T, items.agreed[:, [0, 1, 1]].T, strict=True)
        columns = [np.concatenate(pair).astype(np.int64) for pair in pairs]
        if positive is not None:
            code = names.index(positive)
            columns = [(column != code) * 1 for column in columns]
            names = [positive, _rest(names, positive)]
        occurring = np.unique(np.concatenate(columns)).tolist()
        gold, *predicted = columns
        keys = np.concatenate([gold * len(names) + column for column in predicted])
        cells, index = np.unique(keys, return_inverse=True)
        both = (tally(part, counts, len(cells)) for part in np.split(index, 2))
        return cls(
            names,
            [names[code] for code in occurring] if positive is None else names,
            *np.divmod(cells, len(names)),
            *both,
        )

    def cells(self, numbers: IntArray) -> list[ConfusionCell]:
        """Return some of the cells, by their numbers."""
        labels = np.column_stack([self.gold, self.predicted])[numbers].tolist()
        first, second = (
            whole_numbers(counts[numbers].tolist())
            for counts in (self.first, self.second)
        )
        return [
            ConfusionCell(self.names[gold], self.names[other], a, b, gold == other)
            for (gold, other), a, b in zip(labels, first, second, strict=True)
        ]

    def matrix(self) -> tuple[tuple[ConfusionCell, ...], ...]:
        """Lay all cells out as a matrix, with the empty ones."""
        cells = self.cells(np.arange(len(self.gold)))
        filled = {(cell.gold, cell.predicted): cell for cell in cells}
        empty = (
            ConfusionCell(gold, other, 0, 0, right=gold == other)
            for gold in self.classes
            for other in self.classes
        )
        row = [filled.get((cell.gold, cell.predicted), cell) for cell in empty]
        width = len(self.classes)
        return tuple(tuple(row[i : i + width]) for i in range(0, len(row), width))

    def largest(self) -> tuple[ConfusionCell, ...]:
        """Return the cells with the largest differences."""
        sizes = np.abs(self.second - self.first)
        numbers = np.argsort(-sizes, kind="stable")[: np.count_nonzero(sizes)]
        return tuple(self.cells(numbers[:LARGEST]))


def _rest(names: Sequence[str], positive: str) -> str:
    """Name all classes but one."""
    others = [name for name in names if name != positive]
    return others[0] if len(others) == 1 else f"not {positive}"


def _types(table: Outcomes) -> tuple[TypeCounts, ...]:
    """Sum up the decisions on each class; those without any are left out."""
    sums = table.sums()
    if "tp" not in sums:
        return ()
    # As (class, system, statistic).
    counts = np.stack([sums[name] for name in TypeTally._fields], axis=-1)
    counts = counts.transpose(1, 0, 2)
    return tuple(
        TypeCounts(name, *(TypeTally(*whole_numbers(one)) for one in both))
        for name, both in zip(table.classes, counts.tolist(), strict=True)
        if any(map(any, both))
    )
