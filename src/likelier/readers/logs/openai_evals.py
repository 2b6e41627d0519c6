"""Logs of OpenAI Evals: JSON lines with a spec, events of samples and a final report.

The tool's accuracy is the mean over all ``match`` events, several of one sample
included: these are repeats of the sample here, as are several ``metrics`` events that
have the same metric.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec

from likelier.errors import InputError
from likelier.readers.file import File
from likelier.readers.logs.beside import part
from likelier.readers.logs.json_keys import key_paths
from likelier.readers.logs.json_records import digest, leaf_names, pick, read_lines
from likelier.readers.logs.log import Log, LogFormat
from likelier.readers.logs.repeated_rows import RepeatedRows, sort_scores

# Types of events with values of metrics.
_SCORED = ("match", "metrics")
_NEEDED = {"spec", "spec.eval_name", "spec.run_id"}


class _Spec(msgspec.Struct):
    eval_name: str
    run_id: str
    completion_fns: list[str] | None = None
    model_name: str | None = None
    split: str | None = None
    run_config: dict[str, Any] | None = None


class _Record(msgspec.Struct):
    """A line: the spec, an event, or the final report."""

    spec: _Spec | None = None
    final_report: Any = None
    type: str | None = None
    run_id: Any = None
    sample_id: str | int | None = None
    data: Any = None


@dataclass
class _Run:
    """Content of a log, while it is read."""

    spec: _Spec | None = None
    report: Any = None
    rows: RepeatedRows = field(default_factory=RepeatedRows)
    # Hashes of samples by what they stand for.
    hashes: dict[str, dict[str, str]] = field(
        default_factory=lambda: {"item": {}, "prompt": {}}
    )

    def add(self, line: int, record: _Record) -> None:
        """Add a line."""
        self.spec = record.spec or self.spec
        self.report = record.final_report or self.report
        if record.type is None or record.sample_id is None:
            return
        item = str(record.sample_id)
        # Every sample has a row, also one that was never scored.
        row = self.rows.row(item, 1, line)
        data = record.data if isinstance(record.data, dict) else {}
        for metric, value in _values(record.type, data):
            self.rows.put(item, metric, value, line)
        if record.type == "error":
            self.rows.reasons[row] = str(data.get("message", record.data))
        self._hash(item, record.type, data)

    def check(self, record: _Record, where: str) -> None:
        """Refuse a line of another run, and one that would be lost."""
        own = None if self.spec is None else self.spec.run_id
        if own is not None and (record.spec or record.run_id not in (None, own)):
            other = record.spec.run_id if record.spec else record.run_id
            message = f"{where}: a log must be of one run; got {other!r} after {own!r}."
            raise InputError(message, hint="Write each run to a file of its own.")
        if record.type is None and record.sample_id is not None:
            message = f"{where}: an event must have a type; it has none."
            raise InputError(message)
        if record.type in _SCORED and record.sample_id is None:
            message = f"{where}: an event of type {record.type} must have a sample_id."
            raise InputError(message)

    def _hash(self, item: str, kind: str, data: dict[str, Any]) -> None:
        if kind == "raw_sample":
            self.hashes["item"][item] = digest(data)
        elif kind == "match" and "expected" in data:
            self.hashes["item"].setdefault(item, digest(data["expected"]))
        elif kind == "sampling" and "prompt" in data:
            self.hashes["prompt"].setdefault(item, digest(data["prompt"]))


def _values(kind: str, data: dict[str, Any]) -> list[tuple[str, Any]]:
    """Return the metrics of an event with their values."""
    if kind == "match":
        return [("correct", data.get("correct"))]
    return list(data.items()) if kind == "metrics" else []


def is_openai_evals(file: File) -> bool:
    """Return whether the first line is the spec of a run."""
    return key_paths(file.start_lines[0]) >= _NEEDED


def read_openai_evals(file: File) -> Iterator[Log]:
    """Read the log of one run."""
    run = _Run()
    for line, record in read_lines(file, _Record):
        run.check(record, file.at(line))
        run.add(line, record)
    if run.spec is None or not run.rows.items:
        message = f"{file.name} must have a spec and events of samples; it has none."
        raise InputError(message)
    yield _log(file, run, run.spec)


def _log(file: File, run: _Run, spec: _Spec) -> Log:
    rows = run.rows

    def locate(row: int) -> str:
        return file.at(rows.records[row])

    def look_up(name: str, wanted: Sequence[int] | None) -> list[Any]:
        samples = _samples(file)
        return pick((samples.get(item) for item in rows.items), name, wanted)

    scores, unusable = sort_scores(rows.whole_columns(), locate)
    sample = next(iter(_samples(file, most=1).values()), {})
    fields = tuple(leaf_names(sample))
    return Log(
        file=file,
        format=FORMAT.name,
        system=", ".join(spec.completion_fns or ())
        or spec.model_name
        or file.bare.stem,
        task=spec.eval_name,
        run=spec.run_id,
        items=rows.items,
        repeats=rows.known_repeats,
        locate=locate,
        scores=scores,
        unusable=unusable,
        headline=_headline(run, scores),
        errors=rows.errors(),
        hashes=_hashes(run),
        conditions=_conditions(spec),
        fields=fields,
        text=_text_field(sample, fields),
        look_up=look_up,
        notes=tuple(_notes(run)),
    )


def _hashes(run: _Run) -> dict[str, list[str | None]]:
    return {
        name: [hashes.get(item) for item in run.rows.items]
        for name, hashes in run.hashes.items()
        if hashes
    }


def _headline(run: _Run, scores: dict[str, Any]) -> str | None:
    """Return the metric of the final report that comes first; accuracy is correct."""
    report = run.report if isinstance(run.report, dict) else {}
    named = ["correct" if name == "accuracy" else name for name in report]
    named += list(report)
    return next((name for name in [*named, "correct"] if name in scores), None)


def _conditions(spec: _Spec) -> dict[str, str]:
    values = {
        "split": spec.split,
        "seed": part(spec.run_config, "seed"),
        "eval settings": part(spec.run_config, "eval_spec", "args"),
    }
    return {
        name: value if isinstance(value, str) else json.dumps(value, sort_keys=True)
        for name, value in values.items()
        if value is not None
    }


def _notes(run: _Run) -> Iterator[str]:
    if run.report is None:
        yield "the log has no final report: the run did not end, or was cut off"
    if any(run.rows.repeats[row] > 1 for row in run.rows.columns.get("correct", ())):
        yield "several match events of a sample are read as repeats of it"


def _text_field(sample: Any, fields: Sequence[str]) -> str | None:
    named = ("raw_sample.input", "raw_sample.question", "sampling.prompt")
    if isinstance(part(sample, "sampling", "prompt"), list):
        return "sampling.prompt"
    return next((name for name in named if name in fields), None)


def _samples(file: File, most: int | None = None) -> dict[str, dict[str, Any]]:
    """Return the data of the first event of each kind, for each sample."""
    samples: dict[str, dict[str, Any]] = {}
    for _, record in read_lines(file, _Record):
        if record.sample_id is None or record.type is None:
            continue
        item = str(record.sample_id)
        if item not in samples and len(samples) == most:
            break
        samples.setdefault(item, {}).setdefault(record.type, record.data)
    return samples


FORMAT = LogFormat("OpenAI Evals", is_openai_evals, read_openai_evals)
