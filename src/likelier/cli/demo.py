"""A story to start with: two spam filters on the same 2,000 messages."""

import csv
import io
from pathlib import Path

import numpy as np
import typer

from likelier.cli import calls
from likelier.cli.outputs import Outputs
from likelier.errors import InputError
from likelier.report.files import write_whole

_ITEMS = 2000


def show(folder: Path) -> None:
    """Write the predictions, compare them, and say which commands did it."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        message = f"{folder} must be a folder; {error.strerror}."
        raise InputError(message) from error
    path = folder / "predictions.csv"
    write_whole(path, predictions().encode())
    typer.echo(f"{_ITEMS:,} messages, their gold labels and two filters: {path}\n")
    asked = calls.Asked.of("f1", beta=None, alpha=None, positive="spam")
    source = calls.Source(
        [path], "gold", ("baseline", "new"), "id", None, None, None, sets=False
    )
    way = calls.Way("paired", None, "hdi-rope", calls.rope_of("0.01"), 0.95, None, 0)
    outputs = Outputs(
        json=str(folder / "comparison.json"),
        html=folder / "report.html",
        plot=folder / "posterior.png",
    )
    typer.echo(
        f"$ likelier compare {path} --gold gold --systems baseline,new --id id \\\n"
        f"    --metric f1 --positive spam --rope 0.01 --seed 0 \\\n"
        f"    --json {outputs.json} --html {outputs.html} --plot {outputs.plot}"
    )
    outputs.deliver(calls.compared(source, asked, way))
    typer.echo(
        f"\n$ likelier score {path} --gold gold --systems baseline,new --id id \\\n"
        "    --metric f1,precision,recall --positive spam --seed 0"
    )
    every = calls.Asked.of(
        "f1,precision,recall", beta=None, alpha=None, positive="spam"
    )
    scored = calls.scored(source, every, interval="hdi", mass=0.95, draws=None, seed=0)
    Outputs().deliver(scored)
    typer.echo(f"\nWritten: {outputs.plot}, {outputs.html}, {outputs.json}")
    page = (folder / "report.html").resolve().as_uri()
    typer.echo(f"Open the report in a browser: {page}")


def predictions() -> str:
    """Make a table of gold labels and two filters that err on the same messages."""
    rng = np.random.default_rng(20)
    spam = rng.random(_ITEMS) < 0.4
    hard = rng.random(_ITEMS)
    wrong_first = hard + rng.normal(0, 0.08, _ITEMS) > 0.86
    wrong_second = hard + rng.normal(0, 0.08, _ITEMS) > 0.885
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["id", "gold", "baseline", "new"])
    names = np.array(["ham", "spam"])
    columns = (spam, spam ^ wrong_first, spam ^ wrong_second)
    for number, row in enumerate(zip(*columns, strict=True)):
        writer.writerow([f"m{number:04}", *(names[int(value)] for value in row)])
    return text.getvalue()
