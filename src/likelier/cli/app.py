"""The commands. What is heavy is imported inside them, so that help comes at once."""

import sys
import traceback
from io import TextIOWrapper
from pathlib import Path
from typing import Annotated

import typer

from likelier.cli import options
from likelier.errors import LikelierError

app = typer.Typer(
    name="likelier",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    # Boxes and colours take as long to load as all the rest; a pipe needs neither.
    rich_markup_mode="rich" if sys.stdout.isatty() else None,
)


@app.command()
def compare(
    files: options.Files,
    metric: options.MetricName,
    gold: options.Gold = "gold",
    systems: options.Systems = None,
    positive: options.Positive = None,
    rope: options.RopeText = None,
    id: options.Id = None,  # noqa: A002 - the option is called --id
    label: options.Label = None,
    cluster: options.Cluster = None,
    separator: options.Separator = None,
    sets: options.Sets = False,
    beta: options.Beta = None,
    alpha: options.Alpha = None,
    method: options.Method = "paired",
    prior: options.Prior = None,
    rule: options.Rule = "hdi-rope",
    mass: options.Mass = 0.95,
    draws: options.DrawCount = None,
    seed: options.Seed = None,
    json: options.Json = None,
    html: options.Html = None,
    plot: options.Plot = None,
    markdown: options.Markdown = False,
    latex: options.Latex = False,
    fail_unless: options.FailUnless = None,
) -> None:
    """Say whether the second system is better than the first, and how sure that is.

    likelier compare predictions.csv --systems a,b --metric f1 --positive spam
    --rope 0.01
    """
    from likelier.cli import calls
    from likelier.cli.outputs import Outputs

    outputs = Outputs(json, html, plot, markdown, latex, fail_unless)
    outputs.check(files)
    asked = calls.Asked.of(metric, beta=beta, alpha=alpha, positive=positive)
    source = calls.Source(
        files, gold, calls.listed_names(systems), id, label, cluster, separator, sets
    )
    way = calls.Way(method, prior, rule, calls.rope_of(rope), mass, draws, seed)
    outputs.deliver(calls.compared(source, asked, way))


@app.command()
def score(
    files: options.Files,
    metric: options.MetricName,
    gold: options.Gold = "gold",
    systems: options.Systems = None,
    positive: options.Positive = None,
    id: options.Id = None,  # noqa: A002 - the option is called --id
    label: options.Label = None,
    cluster: options.Cluster = None,
    separator: options.Separator = None,
    sets: options.Sets = False,
    beta: options.Beta = None,
    alpha: options.Alpha = None,
    interval: options.IntervalName = "hdi",
    mass: options.Mass = 0.95,
    draws: options.DrawCount = None,
    seed: options.Seed = None,
    json: options.Json = None,
    html: options.Html = None,
    markdown: options.Markdown = False,
    latex: options.Latex = False,
) -> None:
    """Give each system's metric with its interval.

    likelier score predictions.csv --systems a,b --metric f1,precision,recall
    --positive spam
    """
    from likelier.cli import calls
    from likelier.cli.outputs import Outputs

    outputs = Outputs(json, html, None, markdown, latex, None)
    outputs.check(files)
    asked = calls.Asked.of(metric, beta=beta, alpha=alpha, positive=positive)
    source = calls.Source(
        files, gold, calls.listed_names(systems), id, label, cluster, separator, sets
    )
    scored = calls.scored(
        source, asked, interval=interval, mass=mass, draws=draws, seed=seed
    )
    outputs.deliver(scored, several=True)


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
