"""What a study is refused for, before anything is run."""

from collections.abc import Mapping, Sequence
from typing import Any

from likelier import metrics
from likelier._inputs import select_positive
from likelier.data.constructors import from_labels
from likelier.errors import SettingError, unknown_name
from likelier.formatting import listed
from likelier.study.data import StudyData
from likelier.study.systems import System

TASK_METRICS = {
    "labels": ("accuracy",),
    "sets": ("f1",),
    "tags": ("token_accuracy", "sentence_accuracy", "oov_accuracy"),
    "chunks": ("f1", "precision", "recall"),
    "scores": ("mean",),
}


def checked_names(given: Mapping[Any, Any], what: str) -> list[tuple[str, Any]]:
    """Check the names of data sets or systems."""
    names = [str(name) for name in given]
    if not names or len(set(names)) < len(names) or "" in names:
        message = f"{what} must have different names, at least one; got {names!r}."
        raise SettingError(message)
    for name in names:
        if not name.isascii() and name != name.encode(errors="replace").decode():
            message = f"{what} must have names of whole characters; got {name!r}."
            raise SettingError(message)
    return list(zip(names, given.values(), strict=True))


def check_schemes(systems: Mapping[str, System], task: str) -> None:
    """Refuse schemes where there are no chunks."""
    for name, system in systems.items():
        if system.scheme is not None and task != "chunks":
            message = f"scheme must come with chunks; {name!r} has one, for {task}."
            raise SettingError(message)


def check_positive(positive: str | None, names: Sequence[str], data: StudyData) -> None:
    """Refuse a positive class that is missing or unknown, before anything is run."""
    if data.task == "labels":
        known = sorted(data.class_names())
        table = from_labels(known, known)
        for name in names:
            try:
                select_positive(table, metrics.named(name), positive)
            except SettingError as error:
                if positive is not None:
                    raise
                hint = f'positive = "{known[-1]}" in the study; or macro_{name}.'
                raise SettingError(error.message, hint=hint) from error
    elif data.task == "chunks" and positive is not None:
        known = sorted(data.class_names())
        if positive not in known:
            raise unknown_name(positive, known, kind="positive")


def metric_names(given: Sequence[str] | str | None, task: str) -> tuple[str, ...]:
    """Check the names of metrics; without any, give those that fit a task."""
    usual = TASK_METRICS[task]
    names = usual if given is None else ((given,) if isinstance(given, str) else given)
    if not isinstance(names, list | tuple) or not names:
        message = f"metrics must be a list of names, at least one; got {names!r}."
        raise SettingError(message)
    told = tuple(str(name) for name in names)
    if len(set(told)) < len(told):
        message = f"metrics must be different; got {listed(told)}."
        raise SettingError(message)
    for name in told:
        _check_metric(name, task)
    return told


def _check_metric(name: str, task: str) -> None:
    way = metrics.named(name)
    if task == "tags" and name not in TASK_METRICS[task]:
        raise unknown_name(name, TASK_METRICS[task], kind="metric of tags")
    of_tags = task != "tags" and name in TASK_METRICS["tags"]
    if of_tags or way.takes_scores != (task == "scores"):
        wanted = "tags" if of_tags else "scores" if way.takes_scores else "labels"
        message = f"{name} must have {wanted}; the task is {task}."
        raise SettingError(message)
