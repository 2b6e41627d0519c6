"""Command `doctor`: what is in files, and which command fits."""

from json import dumps
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from likelier.cli.outputs import Json, Outputs
from likelier.formatting import join_words, plain

if TYPE_CHECKING:
    from likelier._doctor import Diagnosis
    from likelier.readers.logs.log_facts import TaskFacts
    from likelier.readers.reader import Description

Paths = Annotated[
    list[Path],
    typer.Argument(
        help="Tables, token files, logs, folders of logs, or patterns of them.",
        show_default=False,
    ),
]


def doctor(paths: Paths, *, json: Json = None) -> None:
    """Say what is in files, what can be asked of them, and the command to paste.

    likelier doctor runs/a runs/b
    """
    import likelier as lk

    outputs = Outputs(json=json).check(paths)
    diagnosis = lk.doctor(*paths)
    if json is not None:
        text = dumps(diagnosis.to_dict(), indent=2, ensure_ascii=json == "-")
        if json != "-":
            outputs.write(Path(json), text + "\n")
            return
        typer.echo(text)
        return
    for line in lines(diagnosis):
        typer.echo(plain(line))


def lines(diagnosis: "Diagnosis") -> list[str]:
    """Write a diagnosis for a terminal."""
    text = [f"format: {', '.join(diagnosis.formats)}"]
    if diagnosis.systems:
        first, *others = diagnosis.systems
        names = [f"{first} (baseline)" if others else first, *others]
        text.append(f"system{'s' if others else ''}: {', '.join(names)}")
    if diagnosis.table is not None:
        text += _table_lines(diagnosis.table)
    for task in diagnosis.tasks:
        text += _task_lines(task)
    checked = dict.fromkeys(name for task in diagnosis.tasks for name in task.checked)
    if checked and not diagnosis.differs:
        text.append(f"the same in all logs: {join_words(checked, most=9)}")
    if diagnosis.undirected:
        unsaid = join_words(diagnosis.undirected)
        text.append(f"direction not in the files, higher is taken as better: {unsaid}")
    if diagnosis.fields:
        text.append(f"fields, for --cluster: {join_words(diagnosis.fields)}")
    text += [f"note: {note}" for note in diagnosis.notes]
    text += _advice(diagnosis)
    return text


def _advice(diagnosis: "Diagnosis") -> list[str]:
    text = []
    if diagnosis.commands:
        text += ["", "to paste:"]
        for advice in diagnosis.commands:
            text += [f"  # {advice.answers}", f"  {advice.command}"]
    if diagnosis.refused:
        text += ["", "cannot be asked:", *(f"  {r}" for r in diagnosis.refused)]
    return text


def _table_lines(about: "Description") -> list[str]:
    columns = {"gold": about.gold, "id": about.id, "text": about.text}
    return [
        f"content: {about.kind}, {about.items:,} {about.unit}",
        *(f"{name}: {value}" for name, value in columns.items() if value),
        *([f"columns: {', '.join(about.columns)}"] if about.columns else []),
    ]


def _task_lines(task: "TaskFacts") -> list[str]:
    metrics = ", ".join(
        f"{m} (lower is better)" if better == "lower" else m
        for m, better in task.metrics.items()
    )
    counts = f"{task.shared:,} items"
    if not task.complete:
        each = ", ".join(f"{n:,} in {s}" for s, n in task.items.items())
        counts = f"{task.shared:,} shared items ({each})"
    text = [f"task {task.name}: {counts}; {metrics or 'no metric'}"]
    for label, numbers, usual in (
        ("repeats", task.repeats, 1),
        ("runs", task.runs, 1),
        ("answers that failed", task.errors, 0),
        *((f"no value of {metric}", of, 0) for metric, of in task.empty.items()),
    ):
        if any(n != usual for n in numbers.values()):
            each = ", ".join(f"{n:,} in {s}" for s, n in numbers.items())
            text.append(f"  {label}: {each}")
    return [*text, *(f"  differs: {part}" for part in task.differs.values())]
