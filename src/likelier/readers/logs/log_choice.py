"""Choose what to compare in logs: systems, tasks, runs, metric and filter.

Where the logs leave one choice, nothing must be said; where they leave several, the
error lists them.
"""

import re
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from textwrap import shorten
from typing import NamedTuple

from likelier.errors import InputError, SettingError, unknown_name
from likelier.findings import Finding
from likelier.formatting import counted, join_words, listed
from likelier.readers.columns import check_systems
from likelier.readers.logs.log import Log
from likelier.readers.logs.shared_items import shared_items

LATEST, ALL = "latest", "all"
# The longest reason of an answer that failed.
_LONGEST = 200
# Their mean looks at each task beside each item.
_MOST_TASKS = 2_000


class ChosenLogs(NamedTuple):
    """Logs of each task and system, all of one metric and filter; several are runs."""

    metric: str
    filter: str | None
    tasks: Mapping[str, Mapping[str, Sequence[Log]]]
    findings: tuple[Finding, ...] = ()

    @property
    def systems(self) -> tuple[str, ...]:
        """Names of the systems."""
        return tuple(next(iter(self.tasks.values())))

    @property
    def logs(self) -> list[Log]:
        """All logs."""
        rows = self.tasks.values()
        return [log for row in rows for of in row.values() for log in of]

    def check_kind(self, *, labels: bool) -> None:
        """Refuse logs whose metric has labels where others have numbers, or reverse."""
        must, got = ("labels", "numbers") if labels else ("numbers", "labels")
        for log in self.logs:
            if (self.metric in log.labels) is not labels:
                message = (
                    f"{log.file.name}: values of {self.metric} must be {must} here; "
                    f"they are {got}."
                )
                raise InputError(message)

    def converted(self, convert: Callable[[Log], Log], metric: str) -> "ChosenLogs":
        """Return the same choice of other logs, which have another metric."""
        tasks = {
            task: {system: list(map(convert, logs)) for system, logs in row.items()}
            for task, row in self.tasks.items()
        }
        return self._replace(metric=metric, tasks=tasks)

    def source(self, tasks: Sequence[str]) -> str:
        """Write what was read, for the recipe."""
        log = next(iter(next(iter(self.tasks.values())).values()))[0]
        names = tasks[0] if len(tasks) == 1 else f"{len(tasks)} tasks"
        plain = self.filter in (None, "none")
        return f"{log.format} {names}" + ("" if plain else f" filter={self.filter}")


@dataclass(frozen=True, kw_only=True)
class LogChoice:
    """What is wanted of logs; None where they must leave one choice.

    Attributes
    ----------
    systems
        Systems, the baseline first; by default all, in the order of the paths.
    task
        Tasks, or the tool's own names of several; by default all.
    filter
        How answers were cleaned before they were scored.
    runs
        Which of several runs of the same task: latest, all, or names.
    higher_is_better
        Direction of the metric, where the logs do not say it.
    """

    systems: Sequence[str] | None = None
    task: Sequence[str] | None = None
    filter: str | None = None
    runs: Sequence[str] | None = None
    higher_is_better: bool | None = None

    def of(self, logs: Sequence[Log], metric: str | None) -> ChosenLogs:
        """Choose among logs; refuse what is not there, or not one choice."""
        logs = self._of_systems(logs)
        self._check_runs(logs)
        systems = check_systems(dict.fromkeys(log.system for log in logs))
        tasks, findings = self._tasks(logs, systems)
        shared = {*tasks}
        logs = [log for log in logs if log.task in shared]
        name, taken = choose_metric(logs, metric)
        chosen = self._filter([log for log in logs if name in log.metrics], name)
        logs = [log for log in logs if log.filter == chosen]
        placed = _by_place(logs)
        rows = {
            task: {s: self._runs(placed.get((task, s), []), name) for s in systems}
            for task in tasks
        }
        whole = {t: row for t, row in rows.items() if all(row.values())}
        if not whole:
            raise _nowhere(rows, name, chosen)
        findings = [
            *findings,
            *taken,
            *_left_out(rows, whole, name, wanted=metric is not None),
            *shared_items(whole),
        ]
        return ChosenLogs(name, chosen, whole, tuple(findings))

    def _of_systems(self, logs: Sequence[Log]) -> list[Log]:
        every = list(dict.fromkeys(log.system for log in logs))
        if self.systems is None:
            return list(logs)
        systems = check_systems(self.systems)
        for system in systems:
            if system not in every:
                raise unknown_name(system, every, kind="system")
        return [log for system in systems for log in logs if log.system == system]

    def _check_runs(self, logs: Sequence[Log]) -> None:
        """Refuse a name that no run has."""
        every = dict.fromkeys(log.run for log in logs if log.run is not None)
        for name in self.runs or ():
            if name not in (LATEST, ALL, *every):
                raise unknown_name(name, (LATEST, ALL, *every), kind="run")

    def _tasks(
        self, logs: Sequence[Log], systems: Sequence[str]
    ) -> tuple[list[str], list[Finding]]:
        """Return the tasks that all systems have, and remark on the others."""
        every = list(dict.fromkeys(log.task for log in logs))
        if self.task is not None:
            groups = {name: parts for log in logs for name, parts in log.groups.items()}
            names = [self.task] if isinstance(self.task, str) else list(self.task)
            for name in names:
                if name not in every and not {*groups.get(name, ())} & {*every}:
                    raise unknown_name(name, {*every, *groups}, kind="task")
            wanted = [t for name in names for t in (name, *groups.get(name, ()))]
            every = [task for task in every if task in wanted]
        if len(every) > _MOST_TASKS:
            most = f"{_MOST_TASKS:,} tasks"
            message = f"There must be at most {most}; got {len(every):,}."
            raise InputError(message, hint="Name some: --task, in Python task=.")
        placed = _by_place(logs)
        have = {task: {s for s in systems if (task, s) in placed} for task in every}
        shared = {task: None for task in every if len(have[task]) == len(systems)}
        if not shared:
            texts = [
                f"{s} has {listed([t for t in every if s in have[t]])}" for s in systems
            ]
            message = f"Logs must have a task in common; {'; '.join(texts)}."
            raise InputError(message)
        alone = [task for task in every if task not in shared]
        if not alone:
            return list(shared), []
        text = (
            f"tasks that are not in all logs are left out: {join_words(alone, most=5)}"
        )
        return list(shared), [Finding("LIK154", text, severity="warning")]

    def _filter(self, logs: Sequence[Log], metric: str) -> str | None:
        names = list(dict.fromkeys(log.filter for log in logs))
        if self.filter is not None:
            if self.filter not in names:
                every = [name for name in names if name is not None]
                raise unknown_name(self.filter, every, kind="filter")
            return self.filter
        if len(names) == 1:
            return names[0]
        texts = [str(name) for name in names]
        message = f"filter must be chosen for {metric}; there are {listed(texts)}."
        raise SettingError(message, hint=f"--filter {texts[0]}, in Python filter=…")

    def _runs(self, logs: list[Log], metric: str) -> list[Log]:
        """Return one of several runs of a task, or all; none without the metric."""
        having = [log for log in logs if metric in log.metrics]
        if len(logs) < 2 or not having:
            return having
        kept = self._named_runs(logs)
        for log in kept:
            if metric not in log.metrics:
                reason = log.unusable.get(metric, f"it has only {listed(log.metrics)}")
                message = (
                    f"{log.file.name}: every run that is taken must have {metric}; "
                    f"{reason}."
                )
                raise InputError(message, hint="--runs with the names of others.")
        return kept

    def _named_runs(self, logs: list[Log]) -> list[Log]:
        if self.runs == (ALL,):
            return logs
        names = [str(log.run) for log in logs]
        if self.runs == (LATEST,):
            return [max(logs, key=lambda log: _by_number(str(log.run)))]
        kept = [log for log in logs if log.run in (self.runs or ())]
        if kept:
            return kept
        one = logs[0]
        message = (
            f"{one.system} has {len(logs)} runs of {one.task}: {listed(names)}; one "
            "must be chosen, or their mean."
        )
        raise SettingError(message, hint="--runs latest, --runs all, or a name of one.")


def _by_number(name: str) -> list[tuple[int, str]]:
    """Return what sorts names by the numbers in them: v9 comes before v10."""
    parts = re.findall(r"([0-9]+)|([^0-9]+)", name)
    return [(int(digits or 0), text) for digits, text in parts]


def _by_place(logs: Sequence[Log]) -> dict[tuple[str, str], list[Log]]:
    """Return the logs of each task and system."""
    placed: dict[tuple[str, str], list[Log]] = {}
    for log in logs:
        placed.setdefault((log.task, log.system), []).append(log)
    return placed


def choose_metric(logs: Sequence[Log], metric: str | None) -> tuple[str, list[Finding]]:
    """Return the metric that is asked for, the only one, or the tool's own headline."""
    every = list(dict.fromkeys(name for log in logs for name in log.metrics))
    reasons = {name: why for log in logs for name, why in log.unusable.items()}
    if not every and not reasons and any(log.errors for log in logs):
        raise _all_failed(logs)
    if metric is not None:
        if metric in every:
            return metric, []
        if metric in reasons:
            message = f"{metric} cannot be computed from this log: {reasons[metric]}."
            raise SettingError(message, hint=f"Its metrics: {listed(every, most=20)}.")
        raise unknown_name(metric, every, kind="metric")
    if not every:
        texts = [f"{name} ({why})" for name, why in reasons.items()]
        message = f"A log must have a metric of items; there is {_or_none(texts)}."
        raise InputError(message)
    if len(every) == 1:
        return every[0], []
    heads = {log.headline for log in logs}
    head = heads.pop() if len(heads) == 1 else None
    if head is not None and head in every:
        others = [name for name in every if name != head]
        text = (
            f"{head}, the log's own main metric, was taken; it also has "
            f"{listed(others)}: name one with --metric, in Python metric=…"
        )
        return head, [Finding("LIK155", text, severity="note")]
    raise _several(every)


def _several(metrics: Sequence[str]) -> SettingError:
    message = f"metric must be chosen; there are {listed(metrics, most=20)}."
    hint = f"--metric {metrics[0]}, in Python metric=…"
    if "labels" in metrics:
        hint += "; of labels: accuracy, f1, macro_f1 …"
    return SettingError(message, hint=hint)


def _all_failed(logs: Sequence[Log]) -> InputError:
    errors = [(log, row, why) for log in logs for row, why in log.errors.items()]
    log, row, why = errors[0]
    failed = counted(len(errors), "answer")
    message = (
        f"Answers must have values of a metric; {failed} failed, and no other is "
        f"there. {log.locate(row)}: {shorten(why, _LONGEST)}"
    )
    return InputError(message, hint="Evaluate again what failed.")


def _or_none(texts: Sequence[str]) -> str:
    return f"only {listed(texts)}" if texts else "none"


def _nowhere(
    rows: Mapping[str, Mapping[str, Sequence[Log]]], metric: str, chosen: str | None
) -> InputError:
    task, row = next(iter(rows.items()))
    lacking = [system for system, logs in row.items() if not logs]
    under = "" if chosen is None else f" under the filter {chosen}"
    message = (
        f"All systems must have {metric}{under} on a task; on {task} "
        f"{listed(lacking)} does not."
    )
    return InputError(message)


def _left_out(
    rows: Iterable[str], whole: Container[str], metric: str, *, wanted: bool
) -> list[Finding]:
    """Remark on tasks without the metric; only a note where it was asked for."""
    lacking = [task for task in rows if task not in whole]
    if not lacking:
        return []
    names = join_words(lacking, most=5)
    text = f"tasks without {metric} for every system are left out: {names}"
    return [Finding("LIK154", text, severity="note" if wanted else "warning")]
