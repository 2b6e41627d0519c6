"""Which blocks make the training half of each repetition."""

from functools import lru_cache
from itertools import combinations
from math import comb

import numpy as np
from numpy.typing import NDArray

from likelier.designs.inputs import IntArray
from likelier.streams import FloatArray

BoolArray = NDArray[np.bool_]

_ALL_OF_THEM = 13_000
_NUMBERS, _MOST_BLOCKS = 2**20, 128


def count_blocks(m: int) -> int:
    """Give the next power of two above m.

    Examples
    --------
    >>> [count_blocks(m) for m in (1, 2, 3, 4, 7, 8)]
    [2, 4, 4, 8, 8, 16]
    """
    return 1 << m.bit_length()


def training_half(repetition: int, blocks: int) -> BoolArray:
    """Tell which blocks train in the first fold of a repetition, counted from 1.

    The halves are columns of the Sylvester-Hadamard matrix: of any two columns, each
    pair of signs stands in a quarter of the rows. Signs are chosen so that the last
    block is never in the first training half, which gives Table 1 of Wang & Li (2019).

    Examples
    --------
    >>> for repetition in (1, 2, 3):
    ...     print(np.flatnonzero(training_half(repetition, 4)) + 1)
    [1 2]
    [1 3]
    [2 3]
    """
    digits = blocks.bit_length() - 1
    column = int(f"{repetition:0{digits}b}"[::-1], 2)
    odd = np.bitwise_count(np.arange(blocks) & column) & 1
    return odd != odd[-1]


def larger_blocks(m: int, larger: int, rng: np.random.Generator) -> IntArray:
    """Choose the blocks that have one item more than the others.

    Of all choices, or of some hundreds where there are too many, one whose overlaps
    of training halves, and then whose halves, come closest to even.

    Parameters
    ----------
    m
        How many repetitions.
    larger
        How many blocks have one item more.
    rng
        Chooses among equals.
    """
    blocks = count_blocks(m)
    if comb(blocks, larger) <= _ALL_OF_THEM:
        best = _best_of_all(m, larger)
        return best[rng.integers(len(best))]
    tries = _NUMBERS // blocks**2 if blocks <= _MOST_BLOCKS else 1
    some = np.array([rng.permutation(blocks)[:larger] for _ in range(tries)])
    return some[0] if tries == 1 else _best(some, m)[0]


@lru_cache(maxsize=64)
def _best_of_all(m: int, larger: int) -> IntArray:
    subsets = list(combinations(range(count_blocks(m)), larger))
    return _best(np.array(subsets, dtype=np.int64).reshape(len(subsets), larger), m)


def _best(subsets: IntArray, m: int) -> IntArray:
    blocks, larger = count_blocks(m), subsets.shape[1]
    chosen = np.zeros((len(subsets), blocks))
    np.put_along_axis(chosen, subsets, 1, axis=1)
    halves = np.array([training_half(j, blocks) for j in range(1, m + 1)])
    overlap = np.abs(chosen @ _quarters(halves).T - larger / 4)
    half = np.abs(chosen @ halves.T - larger / 2).max(axis=1)
    widest, total = overlap.max(axis=1, initial=0), (overlap**2).sum(axis=1)
    costs = np.column_stack([widest, half, total])
    cheapest = costs[np.lexsort(costs.T[::-1])[0]]
    return subsets[(costs == cheapest).all(axis=1)]


def _quarters(halves: BoolArray) -> FloatArray:
    """Give what any two halves of different repetitions share, block by block."""
    first, second = np.triu_indices(len(halves), 1)
    one, other = halves[first], halves[second]
    cells = (one & other, one & ~other, ~one & other, ~one & ~other)
    return np.concatenate(cells).astype(np.float64)
