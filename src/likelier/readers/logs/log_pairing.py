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
    logs
        All logs, those of the first system first.
    places
        Number of the first log that has the item, and its row there (item, 2).
    """

    task: str
    items: list[str]
    values: FloatArray
    findings: tuple[Finding, ...]
    logs: tuple[Log, ...]
    places: IntArray

    @property
    def first(self) -> Log:
        """The first system's log."""
        return self.logs[0]

    def look_up(self, name: str, indexes: Sequence[int] | None = None) -> list[Any]:
        """Return a field of some items, or of all."""
        if self.first.look_up is None:
            message = (
                f"{self.first.file.name} must have the field {name!r}; it has none."
            )
            raise InputError(message)
        places = self.places if indexes is None else self.places[list(indexes)]
        values = np.full(len(places), None, dtype=object)
        for number, log in enumerate(self.logs):
            own = np.flatnonzero(places[:, 0] == number)
            if own.size and log.look_up is not None:
                fields = log.look_up(name, places[own, 1].tolist())
                for index, value in zip(own.tolist(), fields, strict=True):
                    values[index] = value
        return values.tolist()


def pair_scores(
    logs: Mapping[str, Sequence[Log]],
    metric: str,
    task: str,
    rules: PairingRules,
    *,
    worst: float = 0.0,
    failed: Mapping[str, Sequence[str]] | None = None,
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
    failed
        Items with answers that failed, by system, where scores do not tell.
    """
    items, numbered = number_items(logs)
    for pairs in numbered.values():
        for log, codes in pairs:
            check_once(log, codes)
    findings = [*check_same(numbered, rules), *runs_finding(logs)]
    n = len(items)
    columns = {
        system: _Answers.of(pairs, metric, n) for system, pairs in numbered.items()
    }
    remarks = _remarks(items, columns, task, rules, failed)
    values = np.column_stack([c.means(rules, worst) for c in columns.values()])
    kept = np.flatnonzero(~np.isnan(values).any(axis=1))
    if not kept.size:
        message = f"Logs must have items of {task} in common; they have none."
        raise InputError(message, hint="likelier doctor shows the ids of each log.")
    every = [pair for pairs in numbered.values() for pair in pairs]
    return PairedItems(
        task=task,
        items=[items[i] for i in kept.tolist()],
        values=values[kept],
        findings=(*findings, *remarks),
        logs=tuple(log for log, _ in every),
        places=_places([codes for _, codes in every], n)[kept],
    )


def _places(codes: Sequence[IntArray], n: int) -> IntArray:
    """Return the first log that has each item, and the first row of it there."""
    places = np.full((n, 2), -1)
    for number, own in reversed(list(enumerate(codes))):
        rows = np.arange(len(own))[::-1]
        places[own[::-1]] = np.column_stack([np.full(len(own), number), rows])
    return places


def check_once(log: Log, codes: IntArray) -> None:
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
    """Answers of one system: sums of their values and numbers (run, item)."""

    sums: FloatArray
    valid: IntArray
    failed: IntArray
    least: float
    most: float

    @classmethod
    def of(
        cls, pairs: Sequence[tuple[Log, IntArray]], metric: str, n: int
    ) -> "_Answers":
        """Add up the answers of each run over its repeats."""
        shape = len(pairs), n
        sums, valid, failed = (
            np.zeros(shape),
            np.zeros(shape, int),
            np.zeros(shape, int),
        )
        least, most = np.inf, -np.inf
        for run, (log, codes) in enumerate(pairs):
            scores = np.asarray(log.scores[metric], dtype=float)
            good = np.isfinite(scores)
            good[list(log.errors)] = False
            infinite = np.flatnonzero(np.isinf(scores))
            if infinite.size:
                where = log.locate(int(infinite[0]))
                message = f"{where}: {metric} must be finite; got an infinite value."
                raise InputError(message)
            sums[run] = np.bincount(codes[good], scores[good], minlength=n)
            valid[run] = np.bincount(codes[good], minlength=n)
            failed[run] = np.bincount(codes[~good], minlength=n)
            least = min(least, scores[good].min(initial=np.inf))
            most = max(most, scores[good].max(initial=-np.inf))
        return cls(sums, valid, failed, least, most)

    @property
    def absent(self) -> BoolArray:
        """Runs that do not have an item (run, item)."""
        return (self.valid + self.failed) == 0

    def means(self, rules: PairingRules, worst: float) -> FloatArray:
        """Return the mean of each item over its runs, NaN where it is left out."""
        wrong = np.zeros_like(self.valid)
        if rules.on_error == "wrong":
            wrong += self.failed
        if rules.on_missing == "wrong":
            wrong += self.absent
        counts = self.valid + wrong
        of_runs = (self.sums + worst * wrong) / np.maximum(counts, 1)
        runs = (counts > 0).sum(axis=0)
        means: FloatArray = of_runs.sum(axis=0) / np.maximum(runs, 1)
        left_out = runs == 0
        if rules.on_missing == "drop":
            left_out |= self.absent.any(axis=0)
        means[left_out] = np.nan
        return means


def _remarks(
    items: Sequence[str],
    columns: Mapping[str, _Answers],
    task: str,
    rules: PairingRules,
    failed: Mapping[str, Sequence[str]] | None,
) -> list[Finding]:
    """Refuse items that are missing or failed, or say what becomes of them."""

    def named(flags: BoolArray) -> list[str]:
        return [items[i] for i in np.flatnonzero(flags.any(axis=0)).tolist()]

    if failed is None:
        failed = {s: named(c.failed > 0) for s, c in columns.items()}
    missing = {s: named(c.absent) for s, c in columns.items()}
    remarks = [*rules.missing(missing, task), *rules.failed(failed, task)]
    if remarks and "wrong" in (rules.on_missing, rules.on_error):
        _check_wrong(columns)
    return remarks


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
