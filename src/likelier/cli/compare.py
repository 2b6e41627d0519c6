"""Commands `compare` and `estimate`: predictions of systems on the same items."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from likelier.cli import data_options as data
from likelier.cli import setting_options as setting
from likelier.cli.option_values import metrics_of, names_of, range_of, refuse
from likelier.cli.outputs import Outputs, with_outputs
from likelier.cli.working import sized, working
from likelier.errors import InputError, SettingError
from likelier.formatting import listed

if TYPE_CHECKING:
    from likelier.data.outcomes import Outcomes
    from likelier.metrics.metric import Metric
    from likelier.readers.logs.task_tables import TaskTables
    from likelier.results.estimate import Estimate
    from likelier.results.result import Result

# Settings of a posterior, which a test with a p-value does not use.
_POSTERIOR = ("rope", "prior", "strength", "factor", "rule", "mass")
# Options that tables with a row per system and item do not have.
_OF_OTHERS = ("separator", "sets", "filter", "allow_different")


@with_outputs(
    {
        "columns": data.ITEM_COLUMNS,
        "logs": data.LOG_OPTIONS,
        "settings": setting.POSTERIOR,
    },
    plots=(
        *("posterior", "factor", "intervals", "densities"),
        *("forest", "sensitivity"),
    ),
)
def compare(
    context: typer.Context,
    files: data.Files,
    *,
    metric: setting.MetricName = None,
    systems: data.Systems = None,
    positive: setting.Positive = None,
    rope: setting.RopeText = None,
    each_class: setting.EachClass = False,
    sensitivity: setting.Sensitive = False,
    columns: dict[str, Any],
    logs: dict[str, Any],
    name: setting.DisplayName = None,
    beta: setting.Beta = None,
    alpha: setting.Alpha = None,
    settings: dict[str, Any],
    outputs: Outputs,
) -> None:
    """Compare systems with a baseline on the same items, and say how sure that is.

    likelier compare predictions.csv --systems a,b --metric f1 --positive spam
    --rope 0.01

    likelier compare runs/a runs/b

    likelier compare qrels.txt a.run b.run --metric nDCG@10
    """
    outputs = outputs.check(files)
    if each_class and sensitivity:
        message = "Only one of --each-class and --sensitivity is possible."
        raise InputError(message)
    tables = read_questions(
        context,
        files,
        metric,
        beta=beta,
        alpha=alpha,
        systems=systems,
        logs=logs,
        name=name,
        **columns,
    )
    result = compared(
        context,
        tables,
        each_class=each_class,
        sensitivity=sensitivity,
        positive=positive,
        rope=rope,
        **settings,
    )
    outputs.deliver(result)


@with_outputs(
    {"columns": data.ITEM_COLUMNS, "logs": data.LOG_OPTIONS},
    example="interval.low > 0.8",
    verdicts=False,
)
def estimate(
    context: typer.Context,
    files: data.Files,
    *,
    metric: setting.MetricName = None,
    systems: data.Systems = None,
    positive: setting.Positive = None,
    columns: dict[str, Any],
    logs: dict[str, Any],
    name: setting.DisplayName = None,
    beta: setting.Beta = None,
    alpha: setting.Alpha = None,
    interval: setting.IntervalName = "hdi",
    mass: setting.Mass = 0.95,
    draws: setting.DrawCount = None,
    seed: setting.Seed = None,
    eee: data.Aggregate = None,
    outputs: Outputs,
) -> None:
    """Estimate each system's metric, with its interval.

    likelier estimate predictions.csv --systems a,b --metric f1,precision,recall
    --positive spam

    likelier estimate RUN_samples.jsonl --eee RUN_with_intervals.json
    """
    from likelier.results.result_list import ResultList
    from likelier.streams import as_seed

    if eee is not None:
        outputs = replace(outputs, others=(eee,))
    outputs = outputs.check(files)
    settings: dict[str, Any] = {"mass": mass, "draws": draws, "seed": as_seed(seed)}
    settings["interval"] = interval
    if eee is not None:
        others = ("metric", "positive", "beta", "alpha", *columns)
        refuse(context, others, without="something else than --eee")
        document, results = _uncertainty(files, logs, settings)
        outputs.write(eee, document)
        outputs.deliver(ResultList(results))
        return
    tables = read_questions(
        context,
        files,
        metric,
        beta=beta,
        alpha=alpha,
        systems=systems,
        logs=logs,
        name=name,
        **columns,
    )
    questions = averaged_tasks(tables, positive)
    outputs.deliver(estimated(questions, positive=positive, **settings))


def _uncertainty(
    files: Sequence[Path], logs: dict[str, Any], settings: dict[str, Any]
) -> "tuple[str, list[Estimate]]":
    """Return the aggregate document with intervals in it, and the estimates."""
    import likelier as lk
    from likelier._uncertainty import with_uncertainty

    with working(f"reading logs of {sized(files)}"):
        items = lk.read(*files, **{n: x for n, x in logs.items() if n != "runs"})
    with working("drawing"):
        document, estimates = with_uncertainty(items, **settings)
    return document.decode(), estimates


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
        raise SettingError(message, hint="--metric accuracy, f1, macro_f1, mean …")
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


def pairs_of(systems: Sequence[str]) -> list[list[str]]:
    """Pair every further system with the first."""
    if len(systems) < 2:
        message = f"There must be two systems; got {', '.join(systems)}."
        raise SettingError(message, hint="likelier estimate looks at one system.")
    return [[systems[0], name] for name in systems[1:]]


def compared(
    context: typer.Context,
    tables: "Iterable[tuple[Metric, Outcomes] | TaskTables]",
    *,
    method: str,
    rope: str | None,
    seed: int | None,
    each_class: bool = False,
    sensitivity: bool = False,
    **settings: Any,
) -> "Result":
    """Compare every further system with the first, on the table of each metric.

    Parameters
    ----------
    context
        The call, which knows the options on the command line from defaults.
    tables
        Each metric with the outcomes that it is computed on, or with those of tasks.
    method, rope, seed, **settings
        As in `likelier.compare`.
    each_class, sensitivity
        Whether to call `likelier.compare_groups` or `likelier.sensitivity` instead.
    """
    import likelier as lk
    from likelier._inputs import NULL_METHODS
    from likelier.streams import as_seed

    # One seed for all, so that one recipe makes them again.
    settings |= {"method": method, "seed": as_seed(seed)}
    settings["rope"] = range_of(rope, name="rope")
    question: Any = lk.compare
    unused: Sequence[str] = ()
    if each_class:
        question, unused = lk.compare_groups, ["positive"]
        refuse(context, unused, without="one class, not --each-class")
    elif sensitivity:
        question, unused = lk.sensitivity, ["strength"]
        refuse(context, unused, without="one prior, not --sensitivity")
    elif method in NULL_METHODS:
        question, unused = lk.null_test, _POSTERIOR
        refuse(context, unused, without="a method that has a posterior")
    for name in unused:
        settings.pop(name, None)
    results: list[Result] = []
    with working("comparing systems"):
        for table in tables:
            if isinstance(table, tuple):
                metric, outcomes = table
                results += [
                    question(outcomes, systems=pair, metric=metric, **settings)
                    for pair in pairs_of(outcomes.systems)
                ]
            else:
                results += _compared_tasks(table, question, settings)
    return as_one(results)


def _compared_tasks(
    tasks: "TaskTables",
    question: Any,
    settings: dict[str, Any],
) -> "list[Result]":
    """Compare every further system with the first on every task."""
    import likelier as lk

    if question is not lk.compare:
        message = f"--task must choose one task here; there are {listed(tasks.tasks)}."
        raise SettingError(message)
    return [
        lk.compare_groups(tasks, systems=pair, by="task", **settings)
        for pair in pairs_of(tasks.systems)
    ]


def estimated(
    questions: "Iterable[tuple[Metric, Outcomes]]",
    *,
    seed: int | None,
    **settings: Any,
) -> "Result":
    """Estimate every system on each metric with its outcomes.

    Parameters
    ----------
    questions
        Metrics with outcomes.
    seed, **settings
        As in `likelier.estimate`.
    """
    import likelier as lk
    from likelier.results.result_list import ResultList
    from likelier.streams import as_seed

    settings["seed"] = as_seed(seed)
    with working("comparing systems"):
        return ResultList(
            [
                lk.estimate(table, systems=[system], metric=metric, **settings)
                for metric, table in questions
                for system in table.systems
            ]
        )


def as_one(results: "Sequence[Result]") -> "Result":
    """Make one result of several."""
    if len(results) == 1:
        return results[0]
    from likelier.results.result_list import ResultList

    return ResultList(results)
