"""Confusion of labels by two systems, and counts by type, side by side."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from likelier._typing import FloatArray, IntArray
from likelier.data.differing_items import DifferingItems
from likelier.data.outcomes import Outcomes
from likelier.data.pattern_rows import tally, total

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
    """Count the predictions of two systems by gold label; None for scores.

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
    labelled = items is not None and items.kind == "labels"
    if not labelled and "tp" not in table.statistics:
        return None
    classes: Sequence[str] = ()
    cells: list[ConfusionCell] = []
    if labelled and items is not None:
        positive = table.classes[0] if table.one_vs_rest else None
        classes, cells = _cells(items, positive)
    by_change = sorted(cells, key=lambda cell: -abs(cell.difference))
    few = len(classes) <= MOST_CLASSES
    return Confusion(
        systems=(first, second),
        unit=table.unit,
        classes=tuple(classes) if few else (),
        rows=_matrix(classes, cells) if few else (),
        largest=tuple(cell for cell in by_change[:LARGEST] if cell.difference),
        types=_types(table),
    )


def _cells(
    items: DifferingItems, positive: str | None
) -> tuple[list[str], list[ConfusionCell]]:
    """Return the classes that occur, and the cells that are not empty."""
    gold = np.append(items.cells[:, 0], items.agreed[:, 0]).astype(np.int64)
    counts = np.append(items.counts, items.agreed_counts)
    predicted = [
        np.append(column, items.agreed[:, 1]).astype(np.int64)
        for column in items.cells[:, 1:].T
    ]
    names = list(items.values)
    if positive is not None:
        code = names.index(positive)
        gold, *predicted = ((column != code) * 1 for column in (gold, *predicted))
        names = [positive, _rest(names, positive)]
    occurring = np.unique([gold, *predicted]).tolist()
    classes = names if positive is not None else [names[code] for code in occurring]
    return classes, _counted(names, gold, predicted, counts)


def _rest(names: Sequence[str], positive: str) -> str:
    """Name all classes but one."""
    others = [name for name in names if name != positive]
    return others[0] if len(others) == 1 else f"not {positive}"


def _counted(
    names: Sequence[str],
    gold: IntArray,
    predicted: Sequence[IntArray],
    counts: FloatArray,
) -> list[ConfusionCell]:
    """Count the items of each cell that occurs, by gold label and prediction."""
    keys = np.concatenate([gold * len(names) + column for column in predicted])
    cells, index = np.unique(keys, return_inverse=True)
    first, second = (tally(part, counts, len(cells)) for part in np.split(index, 2))
    return [
        ConfusionCell(
            gold=names[cell // len(names)],
            predicted=names[cell % len(names)],
            first=total(first[[i]]),
            second=total(second[[i]]),
            right=cell // len(names) == cell % len(names),
        )
        for i, cell in enumerate(cells.tolist())
    ]


def _matrix(
    classes: Sequence[str], cells: Sequence[ConfusionCell]
) -> tuple[tuple[ConfusionCell, ...], ...]:
    """Lay cells out as a matrix, with the empty ones."""
    filled = {(cell.gold, cell.predicted): cell for cell in cells}
    return tuple(
        tuple(
            filled.get((gold, other)) or ConfusionCell(gold, other, 0, 0, gold == other)
            for other in classes
        )
        for gold in classes
    )


def _types(table: Outcomes) -> tuple[TypeCounts, ...]:
    """Sum up the decisions on each class; those without any are left out."""
    sums = table.sums()
    if "tp" not in sums:
        return ()
    # As (class, system, statistic).
    counts = np.stack([sums[name] for name in TypeTally._fields], axis=-1)
    counts = counts.transpose(1, 0, 2)
    return tuple(
        TypeCounts(name, *(TypeTally(*(total(n) for n in one)) for one in both))
        for name, both in zip(table.classes, counts, strict=True)
        if both.any()
    )
