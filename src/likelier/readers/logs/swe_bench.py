"""Reports of SWE-bench: ``<model>.<run>.json`` with ids of instances by outcome.

An instance whose patch is empty, or whose tests could not be run, is unresolved: the
official score counts it so. Instances without any prediction are not in the log.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec
import numpy as np

from likelier.errors import InputError
from likelier.readers.file import File
from likelier.readers.logs.json_keys import key_paths
from likelier.readers.logs.json_records import read_document
from likelier.readers.logs.log import Log, LogFormat

# Lists of submitted instances that are not resolved.
_UNRESOLVED = ("unresolved", "empty_patch", "error")
_COUNTS = {"submitted_instances", "completed_instances", "resolved_instances"}


class _Report(msgspec.Struct):
    resolved_ids: list[str]
    submitted_ids: list[str] | None = None
    completed_ids: list[str] = []
    unresolved_ids: list[str] = []
    empty_patch_ids: list[str] = []
    error_ids: list[str] = []
    incomplete_ids: list[str] = []
    total_instances: int | None = None
    resolved_instances: int | None = None
    schema_version: int | str | None = None


def is_swe_bench(file: File) -> bool:
    """Return whether the document has outcomes of SWE-bench."""
    keys = key_paths(file.start)
    return keys >= _COUNTS or keys >= {"resolved_ids", "submitted_ids"}


def read_swe_bench(file: File) -> Iterator[Log]:
    """Read one report: 1 for each submitted instance that is resolved, else 0."""
    report = read_document(file, _Report)
    items = _submitted(report)
    _check(file, report, items)
    resolved = set(report.resolved_ids)
    system, _, run = file.bare.stem.rpartition(".")

    def locate(row: int) -> str:
        return f"{file.name}: instance {items[row]}"

    def look_up(name: str, rows: Sequence[int] | None) -> list[Any]:
        wanted = range(len(items)) if rows is None else rows
        return [_repository(items[row]) if name == "repo" else None for row in wanted]

    yield Log(
        file=file,
        format=FORMAT.name,
        system=system or file.bare.stem,
        task="SWE-bench",
        run=run if system else None,
        items=items,
        locate=locate,
        scores={"resolved": np.array([item in resolved for item in items], float)},
        higher_is_better={"resolved": True},
        headline="resolved",
        conditions=_conditions(report),
        fields=("repo",),
        look_up=look_up,
        notes=tuple(_notes(report)),
    )


def _submitted(report: _Report) -> list[str]:
    if report.submitted_ids is not None:
        return report.submitted_ids
    parts = (report.completed_ids, report.resolved_ids, report.unresolved_ids)
    every = (*parts, report.empty_patch_ids, report.error_ids)
    return sorted({item for ids in every for item in ids})


def _check(file: File, report: _Report, items: list[str]) -> None:
    if not items:
        message = f"{file.name}: submitted_ids must name at least one instance."
        raise InputError(message)
    [(most, times)] = Counter(items).most_common(1)
    if times > 1:
        message = (
            f"{file.name}: submitted_ids must name each instance once; got {most!r} "
            f"{times} times."
        )
        raise InputError(message)
    resolved = set(report.resolved_ids)
    for name in ("resolved", "completed", *_UNRESOLVED):
        ids = set(getattr(report, f"{name}_ids"))
        if other := sorted(ids - set(items)):
            message = (
                f"{file.name}: {name}_ids must be among submitted_ids; {other[0]!r} is "
                "not."
            )
            raise InputError(message)
        if name in _UNRESOLVED and (both := sorted(resolved & ids)):
            message = (
                f"{file.name}: an instance must have one outcome; {both[0]!r} is among "
                f"resolved_ids and {name}_ids."
            )
            raise InputError(message)


def _conditions(report: _Report) -> dict[str, str]:
    total = report.total_instances
    return {} if total is None else {"instances of the dataset": str(total)}


def _notes(report: _Report) -> Iterator[str]:
    counts = {
        "with an empty patch": len(report.empty_patch_ids),
        "whose evaluation failed": len(report.error_ids),
    }
    for name, count in counts.items():
        if count:
            yield f"submitted instances {name}, counted as unresolved: {count}"
    if report.incomplete_ids:
        yield (
            "instances without a prediction, left out here but unresolved in the "
            f"official score: {len(report.incomplete_ids)}"
        )
    resolved = report.resolved_instances
    if resolved is not None and resolved != len(set(report.resolved_ids)):
        yield (
            f"resolved_instances is {resolved}, but resolved_ids names "
            f"{len(set(report.resolved_ids))}"
        )


def _repository(item: str) -> str:
    """Return the repository of an instance, such as ``django/django``."""
    return item.rpartition("-")[0].replace("__", "/", 1)


FORMAT = LogFormat("SWE-bench", is_swe_bench, read_swe_bench)
