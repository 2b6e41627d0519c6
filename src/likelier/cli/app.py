"""The commands, put together. What is heavy they import inside: help comes at once."""

import sys
import traceback
from io import TextIOWrapper
from pathlib import Path
from typing import Annotated

import typer

from likelier.cli import (
    folds_app,
    items_app,
    plan_app,
    scores_app,
    study_app,
    tags_app,
)
from likelier.errors import LikelierError

app = typer.Typer(
    name="likelier",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    # Boxes and colours take as long to load as all the rest; a pipe needs neither.
    rich_markup_mode="rich" if sys.stdout.isatty() else None,
)

for _command in (
    *(items_app.compare, items_app.score, folds_app.counts),
    *(scores_app.scores, scores_app.rank, study_app.run, study_app.show),
    *(tags_app.chunks, tags_app.tags, plan_app.plan, folds_app.split),
):
    app.command()(_command)


@app.command()
def demo(
    folder: Annotated[
        Path, typer.Argument(help="Where to put the data and the results.")
    ] = Path("demo"),
) -> None:
    """Make the predictions of two spam filters and compare them."""
    from likelier.cli.demo import show

    show(folder)


@app.callback(invoke_without_command=True)
def version(
    *,
    shown: Annotated[
        bool, typer.Option("--version", help="Print the version and stop.")
    ] = False,
) -> None:
    """Answer whether system B is really better than system A.

    By how much, and how sure that is, comes with the answer.
    """
    if shown:
        from likelier.recipe import package_version

        typer.echo(f"likelier {package_version()}")
        raise typer.Exit


def main() -> None:
    """Run the command line; errors of the user's are told without a traceback."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    try:
        app()
    except LikelierError as error:
        sys.stderr.write(f"likelier: {error}\n")
        sys.exit(2)
    except Exception:
        # Not 1: for a gate that would mean that the condition does not hold.
        traceback.print_exc()
        sys.exit(70)
