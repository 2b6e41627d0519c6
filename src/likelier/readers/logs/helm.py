"""Logs of HELM: ``per_instance_stats.json`` of a run, and what lies beside it.

``run_spec.json`` has the model and the conditions of the run, ``scenario_state.json``
what was asked; statistics are read without them, too. HELM averages each split and
each perturbation on its own, so that each is a task.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec

from likelier.errors import InputError
from likelier.readers.dotted import dotted
from likelier.readers.file import File
from likelier.readers.logs.helm_run import (
    Asked,
    Key,
    RunSpec,
    read_requests,
)
from likelier.readers.logs.json_keys import key_paths
from likelier.readers.logs.json_records import numbers, read_document
from likelier.readers.logs.log import Log, LogFormat

# Counts, times and the like: nothing that says how good an answer is.
_COUNTS = ("num_", "finish_reason_", "training_", "inference_")
_NO_METRICS = frozenset(
    ["logprob", "batch_size", "prompt_truncated", "max_prob", "predicted_index"]
)

# Values of one row by metric.
_Rows = dict[Key, dict[str, Any]]
# Split and perturbation.
_Part = tuple[str | None, str | None]


class _Name(msgspec.Struct):
    name: str
    split: str | None = None
    perturbation: Any = None


class _Stat(msgspec.Struct):
    name: _Name
    count: float = 0
    sum: Any = None
    mean: Any = None

    @property
    def is_metric(self) -> bool:
        """Whether it says how good the answer to this very instance is."""
        name = self.name.name
        # The worst of several variants of an instance is no instance.
        over_variants = dotted(self.name.perturbation, "computed_on")
        return not (
            name in _NO_METRICS
            or name.startswith(_COUNTS)
            or over_variants in ("worst", "original")
        )

    @property
    def value(self) -> Any:
        """Mean of the values; None where there are none."""
        if not self.count > 0:
            return None
        if self.mean is None and isinstance(self.sum, int | float):
            return self.sum / self.count
        return self.mean


class _Entry(msgspec.Struct):
    instance_id: str
    stats: list[_Stat]
    train_trial_index: int = 0
    perturbation: Any = None


def is_helm(file: File) -> bool:
    """Return whether a file is a list of statistics of instances."""
    if not file.start.lstrip().startswith(b"["):
        return False
    needed = {"instance_id", "stats.name.name", "stats.count", "train_trial_index"}
    return needed <= key_paths(file.start)


def read_helm(file: File) -> Iterator[Log]:
    """Read the statistics of a run, a log for each split and perturbation."""
    parts, unusable = dict[_Part, _Rows](), dict[_Part, dict[str, str]]()
    for entry in read_document(file, list[_Entry]):
        key = Key.of(entry.instance_id, entry.perturbation, entry.train_trial_index)
        for stat in entry.stats:
            part = stat.name.split, key.perturbation
            # Several classes of metrics may have an entry each: they are one row.
            row = parts.setdefault(part, {}).setdefault(key, {})
            if stat.is_metric:
                name, value = stat.name.name, stat.value
                before = row.get(name)
                row[name] = value if before is None else before
                if value not in (None, row[name]):
                    reason = _several_values(key, before, value)
                    unusable.setdefault(part, {}).setdefault(name, reason)
    if not parts:
        message = f"{file.name} must have statistics of instances; it has none."
        raise InputError(message)
    run, requests = RunSpec.of(file), read_requests(file)
    for part, rows in parts.items():
        reasons = unusable.get(part, {})
        yield _log(file, rows, run=run, requests=requests, part=part, unusable=reasons)


def _several_values(key: Key, one: Any, other: Any) -> str:
    return f"it has two values of instance {key.instance!r}, {one} and {other}"


def _log(
    file: File,
    rows: _Rows,
    *,
    run: RunSpec,
    requests: Mapping[Key, Asked],
    part: _Part,
    unusable: Mapping[str, str],
) -> Log:
    keys = list(rows)

    def locate(row: int) -> str:
        return f"{file.name}, instance {keys[row].item!r}, trial {keys[row].trial}"

    def look_up(name: str, wanted: Sequence[int] | None) -> list[Any]:
        again = read_requests(file)
        chosen = keys if wanted is None else [keys[row] for row in wanted]
        return [_field(again.get(key), name) for key in chosen]

    metrics = dict.fromkeys(name for values in rows.values() for name in values)
    asked = [requests.get(key) for key in keys]
    failures = {row: a.failure for row, a in enumerate(asked) if a is not None}
    errors = {row: why for row, why in failures.items() if why is not None}
    trials = [key.trial + 1 for key in keys]
    runs = file.path.parent.parent
    return Log(
        file=file,
        format=FORMAT.name,
        system=run.system,
        task=run.task(*part),
        variant_of=run.task(part[0], None),
        run=runs.name if runs.parent.name == "runs" else None,
        items=[key.item for key in keys],
        repeats=trials if len(set(trials)) > 1 else None,
        locate=locate,
        scores={
            name: numbers(
                [
                    None if row in errors else rows[k].get(name)
                    for row, k in enumerate(keys)
                ],
                locate,
            )
            for name in metrics
            if name not in unusable
        },
        unusable=unusable,
        errors=errors,
        hashes={
            "item": [None if a is None else a.item for a in asked],
            "prompt": [None if a is None else a.prompt for a in asked],
        }
        if any(asked)
        else {},
        conditions=run.conditions,
        fields=("input", "target") if any(asked) else (),
        text="input" if any(asked) else None,
        look_up=look_up if any(asked) else None,
    )


def _field(asked: Asked | None, name: str) -> Any:
    own = {} if asked is None else {"input": asked.input, "target": asked.target}
    return dotted(own, name)


FORMAT = LogFormat(
    "HELM",
    is_helm,
    read_helm,
    (
        "run_spec.json",
        "scenario*.json",
        "stats.json",
        "instances.json",
        "display_*.json",
    ),
)
