"""Deal items out to blocks evenly, and choose the blocks that train."""

import heapq
from functools import lru_cache
from itertools import combinations
from math import comb

import numpy as np
from scipy import sparse

from likelier._typing import BoolArray, FloatArray, IntArray
from likelier.designs.split_items import Coded, SplitItems, Units, one_hot
from likelier.designs.swaps import Balance, refine

_ALL_OF_THEM = 13_000
_NUMBERS, _MOST_BLOCKS = 2**20, 128


def count_blocks(m: int) -> int:
    """Return the next power of two above m.

    Examples
    --------
    >>> [count_blocks(m) for m in (1, 2, 3, 4, 7, 8)]
    [2, 4, 4, 8, 8, 16]
    """
    return 1 << m.bit_length()


def training_half(repetition: int, blocks: int) -> BoolArray:
    """Return which blocks train in the first fold of a repetition, counted from 1.

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
        The number of repetitions.
    larger
        The number of blocks that have one item more.
    rng
        Generator that chooses among equals.
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
    """Return what any two halves of different repetitions share, block by block."""
    first, second = np.triu_indices(len(halves), 1)
    one, other = halves[first], halves[second]
    cells = (one & other, one & ~other, ~one & other, ~one & ~other)
    return np.concatenate(cells).astype(np.float64)


# Sizes of blocks matter more than any one class or unit in them.
_SIZE_WEIGHT = 4.0


def generator(seed: int) -> np.random.Generator:
    """Return the generator of a seed."""
    return np.random.Generator(np.random.PCG64DXSM(seed))


def deal(items: SplitItems, m: int, rng: np.random.Generator) -> IntArray:
    """Deal items out: return the block of each, counted from 0.

    Without groups, block sizes and each class's counts in the blocks differ by at most
    one; units are evened out by sorting, dealing and swapping within classes.

    Parameters
    ----------
    items
        The items, with what must come out even.
    m
        The number of repetitions that the blocks are for.
    rng
        Generator of the dealing.
    """
    blocks = count_blocks(m)
    if items.groups is not None:
        return deal_groups(items, np.full(blocks, 1 / blocks), rng)
    one_class = np.zeros(items.n, dtype=np.int64)
    classes = one_class if items.classes is None else items.classes.codes
    block = np.empty(items.n, dtype=np.int64)
    order = _order(classes, items.units, rng)
    block[order] = _dealt(classes[order], m, rng)
    if items.units is None:
        return block
    matrix = items.units.matrix
    balance = Balance(matrix, _even_weights(matrix), np.full(blocks, 1 / blocks))
    return refine(block, balance, strata=classes, moves=False, rng=rng)


def deal_groups(
    items: SplitItems, shares: FloatArray, rng: np.random.Generator
) -> IntArray:
    """Deal groups out, the largest first: return the block, or part, of each item.

    Parameters
    ----------
    items
        The items, with their groups.
    shares
        The share of the items that each block should have.
    rng
        Generator that breaks ties and proposes swaps.
    """
    assert items.groups is not None
    table = group_counts(items)
    block = _largest_first(table[:, [0]].todense().ravel(), shares, rng)
    weights = _even_weights(table)
    weights[0] *= _SIZE_WEIGHT
    balance = Balance(table, weights, shares)
    better = refine(block, balance, strata=None, moves=True, rng=rng)
    emptied = np.bincount(better, minlength=len(shares))[shares > 0].min() == 0
    return (block if emptied else better)[items.groups.codes]


def group_counts(items: SplitItems) -> sparse.csr_array:
    """Count items, classes and units per group, in this order of columns."""
    assert items.groups is not None
    ones = Coded(np.zeros(items.n, dtype=np.int64), ("items",))
    columns = [one_hot(ones), *unit_columns(items)]
    members = one_hot(items.groups).T
    return sparse.csr_array(members @ sparse.hstack(columns, format="csr"))


def unit_columns(items: SplitItems) -> list[sparse.csr_array]:
    """Return the matrices of what must come out even: classes, then units."""
    classes = [] if items.classes is None else [one_hot(items.classes)]
    return classes if items.units is None else [*classes, items.units.matrix]


def _even_weights(counts: sparse.csr_array) -> FloatArray:
    """Return the weights of units in chi-square: one over their total."""
    total = np.asarray(counts.sum(axis=0), dtype=np.float64).ravel()
    return 1 / np.maximum(total, np.finfo(float).tiny)


def _order(
    classes: IntArray, units: Units | None, rng: np.random.Generator
) -> IntArray:
    """Put items of one class, and then items with like bags, side by side."""
    shuffled = rng.permutation(len(classes))
    keys = [classes] if units is None else [*_bag_keys(units.matrix, rng), classes]
    return shuffled[np.lexsort([key[shuffled] for key in keys])]


def _bag_keys(
    matrix: sparse.csr_array, rng: np.random.Generator
) -> tuple[FloatArray, IntArray, IntArray]:
    """Return sort keys, the first one last: the two rarest units, and the whole bag."""
    total = np.asarray(matrix.sum(axis=0)).ravel()
    rank = np.empty(matrix.shape[1], dtype=np.int64)
    rank[np.argsort(total, kind="stable")] = np.arange(matrix.shape[1])
    ranked = matrix.copy()
    ranked.indices = rank[matrix.indices].astype(matrix.indices.dtype)
    ranked.has_sorted_indices = False
    ranked.sort_indices()
    whole = np.asarray(ranked @ rng.random(matrix.shape[1]))
    return whole, _nth_unit(ranked, 1), _nth_unit(ranked, 0)


def _nth_unit(ranked: sparse.csr_array, n: int) -> IntArray:
    """Return each row's n-th rarest unit, from 0; rows without come last."""
    start, size = ranked.indptr[:-1], np.diff(ranked.indptr)
    unit = np.full(len(size), ranked.shape[1], dtype=np.int64)
    has = size > n
    unit[has] = ranked.indices[start[has] + n]
    return unit


def _dealt(classes: IntArray, m: int, rng: np.random.Generator) -> IntArray:
    """Deal items that stand class by class, each round of blocks in random order.

    What is left of a class after its last full round goes on around the blocks where
    the class before left off, so sizes stay within one, too.
    """
    blocks, n = count_blocks(m), len(classes)
    size = np.bincount(classes)
    start, left = np.cumsum(size) - size, size % blocks
    within = np.arange(n) - start[classes]
    rest = within >= (size - left)[classes]
    rounds = (n - int(left.sum())) // blocks
    dealt = np.empty(n, dtype=np.int64)
    in_turn = np.tile(np.arange(blocks), (rounds, 1))
    dealt[~rest] = rng.permuted(in_turn, axis=1).ravel()
    turn = _turn(m, n % blocks, rng)
    dealt[rest] = turn[np.arange(int(left.sum())) % blocks]
    return dealt


def _turn(m: int, larger: int, rng: np.random.Generator) -> IntArray:
    first = larger_blocks(m, larger, rng)
    others = np.setdiff1d(np.arange(count_blocks(m)), first)
    return np.concatenate([rng.permutation(first), rng.permutation(others)])


def _largest_first(
    sizes: FloatArray, shares: FloatArray, rng: np.random.Generator
) -> IntArray:
    """Deal out groups, the largest first, each to the block that lacks most."""
    order = np.lexsort([rng.random(len(sizes)), -sizes])
    surplus = -shares * sizes.sum()
    ties = rng.permutation(len(shares))
    open_blocks = np.flatnonzero(shares > 0).tolist()
    heap = [(float(surplus[b]), int(ties[b]), b) for b in open_blocks]
    heapq.heapify(heap)
    block = np.empty(len(sizes), dtype=np.int64)
    for group, size in zip(order.tolist(), sizes[order].tolist(), strict=True):
        lack, tie, chosen = heap[0]
        block[group] = chosen
        heapq.heapreplace(heap, (lack + size, tie, chosen))
    return block
