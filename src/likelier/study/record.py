"""What one system said of the test items of one fold, as bytes that can be checked."""

import json
import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likelier.errors import InputError
from likelier.outcomes.chunks import CHUNK
from likelier.outcomes.encode import label_text
from likelier.schemes.scheme import split_tag
from likelier.study.data import SEQUENCES, StudyData, size_of

IntArray = NDArray[np.int64]
_COLUMNS = ("lengths", "gold", "said", "unseen", "scores")


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
    """

    task: str
    words: tuple[str, ...] = ()
    lengths: NDArray[Any] = field(default_factory=lambda: np.zeros(0, np.uint8))
    gold: NDArray[Any] = field(default_factory=lambda: np.zeros(0, np.uint8))
    said: NDArray[Any] = field(default_factory=lambda: np.zeros(0, np.uint8))
    unseen: NDArray[Any] = field(default_factory=lambda: np.zeros(0, np.uint8))
    scores: NDArray[Any] = field(default_factory=lambda: np.zeros(0, np.float64))

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


def recorded(
    data: StudyData, *, seen: Iterable[Sequence[Any]], predictions: Any
) -> Record:
    """Write down what a system said of test items.

    Parameters
    ----------
    data
        The test items.
    seen
        The inputs of the training items: their tokens are known.
    predictions
        What the system said, one entry per item.
    """
    if size_of(predictions) != len(data):
        message = (
            f"predict must give one prediction per item: {len(data)}; "
            f"got {size_of(predictions)}."
        )
        raise InputError(message)
    if data.task == "scores":
        return _scored(data, predictions)
    if data.task in SEQUENCES:
        return _tagged(data, seen, predictions)
    gold, said = (_texts(c, data.task) for c in (data.gold, predictions))
    ones = np.ones(len(gold), np.uint8)
    return _coded(data.task, ones, gold, said)


def _scored(data: StudyData, predictions: Any) -> Record:
    assert data.score is not None
    pairs = zip(data.gold, predictions, strict=True)
    scores = np.array([data.score(right, said) for right, said in pairs], dtype="<f8")
    if scores.ndim != 1 or not np.isfinite(scores).all():
        message = "score must give one finite number per item."
        raise InputError(message)
    return Record(data.task, scores=scores)


def _tagged(data: StudyData, seen: Iterable[Sequence[Any]], predictions: Any) -> Record:
    lengths = np.array([len(tags) for tags in data.gold])
    for place, (tags, length) in enumerate(zip(predictions, lengths, strict=True)):
        if isinstance(tags, str) or len(tags) != length:
            message = (
                f"predict must give one tag per token: item {place} of the test items "
                f"has {length} tokens; got {len(tags)} tags."
            )
            raise InputError(message)
    gold = [label_text(t, "gold", i) for i, tags in enumerate(data.gold) for t in tags]
    said = [
        label_text(t, "predict", i) for i, tags in enumerate(predictions) for t in tags
    ]
    unseen = np.zeros(0, np.uint8)
    if data.task == "tags":
        known = {token for tokens in seen for token in tokens}
        new = (token not in known for tokens in data.inputs for token in tokens)
        unseen = np.fromiter(new, np.uint8, len(gold))
    return _coded(data.task, lengths, gold, said, unseen)


def _texts(column: Any, task: str) -> list[str]:
    if task == "labels":
        listed = column.tolist() if hasattr(column, "tolist") else list(column)
        return [label_text(label, "labels", i) for i, label in enumerate(listed)]
    if getattr(column, "ndim", 1) == 2:
        dense = column.toarray() if hasattr(column, "toarray") else np.asarray(column)
        column = [np.flatnonzero(row).tolist() for row in dense]
    return [json.dumps(sorted(str(label) for label in labels)) for labels in column]


def _coded(
    task: str,
    lengths: NDArray[Any],
    gold: Sequence[str],
    said: Sequence[str],
    unseen: NDArray[Any] | None = None,
) -> Record:
    numbers: dict[str, int] = {}
    codes = [
        np.array([numbers.setdefault(word, len(numbers)) for word in column])
        for column in (gold, said)
    ]
    small = _smallest(len(numbers))
    return Record(
        task,
        tuple(numbers),
        lengths.astype(_smallest(int(lengths.max(initial=0)) + 1)),
        gold=codes[0].astype(small),
        said=codes[1].astype(small),
        unseen=np.zeros(0, np.uint8) if unseen is None else unseen,
    )


def _smallest(count: int) -> str:
    """Choose the narrowest kind of whole numbers below a count, byte order fixed."""
    return next(kind for kind in ("|u1", "<u2", "<u4") if count <= 256 ** int(kind[-1]))
