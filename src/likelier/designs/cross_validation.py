"""k-fold, repeated k-fold and 5 x 2, dealt by scikit-learn."""

import warnings
from collections.abc import Iterator
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any, cast

import numpy as np

from likelier.designs.design import (
    Items,
    Split,
    Table,
    assignment_table,
    described,
    read_items,
    routing,
    whole_number,
)
from likelier.errors import InputError, SettingError
from likelier.findings import Finding
from likelier.formatting import listed
from likelier.streams import RandomState, as_seed


@dataclass(frozen=True, eq=False, repr=False)
class Folds:
    """Split into k folds, once or several times; each fold tests once.

    Parameters
    ----------
    k
        How many folds.
    repeats
        How many times.
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
    stratify: Any = field(default=True, kw_only=True)
    seed: RandomState = field(default=None, kw_only=True)
    drawn_seed: int | None = field(default=None, kw_only=True, repr=False)

    def __post_init__(self) -> None:
        whole_number(self.k, name="k", least=2)
        whole_number(self.repeats, name="repeats")
        if self.seed is None:
            object.__setattr__(self, "drawn_seed", as_seed(None))
        seed = self.drawn_seed if self.seed is None else as_seed(self.seed)
        object.__setattr__(self, "seed", seed)

    @property
    def seeded(self) -> bool:
        """Whether the seed was given, and not drawn."""
        return self.seed != self.drawn_seed

    @property
    def test_share(self) -> float:
        """Which share of the items is tested in one fold."""
        return 1 / self.k

    @property
    def test_per_train(self) -> float:
        """How many items are tested per item trained on."""
        return 1 / (self.k - 1)

    def get_n_splits(
        self,
        X: Any = None,  # noqa: ARG002, N803
        y: Any = None,  # noqa: ARG002
        groups: Any = None,  # noqa: ARG002
    ) -> int:
        """Give how many folds there are in all repetitions."""
        return int(self.k * self.repeats)

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
            What must stay together in one fold.
        """
        items = read_items(X, y, groups=groups, stratify=self.stratify)
        self._refuse_few(items)
        return self._dealt(items, _splitters())

    def assignments(
        self,
        X: Any,  # noqa: N803
        y: Any = None,
        groups: Any = None,
    ) -> Table:
        """Give the table of who is tested when: item, repetition, fold, role."""
        return assignment_table(self.split(X, y, groups), folds=int(self.k))

    def described(self) -> str:
        """Say what the design is, for the recipe.

        Examples
        --------
        >>> five_by_two(seed=0).described()
        '5x2 stratified seed 0'
        """
        times = f"{self.repeats}x" if self.repeats > 1 else ""
        name = f"{times}{self.k}" if self.k == 2 and times else f"{times}{self.k}-fold"
        return described(name, self.stratify, seed=as_seed(self.seed))

    def findings(
        self,
        X: Any,  # noqa: N803
        y: Any = None,
    ) -> tuple[Finding, ...]:
        """Remark classes with fewer items than there are folds."""
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

    def get_metadata_routing(self) -> Any:
        """Tell scikit-learn, where it routes metadata, that the groups are wanted."""
        return routing(self)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.described()})"

    def _refuse_few(self, items: Items) -> None:
        n = items.n if items.groups is None else len(items.groups.names)
        if n < self.k:
            what = "items" if items.groups is None else "groups"
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

    def _dealt(self, items: Items, splitters: ModuleType) -> Iterator[Split]:
        states = np.random.SeedSequence(as_seed(self.seed)).generate_state(
            int(self.repeats)
        )
        classes = None if items.classes is None else items.classes.codes
        groups = None if items.groups is None else items.groups.codes
        name = ("Stratified" if classes is not None else "") + (
            "Group" if groups is not None else ""
        )
        splitter = getattr(splitters, f"{name}KFold")
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
        How many folds.
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
        How many folds.
    repeats
        How many times.
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
