"""Compare two systems on every task of logs, on their mean and on all items."""

from collections.abc import Sequence
from dataclasses import replace
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from likelier._compare import compare_outcomes
from likelier._inputs import two_systems
from likelier.bayes_factor import FactorName
from likelier.errors import NotDefinedError
from likelier.findings import SEVERITIES, Finding
from likelier.formatting import join_words, metric_name
from likelier.methods.protocols import PosteriorMethod
from likelier.results.group_comparison import GroupComparison, GroupRow
from likelier.settings import DataSummary

if TYPE_CHECKING:
    from likelier.readers.logs.task_tables import TaskTables


def compare_tasks(
    tasks: "TaskTables",
    *,
    systems: Sequence[str] | None,
    positive: object,
    method: PosteriorMethod,
    factor: FactorName | None = None,
    **settings: Any,
) -> GroupComparison:
    """Compare two systems on every task, on the mean over tasks and on all items.

    Parameters
    ----------
    tasks
        The metric, and the outcomes of each task and of all.
    systems
        Which systems; by default the only two.
    positive, method, **settings
        As in `compare_outcomes`.
    factor
        The Bayes factor of each task; the averages over tasks have none.
    """
    every = next(iter(tasks.tables.values())).systems
    chosen = every if systems is None else tuple(systems)
    two_systems(chosen)
    settings |= {"positive": positive, "method": method}
    averages, lacking = [], []
    for metric, table in tasks.averages(positive):
        try:
            averages.append(
                compare_outcomes(table.named(*chosen), metric=metric, **settings)
            )
        except NotDefinedError as error:
            text = f"there is no {metric_name(metric.name)}: {error.message}"
            lacking.append(Finding("LIK160", text, severity="warning"))
    rows = tuple(
        GroupRow(
            task,
            table.n_items,
            compare_outcomes(
                table.named(*chosen), metric=tasks.metric, factor=factor, **settings
            ),
        )
        for task, table in tasks.tables.items()
    )
    of_averages = (f for one in averages for f in one.findings)
    every_finding = (*tasks.findings, *lacking, *of_averages, *_task_findings(rows))
    first = rows[0].comparison.settings
    data = averages[0].settings.data if averages else _all_data(rows, tasks)
    return GroupComparison(
        settings=replace(first, data=data, options={"each": "task"}),
        findings=tuple(dict.fromkeys(every_finding)),
        rows=rows,
        averages=tuple(averages),
        across={},
        group="task",
    )


def _all_data(rows: Sequence[GroupRow], tasks: "TaskTables") -> DataSummary:
    """Sum up the data of all tasks, where no average has done so."""
    each = [row.comparison.settings.data for row in rows]
    return replace(
        each[0],
        items=sum(data.items for data in each),
        units=sum(data.units for data in each),
        patterns=sum(data.patterns for data in each),
        digest=sha256("".join(data.digest for data in each).encode()).hexdigest(),
        source=tasks.source or each[0].source,
    )


def _task_findings(rows: Sequence[GroupRow]) -> list[Finding]:
    """Return the findings on single tasks, one of each code, with the tasks' names."""
    by_code: dict[str, list[tuple[str, Finding]]] = {}
    for row in rows:
        for finding in row.comparison.findings:
            by_code.setdefault(finding.code, []).append((row.name, finding))
    findings = []
    for of_code in by_code.values():
        first, *others = dict.fromkeys(name for name, _ in of_code)
        message = of_code[0][1].message
        text = f"on {join_words([first, *others], most=3)}: {message}"
        if others and len({finding.message for _, finding in of_code}) > 1:
            # What the message counts is that of the first task.
            likewise = join_words(others, most=3)
            text = f"on {first}: {message.rstrip('.')}; likewise on {likewise}"
        worst = min((f for _, f in of_code), key=lambda f: SEVERITIES.index(f.severity))
        # A task's finding blocks that task, not the answer as a whole.
        severity = "warning" if worst.severity == "block" else worst.severity
        findings.append(Finding(worst.code, text, severity=severity))
    return findings
