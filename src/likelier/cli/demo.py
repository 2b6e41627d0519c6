"""Command `demo`: two spam filters on the same 2,000 messages, to start with."""

import csv
import io
from pathlib import Path
from typing import Annotated, Any

import typer

from likelier.cli.outputs import Outputs
from likelier.errors import InputError

_ITEMS = 2000


# The first question, as its page tells to ask it again.
_ASKED = (
    "--gold gold --systems baseline,new --id id "
    "--metric f1 --positive spam --rope 0.01 --seed 0"
)


def demo(
    folder: Annotated[
        Path, typer.Argument(help="Folder for the data and the results.")
    ] = Path("demo"),
) -> None:
    """Make the predictions of two spam filters and compare them."""
    import likelier as lk
    from likelier.readers import read_files
    from likelier.report.document import write_whole
    from likelier.results.result_list import ResultList

    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        message = f"{folder} must be a folder; {error.strerror}."
        raise InputError(message) from error
    path = folder / "predictions.csv"
    write_whole(path, predictions().encode())
    typer.echo(f"{_ITEMS:,} messages, their gold labels and two filters: {path}\n")
    table = read_files(path, systems=["baseline", "new"], id="id")
    settings: dict[str, Any] = {"positive": "spam", "seed": 0}
    outputs = Outputs(
        json=str(folder / "comparison.json"),
        html=folder / "report.html",
        plot=folder / "posterior.png",
        inputs=(path,),
        command=("compare", str(path), *_ASKED.split()),
    )
    typer.echo(
        f"$ likelier compare {path} --gold gold --systems baseline,new --id id \\\n"
        f"    --metric f1 --positive spam --rope 0.01 --seed 0 \\\n"
        f"    --json {outputs.json} --html {outputs.html} --plot {outputs.plot}"
    )
    outputs.deliver(lk.compare(table, metric="f1", rope=0.01, **settings))
    typer.echo(
        f"\n$ likelier estimate {path} --gold gold --systems baseline,new --id id \\\n"
        "    --metric f1,precision,recall --positive spam --seed 0"
    )
    estimates = [
        lk.estimate(table, systems=[system], metric=metric, **settings)
        for metric in ("f1", "precision", "recall")
        for system in table.systems
    ]
    Outputs().deliver(ResultList(estimates))
    typer.echo(f"\nWritten: {outputs.plot}, {outputs.html}, {outputs.json}")
    page = (folder / "report.html").resolve().as_uri()
    typer.echo(f"Open the report in a browser: {page}")


def predictions() -> str:
    """Make a table of gold labels and two filters that err on the same messages."""
    import numpy as np

    from likelier.cli.demo_messages import messages

    rng = np.random.default_rng(20)
    spam = rng.random(_ITEMS) < 0.4
    hard = rng.random(_ITEMS)
    wrong_first = hard + rng.normal(0, 0.08, _ITEMS) > 0.86
    wrong_second = hard + rng.normal(0, 0.08, _ITEMS) > 0.885
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["id", "message", "gold", "baseline", "new"])
    names = np.array(["ham", "spam"])
    columns = (spam, spam ^ wrong_first, spam ^ wrong_second)
    rows = zip(messages(spam.tolist()), zip(*columns, strict=True), strict=True)
    for number, (message, row) in enumerate(rows):
        labels = (names[int(value)] for value in row)
        writer.writerow([f"m{number:04}", message, *labels])
    return text.getvalue()
