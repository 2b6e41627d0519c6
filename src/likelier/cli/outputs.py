"""Outputs: their options, checks before any work, writing, and the exit code."""

import inspect
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial, wraps
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from likelier.cli.files_read import is_same, record, was_read
from likelier.cli.setting_options import OptionGroup, option
from likelier.errors import SettingError, unknown_name

if TYPE_CHECKING:
    from likelier.origin import Origin
    from likelier.report.gate import GateResult
    from likelier.report.markdown import Line
    from likelier.results.result import Result

Command = Callable[..., None]
Document = Callable[[], dict[str, Any]]

_output = partial(option, panel="Output")
_PICTURES = (".png", ".svg", ".pdf")

Json = Annotated[
    str | None,
    _output("Write JSON to a file, or print it with -.", metavar="FILE|-"),
]
Html = Annotated[Path | None, _output("Write a report as one HTML page.")]
Plot = Annotated[Path | None, _output("Draw the result to a .png, .svg or .pdf file.")]
PlotWidth = Annotated[str, _output("Width of the plot: column or page of a paper.")]
Markdown = Annotated[bool, _output("Print Markdown.", "--markdown")]
Latex = Annotated[bool, _output("Print LaTeX.", "--latex")]
Date = Annotated[
    str | None,
    _output("Date to show on the page, such as 2026-11-18; or: today.", metavar="DATE"),
]
GitHub = Annotated[
    bool,
    _output("Add Markdown to the step summary of GitHub Actions.", "--github"),
]


@dataclass(frozen=True)
class Outputs:
    """Destinations of a result: the terminal, files, and the exit code.

    `others` are files that the command writes itself, with `write`.
    """

    json: str | None = None
    html: Path | None = None
    plot: Path | None = None
    plot_kind: str | None = None
    plot_width: str = "page"
    markdown: bool = False
    latex: bool = False
    fail_unless: str | None = None
    github: bool = False
    date: str | None = None
    inputs: tuple[Path, ...] = ()
    command: tuple[str, ...] = ()
    others: tuple[Path, ...] = ()

    @property
    def printed(self) -> bool:
        """Whether the terminal gets a document for programs and nothing else."""
        return self.json == "-" or self.markdown or self.latex

    def check(self, inputs: Sequence[Path] = ()) -> "Outputs":
        """Refuse what cannot be written or read, before any work is done."""
        if self.fail_unless is not None:
            from likelier.report.condition import parse

            parse(self.fail_unless)
        self._check_paths(inputs)
        if self.plot is not None and self.plot.suffix.lower() not in _PICTURES:
            message = f"plot must end in {', '.join(_PICTURES)}; got {self.plot.name}."
            raise SettingError(message)
        if self.plot_width != "page":
            from likelier.plots.style import width_named

            width_named(self.plot_width)
        if [self.json == "-", self.markdown, self.latex].count(True) > 1:
            message = "Only one of --json -, --markdown and --latex can be printed."
            raise SettingError(message)
        return replace(self, inputs=tuple(inputs))

    def _paths(self) -> list[Path]:
        """Return the files that are written."""
        paths = [p for p in (self.html, self.plot, *self.others) if p is not None]
        if self.json not in (None, "-"):
            paths.append(Path(str(self.json)))
        if self.github:
            from likelier.report.markdown import summary_file

            paths.append(summary_file())
        return paths

    def _check_paths(self, inputs: Sequence[Path]) -> None:
        paths = self._paths()
        for first, second in combinations(paths, 2):
            if is_same(first, second):
                message = "Each output must have a file of its own."
                raise SettingError(message)
        for path in paths:
            from likelier.report.document import check_writable

            check_writable(path)
            if any(is_same(path, file) for file in inputs):
                raise _is_input(path)
        if paths:
            record()

    def check_read(self) -> None:
        """Refuse outputs over any file that was read since the first check."""
        for path in self._paths():
            if was_read(path):
                raise _is_input(path)

    def write(self, path: Path, text: str) -> None:
        """Write a text to one of the other files."""
        from likelier.report.document import write_whole

        self.check_read()
        write_whole(path, text.encode(errors="backslashreplace"))

    def deliver(
        self,
        result: "Result",
        *,
        kind: str | None = None,
        document: Document | None = None,
    ) -> None:
        """Print and write a result, then exit as the condition says.

        Parameters
        ----------
        result
            The answer of the library; a list of answers is one, too.
        kind
            Kind of its plot, where the user names none; by default its first.
        document
            Function that makes its JSON; by default `to_dict`.
        """
        document = document or result.to_dict
        gate = None
        if self.fail_unless is not None:
            from likelier.report.gate import judge

            gate = judge(self.fail_unless, result)
        files = self._files(result, kind, document, gate)
        if self.github:
            from likelier.report.markdown import step_summary

            lines = step_summary(result, gate)
        self.check_read()
        for path, content in files.items():
            from likelier.report.document import write_whole

            write_whole(path, content)
        if self.github:
            _append(lines)
        self._print(result, document)
        # Nobody may have read it: then there is no verdict.
        sys.stdout.flush()
        if gate is not None:
            _end(gate)

    def _files(
        self,
        result: "Result",
        kind: str | None,
        document: Document,
        gate: "GateResult | None",
    ) -> dict[Path, bytes]:
        files = {}
        if self.json not in (None, "-"):
            text = _json(document, ascii_only=False)
            files[Path(str(self.json))] = text.encode(errors="backslashreplace")
        if self.html is not None:
            page = result.report(gate=gate, origin=self._origin()).html
            files[self.html] = page.encode(errors="backslashreplace")
        if self.plot_kind is not None:
            kind = result.plot_kind(self.plot_kind)
        if self.plot is not None:
            from likelier.plots import picture

            form = self.plot.suffix[1:].lower()
            files[self.plot] = picture(result, kind, form=form, width=self.plot_width)
        return files

    def _origin(self) -> "Origin":
        """Return files, command and date, for a page."""
        from likelier.origin import Origin, shell_command

        own = Path(sys.argv[0]).name in ("likelier", "__main__.py")
        words = self.command or _without_files(sys.argv[1:])
        command = shell_command(["likelier", *words])
        date = datetime.now().date().isoformat() if self.date == "today" else self.date
        return Origin.of(self.inputs, command=command if own else None, date=date)

    def _print(self, result: "Result", document: Document) -> None:
        if self.json == "-":
            # Escapes of JSON fit any terminal; a file is UTF-8.
            encoding = (sys.stdout.encoding or "").lower().replace("-", "")
            text = _json(document, ascii_only=not encoding.startswith("utf"))
            sys.stdout.write(text)
        elif self.markdown:
            from likelier.report.markdown import markdown

            sys.stdout.write(markdown(result))
        elif self.latex:
            from likelier.report.latex import latex

            sys.stdout.write(latex(result))
        else:
            from likelier.report.terminal import show

            show(result)


def _is_input(path: Path) -> SettingError:
    return SettingError(f"{path} must not be an input and an output.")


def _without_files(words: Sequence[str]) -> list[str]:
    """Leave out where results are written: the same page anywhere, the same bytes.

    Examples
    --------
    >>> _without_files(["rank", "a.csv", "--html", "a.html", "--json=-", "--rope", "1"])
    ['rank', 'a.csv', '--rope', '1']
    """
    names = ("--html", "--json", "--plot")
    rest = iter(words)
    kept = []
    for word in rest:
        if word in names:
            next(rest, None)
        elif word.partition("=")[0] not in names:
            kept.append(word)
    return kept


def _json(document: Document, *, ascii_only: bool) -> str:
    from likelier.report.document import as_json

    return as_json(document(), ascii_only=ascii_only)


def _append(lines: "Sequence[Line]") -> None:
    from likelier.report.markdown import append, summary_file

    if not append(summary_file(), lines):
        text = "the summary of the step is full; nothing was added to it."
        sys.stderr.write(f"likelier: {text}\n")


def _end(gate: "GateResult") -> None:
    """Name the results for which the condition does not hold; exit with its code."""
    from likelier.formatting import plain

    for line in gate.unmet():
        sys.stderr.write(f"likelier: {plain(gate.condition)}: {line}\n")
    if gate.code:
        raise typer.Exit(gate.code)


def with_outputs(
    groups: Mapping[str, OptionGroup] | None = None,
    *,
    plots: Sequence[str] = (),
    example: str = "P(better) > 0.9",
    verdicts: bool = True,
) -> Callable[[Command], Command]:
    """Add the options of outputs to a command, which gets them as one: ``outputs``.

    Parameters
    ----------
    groups
        Further options that it gets together, each group as a dictionary.
    plots
        Kinds of plot that its results have.
    example
        A condition, for the help.
    verdicts
        Whether the results have verdicts, which may be open.
    """
    shared = _shared(plots, example, verdicts=verdicts)
    together = groups or {}

    def decorated(command: Command) -> Command:
        @wraps(command)
        def called(**arguments: Any) -> None:
            outputs = Outputs(**{name: arguments.pop(name) for name in shared})
            for name, group in together.items():
                arguments[name] = {option: arguments.pop(option) for option in group}
            if outputs.plot_kind not in (None, *plots):
                raise unknown_name(outputs.plot_kind, plots, kind="plot-kind")
            command(**arguments, outputs=outputs)

        parameters = []
        for name, parameter in inspect.signature(command).parameters.items():
            own = _parameters(together[name]) if name in together else [parameter]
            parameters += _parameters(shared) if name == "outputs" else own
        # Typer reads the options of a command from its signature.
        called.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
        called.__annotations__ = {p.name: p.annotation for p in parameters}
        return called

    return decorated


def _shared(plots: Sequence[str], example: str, *, verdicts: bool) -> OptionGroup:
    open_code = "; exit 3 where the evidence is too weak to decide" if verdicts else ""
    condition = _output(
        f"Exit 1 unless this condition holds, such as '{example}'{open_code}.",
        metavar="CONDITION",
    )
    kind = _output(f"Kind of plot: {', '.join(plots)}.")
    return {
        "json": (Json, None),
        "html": (Html, None),
        **({"plot": (Plot, None), "plot_width": (PlotWidth, "page")} if plots else {}),
        **({"plot_kind": (Annotated[str | None, kind], None)} if plots[1:] else {}),
        "markdown": (Markdown, False),
        "latex": (Latex, False),
        "fail_unless": (Annotated[str | None, condition], None),
        "github": (GitHub, False),
        "date": (Date, None),
    }


def _parameters(group: OptionGroup) -> list[inspect.Parameter]:
    return [
        inspect.Parameter(
            name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation
        )
        for name, (annotation, default) in group.items()
    ]
