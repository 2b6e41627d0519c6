"""Rows of Every Eval Ever: ``<id>_samples.jsonl``, one line per sample and metric.

``<id>.json`` beside them has the aggregate results: names of metrics and their
direction; samples are read without it, too.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec

from likelier.readers.file import File
from likelier.readers.logs.beside import part, read_beside
from likelier.readers.logs.json_keys import key_paths
from likelier.readers.logs.json_records import dotted, leaf_names, read_lines
from likelier.readers.logs.log import Log, LogFormat
from likelier.readers.logs.repeated_rows import RepeatedRows, digest, sort_scores

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
    name = file.bare.stem.removesuffix("_samples")
    beside = file.path.with_name(f"{name}.json")
    results = _results(read_beside(file, beside) if beside != file.path else {})
    for run in runs.values():
        yield _log(file, run, results)


def _lean(sample: _Sample) -> _Sample:
    """Keep a hash of the input in place of its texts."""
    if sample.sample_hash is None and sample.input is not None:
        # The documented recipe.
        content = {"raw": sample.input.raw, "reference": sample.input.reference}
        sample.sample_hash = digest(content)
    sample.input = None
    return sample


def _results(aggregate: Mapping[str, Any]) -> list[dict[str, Any]]:
    results = aggregate.get("evaluation_results")
    results = results if isinstance(results, list) else []
    return [result for result in results if isinstance(result, dict)]


def _log(file: File, run: _Samples, results: list[dict[str, Any]]) -> Log:
    ids = {sample.evaluation_result_id for sample in run.samples}
    names, directions = _metrics(ids, run.task, results)
    rows = RepeatedRows()
    hashes: dict[int, str | None] = {}
    for line, sample in zip(run.lines, run.samples, strict=True):
        row = _add(rows, sample, line, names[sample.evaluation_result_id])
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
        scores=scores,
        unusable=unusable,
        higher_is_better=directions,
        headline="score" if "score" in scores else None,
        errors=rows.errors(),
        hashes=_hashes(hashes),
        conditions=_conditions(run),
        fields=fields,
        text="input.raw" if "input.raw" in fields else None,
        look_up=look_up,
    )


def _add(rows: RepeatedRows, sample: _Sample, line: int, metric: str) -> int:
    """Add the values of a sample, none where it failed; return its row."""
    failed, item = sample.error is not None, str(sample.sample_id)
    correct = "is_correct" if metric == "score" else f"{metric} is_correct"
    row = rows.put(item, metric, None if failed else sample.evaluation.score, line)
    value = None if failed else sample.evaluation.is_correct
    rows.put(item, correct, value, line)
    if sample.error is not None:
        rows.reasons[row] = sample.error
    return row


def _metrics(
    ids: set[str | None], task: str, results: list[dict[str, Any]]
) -> tuple[dict[str | None, str], dict[str, bool]]:
    """Return the name of each result's metric, and the known directions."""
    configs = {id_: _config(id_, task, results) for id_ in ids}
    names = dict.fromkeys(ids, "score")
    if len(ids) > 1:
        named = {id_: _metric_name(id_, config) for id_, config in configs.items()}
        # Two results of one metric keep apart by their ids.
        alone = len(set(named.values())) == len(named)
        names = named if alone else {id_: id_ or "score" for id_ in ids}
    directions = {
        names[id_]: not config["lower_is_better"]
        for id_, config in configs.items()
        if isinstance(config.get("lower_is_better"), bool)
    }
    return names, directions


def _config(
    id_: str | None, task: str, results: list[dict[str, Any]]
) -> dict[str, Any]:
    """Return the metric of a result; of the only one of the evaluation without id."""
    if id_ is not None:
        same = [r for r in results if r.get("evaluation_result_id") == id_]
    else:
        same = [r for r in results if r.get("evaluation_name") == task]
    config = part(same[0], "metric_config") if len(same) == 1 else None
    return config if isinstance(config, dict) else {}


def _metric_name(id_: str | None, config: Mapping[str, Any]) -> str:
    names = (config.get("metric_id"), config.get("metric_name"), id_)
    return next((name for name in names if isinstance(name, str) and name), "score")


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


FORMAT = LogFormat("Every Eval Ever", is_every_eval_ever, read_every_eval_ever)
