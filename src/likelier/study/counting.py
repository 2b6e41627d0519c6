"""What systems said of test items, counted as outcomes of all of them."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likelier.data.chunks import tag_outcomes
from likelier.data.outcomes import Outcomes
from likelier.data.tag_corpus import TagCodes, TagCorpus
from likelier.errors import InputError, NotDefinedError
from likelier.readers.tokens import ClusterName, TaggedTokens
from likelier.study.plan import DataPlan
from likelier.study.record import Record

Rows = Sequence[Sequence[Record]]


@dataclass(frozen=True, eq=False)
class Counting:
    """What is to be counted, of which systems."""

    data: DataPlan
    metric: str
    systems: tuple[str, ...]
    schemes: tuple[str | None, ...]
    cluster: NDArray[np.int64] | None
    known: str | None

    def counted(self, rows: Rows) -> Outcomes:
        """Count records, one row per system."""
        table = self._counted(rows)
        if table.items is None:
            return table
        # A place among the records of all folds is no name of an item.
        return replace(table, items=replace(table.items, ids=()))

    def _counted(self, rows: Rows) -> Outcomes:
        if self.data.task == "scores":
            values = [np.concatenate([r.scores for r in row]) for row in rows]
            return Outcomes.from_scores(
                *values, systems=self.systems, cluster=self.cluster
            )
        if self.data.task in ("labels", "sets"):
            return self._labels(rows)
        lengths = np.concatenate([r.lengths for r in rows[0]]).astype(np.int64)
        if self.data.task == "chunks":
            return self._chunks(rows, lengths)
        return self._tags(rows, lengths)

    def _labels(self, rows: Rows) -> Outcomes:
        names, codes = _codes(rows, {})
        sets = self.data.task == "sets"
        values = np.empty(len(names), dtype=object)
        values[:] = [frozenset(json.loads(n)) for n in names] if sets else names
        make = Outcomes.from_sets if sets else Outcomes.from_labels
        classes = None
        if self.known is not None:
            found = {c for row in rows for record in row for c in record.classes}
            classes = sorted({self.known, *found})
        return make(
            *(values[column].tolist() for column in codes),
            systems=self.systems,
            classes=classes,
            cluster=self.cluster,
        )

    def _chunks(self, rows: Rows, lengths: NDArray[np.int64]) -> Outcomes:
        tags, codes = _codes(rows, TagCodes())
        gold = str(self.data.scheme)

        def where(tagger: int, token: int) -> str:
            return f"Token {token} of {['gold', *self.systems][tagger]}"

        return tag_outcomes(
            TagCorpus(tags, tuple(codes), lengths),
            systems=self.systems,
            scheme=[gold, *(scheme or gold for scheme in self.schemes)],
            strict=False,
            typed=True,
            only=None,
            cluster=self.cluster,
            where=where,
        )

    def _tags(self, rows: Rows, lengths: NDArray[np.int64]) -> Outcomes:
        tags, codes = _codes(rows, {})
        groups = self.cluster
        tokens = TaggedTokens(
            systems=self.systems,
            tags=tags,
            codes=np.column_stack(codes),
            offsets=np.append(0, np.cumsum(lengths)),
            forms=None,
            documents=lambda: np.arange(len(lengths)) if groups is None else groups,
            findings=(),
            source="tags",
        )
        cluster: ClusterName = "sentence" if groups is None else "document"
        if self.metric == "sentence_accuracy":
            return tokens.sentence_outcomes(None if groups is None else "document")
        if self.metric == "oov_accuracy":
            return tokens.marked_outcomes(cluster, _unseen(rows), "oov of each fold")
        return tokens.token_outcomes(cluster)


def _unseen(rows: Rows) -> NDArray[np.bool_]:
    """Give the tokens that training did not have, on which all systems agree."""
    marks = [np.concatenate([r.unseen for r in row]).astype(bool) for row in rows]
    if any(not np.array_equal(marks[0], other) for other in marks[1:]):
        message = "All systems must have the same unseen tokens; the store has others."
        raise InputError(message)
    if not marks[0].any():
        message = "oov_accuracy must have tokens that training did not have."
        raise NotDefinedError(message)
    return marks[0]


def clusters(records: Sequence[Record]) -> NDArray[np.int64] | None:
    """Give the groups of all folds numbers; one that is tested again has another."""
    if any(len(record.groups) == 0 for record in records):
        return None
    numbers, last = [], 0
    for record in records:
        numbers.append(record.groups.astype(np.int64) + last)
        last += int(record.groups.max()) + 1
    return np.concatenate(numbers)


def _codes(
    rows: Rows, numbers: dict[str, int]
) -> tuple[tuple[str, ...], list[NDArray[Any]]]:
    """Give the labels of all records numbers: gold first, then what systems said."""

    def column(records: Sequence[Record], name: str) -> NDArray[Any]:
        parts = []
        for record in records:
            known = [_number(word, numbers) for word in record.words]
            parts.append(np.array(known, dtype=np.int32)[getattr(record, name)])
        return np.concatenate(parts)

    gold = [column(records, "gold") for records in rows]
    if any(not np.array_equal(gold[0], other) for other in gold[1:]):
        message = "All systems must have the same gold labels; the store has others."
        raise InputError(message)
    said = [column(records, "said") for records in rows]
    return tuple(numbers), [gold[0], *said]


def _number(word: str, numbers: dict[str, int]) -> int:
    if word not in numbers:
        numbers[word] = len(numbers)
    return numbers[word]
