"""LogItems: the items of evaluation logs, ready to be compared."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

import numpy as np

from likelier import metrics
from likelier.data.outcomes import Outcomes
from likelier.data_frames import Backend, data_frame
from likelier.errors import InputError, SettingError
from likelier.findings import Finding
from likelier.metrics import formulas
from likelier.metrics.metric import Metric
from likelier.metrics.retrieval import USUAL
from likelier.readers.logs.item_fields import field_of_items
from likelier.readers.logs.label_pairing import pair_labels
from likelier.readers.logs.log import Log
from likelier.readers.logs.log_choice import ChosenLogs, LogChoice
from likelier.readers.logs.log_pairing import PairedItems, pair_scores
from likelier.readers.logs.pairing_rules import PairingRules, check_policy
from likelier.readers.logs.repeat_metrics import RepeatMetric, failed_items
from likelier.readers.logs.retrieval_runs import (
    are_runs,
    settle_queries,
    with_metric,
)
from likelier.readers.logs.task_tables import TaskTables

# Metrics of scores that are not their mean.
_FORMULAS = {"perplexity": formulas.perplexity}
# Names of metrics where less is probably better.
_LESS = re.compile(
    r"err|loss|perplex|latenc|cost|distance|toxic|(?:^|_)(?:wer|cer|ter|mae|mse|rmse)$",
    re.IGNORECASE,
)


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
        systems: Sequence[str] | None = None,
        task: str | None = None,
        filter: str | None = None,  # noqa: A002 (the tools' word)
        runs: str | None = None,
        on_missing: str = "fail",
        allow_different: bool = False,
    ) -> "LogItems":
        """Return the same items under another choice and other rules."""
        choice = replace(
            self.choice,
            systems=systems,
            task=self.choice.task if task is None else (task,),
            filter=filter,
            runs=self.choice.runs if runs is None else (runs,),
        )
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
            Name of a metric of the log; None where it has one. Of repeated answers
            also pass@k, pass^k and majority@k, of runs any of ir_measures.
        """
        name = metric.name if isinstance(metric, Metric) else metric
        if are_runs(self.logs):
            return self._of_runs(name)
        repeated = None if name in self.metrics else RepeatMetric.of(name)
        if repeated is not None:
            return self._of_repeats(repeated)
        known = None if name is None or name in self.metrics else _known(name)
        choice, column = self.choice, name
        if known is not None:
            column = self._column(known) or name
            if not known.higher_is_better and known.takes_scores:
                choice = replace(choice, higher_is_better=False)
        chosen = choice.of(self.logs, column)
        if chosen.metric in chosen.logs[0].labels:
            chosen.check_kind(labels=True)
            return self._of_labels(chosen, metric)
        chosen.check_kind(labels=False)
        return replace(self, choice=choice)._of_scores(chosen)

    def _of_runs(self, name: str | None) -> TaskTables:
        """Return a metric of retrieval, computed query by query."""
        logs, metric = with_metric(self.logs, name or USUAL[0])
        chosen = settle_queries(self.choice.of(logs, metric), self.rules)
        tables = self._of_scores(chosen)
        if name is not None:
            return tables
        text = f"{metric} was taken; --metric names another, such as {USUAL[1]}"
        note = Finding("LIK155", text, severity="note")
        return replace(tables, findings=(*tables.findings, note))

    def _of_repeats(self, metric: RepeatMetric) -> TaskTables:
        """Return a metric of repeated answers, computed item by item."""
        column = metric.column(self.logs)
        chosen = self.choice.of(self.logs, column)
        chosen.check_kind(labels=metric.of_labels)
        better = self._direction(chosen) is not False
        failed = {
            task: {
                system: list(
                    dict.fromkeys(i for g in of for i in failed_items(g, column))
                )
                for system, of in row.items()
            }
            for task, row in chosen.tasks.items()
        }

        def per_item(log: Log) -> Log:
            policy = self.rules.on_error
            return metric.per_item(
                log, column, on_error=policy, higher_is_better=better
            )

        # Whichever score is right: more answers that are right are better.
        own = replace(self, choice=replace(self.choice, higher_is_better=None))
        return own._of_scores(chosen.converted(per_item, metric.name), failed)

    def _column(self, metric: Metric) -> str | None:
        """Return the only scores, or the labels, that a metric of ours is about."""
        scores = dict.fromkeys(name for log in self.logs for name in log.scores)
        labels = dict.fromkeys(name for log in self.logs for name in log.labels)
        if metric.takes_scores:
            return next(iter(scores)) if len(scores) == 1 else None
        return next(iter(labels), None)

    def _of_scores(
        self,
        chosen: ChosenLogs,
        failed: Mapping[str, Mapping[str, Sequence[str]]] = MappingProxyType({}),
    ) -> TaskTables:
        metric, findings = self._metric(chosen)
        worst = 0.0 if metric.higher_is_better else 1.0
        paired = [
            pair_scores(
                logs,
                chosen.metric,
                task,
                self.rules,
                worst=worst,
                failed=failed.get(task),
            )
            for task, logs in chosen.tasks.items()
        ]
        tables = {p.task: self._outcomes(p, chosen) for p in paired}
        source = chosen.source(list(tables))
        return TaskTables(metric, tables, findings, source)

    def _metric(self, chosen: ChosenLogs) -> tuple[Metric, tuple[Finding, ...]]:
        """Return the metric of scores in its direction, and remarks on the choice."""
        name, better = chosen.metric, self._direction(chosen)
        metric = replace(metrics.mean, name=name, higher_is_better=better is not False)
        named = (g.formulas[name] for g in chosen.logs if name in g.formulas)
        formula = next(named, None)
        if formula is not None:
            metric = replace(metric, formula=_FORMULAS[formula], linear=False)
        if better is not None or formula is not None or not _LESS.search(name):
            return metric, chosen.findings
        text = (
            f"the log does not say whether more {name} is better, and that was taken; "
            "--lower-is-better, in Python higher_is_better=False, says otherwise"
        )
        finding = Finding("LIK157", text, severity="warning")
        return metric, (*chosen.findings, finding)

    def _direction(self, chosen: ChosenLogs) -> bool | None:
        """Return whether higher is better; None where neither logs nor user say it."""
        name, wanted = chosen.metric, self.choice.higher_is_better
        said = {g.higher_is_better.get(name, wanted) for g in chosen.logs}
        said = (said | {wanted}) - {None}
        if len(said) > 1:
            message = f"{name} must have one direction; the logs say another one."
            raise InputError(message)
        return next(iter(said), None)

    def _of_labels(self, chosen: ChosenLogs, metric: str | Metric | None) -> TaskTables:
        name = metric or chosen.metric
        # What a table calls its labels is not the name of a metric.
        name = "accuracy" if name == "labels" else name
        tables = {
            task: replace(
                pair_labels(
                    logs,
                    chosen.metric,
                    task,
                    self.rules,
                    cluster=self._cluster_field(next(iter(logs.values()))[0]),
                ),
                source=chosen.source([task]),
            )
            for task, logs in chosen.tasks.items()
        }
        known = name if isinstance(name, Metric) else metrics.named(name)
        source = chosen.source(list(tables))
        return TaskTables(known, tables, chosen.findings, source)

    def _outcomes(self, paired: PairedItems, chosen: ChosenLogs) -> Outcomes:
        text = paired.first.text

        def texts(indexes: Sequence[int]) -> list[Any]:
            return paired.look_up(str(text), indexes)

        outcomes = Outcomes.from_scores(
            *paired.values.T,
            systems=chosen.systems,
            cluster=self._cluster(paired),
            ids=paired.items,
            texts=None if text is None else texts,
        )
        return replace(
            outcomes,
            findings=paired.findings,
            source=chosen.source([paired.task]),
        )

    def _cluster_field(self, first: Log) -> str | None:
        """Return the wanted field, or the log's own."""
        return first.cluster if self.cluster is None else self.cluster

    def _cluster(self, paired: PairedItems) -> list[str] | None:
        """Return the cluster of each item."""
        name = self._cluster_field(paired.first)
        if not name:
            return None
        texts = field_of_items(paired.logs, paired.items, name)
        return [texts[item] for item in paired.items]

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
        columns = {n: [row[i] for row in rows] for i, n in enumerate(names)}
        return data_frame(columns, backend)


def _known(name: str) -> Metric | None:
    """Return a metric of ours by its name, if there is one."""
    try:
        return metrics.named(name)
    except SettingError:
        return None


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
