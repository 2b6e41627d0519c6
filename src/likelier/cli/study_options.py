"""The options of studies, each said once."""

from pathlib import Path
from typing import Annotated

import typer

StudyFile = Annotated[
    Path,
    typer.Argument(
        help="The study: data, design, systems, metrics, rope, seed, as TOML."
    ),
]
StoreFile = Annotated[
    Path, typer.Argument(help="The store that `likelier run` made.", show_default=False)
]
StorePath = Annotated[
    Path | None,
    typer.Option(help="The file that keeps the results; else beside the study, .db"),
]
Workers = Annotated[
    int | None, typer.Option(help="How many folds run at a time; else one per core.")
]
EngineName = Annotated[
    str | None,
    typer.Option(
        help="Where folds run: processes, threads, dask:ADDRESS, dask:local, ray."
    ),
]
Let = Annotated[
    list[str] | None,
    typer.Option(help="NAME=VALUE for ${NAME} in the study; may be given again."),
]
StudyMetric = Annotated[
    str | None, typer.Option(help="Metrics, by commas; else those of the study.")
]
StudySystems = Annotated[
    str | None,
    typer.Option(help="Which systems, by commas, the baseline first; else all."),
]
StudyDatasets = Annotated[
    str | None, typer.Option(help="Which data sets, by commas; else all.")
]
StudyPositive = Annotated[
    str | None, typer.Option(help="The positive class; else that of the study.")
]
StudyMethod = Annotated[
    str | None,
    typer.Option(
        help="paired or independent for the items of m x 2 folds; correlated-t, "
        "hierarchical, signed-rank or sign for scores of folds. Else what fits."
    ),
]
StudyMass = Annotated[
    float | None, typer.Option(help="Mass of intervals; else that of the study.")
]
StudyRule = Annotated[
    str | None, typer.Option(help="Rule of the verdict; else that of the method.")
]
StudyPlotKind = Annotated[
    str | None,
    typer.Option(
        help="What to draw of one metric: posterior, simplex, data-sets, order."
    ),
]
AllPairs = Annotated[
    bool,
    typer.Option(
        "--pairs", help="Compare every system with every other, not only the first."
    ),
]
Timings = Annotated[
    bool, typer.Option("--timings", help="Tell how long folds took in the JSON, too.")
]
Errors = Annotated[
    bool, typer.Option("--errors", help="Print all that failed folds said.")
]
