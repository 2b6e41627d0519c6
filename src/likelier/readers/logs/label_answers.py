"""Answers of one system with labels: which count, and for how much of their item.

Items weigh alike, and so do the runs of an item and the answers of a run: an answer is
the smaller a share of its item the more of them there are.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likelier._typing import BoolArray, IntArray
from likelier.errors import InputError
from likelier.readers.logs.log import Log
from likelier.readers.logs.pairing_rules import PairingRules

_WRONG = "(no answer)"


def gold_labels(
    pairs: Sequence[tuple[Log, IntArray]], metric: str, n: int
) -> NDArray[np.object_]:
    """Return the gold label of each item, as the first log has it."""
    gold = np.full(n, None, dtype=object)
    for log, codes in reversed(pairs):
        labels = log.labels[metric].gold
        for row, label in enumerate(labels):
            if label is None:
                message = f"{log.locate(row)}: {metric} must have a gold label."
                raise InputError(message)
        gold[codes[::-1]] = labels[::-1]
    return gold


@dataclass(frozen=True)
class LabelAnswers:
    """Answers of one system, in the order of its logs.

    Attributes
    ----------
    n_items
        Number of all items.
    logs
        Its logs, one for each run.
    run, row
        The log of each answer, and its row there; -1 for an answer that is absent.
    item, repeat
        Numbers of its item and of the repeat.
    gold, label
        Its labels; no label where the answer failed or is absent.
    """

    n_items: int
    logs: Sequence[Log]
    run: IntArray
    row: IntArray
    item: IntArray
    repeat: IntArray
    gold: NDArray[np.object_]
    label: NDArray[np.object_]

    @classmethod
    def of(
        cls,
        pairs: Sequence[tuple[Log, IntArray]],
        metric: str,
        gold: NDArray[np.object_],
    ) -> "LabelAnswers":
        """Put the answers of all runs together, those that are absent among them."""
        parts = []
        for run, (log, codes) in enumerate(pairs):
            own = log.labels[metric]
            label = np.array(own.predicted, dtype=object)
            label[list(log.errors)] = None
            absent = np.setdiff1d(np.arange(len(gold)), codes)
            n, none = len(codes), np.full(len(absent), None)
            repeat = np.zeros(n, int) if log.repeats is None else log.repeats
            columns: Sequence[Any] = (
                np.full(n + len(absent), run),
                np.append(np.arange(n), np.full(len(absent), -1)),
                np.append(codes, absent),
                np.append(repeat, np.zeros(len(absent), int)),
                np.append(np.array(own.gold, dtype=object), gold[absent]),
                np.append(label, none),
            )
            parts.append(columns)
        every = (np.concatenate(column) for column in zip(*parts, strict=True))
        return cls(len(gold), [log for log, _ in pairs], *every)

    @property
    def absent(self) -> BoolArray:
        """Items that a run lacks (run, item)."""
        return self._tally(self.row < 0) > 0

    @property
    def failed(self) -> BoolArray:
        """Items with an answer that failed (run, item)."""
        return self._tally((self.row >= 0) & (self.label == None)) > 0  # noqa: E711

    def _tally(self, flags: BoolArray) -> IntArray:
        """Count answers (run, item)."""
        code = self.run[flags] * self.n_items + self.item[flags]
        counts = np.bincount(code, minlength=len(self.logs) * self.n_items)
        return counts.reshape(-1, self.n_items)

    def _usable(self, rules: PairingRules) -> BoolArray:
        usable = np.asarray(self.label != None)  # noqa: E711
        if rules.on_error == "wrong":
            usable |= self.row >= 0
        if rules.on_missing == "wrong":
            usable |= self.row < 0
        return usable

    def kept(self, rules: PairingRules) -> BoolArray:
        """Return the items that are not left out."""
        kept = self._tally(self._usable(rules)).any(axis=0)
        if rules.on_missing == "drop":
            kept &= ~self.absent.any(axis=0)
        return np.asarray(kept)

    def under(self, rules: PairingRules, kept: BoolArray) -> "LabelAnswers":
        """Keep usable answers to some items, sorted by item, run and repeat."""
        usable = np.flatnonzero(self._usable(rules) & kept[self.item])
        keys = (part[usable] for part in (self.repeat, self.run, self.item))
        index = usable[np.lexsort(tuple(keys))]
        names = ("run", "row", "item", "repeat", "gold")
        columns: dict[str, Any] = {name: getattr(self, name)[index] for name in names}
        label = self.label[index]
        label[label == None] = _WRONG  # noqa: E711
        return replace(self, **columns, label=label)

    @property
    def divisors(self) -> IntArray:
        """Into how many such shares its item is divided, for each answer."""
        counts = self._tally(np.ones_like(self.item, dtype=bool))
        return counts[self.run, self.item] * (counts > 0).sum(axis=0)[self.item]
