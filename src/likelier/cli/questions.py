"""Read tables and logs: each metric with the outcomes that it is computed on."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from likelier.cli import data_options as data
from likelier.cli.option_values import metrics_of, names_of, refuse
from likelier.cli.working import sized, working
from likelier.errors import SettingError

if TYPE_CHECKING:
    from likelier.data.outcomes import Outcomes
    from likelier.metrics.metric import Metric
    from likelier.readers.logs.task_tables import TaskTables

# Options that tables with a row per system and item do not have.
_OF_OTHERS = ("separator", "sets", "filter", "allow_different")


def read_questions(
    context: typer.Context,
    files: Sequence[Path],
    metric: str | None,
    *,
    beta: float | None = None,
    alpha: float | None = None,
    systems: str | None,
    logs: dict[str, Any],
    name: str | None = None,
    **columns: Any,
) -> "list[tuple[Metric, Outcomes] | TaskTables]":
    """Read tables or logs: each metric with its outcomes, or with those of tasks.

    Parameters
    ----------
    context
        The call, which knows the options on the command line from defaults.
    files
        Tables, or logs, folders and patterns of them.
    metric, beta, alpha
        Names of metrics, and the weight of recall.
    systems, **columns
        As in `read_items`.
    logs
        Options of logs.
    name
        What to call the metric.
    """
    from likelier.readers.logs.find_logs import has_logs

    long = {column: columns.pop(column, None) for column in data.LONG_COLUMNS}
    if has_logs(files):
        others = (*columns, *long, "beta", "alpha", "name")
        others = tuple(column for column in others if column != "cluster")
        refuse(context, others, without="tables, not logs")
        return log_tables(
            files, metric, systems=systems, cluster=columns["cluster"], **logs
        )
    if any(column is not None for column in long.values()):
        refuse(context, ["name"], without="a table with a column per system")
        return long_tables(
            context, files, metric, systems=systems, logs=logs, **columns, **long
        )
    refuse(context, tuple(data.LOG_OPTIONS), without="logs of evaluation tools")
    if metric is None:
        message = "metric must name at least one metric, for tables; got none."
        hint = "--metric accuracy, f1, mean …; likelier doctor says which fit."
        raise SettingError(message, hint=hint)
    metrics = metrics_of(metric, beta=beta, alpha=alpha)
    table = read_items(context, files, metrics, systems=systems, **columns)
    return [(one, table) for one in renamed(metrics, name)]


def log_tables(
    files: Sequence[Path],
    metric: str | None,
    *,
    systems: str | None,
    task: str | None = None,
    runs: str | None = None,
    **options: Any,
) -> "list[tuple[Metric, Outcomes] | TaskTables]":
    """Read logs: each metric with the outcomes of the only task, or of all tasks.

    Parameters
    ----------
    files, metric
        The logs, and names of metrics.
    systems, task, runs, **options
        As in `likelier.read`; names are comma-separated.
    """
    import likelier as lk

    lists = {"systems": systems, "task": task, "runs": runs}
    options |= {name: names_of(text) for name, text in lists.items()}
    with working(f"reading logs of {sized(files)}"):
        items = lk.read(*files, **options)
        wanted: Sequence[str | None] = names_of(metric) or [None]
        tables = [items.task_tables(name) for name in wanted]
    return [tasks.only() or tasks for tasks in tables]


def long_tables(
    context: typer.Context,
    files: Sequence[Path],
    metric: str | None,
    *,
    logs: dict[str, Any],
    gold: str,
    label: str | None,
    score: str | None,
    **columns: Any,
) -> "list[tuple[Metric, Outcomes] | TaskTables]":
    """Read tables with a row per system and item, or with a column of tasks or runs.

    Parameters
    ----------
    context, files, metric
        As in `read_questions`.
    logs
        Options of logs, most of which tables have, too.
    gold, label, score, **columns
        As in `likelier.read`.
    """
    from likelier import metrics

    without = "a table with one label per item"
    refuse(context, ["separator", "sets", "beta", "alpha"], without=without)
    refuse(context, ["filter", "allow_different"], without="logs of evaluation tools")
    options = {n: x for n, x in (columns | logs).items() if n not in _OF_OTHERS}
    # Without --system a table has labels where the metric is one of labels.
    ours = metrics.METRICS.get((names_of(metric) or [""])[0])
    of_labels = ours is not None and not ours.takes_scores
    if label is None and (columns["system"] is not None or not of_labels):
        refuse(context, ["gold"], without="labels: --label, and a metric of labels")
        gold_column = None
    else:
        gold_column = gold
    options |= {"gold": gold_column, "label": label, "score": names_of(score)}
    return log_tables(files, metric, **options)


def renamed(metrics: "Sequence[Metric]", name: str | None) -> "list[Metric]":
    """Give the only metric another name, for people to read."""
    if name is None:
        return list(metrics)
    if len(metrics) > 1 or not name.strip():
        message = f"name must be that of a single metric; got {name!r}."
        raise SettingError(message)
    return [replace(metrics[0], name=name)]


def averaged_tasks(
    tables: "Iterable[tuple[Metric, Outcomes] | TaskTables]", positive: str | None
) -> "Iterator[tuple[Metric, Outcomes]]":
    """Yield each metric with its outcomes; of several tasks the mean over tasks."""
    for table in tables:
        yield table if isinstance(table, tuple) else table.average(positive)


def only_question(
    tables: "Sequence[tuple[Metric, Outcomes] | TaskTables]", positive: str | None
) -> "tuple[Metric, Outcomes]":
    """Return the only metric with its outcomes; of several tasks their mean."""
    if len(tables) > 1:
        message = f"metric must be a single one here; got {len(tables)}."
        raise SettingError(message)
    return next(averaged_tasks(tables, positive))


def read_items(
    context: typer.Context,
    files: Sequence[Path],
    metrics: "Sequence[Metric]",
    *,
    systems: str | None,
    sets: bool = False,
    separator: str | None = None,
    **columns: Any,
) -> "Outcomes":
    """Count the items of files, as labels, sets or scores."""
    from likelier.readers import read_files

    kind: str = metrics[0].data
    if kind == "texts":
        message = f"{metrics[0].name} must have texts and references."
        raise SettingError(
            message,
            hint="likelier text references.txt a.txt b.txt; in Python, "
            "lk.rank and lk.estimate take Outcomes.from_texts(…).",
        )
    if kind == "parses":
        message = f"{metrics[0].name} must have parses, as CoNLL-U files."
        hint = f"likelier tags gold.conllu a.conllu b.conllu --metric {metrics[0].name}"
        raise SettingError(message, hint=hint)
    if kind == "scores":
        refuse(context, ["gold"], without="a metric of labels")
    if kind == "labels" and (sets or separator is not None):
        kind = "sets"
    with working(f"counting items of {sized(files)}"):
        table = read_files(
            files,
            systems=names_of(systems),
            kind=kind,
            separator=separator,
            **columns,
        )
    if systems is None and len(files) == 1:
        _check_guess(table)
    return table


def _check_guess(table: "Outcomes") -> None:
    """Refuse a column that was taken for a system and never holds a gold label."""
    import numpy as np

    if table.labels is None:
        return
    gold = np.unique(table.labels[:, 0])
    for index, name in enumerate(table.systems, 1):
        if not np.isin(table.labels[:, index], gold).any():
            message = (
                f"Every column but gold is taken for a system; {name!r} never holds a "
                "gold label."
            )
            raise SettingError(message, hint="Name the systems: --systems a,b")
