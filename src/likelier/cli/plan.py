"""Command `plan`: chances of verdicts, from cells, accuracies or a pilot."""

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from likelier.cli import data_options as data
from likelier.cli import setting_options as setting
from likelier.cli.option_values import metric_of, range_of, refuse
from likelier.cli.outputs import Outputs, with_outputs
from likelier.cli.questions import only_question, read_questions
from likelier.cli.setting_options import OptionGroup, option, setting_option
from likelier.cli.working import working
from likelier.errors import InputError, LikelierError, SettingError

if TYPE_CHECKING:
    from likelier import Assumed
    from likelier.data.outcomes import Outcomes
    from likelier.metrics.metric import Metric

_MOST_WORKERS = 8
_OF_PILOTS = ("as_truth", "systems", *data.ITEM_COLUMNS, *data.LOG_OPTIONS)
_SHAPE = '{"cells": [{"gold": "+", "first": "+", "second": "-", "share": 0.1}, …]}'

_PlanMetric = Annotated[str | None, option("Metric; accuracy for --accuracies.")]
_PlanMethod = Annotated[str, setting_option("Method: paired or unpaired.")]
_Assume = Annotated[
    Path | None,
    option(
        f"JSON with the share of each (gold, first, second): {_SHAPE}.",
        metavar="FILE",
    ),
]
_Accuracies = Annotated[
    str | None,
    option("The two accuracies that are assumed.", metavar="FIRST,SECOND"),
]
_Agreement = Annotated[
    float | None, option("Share of items on which both are right or both wrong.")
]
_AsTruth = Annotated[
    bool,
    option(
        "Treat the shares of the pilot as the truth, not as evidence.", "--as-truth"
    ),
]
_Goal = Annotated[
    str, option("Verdict to plan for: better, worse, equivalent or decided.")
]
_Chance = Annotated[float, option("Chance of that verdict to plan for.")]
_Sizes = Annotated[
    str | None, option("Numbers of items, comma-separated.", metavar="N,N,…")
]
_ItemsKind = Annotated[
    str,
    setting_option("same: both systems see the same items; other: each sees its own."),
]
_Replications = Annotated[
    int | None,
    setting_option(
        "Number of simulated experiments for each size; 1,000, fewer if they take long."
    ),
]
_PLANNED: OptionGroup = {
    "method": (_PlanMethod, "paired"),
    "prior": (setting.Prior, None),
    "strength": (setting.Strength, 1.0),
    "items": (_ItemsKind, "same"),
    "rule": (setting.Rule, "hdi-rope"),
    "mass": (setting.Mass, 0.95),
    "replications": (_Replications, None),
    "draws": (setting.DrawCount, None),
    "seed": (setting.Seed, None),
}


@with_outputs(
    {
        "columns": data.ITEM_COLUMNS,
        "logs": data.LOG_OPTIONS,
        "settings": _PLANNED,
    },
    plots=("chances",),
    example="needed.items < 5000",
    verdicts=False,
)
def plan(
    context: typer.Context,
    files: data.PilotFiles = None,
    *,
    assume: _Assume = None,
    accuracies: _Accuracies = None,
    agreement: _Agreement = None,
    metric: _PlanMetric = None,
    positive: setting.Positive = None,
    rope: setting.RopeText = None,
    goal: _Goal = "better",
    chance: _Chance = 0.8,
    sizes: _Sizes = None,
    as_truth: _AsTruth = False,
    systems: data.Systems = None,
    columns: dict[str, Any],
    logs: dict[str, Any],
    settings: dict[str, Any],
    outputs: Outputs,
) -> None:
    """Plan an experiment: the chance of each verdict, and the items needed.

    likelier plan --accuracies 0.85,0.87 --agreement 0.9 --rope 0.01 --goal better
    """
    import likelier as lk

    pilot = files or []
    outputs = outputs.check([*pilot, *([] if assume is None else [assume])])
    if [assume is not None, accuracies is not None, bool(pilot)].count(True) != 1:
        message = "A plan must rest on exactly one of a pilot, cells or accuracies."
        hint = "Give predictions, --assume FILE or --accuracies 0.85,0.87."
        raise SettingError(message, hint=hint)
    if not pilot:
        refuse(context, _OF_PILOTS, without="a pilot")
    if accuracies is None:
        refuse(context, ["agreement"], without="--accuracies")
    if pilot:
        chosen, table = _read_pilot(
            context, pilot, metric, positive, systems=systems, logs=logs, **columns
        )
        assumed = lk.Assumed.pilot(table, certain=as_truth)
    else:
        chosen = _metric(metric, of_accuracies=accuracies is not None)
        assumed = (
            _accuracies(accuracies, agreement)
            if accuracies is not None
            else cells_of(assume or Path())
        )
    settings |= {
        "positive": positive,
        "rope": range_of(rope, name="rope"),
        "workers": min(os.cpu_count() or 1, _MOST_WORKERS),
    }
    numbers: dict[str, Any] = {} if sizes is None else {"sizes": _sizes(sizes)}
    with working("simulating experiments"):
        planned = lk.plan(assumed, metric=chosen, **settings)
        report = planned.report(**numbers, chance=chance, goal=goal)
    outputs.deliver(report)


def _metric(text: str | None, *, of_accuracies: bool) -> "Metric":
    """Look up the one metric of a plan; accuracies are of accuracy."""
    if text is None and not of_accuracies:
        message = "metric must name a metric; got none."
        raise SettingError(message, hint="--metric f1 --positive spam")
    metric = metric_of("accuracy" if text is None else text)
    if of_accuracies and not metric.linear:
        message = f"Accuracies do not determine {text}; the metric must be accuracy."
        raise SettingError(message, hint="Give cells: --assume cells.json")
    return metric


def _read_pilot(
    context: typer.Context,
    files: Sequence[Path],
    metric: str | None,
    positive: str | None,
    **options: Any,
) -> "tuple[Metric, Outcomes]":
    """Read the one metric and the items of a pilot; of several tasks their mean."""
    try:
        tables = read_questions(context, files, metric, **options)
    except InputError as error:
        if files[0].suffix != ".json":
            raise
        hint = f"Cells of shares: --assume {files[0]}"
        raise InputError(error.message, hint=hint) from error
    return only_question(tables, positive)


def _sizes(text: str) -> list[int]:
    """Read numbers of items."""
    try:
        return [int(part) for part in text.replace("_", "").split(",")]
    except ValueError as error:
        message = f"sizes must be whole numbers with commas between; got {text!r}."
        raise SettingError(message) from error


def _accuracies(text: str, agreement: float | None) -> "Assumed":
    from likelier import Assumed

    try:
        first, second = (float(part) for part in text.split(","))
    except ValueError as error:
        message = f"accuracies must be two numbers, FIRST,SECOND; got {text!r}."
        raise SettingError(message) from error
    if agreement is None:
        message = "accuracies must come with an agreement; there is none."
        hint = "--agreement 0.9: on so many items both are right or both wrong."
        raise SettingError(message, hint=hint)
    return Assumed.accuracies(first, second, agreement=agreement)


# --- cells from JSON ----------------------------------------------------------------


def cells_of(path: Path) -> "Assumed":
    """Read the share of every (gold, first, second) from JSON."""
    from likelier import Assumed
    from likelier.readers.file import read_settings

    try:
        document = json.loads(read_settings(path), object_pairs_hook=_single_keys)
    except InputError:
        raise
    except (ValueError, RecursionError) as error:
        message = f"{path} must hold JSON; {error}."
        raise InputError(message) from error
    rows = document.get("cells") if isinstance(document, dict) else document
    if not isinstance(rows, list) or not rows:
        message = f"{path} must hold a list of cells; got none."
        raise InputError(message, hint=_SHAPE)
    systems = _systems(rows[0], path)
    cells: dict[tuple[str, str, str], float] = {}
    for number, row in enumerate(rows, 1):
        key = _cell(row, systems, path, number)
        if key in cells:
            message = f"{path} must name each cell once; cell {number} comes again."
            raise InputError(message)
        cells[key] = row["share"]
    try:
        return Assumed.cells(cells, systems=systems)
    except LikelierError as error:
        message = f"{path}: {error.message}"
        raise InputError(message, hint=error.hint) from error


def _single_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    names = [name for name, _ in pairs]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        message = f"the key {twice!r} comes twice"
        raise ValueError(message)
    return dict(pairs)


def _systems(row: Any, path: Path) -> tuple[str, ...]:
    keys = row if isinstance(row, dict) else ()
    names = tuple(key for key in keys if key not in ("gold", "share"))
    if len(names) != 2:
        message = f"{path} must name gold, two systems and share in each cell."
        raise InputError(message, hint=_SHAPE)
    return names


def _cell(
    row: Any, systems: Sequence[str], path: Path, number: int
) -> tuple[str, str, str]:
    columns = ("gold", *systems)
    if not isinstance(row, dict) or set(row) != {*columns, "share"}:
        names = ", ".join((*columns, "share"))
        message = f"{path} must hold {names} in each cell; cell {number} does not."
        raise InputError(message, hint=_SHAPE)
    if not all(isinstance(row[name], str) for name in columns):
        message = f"{path} must hold labels as text; cell {number} does not."
        raise InputError(message)
    return row["gold"], row[systems[0]], row[systems[1]]
