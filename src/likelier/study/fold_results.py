"""Stored folds put together: outcomes of all systems, metrics, scores, failures."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likelier import metrics
from likelier.data.chunks import tag_outcomes
from likelier.data.encoding import Clusters, Numbering
from likelier.data.outcomes import Outcomes
from likelier.data.scores import Scores
from likelier.data.tag_corpus import TagCodes, TagCorpus
from likelier.data.token_tags import ClusterName, TaggedTokens
from likelier.errors import InputError, NotDefinedError, unknown_name
from likelier.metrics.metric import Metric
from likelier.metrics.positive import select_positive
from likelier.results.study_folds import FailedFold, FoldRow
from likelier.study.fingerprints import digest
from likelier.study.record_bytes import RecordBytes
from likelier.study.records import Record
from likelier.study.schedule import FoldKey, FoldResult, Schedule
from likelier.study.store import Store

_FOREIGN = "Restore the store from a copy, or run the study with another: --store FILE"
FoldNumber = tuple[int, int]
# Records of folds, one row per system.
Rows = Sequence[Sequence[Record]]


@dataclass(frozen=True, eq=False)
class FoldResults:
    """Schedule of a study, and the results that are stored for it.

    Attributes
    ----------
    schedule
        What the study needs.
    results
        The finished folds.
    records
        Predictions of the systems, fold by fold.
    failures
        The folds that failed in their last run.
    damaged
        How many rows of the store did not match their checksum.
    """

    schedule: Schedule
    results: Mapping[FoldKey, FoldResult]
    records: Mapping[FoldKey, Record]
    failures: tuple[FoldResult, ...] = ()
    damaged: int = 0

    @classmethod
    def of(cls, store: Store) -> "FoldResults":
        """Read a store."""
        schedule = store.schedule()
        stored, damaged = store.results(schedule.folds)
        failures = store.failures(schedule.folds)
        records = _read_records(stored)
        results = {key: stored[key] for key in records}
        # Systems that are the same share their rows.
        unread = {r.planned.fingerprint for k, r in stored.items() if k not in records}
        unfinished = tuple(f for f in failures if f.planned.key not in results)
        _check_same_items(schedule, records)
        return cls(schedule, results, records, unfinished, damaged + len(unread))

    @property
    def digest(self) -> str:
        """Hash of everything the systems predicted, in the order of the schedule."""
        finished = [p for p in self.schedule.folds if p.key in self.results]
        return digest(
            [(str(planned.key), planned.fingerprint) for planned in finished],
            [self.results[planned.key].record for planned in finished],
        )

    def numbers(self, dataset: str) -> list[FoldNumber]:
        """Return the repetitions and folds of a data set."""
        keys = (planned.key for planned in self.schedule.folds)
        return list(
            dict.fromkeys((k.repetition, k.fold) for k in keys if k.dataset == dataset)
        )

    def complete(self, dataset: str, systems: Sequence[str]) -> bool:
        """Check whether some systems have all folds of a data set."""
        return all(
            FoldKey(dataset, system, *number) in self.results
            for system in systems
            for number in self.numbers(dataset)
        )

    def outcomes(
        self,
        dataset: str,
        metric: str,
        *,
        systems: Sequence[str],
        numbers: Sequence[FoldNumber] | None = None,
        clustered: bool = True,
        positive: str | None = None,
    ) -> Outcomes:
        """Count the predictions of systems for the test items of folds.

        Parameters
        ----------
        dataset
            Name of the data set.
        metric
            What will be computed; tags are counted by tokens, sentences or unseen
            tokens.
        systems
            Names of the systems, the baseline first.
        numbers
            Repetitions and folds; all by default.
        clustered
            Whether groups of items are clusters, where there are any.
        positive
            A class that counts even where it does not occur.
        """
        numbers = self.numbers(dataset) if numbers is None else numbers
        rows = [
            [self.records[FoldKey(dataset, system, *number)] for number in numbers]
            for system in systems
        ]
        task = self.schedule.task
        cluster = _cluster_numbers(rows[0]) if clustered else None
        shared: dict[str, Any] = {"systems": tuple(systems), "cluster": cluster}
        if task == "scores":
            values = [np.concatenate([r.scores for r in row]) for row in rows]
            table = Outcomes.from_scores(*values, **shared)
        elif task == "chunks":
            gold = str(self.schedule.datasets[dataset].scheme)
            schemes = [self.schedule.systems[name] or gold for name in systems]
            table = _chunk_outcomes(rows, [gold, *schemes], **shared)
        elif task == "tags":
            table = _tag_outcomes(rows, metric, **shared)
        else:
            table = _label_outcomes(rows, task, positive, **shared)
        if table.items is None:
            return table
        # A position among the records of all folds is no name of an item.
        return replace(table, items=replace(table.items, ids=()))

    def value(self, key: FoldKey, metric: str) -> float | None:
        """Return a metric of one system on one fold; None where it is not defined."""
        formula = self.metric(metric)
        positive = self.schedule.positive if formula.of_one_class else None
        if positive is not None and positive not in self._classes:
            raise unknown_name(positive, self._classes, kind="positive")
        try:
            table = self.outcomes(
                key.dataset,
                metric,
                systems=[key.system],
                numbers=[(key.repetition, key.fold)],
                clustered=False,
                positive=positive,
            )
        except NotDefinedError:
            return None
        if positive is not None and positive not in table.classes:
            # No chunk of the type in this fold, right or wrong: 0/0 counts as 0.
            return 0.0
        table, _ = select_positive(table, formula, positive)
        return float(formula.observed(table)[0])

    @cached_property
    def _classes(self) -> list[str]:
        """All classes of all records."""
        return sorted({c for record in self.records.values() for c in record.classes})

    def metric(self, name: str) -> Metric:
        """Return a metric; classes are pooled if items have many and none is named."""
        metric = metrics.named(name)
        many = self.schedule.task in ("chunks", "sets")
        if many and metric.of_one_class and self.schedule.positive is None:
            return metrics.averaged(metric, "micro")
        return metric

    def rows(self, names: Sequence[str]) -> Iterator[FoldRow]:
        """Return the finished folds with their metrics, in the schedule's order."""
        for planned in self.schedule.folds:
            result = self.results.get(planned.key)
            if result is not None:
                values = {name: self.value(planned.key, name) for name in names}
                seconds = result.fit_seconds, result.predict_seconds
                yield FoldRow(*planned.key, values, *seconds)

    def failed_folds(self) -> tuple[FailedFold, ...]:
        """Return the folds of the schedule that failed."""
        keys = {planned.key for planned in self.schedule.folds}
        return tuple(
            FailedFold(*failure.planned.key, failure.error, failure.details)
            for failure in self.failures
            if failure.planned.key in keys
        )

    def scores(self, rows: Sequence[FoldRow], name: str) -> Scores:
        """Return one metric of finished folds as scores of cross-validation."""
        metric = self.metric(name)
        ordered = [
            r for system in self.schedule.systems for r in rows if r.system == system
        ]
        scores = Scores.from_rows(
            [row.dataset for row in ordered],
            [row.system for row in ordered],
            [row.values[name] for row in ordered],
            run=[str(row.repetition) for row in ordered],
            fold=[str(row.fold) for row in ordered],
            test_share=self.schedule.test_share,
            metric=metric.name,
            higher_is_better=metric.higher_is_better,
        )
        positive = self.schedule.positive if metric.of_one_class else None
        return replace(scores, positive=positive)


# --- records of a store ---------------------------------------------------------------


def _read_records(results: Mapping[FoldKey, FoldResult]) -> dict[FoldKey, Record]:
    """Read the records of folds, but for those that are damaged."""
    contents = {r.planned.fingerprint: r.record or b"" for r in results.values()}
    reader = RecordBytes(sum(map(len, contents.values())))
    read: dict[str, Record] = {}
    for fingerprint, content in contents.items():
        record = reader.read_sound(content)
        if record is not None:
            read[fingerprint] = record
    return {
        key: read[result.planned.fingerprint]
        for key, result in results.items()
        if result.planned.fingerprint in read
    }


def _check_same_items(schedule: Schedule, records: Mapping[FoldKey, Record]) -> None:
    """Check that all systems were tested on the same items of each fold."""
    first: dict[tuple[str, int, int], tuple[FoldKey, list[NDArray[Any]]]] = {}
    for key, record in records.items():
        if record.task != schedule.task:
            message = f"A store of {schedule.task} must have no others; {key} has some."
            raise InputError(message, hint=_FOREIGN)
        items = _items(record)
        fold = (key.dataset, key.repetition, key.fold)
        other, expected = first.setdefault(fold, (key, items))
        if not all(map(np.array_equal, items, expected)):
            message = (
                "All systems must be tested on the same items with the same gold "
                f"labels; the store has others for {key} than for {other}."
            )
            raise InputError(message, hint=_FOREIGN)


def _items(record: Record) -> list[NDArray[Any]]:
    """Return what no system can change: gold labels, lengths, groups."""
    # Names come in the order of the gold labels first, and so are numbered alike.
    used = int(record.gold.max()) + 1 if len(record.gold) else 0
    names = np.array([*record.names[:used], None], dtype=object)
    number = np.array([len(record.scores)])
    return [names, record.gold, record.lengths, record.unseen, record.groups, number]


# --- outcomes of records --------------------------------------------------------------


def _label_outcomes(
    rows: Rows, task: str, positive: str | None, **shared: Any
) -> Outcomes:
    names, codes = _label_codes(rows, Numbering())
    values = np.empty(len(names), dtype=object)
    values[:] = [frozenset(json.loads(n)) for n in names] if task == "sets" else names
    make = Outcomes.from_sets if task == "sets" else Outcomes.from_labels
    classes = None
    if positive is not None:
        seen = {c for row in rows for record in row for c in record.classes}
        classes = sorted({positive, *seen})
    labels = (values[column].tolist() for column in codes)
    return make(*labels, classes=classes, **shared)


def _chunk_outcomes(
    rows: Rows,
    schemes: Sequence[str],
    systems: tuple[str, ...],
    cluster: NDArray[np.int64] | None,
) -> Outcomes:
    tags, codes = _label_codes(rows, TagCodes())
    lengths = _lengths(rows)

    def where(tagger: int, token: int) -> str:
        return f"Token {token} of {['gold', *systems][tagger]}"

    return tag_outcomes(
        TagCorpus(tags, tuple(codes), lengths),
        systems=systems,
        scheme=schemes,
        strict=False,
        match="strict",
        only=None,
        clusters=Clusters.of(cluster, len(lengths)),
        where=where,
    )


def _tag_outcomes(
    rows: Rows,
    metric: str,
    systems: tuple[str, ...],
    cluster: NDArray[np.int64] | None,
) -> Outcomes:
    tags, codes = _label_codes(rows, Numbering())
    lengths = _lengths(rows)
    tokens = TaggedTokens(
        systems=systems,
        tags=tags,
        codes=np.column_stack(codes),
        offsets=np.append(0, np.cumsum(lengths)),
        forms=None,
        documents=lambda: np.arange(len(lengths)) if cluster is None else cluster,
        source="tags",
    )
    name: ClusterName = "sentence" if cluster is None else "document"
    if metric == "sentence_accuracy":
        return tokens.sentence_outcomes(None if cluster is None else "document")
    if metric == "oov_accuracy":
        return tokens.marked_outcomes(name, _unseen(rows), "oov of each fold")
    return tokens.token_outcomes(name)


def _lengths(rows: Rows) -> NDArray[np.int64]:
    return np.concatenate([record.lengths for record in rows[0]]).astype(np.int64)


def _unseen(rows: Rows) -> NDArray[np.bool_]:
    """Return the tokens that training did not have, on which all systems agree."""
    marks = [np.concatenate([r.unseen for r in row]).astype(bool) for row in rows]
    if any(not np.array_equal(marks[0], other) for other in marks[1:]):
        message = "All systems must have the same unseen tokens; the store has others."
        raise InputError(message)
    if not marks[0].any():
        message = "oov_accuracy must have tokens that training did not have."
        raise NotDefinedError(message)
    return marks[0]


def _cluster_numbers(records: Sequence[Record]) -> NDArray[np.int64] | None:
    """Give numbers to the groups of all folds; one tested again has another number."""
    if any(len(record.groups) == 0 for record in records):
        return None
    numbers, start = [], 0
    for record in records:
        numbers.append(record.groups.astype(np.int64) + start)
        start += int(record.groups.max()) + 1
    return np.concatenate(numbers)


def _label_codes(
    rows: Rows, numbers: Numbering
) -> tuple[tuple[str, ...], list[NDArray[Any]]]:
    """Give numbers to the labels of all records: gold first, then predictions."""

    def column(records: Sequence[Record], name: str) -> NDArray[Any]:
        parts = []
        for record in records:
            codes = numbers.codes(record.names).astype(np.int32)
            parts.append(codes[getattr(record, name)])
        return np.concatenate(parts)

    gold = [column(records, "gold") for records in rows]
    if any(not np.array_equal(gold[0], other) for other in gold[1:]):
        message = "All systems must have the same gold labels; the store has others."
        raise InputError(message)
    predicted = [column(records, "predicted") for records in rows]
    return tuple(numbers), [gold[0], *predicted]
