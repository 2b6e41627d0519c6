"""What one system said of the test items of one fold, as bytes that can be checked."""

import json
import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likelier.data.chunks import CHUNK
from likelier.data.encoding import (
    is_matrix,
    label_set,
    label_text,
    score_columns,
    set_indicators,
)
from likelier.data.tag_schemes import split_tag
from likelier.errors import InputError
from likelier.study.data import SEQUENCES, StudyData

_COLUMNS = ("lengths", "gold", "said", "unseen", "scores", "groups")


@dataclass(frozen=True, eq=False)
class Record:
    """Gold and predicted labels of test items, or their scores.

    Attributes
    ----------
    task
        How they are counted.
    words
        The labels or tags, in order of appearance.
    lengths
        How many labels each item has: its tokens, or one.
    gold, said
        Numbers of the gold and of the predicted labels.
    unseen
        For tags: whether no training item had the token.
    scores
        For scores: the number of each item.
    groups
        The number of each item's group, where there are groups.
    """

    task: str
    words: tuple[str, ...] = ()
    lengths: NDArray[Any] = field(default_factory=lambda: np.zeros(0, np.uint8))
    gold: NDArray[Any] = field(default_factory=lambda: np.zeros(0, np.uint8))
    said: NDArray[Any] = field(default_factory=lambda: np.zeros(0, np.uint8))
    unseen: NDArray[Any] = field(default_factory=lambda: np.zeros(0, np.uint8))
    scores: NDArray[Any] = field(default_factory=lambda: np.zeros(0, np.float64))
    groups: NDArray[Any] = field(default_factory=lambda: np.zeros(0, np.uint8))

    @property
    def classes(self) -> set[str]:
        """The classes that metrics speak of: labels, or the types of chunks."""
        if self.task == "sets":
            return {label for word in self.words for label in json.loads(word)}
        if self.task == "chunks":
            return {split_tag(word)[1] or CHUNK for word in self.words} - {"O"}
        return set(self.words)

    def to_bytes(self) -> bytes:
        """Write the record; equal records give equal bytes."""
        columns = [(name, getattr(self, name)) for name in _COLUMNS]
        head = {
            "task": self.task,
            "words": self.words,
            "columns": [
                [name, column.dtype.str, len(column)] for name, column in columns
            ],
        }
        parts = [json.dumps(head).encode(), b"\n", *(c.tobytes() for _, c in columns)]
        return zlib.compress(b"".join(parts), 6)

    @classmethod
    def from_bytes(cls, content: bytes) -> "Record":
        """Read a record."""
        text = zlib.decompress(content)
        line, _, body = text.partition(b"\n")
        head = json.loads(line)
        columns, start = {}, 0
        for name, kind, length in head["columns"]:
            columns[name] = np.frombuffer(body, kind, length, offset=start)
            start += columns[name].nbytes
        return cls(head["task"], tuple(head["words"]), **columns)


@dataclass(frozen=True, eq=False)
class Expected:
    """What is right for test items, noted before a system can touch them.

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
    def of(cls, data: StudyData, seen: Iterable[Sequence[Any]]) -> "Expected":
        """Note what is right, and which tokens training did not have."""
        none: NDArray[Any] = np.zeros(0, np.uint8)
        groups = none if data.groups is None else _group_numbers(data.groups)
        ones = np.ones(len(data), np.uint8)
        if data.task in SEQUENCES:
            lengths = np.array([len(tags) for tags in data.gold])
            gold = _flat(data.gold, "gold")
            tags = data.task == "tags"
            unseen = _unseen(data, seen, len(gold)) if tags else none
            return cls(data, gold, lengths, unseen, groups)
        if data.task == "sets":
            return cls(data, _dense(data.gold), ones, none, groups)
        listed = listed_entries(data.gold, "gold")
        if data.task == "labels":
            listed = [label_text(label, "gold", i) for i, label in enumerate(listed)]
        return cls(data, listed, ones, none, groups)

    def record(self, predictions: Any) -> Record:
        """Write down what a system said."""
        task = self.data.task
        if task == "sets":
            return self._coded(*_set_texts(self.gold, predictions))
        said = listed_entries(predictions, "predict")
        if len(said) != len(self.lengths):
            message = (
                f"predict must give one prediction per item: {len(self.lengths)}; "
                f"got {len(said)}."
            )
            raise InputError(message)
        if task == "scores":
            return self._scored(said)
        if task == "labels":
            texts = [label_text(label, "predict", i) for i, label in enumerate(said)]
            return self._coded(self.gold, texts)
        _check_tags(said, self.lengths)
        return self._coded(self.gold, _flat(said, "predict"))

    def _scored(self, said: list[Any]) -> Record:
        score = self.data.score
        assert score is not None
        scores = [score(*pair) for pair in zip(self.gold, said, strict=True)]
        values = score_columns([scores], names=["score"])[:, 0]
        return Record("scores", scores=values.astype("<f8"), groups=self.groups)

    def _coded(self, gold: Sequence[str], said: Sequence[str]) -> Record:
        numbers: dict[str, int] = {}
        codes = [
            np.array([numbers.setdefault(word, len(numbers)) for word in column])
            for column in (gold, said)
        ]
        small = _smallest(len(numbers))
        return Record(
            self.data.task,
            tuple(numbers),
            self.lengths.astype(_smallest(int(self.lengths.max(initial=0)) + 1)),
            gold=codes[0].astype(small),
            said=codes[1].astype(small),
            unseen=self.unseen,
            groups=self.groups,
        )


def _group_numbers(groups: Any) -> NDArray[Any]:
    names = [str(group) for group in listed_entries(groups, "groups")]
    numbers: dict[str, int] = {}
    codes = np.array([numbers.setdefault(name, len(numbers)) for name in names])
    return codes.astype(_smallest(len(numbers)))


def listed_entries(column: Any, name: str) -> list[Any]:
    """Take a list, a tuple, an array or a series as a list of its entries."""
    if getattr(column, "ndim", 1) == 1 and not hasattr(column, "columns"):
        for method in ("tolist", "to_list"):
            if hasattr(column, method):
                return list(getattr(column, method)())
        if isinstance(column, list | tuple):
            return list(column)
    message = f"{name} must be a list with one entry per item; got {type(column)}."
    raise InputError(message)


def _flat(column: Any, name: str) -> list[str]:
    return [label_text(tag, name, i) for i, tags in enumerate(column) for tag in tags]


def _check_tags(said: list[Any], lengths: NDArray[Any]) -> None:
    for place, (tags, length) in enumerate(zip(said, lengths, strict=True)):
        listed = isinstance(tags, list | tuple | np.ndarray)
        if not listed and not hasattr(tags, "to_numpy"):
            message = (
                f"predict must give a list of tags per item; item {place} of the test "
                f"items got {tags!r}."
            )
            raise InputError(message)
        if len(tags) != length:
            message = (
                f"predict must give one tag per token: item {place} of the test items "
                f"needs {length}; got {len(tags)}."
            )
            raise InputError(message)


def _unseen(
    data: StudyData, seen: Iterable[Sequence[Any]], count: int
) -> NDArray[np.uint8]:
    """Mark the tokens that training did not have."""
    try:
        known = {token for tokens in seen for token in tokens}
    except TypeError:
        # Tokens that are no texts, such as bags of features, are not looked up.
        return np.zeros(count, np.uint8)
    new = (token not in known for tokens in data.inputs for token in tokens)
    return np.fromiter(new, np.uint8, count)


def _set_texts(gold: Any, predictions: Any) -> tuple[list[str], list[str]]:
    said = _dense(predictions)
    if not is_matrix(gold):
        entries = listed_entries(said, "predict")
        said = [frozenset(label_set(s, "predict", i)) for i, s in enumerate(entries)]
    names, cube, _ = set_indicators([gold, said], names=["gold", "predict"])
    right, told = (
        [json.dumps([names[i] for i in np.flatnonzero(row)]) for row in cube[:, place]]
        for place in range(2)
    )
    return right, told


def _dense(column: Any) -> Any:
    """Give a matrix of any kind as an array; leave lists of labels as they are."""
    if hasattr(column, "toarray"):
        return column.toarray()
    if hasattr(column, "columns") and hasattr(column, "to_numpy"):
        return column.to_numpy()
    return column


def _smallest(count: int) -> str:
    """Choose the narrowest kind of whole numbers below a count, byte order fixed."""
    return next(kind for kind in ("|u1", "<u2", "<u4") if count <= 256 ** int(kind[-1]))
