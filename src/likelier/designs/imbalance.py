"""How even the blocks came out, and LIK120: not even enough."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from scipy import sparse

from likelier.designs.dealing import group_counts, unit_columns
from likelier.designs.inputs import Coded, IntArray, Items
from likelier.designs.swaps import block_counts
from likelier.findings import Finding
from likelier.formatting import listed
from likelier.streams import FloatArray

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
