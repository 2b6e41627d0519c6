"""k-fold, repeated k-fold and 5 x 2, dealt by scikit-learn."""

import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from types import ModuleType
from typing import Any, cast

import numpy as np

from likelier.designs.design import Design, Split
from likelier.designs.split_items import SplitItems, read_items, whole_number
from likelier.errors import InputError, SettingError
from likelier.findings import Finding
from likelier.formatting import listed
from likelier.streams import RandomState, as_seed


@dataclass(frozen=True, eq=False, repr=False)
class Folds(Design):
    """Split into k folds, once or several times; each fold tests once.

    Parameters
    ----------
    k
        The number of folds.
    repeats
        The number of repetitions.
    stratify
        True: folds are even in the classes ``y``, where there are any. False: they
        need not be. Or labels, one per item, to use in place of ``y``.
    seed
        A seed, a generator, or None for a seed of its own; fixed when the design is
        made, so all calls and all copies of it split alike.

    Examples
    --------
    >>> for train, test in Folds(2, seed=0).split(range(4), list("aabb")):
    ...     print(train, test)
    [0 2] [1 3]
    [1 3] [0 2]
    """

    k: int
    repeats: int = 1

    def __post_init__(self) -> None:
        whole_number(self.k, name="k", least=2)
        whole_number(self.repeats, name="repeats")
        super().__post_init__()

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.described()})"

    @property
    def test_share(self) -> float:
        """The share of the items that is tested in one fold."""
        return 1 / self.k

    @property
    def test_per_train(self) -> float:
        """The number of items tested per item trained on."""
        return 1 / (self.k - 1)

    @property
    def folds(self) -> int:
        """The number of folds of one repetition."""
        return int(self.k)

    @property
    def repetitions(self) -> int:
        """The number of repetitions."""
        return int(self.repeats)

    def split(self, X: Any, y: Any = None, groups: Any = None) -> Iterator[Split]:
        """Return the positions of training and test items, fold by fold."""
        items = read_items(X, y, groups=groups, stratify=self.stratify)
        self._check_sizes(items)
        return self._dealt(items, _splitters())

    def described(self) -> str:
        """Describe the design, for the recipe.

        Examples
        --------
        >>> five_by_two(seed=0).described()
        '5x2 stratified seed 0'
        """
        times = f"{self.repeats}x" if self.repeats > 1 else ""
        name = f"{times}{self.k}" if self.k == 2 and times else f"{times}{self.k}-fold"
        return self._described(name)

    def findings(self, X: Any, y: Any = None) -> tuple[Finding, ...]:
        """Return a remark on classes with fewer items than there are folds."""
        items = read_items(X, y, stratify=self.stratify)
        if items.classes is None:
            return ()
        sizes = np.bincount(items.classes.codes)
        rare = listed([items.classes.names[i] for i in np.flatnonzero(sizes < self.k)])
        if not rare:
            return ()
        message = (
            f"some folds lack these classes, which have fewer items than there are "
            f"folds ({self.k}): {rare}."
        )
        return (Finding("LIK120", message),)

    def _check_sizes(self, items: SplitItems) -> None:
        n, what = items.dealt
        if n < self.k:
            message = f"{self.k} folds need at least {self.k} {what}; got {n}."
            raise InputError(message)
        if items.classes is not None:
            largest = int(np.bincount(items.classes.codes).max())
            if largest < self.k:
                message = (
                    f"{self.k} stratified folds need a class of at least {self.k} "
                    f"items; the largest has {largest}."
                )
                raise InputError(message, hint="Give stratify=False.")

    def _dealt(self, items: SplitItems, splitters: ModuleType) -> Iterator[Split]:
        seeds = np.random.SeedSequence(as_seed(self.seed))
        states = seeds.generate_state(self.repetitions)
        classes = None if items.classes is None else items.classes.codes
        groups = None if items.groups is None else items.groups.codes
        by_class = "" if classes is None else "Stratified"
        by_group = "" if groups is None else "Group"
        splitter = getattr(splitters, f"{by_class}{by_group}KFold")
        for state in states.tolist():
            dealer = splitter(self.k, shuffle=True, random_state=state)
            with warnings.catch_warnings():
                # Rare classes are a finding here.
                warnings.simplefilter("ignore", UserWarning)
                folds = list(dealer.split(np.empty(items.n), classes, groups))
            yield from folds


def k_fold(k: int = 10, *, stratify: Any = True, seed: RandomState = None) -> Folds:
    """Split into k folds, each of which tests once.

    Parameters
    ----------
    k
        The number of folds.
    stratify
        Whether, or by which labels, folds are even in classes.
    seed
        A seed, a generator, or None for a seed of its own.

    Examples
    --------
    >>> k_fold(5, seed=0).described()
    '5-fold stratified seed 0'
    """
    return Folds(k, stratify=stratify, seed=seed)


def repeated_k_fold(
    k: int = 10, repeats: int = 10, *, stratify: Any = True, seed: RandomState = None
) -> Folds:
    """Split into k folds several times.

    Parameters
    ----------
    k
        The number of folds.
    repeats
        The number of repetitions.
    stratify
        Whether, or by which labels, folds are even in classes.
    seed
        A seed, a generator, or None for a seed of its own.

    Examples
    --------
    >>> repeated_k_fold(seed=0).described()
    '10x10-fold stratified seed 0'
    """
    return Folds(k, repeats, stratify=stratify, seed=seed)


def five_by_two(*, stratify: Any = True, seed: RandomState = None) -> Folds:
    """Split into two folds five times.

    As Dietterich (1998, doi:10.1162/089976698300017197) did for his t-test.

    Parameters
    ----------
    stratify
        Whether, or by which labels, folds are even in classes.
    seed
        A seed, a generator, or None for a seed of its own.

    Examples
    --------
    >>> five_by_two(seed=0).get_n_splits()
    10
    """
    return Folds(2, 5, stratify=stratify, seed=seed)


def _splitters() -> ModuleType:
    try:
        from sklearn import model_selection
    except ImportError:
        message = "k folds are dealt by scikit-learn, which is not installed."
        hint = "pip install 'likelier[sklearn]', or use BlockedMx2, which needs none."
        raise SettingError(message, hint=hint) from None
    return cast("ModuleType", model_selection)
