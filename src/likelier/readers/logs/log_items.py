"""LogItems: the items of evaluation logs, ready to be compared."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from os import PathLike
from typing import Any

import numpy as np

from likelier import metrics
from likelier.data.grouped_scores import scores_by_group
from likelier.data.outcomes import Outcomes
from likelier.data_frames import Backend, data_frame
from likelier.errors import InputError, SettingError
from likelier.findings import Finding
from likelier.formatting import listed
from likelier.metrics import formulas
from likelier.metrics.metric import Metric
from likelier.readers.logs.find_logs import find_logs
from likelier.readers.logs.label_pairing import pair_labels
from likelier.readers.logs.log import Log
from likelier.readers.logs.log_choice import ChosenLogs, LogChoice
from likelier.readers.logs.log_pairing import PairedItems, pair_scores
from likelier.readers.logs.pairing_rules import PairingRules, check_policy

# Metrics of scores that are not their mean.
_FORMULAS = {"perplexity": formulas.perplexity}
# Names of metrics where less is probably better.
_LESS = re.compile(
    r"err|loss|perplex|latenc|cost|distance|toxic|(?:^|_)(?:wer|cer|ter|mae|mse|rmse)$",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class TaskTables:
    """A metric, and the outcomes of each task that it is computed on.

    Attributes
    ----------
    metric
        The metric.
    tables
        Outcomes by task.
    averages
        The mean over tasks, each alike, and the metric of all items together, each
        with the outcomes that it is computed on; none for labels or a single task.
    findings
        Remarks on the logs as a whole.
    """

    metric: Metric
    tables: dict[str, Outcomes]
    averages: tuple[tuple[Metric, Outcomes], ...] = ()
    findings: tuple[Finding, ...] = ()

    @property
    def tasks(self) -> tuple[str, ...]:
        """Names of the tasks."""
        return tuple(self.tables)

    @property
    def systems(self) -> tuple[str, ...]:
        """Names of the systems."""
        return next(iter(self.tables.values())).systems

    def task_tables(self, _metric: object = None) -> "TaskTables":
        """Return itself: the metric is chosen already."""
        return self

    def only(self) -> tuple[Metric, Outcomes] | None:
        """Return the metric with the outcomes of the only task; None for several."""
        if len(self.tables) > 1:
            return None
        (outcomes,) = self.tables.values()
        findings = (*self.findings, *outcomes.findings)
        return self.metric, replace(outcomes, findings=findings)

    def table(self, _metric: object = None) -> tuple[Metric, Outcomes]:
        """Return the metric with the outcomes of the only task; refuse several."""
        one = self.only()
        if one is not None:
            return one
        message = f"task must be chosen; there are {listed(self.tables)}."
        hint = 'read(…, task="…"), or compare_groups(…, by="task") for all of them.'
        raise SettingError(message, hint=hint)

    def average(self) -> tuple[Metric, Outcomes]:
        """Return the only task, or the mean over tasks, each alike."""
        one = self.only()
        if one is not None or not self.averages:
            return one or self.table()
        metric, outcomes = self.averages[0]
        text = (
            f"the answer is about the mean over {len(self.tables)} tasks, each alike: "
            f"{listed(self.tables)}"
        )
        note = Finding("LIK156", text, severity="note")
        each = (f for table in self.tables.values() for f in table.findings)
        findings = tuple(dict.fromkeys((*self.findings, note, *each)))
        return metric, replace(outcomes, findings=findings)


@dataclass(frozen=True, repr=False)
class LogItems:
    """Items of logs: which systems, tasks and metrics there are, and their values.

    Attributes
    ----------
    logs
        The logs, one for each system, task, filter and run.
    choice
        Which of them are wanted.
    rules
        What to do with items that not every system answered.
    cluster
        Field that says which items belong together; by default the one that the tool
        itself uses, and none where it is empty.
    others
        Files in folders that are no logs.
    """

    logs: tuple[Log, ...]
    choice: LogChoice
    rules: PairingRules
    cluster: str | None = None
    others: tuple[str, ...] = ()

    def __repr__(self) -> str:
        return (
            f"<LogItems of {', '.join(self.systems)}: tasks {', '.join(self.tasks)}; "
            f"metrics {', '.join(self.metrics)}>"
        )

    @property
    def systems(self) -> tuple[str, ...]:
        """Names of the systems, in the order of the paths."""
        return tuple(dict.fromkeys(log.system for log in self.logs))

    @property
    def tasks(self) -> tuple[str, ...]:
        """Names of the tasks."""
        return tuple(dict.fromkeys(log.task for log in self.logs))

    @property
    def metrics(self) -> tuple[str, ...]:
        """Names of the metrics that can be computed from items."""
        return tuple(dict.fromkeys(name for log in self.logs for name in log.metrics))

    def wanted(
        self,
        *,
        filter: str | None = None,  # noqa: A002 (the tools' word)
        runs: str | None = None,
        on_missing: str = "fail",
        allow_different: bool = False,
    ) -> "LogItems":
        """Return the same items under another choice and other rules."""
        choice = replace(self.choice, filter=filter, runs=_names(runs))
        rules = replace(
            self.rules,
            on_missing=check_policy(on_missing, name="on_missing"),
            allow_different=allow_different,
        )
        return replace(self, choice=choice, rules=rules)

    def table(self, metric: str | Metric | None = None) -> tuple[Metric, Outcomes]:
        """Return the metric and the outcomes of the only task.

        Parameters
        ----------
        metric
            Name of a metric of the log; None where it has one.
        """
        return self.task_tables(metric).table()

    def task_tables(self, metric: str | Metric | None = None) -> TaskTables:
        """Return the metric, and the outcomes of every task.

        Parameters
        ----------
        metric
            Name of a metric of the log; None where it has one.
        """
        name = metric.name if isinstance(metric, Metric) else metric
        chosen = self.choice.of(self.logs, name)
        example = next(iter(next(iter(chosen.tasks.values())).values()))[0]
        if chosen.metric in example.labels:
            return self._of_labels(chosen, metric)
        return self._of_scores(chosen)

    def _of_scores(self, chosen: ChosenLogs) -> TaskTables:
        paired = [
            pair_scores(logs, chosen.metric, task, self.rules)
            for task, logs in chosen.tasks.items()
        ]
        metric, findings = self._metric(chosen)
        tables = {p.task: self._outcomes(p, chosen) for p in paired}
        if len(paired) == 1:
            return TaskTables(metric, tables, findings=findings)
        mean = _task_mean(metric, paired, chosen, self._clusters(paired))
        pooled = replace(metric, name=f"{metric.name}_over_all_items")
        averages = (*mean, (pooled, self._pooled(paired, chosen)))
        return TaskTables(metric, tables, averages, findings)

    def _metric(self, chosen: ChosenLogs) -> tuple[Metric, tuple[Finding, ...]]:
        """Return the metric of scores in its direction, and remarks on the choice."""
        logs = [g for row in chosen.tasks.values() for of in row.values() for g in of]
        name, wanted = chosen.metric, self.choice.higher_is_better
        said = {g.higher_is_better[name] for g in logs if name in g.higher_is_better}
        if len(said | ({wanted} - {None})) > 1:
            message = f"{name} must have one direction; the logs say another one."
            raise InputError(message)
        better = said.pop() if said else True if wanted is None else wanted
        metric = replace(metrics.mean, name=name, higher_is_better=better)
        formula = next((g.formulas[name] for g in logs if name in g.formulas), None)
        if formula is not None:
            metric = replace(metric, rate=_FORMULAS[formula], linear=False)
        unsaid = not said and wanted is None and formula is None
        if not unsaid or not _LESS.search(name):
            return metric, chosen.findings
        text = (
            f"the log does not say whether more {name} is better, and that was taken; "
            "--lower-is-better, in Python higher_is_better=False, says otherwise"
        )
        finding = Finding("LIK157", text, severity="warning")
        return metric, (*chosen.findings, finding)

    def _of_labels(self, chosen: ChosenLogs, metric: str | Metric | None) -> TaskTables:
        name = metric or ("accuracy" if chosen.metric == "labels" else chosen.metric)
        tables = {
            task: replace(
                pair_labels(logs, chosen.metric, task, self.rules),
                source=_source(chosen, [task]),
            )
            for task, logs in chosen.tasks.items()
        }
        known = name if isinstance(name, Metric) else metrics.named(name)
        return TaskTables(known, tables, findings=chosen.findings)

    def _outcomes(self, paired: PairedItems, chosen: ChosenLogs) -> Outcomes:
        text = paired.first.text

        def texts(indexes: Sequence[int]) -> list[Any]:
            return paired.look_up(str(text), indexes)

        outcomes = Outcomes.from_scores(
            *paired.values.T,
            systems=_systems(chosen),
            cluster=self._cluster(paired),
            ids=paired.items,
            texts=None if text is None else texts,
        )
        return replace(
            outcomes,
            findings=paired.findings,
            source=_source(chosen, [paired.task]),
        )

    def _pooled(self, paired: Sequence[PairedItems], chosen: ChosenLogs) -> Outcomes:
        outcomes = Outcomes.from_scores(
            *np.concatenate([p.values for p in paired]).T,
            systems=_systems(chosen),
            cluster=self._clusters(paired),
        )
        source = _source(chosen, [p.task for p in paired])
        return replace(outcomes, source=source)

    def _cluster(self, paired: PairedItems) -> list[str] | None:
        """Return the cluster of each item, by the wanted or the log's own field."""
        name = paired.first.cluster if self.cluster is None else self.cluster
        if not name:
            return None
        values = paired.look_up(name)
        for item, value in zip(paired.items, values, strict=True):
            if not isinstance(value, str | int | float):
                message = (
                    f"{paired.first.file.name} must have {name!r} as a text or number "
                    f"for every item; {item!r} has "
                    f"{'none' if value is None else 'something else'}."
                )
                fields = listed(paired.first.fields, most=20)
                raise InputError(message, hint=f"Its fields: {fields}.")
        return [str(value) for value in values]

    def _clusters(self, paired: Sequence[PairedItems]) -> list[str] | None:
        """Return the clusters of all tasks; none is in two of them."""
        each = [self._cluster(p) for p in paired]
        if all(clusters is None for clusters in each):
            return None
        return [
            f"{i}/{name}"
            for i, (p, clusters) in enumerate(zip(paired, each, strict=True))
            for name in (p.items if clusters is None else clusters)
        ]

    def frame(self, backend: Backend | None = None) -> Any:
        """Return all values as a long data frame, one row per item and metric.

        Parameters
        ----------
        backend
            pandas, polars or pyarrow; by default the first of them that is installed.
        """
        names = (
            *("system", "task", "filter", "run", "item", "repeat", "metric"),
            *("value", "gold", "prediction", "error", "file"),
        )
        rows = [row for log in self.logs for row in _frame_rows(log)]
        columns = [list(column) for column in zip(*rows, strict=True)]
        return data_frame(dict(zip(names, columns, strict=True)), backend)


def _frame_rows(log: Log) -> list[tuple[Any, ...]]:
    head = log.system, log.task, log.filter, log.run
    repeats = [1] * len(log.items) if log.repeats is None else log.repeats
    rows: list[tuple[Any, ...]] = []
    for i, (item, repeat) in enumerate(zip(log.items, repeats, strict=True)):
        error, key = log.errors.get(i), (*head, item, repeat)
        for name, scores in log.scores.items():
            value = None if np.isnan(scores[i]) else float(scores[i])
            rows.append((*key, name, value, None, None, error, log.file.name))
        for name, (gold, predicted) in log.labels.items():
            pair = gold[i], predicted[i]
            rows.append((*key, name, None, *pair, error, log.file.name))
    return rows


def _systems(chosen: ChosenLogs) -> tuple[str, ...]:
    return tuple(next(iter(chosen.tasks.values())))


def _source(chosen: ChosenLogs, tasks: Sequence[str]) -> str:
    """Write what was read, for the recipe."""
    log = next(iter(next(iter(chosen.tasks.values())).values()))[0]
    names = tasks[0] if len(tasks) == 1 else f"{len(tasks)} tasks"
    chosen_filter = (
        "" if chosen.filter in (None, "none") else f" filter={chosen.filter}"
    )
    return f"{log.format} {names}{chosen_filter}"


def _task_mean(
    metric: Metric,
    paired: Sequence[PairedItems],
    chosen: ChosenLogs,
    clusters: list[str] | None,
) -> tuple[tuple[Metric, Outcomes], ...]:
    """Return the mean over tasks, each alike, as an average over classes.

    Scores between their ends are parts of a right and a wrong answer, so that the
    mean of a task is a recall, and tasks take the place of classes.
    """
    if metric.rate is not formulas.mean:
        return ()
    values = np.concatenate([p.values for p in paired])
    low, high = float(values.min()), float(values.max())
    if low >= 0 and high <= 1:
        low, high = 0.0, 1.0
    width = (high - low) or 1.0
    task = np.repeat(np.arange(len(paired)), [len(p.items) for p in paired])
    outcomes = scores_by_group(
        (values - low) / width,
        task,
        systems=_systems(chosen),
        groups=[p.task for p in paired],
        cluster=clusters,
    )
    mean = Metric(
        f"{metric.name}_mean_over_tasks",
        formulas.scaled_recall(low, width),
        average="macro",
        bounds=metric.bounds,
        higher_is_better=metric.higher_is_better,
    )
    source = _source(chosen, [p.task for p in paired])
    return ((mean, replace(outcomes, source=source)),)


def read(
    *paths: str | PathLike[str],
    systems: Sequence[str] | None = None,
    task: str | Sequence[str] | None = None,
    filter: str | None = None,  # noqa: A002 (the tools' word)
    runs: str | Sequence[str] | None = None,
    cluster: str | None = None,
    higher_is_better: bool | None = None,
    on_missing: str = "fail",
    on_error: str = "drop",
    allow_different: bool = False,
) -> LogItems:
    """Read the logs of evaluation tools, item by item.

    Parameters
    ----------
    *paths
        Logs, folders of logs, or patterns such as ``runs/*/samples_*.jsonl``; the
        baseline first.
    systems
        Names of systems, the baseline first; by default all, in the order of the paths.
    task
        A task, or several, or the tool's own name for several; by default all.
    filter
        How answers were cleaned before they were scored, where logs have several ways.
    runs
        Which of several runs of one task: ``latest``, ``all`` (their mean), or names.
    cluster
        Field that says which items belong together, such as ``metadata.passage``; by
        default the one that the tool itself uses, and none where it is empty.
    higher_is_better
        Direction of the metric, where logs do not say it; True by default.
    on_missing
        What to do with items that a log does not have: fail, drop or wrong.
    on_error
        What to do with answers that failed: fail, drop or wrong.
    allow_different
        Whether to go on where prompts, few-shot examples or versions differ.
    """
    if not paths:
        message = "paths must name at least one log; got none."
        raise SettingError(message)
    logs, others = find_logs(paths)
    choice = LogChoice(
        systems=systems,
        task=_names(task),
        filter=filter,
        runs=_names(runs),
        higher_is_better=higher_is_better,
    )
    rules = PairingRules(
        on_missing=check_policy(on_missing, name="on_missing"),
        on_error=check_policy(on_error, name="on_error"),
        allow_different=allow_different,
    )
    return LogItems(tuple(logs), choice, rules, cluster, tuple(others))


def _names(names: str | Sequence[str] | None) -> tuple[str, ...] | None:
    if names is None:
        return None
    return (names,) if isinstance(names, str) else tuple(names)
