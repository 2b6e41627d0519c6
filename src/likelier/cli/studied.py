"""Studies on the command line."""

import signal
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

import typer

from likelier import wording
from likelier.cli.captured import to_stderr
from likelier.cli.outputs import Outputs, working
from likelier.cli.progress import watching
from likelier.errors import SettingError, plain
from likelier.study.config import read_toml, store_of
from likelier.study.engines import PROCESSES
from likelier.study.running import run_folds

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from likelier.results import StudyReport
    from likelier.study import Wanted

__all__ = ["Shown", "deliver", "run", "store_of", "values_of"]

# Beside the codes of conditions: folds failed, and the run was interrupted.
FAILED, INTERRUPTED = 4, 130


@dataclass(frozen=True)
class Shown:
    """What to show of a study."""

    wanted: "Wanted | None" = None
    plot_kind: str | None = None
    errors: bool = False
    timings: bool = False


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


def run(
    file: Path,
    store: Path,
    *,
    workers: int | None,
    engine: str | None,
    let: dict[str, str],
) -> None:
    """Run what is left of a study."""
    place = engine or PROCESSES
    try:
        with to_stderr(), working("reading data"):
            study = read_toml(file, let=let)
        with watching(study.name) as watcher:
            run_folds(study, store, workers=workers, engine=place, watcher=watcher)
    except KeyboardInterrupt:
        # Workers got the signal as well; a second one must not garble the words.
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        told = "stopped; what is finished is kept, and the next run goes on there."
        sys.stderr.write(f"likelier: {told}\n")
        raise typer.Exit(INTERRUPTED) from None


def deliver(store: Path, shown: Shown, outputs: Outputs, *, ran: bool = False) -> None:
    """Show what a study says, then exit as conditions and failures ask."""
    # Loaded after the run: one that goes on must not wait for it.
    from likelier.study.answers import read_study

    with working("comparing"):
        report = read_study(store, wanted=shown.wanted)
    failed = ran and bool(report.failures)
    if failed:
        # Told first what went wrong: there is nothing to draw or to judge yet.
        outputs = replace(outputs, plot=None, fail_unless=None)
    if outputs.fail_unless is not None and not report.answers:
        message = f"A condition must have a finished study: {report.progress()}."
        raise SettingError(message)
    outputs.deliver(
        [report], draw=_drawing(report, shown.plot_kind), timings=shown.timings
    )
    if shown.errors:
        _print_errors(report, sys.stderr if outputs.printed else sys.stdout)
    if failed:
        count = wording.counted(len(report.failures), "fold")
        hint = f"likelier show {plain(str(store))} --errors"
        told = f"{count} failed; the next run tries again. All they said: {hint}"
        sys.stderr.write(f"likelier: {told}\n")
        raise typer.Exit(FAILED)


def _print_errors(report: "StudyReport", file: TextIO) -> None:
    """Print all that failed folds said, after the report."""
    for failure in report.failures:
        lines = (plain(line) for line in failure.details.splitlines())
        file.write("\n".join(["", str(failure), *lines, ""]))


def _drawing(report: "StudyReport", kind: str | None) -> "Callable[[], Figure]":
    if kind is None:
        return report.plot
    from likelier.cli.scored import COMPARISON_KINDS, PAIRS_KINDS, check_kind, figure
    from likelier.results import Pairs

    check_kind(kind, sorted({*COMPARISON_KINDS, *PAIRS_KINDS}))
    if len(report.answers) != 1:
        message = (
            f"A plot of kind {kind} must have one answer; got {len(report.answers)}."
        )
        raise SettingError(message, hint="Name one metric, and systems or data sets.")
    pairs = isinstance(report.answers[0], Pairs)
    check_kind(kind, PAIRS_KINDS if pairs else COMPARISON_KINDS)
    draw = figure(report.answers[0], kind)
    assert draw is not None
    return draw
