"""Test runs of DeepEval: ``.latest_run_full.json`` or ``test_run_<date>.json``.

A score that the judge failed to give is missing. So is the outcome of a test case that
did not pass for that alone.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec

from likelier.errors import InputError
from likelier.readers.file import File
from likelier.readers.logs.beside import part
from likelier.readers.logs.json_keys import key_paths
from likelier.readers.logs.json_records import digest, leaf_names, pick, read_document
from likelier.readers.logs.log import Log, LogFormat
from likelier.readers.logs.repeated_rows import RepeatedRows, sort_scores

_DEFAULT_NAME = re.compile(r"(conversational_)?test_case_\d+")
_KINDS = {"testCases": "test cases", "conversationalTestCases": "conversations"}


class _Metric(msgspec.Struct, rename="camel"):
    name: str
    score: float | bool | None = None
    success: bool | None = None
    error: str | None = None
    threshold: float | None = None
    strict_mode: bool | None = None
    evaluation_model: str | None = None

    @property
    def value(self) -> float | None:
        """The score; None where the judge failed."""
        return None if self.error is not None else self.score


class _Case(msgspec.Struct, rename="camel"):
    name: str | None = None
    input: Any = None
    expected_output: Any = None
    scenario: Any = None
    expected_outcome: Any = None
    turns: list[Any] | None = None
    success: bool | None = None
    metrics_data: list[_Metric] | None = None

    @property
    def content(self) -> Any:
        """What the system was given; a conversation may have its first turn only."""
        given = self.input if self.input is not None else self.scenario
        if given is None and self.turns:
            return part(self.turns[0], "content")
        return given


class _TestRun(msgspec.Struct, rename="camel"):
    test_cases: list[_Case] | None = None
    conversational_test_cases: list[_Case] | None = None
    identifier: str | None = None
    hyperparameters: Any = None
    test_file: str | None = None
    dataset_alias: str | None = None


def is_deepeval(file: File) -> bool:
    """Return whether the document has test cases with the data of metrics."""
    paths = key_paths(file.start)
    return any(f"{kind}.metricsData" in paths for kind in _KINDS)


def read_deepeval(file: File) -> Iterator[Log]:
    """Read one test run, test cases and conversations each as a log."""
    run = read_document(file, _TestRun)
    cases = (run.test_cases or [], run.conversational_test_cases or [])
    if not any(cases):
        message = f"{file.name} must have test cases; it has none."
        raise InputError(message)
    for key, several in zip(_KINDS, cases, strict=True):
        if several:
            yield _log(file, run, several, key)


def _log(file: File, run: _TestRun, cases: list[_Case], key: str) -> Log:
    rows = RepeatedRows()
    shared = _shared_names(cases)
    order = [_add(rows, case, i, shared) for i, case in enumerate(cases)]

    def locate(row: int) -> str:
        return f"{file.name}: {key}[{rows.records[row]}]"

    def look_up(name: str, wanted: Sequence[int] | None) -> list[Any]:
        records = read_document(file, dict[str, Any])[key]
        return pick((records[i] for i in rows.records), name, wanted)

    scores, unusable = sort_scores(rows.whole_columns(), locate)
    hashes = {row: _hash(case) for row, case in zip(order, cases, strict=True)}
    return Log(
        file=file,
        format=FORMAT.name,
        system=_system(file, run),
        task=_task(run, key),
        run=run.identifier,
        items=rows.items,
        repeats=rows.known_repeats,
        locate=locate,
        scores=scores,
        unusable=unusable,
        higher_is_better=_directions(cases),
        headline="pass" if "pass" in scores else None,
        errors=rows.errors(),
        hashes={"item": [hashes[row] for row in range(len(rows.items))]},
        conditions=_conditions(cases),
        fields=_fields(file, key),
        text="input" if cases[0].input is not None else "scenario",
        look_up=look_up,
        notes=tuple(_notes(shared)),
    )


def _shared_names(cases: list[_Case]) -> set[str]:
    """Return names that cases of different content have: these name no item."""
    contents: dict[str, set[str]] = {}
    for case in cases:
        contents.setdefault(case.name or "", set()).add(digest(case.content))
    return {name for name, several in contents.items() if len(several) > 1}


def _add(rows: RepeatedRows, case: _Case, record: int, shared: set[str]) -> int:
    """Add the scores of a case; return its row."""
    metrics = case.metrics_data or []
    values: dict[str, Any] = {"pass": _outcome(case, metrics)}
    times = Counter[str]()
    for metric in metrics:
        times[metric.name] += 1
        number = times[metric.name]
        name = metric.name if number == 1 else f"{metric.name} ({number})"
        # The outcome of the case is called pass already.
        values["pass score" if name == "pass" else name] = metric.value
    row = rows.add(_item(case, shared), values, record)
    failed = [f"{m.name}: {m.error}" for m in metrics if m.error is not None]
    rows.reasons.update({row: failed[0]} if failed else {})
    return row


def _item(case: _Case, shared: set[str]) -> str:
    name = case.name
    if name and name not in shared and not _DEFAULT_NAME.fullmatch(name):
        return name
    return digest(case.content)[:16]


def _outcome(case: _Case, metrics: list[_Metric]) -> bool | None:
    """Return whether a case passed; None where only the judge's failure is known."""
    lacking = [metric for metric in metrics if metric.value is None]
    failing = any(m.success is False for m in metrics if m.value is not None)
    return None if lacking and not failing else case.success


def _hash(case: _Case) -> str:
    return digest([case.content, case.expected_output, case.expected_outcome])


def _directions(cases: list[_Case]) -> dict[str, bool]:
    """Return the direction of metrics: on which side of the threshold cases pass."""
    sides: dict[str, set[bool]] = {"pass": {True}}
    for metric in (metric for case in cases for metric in case.metrics_data or []):
        value, threshold = metric.value, metric.threshold
        if None not in (value, threshold, metric.success) and value != threshold:
            above = float(value or 0) > float(threshold or 0)
            sides.setdefault(metric.name, set()).add(above is metric.success)
    return {name: side.pop() for name, side in sides.items() if len(side) == 1}


def _conditions(cases: list[_Case]) -> dict[str, str]:
    """Return how metrics judge: what they ask for, and by which model."""
    values: dict[str, set[str]] = {}
    for metric in (metric for case in cases for metric in case.metrics_data or []):
        settings: Mapping[str, Any] = {
            "threshold": metric.threshold,
            "strict mode": metric.strict_mode,
            "judge": metric.evaluation_model,
        }
        for name, value in settings.items():
            if value is not None:
                values.setdefault(f"{name} of {metric.name}", set()).add(str(value))
    return {name: ", ".join(sorted(several)) for name, several in values.items()}


def _system(file: File, run: _TestRun) -> str:
    names = (part(run.hyperparameters, "model"), run.identifier, file.bare.stem)
    return next(name for name in names if isinstance(name, str) and name)


def _task(run: _TestRun, key: str) -> str:
    """Name the tests; conversations are others, whatever else a run has."""
    name = run.test_file or run.dataset_alias
    if name is None:
        return _KINDS[key]
    return name if key == "testCases" else f"{name}, {_KINDS[key]}"


def _fields(file: File, key: str) -> tuple[str, ...]:
    first = read_document(file, dict[str, Any])[key][0]
    names = ("input", "expectedOutput", "scenario", "expectedOutcome", "metadata")
    return tuple(leaf_names({name: first.get(name) for name in names}))


def _notes(shared: set[str]) -> Iterator[str]:
    names = sorted(n for n in shared if n and not _DEFAULT_NAME.fullmatch(n))
    if names:
        yield (
            f"test cases of different inputs are called {names[0]!r}: they are named "
            "by a hash of the input"
        )


FORMAT = LogFormat("DeepEval", is_deepeval, read_deepeval)
