"""What a study is run on: items, what is right for them, and how that is counted."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

import numpy as np

from likelier.data.encoding import is_matrix, label_set, label_text
from likelier.data.tag_schemes import tag_scheme, tags_to_spans
from likelier.errors import InputError, SettingError, unknown_name

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
        _check_sizes(self)
        if self.task == "sets" and isinstance(self.gold, list | tuple):
            # Said once for all items: parts of them might look like the other.
            object.__setattr__(self, "gold", _sets(self.gold))

    def __len__(self) -> int:
        return size_of(self.gold)

    def __repr__(self) -> str:
        return f"<StudyData of {len(self):,} items: {self.task}>"

    def classes(self) -> Any:
        """Give the labels that folds should be even in, where an item has one."""
        return self.gold if self.task == "labels" else None

    def class_names(self) -> set[str]:
        """Give the classes that metrics speak of."""
        if self.task == "labels":
            return {label_text(label, "gold", i) for i, label in enumerate(self.gold)}
        return {name for bag in self.bags() for name in bag}

    def bags(self) -> Any:
        """Give the units that blocks should be even in, where there are any."""
        if self.units is not None or self.task in ("labels", "scores"):
            return self.units
        if self.task == "sets" and getattr(self.gold, "ndim", 1) == 2:
            return self.gold
        if self.task == "chunks":
            return [_types(tags, str(self.scheme)) for tags in self.gold]
        return [Counter(tags) for tags in self.gold]


def as_study_data(data: Any) -> StudyData:
    """Take data of a study, or inputs and labels."""
    if isinstance(data, StudyData):
        return data
    if isinstance(data, tuple) and len(data) == 2:
        return StudyData(*data)
    message = f"Data must be a StudyData, or inputs and labels; got {type(data)}."
    raise SettingError(message, hint="StudyData(inputs, gold, task='labels')")


def _types(tags: Sequence[str], scheme: str) -> Mapping[str, int]:
    return Counter(span.type or "chunk" for span in tags_to_spans(tags, scheme))


def _sets(gold: Sequence[Any]) -> Any:
    """Tell lists of 0 and 1 from sets of labels."""
    if is_matrix(gold):
        return np.asarray(gold)
    for place, labels in enumerate(gold):
        label_set(labels, "gold", place)
    return [frozenset(labels) for labels in gold]


def _check_sizes(data: StudyData) -> None:
    if data.score is not None and not callable(data.score):
        message = (
            f"score must be a function of gold and prediction; got {data.score!r}."
        )
        raise SettingError(message)
    n = size_of(data.gold)
    if n == 0:
        message = "There must be at least one item; got none."
        raise InputError(message)
    for name in ("inputs", "groups", "units"):
        column = getattr(data, name)
        if (name == "inputs" or column is not None) and size_of(column) != n:
            message = (
                f"{name} must have one entry per item: {n}; got {size_of(column)}."
            )
            raise InputError(message)
    if data.task in SEQUENCES:
        _check_tokens(data)


def _check_tokens(data: StudyData) -> None:
    for place, (tokens, tags) in enumerate(zip(data.inputs, data.gold, strict=True)):
        told = hasattr(tags, "__len__") and hasattr(tokens, "__len__")
        if told and not len(tokens):
            message = f"Item {place} must have at least one token; it has none."
            raise InputError(message)
        if not told or isinstance(tags, str) or len(tokens) != len(tags):
            message = (
                f"Item {place} must have one tag per token; got the tokens {tokens!r} "
                f"and the tags {tags!r}."
            )
            raise InputError(message)


def size_of(column: Any) -> int:
    """Count the entries of a list, an array, a frame or a sparse matrix."""
    shape = getattr(column, "shape", None)
    if shape:
        return int(shape[0])
    try:
        return len(column)
    except TypeError:
        message = f"Items must be in a list, an array or a frame; got {column!r}."
        raise InputError(message) from None


def taken(column: Any, places: Any) -> Any:
    """Take the entries at some places, in the container they came in."""
    if column is None:
        return None
    if hasattr(column, "tocsr"):
        return column.tocsr()[places]
    if hasattr(column, "iloc"):
        return column.iloc[places]
    if hasattr(column, "shape"):
        return column[places]
    kept = [column[i] for i in np.asarray(places).tolist()]
    return tuple(kept) if isinstance(column, tuple) else kept
