"""Metrics of repeated answers: pass@k, pass^k and majority@k, item by item.

Of the n answers to an item, k are imagined to be drawn without replacement: pass@k is
the probability that at least one of them is right, pass^k that all are, majority@k
that the most frequent label among them is the gold one.
"""

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import comb
from typing import Any

import numpy as np

from likelier.errors import InputError, SettingError
from likelier.readers.logs.log import Log

_NAME = re.compile(r"(?:(.+):)?(pass@|pass\^|majority@)([1-9][0-9]{0,5})")


def pass_at(right: int, answers: int, k: int) -> float:
    """Return the probability that at least one of k answers is right.

    Examples
    --------
    >>> pass_at(1, 4, 2), pass_at(0, 4, 2), pass_at(3, 4, 2)
    (0.5, 0.0, 1.0)
    """
    return 1 - comb(answers - right, k) / comb(answers, k)


def pass_all(right: int, answers: int, k: int) -> float:
    """Return the probability that all of k answers are right.

    Examples
    --------
    >>> pass_all(3, 4, 2), pass_all(1, 4, 2)
    (0.5, 0.0)
    """
    return comb(right, k) / comb(answers, k)


def majority_at(gold: str, labels: Sequence[str], k: int) -> float:
    """Return the probability that the gold label is the most frequent one of k.

    Labels that are equally frequent are equally likely to be taken.

    Examples
    --------
    >>> majority_at("a", ["a", "a", "b"], 3), majority_at("a", ["a", "b"], 2)
    (1.0, 0.5)
    """
    counts = Counter(labels)
    own = counts.pop(gold, 0)
    share = 0.0
    for j in range(1, min(own, k) + 1):
        # Samples of the other labels by their number, and by how many labels tie.
        samples: dict[tuple[int, int], int] = {(0, 0): 1}
        for count in counts.values():
            samples = _with_label(samples, count, most=j, room=k - j)
        wins = sum(
            many / (1 + ties)
            for (taken, ties), many in samples.items()
            if taken == k - j
        )
        share += comb(own, j) * wins
    return share / comb(len(labels), k)


def _with_label(
    samples: Mapping[tuple[int, int], int], count: int, *, most: int, room: int
) -> dict[tuple[int, int], int]:
    """Take some answers of one more label, never more than the gold label has."""
    wider: Counter[tuple[int, int]] = Counter()
    for (taken, ties), many in samples.items():
        for i in range(min(count, most, room - taken) + 1):
            wider[taken + i, ties + (i == most)] += many * comb(count, i)
    return wider


_OF_COUNTS: dict[str, Callable[[int, int, int], float]] = {
    "pass@": pass_at,
    "pass^": pass_all,
}


@dataclass(frozen=True)
class RepeatMetric:
    """A metric of k of the answers to each item.

    Attributes
    ----------
    kind
        ``pass@``, ``pass^`` or ``majority@``.
    k
        How many answers are imagined to be drawn.
    score
        The scores, or labels, that say which answers are right; None for the only ones.
    """

    kind: str
    k: int
    score: str | None = None

    @classmethod
    def of(cls, name: str | None) -> "RepeatMetric | None":
        """Read a name such as ``pass@5`` or ``exact_match:pass@5``.

        Examples
        --------
        >>> RepeatMetric.of("match:pass^3")
        RepeatMetric(kind='pass^', k=3, score='match')
        >>> RepeatMetric.of("accuracy")
        """
        match = _NAME.fullmatch(name or "")
        return None if match is None else cls(match[2], int(match[3]), match[1])

    @property
    def name(self) -> str:
        """Its name, without that of the scores."""
        return f"{self.kind}{self.k}"

    @property
    def of_labels(self) -> bool:
        """Whether it is about labels, and not about scores."""
        return self.kind == "majority@"

    def column(self, logs: Sequence[Log]) -> str:
        """Return the scores or labels that it is about; refuse where there are more."""
        names = dict.fromkeys(
            n for x in logs for n in (x.labels if self.of_labels else x.scores)
        )
        heads = {log.headline for log in logs}
        if self.score is not None:
            return self.score
        if len(names) == 1:
            return next(iter(names))
        if len(heads) == 1 and heads <= {*names}:
            return str(heads.pop())
        what = "labels" if self.of_labels else "scores"
        if not names:
            message = f"{self.name} must have {what} of every answer; there are none."
            raise SettingError(message)
        message = f"{self.name} must know which {what}; there are {', '.join(names)}."
        raise SettingError(message, hint=f"--metric {next(iter(names))}:{self.name}")

    def per_item(
        self, log: Log, column: str, *, on_error: str, higher_is_better: bool = True
    ) -> Log:
        """Return a log with one row per item, whose score is the metric.

        Parameters
        ----------
        log
            A log.
        column
            The scores, or labels, that say which answers are right.
        on_error
            What to do with answers that failed.
        higher_is_better
            Whether a score of 1 is right, or one of 0.
        """
        rows: dict[str, list[int]] = {}
        for row, item in enumerate(log.items):
            rows.setdefault(item, []).append(row)
        value = self._majority
        if column not in log.labels:
            value = partial(self._passes, right=float(higher_is_better))
        errors: dict[int, str] = {}
        values = np.full(len(rows), np.nan)
        for i, (item, own) in enumerate(rows.items()):
            failed = [row for row in own if _failed(log, column, row)]
            kept = own if on_error == "wrong" else [r for r in own if r not in failed]
            if (failed and on_error == "fail") or not kept:
                errors[i] = log.errors.get(own[0], "no value")
                continue
            if len(kept) < self.k:
                message = (
                    f"{self.name} must have at least {self.k} answers to every item; "
                    f"{item!r} has {len(kept)} at {log.locate(own[0])}."
                )
                raise InputError(message)
            values[i] = value(log, column, kept)
        first = [own[0] for own in rows.values()]
        return replace(
            log,
            items=list(rows),
            locate=lambda i: log.locate(first[i]),
            repeats=None,
            scores={self.name: values},
            labels={},
            higher_is_better={self.name: True},
            errors=errors,
            hashes={n: [of[row] for row in first] for n, of in log.hashes.items()},
            look_up=_first_rows(log, first),
        )

    def _passes(
        self, log: Log, column: str, rows: Sequence[int], *, right: float
    ) -> float:
        times = 0
        for row in rows:
            score = log.scores[column][row]
            if score not in (0, 1) and not _failed(log, column, row):
                message = (
                    f"{log.locate(row)}: {self.name} must have scores of 0 and 1; "
                    f"{column} is {score:g}."
                )
                raise InputError(message)
            times += int(score == right and row not in log.errors)
        return _OF_COUNTS[self.kind](times, len(rows), self.k)

    def _majority(self, log: Log, column: str, rows: Sequence[int]) -> float:
        pairs = log.labels[column]
        labels = [
            f"{row} failed" if _failed(log, column, row) else str(pairs.predicted[row])
            for row in rows
        ]
        return majority_at(str(pairs.gold[rows[0]]), labels, self.k)


def failed_items(log: Log, column: str) -> list[str]:
    """Return the items with an answer that failed or has no value."""
    failed = (i for row, i in enumerate(log.items) if _failed(log, column, row))
    return list(dict.fromkeys(failed))


def _failed(log: Log, column: str, row: int) -> bool:
    if column in log.labels:
        return row in log.errors or log.labels[column].predicted[row] is None
    return row in log.errors or bool(np.isnan(log.scores[column][row]))


def _first_rows(log: Log, first: Sequence[int]) -> Any:
    """Look fields up in the first row of each item."""
    look_up = log.look_up
    if look_up is None:
        return None
    return lambda name, rows: look_up(
        name, first if rows is None else [first[row] for row in rows]
    )
