"""Outcomes: the table of patterns with counts, and its sums."""

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse

from likelier._constructor import Constructor
from likelier._typing import FloatArray, IntArray
from likelier.data.differing_items import DifferingItems
from likelier.data.encoding import distinct, label_rows, tally
from likelier.errors import NotDefinedError, SettingError, unknown_name
from likelier.findings import Finding

if TYPE_CHECKING:
    from likelier.data import chunks, constructors


Sums = Mapping[str, FloatArray]

# Sums of Dirichlet weights carry rounding noise; a smaller share of negatives is 0.
_NOISE = 1e-12
# OpenBLAS starts threads above so many steps; on narrow tables they cost far more
# than they save. So small tables are multiplied in strips, and others stay sparse.
_STEPS = 2**18
_DENSE_CELLS = 4096
# Merging saves draws but costs memory: not beyond this many numbers.
_MERGED = 50_000_000


@dataclass(frozen=True, eq=False)
class Outcomes:
    """Distinct patterns of statistics over all systems, with their counts.

    Made by `from_labels`, `from_sets`, `from_scores` or `from_counts`, or by a reader.

    Attributes
    ----------
    systems
        Names of the systems, the baseline first.
    classes
        Names along the class axis; one where there is nothing to average over.
    statistics
        What is stored per system and class: tp, fp, fn and correct; or score.
    rows
        Sparse table (pattern, system x class x statistic).
    counts
        How often each pattern occurred.
    sizes
        DifferingItems in one pattern: 1, or the size of the cluster.
    strata
        The gold class of each pattern; 0 throughout where there is none.
    labels
        Codes (pattern, gold and systems) where every item has exactly one label.
    all_classes
        Whether averages run over all classes, also those that never occur.
    negatives
        Whether true negatives exist: items less tp, fp and fn.
    one_vs_rest
        Whether the one class stands against all others put together.
    one_label
        Whether every item has exactly one label, also where labels are forgotten.
    unit
        What an item is called: items, sentences, folds.
    source
        How the items were read, where the recipe must tell.
    items
        How the items look on which systems differ, for people to look at; nothing
        is computed from it, and it has names of systems of its own.
    findings
        Remarks of the reader on the data.
    """

    systems: tuple[str, ...]
    classes: tuple[str, ...]
    statistics: tuple[str, ...]
    rows: Any
    counts: FloatArray
    sizes: FloatArray
    strata: IntArray
    labels: IntArray | None = None
    all_classes: bool = False
    negatives: bool = False
    one_vs_rest: bool = False
    one_label: bool = False
    unit: str = "items"
    source: str = ""
    items: DifferingItems | None = None
    findings: tuple[Finding, ...] = ()

    if TYPE_CHECKING:
        from_labels = staticmethod(constructors.from_labels)
        from_sets = staticmethod(constructors.from_sets)
        from_scores = staticmethod(constructors.from_scores)
        from_counts = staticmethod(constructors.from_counts)
        from_patterns = staticmethod(constructors.from_patterns)
        from_chunks = staticmethod(chunks.from_chunks)
    else:
        from_labels = Constructor("likelier.data.constructors")
        from_sets = Constructor("likelier.data.constructors")
        from_scores = Constructor("likelier.data.constructors")
        from_counts = Constructor("likelier.data.constructors")
        from_patterns = Constructor("likelier.data.constructors")
        from_chunks = Constructor("likelier.data.chunks")

    def __repr__(self) -> str:
        return (
            f"<Outcomes of {', '.join(self.systems)}: {self.n_items:,} items, "
            f"{self.n_patterns:,} patterns, {len(self.classes)} classes>"
        )

    @property
    def n_items(self) -> float:
        """The number of items; not whole where counts are fractions."""
        return _whole(float(self.counts @ self.sizes))

    @property
    def n_units(self) -> float:
        """The number of independent units: items, or clusters of items."""
        return _whole(float(self.counts.sum()))

    @property
    def n_patterns(self) -> int:
        """The number of distinct patterns that occurred."""
        return int((self.counts > 0).sum())

    @property
    def clustered(self) -> bool:
        """Whether a pattern is a cluster of items."""
        return bool((self.sizes != 1).any())

    @property
    def shape(self) -> tuple[int, int, int]:
        """Systems, classes, statistics: how a row is laid out."""
        return len(self.systems), len(self.classes), len(self.statistics)

    @cached_property
    def digest(self) -> str:
        """A hash of everything that is counted, the same whatever the row order."""
        seen = self.counts > 0
        parts = hashlib.sha256()
        flags = str((self.all_classes, self.negatives, self.one_vs_rest))
        for text in (*self.systems, *self.classes, *self.statistics, flags):
            parts.update(text.encode("utf-8", "surrogatepass") + b"\0")
        rows = self.rows[seen]
        for array in (rows.indptr, rows.indices, rows.data):
            parts.update(np.ascontiguousarray(array, dtype="<f8").tobytes())
        for array in (self.counts[seen], self.sizes[seen], self.strata[seen]):
            parts.update(np.ascontiguousarray(array, dtype="<f8").tobytes())
        return parts.hexdigest()

    def sums(self, weights: ArrayLike | None = None) -> Sums:
        """Add the statistics up, each pattern as often as its weight says.

        Parameters
        ----------
        weights
            Weights (pattern,) or (draw, pattern); the counts by default.

        Returns
        -------
        dict
            Each statistic as an array (..., system, class), and the items.
        """
        w = np.asarray(self.counts if weights is None else weights, dtype=np.float64)
        flat = _product(w, self._transposed)
        table = flat.reshape(*w.shape[:-1], *self.shape)
        sums = {name: table[..., i] for i, name in enumerate(self.statistics)}
        items = (w @ self.sizes)[..., np.newaxis, np.newaxis]
        if self.negatives:
            rest = items - sums["tp"] - sums["fp"] - sums["fn"]
            floor = 0.0 if weights is None else _NOISE * items
            sums["tn"] = np.where(rest > floor, rest, 0.0)
        return sums | {"items": items}

    @cached_property
    def _transposed(self) -> Any:
        if self.rows.shape[0] * self.rows.shape[1] <= _DENSE_CELLS:
            return np.ascontiguousarray(self.rows.toarray().T)
        return self.rows.T.tocsr()

    @cached_property
    def present(self) -> NDArray[np.bool_]:
        """Which classes each system's averages run over (system, class).

        A class counts where the gold labels or the system's own predictions hold it,
        as in scikit-learn.
        """
        if self.all_classes or "tp" not in self.statistics:
            return np.ones(self.shape[:2], dtype=bool)
        observed = self.sums()
        seen = observed["tp"] + observed["fp"] + observed["fn"] > 0
        return np.asarray(seen)

    @cached_property
    def supported(self) -> NDArray[np.bool_]:
        """Which classes the gold labels hold (system, class)."""
        observed = self.sums()
        return np.asarray(observed["tp"] + observed["fn"] > 0)

    def cube(self) -> FloatArray:
        """Give the statistics as a dense array (pattern, system, class, statistic)."""
        return np.asarray(self.rows.toarray()).reshape(-1, *self.shape)

    def _over_classes(self) -> FloatArray:
        """Add the statistics up over the classes (pattern, system, statistic)."""
        systems, classes, statistics = self.shape
        system, _, statistic = np.unravel_index(
            np.arange(self.rows.shape[1]), (systems, classes, statistics)
        )
        column = np.arange(self.rows.shape[1])
        place = (column, system * statistics + statistic)
        shape = (len(column), systems * statistics)
        together = sparse.csr_array((np.ones(len(column)), place), shape=shape)
        summed = (self.rows @ together).toarray()
        return np.asarray(summed).reshape(-1, systems, statistics)

    def per_pattern(self, statistic: str) -> FloatArray:
        """Give one statistic of each pattern (pattern, system), over all classes."""
        sums = self._over_classes()
        if statistic == "tn" and self.negatives:
            counted = [self.statistics.index(name) for name in ("tp", "fp", "fn")]
            return self.sizes[:, np.newaxis] - sums[..., counted].sum(axis=-1)
        return np.asarray(sums[..., self.statistics.index(statistic)])

    def pair(self, first: int, second: int) -> "Outcomes":
        """Keep two systems, by their positions."""
        if (first, second) == (0, 1) and len(self.systems) == 2:
            return self
        return self.keep(first, second)

    def named(self, *systems: str) -> "Outcomes":
        """Keep some of the systems, by their names."""
        if systems == self.systems:
            return self
        for name in systems:
            if name not in self.systems:
                raise unknown_name(name, self.systems, kind="system")
        return self.keep(*(self.systems.index(name) for name in systems))

    def keep(self, *positions: int) -> "Outcomes":
        """Keep some of the systems, by their positions."""
        return self.only(*positions).merged()

    def only(self, *positions: int) -> "Outcomes":
        """Keep some of the systems, and every pattern as it is."""
        columns = np.arange(self.rows.shape[1]).reshape(self.shape)
        labels = self.labels
        if labels is not None:
            labels = labels[:, [0, *(1 + p for p in positions)]]
        return replace(
            self,
            systems=tuple(self.systems[p] for p in positions),
            rows=self.rows[:, columns[list(positions)].ravel()],
            labels=labels,
        )

    def binary(self, positive: str) -> "Outcomes":
        """Take one class as positive and all others together as negative.

        Examples
        --------
        >>> from likelier.data.constructors import from_labels
        >>> from_labels("abc", "abb").binary("b").n_patterns
        3
        """
        if positive not in self.classes:
            raise unknown_name(positive, self.classes, kind="positive")
        code = self.classes.index(positive)
        if self.labels is not None:
            labels = (self.labels == code).astype(np.int64)
            rows = label_rows(labels, kept=[1])
            strata: IntArray = labels[:, 0]
        else:
            rows, strata, labels = self._class_rows(code)
        sliced = replace(
            self,
            classes=(positive,),
            rows=rows,
            strata=strata,
            labels=labels,
            all_classes=True,
            one_vs_rest=True,
            one_label=True,
        )
        return sliced.merged()

    def _class_rows(self, code: int) -> tuple[Any, IntArray, IntArray | None]:
        cube = self.cube()[:, :, code].copy()
        tp, fp, fn = (self.statistics.index(name) for name in ("tp", "fp", "fn"))
        if "correct" in self.statistics:
            right = self._class_right(cube[..., fp] + cube[..., fn])
            cube[..., self.statistics.index("correct")] = right
        rows = sparse.csr_array(cube.reshape(len(cube), -1))
        if self.clustered or not self.negatives:
            return rows, np.zeros(len(cube), dtype=np.int64), None
        gold = cube[:, :1, tp] + cube[:, :1, fn]
        labels = np.hstack([gold, cube[..., tp] + cube[..., fp]]).astype(np.int64)
        return rows, labels[:, 0], labels

    def _class_right(self, wrong: FloatArray) -> FloatArray:
        """Count the items of each pattern that are right as to one class."""
        if self.negatives:
            return self.sizes[:, np.newaxis] - wrong
        if self.clustered:
            message = "Which items of a cluster are right in one class is not known."
            raise NotDefinedError(message, hint="Keep one class when reading.")
        return (wrong == 0).astype(np.float64)

    def pooled(self) -> "Outcomes":
        """Add the statistics of all classes together (micro-averaging)."""
        if len(self.classes) == 1:
            return self
        pooled = self._over_classes()
        statistics = self.statistics
        if self.negatives:
            counted = [statistics.index(name) for name in ("tp", "fp", "fn")]
            rest = self.sizes[:, np.newaxis] * len(self.classes)
            rest = rest - pooled[..., counted].sum(axis=-1)
            pooled = np.concatenate([pooled, rest[..., np.newaxis]], axis=-1)
            statistics = (*statistics, "tn")
        return self._one_class(pooled, statistics)

    def per_item(self, value: Callable[[Sums], FloatArray]) -> "Outcomes":
        """Give each item a score of its own, to be averaged over items."""
        if self.clustered:
            message = "Averages over samples need the items, not sums over clusters."
            raise NotDefinedError(message)
        pooled = self.pooled()
        names = (*pooled.statistics, "tn") if pooled.negatives else pooled.statistics
        sums = {name: pooled.per_pattern(name) for name in names}
        return self._one_class(value(sums)[..., np.newaxis], ("score",))

    def _one_class(self, values: FloatArray, statistics: tuple[str, ...]) -> "Outcomes":
        return replace(
            self,
            classes=("all",),
            statistics=statistics,
            rows=sparse.csr_array(values.reshape(len(values), -1)),
            all_classes=True,
            negatives=False,
        )

    def merged(self) -> "Outcomes":
        """Put equal patterns together."""
        return self.grouped()[0]

    def grouped(self) -> tuple["Outcomes", IntArray]:
        """Put equal patterns of a stratum together, and tell where each one went."""
        # Labels fix the statistics, and make the smaller key.
        if self.labels is None and self.rows.shape[0] * self.rows.shape[1] > _MERGED:
            return self, np.arange(len(self.counts))
        told = self.rows.toarray() if self.labels is None else self.labels
        key = np.column_stack([self.strata, self.sizes, told])
        table, first, group = distinct(key)
        merged = replace(
            self,
            rows=self.rows[first],
            counts=tally(group, self.counts, len(table)),
            sizes=self.sizes[first],
            strata=self.strata[first],
            labels=None if self.labels is None else self.labels[first],
        )
        return merged, group

    def without_labels(self) -> "Outcomes":
        """Forget the labels, so that only the statistics tell items apart."""
        return replace(self, labels=None)

    def by(self, cluster: ArrayLike) -> "Outcomes":
        """Sum the patterns within clusters; a cluster is then one coarser item.

        Parameters
        ----------
        cluster
            The cluster of each pattern (pattern,), as numbers or codes.
        """
        codes = np.asarray(cluster)
        if codes.shape != self.counts.shape:
            message = (
                f"cluster must have one entry for each of {len(self.counts)} patterns;"
                f" got shape {codes.shape}."
            )
            raise SettingError(message)
        groups, index = np.unique(codes, return_inverse=True)
        pick = sparse.csr_array(
            (self.counts, (index, np.arange(len(index)))),
            shape=(len(groups), len(index)),
        )
        summed = replace(
            self,
            rows=sparse.csr_array(pick @ self.rows),
            counts=np.ones(len(groups)),
            sizes=np.asarray(pick @ self.sizes),
            strata=np.zeros(len(groups), dtype=np.int64),
            labels=None,
        )
        return summed.merged()

    @property
    def n_labels(self) -> int:
        """How many labels an item can have; besides a lone label there is another."""
        return max(2, len(self.classes))

    @property
    def n_cells(self) -> int | None:
        """How many patterns are possible, where that is known."""
        if self.labels is None:
            return None
        return int(self.n_labels ** (1 + len(self.systems)))

    def completed(self) -> "Outcomes":
        """List the possible patterns that did not occur too, with count 0."""
        if self.labels is None:
            message = "Only labels tell which patterns are possible."
            raise NotDefinedError(message)
        width = 1 + len(self.systems)
        cells = np.array(list(product(range(self.n_labels), repeat=width)))
        counts = tally(self.cell_of_patterns(), self.counts, len(cells))
        kept = [1] if self.one_vs_rest else list(range(len(self.classes)))
        return replace(
            self,
            rows=label_rows(cells, kept=kept),
            counts=counts,
            sizes=np.ones(len(cells)),
            strata=cells[:, 0],
            labels=cells,
        )

    def cell_of_patterns(self) -> IntArray:
        """Tell which of the possible patterns each pattern is, as `completed` does."""
        if self.labels is None:
            message = "Only labels tell which patterns are possible."
            raise NotDefinedError(message)
        places = np.arange(len(self.systems), -1, -1)
        return np.asarray(self.labels @ self.n_labels**places)

    def scaled(self, share: float) -> "Outcomes":
        """Count every pattern as so many times as often; counts become fractions."""
        if not 0 <= share < np.inf:
            message = f"share must be a finite number of at least 0; got {share!r}."
            raise SettingError(message)
        return replace(self, counts=self.counts * share)

    def swapped(self) -> "Outcomes":
        """Exchange the two systems in every pattern."""
        columns = np.arange(self.rows.shape[1]).reshape(self.shape)
        labels = self.labels
        return replace(
            self,
            rows=self.rows[:, columns[::-1].ravel()],
            labels=None if labels is None else labels[:, [0, 2, 1]],
        )

    @cached_property
    def symmetric(self) -> bool:
        """Whether exchanging the two systems changes no count."""
        if len(self.systems) != 2:
            return False
        return self.without_labels().same_counts(self.swapped().without_labels())

    def same_counts(self, other: "Outcomes") -> bool:
        """Tell whether another table has the same patterns as often."""
        mine, others = self.merged(), other.merged()
        return (
            mine.rows.shape == others.rows.shape
            and np.array_equal(mine.counts, others.counts)
            and np.array_equal(mine.strata, others.strata)
            and (mine.rows != others.rows).nnz == 0
        )


def _product(weights: FloatArray, transposed: Any) -> FloatArray:
    strip = _STEPS // max(transposed.shape[0] * transposed.shape[1], 1)
    if not isinstance(transposed, np.ndarray) or weights.ndim == 1:
        return np.asarray((transposed @ weights.T).T)
    flat = np.empty((*weights.shape[:-1], len(transposed)))
    for start in range(0, len(weights), strip):
        part = slice(start, start + strip)
        np.matmul(weights[part], transposed.T, out=flat[part])
    return flat


def _whole(number: float) -> float:
    return int(number) if number.is_integer() else number
