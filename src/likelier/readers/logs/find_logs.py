"""From paths, folders and patterns to logs, whose systems have different names."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fnmatch import fnmatch
from glob import glob, has_magic
from importlib import import_module
from os import PathLike, fspath
from pathlib import Path

from likelier.errors import InputError
from likelier.formatting import listed
from likelier.readers.file import File, find_file, shortest_endings
from likelier.readers.logs.log import Log, LogFormat
from likelier.readers.logs.retrieval_runs import read_runs
from likelier.readers.logs.trec_files import is_trec, no_trec_file

# Modules with a `FORMAT`, in the order in which these look at a file.
MODULES = (
    *("lm_eval", "inspect_log", "promptfoo", "helm", "deepeval", "every_eval_ever"),
    *("lighteval", "openai_evals", "evalplus", "swe_bench"),
)

# Names and starts of files with the means of lm_eval and lighteval.
_ITEMS = "lm_eval writes the items with --log_samples, lighteval with --save-details."
_RESULTS = "results*.json"
_MEANS = re.compile(rb'\s*\{\s*"(results"\s*:\s*\{|config_general")')

# JSON, archives and Parquet: what starts otherwise is no log.
_STARTS = b"{", b"[", b"PK", b"PAR1"

PathLikes = Sequence[str | PathLike[str]]


def log_formats() -> Iterator[LogFormat]:
    """Yield all formats of logs, in the order in which they look at a file."""
    for module in MODULES:
        yield import_module(f"likelier.readers.logs.{module}").FORMAT


def log_format(file: File) -> LogFormat | None:
    """Return the format of a log; None where the file is none."""
    if not file.start.lstrip().startswith(_STARTS):
        return None
    return next((form for form in log_formats() if form.sniff(file)), None)


def has_logs(paths: PathLikes) -> bool:
    """Return whether any path is a folder, a pattern, a log or a file of TREC."""
    return any(_is_of_logs(fspath(path)) for path in paths) or has_trec(paths)


def _is_of_logs(name: str) -> bool:
    path = Path(name)
    if path.is_dir() or (has_magic(name) and not path.exists()):
        return True
    file = find_file(name)
    return log_format(file) is not None or _has_means(file)


def _has_means(file: File) -> bool:
    """Return whether a file has results over items, which lie beside logs."""
    return fnmatch(file.bare.name, _RESULTS) and bool(_MEANS.match(file.start))


def part_strangers(paths: PathLikes) -> tuple[list[str], list[str]]:
    """Part paths of logs from files that are none, however many logs there are."""
    names = [fspath(path) for path in paths]
    if has_trec(names):
        return names, []
    own = [name for name in names if _is_of_logs(name)]
    return own, [name for name in names if name not in own]


def has_trec(paths: PathLikes) -> bool:
    """Return whether any path is a file of TREC, the order of which is free."""
    return any(is_trec(find_file(path)) for path in paths if Path(path).is_file())


def files_of(path: str | PathLike[str]) -> list[Path]:
    """Return the files of a path: itself, those in a folder, or those of a pattern."""
    name = fspath(path)
    own = Path(name)
    if own.is_dir():
        inside = (p for p in own.rglob("*") if not _hidden(p.relative_to(own)))
        return sorted(p for p in inside if p.is_file())
    if has_magic(name) and not own.exists():
        matches = sorted(glob(name, recursive=True))  # noqa: PTH207 (also of absolute paths)
        if not matches:
            message = f"{name} must match at least one file; it matches none."
            raise InputError(message)
        return [part for match in matches for part in files_of(match)]
    return [own]


def _hidden(path: Path) -> bool:
    # deepeval keeps its results in a folder of that name.
    return any(p.startswith(".") and p != ".deepeval" for p in path.parts)


def find_logs(paths: PathLikes) -> tuple[list[Log], list[str]]:
    """Read the logs of all paths.

    Returns
    -------
    tuple
        The logs, in the order of the paths; and the names of files in folders that
        are no logs.
    """
    logs: list[list[Log]] = []
    others: list[str] = []
    refused: dict[str, InputError] = {}
    trec_files: list[File] = []
    for path in paths:
        of_path: list[Log] = []
        before, n_others = len(trec_files), len(others)
        for file in files_of(path):
            if file.stat().st_size == 0 and file != Path(path):
                others.append(f"{file} (empty)")
                continue
            opened = find_file(file)
            form = log_format(opened)
            if form is not None:
                of_path += form.read(opened)
            elif is_trec(opened):
                trec_files.append(opened)
            else:
                others.append(opened.name)
        if not of_path and len(trec_files) == before:
            own = others[n_others:]
            refused[fspath(path)] = _no_log(path, own, trec=has_trec(paths))
        logs.append(of_path)
    every = [log for of_path in logs for log in of_path]
    _check_beside(refused, every)
    if trec_files:
        return _of_runs(trec_files, logs), others
    _check_once(paths)
    return _distinct(paths, logs), not_beside(others, every)


def _check_once(paths: PathLikes) -> None:
    """Refuse a path that comes twice: its logs would be runs of one system."""
    times = Counter(Path(fspath(path)).resolve() for path in paths)
    twice = [p for p in paths if times[Path(fspath(p)).resolve()] > 1]
    if twice:
        message = f"paths must be different; {fspath(twice[-1])} comes twice."
        raise InputError(message)


def not_beside(names: Sequence[str], logs: Sequence[Log]) -> list[str]:
    """Return the names of files that the tools of logs do not write beside them."""
    formats = {log.format for log in logs}
    known = [p for f in log_formats() if f.name in formats for p in f.companions]
    return [n for n in names if not any(fnmatch(Path(n).name, p) for p in known)]


def _check_beside(refused: Mapping[str, InputError], logs: Sequence[Log]) -> None:
    """Raise the error of the first path that is neither of logs nor beside them."""
    for name in not_beside(list(refused), logs):
        raise refused[name]


def _of_runs(files: Sequence[File], logs: Sequence[list[Log]]) -> list[Log]:
    """Read runs of retrieval, which nothing else can be compared with."""
    others = sorted({log.format for of_path in logs for log in of_path})
    if others:
        message = f"Runs of TREC must come alone; there are logs of {listed(others)}."
        raise InputError(message)
    return read_runs(files)


def _no_log(
    path: str | PathLike[str], others: Sequence[str], *, trec: bool
) -> InputError:
    if trec and Path(path).is_file():
        return no_trec_file(find_file(path))
    if any(_has_means(find_file(file)) for file in files_of(path)):
        message = f"{path} must have the answers to items; it has means over items."
        return InputError(message, hint=_ITEMS)
    names = listed([form.name for form in log_formats()], most=20)
    if Path(path).is_dir():
        held = f"it has {listed(others)}." if others else "it has no files."
        message = f"{path} must hold a log of an evaluation tool; {held}"
        hint = (
            f"Logs are recognised by their content: {names}. Tables are named as "
            "files, not as their folder."
        )
        return InputError(message, hint=hint)
    message = f"{path} must be a log of an evaluation tool; it is none."
    return InputError(message, hint=f"Logs are recognised by their content: {names}.")


def _distinct(paths: PathLikes, logs: Sequence[list[Log]]) -> list[Log]:
    """Name systems by folder or file where several paths have the same one."""
    names = {log.system for of_path in logs for log in of_path}
    labels = {name: _labels(paths, logs, name) for name in names}
    return [
        replace(log, system=labels[log.system].get(i, log.system))
        for i, of_path in enumerate(logs)
        for log in of_path
    ]


def _labels(paths: PathLikes, logs: Sequence[list[Log]], system: str) -> dict[int, str]:
    """Return other names for a system by path; none where no task comes twice."""
    tasks = {
        i: {(log.task, log.filter) for log in of_path if log.system == system}
        for i, of_path in enumerate(logs)
    }
    tasks = {i: of_path for i, of_path in tasks.items() if of_path}
    places = {i: _place(paths[i]) for i in tasks}
    if not _overlap(list(tasks.values())):
        return {}
    together = [
        [tasks[i] for i in tasks if places[i] == place]
        for place in dict.fromkeys(places.values())
    ]
    if any(_overlap(sets) for sets in together):
        places = {i: Path(fspath(paths[i])).absolute() for i in tasks}
    endings = shortest_endings(list(dict.fromkeys(places.values())))
    several = {i: len({log.system for log in logs[i]}) > 1 for i in tasks}
    return {
        i: f"{endings[place]}/{system}" if several[i] else endings[place]
        for i, place in places.items()
    }


def _overlap(sets: Sequence[set[tuple[str, str | None]]]) -> bool:
    return sum(map(len, sets)) > len(set().union(*sets))


def _place(path: str | PathLike[str]) -> Path:
    """Return a folder itself, or the folder of a file or pattern."""
    full = Path(fspath(path)).absolute()
    return full if full.is_dir() else full.parent
