"""Logs of lm-evaluation-harness: ``samples_<task>_<date>.jsonl``.

``results_<date>.json`` beside them has the model's name, the direction of metrics and
the conditions of the run; samples are read without it, too.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from likelier.readers.dotted import dotted
from likelier.readers.file import File
from likelier.readers.logs.json_keys import key_paths
from likelier.readers.logs.json_records import leaf_names, numbers, pick_lines
from likelier.readers.logs.lm_eval_run import EvaluationRun
from likelier.readers.logs.lm_eval_samples import (
    FilterRows,
    numbered_records,
    read_samples,
    record_name,
)
from likelier.readers.logs.log import LabelPairs, Log, LogFormat

_NAME = re.compile(r"samples_(.+?)(?:_(\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d[.\d]*))?$")
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


def is_lm_eval(file: File) -> bool:
    """Return whether a file starts with a sample of lm-evaluation-harness."""
    array = file.start.lstrip().startswith(b"[")
    keys = key_paths(file.start if array else file.start_lines[0], depth=1)
    return "doc_id" in keys and bool({"resps", "filtered_resps"} & keys)


def read_lm_eval(file: File) -> Iterator[Log]:
    """Read the samples of one task, a log for each filter."""
    filters = read_samples(file)
    name = _NAME.match(file.bare.stem)
    date = name[2] if name else None
    run = EvaluationRun.beside(file, date)
    task = name[1] if name else _old_task(file, run)
    for key, rows in filters.items():
        named = key if isinstance(key, str) else run.filter_name(task, key)
        yield _log(file, rows, task=task, date=date, run=run, filter_name=named)


def _old_task(file: File, run: EvaluationRun) -> str:
    """Find the task at the end of a name that begins with the model's arguments."""
    stem = file.bare.stem
    ends = [task for task in run.tasks if stem.endswith(f"_{task}")]
    return max(ends, key=len, default=stem)


def _log(
    file: File,
    rows: FilterRows,
    *,
    task: str,
    date: str | None,
    run: EvaluationRun,
    filter_name: str,
) -> Log:
    def locate(row: int) -> str:
        return record_name(file, int(rows.records[row]))

    def look_up(name: str, wanted: Sequence[int] | None) -> list[Any]:
        chosen = range(len(rows.items)) if wanted is None else wanted
        numbers = [int(rows.records[row]) for row in chosen]
        return pick_lines(file, name, numbers, numbered_records(file))

    (sample,) = pick_lines(file, "", [int(rows.records[0])], numbered_records(file))
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
        **log,
    )


def _text_field(sample: Mapping[str, Any], fields: Sequence[str]) -> str | None:
    """Return the field that people read an item by: of the item, else its prompt."""
    named = [f"doc.{name}" for name in _TEXTS if f"doc.{name}" in fields]
    prompts = ("arguments.gen_args_0.arg_0", "arguments.0.0")
    named += [name for name in prompts if isinstance(dotted(sample, name), str)]
    return next(iter(named), None)


def _sort_in(log: dict[str, Any], metric: str, values: Any, locate: Any) -> None:
    """Put the values of a metric where their kind belongs."""
    if isinstance(values, np.ndarray):
        kinds = {"score"}
    else:
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


FORMAT = LogFormat(
    "lm-evaluation-harness", is_lm_eval, read_lm_eval, ("results*.json",)
)
