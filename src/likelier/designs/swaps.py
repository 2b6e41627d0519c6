"""Swap items between blocks until the blocks' counts are even."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy import sparse

from likelier._typing import FloatArray, IntArray

_LEAST_BATCH, _MOST_BATCH = 4096, 16_384
_IDLE = 6
_ROUNDS = 500
_NUMBERS = 8e8
_LEAST_GAIN = 1e-9


class Table(NamedTuple):
    """Counts per row, and how much each block should have of them.

    Attributes
    ----------
    counts
        What the rows, items or groups of them, add: (row, unit).
    weights
        How much a unit matters.
    shares
        Which share of everything each block should have.
    """

    counts: sparse.csr_array
    weights: FloatArray
    shares: FloatArray


class _Swaps(NamedTuple):
    """Proposals: rows, their blocks, and what the first rows' blocks gain."""

    first: IntArray
    second: IntArray
    first_block: IntArray
    second_block: IntArray
    change: sparse.csr_array

    def taken(self, index: IntArray) -> "_Swaps":
        return _Swaps(
            self.first[index],
            self.second[index],
            self.first_block[index],
            self.second_block[index],
            self.change[index],
        )


def refine(
    block: IntArray,
    table: Table,
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
    table
        The counts to even out.
    strata
        Only rows of one stratum may be swapped; None: any.
    moves
        Whether a row may also change its block alone.
    rng
        Proposes the swaps.
    """
    state = _State(block.copy(), _useful(table), _Partners.of(block, strata), moves)
    idle, rounds = 0, state.affordable()
    deviation = state.deviation()
    for _ in range(rounds):
        change = state.improve(deviation, rng)
        idle = idle + 1 if change is None else 0
        if idle == _IDLE:
            break
        if change is not None:
            deviation += change
    return state.block


def _useful(table: Table) -> Table:
    """Leave out units that one row alone has: no swap makes them more even."""
    rows = np.bincount(table.counts.indices, minlength=table.counts.shape[1])
    keep = np.flatnonzero(rows > 1)
    counts = table.counts if len(keep) == len(rows) else table.counts[:, keep]
    # One more row, of nothing: to swap with it is to move.
    ends = np.append(counts.indptr, counts.indptr[-1])
    parts, shape = (counts.data, counts.indices, ends), (len(ends) - 1, len(keep))
    longer = sparse.csr_array(parts, shape=shape)
    return Table(longer, table.weights[keep], table.shares)


@dataclass(frozen=True)
class _Partners:
    """Rows by stratum, to find random partners in."""

    order: IntArray
    start: IntArray
    size: IntArray
    strata: IntArray

    @classmethod
    def of(cls, block: IntArray, strata: IntArray | None) -> "_Partners":
        if strata is None:
            strata = np.zeros(len(block), dtype=np.int64)
        size = np.bincount(strata)
        start = np.cumsum(size) - size
        return cls(np.argsort(strata, kind="stable"), start, size, strata)

    def draw(self, pairs: int, rng: np.random.Generator) -> tuple[IntArray, IntArray]:
        first = rng.integers(len(self.order), size=pairs)
        stratum = self.strata[first]
        within = (rng.random(pairs) * self.size[stratum]).astype(np.int64)
        return first, self.order[self.start[stratum] + within]


@dataclass(frozen=True)
class _State:
    block: IntArray
    table: Table
    partners: _Partners
    moves: bool

    @property
    def nobody(self) -> int:
        return len(self.block)

    @property
    def batch(self) -> int:
        return int(np.clip(len(self.block) // 32, _LEAST_BATCH, _MOST_BATCH))

    def affordable(self) -> int:
        """Give the number of rounds that a bounded amount of work allows."""
        counts, shares = self.table.counts, self.table.shares
        per_row = counts.nnz / counts.shape[0]
        cells = len(shares) * counts.shape[1]
        work = self.batch * (20 * per_row + 20) + 12 * cells
        return int(np.clip(_NUMBERS / work, 20, _ROUNDS))

    def deviation(self) -> FloatArray:
        """Give how far each block's counts are from its share."""
        counts, shares = self.table.counts, self.table.shares
        held = block_counts(np.append(self.block, 0), counts, len(shares))
        return held - np.outer(shares, held.sum(axis=0))

    def improve(
        self, deviation: FloatArray, rng: np.random.Generator
    ) -> FloatArray | None:
        """Make the best swaps of a batch; give the change, or None without any."""
        swaps = self.propose(rng)
        gain = self.gains(swaps, deviation)
        best = np.flatnonzero(gain < -_LEAST_GAIN)
        best = best[np.argsort(gain[best], kind="stable")]
        swaps = self.apart(swaps.taken(best))
        most, change = self.together(swaps, deviation)
        if change is None:
            return None
        self.block[swaps.first[:most]] = swaps.second_block[:most]
        partners = swaps.second[:most]
        real = partners != self.nobody
        self.block[partners[real]] = swaps.first_block[:most][real]
        return change

    def propose(self, rng: np.random.Generator) -> _Swaps:
        first, second = self.partners.draw(self.batch, rng)
        target = self.block[second]
        if self.moves:
            alone = rng.random(self.batch) < 0.5
            second = np.where(alone, self.nobody, second)
            anywhere = rng.integers(len(self.table.shares), size=self.batch)
            target = np.where(alone, anywhere, target)
        source = self.block[first]
        apart = (source != target) & (self.table.shares[target] > 0)
        first, second = first[apart], second[apart]
        change = self.table.counts[second] - self.table.counts[first]
        return _Swaps(first, second, source[apart], target[apart], change)

    def gains(self, swaps: _Swaps, deviation: FloatArray) -> FloatArray:
        """Give the change in chi-square that each swap alone would make."""
        x, unit, row = _entries(swaps.change)
        one, other = swaps.first_block[row], swaps.second_block[row]
        shares = self.table.shares
        parts = (2 * deviation[one, unit] + x) / shares[one] - (
            2 * deviation[other, unit] - x
        ) / shares[other]
        parts *= self.table.weights[unit] * x
        gains = np.bincount(row, parts, minlength=len(swaps.first))
        return gains.astype(np.float64, copy=False)

    def apart(self, swaps: _Swaps) -> _Swaps:
        """Keep the first swap of every row."""
        pairs = np.column_stack([swaps.first, swaps.second])
        _, seen = np.unique(pairs, return_index=True)
        fresh = np.zeros(pairs.size, dtype=bool)
        fresh[seen] = True
        fresh |= pairs.ravel() == self.nobody
        return swaps.taken(np.flatnonzero(fresh.reshape(-1, 2).all(axis=1)))

    def together(
        self, swaps: _Swaps, deviation: FloatArray
    ) -> tuple[int, FloatArray | None]:
        """Find how many of the best swaps help most when made together."""
        scale = self.table.weights / np.maximum(self.table.shares, 1e-300)[:, None]
        most, least, change = 0, -_LEAST_GAIN, None
        size = len(swaps.first)
        while size:
            tried = _change(swaps, size, deviation.shape)
            gain = float((scale * tried * (2 * deviation + tried)).sum())
            if gain < least:
                most, least, change = size, gain, tried
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
    """Give what the first swaps do to the blocks' counts."""
    blocks, units = shape
    end = swaps.change.indptr[size]
    x, unit = swaps.change.data[:end], swaps.change.indices[:end]
    row = np.repeat(np.arange(size), np.diff(swaps.change.indptr[: size + 1]))
    cells = np.concatenate(
        [swaps.first_block[row] * units + unit, swaps.second_block[row] * units + unit]
    )
    flat = np.bincount(cells, np.concatenate([x, -x]), minlength=blocks * units)
    return flat.astype(np.float64, copy=False).reshape(shape)


def _entries(matrix: sparse.csr_array) -> tuple[FloatArray, IntArray, IntArray]:
    rows = np.repeat(np.arange(matrix.shape[0]), np.diff(matrix.indptr))
    return matrix.data, matrix.indices.astype(np.int64), rows
