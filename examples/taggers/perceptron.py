"""An averaged perceptron that tags from left to right.

References
----------
Collins (2002), doi:10.3115/1118693.1118694, where the search is Viterbi's.
"""

import random
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from suffixes import Tags, Tokens
from token_features import sentence_features

Floats = NDArray[np.float64]


class Perceptron:
    """Tags each token by its features and the two tags that it gave before.

    Parameters
    ----------
    epochs
        How often it goes through the training sentences.
    random_state
        The seed of their order.
    """

    def __init__(self, epochs: int = 5, random_state: int | None = None) -> None:
        self.epochs = epochs
        self.random_state = random_state

    def fit(self, inputs: Sequence[Tokens], gold: Sequence[Tags]) -> "Perceptron":
        """Learn from its own errors, and keep the mean of all weights on the way."""
        self.names_ = sorted({tag for tags in gold for tag in tags})
        number = {name: place for place, name in enumerate(self.names_)}
        rows = _numbered(inputs)
        self.rows_ = rows
        sentences = [
            (self._looked_up(tokens), [number[tag] for tag in tags])
            for tokens, tags in zip(inputs, gold, strict=True)
        ]
        weights = _Weights(len(rows), len(self.names_))
        shuffled = random.Random(self.random_state)
        for _ in range(self.epochs):
            shuffled.shuffle(sentences)
            for features, tags in sentences:
                weights.learn(features, tags)
        self.weights_ = weights.averaged()
        return self

    def predict(self, inputs: Sequence[Tokens]) -> list[list[str]]:
        """Tag each sentence from left to right."""
        return [
            [self.names_[tag] for tag in self.weights_.tags(self._looked_up(tokens))]
            for tokens in inputs
        ]

    def _looked_up(self, tokens: Tokens) -> list[list[int]]:
        return [
            [self.rows_[name] for name in names if name in self.rows_]
            for names in sentence_features(tokens)
        ]


def _numbered(inputs: Sequence[Tokens]) -> dict[str, int]:
    """Give each feature a number, in the order in which they come."""
    rows: dict[str, int] = {}
    for tokens in inputs:
        for names in sentence_features(tokens):
            for name in names:
                rows.setdefault(name, len(rows))
    return rows


class _Weights:
    """Weights of tags by feature, and by the tags before; the last row is no tag."""

    def __init__(self, features: int, tags: int) -> None:
        self.none = tags
        self.by_feature = np.zeros((features, tags))
        self.by_last = np.zeros((tags + 1, tags))
        self.by_two = np.zeros((tags + 1, tags + 1, tags))
        # Each change, weighted by when it was made: the mean needs no more.
        self.changes = [np.zeros_like(table) for table in self._tables()]
        self.steps = 0

    def _tables(self) -> list[Floats]:
        return [self.by_feature, self.by_last, self.by_two]

    def best(self, features: list[int], last: int, older: int) -> int:
        """Give the tag with the highest score."""
        scores = self.by_feature[features].sum(axis=0)
        scores += self.by_last[last]
        scores += self.by_two[older, last]
        return int(scores.argmax())

    def tags(self, sentence: list[list[int]]) -> list[int]:
        """Tag a sentence from left to right."""
        last = older = self.none
        found = []
        for features in sentence:
            older, last = last, self.best(features, last, older)
            found.append(last)
        return found

    def learn(self, sentence: list[list[int]], gold: list[int]) -> None:
        """Tag a sentence, and move the weights wherever a tag is wrong."""
        last = older = self.none
        for features, right in zip(sentence, gold, strict=True):
            said = self.best(features, last, older)
            self.steps += 1
            if said != right:
                places = [features, last, (older, last)]
                self._move(places, right, 1.0)
                self._move(places, said, -1.0)
            older, last = last, said

    def _move(self, places: list, tag: int, by: float) -> None:
        features, last, two = places
        for tables, size in ((self._tables(), by), (self.changes, by * self.steps)):
            by_feature, by_last, by_two = tables
            by_feature[features, tag] += size
            by_last[last, tag] += size
            by_two[(*two, tag)] += size

    def averaged(self) -> "_Weights":
        """Give the mean of the weights over all steps."""
        mean = _Weights(0, self.none)
        mean.by_feature, mean.by_last, mean.by_two = (
            table - change / (self.steps + 1)
            for table, change in zip(self._tables(), self.changes, strict=True)
        )
        mean.changes = []
        return mean
