"""Commands `compare` and `estimate`: predictions of systems on the same items."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from likelier.cli import data_options as data
from likelier.cli import setting_options as setting
from likelier.cli.option_values import refuse
from likelier.cli.outputs import Outputs, with_outputs
from likelier.cli.questions import averaged_tasks, read_questions
from likelier.cli.several_systems import compared, estimated
from likelier.cli.working import sized, working
from likelier.errors import InputError

if TYPE_CHECKING:
    from likelier.results.estimate import Estimate


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
