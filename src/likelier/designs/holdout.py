"""One split into training, development and test items, of exact sizes."""

from collections.abc import Iterator
from dataclasses import dataclass
from math import fsum
from typing import Any, NamedTuple

import numpy as np

from likelier._typing import BoolArray, FloatArray, IntArray
from likelier.designs.dealing import deal_groups, generator
from likelier.designs.design import AssignmentTable, Design, Split, role_table
from likelier.designs.split_items import SplitItems, read_items
from likelier.errors import InputError, SettingError
from likelier.streams import RandomState, as_seed

ROLES = np.array(["train", "dev", "test"])

Shares = tuple[float, float, float]


class Parts(NamedTuple):
    """The positions of the items of each part."""

    train: IntArray
    dev: IntArray
    test: IntArray


@dataclass(frozen=True, eq=False, repr=False)
class TrainDevTest(Design):
    """Split once, into training, development and test items.

    The parts have exactly their shares of the items, rounded to whole items, and of
    each class as many as whole items allow, give or take one; with groups, about so.

    Parameters
    ----------
    shares
        The share of the items that each part gets; there may be no development items.
    stratify
        True: parts are even in the classes ``y``, where there are any. False: they
        need not be. Or labels, one per item, to use in place of ``y``.
    seed
        A seed, a generator, or None for a seed of its own; fixed when the design is
        made, so all calls and all copies of it split alike.

    Examples
    --------
    >>> parts = TrainDevTest((0.6, 0.2, 0.2), seed=0).parts(10, ["a", "b"] * 5)
    >>> [len(part) for part in parts]
    [6, 2, 2]
    """

    shares: Shares = (0.8, 0.1, 0.1)

    def __post_init__(self) -> None:
        _check_shares(self.shares)
        super().__post_init__()

    def __repr__(self) -> str:
        return f"{type(self).__name__}(shares={self.shares}, seed={self.seed})"

    @property
    def test_share(self) -> float:
        """The share of the items that is tested."""
        return self.shares[2]

    @property
    def test_per_train(self) -> float:
        """The number of items tested per item trained on."""
        return self.shares[2] / self.shares[0]

    @property
    def folds(self) -> int:
        """The number of folds: one."""
        return 1

    def parts(self, X: Any, y: Any = None, groups: Any = None) -> Parts:
        """Return the positions of training, development and test items.

        Parameters
        ----------
        X
            The items, or how many there are.
        y
            Their classes.
        groups
            What must stay together in one part.
        """
        role = self._roles(X, y, groups)
        return Parts(*(np.flatnonzero(role == part) for part in range(3)))

    def split(self, X: Any, y: Any = None, groups: Any = None) -> Iterator[Split]:
        """Return the positions of training and test items, once."""
        parts = self.parts(X, y, groups)
        yield parts.train, parts.test

    def assignments(self, X: Any, y: Any = None, groups: Any = None) -> AssignmentTable:
        """Return the table of roles: item, repetition, fold, role."""
        return role_table(ROLES[self._roles(X, y, groups)])

    def described(self) -> str:
        """Describe the design, for the recipe.

        Examples
        --------
        >>> train_dev_test(seed=0).described()
        'train-dev-test 0.8 0.1 0.1 stratified seed 0'
        """
        shares = " ".join(f"{share:g}" for share in self.shares)
        return self._described(f"train-dev-test {shares}")

    def _roles(self, data: Any, y: Any, groups: Any) -> IntArray:
        items = read_items(data, y, groups=groups, stratify=self.stratify)
        shares = np.array(self.shares, dtype=np.float64)
        n, what = items.dealt
        sizes = _sizes(shares, n)
        if (sizes[shares > 0] == 0).any():
            message = f"each part must get one of the {what} or more; there are {n}."
            raise InputError(message)
        rng = generator(as_seed(self.seed))
        if items.groups is not None:
            return deal_groups(items, shares, rng)
        return _dealt(items, sizes, rng)


def train_dev_test(
    shares: Shares = (0.8, 0.1, 0.1),
    *,
    stratify: Any = True,
    seed: RandomState = None,
) -> TrainDevTest:
    """Split once, into training, development and test items of exact sizes.

    Parameters
    ----------
    shares
        The share of the items that each part gets; there may be no development items.
    stratify
        Whether, or by which labels, parts are even in classes.
    seed
        A seed, a generator, or None for a seed of its own.

    Examples
    --------
    >>> design = train_dev_test((0.5, 0.25, 0.25), seed=0)
    >>> design.parts(8, list("aaaabbbb"))
    Parts(train=array([...]), dev=array([...]), test=array([...]))
    """
    return TrainDevTest(shares, stratify=stratify, seed=seed)


def _check_shares(shares: Any) -> None:
    try:
        train, dev, test = (float(share) for share in shares)
    except (TypeError, ValueError):
        train = dev = test = -1.0
    whole = abs(fsum((train, dev, test)) - 1) < 1e-9
    if not (train > 0 and dev >= 0 and test > 0 and whole):
        message = (
            "shares must be those of training, development and test items, above 0 "
            f"(development may be 0), and add up to 1; got {shares!r}."
        )
        raise SettingError(message)


def _sizes(shares: FloatArray, n: int) -> IntArray:
    """Round the shares of n to whole numbers that add up: the largest remainders up."""
    exact = shares * n
    sizes = np.floor(exact).astype(np.int64)
    up = np.argsort(sizes - exact, kind="stable")[: n - int(sizes.sum())]
    sizes[up] += 1
    return sizes


def _dealt(items: SplitItems, sizes: IntArray, rng: np.random.Generator) -> IntArray:
    """Choose test items at even steps through the classes, then development items."""
    order = rng.permutation(items.n)
    if items.classes is not None:
        codes = rng.permutation(len(items.classes.names))[items.classes.codes]
        order = order[np.argsort(codes[order], kind="stable")]
    role = np.zeros(items.n, dtype=np.int64)
    for part in (2, 1):
        chosen = _even_steps(len(order), int(sizes[part]), rng)
        role[order[chosen]] = part
        order = order[~chosen]
    return role


def _even_steps(n: int, k: int, rng: np.random.Generator) -> BoolArray:
    """Choose k of n positions: any l in a row have k l / n, rounded up or down."""
    steps = (np.arange(n + 1) * k + int(rng.integers(n))) // n
    return np.diff(steps) > 0
