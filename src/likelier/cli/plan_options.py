"""The options of plans and splits, each said once."""

from pathlib import Path
from typing import Annotated

import typer

_SETTINGS = "Settings"

Assume = Annotated[
    Path | None,
    typer.Option(
        help="JSON with the share of each (gold, first, second): "
        '{"cells": [{"gold": "+", "first": "+", "second": "-", "share": 0.1}, …]}.',
        metavar="FILE",
    ),
]
Accuracies = Annotated[
    str | None,
    typer.Option(help="The two accuracies that are assumed.", metavar="FIRST,SECOND"),
]
Agreement = Annotated[
    float | None,
    typer.Option(help="Share of items on which both are right or both wrong."),
]
AsTruth = Annotated[
    bool,
    typer.Option(
        "--as-truth",
        help="Take the shares of the pilot as the truth, not as evidence.",
    ),
]
Goal = Annotated[
    str, typer.Option(help="The verdict wanted: better, worse, equivalent, decided.")
]
Chance = Annotated[float, typer.Option(help="The chance wanted of that verdict.")]
Sizes = Annotated[
    str | None,
    typer.Option(help="Numbers of items, comma-separated.", metavar="N,N,…"),
]
PlanMethod = Annotated[
    str, typer.Option(help="paired or unpaired.", rich_help_panel=_SETTINGS)
]
ItemsKind = Annotated[
    str,
    typer.Option(
        help="same: both systems see the same items; other: each its own.",
        rich_help_panel=_SETTINGS,
    ),
]
Replications = Annotated[
    int,
    typer.Option(
        help="Simulated experiments for each size.", rich_help_panel=_SETTINGS
    ),
]
PlanMetric = Annotated[
    str | None,
    typer.Option("--metric", help="Metric; accuracy for --accuracies."),
]
DesignName = Annotated[
    str, typer.Option(help="mx2, kfold, repeated, 5x2 or train-dev-test.")
]
Repetitions = Annotated[int, typer.Option(help="Repetitions of mx2.")]
FoldCount = Annotated[int, typer.Option("--k", help="Folds of kfold and repeated.")]
Repeats = Annotated[int, typer.Option(help="Repeats of repeated.")]
Stratify = Annotated[str | None, typer.Option(help="Column of the class to keep even.")]
Groups = Annotated[str | None, typer.Option(help="Column of groups to keep together.")]
Out = Annotated[
    Path | None,
    typer.Option(help="Write here instead of the terminal; .jsonl or CSV."),
]
