"""Commands `study run` and `study show`: systems run on folds, and what came of it."""

import signal
import sys
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

import typer

from likelier.cli import data_options as data
from likelier.cli import setting_options as setting
from likelier.cli.outputs import Outputs, with_outputs, working
from likelier.errors import SettingError
from likelier.formatting import counted, plain

if TYPE_CHECKING:
    from likelier.results.study_report import StudyReport
    from likelier.study.config import StudyFile

# Beside the codes of conditions: folds failed, and the run was interrupted.
FAILED, INTERRUPTED = 4, 130


@with_outputs(plots=("study",))
def run(
    file: data.StudyFile,
    *,
    store: setting.StorePath = None,
    workers: setting.Workers = None,
    engine: setting.EngineName = None,
    let: setting.Let = None,
    outputs: Outputs,
) -> None:
    """Run what is left of a study, store every fold, and compare.

    likelier study run study.toml --workers 2
    """
    from likelier.study.config import StudyFile

    study_file = StudyFile.read(file, let=values_of(let))
    path = study_file.store if store is None else store
    outputs.check([file, path])
    _run_folds(study_file, path, workers=workers, engine=engine)
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
        *("study", "posterior", "factor", "simplex", "data-sets"),
        *("ranks", "order", "critical"),
    )
)
def show(
    store: data.StoreFile,
    *,
    metric: setting.StudyMetric = None,
    systems: data.SystemNames = None,
    datasets: setting.StudyDatasets = None,
    positive: setting.StudyPositive = None,
    rope: setting.RopeText = None,
    method: setting.StudyMethod = None,
    rule: setting.StudyRule = None,
    mass: setting.StudyMass = None,
    draws: setting.DrawCount = None,
    seed: setting.Seed = None,
    pairs: setting.AllPairs = False,
    errors: setting.Errors = False,
    timings: setting.Timings = False,
    outputs: Outputs,
) -> None:
    """Show a study as far as it was run: its folds and what they say.

    likelier study show study.db
    """
    outputs.check([store])
    report = _read(
        store,
        metrics=setting.names_of(metric),
        positive=positive,
        rope=setting.range_of(rope, name="rope"),
        mass=mass,
        systems=setting.names_of(systems),
        datasets=setting.names_of(datasets),
        method=method,
        rule=rule,
        draws=draws,
        seed=seed,
        pairs=pairs,
    )
    _deliver(report, outputs, timings=timings)
    if errors:
        _print_errors(report, sys.stderr if outputs.printed else sys.stdout)


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
    file: "StudyFile", store: Path, *, workers: int | None, engine: str | None
) -> None:
    """Run what is left of a study."""
    from likelier.cli.progress import to_stderr, watching
    from likelier.study.executors import PROCESSES
    from likelier.study.runner import run_folds

    try:
        with to_stderr(), working("reading data"):
            study = file.study()
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

    with working("comparing"):
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
