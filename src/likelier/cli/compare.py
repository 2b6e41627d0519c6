"""Commands `compare` and `estimate`: predictions of systems on the same items."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from likelier.cli import data_options as data
from likelier.cli import setting_options as setting
from likelier.cli.option_values import metrics_of, names_of, range_of, refuse
from likelier.cli.outputs import Outputs, with_outputs, working
from likelier.errors import InputError, SettingError

if TYPE_CHECKING:
    from likelier.data.outcomes import Outcomes
    from likelier.metrics.metric import Metric
    from likelier.results.result import Result

# Settings of a posterior, which a test with a p-value does not use.
_POSTERIOR = ("rope", "prior", "strength", "factor", "rule", "mass")


@with_outputs(
    {"columns": data.ITEM_COLUMNS, "settings": setting.POSTERIOR},
    plots=(
        *("posterior", "factor", "intervals", "densities"),
        *("forest", "sensitivity"),
    ),
)
def compare(
    context: typer.Context,
    files: data.Files,
    *,
    metric: setting.MetricName,
    systems: data.Systems = None,
    positive: setting.Positive = None,
    rope: setting.RopeText = None,
    each_class: setting.EachClass = False,
    sensitivity: setting.Sensitive = False,
    columns: dict[str, Any],
    beta: setting.Beta = None,
    alpha: setting.Alpha = None,
    settings: dict[str, Any],
    outputs: Outputs,
) -> None:
    """Compare systems with a baseline on the same items, and say how sure that is.

    likelier compare predictions.csv --systems a,b --metric f1 --positive spam
    --rope 0.01
    """
    outputs = outputs.check(files)
    if each_class and sensitivity:
        message = "Only one of --each-class and --sensitivity is possible."
        raise InputError(message)
    metrics = metrics_of(metric, beta=beta, alpha=alpha)
    table = read_items(context, files, metrics, systems=systems, **columns)
    result = compared(
        context,
        [(metric, table) for metric in metrics],
        each_class=each_class,
        sensitivity=sensitivity,
        positive=positive,
        rope=rope,
        **settings,
    )
    outputs.deliver(result)


@with_outputs(
    {"columns": data.ITEM_COLUMNS}, example="interval.low > 0.8", verdicts=False
)
def estimate(
    context: typer.Context,
    files: data.Files,
    *,
    metric: setting.MetricName,
    systems: data.Systems = None,
    positive: setting.Positive = None,
    columns: dict[str, Any],
    beta: setting.Beta = None,
    alpha: setting.Alpha = None,
    interval: setting.IntervalName = "hdi",
    mass: setting.Mass = 0.95,
    draws: setting.DrawCount = None,
    seed: setting.Seed = None,
    outputs: Outputs,
) -> None:
    """Estimate each system's metric, with its interval.

    likelier estimate predictions.csv --systems a,b --metric f1,precision,recall
    --positive spam
    """
    import likelier as lk
    from likelier.results.result_list import ResultList
    from likelier.streams import as_seed

    outputs = outputs.check(files)
    metrics = metrics_of(metric, beta=beta, alpha=alpha)
    table = read_items(context, files, metrics, systems=systems, **columns)
    settings: dict[str, Any] = {
        "interval": interval,
        "positive": positive,
        "mass": mass,
        "draws": draws,
        "seed": as_seed(seed),
    }
    with working("drawing"):
        results = [
            lk.estimate(table, systems=[system], metric=metric, **settings)
            for metric in metrics
            for system in table.systems
        ]
    outputs.deliver(ResultList(results))


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

    if metrics[0].takes_scores:
        refuse(context, ["gold"], without="a metric of labels")
    kind = "sets" if sets or separator is not None else "labels"
    with working("counting items"):
        table = read_files(
            files,
            systems=names_of(systems),
            kind="scores" if metrics[0].takes_scores else kind,
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
    tables: "Iterable[tuple[Metric, Outcomes]]",
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
        Each metric with the outcomes that it is computed on.
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
    with working("drawing"):
        return as_one(
            [
                question(table, systems=pair, metric=metric, **settings)
                for metric, table in tables
                for pair in pairs_of(table.systems)
            ]
        )


def as_one(results: "Sequence[Result]") -> "Result":
    """Make one result of several."""
    if len(results) == 1:
        return results[0]
    from likelier.results.result_list import ResultList

    return ResultList(results)
