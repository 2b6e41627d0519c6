"""Rows of Every Eval Ever: ``<id>_samples.jsonl``, one line per sample and metric.

``<id>.json`` beside them has the aggregate results: names of metrics and their
direction; samples are read without it, too.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec

from likelier.readers.dotted import dotted
from likelier.readers.file import File, find_file
from likelier.readers.logs.aggregate_results import Metric, describe
from likelier.readers.logs.beside import part, read_beside
from likelier.readers.logs.json_keys import key_paths
from likelier.readers.logs.json_records import digest, leaf_names, read_lines
from likelier.readers.logs.log import Log, LogFormat
from likelier.readers.logs.repeated_rows import RepeatedRows, sort_scores

_NEEDED = {
    "schema_version",
    "evaluation_id",
    "model_id",
    "evaluation_name",
    "sample_id",
    "evaluation.score",
}


class _Evaluation(msgspec.Struct):
    score: float | bool | None = None
    is_correct: bool | None = None


class _Input(msgspec.Struct):
    raw: Any = None
    reference: Any = None


class _Sample(msgspec.Struct):
    evaluation_id: str
    model_id: str
    evaluation_name: str
    sample_id: str | int
    evaluation: _Evaluation
    schema_version: str | None = None
    evaluation_result_id: str | None = None
    sample_hash: str | None = None
    interaction_type: str | None = None
    input: _Input | None = None
    error: str | None = None


@dataclass
class _Samples:
    """Samples of one model, evaluation and run."""

    model: str
    task: str
    run: str
    lines: list[int] = field(default_factory=list)
    samples: list[_Sample] = field(default_factory=list)


def is_every_eval_ever(file: File) -> bool:
    """Return whether the first line is a sample of Every Eval Ever."""
    return key_paths(file.start_lines[0]) >= _NEEDED


def read_every_eval_ever(file: File) -> Iterator[Log]:
    """Read samples, a log for each model, evaluation and run."""
    runs: dict[tuple[str, str, str], _Samples] = {}
    for line, sample in read_lines(file, _Sample):
        key = (sample.model_id, sample.evaluation_name, sample.evaluation_id)
        run = runs.setdefault(key, _Samples(*key))
        run.lines.append(line)
        run.samples.append(_lean(sample))
    beside = _aggregate_path(file)
    own = beside == file.path
    aggregate = None if own else read_beside(file, beside, dict[str, Any])
    results = part(aggregate, "evaluation_results")
    for run in runs.values():
        yield _log(file, run, results if isinstance(results, list) else [])


def aggregate_of(file: File) -> File | None:
    """Return the aggregate document beside samples; None where there is none."""
    path = _aggregate_path(file)
    return find_file(path) if path.is_file() and path != file.path else None


def _aggregate_path(file: File) -> Path:
    name = file.bare.stem.removesuffix("_samples")
    return file.path.with_name(f"{name}.json")


def _lean(sample: _Sample) -> _Sample:
    """Keep a hash of the input in place of its texts."""
    if sample.sample_hash is None and sample.input is not None:
        # The documented recipe.
        content = {"raw": sample.input.raw, "reference": sample.input.reference}
        sample.sample_hash = digest(content)
    sample.input = None
    return sample


def _log(file: File, run: _Samples, results: list[Any]) -> Log:
    metrics = _metrics(run, results)
    rows = RepeatedRows()
    hashes: dict[int, str | None] = {}
    for line, sample in zip(run.lines, run.samples, strict=True):
        row = _add(rows, sample, line, metrics)
        hashes.setdefault(row, sample.sample_hash)

    def locate(row: int) -> str:
        return file.at(rows.records[row])

    def look_up(name: str, wanted: Sequence[int] | None) -> list[Any]:
        order = {line: row for row, line in enumerate(rows.records)}
        values = {
            order[line]: dotted(record, name)
            for line, record in read_lines(file, dict[str, Any])
            if line in order
        }
        return [values[row] for row in (sorted(values) if wanted is None else wanted)]

    scores, unusable = sort_scores(rows.whole_columns(), locate)
    kinds = list(metrics.values())
    reasons = {m.name: m.unusable for m in kinds if m.unusable is not None}
    usable = {name: column for name, column in scores.items() if name not in reasons}
    fields = _fields(file, rows.records[0])
    return Log(
        file=file,
        format=FORMAT.name,
        version=run.samples[0].schema_version,
        system=run.model,
        task=run.task,
        run=run.run,
        items=rows.items,
        repeats=rows.known_repeats,
        locate=locate,
        scores=usable,
        unusable=unusable | reasons,
        formulas={m.name: m.formula for m in kinds if m.formula is not None},
        higher_is_better={
            m.name: m.higher_is_better for m in kinds if m.higher_is_better is not None
        },
        headline="score" if "score" in usable else None,
        errors=rows.errors(),
        hashes=_hashes(hashes),
        conditions=_conditions(run),
        fields=fields,
        text="input.raw" if "input.raw" in fields else None,
        look_up=look_up,
        notes=tuple(m.note for m in kinds if m.note is not None),
    )


def _metrics(run: _Samples, results: list[Any]) -> dict[str | None, Metric]:
    values: dict[str | None, list[float]] = {}
    for sample in run.samples:
        column = values.setdefault(sample.evaluation_result_id, [])
        score = sample.evaluation.score
        if score is not None and not sample.error:
            column.append(float(score))
    return describe(values, results, task=run.task, run_names=(run.model, run.run))


def _add(
    rows: RepeatedRows, sample: _Sample, line: int, metrics: Mapping[str | None, Metric]
) -> int:
    """Add the values of a sample, none where it failed; return its row."""
    metric = metrics[sample.evaluation_result_id]
    evaluation = _Evaluation() if sample.error else sample.evaluation
    item, name = str(sample.sample_id), metric.name
    row = rows.put(item, name, evaluation.score, line)
    # What is no mean of its samples has no correct ones.
    if metric.formula is None and metric.unusable is None:
        correct = "is_correct" if name == "score" else f"{name} is_correct"
        rows.put(item, correct, evaluation.is_correct, line)
    if sample.error:
        rows.reasons[row] = sample.error
    return row


def _hashes(hashes: Mapping[int, str | None]) -> dict[str, list[str | None]]:
    column = [hashes[row] for row in sorted(hashes)]
    return {"item": column} if any(column) else {}


def _conditions(run: _Samples) -> dict[str, str]:
    kinds = {s.interaction_type for s in run.samples if s.interaction_type}
    return {"interaction": ", ".join(sorted(kinds))} if kinds else {}


def _fields(file: File, line: int) -> tuple[str, ...]:
    records = read_lines(file, dict[str, Any])
    sample = next(record for number, record in records if number == line)
    parts = {name: sample.get(name) for name in ("input", "metadata")}
    return tuple(leaf_names(parts))


FORMAT = LogFormat(
    "Every Eval Ever", is_every_eval_ever, read_every_eval_ever, ("*.json",)
)
