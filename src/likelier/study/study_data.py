"""Data of a study: items, what is right for them, and the files they are read from."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from itertools import accumulate, pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np

from likelier.data.encoding import is_matrix, label_set, label_text
from likelier.data.tag_schemes import spans_to_tags, tag_scheme, tags_to_spans
from likelier.errors import InputError, SettingError, unknown_name
from likelier.study.fingerprints import digest

if TYPE_CHECKING:
    from likelier._typing import IntArray
    from likelier.readers.token_columns import Column

Task = Literal["labels", "sets", "tags", "chunks", "scores"]
TASKS: tuple[Task, ...] = get_args(Task)
# Tasks whose items are sequences of tokens, with one tag each.
SEQUENCES = ("tags", "chunks")


@dataclass(frozen=True, eq=False)
class StudyData:
    """Items with what is right for them.

    Attributes
    ----------
    inputs
        What a system sees of each item: a text, a row of features; for tags and chunks
        a sequence of tokens.
    gold
        What is right: a label, a collection of labels; for tags and chunks one tag per
        token; for scores whatever `score` compares with.
    task
        How predictions are counted: ``labels``, ``sets`` (any number of labels per
        item), ``tags`` (one per token), ``chunks`` (spans of tokens) or ``scores``.
    scheme
        The scheme of the gold tags, for chunks.
    groups
        What must stay together in a fold: one document or speaker per item.
    units
        A bag of units per item in which blocks should be even. By default the labels,
        the tags, or the types of the chunks.
    score
        For scores: takes gold and prediction of an item and gives a number, whose mean
        is compared; losses by the metric ``mean_loss``.

    Examples
    --------
    >>> StudyData(["cheap pills", "see you"], ["spam", "ham"])
    <StudyData of 2 items: labels>
    """

    inputs: Any
    gold: Any
    task: Task = "labels"
    scheme: str | None = field(default=None, kw_only=True)
    groups: Sequence[Any] | None = field(default=None, kw_only=True)
    units: Any = field(default=None, kw_only=True)
    score: Callable[[Any, Any], float] | None = field(default=None, kw_only=True)

    def __post_init__(self) -> None:
        if self.task not in TASKS:
            raise unknown_name(self.task, TASKS, kind="task")
        if (self.task == "chunks") != (self.scheme is not None):
            message = f"scheme must come with chunks and only there; task {self.task}."
            raise SettingError(message)
        if (self.task == "scores") != (self.score is not None):
            message = f"score must come with scores and only there; task {self.task}."
            raise SettingError(message)
        if self.scheme is not None:
            tag_scheme(self.scheme)
        if self.score is not None and not callable(self.score):
            message = (
                f"score must be a function of gold and prediction; got {self.score!r}."
            )
            raise SettingError(message)
        _check_sizes(self)
        if self.task in SEQUENCES:
            _check_tokens(self)
        if self.task == "sets" and isinstance(self.gold, list | tuple):
            # Decided once for all items: parts of them might look like the other.
            object.__setattr__(self, "gold", _matrix_or_sets(self.gold))

    def __len__(self) -> int:
        return count_items(self.gold)

    def __repr__(self) -> str:
        return f"<StudyData of {len(self):,} items: {self.task}>"

    def classes(self) -> Any:
        """Return the labels that folds should be even in, where an item has one."""
        return self.gold if self.task == "labels" else None

    def class_names(self) -> set[str]:
        """Return the classes that metrics speak of."""
        if self.task == "labels":
            return {label_text(label, "gold", i) for i, label in enumerate(self.gold)}
        return {name for bag in self.bags() for name in bag}

    def bags(self) -> Any:
        """Return the units that blocks should be even in, where there are any."""
        if self.units is not None or self.task in ("labels", "scores"):
            return self.units
        if self.task == "sets" and getattr(self.gold, "ndim", 1) == 2:
            return self.gold
        if self.task == "chunks":
            return [
                Counter(
                    span.type or "chunk"
                    for span in tags_to_spans(tags, str(self.scheme))
                )
                for tags in self.gold
            ]
        return [Counter(tags) for tags in self.gold]

    def digest(self) -> str:
        """Return the fingerprint of all that systems see and are measured by."""
        measured = self.task, self.scheme, self.score, self.groups
        return digest(self.inputs, self.gold, *measured)

    def take(self, positions: "IntArray") -> "StudyData":
        """Return some of the items."""
        inputs, gold, groups = (
            take_items(column, positions)
            for column in (self.inputs, self.gold, self.groups)
        )
        if self.task in SEQUENCES:
            # Systems may change their sequences; other folds must not see it.
            inputs, gold = (
                [list(part) for part in column] for column in (inputs, gold)
            )
        return replace(self, inputs=inputs, gold=gold, groups=groups, units=None)


def as_study_data(data: Any) -> StudyData:
    """Return data of a study as they are, or made of inputs and labels."""
    if isinstance(data, StudyData):
        return data
    if isinstance(data, tuple) and len(data) == 2:
        return StudyData(*data)
    message = f"Data must be a StudyData, or inputs and labels; got {type(data)}."
    raise SettingError(message, hint="StudyData(inputs, gold, task='labels')")


def _matrix_or_sets(gold: Sequence[Any]) -> Any:
    """Tell lists of 0 and 1 from sets of labels."""
    if is_matrix(gold):
        return np.asarray(gold)
    for index, labels in enumerate(gold):
        label_set(labels, "gold", index)
    return [frozenset(labels) for labels in gold]


def _check_sizes(data: StudyData) -> None:
    n = len(data)
    if n == 0:
        message = "There must be at least one item; got none."
        raise InputError(message)
    for name in ("inputs", "groups", "units"):
        column = getattr(data, name)
        if (name == "inputs" or column is not None) and count_items(column) != n:
            message = (
                f"{name} must have one entry per item: {n}; got {count_items(column)}."
            )
            raise InputError(message)


def _check_tokens(data: StudyData) -> None:
    for index, (tokens, tags) in enumerate(zip(data.inputs, data.gold, strict=True)):
        sized = hasattr(tags, "__len__") and hasattr(tokens, "__len__")
        if sized and not len(tokens):
            message = f"Item {index} must have at least one token; it has none."
            raise InputError(message)
        if not sized or isinstance(tags, str) or len(tokens) != len(tags):
            message = (
                f"Item {index} must have one tag per token; got the tokens {tokens!r} "
                f"and the tags {tags!r}."
            )
            raise InputError(message)


def count_items(column: Any) -> int:
    """Count the entries of a list, an array, a frame or a sparse matrix."""
    shape = getattr(column, "shape", None)
    if shape:
        return int(shape[0])
    try:
        return len(column)
    except TypeError:
        message = f"Items must be in a list, an array or a frame; got {column!r}."
        raise InputError(message) from None


def take_items(column: Any, positions: "IntArray") -> Any:
    """Return the entries at some positions, in the container they came in."""
    if column is None:
        return None
    if hasattr(column, "tocsr"):
        return column.tocsr()[positions]
    if hasattr(column, "iloc"):
        return column.iloc[positions]
    if hasattr(column, "shape"):
        return column[positions]
    entries = [column[i] for i in np.asarray(positions).tolist()]
    return tuple(entries) if isinstance(column, tuple) else entries


# --- files ----------------------------------------------------------------------------
# What reads them is loaded where it is needed: workers have no use for it, and a run
# that goes on must not wait for it.


def read_table(
    path: Path,
    *,
    input: str | list[str] = "text",  # noqa: A002 (the word of the TOML)
    gold: str = "gold",
    groups: str | None = None,
) -> StudyData:
    """Read texts, or rows of texts, with their labels.

    Parameters
    ----------
    path
        A CSV, TSV, JSONL or Parquet file.
    input
        The column that systems see, or several of them; then each item is a list.
    gold
        The column of labels.
    groups
        The column of what must stay together in a fold.
    """
    from likelier.readers.tables import read_columns

    if not isinstance(input, str | list) or not isinstance(gold, str):
        message = f"input and gold must name columns; got {input!r} and {gold!r}."
        raise SettingError(message)
    names = [input] if isinstance(input, str) else input
    needed = [*names, gold, *([] if groups is None else [groups])]
    columns, _ = read_columns(path, list(dict.fromkeys(needed)))
    rows = [list(row) for row in zip(*(columns[name] for name in names), strict=True)]
    return StudyData(
        columns[input] if isinstance(input, str) else rows,
        columns[gold],
        groups=None if groups is None else columns[groups],
    )


def read_tags(
    path: Path, *, token: "Column | None" = None, column: "Column | None" = None
) -> StudyData:
    """Read tokens with one tag each, from CoNLL-U or columns.

    Parameters
    ----------
    path
        The file, gzipped or not.
    token, column
        The columns of tokens and of tags.
    """
    from likelier.readers.tag_files import read_sentences

    return StudyData(*read_sentences(path, token=token, column=column), "tags")


def read_chunks(
    path: Path,
    *,
    scheme: str,
    token: "Column | None" = None,
    column: "Column | None" = None,
) -> StudyData:
    """Read tokens with tags of chunks.

    Parameters
    ----------
    path
        The file, gzipped or not.
    scheme
        The scheme of the tags.
    token, column
        The columns of tokens and of tags.
    """
    from likelier.readers.tag_files import read_sentences

    tokens, tags = read_sentences(path, token=token, column=column)
    return StudyData(tokens, tags, "chunks", scheme=scheme)


def read_segmented(path: Path, *, encoding: str = "utf-8") -> StudyData:
    """Read text whose words stand between blanks; characters are the tokens.

    Parameters
    ----------
    path
        The file, one sentence per line.
    encoding
        The encoding of the file.
    """
    from likelier.readers.segmented import read_words

    inputs, gold = [], []
    for words in read_words(path, encoding=encoding):
        inputs.append(list("".join(words)))
        ends = accumulate(map(len, words), initial=0)
        chunks = [(start, end, "") for start, end in pairwise(ends)]
        gold.append(spans_to_tags(chunks, len(inputs[-1]), "bmes"))
    return StudyData(inputs, gold, "chunks", scheme="bmes")


READERS: dict[str, Callable[..., StudyData]] = {
    "table": read_table,
    "tags": read_tags,
    "chunks": read_chunks,
    "segmented": read_segmented,
}
