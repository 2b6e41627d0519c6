"""Logs of Inspect (inspect_ai): ``.eval`` archives and ``.json`` documents.

Of an archive, only header and summaries of samples are read, never the transcripts.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePath
from typing import Any

from likelier.errors import InputError, LikelierError
from likelier.readers.dotted import dotted
from likelier.readers.file import File
from likelier.readers.logs import inspect_samples
from likelier.readers.logs.archive import open_archive
from likelier.readers.logs.inspect_samples import Content, Sample, read_content
from likelier.readers.logs.inspect_scores import score_columns
from likelier.readers.logs.json_keys import key_paths
from likelier.readers.logs.json_records import leaf_names, written
from likelier.readers.logs.log import Log, LogFormat

# Settings of how calls are sent, which cannot change an answer.
_SENDING = frozenset(
    [
        "max_retries",
        "timeout",
        "attempt_timeout",
        "stream_idle_timeout",
        "max_connections",
        "adaptive_connections",
        "cache",
        "cache_prompt",
        "batch",
    ]
)
_LIMITS = (
    "message_limit",
    "token_limit",
    "turn_limit",
    "time_limit",
    "working_limit",
    "cost_limit",
)


def is_inspect(file: File) -> bool:
    """Return whether a file is a log of Inspect, whole or cut off."""
    if inspect_samples.is_archive(file):
        return _is_inspect_archive(file)
    if not file.start.lstrip().startswith(b"{"):
        return False
    needed = {"eval", "status", "eval.task", "eval.model", "eval.dataset"}
    return needed <= key_paths(file.start, depth=2)


def _is_inspect_archive(file: File) -> bool:
    if inspect_samples.START.encode() in file.start:
        return True
    try:
        with open_archive(file) as archive:
            names = set(archive.names)
    except LikelierError:
        return False
    own = {inspect_samples.HEADER, inspect_samples.SUMMARIES}
    return own <= names or inspect_samples.START in names


def read_inspect(file: File) -> Iterator[Log]:
    """Read the log of one task."""
    content = read_content(file)
    header, samples = content.header, content.samples
    if not samples:
        message = f"{file.name} must have samples; it has none."
        hint = "Run without --no-log-samples, and until samples are complete."
        raise InputError(message, hint=hint)
    names = [(str(sample.id), sample.epoch) for sample in samples]
    _check_once(file, names)

    def locate(row: int) -> str:
        return f"{file.name}, sample {names[row][0]!r}, epoch {names[row][1]}"

    def look_up(name: str, rows: Sequence[int] | None) -> list[Any]:
        again = read_content(file).samples
        wanted = range(len(again)) if rows is None else rows
        return [_field(again[row], name) for row in wanted]

    errors = _errors(header, samples)
    columns = score_columns(
        [{} if row in errors else sample.values for row, sample in enumerate(samples)]
    )
    headline = _headline(header, [*columns.scores])
    epochs = [epoch for _, epoch in names]
    hashes = [sample.hash for sample in samples]
    fields = _fields(samples)
    yield Log(
        file=file,
        format=FORMAT.name,
        version=_text(header, "eval.packages.inspect_ai"),
        system=_text(header, "eval.model") or file.bare.stem,
        task=_text(header, "eval.task") or file.bare.stem,
        run=_text(header, "eval.created"),
        items=[item for item, _ in names],
        repeats=epochs if len(set(epochs)) > 1 else None,
        locate=locate,
        scores=columns.scores,
        unusable=columns.unusable,
        headline=headline,
        errors=errors,
        hashes={"item": hashes} if any(hashes) else {},
        conditions=_conditions(header),
        fields=fields,
        text="input",
        cluster=_cluster(header, headline, fields),
        look_up=look_up,
        notes=tuple(_notes(content)),
    )


def _check_once(file: File, names: Sequence[tuple[str, int]]) -> None:
    [((item, epoch), times)] = Counter(names).most_common(1)
    if times > 1:
        message = (
            f"{file.name} must have each sample once; sample {item!r}, epoch {epoch}, "
            f"is there {times} times."
        )
        raise InputError(message)


def _text(header: Mapping[str, Any], name: str) -> str | None:
    value = dotted(header, name)
    return None if value is None else written(value)


def _field(sample: Sample, name: str) -> Any:
    if name == "input":
        return sample.text
    own = {"id": sample.id, "epoch": sample.epoch, "target": sample.target}
    return dotted(own | {"metadata": sample.metadata}, name)


def _fields(samples: Sequence[Sample]) -> tuple[str, ...]:
    names = dict.fromkeys(["input", "target"])
    for sample in samples:
        names.update(dict.fromkeys(leaf_names({"metadata": sample.metadata})))
    return tuple(names)


def _errors(header: Mapping[str, Any], samples: Sequence[Sample]) -> dict[int, str]:
    # With score_on_error, people want what failed to be scored as it stands.
    scored = dotted(header, "eval.config.score_on_error") is True
    failures = {row: sample.failure for row, sample in enumerate(samples)}
    return {
        row: failure
        for row, failure in failures.items()
        if failure is not None and not (scored and samples[row].scores)
    }


def _headline(header: Mapping[str, Any], metrics: Sequence[str]) -> str | None:
    """Return the metric that Inspect shows first, else the only one."""
    scorer = dotted(header, "results.headline.scorer")
    score = dotted(header, "results.headline.score")
    for name in (f"{scorer}.{score}", scorer, score):
        if name in metrics:
            return str(name)
    return metrics[0] if len(metrics) == 1 else None


def _cluster(
    header: Mapping[str, Any], headline: str | None, fields: Sequence[str]
) -> str | None:
    """Return the field by which the main scorer clusters its standard error."""
    clusters = dict[str, str]()
    scorers = dotted(header, "eval.scorers")
    for scorer in scorers if isinstance(scorers, list) else ():
        for part, key in _cluster_keys(dotted(scorer, "metrics")):
            name = str(dotted(scorer, "name"))
            clusters.setdefault(f"{name}.{part}" if part else name, key)
    for _, key in _cluster_keys(dotted(header, "eval.metrics")):
        clusters.setdefault("", key)
    main = clusters.get(headline or "", clusters.get(""))
    if main is None and len(set(clusters.values())) == 1:
        main = next(iter(clusters.values()))
    return f"metadata.{main}" if f"metadata.{main}" in fields else None


def _cluster_keys(metrics: Any, part: str = "") -> Iterator[tuple[str, str]]:
    """Yield the keys of clusters of metrics, with the part of a score they are for."""
    if isinstance(metrics, list):
        for metric in metrics:
            key = dotted(metric, "options.cluster")
            if isinstance(key, str):
                yield part, key
            elif isinstance(metric, dict) and "name" not in metric:
                yield from _cluster_keys(metric)
    elif isinstance(metrics, dict) and not part:
        for name, several in metrics.items():
            yield from _cluster_keys(several, str(name))


def _conditions(header: Mapping[str, Any]) -> dict[str, str]:
    """Return what must be equal in two runs of a task."""
    values = {
        "task version": dotted(header, "eval.task_version"),
        "task arguments": dotted(header, "eval.task_args"),
        "dataset": dotted(header, "eval.dataset.name"),
        "dataset location": _location(dotted(header, "eval.dataset.location")),
        "solver": _solver(dotted(header, "plan.steps")),
        "generation settings": _settings(header),
        "limits": _limits(dotted(header, "eval.config")),
    }
    return {name: written(v) for name, v in values.items() if v is not None}


def _location(location: Any) -> Any:
    """Return the name of a file, whose folder differs between machines; else as is."""
    if isinstance(location, str) and "://" not in location:
        path = PurePath(location)
        return path.name if path.is_absolute() or ".." in path.parts else location
    return location


def _solver(steps: Any) -> list[Any] | None:
    if not isinstance(steps, list):
        return None
    return [[dotted(step, "solver"), dotted(step, "params")] for step in steps]


def _settings(header: Mapping[str, Any]) -> dict[str, Any] | None:
    names = ("eval.model_generate_config", "plan.config")
    parts = [part for name in names if isinstance(part := dotted(header, name), dict)]
    settings = {name: v for part in parts for name, v in part.items()}
    kept = {name: v for name, v in settings.items() if name not in _SENDING}
    return kept if parts else None


def _limits(config: Any) -> dict[str, Any] | None:
    if not isinstance(config, dict):
        return None
    limits = {name: dotted(config, name) for name in _LIMITS}
    return {name: limit for name, limit in limits.items() if limit is not None}


def _notes(content: Content) -> Iterator[str]:
    header, samples = content.header, content.samples
    status, total = dotted(header, "status"), dotted(header, "results.total_samples")
    if status != "success":
        yield f"unfinished: {len(samples)} of {_expected(header)} samples"
    elif total not in (None, len(samples)):
        yield f"the results are of {total} samples; the log has {len(samples)}"
    if dotted(header, "invalidated") is True:
        yield "samples were declared invalid in Inspect; they are read as they stand"
    limits = Counter(
        str(dotted(s.limit, "type") or s.limit) for s in samples if s.limit
    )
    for limit, count in limits.items():
        yield f"{count} samples reached a limit ({limit}) and were scored as they were"
    reducers = dotted(header, "eval.config.epochs_reducer")
    if isinstance(reducers, list) and reducers not in ([], ["mean"]):
        yield f"Inspect reduces epochs by {', '.join(map(str, reducers))}"


def _expected(header: Mapping[str, Any]) -> str:
    ids, epochs = (
        dotted(header, "eval.dataset.sample_ids"),
        dotted(header, "eval.config.epochs"),
    )
    count = (
        len(ids) if isinstance(ids, list) else dotted(header, "eval.dataset.samples")
    )
    if not isinstance(count, int):
        return "unknown"
    return str(count * (epochs if isinstance(epochs, int) else 1))


FORMAT = LogFormat("Inspect", is_inspect, read_inspect)
