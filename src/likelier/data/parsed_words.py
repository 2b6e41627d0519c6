"""Words of parsed text, and which gold word each word of a system stands for."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from likelier._typing import BoolArray, IntArray

# Head of a word without one, and gold word of a word that stands for none.
ROOT, NO_WORD = -1, -2


@dataclass(frozen=True, eq=False)
class ParsedWords:
    """Words of a text in order, with their tags and trees.

    Attributes
    ----------
    start, end
        Span of each word's token: its first character, and the one after its last.
        Blanks are no characters.
    multiword
        Which words share their token with others.
    sentences
        Number of the first word of each sentence.
    columns
        Numbers of what stands beside the words: form in lower case, lemma, upos, xpos,
        feats, deprel. Equal texts have equal numbers.
    heads
        Returns the number of each word's head, `ROOT` without one, or refuses.
    """

    start: IntArray
    end: IntArray
    multiword: BoolArray
    sentences: IntArray
    columns: Mapping[str, IntArray]
    heads: Callable[[], IntArray]


@dataclass(frozen=True, eq=False)
class AlignedWords:
    """Words of a system beside those of gold.

    Attributes
    ----------
    gold, system
        The words, of the same characters.
    words
        Gold word that each word of the system stands for, else `NO_WORD`.
    """

    gold: ParsedWords
    system: ParsedWords
    words: IntArray

    def of_gold(self, values: IntArray) -> IntArray:
        """Return values of the gold words; anything for words that stand for none."""
        return values[np.maximum(self.words, 0)]


def align_words(gold: ParsedWords, system: ParsedWords) -> AlignedWords:
    """Find the gold word that each word of a system stands for.

    Words are the same where their tokens are. Where a token has several words, in
    gold or in the system, the words of all such tokens that overlap are aligned by
    their forms, as the longest common subsequence.

    Parameters
    ----------
    gold, system
        Words of the same characters.
    """
    aligned = np.full(len(system.start), NO_WORD)
    spans = _multiword_spans(gold, system)
    ours, theirs = _in_spans(gold, spans), _in_spans(system, spans)
    _align_tokens(aligned, gold, system, ours.outside, theirs.outside)
    forms = [words.columns["form"] for words in (gold, system)]
    for first, second in zip(ours.inside, theirs.inside, strict=True):
        left, right = forms[0][first].tolist(), forms[1][second].tolist()
        for i, j in common_subsequence(left, right):
            aligned[second[j]] = first[i]
    return AlignedWords(gold, system, aligned)


@dataclass(frozen=True)
class _Located:
    """Words that touch no span, and those that lie wholly within each."""

    outside: IntArray
    inside: list[IntArray]


def _multiword_spans(*texts: ParsedWords) -> tuple[IntArray, IntArray]:
    """Return starts and ends of tokens of several words, joined where they overlap."""
    start = np.concatenate([words.start[words.multiword] for words in texts])
    end = np.concatenate([words.end[words.multiword] for words in texts])
    order = np.argsort(start, kind="stable")
    start, reach = start[order], np.maximum.accumulate(end[order])
    new = np.ones(len(start), dtype=bool)
    new[1:] = start[1:] >= reach[:-1]
    last = np.append(np.flatnonzero(new)[1:], len(start))[: new.sum()] - 1
    return start[new], reach[last]


def _in_spans(words: ParsedWords, spans: tuple[IntArray, IntArray]) -> _Located:
    start, end = spans
    if not len(start):
        return _Located(np.arange(len(words.start)), [])
    # The only span that may hold the word, or the next one.
    index = np.searchsorted(end, words.start, side="right")
    near = np.minimum(index, len(start) - 1)
    touches = (index < len(start)) & (start[near] < words.end)
    within = touches & (start[near] <= words.start) & (words.end <= end[near])
    held = np.flatnonzero(within)
    cuts = np.searchsorted(near[held], np.arange(1, len(start)))
    return _Located(np.flatnonzero(~touches), np.split(held, cuts))


def _align_tokens(
    aligned: IntArray,
    gold: ParsedWords,
    system: ParsedWords,
    ours: IntArray,
    theirs: IntArray,
) -> None:
    """Align words that are tokens, by their spans."""
    if not len(ours):
        return
    index = np.searchsorted(gold.start[ours], system.start[theirs])
    near = ours[np.minimum(index, len(ours) - 1)]
    same = gold.start[near] == system.start[theirs]
    same &= gold.end[near] == system.end[theirs]
    aligned[theirs[same]] = near[same]


def common_subsequence(
    ours: Sequence[int], theirs: Sequence[int]
) -> list[tuple[int, int]]:
    """Return the positions of the longest common subsequence, the first one found.

    Where either of two words could be left out, ours is.

    Examples
    --------
    >>> common_subsequence([1, 2, 3], [2, 3, 1])
    [(1, 0), (2, 1)]
    """
    if ours == theirs:
        return [(i, i) for i in range(len(ours))]
    n, m = len(ours), len(theirs)
    longest = [[0] * (m + 1) for _ in range(n + 1)]
    for i in reversed(range(n)):
        for j in reversed(range(m)):
            longest[i][j] = (
                longest[i + 1][j + 1] + 1
                if ours[i] == theirs[j]
                else max(longest[i + 1][j], longest[i][j + 1])
            )
    pairs, i, j = [], 0, 0
    while i < n and j < m:
        if ours[i] == theirs[j]:
            pairs.append((i, j))
            i, j = i + 1, j + 1
        elif longest[i + 1][j] == longest[i][j]:
            i += 1
        else:
            j += 1
    return pairs
