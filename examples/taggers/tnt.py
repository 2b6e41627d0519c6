"""Trigrams'n'Tags: a hidden Markov model of second order, after Brants (2000).

Unlike the original, tags are not split by capital letters, the search is exact instead
of a beam, and the end of a sentence is a tag like any other.

References
----------
Brants (2000), doi:10.3115/974147.974178.
"""

from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from suffixes import Endings, Tags, Tokens, count_words

Floats = NDArray[np.float64]
# Tags are numbers; before a sentence and behind it stand two more.
BEFORE, AFTER = "<s>", "</s>"


class TnT:
    """Finds the most probable tags of a sentence under a trigram model of tags.

    Parameters
    ----------
    longest
        How many letters of a new word's end are looked at.
    rare
        Ends are learned from words seen at most that often.
    """

    def __init__(self, longest: int = 10, rare: int = 10) -> None:
        self.longest = longest
        self.rare = rare

    def fit(self, inputs: Sequence[Tokens], gold: Sequence[Tags]) -> "TnT":
        """Count words, endings and trigrams."""
        self.names_ = [*sorted({tag for tags in gold for tag in tags}), BEFORE, AFTER]
        number = {name: place for place, name in enumerate(self.names_)}
        counts = trigrams([[number[tag] for tag in tags] for tags in gold])
        self.weights_ = interpolation(counts)
        with np.errstate(divide="ignore"):
            self.transitions_ = np.log(mixed(counts, self.weights_))
        words = count_words(inputs, gold)
        self.emissions_ = _emissions(words, number)
        self.endings_ = Endings(words, longest=self.longest, rare=self.rare)
        frequency = np.array([sum(word.values()) for word in _by_tag(words, number)])
        self.shares_ = frequency / frequency.sum()
        # Brants smooths by the standard deviation of the tags' shares.
        self.theta_ = float(self.shares_.std(ddof=1)) if len(frequency) > 1 else 0.0
        self._number = number
        return self

    def predict(self, inputs: Sequence[Tokens]) -> list[list[str]]:
        """Find the most probable tags of each sentence."""
        return [
            [self.names_[tag] for tag in viterbi(self.said(tokens), self.transitions_)]
            for tokens in inputs
        ]

    def said(self, tokens: Tokens) -> list[tuple[NDArray[np.intp], Floats]]:
        """Give the tags that each token may have, and how they explain the token."""
        return [self.emissions_.get(token) or self._guessed(token) for token in tokens]

    def _guessed(self, word: str) -> tuple[NDArray[np.intp], Floats]:
        """Turn what endings say about the tag into how the tag explains the word."""
        probability = self.shares_
        for counts in self.endings_.seen(word):
            here = np.zeros(len(probability))
            for tag, count in counts.items():
                here[self._number[tag]] = count
            probability = (here / here.sum() + self.theta_ * probability) / (
                1 + self.theta_
            )
        tags = np.flatnonzero(probability)
        return tags, np.log(probability[tags] / self.shares_[tags])


def trigrams(sentences: Sequence[Sequence[int]]) -> Floats:
    """Count tags with the two before them; the last two numbers are the borders."""
    size = 2 + max((tag for tags in sentences for tag in tags), default=-1) + 1
    before, after = size - 2, size - 1
    counts = np.zeros((size, size, size))
    for tags in sentences:
        padded = [before, before, *tags, after]
        np.add.at(counts, (padded[:-2], padded[1:-1], padded[2:]), 1)
    return counts


def interpolation(counts: Floats) -> tuple[float, float, float]:
    """Give the weights of one, two and three tags by deleted interpolation.

    Each trigram votes, as often as it was seen, for the context that would predict it
    best if it had been seen once less.
    """
    pairs, ones = counts.sum(axis=0), counts.sum(axis=(0, 1))
    first, second, third = np.nonzero(counts)
    seen = counts[first, second, third]
    shares = np.array(
        [
            _without_one(ones[third], np.full_like(seen, ones.sum())),
            _without_one(pairs[second, third], pairs.sum(axis=1)[second]),
            _without_one(seen, counts.sum(axis=2)[first, second]),
        ]
    )
    # Of equal ones the longest context wins.
    best = 2 - shares[::-1].argmax(axis=0)
    votes = np.bincount(best, weights=seen, minlength=3) / seen.sum()
    return float(votes[0]), float(votes[1]), float(votes[2])


def _without_one(part: Floats, whole: Floats) -> Floats:
    return np.divide(part - 1, whole - 1, out=np.zeros_like(part), where=whole > 1)


def mixed(counts: Floats, weights: tuple[float, float, float]) -> Floats:
    """Give the probability of a tag after two others, mixed of all three contexts."""
    pairs, ones = counts.sum(axis=0), counts.sum(axis=(0, 1))
    return (
        weights[0] * _shares(ones)
        + weights[1] * _shares(pairs)
        + weights[2] * _shares(counts)
    )


def _shares(counts: Floats) -> Floats:
    whole = counts.sum(axis=-1, keepdims=True)
    return np.divide(counts, whole, out=np.zeros_like(counts), where=whole > 0)


def viterbi(
    said: Sequence[tuple[NDArray[np.intp], Floats]], transitions: Floats
) -> list[int]:
    """Find the most probable tags, exactly.

    Parameters
    ----------
    said
        For each token the tags that it may have, and the logarithms of the probability
        of the token under each.
    transitions
        Logarithms of the probability of a tag after two others.
    """
    before, after = len(transitions) - 2, len(transitions) - 1
    first = second = np.array([before])
    best = np.zeros((1, 1))
    back = []
    for tags, emitted in said:
        # One row per tag before the last, one column per last tag, then the new one.
        paths = best[:, :, None] + transitions[np.ix_(first, second, tags)]
        back.append((first, paths.argmax(axis=0)))
        best = paths.max(axis=0) + emitted
        first, second = second, tags
    best = best + transitions[first[:, None], second[None, :], after]
    row, column = np.unravel_index(best.argmax(), best.shape)
    found = []
    for place in range(len(said) - 1, -1, -1):
        found.append(int(said[place][0][column]))
        came = back[place][1][row, column]
        row, column = came, row
    return found[::-1]


def _by_tag(
    words: dict[str, Counter[str]], number: dict[str, int]
) -> list[dict[str, int]]:
    """Turn counts of tags by word into counts of words by tag."""
    counts: list[dict[str, int]] = [{} for _ in range(len(number) - 2)]
    for word, tags in words.items():
        for tag, count in tags.items():
            counts[number[tag]][word] = count
    return counts


def _emissions(
    words: dict[str, Counter[str]], number: dict[str, int]
) -> dict[str, tuple[NDArray[np.intp], Floats]]:
    """Give each word's tags, and the logarithm of its share in the words of each."""
    totals = [sum(counts.values()) for counts in _by_tag(words, number)]
    found = {}
    for word, counts in words.items():
        tags = sorted(number[tag] for tag in counts)
        by_number = {number[tag]: count for tag, count in counts.items()}
        shares = [by_number[tag] / totals[tag] for tag in tags]
        found[word] = np.array(tags, dtype=np.intp), np.log(shares)
    return found
