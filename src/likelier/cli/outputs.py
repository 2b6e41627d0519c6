"""Where results go: the terminal, files, and the exit code."""

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from likelier.errors import SettingError, plain
from likelier.report.files import check_writable, write_whole
from likelier.report.gate import FAILS, HOLDS, UNCLEAR, gate
from likelier.report.summary import Result, as_json, summary
from likelier.results import (
    ClassComparison,
    Comparison,
    Estimate,
    NullTest,
    Pairs,
    Sensitivity,
    StudyReport,
)

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_PICTURES = (".png", ".svg", ".pdf")


@contextmanager
def working(what: str) -> Iterator[None]:
    """Show on a terminal that something is under way."""
    if not sys.stderr.isatty():
        yield
        return
    from rich.console import Console

    with Console(stderr=True).status(f"{what} …"):
        yield


@dataclass(frozen=True)
class Outputs:
    """What the user wants written, and on what the exit code depends."""

    json: str | None
    html: Path | None
    plot: Path | None
    markdown: bool
    latex: bool
    fail_unless: str | None

    def check(self, inputs: Sequence[Path] = ()) -> None:
        """Refuse what cannot be written, before any work is done."""
        paths = [path for path in (self.html, self.plot) if path is not None]
        if self.json not in (None, "-"):
            paths.append(Path(str(self.json)))
        if len({path.resolve() for path in paths}) < len(paths):
            message = "Each output must have a file of its own."
            raise SettingError(message)
        taken = {path.resolve() for path in inputs}
        for path in paths:
            check_writable(path)
            if path.resolve() in taken:
                message = f"{path} must not be an input and an output."
                raise SettingError(message)
        if self.plot is not None and self.plot.suffix.lower() not in _PICTURES:
            message = f"plot must end in {', '.join(_PICTURES)}; got {self.plot.name}."
            raise SettingError(message)
        if [self.json == "-", self.markdown, self.latex].count(True) > 1:
            message = "Only one of --json -, --markdown and --latex can be printed."
            raise SettingError(message)

    def deliver(
        self,
        results: Sequence[Result],
        *,
        several: bool = False,
        draw: "Callable[[], Figure] | None" = None,
        timings: bool = False,
    ) -> None:
        """Print and write the results, then exit as the condition says.

        Parameters
        ----------
        results
            What to tell.
        several
            Whether a single result stands in a list as well.
        draw
            Makes the figure of all results; by default that of the one comparison.
        timings
            Whether studies tell how long their folds took, in the JSON.
        """
        code = self._exit_code(results)
        # Escapes of JSON fit any terminal; a file is UTF-8.
        ascii_only = self.json == "-" and not _takes_unicode()
        told = summary(results, several=several, timings=timings)
        document = as_json(told, ascii_only=ascii_only)
        files = self._files(results, document, draw)
        for path, content in files.items():
            write_whole(path, content)
        try:
            self._print(results, document)
            sys.stdout.flush()
        except BrokenPipeError:
            # Nobody reads on: no verdict, and nothing to say at exit either.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            raise typer.Exit(141) from None
        if code != HOLDS:
            raise typer.Exit(code)

    def _exit_code(self, results: Sequence[Result]) -> int:
        if self.fail_unless is None:
            return HOLDS
        parts = [part for result in results for part in _parts(result)]
        codes = [gate(self.fail_unless, part.to_dict()) for part in parts]
        for code, result in zip(codes, parts, strict=True):
            if code != HOLDS:
                why = "the evidence decides neither way" if code == UNCLEAR else "no"
                told = f"{self.fail_unless}: {why} ({plain(result.sentence())})"
                sys.stderr.write(f"likelier: {told}\n")
        # All must hold; one that fails outweighs one that is unclear.
        return next((code for code in (FAILS, UNCLEAR) if code in codes), HOLDS)

    def _files(
        self,
        results: Sequence[Result],
        document: str,
        draw: "Callable[[], Figure] | None",
    ) -> dict[Path, bytes]:
        files = {}
        if self.json not in (None, "-"):
            files[Path(str(self.json))] = document.encode(errors="backslashreplace")
        if self.html is not None:
            from likelier.report.html import html

            files[self.html] = html(results).encode(errors="backslashreplace")
        if self.plot is not None:
            form = self.plot.suffix[1:].lower()
            files[self.plot] = (
                _picture(results, form) if draw is None else _drawn(draw, form)
            )
        return files

    def _print(self, results: Sequence[Result], document: str) -> None:
        if self.json == "-":
            sys.stdout.write(document)
        elif self.markdown:
            from likelier.report.markdown import markdown

            sys.stdout.write(markdown(results))
        elif self.latex:
            from likelier.report.latex import latex

            sys.stdout.write(latex(results))
        else:
            from likelier.cli.screen import show

            show(results)


def _parts(result: Result) -> Sequence[Result]:
    """Give what a condition must hold for: every class, prior or pair, or the whole."""
    if isinstance(result, StudyReport):
        return [part for found in result.answers for part in _parts(found)]
    if isinstance(result, ClassComparison):
        return [row.comparison for row in result.rows]
    return result.comparisons if isinstance(result, Sensitivity | Pairs) else [result]


def _drawn(draw: "Callable[[], Figure]", form: str) -> bytes:
    from likelier.plots.picture import saved

    return saved(draw(), form=form)


def _takes_unicode() -> bool:
    return (sys.stdout.encoding or "").lower().replace("-", "").startswith("utf")


def _picture(results: Sequence[Result], form: str) -> bytes:
    first = results[0]
    if len(results) != 1 or isinstance(first, NullTest | Estimate | StudyReport):
        message = "A plot must have exactly one comparison with a posterior."
        hint = "Ask for one metric, two systems and --method paired or unpaired."
        raise SettingError(message, hint=hint)
    from likelier.plots.picture import picture

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
