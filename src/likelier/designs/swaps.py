"""Swap items between blocks until the blocks' counts are even."""

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from likelier._typing import FloatArray, IntArray

_LEAST_BATCH, _MOST_BATCH = 4096, 16_384
_IDLE = 6
_ROUNDS = 500
_NUMBERS = 8e8
_LEAST_GAIN = 1e-9


class Balance(NamedTuple):
    """Counts of rows, and the share of them that each block should have.

    Attributes
    ----------
    counts
        What the rows, items or groups of them, add: (row, unit).
    weights
        How much a unit matters.
    shares
        The share of everything that each block should have.
    """

    counts: sparse.csr_array
    weights: FloatArray
    shares: FloatArray


def refine(
    block: IntArray,
    balance: Balance,
    *,
    strata: IntArray | None,
    moves: bool,
    rng: np.random.Generator,
) -> IntArray:
    """Swap rows of different blocks as long as that makes the blocks more even.

    Each round proposes some thousand random swaps, and makes those best ones that
    lower the chi-square of the blocks' counts together.

    Parameters
    ----------
    block
        The block of each row.
    balance
        The counts to even out.
    strata
        Only rows of one stratum may be swapped; None: any.
    moves
        Whether a row may also change its block alone.
    rng
        Generator that proposes the swaps.
    """
    partners = _Partners.within(np.zeros_like(block) if strata is None else strata)
    search = _Search(block.copy(), _useful(balance), partners, moves)
    idle, deviation = 0, search.deviation()
    for _ in range(search.rounds()):
        change = search.improve(deviation, rng)
        if change is not None:
            idle = 0
            deviation += change
            continue
        idle += 1
        if idle == _IDLE:
            break
    return search.block


def _useful(balance: Balance) -> Balance:
    """Leave out units that one row alone has: no swap makes them more even."""
    counts = balance.counts
    rows = np.bincount(counts.indices, minlength=counts.shape[1])
    kept = np.flatnonzero(rows > 1)
    counts = counts if len(kept) == len(rows) else counts[:, kept]
    # One more row, of nothing: to swap with it is to move.
    ends = np.append(counts.indptr, counts.indptr[-1])
    parts, shape = (counts.data, counts.indices, ends), (len(ends) - 1, len(kept))
    longer = sparse.csr_array(parts, shape=shape)
    return Balance(longer, balance.weights[kept], balance.shares)


class _Swaps(NamedTuple):
    """Proposals: rows, their blocks, and what the first rows' blocks gain."""

    first: IntArray
    second: IntArray
    first_block: IntArray
    second_block: IntArray
    change: sparse.csr_array

    def select(self, index: IntArray) -> "_Swaps":
        return _Swaps(
            self.first[index],
            self.second[index],
            self.first_block[index],
            self.second_block[index],
            self.change[index],
        )


@dataclass(frozen=True)
class _Partners:
    """Rows by stratum, to draw random partners from."""

    order: IntArray
    start: IntArray
    size: IntArray
    strata: IntArray

    @classmethod
    def within(cls, strata: IntArray) -> "_Partners":
        size = np.bincount(strata)
        start = np.cumsum(size) - size
        return cls(np.argsort(strata, kind="stable"), start, size, strata)

    def draw(self, pairs: int, rng: np.random.Generator) -> tuple[IntArray, IntArray]:
        first = rng.integers(len(self.order), size=pairs)
        stratum = self.strata[first]
        within = (rng.random(pairs) * self.size[stratum]).astype(np.int64)
        return first, self.order[self.start[stratum] + within]


@dataclass(frozen=True)
class _Search:
    """Search for swaps; it changes the blocks of the rows as it goes."""

    block: IntArray
    balance: Balance
    partners: _Partners
    moves: bool

    @property
    def nobody(self) -> int:
        """The row of nothing."""
        return len(self.block)

    @property
    def batch(self) -> int:
        """The number of swaps that a round proposes."""
        return int(np.clip(len(self.block) // 32, _LEAST_BATCH, _MOST_BATCH))

    def rounds(self) -> int:
        """Return the number of rounds that a bounded amount of work allows."""
        counts, _, shares = self.balance
        per_row = counts.nnz / counts.shape[0]
        cells = len(shares) * counts.shape[1]
        work = self.batch * (20 * per_row + 20) + 12 * cells
        return int(np.clip(_NUMBERS / work, 20, _ROUNDS))

    def deviation(self) -> FloatArray:
        """Return the differences of each block's counts from its share."""
        counts, _, shares = self.balance
        totals = block_counts(np.append(self.block, 0), counts, len(shares))
        return totals - np.outer(shares, totals.sum(axis=0))

    def improve(
        self, deviation: FloatArray, rng: np.random.Generator
    ) -> FloatArray | None:
        """Make the best swaps of a batch; return the change, or None without any."""
        swaps = self.propose(rng)
        gain = self.gains(swaps, deviation)
        best = np.flatnonzero(gain < -_LEAST_GAIN)
        best = best[np.argsort(gain[best], kind="stable")]
        swaps = self.one_per_row(swaps.select(best))
        size, change = self.best_together(swaps, deviation)
        if change is None:
            return None
        self.block[swaps.first[:size]] = swaps.second_block[:size]
        partners = swaps.second[:size]
        real = partners != self.nobody
        self.block[partners[real]] = swaps.first_block[:size][real]
        return change

    def propose(self, rng: np.random.Generator) -> _Swaps:
        """Draw swaps, and moves where they are allowed, between different blocks."""
        counts, _, shares = self.balance
        first, second = self.partners.draw(self.batch, rng)
        target = self.block[second]
        if self.moves:
            alone = rng.random(self.batch) < 0.5
            second = np.where(alone, self.nobody, second)
            anywhere = rng.integers(len(shares), size=self.batch)
            target = np.where(alone, anywhere, target)
        source = self.block[first]
        useful = (source != target) & (shares[target] > 0)
        first, second = first[useful], second[useful]
        change = counts[second] - counts[first]
        return _Swaps(first, second, source[useful], target[useful], change)

    def gains(self, swaps: _Swaps, deviation: FloatArray) -> FloatArray:
        """Return the change in chi-square that each swap alone would make."""
        _, weights, shares = self.balance
        x, unit = swaps.change.data, swaps.change.indices.astype(np.int64)
        row = _rows(swaps.change.indptr)
        one, other = swaps.first_block[row], swaps.second_block[row]
        parts = (2 * deviation[one, unit] + x) / shares[one] - (
            2 * deviation[other, unit] - x
        ) / shares[other]
        parts *= weights[unit] * x
        gains = np.bincount(row, parts, minlength=len(swaps.first))
        return gains.astype(np.float64, copy=False)

    def one_per_row(self, swaps: _Swaps) -> _Swaps:
        """Keep the first swap of every row."""
        pairs = np.column_stack([swaps.first, swaps.second])
        _, first = np.unique(pairs, return_index=True)
        fresh = np.zeros(pairs.size, dtype=bool)
        fresh[first] = True
        fresh |= pairs.ravel() == self.nobody
        return swaps.select(np.flatnonzero(fresh.reshape(-1, 2).all(axis=1)))

    def best_together(
        self, swaps: _Swaps, deviation: FloatArray
    ) -> tuple[int, FloatArray | None]:
        """Find how many of the best swaps help most when made together."""
        _, weights, shares = self.balance
        scale = weights / np.maximum(shares, 1e-300)[:, None]
        most, least, change = 0, -_LEAST_GAIN, None
        size = len(swaps.first)
        while size:
            trial = _change(swaps, size, deviation.shape)
            gain = float((scale * trial * (2 * deviation + trial)).sum())
            if gain < least:
                most, least, change = size, gain, trial
            elif change is not None:
                break
            size //= 2
        return most, change


def block_counts(block: IntArray, counts: sparse.csr_array, blocks: int) -> FloatArray:
    """Add up the rows' counts block by block."""
    rows = np.arange(len(block))
    shape = blocks, len(block)
    members = sparse.csr_array((np.ones(len(block)), (block, rows)), shape=shape)
    return np.asarray((members @ counts).todense(), dtype=np.float64)


def _change(swaps: _Swaps, size: int, shape: tuple[int, ...]) -> FloatArray:
    """Return what the first swaps do to the blocks' counts."""
    blocks, units = shape
    ends = swaps.change.indptr[: size + 1]
    x, unit = swaps.change.data[: ends[-1]], swaps.change.indices[: ends[-1]]
    row = _rows(ends)
    cells = np.concatenate(
        [swaps.first_block[row] * units + unit, swaps.second_block[row] * units + unit]
    )
    flat = np.bincount(cells, np.concatenate([x, -x]), minlength=blocks * units)
    return flat.astype(np.float64, copy=False).reshape(shape)


def _rows(ends: NDArray[Any]) -> IntArray:
    """Return the row of each entry of a sparse matrix from the ends of its rows."""
    return np.repeat(np.arange(len(ends) - 1), np.diff(ends))
