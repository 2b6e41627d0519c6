"""Items on which two systems differ, by their answers, with examples."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from likelier._typing import IntArray
from likelier.data.differing_items import DifferingItems
from likelier.data.outcomes import Outcomes
from likelier.formatting import plain, plain_texts
from likelier.metrics.metric import Metric

Side = Literal["first", "second", "neither"]

_SIDES: tuple[Side, ...] = ("neither", "first", "second")


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
    """

    gold: str | None
    first: str
    second: str
    right: Side
    count: float
    ids: tuple[str, ...]

    @property
    def more(self) -> bool:
        """Whether there are more such items than are named."""
        return self.count > len(self.ids)


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

    @property
    def neither(self) -> float:
        """Number of the items that neither system has right."""
        return self.items - self.first_right - self.second_right

    @property
    def unnamed(self) -> float:
        """Number of items in the listed rows that are not named there."""
        return sum(row.count - len(row.ids) for row in self.rows)

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
        return " ".join([text, *self._remarks()])

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

    def _remarks(self) -> list[str]:
        rows, items = self.left_out
        unseen = (
            f"On {_count_text(self.unseen)} more they differ in a way that the metric "
            "does not see."
        )
        left = f"{rows:,} rows with {_count_text(items)} {self.unit} are not listed."
        return [*([unseen] if self.unseen else []), *([left] if rows else [])]


def changed_items(table: Outcomes, metric: Metric, most: int) -> Changes | None:
    """List the items on which the two systems of a table differ.

    Parameters
    ----------
    table
        The outcomes of two systems.
    metric
        Metric of the comparison, which knows whether greater scores are better.
    most
        Number of rows to list.

    Returns
    -------
    Changes or None
        None where the items of these systems are not recorded.
    """
    first, second = table.systems
    items = None if table.items is None else table.items.pair(first, second)
    if items is None:
        return None
    positive = table.classes[0] if table.one_vs_rest else None
    seen = items.seen(positive)
    differ = np.flatnonzero(seen[:, -1] != seen[:, -2])
    right = _right(items, metric, positive)[differ]
    counts, order = items.counts[differ], _order(items, differ)
    listed, rest = order[:most], order[most:]
    return Changes(
        systems=(first, second),
        unit=table.unit,
        gold=items.has_gold,
        scores=items.kind == "scores",
        rows=tuple(_row(items, int(differ[i]), _SIDES[right[i]]) for i in listed),
        total=table.n_items,
        items=_total(counts),
        first_right=_total(counts[right == 1]),
        second_right=_total(counts[right == 2]),
        unseen=_total(np.delete(items.counts, differ)),
        left_out=(len(rest), _total(counts[rest])),
    )


def _right(items: DifferingItems, metric: Metric, positive: str | None) -> IntArray:
    """Return which system is right, as an index into `_SIDES`."""
    right = items.right(positive)
    if right is None:
        gains = metric.oriented(items.cells[:, 1] - items.cells[:, 0])
        return np.where(gains > 0, 2, 1)
    return np.select([right[:, 0], right[:, 1]], [1, 2], 0)


def _order(items: DifferingItems, rows: IntArray) -> IntArray:
    """Sort rows by count, or scores by difference; ties keep their order."""
    cells, counts = items.cells[rows], items.counts[rows]
    if items.kind == "scores":
        return np.lexsort([-counts, -np.abs(cells[:, 1] - cells[:, 0])])
    return np.argsort(-counts, kind="stable")


def _row(items: DifferingItems, row: int, right: Side) -> ChangeRow:
    texts = plain_texts([items.text(cell) for cell in items.cells[row]])
    return ChangeRow(
        gold=texts[0] if items.has_gold else None,
        first=texts[-2],
        second=texts[-1],
        right=right,
        count=_total(items.counts[row : row + 1]),
        ids=plain_texts(items.examples(row)),
    )


def _total(counts: NDArray[np.float64]) -> float:
    total = float(counts.sum())
    return int(total) if total.is_integer() else total


def _count_text(number: float) -> str:
    return f"{number:,.6g}" if number % 1 else f"{number:,.0f}"
