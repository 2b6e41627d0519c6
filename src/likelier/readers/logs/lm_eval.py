"""Logs of lm-evaluation-harness: ``samples_<task>_<date>.jsonl``.

``results_<date>.json`` beside them has the model's name, the direction of metrics and
the conditions of the run; samples are read without it, too.
"""

import json
import re
from array import array
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec

from likelier.errors import InputError
from likelier.readers.file import File, find_file
from likelier.readers.logs.json_records import (
    decode,
    leaf_names,
    lines,
    numbers,
    pick_lines,
    read_document,
    read_lines,
)
from likelier.readers.logs.log import LabelPairs, Log, LogFormat

_NAME = re.compile(r"samples_(.+?)(?:_(\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d[.\d]*))?$")
_HASHES = {"item": "doc_hash", "prompt": "prompt_hash"}
_OWN_KEYS = frozenset(
    [
        "doc_id",
        "doc",
        "target",
        "arguments",
        "resps",
        "filtered_resps",
        "filter",
        "metrics",
        "doc_hash",
        "prompt_hash",
        "target_hash",
        "input",
    ]
)
# Metrics whose values are logarithms of probabilities.
_LOGARITHMS = {"perplexity": "perplexity"}
_WHOLE_CORPUS = ("bleu", "chrf", "ter", "rouge")
_TEXTS = [
    "word",
    "text",
    "question",
    "prompt",
    "input",
    "query",
    "sentence",
    "premise",
    "problem",
    "context",
    "passage",
]


@dataclass
class _Rows:
    """Rows of one filter, while they are read."""

    lines: "array[int]" = field(default_factory=lambda: array("q"))
    items: list[str] = field(default_factory=list)
    hashes: dict[str, list[str | None]] = field(
        default_factory=lambda: {name: [] for name in _HASHES}
    )
    values: dict[str, list[Any]] = field(default_factory=dict)

    def add(self, line: int, item: str, record: Any, values: dict[str, Any]) -> None:
        """Add a row; metrics that it lacks, or that others lack, have None there."""
        for name, key in _HASHES.items():
            self.hashes[name].append(getattr(record, key))
        if values.keys() != self.values.keys():
            for name in values:
                if name not in self.values:
                    self.values[name] = [None] * len(self.items)
        for name, column in self.values.items():
            column.append(values.get(name))
        self.lines.append(line)
        self.items.append(item)


class _Decoder:
    """Decoder of the fields that are needed, whatever metrics a record names."""

    def __init__(self) -> None:
        self._metrics: tuple[str, ...] = ()
        self._build()

    def _build(self) -> None:
        text, names = str | None, list(self._metrics)
        fields: list[Any] = [("doc_id", int | str), ("filter", text, None)]
        fields += [("metrics", list[str] | None, None)]
        fields += [(key, text, None) for key in _HASHES.values()]
        fields += [(f"m{i}", Any, None) for i in range(len(names))]
        rename = {f"m{i}": name for i, name in enumerate(names)}
        self._fields = {name: key for key, name in rename.items()}
        kind = msgspec.defstruct("Sample", fields, rename=rename)
        self._decoder = msgspec.json.Decoder(kind)

    def __call__(self, raw: bytes, where: str) -> tuple[Any, dict[str, Any]]:
        """Return the record, and its values by metric."""
        record: Any = decode(raw, self._decoder, where)
        if record.metrics is None:
            every = decode(raw, msgspec.json.Decoder(dict[str, Any]), where)
            return record, {n: v for n, v in every.items() if _may_be_value(n, v)}
        new = [name for name in record.metrics if name not in self._fields]
        if new:
            self._metrics += tuple(dict.fromkeys(new))
            self._build()
            record = decode(raw, self._decoder, where)
        fields = self._fields
        return record, {n: getattr(record, fields[n]) for n in record.metrics}


def _may_be_value(name: str, value: object) -> bool:
    """Return whether a key of an old log, which names no metrics, is one."""
    return name not in _OWN_KEYS and isinstance(value, int | float | list)


def is_lm_eval(file: File) -> bool:
    """Return whether the first line is a sample of lm-evaluation-harness."""
    start = file.start_lines[0]
    return (
        start.lstrip().startswith(b"{")
        and b'"doc_id"' in start
        and (b'"resps"' in start or b'"filtered_resps"' in start)
    )


def read_lm_eval(file: File) -> Iterator[Log]:
    """Read the samples of one task, a log for each filter."""
    decoder, filters = _Decoder(), dict[str, _Rows]()
    for line, raw in lines(file):
        record, values = decoder(raw, file.at(line))
        name = record.filter or "none"
        if name not in filters:
            filters[name] = _Rows()
        filters[name].add(line, str(record.doc_id), record, values)
    name = _NAME.match(file.bare.stem)
    task, date = (name[1], name[2]) if name else (file.bare.stem, None)
    run = _Run.beside(file, date)
    for filter_name, rows in filters.items():
        yield _log(file, rows, task=task, date=date, run=run, filter_name=filter_name)


def _log(
    file: File,
    rows: _Rows,
    *,
    task: str,
    date: str | None,
    run: "_Run",
    filter_name: str,
) -> Log:
    def locate(row: int) -> str:
        return file.at(rows.lines[row])

    def look_up(name: str, wanted: Sequence[int] | None) -> list[Any]:
        numbers = [rows.lines[row] for row in wanted or range(len(rows.lines))]
        return pick_lines(file, name, numbers)

    _, sample = next(read_lines(file, dict[str, Any]))
    fields = tuple(leaf_names({"doc": sample.get("doc")}))
    parts = ("scores", "labels", "unusable", "formulas")
    log: dict[str, Any] = {part: {} for part in parts}
    for metric, values in rows.values.items():
        _sort_in(log, metric, values, locate)
    hashes = {n: h for n, h in rows.hashes.items() if any(h)}
    return Log(
        file=file,
        format=FORMAT.name,
        version=run.version,
        system=run.system or file.path.parent.name,
        task=task,
        filter=filter_name,
        run=date,
        items=rows.items,
        locate=locate,
        hashes=hashes,
        conditions=run.conditions(task),
        higher_is_better=run.higher_is_better(task, _LOGARITHMS),
        groups=run.groups,
        fields=fields,
        text=_text_field(sample, fields),
        look_up=look_up,
        beside=() if run.name is None else (run.name,),
        **log,
    )


def _text_field(sample: Mapping[str, Any], fields: Sequence[str]) -> str | None:
    """Return the field that people read an item by: of the item, else its prompt."""
    named = [f"doc.{name}" for name in _TEXTS if f"doc.{name}" in fields]
    first = sample.get("arguments")
    if isinstance(first, dict) and "gen_args_0" in first:
        named.append("arguments.gen_args_0.arg_0")
    return next(iter(named), None)


def _sort_in(log: dict[str, Any], metric: str, values: list[Any], locate: Any) -> None:
    """Put the values of a metric where their kind belongs."""
    kinds = {_kind(metric, value) for value in values if value is not None}
    if kinds <= {"score"}:
        log["scores"][metric] = numbers(values, locate)
        if metric in _LOGARITHMS:
            log["formulas"][metric] = _LOGARITHMS[metric]
    elif kinds == {"labels"}:
        pairs = [(None, None) if v is None else tuple(map(_label, v)) for v in values]
        gold, predicted = zip(*pairs, strict=True)
        log["labels"][metric] = LabelPairs(gold, predicted)
    elif len(kinds) > 1:
        log["unusable"][metric] = "its values are of several kinds"
    else:
        log["unusable"][metric] = kinds.pop()


def _kind(metric: str, value: Any) -> str:
    """Return score or labels; else why the value cannot be used."""
    if isinstance(value, int | float):
        return "score"
    if "perplexity" in metric or metric.startswith("bits_per"):
        return "it is a logarithm and a length of each text, not one number"
    if not isinstance(value, list) or len(value) != 2:
        return "its values are neither numbers nor pairs of labels"
    if metric.startswith(_WHOLE_CORPUS):
        return "it is computed from pairs of texts"
    if all(isinstance(v, int) for v in value):
        return "labels"
    if isinstance(value[1], str) and value[1].startswith("["):
        return "it needs the probabilities of all classes"
    if all(isinstance(v, str) for v in value):
        return "labels" if metric in ("f1", "mcc") else "its values are pairs of texts"
    return "its values are neither numbers nor pairs of labels"


def _label(value: object) -> str:
    return str(int(value)) if isinstance(value, bool) else str(value)


@dataclass(frozen=True)
class _Run:
    """Content of ``results_<date>.json``, as far as we need it."""

    content: Mapping[str, Any] = field(default_factory=dict)
    name: str | None = None

    @classmethod
    def beside(cls, file: File, date: str | None) -> "_Run":
        """Read the results of the same date, or the only ones in the folder."""
        folder = file.path.parent
        path = folder / f"results_{date}.json"
        if date is None or not path.is_file():
            every = sorted(folder.glob("results_*.json"))
            if len(every) != 1 or date is not None:
                return cls()
            path = every[0]
        name = str(Path(file.name).with_name(path.name))
        content = read_document(_renamed(find_file(path), name), dict[str, Any])
        return cls(content, name)

    def _part(self, *names: str) -> Any:
        value: Any = self.content
        for name in names:
            value = value.get(name) if isinstance(value, dict) else None
        return value

    @property
    def version(self) -> str | None:
        """Version of the tool."""
        version = self._part("lm_eval_version")
        return None if version is None else str(version)

    @property
    def system(self) -> str | None:
        """Name of the model."""
        names = (self._part("model_name"), self._part("config", "model"))
        return next((str(name) for name in names if name), None)

    @property
    def groups(self) -> dict[str, tuple[str, ...]]:
        """Groups of tasks, each with the tasks within it at any depth."""
        parts = self._part("group_subtasks")
        parts = parts if isinstance(parts, dict) else {}
        found = {name: tuple(_leaves(name, parts)) for name in parts}
        return {name: leaves for name, leaves in found.items() if leaves != (name,)}

    def conditions(self, task: str) -> dict[str, str]:
        """Return what must be equal in two runs of a task."""
        values = {
            "few-shot examples": self._part("n-shot", task),
            "task version": self._part("versions", task),
            "chat template": self._part("chat_template_sha"),
            "system instruction": self._part("system_instruction_sha"),
            "few-shot as turns": self._part("fewshot_as_multiturn"),
            "generation settings": self._part("configs", task, "generation_kwargs"),
        }
        return {name: _written(v) for name, v in values.items() if v is not None}

    def higher_is_better(self, task: str, logarithms: Any) -> dict[str, bool]:
        """Return the direction of the metrics; that of a logarithm is its formula's."""
        directions = self._part("higher_is_better", task)
        directions = directions if isinstance(directions, dict) else {}
        known = {n: v for n, v in directions.items() if isinstance(v, bool)}
        return known | {name: False for name in logarithms if name in known}


def _renamed(file: File, name: str) -> File:
    return File(file.path, name, file.start, file.packed)


def _leaves(name: str, groups: Mapping[str, Any], seen: tuple[str, ...] = ()) -> Any:
    """Yield the tasks of a group, of groups within it too."""
    if name in seen:
        message = f"group_subtasks must not hold {name!r} within itself."
        raise InputError(message)
    parts = groups.get(name)
    if not isinstance(parts, list) or not parts:
        yield name
        return
    for part in parts:
        yield from _leaves(str(part), groups, (*seen, name))


def _written(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, sort_keys=True)


FORMAT = LogFormat("lm-evaluation-harness", is_lm_eval, read_lm_eval)
