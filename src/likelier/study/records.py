"""Records: gold and predictions of the test items of one fold, as bytes."""

import json
import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likelier.data.chunks import CHUNK
from likelier.data.encoding import (
    Numbering,
    is_matrix,
    label_set,
    label_sets,
    label_text,
    score_columns,
)
from likelier.data.tag_schemes import split_tag
from likelier.errors import InputError
from likelier.study.study_data import SEQUENCES, StudyData

# Columns by their names in the stored bytes.
COLUMNS = {
    "lengths": "lengths",
    "gold": "gold",
    "said": "predicted",
    "unseen": "unseen",
    "scores": "scores",
    "groups": "groups",
}


def _none() -> NDArray[Any]:
    return np.zeros(0, np.uint8)


@dataclass(frozen=True, eq=False)
class Record:
    """Gold and predicted labels of test items, or their scores.

    Attributes
    ----------
    task
        How they are counted.
    names
        The labels or tags, in order of appearance.
    lengths
        How many labels each item has: its tokens, or one.
    gold, predicted
        Numbers of the gold and of the predicted labels.
    unseen
        For tags: whether no training item had the token.
    scores
        For scores: the number of each item.
    groups
        The number of each item's group, where there are groups.
    """

    task: str
    names: tuple[str, ...] = ()
    lengths: NDArray[Any] = field(default_factory=_none)
    gold: NDArray[Any] = field(default_factory=_none)
    predicted: NDArray[Any] = field(default_factory=_none)
    unseen: NDArray[Any] = field(default_factory=_none)
    scores: NDArray[Any] = field(default_factory=lambda: np.zeros(0, np.float64))
    groups: NDArray[Any] = field(default_factory=_none)

    @property
    def classes(self) -> set[str]:
        """Classes that metrics speak of: labels, or the types of chunks."""
        if self.task == "sets":
            return {label for name in self.names for label in json.loads(name)}
        if self.task == "chunks":
            return {split_tag(name)[1] or CHUNK for name in self.names} - {"O"}
        return set(self.names)

    def to_bytes(self) -> bytes:
        """Write the record; equal records give equal bytes."""
        columns = {name: getattr(self, part) for name, part in COLUMNS.items()}
        head = {
            "task": self.task,
            "words": self.names,
            "columns": [[name, c.dtype.str, len(c)] for name, c in columns.items()],
        }
        body = b"".join(column.tobytes() for column in columns.values())
        return zlib.compress(json.dumps(head).encode() + b"\n" + body, 6)


@dataclass(frozen=True, eq=False)
class GoldAnswers:
    """Gold answers of test items, noted before a system can touch them.

    Attributes
    ----------
    data
        The test items.
    gold
        Their gold labels or tags as texts; whatever it is for sets and scores.
    lengths
        How many labels each item has.
    unseen
        For tags: whether no training item had the token.
    groups
        The number of each item's group, where there are groups.
    """

    data: StudyData
    gold: Any
    lengths: NDArray[Any]
    unseen: NDArray[Any]
    groups: NDArray[Any]

    @classmethod
    def of(cls, data: StudyData, training: Iterable[Sequence[Any]]) -> "GoldAnswers":
        """Note what is right, and which tokens the training items did not have."""
        lengths, unseen, gold = np.ones(len(data), np.uint8), _none(), data.gold
        groups = _none() if data.groups is None else _group_numbers(data.groups)
        if data.task in SEQUENCES:
            lengths = np.array([len(tags) for tags in gold])
            gold = _flat(gold, "gold")
            if data.task == "tags":
                unseen = _unseen_tokens(data.inputs, training, len(gold))
        elif data.task == "sets":
            gold = _dense(gold)
        else:
            gold = as_list(gold, "gold")
            if data.task == "labels":
                gold = _label_texts(gold, "gold")
        return cls(data, gold, lengths, unseen, groups)

    def record(self, predictions: Any) -> Record:
        """Return the record of what a system predicted."""
        if self.data.task == "sets":
            return self._label_record(*_set_texts(self.gold, predictions))
        predicted, n = as_list(predictions, "predict"), len(self.lengths)
        if len(predicted) != n:
            message = (
                f"predict must give one prediction per item: {n}; got {len(predicted)}."
            )
            raise InputError(message)
        if self.data.score is not None:
            pairs = zip(self.gold, predicted, strict=True)
            scores = [self.data.score(*pair) for pair in pairs]
            values = score_columns([scores], names=["score"])[:, 0]
            return Record("scores", scores=values.astype("<f8"), groups=self.groups)
        if self.data.task == "labels":
            return self._label_record(self.gold, _label_texts(predicted, "predict"))
        _check_tags(predicted, self.lengths)
        return self._label_record(self.gold, _flat(predicted, "predict"))

    def _label_record(self, gold: Sequence[str], predicted: Sequence[str]) -> Record:
        names = Numbering()
        codes = [names.codes(column) for column in (gold, predicted)]
        kind = _smallest(len(names))
        longest = int(self.lengths.max(initial=0))
        return Record(
            self.data.task,
            tuple(names),
            self.lengths.astype(_smallest(longest + 1)),
            gold=codes[0].astype(kind),
            predicted=codes[1].astype(kind),
            unseen=self.unseen,
            groups=self.groups,
        )


def _group_numbers(groups: Any) -> NDArray[Any]:
    numbers = Numbering()
    codes = numbers.codes(map(str, as_list(groups, "groups")))
    return codes.astype(_smallest(len(numbers)))


def as_list(column: Any, name: str) -> list[Any]:
    """Return a list, a tuple, an array or a series as a list of its entries."""
    if getattr(column, "ndim", 1) == 1 and not hasattr(column, "columns"):
        for method in ("tolist", "to_list"):
            if hasattr(column, method):
                return list(getattr(column, method)())
        if isinstance(column, list | tuple):
            return list(column)
    message = f"{name} must be a list with one entry per item; got {type(column)}."
    raise InputError(message)


def _label_texts(labels: Iterable[Any], name: str) -> list[str]:
    return [label_text(label, name, index) for index, label in enumerate(labels)]


def _flat(column: Any, name: str) -> list[str]:
    return [label_text(tag, name, i) for i, tags in enumerate(column) for tag in tags]


def _check_tags(predicted: list[Any], lengths: NDArray[Any]) -> None:
    for index, (tags, length) in enumerate(zip(predicted, lengths, strict=True)):
        is_list = isinstance(tags, list | tuple | np.ndarray)
        if not is_list and not hasattr(tags, "to_numpy"):
            message = (
                f"predict must give a list of tags per item; item {index} of the test "
                f"items got {tags!r}."
            )
            raise InputError(message)
        if len(tags) != length:
            message = (
                f"predict must give one tag per token: item {index} of the test items "
                f"needs {length}; got {len(tags)}."
            )
            raise InputError(message)


def _unseen_tokens(
    inputs: Iterable[Sequence[Any]], training: Iterable[Sequence[Any]], count: int
) -> NDArray[np.uint8]:
    """Mark the tokens that the training items did not have."""
    try:
        seen = {token for tokens in training for token in tokens}
    except TypeError:
        # Tokens that are no texts, such as bags of features, are not looked up.
        return np.zeros(count, np.uint8)
    new = (token not in seen for tokens in inputs for token in tokens)
    return np.fromiter(new, np.uint8, count)


def _set_texts(gold: Any, predictions: Any) -> tuple[list[str], list[str]]:
    predicted = _dense(predictions)
    if not is_matrix(gold):
        entries = as_list(predicted, "predict")
        predicted = [
            frozenset(label_set(labels, "predict", index))
            for index, labels in enumerate(entries)
        ]
    names, sets, codes, _ = label_sets([gold, predicted], names=["gold", "predict"])
    texts = [json.dumps([names[position] for position in one]) for one in sets]
    first, second = ([texts[code] for code in column] for column in codes.T.tolist())
    return first, second


def _dense(column: Any) -> Any:
    """Return a matrix of any kind as an array; leave lists of labels as they are."""
    if hasattr(column, "toarray"):
        return column.toarray()
    if hasattr(column, "columns") and hasattr(column, "to_numpy"):
        return column.to_numpy()
    return column


def _smallest(count: int) -> str:
    """Choose the narrowest kind of whole numbers below a count, byte order fixed."""
    return next(kind for kind in ("|u1", "<u2", "<u4") if count <= 256 ** int(kind[-1]))
