"""Which predicted chunk stands for which gold chunk, and what it counts for.

The four ways to match are those of SemEval-2013 task 9.1, as in nervaluate.
"""

from collections.abc import Mapping
from typing import Literal, NamedTuple

import numpy as np

from likelier._typing import BoolArray, IntArray
from likelier.data.tag_corpus import Chunks, same_chunks

Match = Literal["strict", "exact", "partial", "type"]

# Chunks of matches that look for an overlap, beside what is right, wrong and missing.
PAIR_STATISTICS = ("incorrect", "partial", "missed", "spurious")

_RIGHT, _PARTIAL, _INCORRECT, _ALONE = range(4)
# What a predicted and a gold chunk add; a pair adds what it is once.
_OF_PREDICTED: Mapping[int, tuple[str, ...]] = {
    _RIGHT: ("tp",),
    _PARTIAL: ("partial",),
    _INCORRECT: ("fp",),
    _ALONE: ("fp", "spurious"),
}
_OF_GOLD: Mapping[int, tuple[str, ...]] = {
    _INCORRECT: ("fn", "incorrect"),
    _ALONE: ("fn", "missed"),
}


class CountedChunks(NamedTuple):
    """Chunks that add one to a statistic."""

    statistic: str
    chunks: Chunks


def counted_chunks(
    predicted: Chunks, gold: Chunks, match: Match
) -> list[CountedChunks]:
    """Return the chunks that count for each statistic.

    Parameters
    ----------
    predicted, gold
        The chunks; none of either overlap.
    match
        What must be the same: span and type (strict), the span (exact); or an overlap,
        of any type (partial) or of the same (type). The types of chunks whose types do
        not count are the same.
    """
    if match in ("strict", "exact"):
        right, found = same_chunks(predicted, gold)
        return [
            CountedChunks("tp", predicted.where(right)),
            CountedChunks("fp", predicted.where(~right)),
            CountedChunks("fn", gold.where(~found)),
        ]
    status = _of_pairs(predicted, gold, match)
    return [
        CountedChunks(statistic, chunks.where(of_chunks == one))
        for chunks, of_chunks, table in zip(
            (predicted, gold), status, (_OF_PREDICTED, _OF_GOLD), strict=True
        )
        for one, statistics in table.items()
        for statistic in statistics
    ]


def _of_pairs(
    predicted: Chunks, gold: Chunks, match: Match
) -> tuple[IntArray, IntArray]:
    """Return what each predicted and each gold chunk is."""
    first, second = _overlaps(predicted, gold)
    if match == "type":
        right = predicted.kind[first] == gold.kind[second]
        other = _INCORRECT
    else:
        right = predicted.start[first] == gold.start[second]
        right &= predicted.end[first] == gold.end[second]
        other = _PARTIAL
    pairs = _best_pairs(first, second, right)
    status = np.where(right[pairs], _RIGHT, other)
    ours, theirs = (np.full(len(part.start), _ALONE) for part in (predicted, gold))
    ours[first[pairs]], theirs[second[pairs]] = status, status
    return ours, theirs


def _overlaps(predicted: Chunks, gold: Chunks) -> tuple[IntArray, IntArray]:
    """Return the indices of all predicted and gold chunks that overlap, in order."""
    low = np.searchsorted(gold.end, predicted.start, side="right")
    high = np.searchsorted(gold.start, predicted.end, side="left")
    counts = np.maximum(high - low, 0)
    first = np.repeat(np.arange(len(counts)), counts)
    before = np.cumsum(counts) - counts
    return first, np.arange(len(first)) - before[first] + low[first]


def _best_pairs(first: IntArray, second: IntArray, right: BoolArray) -> IntArray:
    """Choose among overlaps, so that each chunk has one partner at most.

    As many pairs as possible are right, and then there are as many pairs as possible.
    Overlaps that share a chunk stand next to each other, since no chunks of one side
    overlap: so the best choice among the first k follows from shorter ones.
    """
    n = len(first)
    start = np.minimum(np.searchsorted(first, first), np.searchsorted(second, second))
    gains = np.where(right, n + 1, 1).tolist()
    # The best that can be gained of the first k overlaps.
    best, before = [0], start.tolist()
    for k in range(n):
        best.append(max(best[k], best[before[k]] + gains[k]))
    chosen, k = [], n
    while k:
        if best[k] == best[k - 1]:
            k -= 1
        else:
            chosen.append(k - 1)
            k = before[k - 1]
    return np.array(chosen, dtype=np.int64)
