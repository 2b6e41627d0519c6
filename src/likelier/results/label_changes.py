"""Numbers of items that a system puts right and wrong, label by label."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse

from likelier._typing import FloatArray, IntArray
from likelier.data.differing_items import DifferingItems
from likelier.data.pattern_rows import tally, total
from likelier.formatting import plain

# So many labels stand for themselves; all others are counted together.
MOST_LABELS = 12


@dataclass(frozen=True)
class LabelChanges:
    """Items of a label that only one of two systems has right.

    Attributes
    ----------
    label
        Gold label; of sets and chunks, any label that was gold or predicted. None for
        all further labels together.
    fixed
        Number of items that only the second system has right; of sets and chunks, as
        to this label.
    broken
        Number of items that only the first system has right.
    labels
        Number of labels that are counted here.
    """

    label: str | None
    fixed: float
    broken: float
    labels: int = 1


def label_changes(
    items: DifferingItems, rows: IntArray, right: IntArray, positive: str | None
) -> tuple[LabelChanges, ...]:
    """Count what changed for each label, the label with the most changes first.

    Parameters
    ----------
    items
        The items of two systems.
    rows
        Rows that differ as the metric sees them.
    right
        System that is right on each of them: 1, 2, or 0 for neither.
    positive
        Class that the metric speaks of, where it is one.
    """
    if items.is_numbers:
        return ()
    if items.kind == "labels":
        labels = list(items.values)
        gold = items.cells[rows, 0]
        fixed, broken = (
            tally(gold, items.counts[rows] * (right == side), len(labels))
            for side in (2, 1)
        )
    else:
        labels = sorted({_name(part) for value in items.values for part in value})
        first, second = _wrong(items, rows, labels)
        gain = first - second
        fixed, broken = (
            np.asarray(part.T @ items.counts[rows]) for part in (gain > 0, gain < 0)
        )
        if positive is not None:
            one = [i for i, label in enumerate(labels) if label == positive]
            labels, fixed, broken = [positive] * len(one), fixed[one], broken[one]
    return _largest(labels, fixed, broken)


def _name(part: Any) -> str:
    """Return the label of a part of a set, or of the chunks of a sentence."""
    return part if isinstance(part, str) else part[0]


def _wrong(items: DifferingItems, rows: IntArray, labels: list[str]) -> list[Any]:
    """Return where each system is wrong as to a label, as sparse (row, label)."""
    index = {label: i for i, label in enumerate(labels)}
    # A part of a set is there; chunks have numbers of right, wrong and missing ones.
    cells = [
        (code, index[_name(part)])
        for code, value in enumerate(items.values)
        for part in value
        if isinstance(part, str) or part[2] or part[3]
    ]
    where = np.array(cells, dtype=np.int64).reshape(-1, 2).T
    shape = (len(items.values), len(labels))
    table = sparse.csr_array((np.ones(len(cells)), (where[0], where[1])), shape=shape)
    *gold, first, second = (table[column] for column in items.cells[rows].T)
    return [abs(part - gold[0]) if gold else part for part in (first, second)]


def _largest(
    labels: list[str], fixed: FloatArray, broken: FloatArray
) -> tuple[LabelChanges, ...]:
    """List the labels with the most changes, and the others together."""
    sizes = fixed + broken
    order = np.argsort(-sizes, kind="stable")[: np.count_nonzero(sizes)]
    first, rest = order[:MOST_LABELS], order[MOST_LABELS:]
    changes = [
        LabelChanges(plain(labels[i]), total(fixed[[i]]), total(broken[[i]]))
        for i in first
    ]
    if len(rest):
        both = total(fixed[rest]), total(broken[rest])
        changes.append(LabelChanges(None, *both, labels=len(rest)))
    return tuple(changes)
