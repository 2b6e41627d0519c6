"""Blocked m x 2 cross-validation, and how even its blocks came out."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from scipy import sparse

from likelier._typing import FloatArray, IntArray
from likelier.designs.dealing import (
    count_blocks,
    deal,
    generator,
    group_counts,
    training_half,
    unit_columns,
)
from likelier.designs.design import AssignmentTable, Design, Split, assignment_table
from likelier.designs.split_items import SplitItems, is_flag, read_items, whole_number
from likelier.designs.swaps import block_counts
from likelier.errors import InputError
from likelier.findings import Finding
from likelier.formatting import listed
from likelier.streams import as_seed

POOR = 0.05
LEAST_MEAN = 20


@dataclass(frozen=True, eq=False)
class Imbalance:
    """Counts of each block of what should be even.

    Attributes
    ----------
    sizes
        The number of items of each block.
    names
        The classes and units, classes first.
    counts
        Their counts in each block: (block, class or unit).
    n_classes
        The number of names that are classes.
    random_chi_square
        The chi-square to expect had the same items, or groups, been dealt at random.
    """

    sizes: IntArray
    names: Sequence[object] = field(repr=False)
    counts: FloatArray = field(repr=False)
    n_classes: int
    random_chi_square: float

    @property
    def deviation(self) -> FloatArray:
        """The largest distance of a block's count from the mean block's, per name."""
        return np.abs(self.counts - self.counts.mean(axis=0)).max(axis=0)

    @property
    def share(self) -> FloatArray:
        """The deviation as a share of the mean block's count."""
        mean = self.counts.mean(axis=0)
        return self.deviation / np.where(mean > 0, mean, 1)

    @property
    def chi_square(self) -> float:
        """Squared deviations over the mean block's counts, summed up."""
        mean = self.counts.mean(axis=0)
        squares = (self.counts - mean) ** 2 / np.where(mean > 0, mean, 1)
        return float(squares.sum())

    def findings(self) -> tuple[Finding, ...]:
        """Return remarks on blocks that are not even.

        Poor is a block more than 5 % off the mean block, in its size or in the count
        of any class or unit with at least 20 per block; rarer ones are left out,
        since one item is more than 5 % of them. Classes with fewer items than there
        are blocks, which therefore some blocks lack, are remarked too.
        """
        messages = (self._uneven_sizes(), self._uneven_counts(), self._rare_classes())
        return tuple(Finding("LIK120", message) for message in messages if message)

    def sentence(self) -> str:
        """Describe in a sentence how even the blocks are."""
        sizes = f"{len(self.sizes)} blocks of {self.sizes.min():,} to "
        sizes += f"{self.sizes.max():,} items"
        if not len(self.names):
            return sizes
        worst = int(np.argmax(self.deviation))
        return (
            f"{sizes}; the largest deviation from the mean block is "
            f"{self.deviation[worst]:.4g} ({self.share[worst]:.2%}), of "
            f"{self.names[worst]}; chi-square {self.chi_square:.4g}, at random "
            f"{self.random_chi_square:.4g}"
        )

    def _uneven_sizes(self) -> str | None:
        mean = self.sizes.mean()
        worst = np.abs(self.sizes - mean).max() / mean
        if worst <= POOR or mean < LEAST_MEAN:
            return None
        return (
            f"blocks have {self.sizes.min()} to {self.sizes.max()} items, up to "
            f"{worst:.0%} off their mean: some groups are too large to share out."
        )

    def _uneven_counts(self) -> str | None:
        frequent = self.counts.mean(axis=0) >= LEAST_MEAN
        poor = np.flatnonzero(frequent & (self.share > POOR))
        if not len(poor):
            return None
        poor = poor[np.argsort(-self.share[poor], kind="stable")]
        names = listed([self.names[i] for i in poor.tolist()])
        return (
            f"blocks are more than {POOR:.0%} off the mean block in {len(poor)} of "
            f"{frequent.sum()} classes or units with at least {LEAST_MEAN} per block, "
            f"up to {self.share[poor[0]]:.0%}: {names}."
        )

    def _rare_classes(self) -> str | None:
        blocks = len(self.sizes)
        totals = self.counts[:, : self.n_classes].sum(axis=0)
        rare = np.flatnonzero(totals < blocks)
        if not len(rare):
            return None
        names = listed([self.names[i] for i in rare.tolist()])
        return (
            f"some blocks lack these classes, which have fewer items than there are "
            f"blocks ({blocks}): {names}."
        )


def measure(items: SplitItems, block: IntArray, blocks: int) -> Imbalance:
    """Count what each block holds."""
    columns = unit_columns(items) or [sparse.csr_array((items.n, 0))]
    matrix = columns[0]
    if len(columns) > 1:
        matrix = sparse.csr_array(sparse.hstack(columns, format="csr"))
    classes = () if items.classes is None else items.classes.names
    units = () if items.units is None else items.units.names
    dealt = matrix if items.groups is None else group_counts(items)[:, 1:]
    return Imbalance(
        np.bincount(block, minlength=blocks),
        (*classes, *units) if classes else units,
        block_counts(block, matrix, blocks),
        len(classes),
        _expected(sparse.csr_array(dealt), blocks),
    )


def _expected(dealt: sparse.csr_array, blocks: int) -> float:
    """Return the mean chi-square of blocks drawn without replacement."""
    n = dealt.shape[0]
    total = np.asarray(dealt.sum(axis=0)).ravel()
    squares = np.asarray(dealt.power(2).sum(axis=0)).ravel()
    has = total > 0
    variance = (squares[has] - total[has] ** 2 / n) / max(n - 1, 1)
    return float((n * (blocks - 1) * variance / total[has]).sum())


@dataclass(frozen=True, eq=False, repr=False)
class BlockedMx2(Design):
    """Split into two halves m times, with training halves that overlap evenly.

    The items are dealt out to blocks; each repetition trains on half of the blocks and
    tests on the others, then the reverse. Any two training halves of different
    repetitions share a quarter of the items, which gives estimates the least variance
    (Wang et al. 2017, Neural Computation 29:519). The blocks are even in size, in the
    classes, and in any units that the items have. Use this when two systems can be
    trained 2m times; it is a scikit-learn splitter, for ``cv=``.

    Parameters
    ----------
    m
        The number of repetitions; 3 is the design of Wang & Li
        (2019, doi:10.18653/v1/P19-1405).
    stratify
        True: blocks are even in the classes ``y``, where there are any. False: they
        need not be. Or labels, one per item, to use in place of ``y``.
    units
        What else should be even: per item a mapping of units to counts, a list of
        units or a single unit; or a matrix of counts (item, unit), sparse or not.
    seed
        A seed, a generator, or None for a seed of its own. The seed is fixed when the
        design is made, so all calls and all copies of it split alike.

    Examples
    --------
    >>> design = BlockedMx2(3, seed=0)
    >>> design
    BlockedMx2(m=3, seed=0)
    >>> for train, test in design.split(range(8), list("aaaabbbb")):
    ...     print(train, test)
    [2 3 4 7] [0 1 5 6]
    [0 1 5 6] [2 3 4 7]
    [0 3 5 7] [1 2 4 6]
    [1 2 4 6] [0 3 5 7]
    [0 2 4 5] [1 3 6 7]
    [1 3 6 7] [0 2 4 5]
    """

    m: int = 3
    units: Any = field(default=None, kw_only=True)

    def __post_init__(self) -> None:
        whole_number(self.m, name="m")
        super().__post_init__()

    def __repr__(self) -> str:
        settings = [f"m={self.m}"]
        if not is_flag(self.stratify):
            settings.append(f"stratify=<{len(self.stratify)} labels>")
        elif not self.stratify:
            settings.append("stratify=False")
        if self.units is not None:
            settings.append("units=<bags>")
        return f"{type(self).__name__}({', '.join(settings)}, seed={self.seed})"

    @property
    def n_blocks(self) -> int:
        """The number of blocks: the next power of two above m."""
        return count_blocks(self.repetitions)

    @property
    def test_share(self) -> float:
        """The share of the items that is tested in one fold."""
        return 0.5

    @property
    def test_per_train(self) -> float:
        """The number of items tested per item trained on."""
        return 1.0

    @property
    def folds(self) -> int:
        """The number of folds of one repetition."""
        return 2

    @property
    def repetitions(self) -> int:
        """The number of repetitions."""
        return int(self.m)

    def split(self, X: Any, y: Any = None, groups: Any = None) -> Iterator[Split]:
        """Return the positions of training and test items, fold by fold."""
        return self.assign(X, y, groups).splits()

    def assign(
        self,
        X: Any,
        y: Any = None,
        groups: Any = None,
        units: Any = None,
    ) -> "Assignment":
        """Deal the items out to blocks, and measure how even these are.

        Parameters
        ----------
        X
            The items, or how many there are.
        y
            Their classes.
        groups
            What must stay together in one block.
        units
            A bag of units per item, in place of the design's.

        Examples
        --------
        >>> assignment = BlockedMx2(3, seed=0).assign(80, ["a", "b"] * 40)
        >>> print(assignment.imbalance.sentence())
        4 blocks of 20 to 20 items; the largest deviation from the mean block is
        0 (0.00%), of a; chi-square 0, at random 3.038
        """
        units = self.units if units is None else units
        items = read_items(X, y, groups=groups, units=units, stratify=self.stratify)
        n, what = items.dealt
        if n < self.n_blocks:
            message = f"{self.m}x2 needs at least {self.n_blocks} {what}; got {n}."
            raise InputError(message)
        block = deal(items, self.repetitions, generator(as_seed(self.seed)))
        return Assignment(
            block,
            self,
            measure(items, block, self.n_blocks),
            by_class=items.classes is not None,
            by_units=items.units is not None,
            grouped=items.groups is not None,
        )

    def described(self) -> str:
        """Describe the design, for the recipe.

        Examples
        --------
        >>> BlockedMx2(3, seed=0).described()
        '3x2 blocked stratified seed 0'
        """
        by_units = self.units is not None
        return _described(self, by_class=self.stratified, by_units=by_units)


@dataclass(frozen=True, eq=False)
class Assignment:
    """The items in their blocks.

    Attributes
    ----------
    block
        The block of each item, counted from 0.
    design
        The design that dealt the items out.
    imbalance
        How even the blocks are.
    by_class, by_units, grouped
        What the dealing had regard to.
    """

    block: IntArray = field(repr=False)
    design: BlockedMx2
    imbalance: Imbalance
    by_class: bool
    by_units: bool
    grouped: bool

    def splits(self) -> Iterator[Split]:
        """Yield training and test positions: both folds of each repetition in turn."""
        for repetition in range(1, self.design.repetitions + 1):
            first = training_half(repetition, self.design.n_blocks)[self.block]
            train, test = np.flatnonzero(first), np.flatnonzero(~first)
            yield train, test
            yield test, train

    def table(self) -> AssignmentTable:
        """Return the table of who is tested when: item, repetition, fold, role."""
        return assignment_table(self.splits(), folds=2)

    def described(self) -> str:
        """Describe the design as it was dealt, for the recipe."""
        return _described(
            self.design,
            by_class=self.by_class,
            by_units=self.by_units,
            grouped=self.grouped,
        )

    def findings(self) -> tuple[Finding, ...]:
        """Return remarks on uneven blocks, and on blocks that need not be even."""
        uneven = self.imbalance.findings()
        if self.by_class or self.by_units:
            return uneven
        message = (
            "blocks were dealt without regard to classes or units: posteriors from the "
            "folds' counts assume the same number of positives in every block."
        )
        return (*uneven, Finding("LIK121", message))


def _described(
    design: BlockedMx2, *, by_class: bool, by_units: bool, grouped: bool = False
) -> str:
    words = [f"{design.m}x2 blocked"]
    words += ["stratified"] * by_class + ["by units"] * by_units
    words += ["unstratified"] * (not by_class and not by_units)
    words += ["grouped"] * grouped
    return f"{' '.join(words)} seed {design.seed}"
