"""Outcomes of ranked items: where items stand in the order of each system's scores.

A ranked metric depends on scores through their order alone. So an item adds a positive
or a negative at its position in that order, for every class; sums over items are the
numbers of positives and negatives at every position, whatever the weights, and a
ranked metric is a function of these sums.

Ranks are those among all items, means over ties, so that systems share one scale
whatever their scores are. Negatives between the same two positives stand at one
position: no ranked metric tells them apart, so they make one pattern.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse

from likelier._typing import BoolArray, FloatArray, IntArray
from likelier.data.outcomes import Outcomes
from likelier.data.pattern_rows import distinct, tally
from likelier.errors import unknown_name

RANK_STATISTICS = ("positives", "negatives")


@dataclass(frozen=True, eq=False, repr=False)
class RankedOutcomes(Outcomes):
    """Distinct patterns of positions in the order of scores, with their counts.

    Made by `Outcomes.from_ranked`. A row holds the positives and the negatives of a
    pattern by system and position, from the lowest score to the highest. The first
    position of a class and its last are empty: below and above all items.

    Attributes
    ----------
    position_class
        Class of each position, as an index; the positions of a class follow each
        other.
    one_score
        Whether items have one score, that of the positive class, whichever it is.
    """

    position_class: IntArray = field(default_factory=lambda: np.zeros(0, np.int64))
    one_score: bool = False

    @property
    def shape(self) -> tuple[int, int, int]:
        """Systems, positions, statistics: how a row is laid out."""
        return len(self.systems), len(self.position_class), len(RANK_STATISTICS)

    def at_positions(
        self, weights: ArrayLike | None = None, *, beside: Any = None
    ) -> Iterator[tuple[int, int, FloatArray, FloatArray]]:
        """Add up positives and negatives at the positions of each class and system.

        Parameters
        ----------
        weights
            Weights (pattern,) or (draw, pattern); the counts by default.
        beside
            What other units add (draw, column), with one more column; may be sparse.

        Yields
        ------
        tuple
            Class, system, positives and negatives (draw, position).
        """
        w = np.atleast_2d(np.asarray(self.counts if weights is None else weights))
        tables = self._single_tables if w.dtype == np.float32 else self._tables
        added = None if beside is None else sparse.coo_array(beside[:, :-1])
        for (kind, system), parts in tables.items():
            sums = [np.ascontiguousarray((table @ w.T).T) for table in parts]
            if added is not None:
                sums = self._with(added, sums, kind, system, draws=len(w))
            yield kind, system, sums[0], sums[1]

    def _with(
        self, added: Any, sums: list[NDArray[Any]], kind: int, system: int, draws: int
    ) -> list[NDArray[Any]]:
        """Add what other units have at the positions of one class and system."""
        place, statistic = np.divmod(added.col, len(RANK_STATISTICS))
        here = np.flatnonzero(self.position_class == kind)
        position = place - system * len(self.position_class) - here[0]
        more = max(draws, added.shape[0])
        result = []
        for code, table in enumerate(sums):
            out = np.repeat(table, more, axis=0) if len(table) < more else table
            own = (statistic == code) & (position >= 0) & (position < len(here))
            np.add.at(out, (added.row[own], position[own]), added.data[own])
            result.append(out)
        return result

    @cached_property
    def _tables(self) -> dict[tuple[int, int], list[Any]]:
        """Tables of positives and negatives (position, pattern) by class and system."""
        systems, positions, _ = self.shape
        columns = self.rows.T.tocsr()
        index = np.arange(columns.shape[0]).reshape(systems, positions, -1)
        return {
            (kind, system): [
                columns[index[system, self.position_class == kind, code]]
                for code in range(len(RANK_STATISTICS))
            ]
            for kind in range(len(self.classes))
            for system in range(systems)
        }

    @cached_property
    def _single_tables(self) -> dict[tuple[int, int], list[Any]]:
        """The same in single precision, for very many weights."""
        return {
            key: [table.astype(np.float32) for table in tables]
            for key, tables in self._tables.items()
        }

    @cached_property
    def sides(self) -> BoolArray:
        """Whether patterns have positives of each class (pattern, side).

        Of one class the last side are patterns that have negatives alone.
        """
        positive = np.asarray(self.has_gold().toarray() > 0)
        if len(self.classes) > 1:
            return positive
        return np.column_stack([positive, ~positive])

    def has_gold(self) -> Any:
        """Return which patterns have positives of which class (pattern, class)."""
        return self._own(0)

    def has_negatives(self) -> Any:
        """Return which patterns have negatives of which class (pattern, class)."""
        return self._own(1)

    def values_of_scores(self) -> IntArray:
        """Return at how many positions each system has items (system,).

        Where positives are several, one or two mean as many distinct scores.
        """
        held = np.zeros(self.rows.shape[1])
        seen = self.rows[self.counts > 0]
        held[seen.indices] = 1.0
        return np.asarray(held.reshape(self.shape).any(axis=2).sum(axis=1))

    def _own(self, statistic: int) -> Any:
        """Return which patterns have a statistic of which class; systems are alike."""
        first = self.rows[:, : self.rows.shape[1] // len(self.systems)]
        rows = first[:, statistic :: len(RANK_STATISTICS)]
        shape = len(self.position_class), len(self.classes)
        where = np.arange(shape[0]), self.position_class
        member = sparse.csr_array((np.ones(shape[0]), where), shape=shape)
        return sparse.csr_array((rows @ member) > 0, dtype=np.float64)

    def right_and_wrong(self) -> Any:
        """Return rows in which the first system ranks all items right, others wrong.

        Right is a positive above all items, and a negative below all.
        """
        systems, positions, codes = self.shape
        ends = np.searchsorted(self.position_class, np.arange(len(self.classes)))
        low = ends[self.position_class]
        high = np.append(ends[1:], positions)[self.position_class] - 1
        right = np.stack([high, low], axis=1)
        target = np.stack([right] + [right[:, ::-1]] * (systems - 1))
        shift = np.arange(systems)[:, np.newaxis, np.newaxis] * positions
        column = ((target + shift) * codes + np.arange(codes)).ravel()
        return self._moved(column, self.rows.shape[1])

    @property
    def supported(self) -> BoolArray:
        """The classes that the gold labels hold (system, class)."""
        held = np.asarray(self.counts @ self.has_gold()) > 0
        return np.tile(held, (len(self.systems), 1))

    @property
    def occurring(self) -> BoolArray:
        """The classes that the gold labels hold (class,)."""
        return np.asarray(self.supported[0])

    @property
    def present(self) -> BoolArray:
        """The classes that averages run over (system, class)."""
        return self.supported

    def keep(self, *positions: int) -> "RankedOutcomes":
        """Keep some of the systems, by their indexes."""
        kept: RankedOutcomes = self.only(*positions)  # type: ignore[assignment]
        return kept._narrowed().merged()  # type: ignore[return-value]

    def binary(self, positive: str) -> "RankedOutcomes":
        """Set one class against all others together."""
        if positive not in self.classes:
            raise unknown_name(positive, self.classes, kind="positive")
        code = self.classes.index(positive)
        systems, positions, _ = self.shape
        index = np.arange(self.rows.shape[1]).reshape(systems, positions, -1)
        here = self.position_class == code
        one = replace(
            self,
            classes=(positive,),
            rows=self.rows[:, index[:, here].ravel()],
            position_class=np.zeros(int(here.sum()), dtype=np.int64),
            one_vs_rest=True,
        )
        strata = np.zeros_like(one.strata)
        if not one.clustered:
            strata = one.has_gold().toarray()[:, 0].astype(np.int64)
        return replace(one, strata=strata).merged()  # type: ignore[return-value]

    def _narrowed(self) -> "RankedOutcomes":
        """Put positions together between which no remaining system has a positive."""
        systems, positions, _ = self.shape
        held = np.bincount(self.rows.indices, minlength=self.rows.shape[1]) > 0
        positive = held.reshape(systems, positions, -1)[..., 0].any(axis=0)
        first = np.diff(self.position_class, prepend=-1) > 0
        last = np.diff(self.position_class, append=len(self.classes)) > 0
        ends = first | last
        # A new position starts at a positive, after one, and at the ends.
        apart = positive | ends
        start = apart | np.append(True, apart[:-1])
        target = np.cumsum(start) - 1
        width = int(target[-1]) + 1
        system, place, code = np.unravel_index(np.arange(len(held)), self.shape)
        column = np.ravel_multi_index(
            (system, target[place], code), (systems, width, len(RANK_STATISTICS))
        )
        rows = self._moved(column, systems * width * len(RANK_STATISTICS))
        return replace(self, rows=rows, position_class=self.position_class[start])

    def _moved(self, target: IntArray, width: int) -> Any:
        """Move what stands in each column to another; several may share one."""
        parts = self.rows.data, target[self.rows.indices], self.rows.indptr
        shape = self.rows.shape[0], width
        rows = sparse.csr_array(parts, shape=shape, copy=True)
        rows.sum_duplicates()
        return rows

    def grouped(self) -> tuple["RankedOutcomes", IntArray]:
        """Put equal patterns together; return where each went, too."""
        keys = np.column_stack([self.strata, self.sizes, _row_keys(self.rows)])
        table, first, group = distinct(keys)
        merged = replace(
            self,
            rows=self.rows[first],
            counts=tally(group, self.counts, len(table)),
            sizes=self.sizes[first],
            strata=self.strata[first],
        )
        return merged, group

    def sort_key(self) -> FloatArray:
        """Return numbers that tell tables of the same patterns apart."""
        rows = self.rows
        parts = (self.strata, self.sizes, self.counts, rows.indptr, rows.indices)
        return np.concatenate([*parts, rows.data]).astype(np.float64)


def _row_keys(rows: Any) -> NDArray[Any]:
    """Return numbers (row, number) that are equal where rows are."""
    rows = rows if rows.has_sorted_indices else rows.sorted_indices()
    lengths = np.diff(rows.indptr)
    if len(lengths) and (lengths == lengths[0]).all() and (rows.data == 1).all():
        return np.asarray(rows.indices.reshape(len(lengths), -1))
    ends = zip(rows.indptr[:-1].tolist(), rows.indptr[1:].tolist(), strict=True)
    numbers: dict[bytes, int] = {}
    keys = [
        rows.indices[a:b].astype("<i8").tobytes() + rows.data[a:b].tobytes()
        for a, b in ends
    ]
    # Numbers follow the order of the keys, so that the order of rows does not matter.
    for key in sorted(set(keys)):
        numbers[key] = len(numbers)
    return np.array([[numbers[key]] for key in keys], dtype=np.int64)
