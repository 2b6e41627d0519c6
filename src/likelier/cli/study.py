"""Commands of studies: systems run on folds, what came of it, and damaged stores."""

import signal
import sys
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TextIO

import typer

from likelier.cli import data_options as data
from likelier.cli import setting_options as setting
from likelier.cli.option_values import names_of, range_of
from likelier.cli.outputs import Outputs, with_outputs
from likelier.cli.setting_options import option
from likelier.cli.working import working
from likelier.errors import SettingError
from likelier.formatting import counted, plain

if TYPE_CHECKING:
    from likelier.results.study_report import StudyReport
    from likelier.study.config import StudyFile

# Beside the codes of conditions: folds failed, and the run was interrupted.
FAILED, INTERRUPTED = 4, 130

_StorePath = Annotated[
    Path | None,
    option("File that stores the results; by default beside the study, ending in .db."),
]
_Workers = Annotated[
    int | None, option("Number of folds that run at a time; one per core by default.")
]
_EngineName = Annotated[
    str | None,
    option("Where folds run: processes, threads, dask:ADDRESS, dask:local, ray."),
]
_Let = Annotated[
    list[str] | None,
    option("NAME=VALUE for ${NAME} in the study; can be repeated."),
]
_StudyMetric = Annotated[
    str | None, option("Metrics, comma-separated; those of the study by default.")
]
_StudyDatasets = Annotated[
    str | None, option("Data sets, comma-separated; all by default.")
]
_StudyPositive = Annotated[
    str | None, option("The positive class; that of the study by default.")
]
_StudyMethod = Annotated[
    str | None,
    option(
        "Method for the items of m x 2 folds: paired or independent; for scores of "
        "folds: correlated-t, hierarchical, signed-rank or sign. By default the one "
        "that fits the data."
    ),
]
_StudyMass = Annotated[
    float | None,
    option("Probability mass of the intervals; that of the study by default."),
]
_StudyRule = Annotated[
    str | None,
    option(
        "Rule of the verdict: hdi-rope or bayes-test; that of the method by default. "
        "As published: zhang, regions, region-mass."
    ),
]
_AllPairs = Annotated[
    bool,
    option("Compare every system with every other, not only the first.", "--pairs"),
]
_Timings = Annotated[
    bool, option("Include in the JSON how long folds took.", "--timings")
]
_Errors = Annotated[
    bool, option("Print the errors of failed folds in full.", "--errors")
]


@with_outputs(plots=("study",))
def run(
    file: data.StudyFile,
    *,
    store: _StorePath = None,
    workers: _Workers = None,
    engine: _EngineName = None,
    let: _Let = None,
    outputs: Outputs,
) -> None:
    """Run what is left of a study, store every fold, and compare.

    likelier study run study.toml --workers 2
    """
    from likelier.study.config import StudyFile

    study_file = StudyFile.read(file, let=values_of(let))
    path = study_file.store if store is None else store
    outputs = outputs.check([file, path])
    _run_folds(study_file, path, outputs, workers=workers, engine=engine)
    report = _read(path)
    if report.failures:
        # What went wrong comes first: there is nothing to draw or to judge yet.
        replace(outputs, plot=None, fail_unless=None).deliver(report)
        count = counted(len(report.failures), "fold")
        hint = f"likelier study show {plain(str(path))} --errors"
        text = f"{count} failed; the next run tries again. All they printed: {hint}"
        sys.stderr.write(f"likelier: {text}\n")
        raise typer.Exit(FAILED)
    _deliver(report, outputs)


@with_outputs(
    plots=(
        *("study", "posterior", "simplex", "data-sets"),
        *("ranks", "order", "critical"),
    )
)
def show(
    store: data.StoreFile,
    *,
    metric: _StudyMetric = None,
    systems: data.SystemNames = None,
    datasets: _StudyDatasets = None,
    positive: _StudyPositive = None,
    rope: setting.RopeText = None,
    method: _StudyMethod = None,
    rule: _StudyRule = None,
    mass: _StudyMass = None,
    draws: setting.DrawCount = None,
    seed: setting.Seed = None,
    pairs: _AllPairs = False,
    errors: _Errors = False,
    timings: _Timings = False,
    outputs: Outputs,
) -> None:
    """Show a study as far as it was run: its folds and what they say.

    likelier study show study.db
    """
    outputs = outputs.check([store])
    report = _read(
        store,
        metrics=names_of(metric),
        positive=positive,
        rope=range_of(rope, name="rope"),
        mass=mass,
        systems=names_of(systems),
        datasets=names_of(datasets),
        method=method,
        rule=rule,
        draws=draws,
        seed=seed,
        pairs=pairs,
    )
    _deliver(report, outputs, timings=timings)
    if errors:
        _print_errors(report, sys.stderr if outputs.printed else sys.stdout)


def rescue(old: data.StoreFile, new: data.NewStoreFile) -> None:
    """Write what is sound of a damaged store to a new one; nothing is run.

    likelier study rescue study.db rescued.db
    """
    from likelier import study

    Outputs(others=(new,)).check([old])
    with working("reading pages"):
        saved = study.rescue(old, new)
    sys.stdout.write(f"{plain(str(new))}: {saved.sentence()}\n")
    if saved.missing != 0:
        hint = f"likelier study run study.toml --store {plain(str(new))}"
        sys.stdout.write(f"To go on: {hint}\n")


def values_of(let: Sequence[str] | None) -> dict[str, str]:
    """Read NAME=VALUE.

    Examples
    --------
    >>> values_of(["corpora=../data"])
    {'corpora': '../data'}
    """
    pairs = [text.partition("=") for text in let or ()]
    for name, equals, _ in pairs:
        if not name or not equals:
            message = f"let must be NAME=VALUE; got {name!r}."
            raise SettingError(message, hint="--let corpora=../corpora")
    return {name: value for name, _, value in pairs}


def _run_folds(
    file: "StudyFile",
    store: Path,
    outputs: Outputs,
    *,
    workers: int | None,
    engine: str | None,
) -> None:
    """Run what is left of a study."""
    from likelier.cli.progress import to_stderr, watching
    from likelier.study.executors import PROCESSES
    from likelier.study.runner import run_folds

    try:
        with to_stderr(), working("reading data"):
            study = file.study()
        outputs.check_read()
        with watching(study.name) as watcher:
            run_folds(
                study,
                store,
                workers=workers,
                engine=engine or PROCESSES,
                watcher=watcher,
            )
    except KeyboardInterrupt:
        # Workers got the signal as well; a second one must not garble the words.
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        text = "stopped; what is finished is kept, and the next run goes on there."
        sys.stderr.write(f"likelier: {text}\n")
        raise typer.Exit(INTERRUPTED) from None


def _read(store: Path, **settings: Any) -> "StudyReport":
    # Loaded after the run: one that goes on must not wait for it.
    from likelier.study import read_study

    with working("comparing systems"):
        return read_study(store, **settings)


def _deliver(report: "StudyReport", outputs: Outputs, *, timings: bool = False) -> None:
    if outputs.fail_unless is not None and not report.answers():
        message = f"A condition must have a finished study: {report.progress()}."
        raise SettingError(message)
    document = partial(report.to_dict, timings=True) if timings else None
    outputs.deliver(report, document=document)


def _print_errors(report: "StudyReport", file: TextIO) -> None:
    """Print the errors of failed folds in full, after the report."""
    for failure in report.failures:
        lines = (plain(line) for line in failure.details.splitlines())
        file.write("\n".join(["", str(failure), *lines, ""]))
