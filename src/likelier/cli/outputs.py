"""Where results go: the terminal, files, and the exit code."""

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from likelier.errors import SettingError
from likelier.report.files import check_writable

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from likelier.report.summary import Result

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

    json: str | None = None
    html: Path | None = None
    plot: Path | None = None
    markdown: bool = False
    latex: bool = False
    fail_unless: str | None = None
    github: bool = False

    @property
    def printed(self) -> bool:
        """Whether something for programs is printed, and no words beside it."""
        return self.json == "-" or self.markdown or self.latex

    def check(self, inputs: Sequence[Path] = ()) -> None:
        """Refuse what cannot be written or read, before any work is done."""
        if self.fail_unless is not None:
            from likelier.report.gate import parsed

            parsed(self.fail_unless)
        self._check_paths(inputs)
        if self.plot is not None and self.plot.suffix.lower() not in _PICTURES:
            message = f"plot must end in {', '.join(_PICTURES)}; got {self.plot.name}."
            raise SettingError(message)
        if [self.json == "-", self.markdown, self.latex].count(True) > 1:
            message = "Only one of --json -, --markdown and --latex can be printed."
            raise SettingError(message)

    def _paths(self) -> list[Path]:
        """Give the files that are to be written."""
        paths = [path for path in (self.html, self.plot) if path is not None]
        if self.json not in (None, "-"):
            paths.append(Path(str(self.json)))
        if self.github:
            from likelier.report.github import summary_file

            paths.append(summary_file())
        return paths

    def _check_paths(self, inputs: Sequence[Path]) -> None:
        paths = self._paths()
        if len({path.resolve() for path in paths}) < len(paths):
            message = "Each output must have a file of its own."
            raise SettingError(message)
        taken = {path.resolve() for path in inputs}
        for path in paths:
            check_writable(path)
            if path.resolve() in taken:
                message = f"{path} must not be an input and an output."
                raise SettingError(message)

    def deliver(
        self,
        results: "Sequence[Result]",
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
        # Loaded when there are results: a run that goes on must not wait for it.
        from likelier.cli.delivery import deliver

        deliver(self, results, several=several, draw=draw, timings=timings)
