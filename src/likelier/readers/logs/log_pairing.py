"""Pair the scores of logs of one task: by item, repeats and runs averaged within items.

Nothing is paired by position. Items that only one log has, answers that failed, and
logs that do not show the same experiment are never passed over in silence.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from likelier._typing import BoolArray, FloatArray, IntArray
from likelier.errors import InputError, SettingError
from likelier.findings import Finding
from likelier.formatting import join_words
from likelier.readers.logs.log import Log
from likelier.readers.logs.pairing_rules import PairingRules
from likelier.readers.logs.same_experiment import check_same, number_items


@dataclass(frozen=True)
class PairedItems:
    """Items of one task that every system has.

    Attributes
    ----------
    task
        The task.
    items
        Their ids.
    values
        Mean over repeats and runs (item, system).
    findings
        Remarks on items that were left out, and on differences between the logs.
    rows
        Row of each item in the first system's log, to look fields up.
    first
        The first system's log.
    """

    task: str
    items: list[str]
    values: FloatArray
    findings: tuple[Finding, ...]
    rows: list[int]
    first: Log

    def look_up(self, name: str, indexes: Sequence[int] | None = None) -> list[Any]:
        """Return a field of some items, or of all."""
        if self.first.look_up is None:
            message = (
                f"{self.first.file.name} must have the field {name!r}; it has none."
            )
            raise InputError(message)
        rows = self.rows if indexes is None else [self.rows[i] for i in indexes]
        return self.first.look_up(name, rows)


def pair_scores(
    logs: Mapping[str, Sequence[Log]],
    metric: str,
    task: str,
    rules: PairingRules,
    *,
    worst: float = 0.0,
) -> PairedItems:
    """Pair the scores of systems on one task.

    Parameters
    ----------
    logs
        The logs of each system, several where it has several runs.
    metric
        The metric.
    task
        Name of the task.
    rules
        What to do with items that not every system answered.
    worst
        Value of an answer that is counted as wrong.
    """
    items, numbered = number_items(logs)
    for pairs in numbered.values():
        for log, codes in pairs:
            _check_once(log, codes)
    findings = [*check_same(numbered, rules), *runs_finding(logs)]
    n = len(items)
    columns = {
        system: _Answers.of(pairs, metric, n) for system, pairs in numbered.items()
    }
    values, kept, remarks = _settle(items, columns, task, rules, worst)
    first = next(iter(numbered.values()))[0]
    row_of = np.full(n, -1)
    row_of[first[1][::-1]] = np.arange(len(first[1]))[::-1]
    return PairedItems(
        task=task,
        items=[items[i] for i in kept.tolist()],
        values=values[kept],
        findings=(*findings, *remarks),
        rows=row_of[kept].tolist(),
        first=first[0],
    )


def _check_once(log: Log, codes: IntArray) -> None:
    """Refuse an item, or a repeat of it, that stands twice in a log."""
    if np.bincount(codes).max(initial=0) <= 1:
        return
    repeats = np.zeros(len(codes)) if log.repeats is None else np.array(log.repeats)
    order = np.lexsort((repeats, codes))
    same = (np.diff(codes[order]) == 0) & (np.diff(repeats[order]) == 0)
    if same.any():
        at = int(np.flatnonzero(same)[0])
        one, other = sorted(order[at : at + 2].tolist())
        message = (
            f"An item must stand once in a log; {log.items[one]!r} of {log.task} is at "
            f"{log.locate(one)} and {log.locate(other)}."
        )
        raise InputError(message)


@dataclass(frozen=True)
class _Answers:
    """Answers of one system: sums of their values and numbers, by item."""

    sums: FloatArray
    valid: IntArray
    failed: IntArray
    least: float
    most: float

    @classmethod
    def of(
        cls, pairs: Sequence[tuple[Log, IntArray]], metric: str, n: int
    ) -> "_Answers":
        """Add up the answers of all runs and repeats."""
        sums, valid, failed = np.zeros(n), np.zeros(n, int), np.zeros(n, int)
        least, most = np.inf, -np.inf
        for log, codes in pairs:
            scores = np.asarray(log.scores[metric], dtype=float)
            good = np.isfinite(scores)
            good[list(log.errors)] = False
            infinite = np.flatnonzero(np.isinf(scores))
            if infinite.size:
                where = log.locate(int(infinite[0]))
                message = f"{where}: {metric} must be finite; got an infinite value."
                raise InputError(message)
            sums += np.bincount(codes[good], scores[good], minlength=n)
            valid += np.bincount(codes[good], minlength=n)
            failed += np.bincount(codes[~good], minlength=n)
            least = min(least, scores[good].min(initial=np.inf))
            most = max(most, scores[good].max(initial=-np.inf))
        return cls(sums, valid, failed, least, most)


def _settle(
    items: Sequence[str],
    columns: Mapping[str, _Answers],
    task: str,
    rules: PairingRules,
    worst: float,
) -> tuple[FloatArray, IntArray, list[Finding]]:
    """Return the mean of each item and system, the items kept, and remarks."""

    def named(flags: Mapping[str, BoolArray]) -> dict[str, list[str]]:
        return {
            s: [items[i] for i in np.flatnonzero(f).tolist()] for s, f in flags.items()
        }

    absent = {s: (c.valid + c.failed) == 0 for s, c in columns.items()}
    failed = {s: c.failed > 0 for s, c in columns.items()}
    remarks = [
        *rules.missing(named(absent), task),
        *rules.failed(named(failed), task),
    ]
    if remarks and "wrong" in (rules.on_missing, rules.on_error):
        _check_wrong(columns)
    sums = np.column_stack([c.sums for c in columns.values()])
    valid = np.column_stack([c.valid for c in columns.values()])
    wrong = np.zeros_like(valid)
    if rules.on_error == "wrong":
        wrong += np.column_stack([c.failed for c in columns.values()])
    if rules.on_missing == "wrong":
        wrong += np.column_stack(list(absent.values()))
    sums, counts = sums + worst * wrong, valid + wrong
    kept = np.flatnonzero((counts > 0).all(axis=1))
    if not kept.size:
        message = f"Logs must have items of {task} in common; they have none."
        raise InputError(message, hint="likelier doctor shows the ids of each log.")
    return sums / np.maximum(counts, 1), kept, remarks


def _check_wrong(columns: Mapping[str, _Answers]) -> None:
    least = min(c.least for c in columns.values())
    most = max(c.most for c in columns.values())
    if least < 0 or most > 1:
        message = (
            "Items can only be counted as wrong where scores are from 0 to 1; these "
            f"are from {least:g} to {most:g}."
        )
        raise SettingError(message, hint="Use drop, or give them a score yourself.")


def runs_finding(logs: Mapping[str, Sequence[Log]]) -> list[Finding]:
    """Remark on runs, such as seeds, of which the answer is but the mean."""
    several = {s: len(of) for s, of in logs.items() if len(of) > 1}
    if not several:
        return []
    counts = join_words(f"{n} of {s}" for s, n in several.items())
    text = (
        f"the answer is about the mean over these runs ({counts}): it says how sure "
        "that is for other items, not for other seeds"
    )
    return [Finding("LIK153", text, severity="warning")]
