"""Outcomes: the table of patterns with counts, and its sums."""

import hashlib
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse

from likelier._constructor import Constructor
from likelier._typing import BoolArray, FloatArray, IntArray
from likelier.data.differing_items import DifferingItems
from likelier.data.pattern_rows import (
    distinct,
    distinct_sparse,
    first_of_each,
    label_rows,
    tally,
    weigh,
)
from likelier.errors import NotDefinedError, SettingError, unknown_name
from likelier.findings import Finding

if TYPE_CHECKING:
    from likelier.data import (
        chunks,
        constructors,
        named_statistics,
        number_constructors,
        rank_positions,
        text_constructor,
    )


Sums = Mapping[str, FloatArray]

_NO_LABELS = "Which patterns are possible is known only where items have labels."
# Sums of Dirichlet weights carry rounding noise; a smaller share of negatives is 0,
# but never a whole one.
_NOISE, _LEAST_COUNT = 1e-12, 0.5
# Smaller tables are multiplied faster as dense ones.
_DENSE_CELLS = 4096
# Columns of so few are sorted to tell systems apart.
_FEW_COLUMNS = 24
# Wider tables of counts are compared without making them dense.
_MOST_DENSE = 200_000
# Merging saves draws but costs memory: not beyond this many numbers.
_MOST_MERGED = 50_000_000


@dataclass(frozen=True, eq=False)
class Outcomes:
    """Distinct patterns of statistics over all systems, with their counts.

    Made by the constructors `from_labels`, `from_sets`, `from_scores`,
    `from_numbers`, `from_probabilities`, `from_texts`, `from_statistics`,
    `from_patterns`, `from_chunks` and `from_ranked`, or by a reader.

    Attributes
    ----------
    systems
        Names of the systems, the baseline first.
    classes
        Names along the class axis; one where there is nothing to average over.
    statistics
        Names of what is stored per system and class: tp, fp, fn, correct; score; or
        any others.
    rows
        Sparse table (pattern, system x class x statistic).
    counts
        How often each pattern occurred.
    sizes
        Items in one pattern: 1, or the size of the cluster.
    strata
        The gold class of each pattern; 0 throughout where there is none.
    labels
        Codes (pattern, gold and systems) where every item has exactly one label.
    all_classes
        Whether averages run over all classes, also those that never occur.
    same_classes
        Whether averages of all systems run over the same classes, those of the gold
        labels; else each also over those that it predicts, as in scikit-learn.
    negatives
        Whether true negatives exist: items less tp, fp and fn.
    one_vs_rest
        Whether the one class stands against all others put together.
    one_label
        Whether every item has exactly one label, also where labels are forgotten.
    unit
        What an item is called: items, sentences, folds.
    source
        How the items were read, for the recipe.
    items
        The items on which systems differ, for people to look at; nothing is computed
        from it, and it has names of systems of its own.
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
    same_classes: bool = False
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
        from_statistics = staticmethod(named_statistics.from_statistics)
        from_numbers = staticmethod(number_constructors.from_numbers)
        from_probabilities = staticmethod(number_constructors.from_probabilities)
        from_texts = staticmethod(text_constructor.from_texts)
        from_patterns = staticmethod(constructors.from_patterns)
        from_chunks = staticmethod(chunks.from_chunks)
        from_ranked = staticmethod(rank_positions.from_ranked)
    else:
        from_labels = Constructor("likelier.data.constructors")
        from_sets = Constructor("likelier.data.constructors")
        from_scores = Constructor("likelier.data.constructors")
        from_statistics = Constructor("likelier.data.named_statistics")
        from_numbers = Constructor("likelier.data.number_constructors")
        from_probabilities = Constructor("likelier.data.number_constructors")
        from_texts = Constructor("likelier.data.text_constructor")
        from_patterns = Constructor("likelier.data.constructors")
        from_chunks = Constructor("likelier.data.chunks")
        from_ranked = Constructor("likelier.data.rank_positions")

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
        """True where patterns are clusters of items."""
        return bool((self.sizes != 1).any())

    @cached_property
    def composite(self) -> bool:
        """True where patterns sum labels up: of clusters, or of answers to an item."""
        return self.clustered or bool(self.one_label and (self.rows.data % 1).any())

    @property
    def shape(self) -> tuple[int, int, int]:
        """Systems, classes, statistics: how a row is laid out."""
        return len(self.systems), len(self.classes), len(self.statistics)

    @cached_property
    def digest(self) -> str:
        """A hash of everything that is counted, the same whatever the row order."""
        occurs = self.counts > 0
        digest = hashlib.sha256()
        flags = str((self.all_classes, self.negatives, self.one_vs_rest))
        for text in (*self.systems, *self.classes, *self.statistics, flags):
            digest.update(text.encode("utf-8", "surrogatepass") + b"\0")
        rows = self.rows[occurs]
        columns = (self.counts[occurs], self.sizes[occurs], self.strata[occurs])
        for array in (rows.indptr, rows.indices, rows.data, *columns):
            digest.update(np.ascontiguousarray(array, dtype="<f8").tobytes())
        return digest.hexdigest()

    def sums(
        self,
        weights: ArrayLike | None = None,
        *,
        beside: FloatArray | None = None,
        negatives: bool = True,
    ) -> Sums:
        """Add the statistics up, each pattern as often as its weight says.

        Parameters
        ----------
        weights
            Weights (pattern,) or (draw, pattern); the counts by default.
        beside
            What other units add (draw, column), with their items in one more column;
            to one row of weights (1, pattern) or to as many as there are draws.
        negatives
            Whether to count true negatives, too, where there are any.

        Returns
        -------
        dict
            Each statistic as an array (..., system, class), and the items.
        """
        w = np.asarray(self.counts if weights is None else weights, dtype=np.float64)
        flat = weigh(w, self._transposed)
        size = w @ self.sizes
        if beside is not None:
            flat, size = flat + beside[:, :-1], size + beside[:, -1]
        table = flat.reshape(*flat.shape[:-1], *self.shape)
        sums = {name: table[..., i] for i, name in enumerate(self.statistics)}
        items = size[..., np.newaxis, np.newaxis]
        return self.with_items(sums, items, negatives=negatives)

    def with_items(self, sums: Sums, items: FloatArray, *, negatives: bool) -> Sums:
        """Add the items to sums, and true negatives where asked for and there are."""
        sums = {**sums, "items": items}
        if negatives and self.negatives:
            rest = items - sums["tp"] - sums["fp"] - sums["fn"]
            floor = np.minimum(_NOISE * items, _LEAST_COUNT)
            sums["tn"] = np.where(rest > floor, rest, 0.0)
        return sums

    @property
    def is_small(self) -> bool:
        """True where the rows are best used as a dense table."""
        return bool(self.rows.shape[0] * self.rows.shape[1] <= _DENSE_CELLS)

    @cached_property
    def _transposed(self) -> Any:
        if self.is_small:
            return np.ascontiguousarray(self.rows.toarray().T)
        return self.rows.T.tocsr()

    @cached_property
    def present(self) -> BoolArray:
        """The classes that each system's averages run over (system, class).

        A class counts where the gold labels or the system's own predictions hold it,
        as in scikit-learn.
        """
        if self.all_classes or "tp" not in self.statistics:
            return np.ones(self.shape[:2], dtype=bool)
        gold = self.supported
        return gold if self.same_classes and gold.any() else self._seen

    @property
    def occurring(self) -> BoolArray:
        """The classes that the gold labels or any system's predictions hold (class,).

        All of them, where averages run over all.
        """
        every = np.ones(len(self.classes), dtype=bool)
        return every if self.all_classes else np.asarray(self._seen.any(axis=0))

    @cached_property
    def label_occurs(self) -> BoolArray | None:
        """Whether a label occurs (gold and systems, class); None if labels are gone."""
        if self.labels is None:
            return None
        labels = self.labels[self.counts > 0]
        n_classes = 2 if self.one_vs_rest else len(self.classes)
        occurs = np.zeros((labels.shape[1], n_classes), dtype=bool)
        occurs[np.arange(labels.shape[1]), labels] = True
        return occurs

    @property
    def _seen(self) -> BoolArray:
        sums = self.sums()
        return np.asarray(sums["tp"] + sums["fp"] + sums["fn"] > 0)

    @cached_property
    def supported(self) -> BoolArray:
        """The classes that the gold labels hold (system, class)."""
        sums = self.sums()
        return np.asarray(sums["tp"] + sums["fn"] > 0)

    def has_gold(self) -> Any:
        """Return which patterns have gold items of which class (pattern, class).

        Returns
        -------
        sparse array
            1 where they have, since a unit counts once for each class that it has.
        """
        tp, fn = (self.statistics.index(name) for name in ("tp", "fn"))
        start = np.arange(len(self.classes)) * len(self.statistics)
        items = self.rows[:, start + tp] + self.rows[:, start + fn]
        return sparse.csr_array(items > 0, dtype=np.float64)

    def cube(self) -> FloatArray:
        """Return a dense array (pattern, system, class, statistic)."""
        return np.asarray(self.rows.toarray()).reshape(-1, *self.shape)

    def _over_classes(self) -> dict[str, FloatArray]:
        """Add the statistics up over the classes, each as (pattern, system)."""
        systems, classes, statistics = self.shape
        if self.rows.shape[0] * self.rows.shape[1] <= _DENSE_CELLS:
            table = self.cube().sum(axis=2)
        else:
            column = np.arange(self.rows.shape[1])
            system = column // (classes * statistics)
            target = system * statistics + column % statistics
            together = sparse.csr_array(
                (np.ones(len(column)), (column, target)),
                shape=(len(column), systems * statistics),
            )
            table = np.asarray((self.rows @ together).toarray())
            table = table.reshape(-1, systems, statistics)
        sums = {name: table[..., i] for i, name in enumerate(self.statistics)}
        if self.negatives:
            rest = self.sizes[:, np.newaxis] * classes
            sums["tn"] = rest - (sums["tp"] + sums["fp"] + sums["fn"])
        return sums

    def per_pattern(self, statistic: str) -> FloatArray:
        """Return one statistic of each pattern (pattern, system), over all classes."""
        return self._over_classes()[statistic]

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
        """Set one class against all others together, as positive and negative.

        Examples
        --------
        >>> from likelier.data.constructors import from_labels
        >>> from_labels("abc", "abb").binary("b").n_patterns
        3
        """
        if positive not in self.classes:
            raise unknown_name(positive, self.classes, kind="positive")
        if positive not in self._binary:
            code = self.classes.index(positive)
            against = self._against_rest if self.of_labels else self._one_of
            self._binary[positive] = against(code)
        return self._binary[positive]

    @cached_property
    def _binary(self) -> dict[str, "Outcomes"]:
        return {}

    def _against_rest(self, code: int) -> "Outcomes":
        """Set the labels of one class against all others."""
        labels: IntArray | None
        if self.labels is not None:
            labels = (self.labels == code).astype(np.int64)
            few, _, pattern = distinct(labels)
            rows = label_rows(few, kept=[1])[pattern]
        else:
            rows, labels = self._class_rows(code)
        zeros = np.zeros(len(self.counts), dtype=np.int64)
        of_class = replace(
            self,
            classes=(self.classes[code],),
            rows=rows,
            strata=zeros if labels is None else labels[:, 0],
            labels=labels,
            all_classes=True,
            one_vs_rest=True,
            one_label=True,
        )
        return of_class.merged()

    def _one_of(self, code: int) -> "Outcomes":
        """Keep the statistics of one class."""
        column = np.arange(self.rows.shape[1]).reshape(self.shape)[:, code].ravel()
        of_class = replace(
            self,
            classes=(self.classes[code],),
            rows=self.rows[:, column],
            one_vs_rest=True,
        )
        return of_class.merged()

    def _class_rows(self, code: int) -> tuple[Any, IntArray | None]:
        """Return the rows of one class, and labels where they follow from them."""
        cube = self.cube()[:, :, code].copy()
        tp, fp, fn = (self.statistics.index(name) for name in ("tp", "fp", "fn"))
        if "correct" in self.statistics:
            right = self._right_in_class(cube[..., fp] + cube[..., fn])
            cube[..., self.statistics.index("correct")] = right
        rows = sparse.csr_array(cube.reshape(len(cube), -1))
        if self.composite or not self.negatives:
            return rows, None
        gold = cube[:, :1, tp] + cube[:, :1, fn]
        labels = np.hstack([gold, cube[..., tp] + cube[..., fp]])
        return rows, labels.astype(np.int64)

    def _right_in_class(self, wrong: FloatArray) -> FloatArray:
        """Count the items of each pattern that are right as to one class."""
        if self.negatives:
            return self.sizes[:, np.newaxis] - wrong
        if self.composite:
            message = "Which items of a cluster are right in one class is not known."
            raise NotDefinedError(message, hint="Keep one class when reading.")
        return (wrong == 0).astype(np.float64)

    @cached_property
    def sharing_classes(self) -> "Outcomes":
        """The table, with averages of all systems over the classes of gold labels."""
        shared = replace(self, same_classes=True)
        # What is counted stays the same, so it is hashed once.
        shared.__dict__["digest"] = self.digest
        return shared

    @property
    def of_labels(self) -> bool:
        """True where statistics count labels: tp, fp, fn, or what is right."""
        return "tp" in self.statistics or "correct" in self.statistics

    def with_only(self, statistics: Collection[str]) -> "Outcomes":
        """Keep some of the statistics, and every pattern as it is."""
        kept = tuple(name for name in self.statistics if name in statistics)
        if kept == self.statistics:
            return self
        if kept not in self._with_only:
            column = np.arange(self.rows.shape[1]).reshape(self.shape)
            index = [self.statistics.index(name) for name in kept]
            rows = self.rows[:, column[..., index].ravel()]
            self._with_only[kept] = replace(self, statistics=kept, rows=rows)
        return self._with_only[kept]

    @cached_property
    def _with_only(self) -> dict[tuple[str, ...], "Outcomes"]:
        return {}

    def pooled(self) -> "Outcomes":
        """Add the statistics of all classes together (micro-averaging)."""
        return self if len(self.classes) == 1 else self._pooled

    @cached_property
    def _pooled(self) -> "Outcomes":
        return self._one_class(self._over_classes())

    def per_item(self, value: Callable[[Sums], FloatArray]) -> "Outcomes":
        """Score each item by a function of its statistics, to average over items."""
        if self.clustered:
            message = "Averages over samples need the items, not sums over clusters."
            raise NotDefinedError(message)
        return self._one_class({"score": value(self._over_classes())})

    def _one_class(self, statistics: Sums) -> "Outcomes":
        values = np.stack(list(statistics.values()), axis=-1)
        return replace(
            self,
            classes=("all",),
            statistics=tuple(statistics),
            rows=sparse.csr_array(values.reshape(len(values), -1)),
            all_classes=True,
            negatives=False,
        )

    def merged(self) -> "Outcomes":
        """Put equal patterns together."""
        return self.grouped()[0]

    def grouped(self) -> tuple["Outcomes", IntArray]:
        """Put equal patterns of a stratum together; return where each went, too."""
        n, width = self.rows.shape
        if self.labels is None and n * width > _MOST_MERGED:
            return self, np.arange(n)
        first, group = self._grouping()
        if len(first) == n and (first[:-1] < first[1:]).all():
            return self, group
        merged = replace(
            self,
            rows=self.rows[first],
            counts=tally(group, self.counts, len(first)),
            sizes=self.sizes[first],
            strata=self.strata[first],
            labels=None if self.labels is None else self.labels[first],
        )
        return merged, group

    def _grouping(self) -> tuple[IntArray, IntArray]:
        """Find the first of equal patterns, in sorted order, and that of each."""
        beside = np.column_stack([self.strata, self.sizes])
        if self.labels is None and self._is_wide:
            rows = self.rows.astype(np.int64)
            return distinct_sparse(rows, first_of_each(beside)[1])
        # Labels fix the statistics, and make the smaller key.
        key = self.rows.toarray() if self.labels is None else self.labels
        return first_of_each(np.column_stack([beside, key]))

    @property
    def _is_wide(self) -> bool:
        """Whether rows of whole numbers are so wide that they are best left sparse."""
        n, width = self.rows.shape
        data = self.rows.data
        whole = n * width > _MOST_DENSE and (data >= 0).all() and (data % 1 == 0).all()
        return bool(whole and data.max(initial=0.0) < 2**20)

    def without_labels(self) -> "Outcomes":
        """Drop the labels, so that patterns with equal statistics are equal."""
        return replace(self, labels=None)

    def by(self, cluster: ArrayLike) -> "Outcomes":
        """Sum the patterns within clusters; a cluster is then one coarser item.

        Parameters
        ----------
        cluster
            The cluster of each pattern (pattern,), as numbers or codes.
        """
        codes = np.asarray(cluster)
        n = len(self.counts)
        if codes.shape != (n,):
            message = (
                f"cluster must have one entry for each of {n} patterns; "
                f"got shape {codes.shape}."
            )
            raise SettingError(message)
        clusters, index = np.unique(codes, return_inverse=True)
        shape = len(clusters), n
        members = sparse.csr_array((self.counts, (index, np.arange(n))), shape=shape)
        summed = replace(
            self,
            rows=sparse.csr_array(members @ self.rows),
            counts=np.ones(len(clusters)),
            sizes=np.asarray(members @ self.sizes),
            strata=np.zeros(len(clusters), dtype=np.int64),
            labels=None,
        )
        return summed.merged()

    @property
    def n_labels(self) -> int:
        """The number of labels that are possible: at least two."""
        return max(2, len(self.classes))

    @property
    def n_cells(self) -> int | None:
        """The number of patterns that are possible, where items have labels."""
        if self.labels is None:
            return None
        return int(self.n_labels ** (1 + len(self.systems)))

    def completed(self) -> "Outcomes":
        """List the possible patterns that did not occur too, with count 0."""
        counted = self.cell_of_patterns()
        width = 1 + len(self.systems)
        cells = np.array(list(product(range(self.n_labels), repeat=width)))
        kept = [1] if self.one_vs_rest else list(range(len(self.classes)))
        return replace(
            self,
            rows=label_rows(cells, kept=kept),
            counts=tally(counted, self.counts, len(cells)),
            sizes=np.ones(len(cells)),
            strata=cells[:, 0],
            labels=cells,
        )

    def cell_of_patterns(self) -> IntArray:
        """Return the index of each pattern in the list of `completed`."""
        if self.labels is None:
            raise NotDefinedError(_NO_LABELS)
        digits = np.arange(len(self.systems), -1, -1)
        return np.asarray(self.labels @ self.n_labels**digits)

    def scaled(self, share: float) -> "Outcomes":
        """Multiply all counts by a share; they become fractions."""
        if not 0 <= share < np.inf:
            message = f"share must be a finite number of at least 0; got {share!r}."
            raise SettingError(message)
        return replace(self, counts=self.counts * share)

    def swapped(self) -> "Outcomes":
        """Exchange the two systems in every pattern."""
        return replace(self.only(1, 0), systems=self.systems)

    @cached_property
    def symmetric(self) -> bool:
        """True where exchanging the two systems changes no count."""
        if len(self.systems) != 2 or self.lean:
            return False
        first, second = (self.counts @ self.rows).reshape(2, -1)
        if not np.allclose(first, second, rtol=1e-6):
            return False
        return self.without_labels().same_counts(self.swapped().without_labels())

    @cached_property
    def lean(self) -> int:
        """Which of two systems adds less where they first differ, each sorted: 1 or -1.

        0 where that does not tell the table from the one with the systems exchanged.
        """
        if self.rows.shape[1] > _FEW_COLUMNS:
            return 0
        rows = self.rows.toarray() * self.counts[:, np.newaxis]
        one, other = np.hsplit(rows, 2)
        for left, right in zip(one.T.copy(), other.T.copy(), strict=True):
            left.sort()
            right.sort()
            apart = np.flatnonzero(left != right)
            if apart.size:
                return 1 if left[apart[0]] < right[apart[0]] else -1
        return 0

    def same_counts(self, other: "Outcomes") -> bool:
        """Return whether another table has the same patterns as often."""
        left, right = self.merged(), other.merged()
        return (
            left.rows.shape == right.rows.shape
            and np.array_equal(left.counts, right.counts)
            and np.array_equal(left.strata, right.strata)
            and (left.rows != right.rows).nnz == 0
        )


def _whole(number: float) -> float:
    return int(number) if number.is_integer() else number
