"""Files between a study and a command: items out, predictions in."""

import json
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from likelier.errors import InputError, LikelierError
from likelier.study.study_data import SEQUENCES

if TYPE_CHECKING:
    from likelier.study.study_data import Task


class CommandError(LikelierError):
    """A command failed, hung, or wrote what cannot be used.

    Parameters
    ----------
    message, hint
        As in any error.
    log
        What the command printed.
    """

    def __init__(self, message: str, *, hint: str | None = None, log: str = "") -> None:
        super().__init__(message, hint=hint)
        self.log = log


def write_items(path: Path, task: "Task", inputs: Any, gold: Any) -> None:
    """Write items to a file, with their gold labels or tags unless these are None."""
    write = _write_tokens if task in SEQUENCES else _write_lines
    try:
        with path.open("w", encoding="utf-8", newline="\n") as file:
            write(file, inputs, gold)
    except (UnicodeEncodeError, TypeError) as error:
        message = f"Items must fit into a file of text; {error}."
        raise InputError(message) from error


def _write_tokens(file: IO[str], inputs: Any, gold: Any) -> None:
    sentences = _as_list(inputs)
    tagged = [None] * len(sentences) if gold is None else _as_list(gold)
    for index, (tokens, tags) in enumerate(zip(sentences, tagged, strict=True)):
        for i, token in enumerate(tokens):
            cells = [str(token)] if tags is None else [str(token), str(tags[i])]
            if any(not cell or set(cell) & set("\t\n\r") for cell in cells):
                message = (
                    f"Tokens and tags must fit into a line of a file; token {i} of "
                    f"item {index} has {cells}."
                )
                raise InputError(message)
            file.write("\t".join(cells) + "\n")
        file.write("\n")


def _write_lines(file: IO[str], inputs: Any, gold: Any) -> None:
    if getattr(gold, "ndim", 1) != 1:
        message = "A command must get its gold labels as lists; got a matrix."
        raise InputError(message)
    labels = None if gold is None else _as_list(gold)
    for index, item in enumerate(_as_list(inputs)):
        row = {"id": str(index), "input": item}
        if labels is not None:
            row["label"] = labels[index]
        file.write(json.dumps(row, ensure_ascii=False, default=_as_json) + "\n")


def _as_json(value: Any) -> Any:
    """Turn what JSON does not know into what it knows."""
    if isinstance(value, set | frozenset):
        return sorted(value, key=str)
    for method in ("tolist", "isoformat"):
        if hasattr(value, method):
            return getattr(value, method)()
    message = f"{type(value).__name__} is not known to JSON"
    raise TypeError(message)


def _as_list(column: Any) -> list[Any]:
    for method in ("toarray", "to_numpy"):
        if hasattr(column, method):
            column = getattr(column, method)()
    return column.tolist() if hasattr(column, "tolist") else list(column)


def read_predictions(path: Path, task: "Task", inputs: Any) -> list[Any]:
    """Read predictions, and check that they are those of the items, in their order."""
    if not path.is_file():
        message = "predict must write {predictions}; there is no such file."
        raise CommandError(message)
    try:
        text = path.read_bytes().decode("utf-8")
    except UnicodeDecodeError as error:
        message = f"Predictions must be UTF-8; {error}."
        raise CommandError(message) from error
    lines = text.replace("\r\n", "\n").split("\n")
    if task in SEQUENCES:
        return _read_tokens(lines, inputs)
    return _read_lines([line for line in lines if line], len(_as_list(inputs)))


def _read_tokens(lines: list[str], inputs: Any) -> list[list[str]]:
    """Read the tags, and check that their tokens are those of the test items."""
    rows = ((i, line) for i, line in enumerate(lines, start=1) if line)
    predictions = []
    for index, tokens in enumerate(inputs):
        tags = []
        for token in tokens:
            number, line = next(rows, (0, ""))
            if not number:
                message = (
                    f"Predictions must have every token; they end before {token!r} "
                    f"of sentence {index + 1} of {len(inputs)}."
                )
                raise CommandError(message)
            tags.append(_tag(line, str(token), number))
        predictions.append(tags)
    for number, line in rows:
        message = (
            f"Predictions must end with the last token of the test items; line "
            f"{number} has {line!r}."
        )
        raise CommandError(message)
    return predictions


def _tag(line: str, token: str, number: int) -> str:
    cells, tab, tag = line.rpartition("\t")
    if not tab or not tag:
        message = f"Line {number} must be a token, a tab and its tag; got {line!r}."
        raise CommandError(message)
    if cells.partition("\t")[0] != token:
        message = (
            f"Predictions must be in the order of the test items: line {number} must "
            f"have {token!r}; got {cells!r}."
        )
        raise CommandError(message)
    return tag


def _read_lines(lines: list[str], n: int) -> list[Any]:
    if len(lines) != n:
        message = f"Predictions must have one line per item: {n}; got {len(lines)}."
        raise CommandError(message)
    return [_label(line, str(index)) for index, line in enumerate(lines)]


def _label(line: str, identifier: str) -> Any:
    number = int(identifier) + 1
    try:
        row = json.loads(line)
    except (ValueError, RecursionError) as error:
        message = f"Line {number} of the predictions must be JSON; {error}."
        raise CommandError(message) from error
    if not isinstance(row, dict) or not {"id", "label"} <= set(row):
        message = f"Line {number} must have an id and a label; got {line!r}."
        raise CommandError(message)
    if str(row["id"]) != identifier:
        message = (
            f"Predictions must be in the order of the test items: line {number} "
            f"must have the id {identifier!r}; got {str(row['id'])!r}."
        )
        raise CommandError(message)
    return row["label"]
