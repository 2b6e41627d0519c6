"""The options of outputs, said once for all commands that have some."""

import inspect
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Annotated, Any

import typer

from likelier.cli.outputs import Outputs

_OUTPUT = "Output"
Command = Callable[..., None]

Json = Annotated[
    str | None,
    typer.Option(
        help="Write JSON to a file, or to the terminal with -.",
        metavar="FILE|-",
        rich_help_panel=_OUTPUT,
    ),
]
Html = Annotated[
    Path | None, typer.Option(help="Write a page.", rich_help_panel=_OUTPUT)
]
Plot = Annotated[
    Path | None,
    typer.Option(help="Draw the result: .png, .svg or .pdf.", rich_help_panel=_OUTPUT),
]
Markdown = Annotated[
    bool, typer.Option("--markdown", help="Print Markdown.", rich_help_panel=_OUTPUT)
]
Latex = Annotated[
    bool, typer.Option("--latex", help="Print LaTeX.", rich_help_panel=_OUTPUT)
]
GitHub = Annotated[
    bool,
    typer.Option(
        "--github",
        help="Add Markdown to the summary of a step in GitHub Actions.",
        rich_help_panel=_OUTPUT,
    ),
]
PlotKind = Annotated[
    str,
    typer.Option(
        help="What to draw: posterior, or factor (prior and posterior at the null).",
        rich_help_panel=_OUTPUT,
    ),
]
ScorePlotKind = Annotated[
    str | None,
    typer.Option(
        "--plot-kind",
        help="What to draw: posterior, simplex or data-sets; of all pairs: order or "
        "simplex.",
        rich_help_panel=_OUTPUT,
    ),
]
RankPlotKind = Annotated[
    str | None,
    typer.Option(
        "--plot-kind",
        help="What to draw: ranks, critical, order or simplex.",
        rich_help_panel=_OUTPUT,
    ),
]


def with_outputs(
    *, example: str = "P(better) > 0.9", verdicts: bool = True, plot: bool = True
) -> Callable[[Command], Command]:
    """Give a command the options of outputs, which it takes as one: ``outputs``.

    Parameters
    ----------
    example
        A condition, for the help.
    verdicts
        Whether the results have verdicts, which may be open.
    plot
        Whether the results can be drawn.
    """
    shared = _shared(_condition(example, verdicts=verdicts), plot=plot)

    def decorated(command: Command) -> Command:
        @wraps(command)
        def called(**given: Any) -> None:
            written = {name: given.pop(name) for name in shared}
            command(**given, outputs=Outputs(**written))

        own = dict(inspect.signature(command).parameters)
        del own["outputs"]
        _describe(called, [*own.values(), *shared.values()])
        return called

    return decorated


def _shared(condition: Any, *, plot: bool) -> dict[str, inspect.Parameter]:
    kinds: dict[str, tuple[Any, object]] = {
        "json": (Json, None),
        "html": (Html, None),
        **({"plot": (Plot, None)} if plot else {}),
        "markdown": (Markdown, False),
        "latex": (Latex, False),
        "fail_unless": (condition, None),
        "github": (GitHub, False),
    }
    return {
        name: inspect.Parameter(
            name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=kind
        )
        for name, (kind, default) in kinds.items()
    }


def _condition(example: str, *, verdicts: bool) -> Any:
    unclear = "; 3 where the evidence is too little either way" if verdicts else ""
    told = typer.Option(
        help=f"Exit 1 unless this holds, such as '{example}'{unclear}.",
        metavar="CONDITION",
        rich_help_panel=_OUTPUT,
    )
    return Annotated[str | None, told]


def _describe(called: Command, parameters: list[inspect.Parameter]) -> None:
    """Say what a command takes, for typer reads its signature."""
    # What kind of plot is asked beside the plot.
    kinds = [p for p in parameters if p.name == "plot_kind"]
    others = [p for p in parameters if p.name != "plot_kind"]
    place = next((i for i, p in enumerate(others, 1) if p.name == "plot"), len(others))
    shown = [*others[:place], *kinds, *others[place:]]
    called.__signature__ = inspect.Signature(shown)  # type: ignore[attr-defined]
    called.__annotations__ = {p.name: p.annotation for p in shown}
