"""Logs of promptfoo: ``-o out.json`` and ``-o out.jsonl``.

A file has the answers of several systems: each is a provider with a prompt. Items are
the variables of tests; the prompt is part of the system, so it is no condition.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import msgspec

from likelier.errors import InputError
from likelier.readers.dotted import dotted
from likelier.readers.file import File
from likelier.readers.logs.json_keys import key_paths
from likelier.readers.logs.json_records import (
    digest,
    leaf_names,
    numbers,
    read_document,
    read_lines,
    written,
)
from likelier.readers.logs.log import Log, LogFormat
from likelier.readers.logs.promptfoo_result import Result, readable

# promptfoo has no name for a set of tests; a description names the run, not the tests.
_TASK = "tests"
_LONGEST_LABEL = 40
_RESULT_KEYS = {"promptIdx", "testIdx", "provider", "success"}


class _Results(msgspec.Struct):
    results: list[Result]
    timestamp: Any = None


class _Document(msgspec.Struct):
    results: _Results
    metadata: Any = None


class _System(NamedTuple):
    """Provider and prompt; the column tells those apart that have the same names."""

    provider: str
    prompt: str
    column: int | None


@dataclass(frozen=True)
class _Content:
    """Results with the names of their records, and facts of the run."""

    results: list[tuple[str, Result]]
    version: str | None = None
    run: str | None = None
    lines: bool = False


def is_promptfoo(file: File) -> bool:
    """Return whether a file is what promptfoo writes as JSON or JSON lines."""
    return file.start.lstrip().startswith(b"{") and (_is_lines(file) or _is_json(file))


def _is_lines(file: File) -> bool:
    return key_paths(file.start_lines[0], depth=1) >= _RESULT_KEYS


def _is_json(file: File) -> bool:
    paths = key_paths(file.start)
    return paths >= {"evalId", "results.version", "results.prompts"} or (
        paths >= {f"results.results.{key}" for key in _RESULT_KEYS}
    )


def read_promptfoo(file: File) -> Iterator[Log]:
    """Read the results of every provider with every prompt, a log for each."""
    content = _read(file, lines=_is_lines(file))
    systems = dict[_System, list[int]]()
    for row, (_, result) in enumerate(content.results):
        systems.setdefault(_system(result), []).append(row)
    if not systems:
        message = f"{file.name} must have results; it has none."
        raise InputError(message)
    items = _items([result for _, result in content.results])
    # Answers come in any order; columns are in that of the configuration.
    ordered = sorted(systems, key=lambda system: system.column or 0)
    for system, name in zip(ordered, _names(ordered), strict=True):
        yield _log(file, content, systems[system], every_item=items, system=name)


def _read(file: File, *, lines: bool) -> _Content:
    if lines:
        results = read_lines(file, Result)
        return _Content([(file.at(n), result) for n, result in results], lines=True)
    document = read_document(file, _Document)
    return _Content(
        [
            (f"{file.name}, results[{row}]", result)
            for row, result in enumerate(document.results.results)
        ],
        _text_or_none(dotted(document.metadata, "promptfooVersion")),
        _text_or_none(document.results.timestamp),
    )


def _text_or_none(value: Any) -> str | None:
    return None if value is None else written(value)


def _log(
    file: File,
    content: _Content,
    rows: list[int],
    *,
    every_item: Sequence[str],
    system: str,
) -> Log:
    # Results are in the order in which answers came; tests have an order of their own.
    order = sorted(rows, key=lambda row: content.results[row][1].test_idx or 0)
    wheres = [content.results[row][0] for row in order]
    results = [content.results[row][1] for row in order]

    # Not the content itself, which would stay in memory with the log.
    lines = content.lines

    def locate(row: int) -> str:
        return wheres[row]

    def look_up(name: str, wanted: Sequence[int] | None) -> list[Any]:
        again = _read(file, lines=lines).results
        chosen = order if wanted is None else [order[row] for row in wanted]
        return [_field(again[row][1], name) for row in chosen]

    items = [every_item[row] for row in order]
    repeats = _repeats(items)
    failures = {row: result.failure for row, result in enumerate(results)}
    return Log(
        file=file,
        format=FORMAT.name,
        version=content.version,
        system=system,
        task=_TASK,
        run=content.run,
        items=items,
        repeats=repeats if max(repeats) > 1 else None,
        locate=locate,
        scores=_scores(results, locate),
        higher_is_better={"pass": True, "score": True},
        # What promptfoo shows first is the share of tests that pass.
        headline="pass",
        errors={row: why for row, why in failures.items() if why is not None},
        hashes={"assertions": [result.assertions for result in results]},
        fields=_fields(results),
        text="vars",
        look_up=look_up,
    )


def _scores(results: Sequence[Result], locate: Any) -> dict[str, Any]:
    values = [result.values for result in results]
    metrics = dict.fromkeys(name for row in values for name in row)
    metrics = dict.fromkeys(["pass", "score"]) | metrics
    return {name: numbers([v.get(name) for v in values], locate) for name in metrics}


def _items(results: Sequence[Result]) -> list[str]:
    """Name items; tests of other variables or assertions are others."""
    texts = ({n: written(v) for n, v in r.variables.items()} for r in results)
    contents = [
        digest([own, result.assertions])[:16]
        for own, result in zip(texts, results, strict=True)
    ]
    items = [result.item for result in results]
    counts = Counter(item for item, _ in set(zip(items, contents, strict=True)))
    return [
        f"{item}|{content}" if counts[item] > 1 else item
        for item, content in zip(items, contents, strict=True)
    ]


def _repeats(items: Sequence[str]) -> list[int]:
    counts, repeats = Counter[str](), []
    for item in items:
        counts[item] += 1
        repeats.append(counts[item])
    return repeats


def _system(result: Result) -> _System:
    provider = result.provider
    if isinstance(provider, dict):
        provider = provider.get("label") or provider.get("id")
    label = dotted(result.prompt, "label") or dotted(result.prompt, "raw")
    prompt = written(label or result.prompt_id or "")
    return _System(written(provider or "provider"), prompt, result.prompt_idx)


def _names(systems: Sequence[_System]) -> list[str]:
    """Name systems by the provider or the prompt, by both where both differ."""
    prompts = len({system.prompt for system in systems}) > 1
    providers = len({system.provider for system in systems}) > 1 or not prompts
    parts = [
        [s.provider] * providers + [_shortened(s.prompt)] * prompts for s in systems
    ]
    names = [" | ".join(part) for part in parts]
    numbered = zip(names, _repeats(names), strict=True)
    return [name if number == 1 else f"{name} ({number})" for name, number in numbered]


def _shortened(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _LONGEST_LABEL else f"{line[: _LONGEST_LABEL - 1]}…"


def _field(result: Result, name: str) -> Any:
    if name == "vars":
        return readable(result.variables)
    return dotted({"vars": result.vars, "metadata": result.metadata}, name)


def _fields(results: Sequence[Result]) -> tuple[str, ...]:
    names = dict.fromkeys(["vars"])
    for result in results:
        record = {"vars": result.variables, "metadata": result.metadata}
        names.update(dict.fromkeys(leaf_names(record)))
    return tuple(names)


FORMAT = LogFormat("promptfoo", is_promptfoo, read_promptfoo)
