"""Results to the terminal and to files, and the exit code."""

import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from likelier.cli.outputs import Outputs
from likelier.errors import SettingError, plain
from likelier.report.files import write_whole
from likelier.report.gate import HOLDS
from likelier.report.gate.judgement import Judgement, judged
from likelier.report.summary import Result, as_json, summary
from likelier.results import Comparison, Estimate, NullTest, StudyReport

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def deliver(
    outputs: Outputs,
    results: Sequence[Result],
    *,
    several: bool,
    draw: "Callable[[], Figure] | None",
    timings: bool,
) -> None:
    """Print and write the results, then exit as the condition says."""
    condition = outputs.fail_unless
    judgement = None if condition is None else judged(condition, results)
    # Escapes of JSON fit any terminal; a file is UTF-8.
    ascii_only = outputs.json == "-" and not _takes_unicode()
    told = summary(results, several=several, timings=timings)
    document = as_json(told, ascii_only=ascii_only)
    files = _files(outputs, results, document, draw)
    lines = _step_summary(results, judgement) if outputs.github else []
    for path, content in files.items():
        write_whole(path, content)
    if lines:
        _append(lines)
    try:
        _print(outputs, results, document)
        sys.stdout.flush()
    except BrokenPipeError:
        # Nobody reads on: no verdict, and nothing to say at exit either.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise typer.Exit(141) from None
    if judgement is not None:
        _end(judgement)


def _end(judgement: Judgement) -> None:
    """Say for what the condition does not hold, and exit as it asks."""
    for line in judgement.unmet():
        sys.stderr.write(f"likelier: {plain(judgement.condition)}: {line}\n")
    if judgement.code != HOLDS:
        raise typer.Exit(judgement.code)


def _step_summary(results: Sequence[Result], judgement: Judgement | None) -> list[str]:
    from likelier.report.github import step_summary

    return step_summary(results, judgement)


def _append(lines: Sequence[str]) -> None:
    from likelier.report.github import append, summary_file

    if not append(summary_file(), lines):
        told = "the summary of the step is full; nothing was added to it."
        sys.stderr.write(f"likelier: {told}\n")


def _files(
    outputs: Outputs,
    results: Sequence[Result],
    document: str,
    draw: "Callable[[], Figure] | None",
) -> dict[Path, bytes]:
    files = {}
    if outputs.json not in (None, "-"):
        files[Path(str(outputs.json))] = document.encode(errors="backslashreplace")
    if outputs.html is not None:
        from likelier.report.page import report

        files[outputs.html] = report(results).html.encode(errors="backslashreplace")
    if outputs.plot is not None:
        form = outputs.plot.suffix[1:].lower()
        files[outputs.plot] = (
            _picture(results, form) if draw is None else _drawn(draw, form)
        )
    return files


def _print(outputs: Outputs, results: Sequence[Result], document: str) -> None:
    if outputs.json == "-":
        sys.stdout.write(document)
    elif outputs.markdown:
        from likelier.report.markdown import markdown

        sys.stdout.write(markdown(results))
    elif outputs.latex:
        from likelier.report.latex import latex

        sys.stdout.write(latex(results))
    else:
        from likelier.cli.screen import show

        show(results)


def _drawn(draw: "Callable[[], Figure]", form: str) -> bytes:
    from likelier.plots.picture import saved

    return saved(draw(), form=form)


def _takes_unicode() -> bool:
    return (sys.stdout.encoding or "").lower().replace("-", "").startswith("utf")


def _picture(results: Sequence[Result], form: str) -> bytes:
    from likelier.plots.forest import height_of, intervals
    from likelier.plots.picture import figure, picture, saved

    compared = [result for result in results if isinstance(result, Comparison)]
    if len(compared) == len(results) > 1:
        height = height_of(len(compared))
        drawn = figure(lambda ax: intervals(compared, ax=ax), height=height)
        return saved(drawn, form=form)
    first = results[0]
    if len(results) != 1 or isinstance(first, NullTest | Estimate | StudyReport):
        message = "A plot must have comparisons with a posterior."
        hint = "Use --method paired or unpaired; one table of classes at a time."
        raise SettingError(message, hint=hint)
    return picture(first, form=form)


def factor_figure(results: Sequence[Result]) -> "Figure":
    """Draw the prior and the posterior around the null of one comparison."""
    first = results[0]
    if len(results) != 1 or not isinstance(first, Comparison):
        message = "A plot of the factor must have exactly one comparison."
        raise SettingError(message, hint="Ask for one metric and two systems.")
    from likelier.plots.style import new_figure

    figure, axes = new_figure()
    first.plot_factor(ax=axes)
    return figure
