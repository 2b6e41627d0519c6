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
from likelier.designs.design import (
    Coded,
    Items,
    Split,
    Table,
    assignment_table,
    is_flag,
    read_items,
    routing,
    whole_number,
)
from likelier.designs.swaps import block_counts
from likelier.errors import InputError
from likelier.findings import Finding
from likelier.formatting import listed
from likelier.streams import RandomState, as_seed

POOR = 0.05
JUDGED = 20


@dataclass(frozen=True, eq=False)
class Imbalance:
    """What each block holds of what should be even.

    Attributes
    ----------
    sizes
        How many items each block has.
    names
        The classes and units, classes first.
    counts
        How much of it each block has: (block, class or unit).
    n_classes
        How many of the names are classes.
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
        """Remark blocks that are not even.

        Poor is a block more than 5 % off the mean block, in its size or in the count
        of any class or unit with at least 20 per block; rarer ones are not judged,
        since one item is more than 5 % of them. Classes with fewer items than there
        are blocks, which therefore some blocks lack, are remarked too.
        """
        found = (self._uneven_sizes(), self._uneven_counts(), self._rare_classes())
        return tuple(finding for finding in found if finding is not None)

    def sentence(self) -> str:
        """Say how even the blocks are."""
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

    def _uneven_sizes(self) -> Finding | None:
        mean = self.sizes.mean()
        worst = np.abs(self.sizes - mean).max() / mean
        if worst <= POOR or mean < JUDGED:
            return None
        message = (
            f"blocks have {self.sizes.min()} to {self.sizes.max()} items, up to "
            f"{worst:.0%} off their mean: some groups are too large to share out."
        )
        return Finding("LIK120", message)

    def _uneven_counts(self) -> Finding | None:
        judged = self.counts.mean(axis=0) >= JUDGED
        poor = np.flatnonzero(judged & (self.share > POOR))
        if not len(poor):
            return None
        poor = poor[np.argsort(-self.share[poor], kind="stable")]
        names = listed([self.names[i] for i in poor.tolist()])
        message = (
            f"blocks are more than {POOR:.0%} off the mean block in {len(poor)} of "
            f"{judged.sum()} classes or units with at least {JUDGED} per block, up to "
            f"{self.share[poor[0]]:.0%}: {names}."
        )
        return Finding("LIK120", message)

    def _rare_classes(self) -> Finding | None:
        blocks = len(self.sizes)
        totals = self.counts[:, : self.n_classes].sum(axis=0)
        rare = np.flatnonzero(totals < blocks)
        if not len(rare):
            return None
        names = listed([self.names[i] for i in rare.tolist()])
        message = (
            f"some blocks lack these classes, which have fewer items than there are "
            f"blocks ({blocks}): {names}."
        )
        return Finding("LIK120", message)


def measure(items: Items, block: IntArray, blocks: int) -> Imbalance:
    """Count what each block holds."""
    columns = unit_columns(items) or [sparse.csr_array((items.n, 0))]
    several = len(columns) > 1
    matrix = sparse.hstack(columns, format="csr") if several else columns[0]
    classes = items.classes or Coded(np.empty(0, dtype=np.int64), ())
    units: Sequence[object] = () if items.units is None else items.units.names
    dealt = matrix if items.groups is None else group_counts(items)[:, 1:]
    return Imbalance(
        np.bincount(block, minlength=blocks),
        units if not classes.names else (*classes.names, *units),
        block_counts(block, sparse.csr_array(matrix), blocks),
        len(classes.names),
        _expected(sparse.csr_array(dealt), blocks),
    )


def _expected(dealt: sparse.csr_array, blocks: int) -> float:
    """Give the mean chi-square of blocks drawn without replacement."""
    n = dealt.shape[0]
    total = np.asarray(dealt.sum(axis=0)).ravel()
    squares = np.asarray(dealt.power(2).sum(axis=0)).ravel()
    has = total > 0
    variance = (squares[has] - total[has] ** 2 / n) / max(n - 1, 1)
    return float((n * (blocks - 1) * variance / total[has]).sum())


@dataclass(frozen=True, eq=False, repr=False)
class BlockedMx2:
    """Split into two halves m times, with training halves that overlap evenly.

    The items are dealt out to blocks; each repetition trains on half of the blocks and
    tests on the others, then the other way round. Any two training halves of different
    repetitions share a quarter of the items, which gives estimates the least variance
    (Wang et al. 2017, Neural Computation 29:519). The blocks are even in size, in the
    classes, and in any units that the items have. Use this when two systems can be
    trained 2m times; it is a scikit-learn splitter, for ``cv=``.

    Parameters
    ----------
    m
        How many repetitions; 3 is the design of Wang & Li
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
    stratify: Any = field(default=True, kw_only=True)
    units: Any = field(default=None, kw_only=True)
    seed: RandomState = field(default=None, kw_only=True)
    drawn_seed: int | None = field(default=None, kw_only=True, repr=False)

    def __post_init__(self) -> None:
        whole_number(self.m, name="m")
        if self.seed is None:
            object.__setattr__(self, "drawn_seed", as_seed(None))
        seed = self.drawn_seed if self.seed is None else as_seed(self.seed)
        object.__setattr__(self, "seed", seed)

    @property
    def seeded(self) -> bool:
        """Whether the seed was given, and not drawn."""
        return self.seed != self.drawn_seed

    @property
    def n_blocks(self) -> int:
        """How many blocks there are: the next power of two above m."""
        return count_blocks(int(self.m))

    @property
    def test_share(self) -> float:
        """Which share of the items is tested in one fold."""
        return 0.5

    @property
    def test_per_train(self) -> float:
        """How many items are tested per item trained on."""
        return 1.0

    def get_n_splits(
        self,
        X: Any = None,  # noqa: ARG002, N803
        y: Any = None,  # noqa: ARG002
        groups: Any = None,  # noqa: ARG002
    ) -> int:
        """Give how many folds there are in all repetitions."""
        return 2 * int(self.m)

    def split(
        self,
        X: Any,  # noqa: N803
        y: Any = None,
        groups: Any = None,
    ) -> Iterator[Split]:
        """Give the positions of training and test items, fold by fold.

        Parameters
        ----------
        X
            The items, or how many there are.
        y
            Their classes.
        groups
            What must stay together in one block.
        """
        return self.assign(X, y, groups).splits()

    def assign(
        self,
        X: Any,  # noqa: N803
        y: Any = None,
        groups: Any = None,
        units: Any = None,
    ) -> "Assignment":
        """Deal the items out to blocks, and say how even these are.

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
        self._refuse_few(items)
        block = deal(items, int(self.m), generator(as_seed(self.seed)))
        return Assignment(
            block,
            self,
            measure(items, block, self.n_blocks),
            by_class=items.classes is not None,
            by_units=items.units is not None,
            grouped=items.groups is not None,
        )

    def assignments(
        self,
        X: Any,  # noqa: N803
        y: Any = None,
        groups: Any = None,
    ) -> Table:
        """Give the table of who is tested when: item, repetition, fold, role."""
        return self.assign(X, y, groups).table()

    def described(self) -> str:
        """Say what the design is, for the recipe.

        Examples
        --------
        >>> BlockedMx2(3, seed=0).described()
        '3x2 blocked stratified seed 0'
        """
        by_class = not is_flag(self.stratify) or bool(self.stratify)
        return _described(self, by_class=by_class, by_units=self.units is not None)

    def get_metadata_routing(self) -> Any:
        """Tell scikit-learn, where it routes metadata, that the groups are wanted."""
        return routing(self)

    def __repr__(self) -> str:
        settings = [f"m={self.m}"]
        if not is_flag(self.stratify):
            settings.append(f"stratify=<{len(self.stratify)} labels>")
        elif not self.stratify:
            settings.append("stratify=False")
        if self.units is not None:
            settings.append("units=<bags>")
        settings.append(f"seed={self.seed}")
        return f"{type(self).__name__}({', '.join(settings)})"

    def _refuse_few(self, items: Items) -> None:
        needed = self.n_blocks
        n = items.n if items.groups is None else len(items.groups.names)
        if n < needed:
            what = "items" if items.groups is None else "groups"
            message = f"{self.m}x2 needs at least {needed} {what}; got {n}."
            raise InputError(message)


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
        """Give training and test positions: both folds of each repetition in turn."""
        for repetition in range(1, int(self.design.m) + 1):
            first = training_half(repetition, self.design.n_blocks)[self.block]
            train, test = np.flatnonzero(first), np.flatnonzero(~first)
            yield train, test
            yield test, train

    def table(self) -> Table:
        """Give the table of who is tested when: item, repetition, fold, role."""
        return assignment_table(self.splits(), folds=2)

    def described(self) -> str:
        """Say what the design was in fact, for the recipe."""
        return _described(
            self.design,
            by_class=self.by_class,
            by_units=self.by_units,
            grouped=self.grouped,
        )

    def findings(self) -> tuple[Finding, ...]:
        """Remark uneven blocks, and blocks that nothing was to make even."""
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
