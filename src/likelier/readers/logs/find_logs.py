"""From paths, folders and patterns to logs, whose systems have different names."""

from collections.abc import Iterator, Sequence
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
    """Return whether the first path is a folder, a pattern or a log, or any of TREC."""
    first = fspath(paths[0])
    path = Path(first)
    if path.is_dir() or (has_magic(first) and not path.exists()):
        return True
    if log_format(find_file(first)) is not None:
        return True
    return has_trec(paths)


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
    trec_files: list[File] = []
    for path in paths:
        of_path: list[Log] = []
        before = len(trec_files)
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
            raise _no_log(fspath(path), others, trec=has_trec(paths))
        logs.append(of_path)
    if trec_files:
        return _of_runs(trec_files, logs), others
    names = {log.format for of_path in logs for log in of_path}
    known = [p for form in log_formats() if form.name in names for p in form.companions]
    rest = [o for o in others if not any(fnmatch(Path(o).name, p) for p in known)]
    return _distinct(paths, logs), rest


def _of_runs(files: Sequence[File], logs: Sequence[list[Log]]) -> list[Log]:
    """Read runs of retrieval, which nothing else can be compared with."""
    others = sorted({log.format for of_path in logs for log in of_path})
    if others:
        message = f"Runs of TREC must come alone; there are logs of {listed(others)}."
        raise InputError(message)
    return read_runs(files)


def _no_log(path: str, others: Sequence[str], *, trec: bool) -> InputError:
    if trec and Path(path).is_file():
        return no_trec_file(find_file(path))
    names = listed([form.name for form in log_formats()], most=20)
    if Path(path).is_dir():
        held = f"it has {listed(others)}." if others else "it has no files."
        message = f"{path} must hold a log of an evaluation tool; {held}"
        hint = (
            f"Logs are recognised by their content: {names}. Tables are named as "
            "files, not as their folder."
        )
        return InputError(message, hint=hint)
    message = f"{path} must be a log of an evaluation tool, as the first path is."
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
