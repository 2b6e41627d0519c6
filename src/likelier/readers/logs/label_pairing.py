"""Pair the gold and predicted labels of logs of one task.

The answers of all systems to an item stand side by side, in the order of runs and
repeats; where their numbers differ, each for its share of the item.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import lcm
from typing import TYPE_CHECKING

import numpy as np

from likelier._typing import IntArray
from likelier.data.outcomes import Outcomes
from likelier.errors import InputError
from likelier.readers.logs.item_fields import field_of_items
from likelier.readers.logs.label_answers import LabelAnswers, gold_labels
from likelier.readers.logs.log import Log
from likelier.readers.logs.log_pairing import check_once, runs_finding
from likelier.readers.logs.pairing_rules import PairingRules
from likelier.readers.logs.same_experiment import check_same, number_items

if TYPE_CHECKING:
    from likelier.data.item_examples import Ids

# Shares of items are whole numbers of parts; all parts must fit into an integer.
_MOST_PARTS = 2**62


def pair_labels(
    logs: Mapping[str, Sequence[Log]],
    metric: str,
    task: str,
    rules: PairingRules,
    *,
    cluster: str | None = None,
) -> Outcomes:
    """Pair the labels of systems on one task; several answers are clusters of an item.

    Parameters
    ----------
    logs
        The logs of each system, several where it has several runs.
    metric
        The metric whose values are labels.
    task
        Name of the task.
    rules
        What to do with items that not every system answered.
    cluster
        The field that says which items belong together.
    """
    items, numbered = number_items(logs)
    findings = [*check_same(numbered, rules), *runs_finding(logs)]
    every = [pair for pairs in numbered.values() for pair in pairs]
    for log, codes in every:
        check_once(log, codes)
    gold = gold_labels(every, metric, len(items))
    answers = {s: LabelAnswers.of(of, metric, gold) for s, of in numbered.items()}
    for remark, flag in ((rules.missing, "absent"), (rules.failed, "failed")):
        flags = {s: getattr(a, flag).any(axis=0) for s, a in answers.items()}
        named = {s: _picked(items, np.flatnonzero(f)) for s, f in flags.items()}
        findings += remark(named, task)
    kept = np.all([a.kept(rules) for a in answers.values()], axis=0)
    if not kept.any():
        message = f"Logs must have items of {task} in common; they have none."
        raise InputError(message)
    sides = [a.under(rules, kept) for a in answers.values()]
    rows = _SideBySide.of(sides)
    rows.check_gold(items)
    fields = {}
    if cluster:
        own = _picked(items, np.flatnonzero(kept))
        fields = field_of_items([log for log, _ in every], own, cluster)
    outcomes = rows.outcomes(list(logs), items, fields)
    return replace(outcomes, findings=(*findings, *outcomes.findings))


def _picked(items: Sequence[str], codes: IntArray) -> list[str]:
    return [items[code] for code in codes.tolist()]


@dataclass(frozen=True)
class _SideBySide:
    """Rows with one answer of each system, and their shares of an item in parts.

    Attributes
    ----------
    sides
        Answers of each system.
    index
        The answer of each system in each row.
    shares
        Parts of the item that the row stands for.
    parts
        Parts of every item.
    """

    sides: Sequence[LabelAnswers]
    index: Sequence[IntArray]
    shares: IntArray
    parts: int

    @classmethod
    def of(cls, sides: Sequence[LabelAnswers]) -> "_SideBySide":
        """Cut each item wherever the answer of some system ends."""
        divisors = [side.divisors for side in sides]
        parts = lcm(*np.unique(np.concatenate(divisors)).tolist())
        most = _MOST_PARTS // sides[0].n_items
        if parts > most:
            message = (
                "Numbers of answers to items must have a common multiple of at most "
                f"{most:.2g} where labels are compared; theirs is larger."
            )
            hint = "Keep as many answers to each item; or compare scores of answers."
            raise InputError(message, hint=hint)
        ends = [np.cumsum(parts // own) for own in divisors]
        cuts = np.unique(np.concatenate(ends))
        index = [np.searchsorted(own, cuts) for own in ends]
        return cls(sides, index, np.diff(cuts, prepend=0), parts)

    def check_gold(self, items: Sequence[str]) -> None:
        """Refuse rows whose answers have different gold labels."""
        first = self.sides[0].gold[self.index[0]]
        for side, index in zip(self.sides[1:], self.index[1:], strict=True):
            other = np.flatnonzero(side.gold[index] != first)
            if other.size:
                at = int(index[other[0]])
                where = side.logs[side.run[at]].locate(int(side.row[at]))
                message = (
                    f"{where}: the gold label of {items[side.item[at]]!r} must be that "
                    f"of the other logs, {first[other[0]]!r}; it is {side.gold[at]!r}."
                )
                raise InputError(message)

    def outcomes(
        self, systems: Sequence[str], items: Sequence[str], clusters: Mapping[str, str]
    ) -> Outcomes:
        """Count the rows, by clusters or by items where these have several answers."""
        both = list(zip(self.sides, self.index, strict=True))
        side, index = both[0]
        names = _picked(items, side.item[index])
        alike = bool((self.shares == 1).all())
        ids: Ids = names if alike else lambda rows: [[names[row]] for row in rows]
        own = names if self.parts > 1 else None
        table = Outcomes.from_patterns(
            [side.gold[index].tolist(), *(s.label[i].tolist() for s, i in both)],
            None if alike else self.shares,
            systems=systems,
            cluster=[clusters[name] for name in names] if clusters else own,
            ids=ids,
        )
        if self.parts == 1:
            return table
        # Items weigh alike, also beside those of other tasks.
        rows, sizes = table.rows / self.parts, table.sizes / self.parts
        differing = table.items and table.items.divided(self.parts)
        return replace(table, rows=rows, sizes=sizes, items=differing)
