"""Commands that answer something about one table beside gold labels, to be tried.

Columns of probabilities, of numbers and of texts have metrics of their own; everything
else is labels.
"""

import shlex
from collections.abc import Mapping, Sequence
from os import PathLike

from likelier._advice import Advice, question_for
from likelier.errors import LikelierError
from likelier.formatting import join_words
from likelier.metrics.positive import select_positive
from likelier.metrics.registry import named
from likelier.readers.pairing import read_files
from likelier.readers.reader import Description
from likelier.readers.tables import read_columns
from likelier.readers.text_files import read_texts
from likelier.readers.usual_columns import is_about_items

Path = str | PathLike[str]
Cells = dict[str, list[str]]

_OF_TEXTS = ("bleu", "chrf")
# References are texts where they have so many words on average, and hardly repeat.
_WORDS, _DIFFERENT = 4, 0.5
# Whole numbers are labels where so few of them are different.
_MOST_LABELS = 20


def gold_commands(about: Description, path: Path) -> list[Advice]:
    """Return commands for columns that are no labels; none where they are labels.

    Parameters
    ----------
    about
        Description of the table, which has a column of gold labels.
    path
        The table.

    Raises
    ------
    LikelierError
        Where the columns seem to be probabilities or numbers, and none can be asked.
    """
    gold = about.gold or ""
    parts = (gold, about.id, about.text)
    others = [n for n in about.columns if n not in parts and not is_about_items(n)]
    cells = _filled(path, [gold, *others])
    if gold not in cells:
        return []
    labels = cells.pop(gold)
    if _are_texts(labels):
        return _text_commands(about, path)
    if any({*column} <= {*labels} for column in cells.values()):
        return []
    read = {name: _numbers(column) for name, column in cells.items()}
    numbers = {name: column for name, column in read.items() if column is not None}
    commands, errors = [], []
    metrics, systems = _metrics(labels, numbers)
    for metric in metrics:
        try:
            commands.append(_number_command(about, path, systems, metric))
        except LikelierError as error:
            errors.append(error)
    if errors and not commands:
        raise errors[0]
    return commands


def _filled(path: Path, names: Sequence[str]) -> Cells:
    """Read the columns that have a value in every row."""
    try:
        cells, _ = read_columns(path, names, empty=names)
    except LikelierError:
        return {}
    return {name: column for name, column in cells.items() if "" not in column}


def _numbers(column: Sequence[str]) -> list[float] | None:
    """Return the numbers of a column; None where something else stands there."""
    try:
        return [float(cell) for cell in column]
    except ValueError:
        return None


def _are_texts(column: Sequence[str]) -> bool:
    words = sum(len(cell.split()) for cell in column) / len(column)
    return words >= _WORDS and len({*column}) > _DIFFERENT * len(column)


def _metrics(
    labels: Sequence[str], numbers: Mapping[str, list[float]]
) -> tuple[Sequence[str], list[str]]:
    """Name the metrics of numbers beside such gold labels, and the systems."""
    fractions = [n for n, own in numbers.items() if not all(map(float.is_integer, own))]
    shares = [n for n in fractions if min(numbers[n]) >= 0 and max(numbers[n]) <= 1]
    if len({*labels}) == 2 and shares:
        return ("log_loss", "roc_auc"), shares
    if len({*labels}) == 2 and fractions:
        return ("roc_auc",), fractions
    golds = _numbers(labels)
    if golds is None or not numbers:
        return (), []
    several = len({*golds}) > _MOST_LABELS or not all(map(float.is_integer, golds))
    # Beside a few whole numbers, shares may be probabilities of one of them.
    if several or (fractions and not shares):
        return ("rmse",), list(numbers)
    return (), []


def _number_command(
    about: Description, path: Path, systems: Sequence[str], metric: str
) -> Advice:
    """Return the command for a metric; refuse a table that cannot be read for it."""
    found = named(metric)
    table = read_files(
        [path],
        gold=str(about.gold),
        systems=systems,
        kind=found.data,
        id=None if about.id is None else [about.id],
    )
    select_positive(table, found)
    words = ["--metric", metric]
    if about.id is not None:
        words = ["--id", about.id, *words]
    return _advice(question_for(len(systems)), about, path, systems, words)


def _text_commands(about: Description, path: Path) -> list[Advice]:
    try:
        table = read_texts([path], metrics=_OF_TEXTS, gold=str(about.gold))
    except LikelierError:
        return []
    words = ["--metric", ",".join(_OF_TEXTS)]
    return [_advice("text", about, path, table.systems, words)]


def _advice(
    command: str,
    about: Description,
    path: Path,
    systems: Sequence[str],
    words: Sequence[str],
) -> Advice:
    text = ["likelier", command, str(path), "--gold", str(about.gold)]
    text += ["--systems", ",".join(systems), *words]
    answers = f"{words[-1]} of {join_words(systems, most=5)}"
    return Advice(shlex.join(text), answers)
