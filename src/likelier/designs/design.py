"""Base of all designs, and the table of who is tested when."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from likelier._typing import IntArray
from likelier.designs.split_items import is_flag
from likelier.streams import RandomState, as_seed

Split = tuple[IntArray, IntArray]
AssignmentTable = NDArray[np.void]

_ROW = np.dtype(
    [("item", np.int64), ("repetition", np.int32), ("fold", np.int32), ("role", "U5")]
)


@dataclass(frozen=True, eq=False, repr=False)
class Design(ABC):
    """Splits of items into training and test items; a scikit-learn splitter, too.

    Parameters
    ----------
    stratify
        True: parts are even in the classes ``y``, where there are any. False: they
        need not be. Or labels, one per item, to use in place of ``y``.
    seed
        A seed, a generator, or None for a seed of its own. The seed is fixed when the
        design is made, so all calls and all copies of it split alike.
    """

    stratify: Any = field(default=True, kw_only=True)
    seed: RandomState = field(default=None, kw_only=True)
    drawn_seed: int | None = field(default=None, kw_only=True)

    def __post_init__(self) -> None:
        if self.seed is None:
            object.__setattr__(self, "drawn_seed", as_seed(None))
        seed = self.drawn_seed if self.seed is None else as_seed(self.seed)
        object.__setattr__(self, "seed", seed)

    @property
    def seeded(self) -> bool:
        """True where the seed was set, and not drawn."""
        return self.seed != self.drawn_seed

    @property
    def stratified(self) -> bool:
        """True where parts are to be even in classes."""
        return not is_flag(self.stratify) or bool(self.stratify)

    @property
    @abstractmethod
    def test_share(self) -> float:
        """The share of the items that is tested in one fold."""

    @property
    @abstractmethod
    def test_per_train(self) -> float:
        """The number of items tested per item trained on."""

    @property
    @abstractmethod
    def folds(self) -> int:
        """The number of folds of one repetition."""

    @property
    def repetitions(self) -> int:
        """The number of repetitions."""
        return 1

    def get_n_splits(
        self,
        X: Any = None,  # noqa: ARG002
        y: Any = None,  # noqa: ARG002
        groups: Any = None,  # noqa: ARG002
    ) -> int:
        """Return the number of folds in all repetitions."""
        return self.folds * self.repetitions

    @abstractmethod
    def split(self, X: Any, y: Any = None, groups: Any = None) -> Iterator[Split]:
        """Return the positions of training and test items, fold by fold.

        Parameters
        ----------
        X
            The items, or how many there are.
        y
            Their classes.
        groups
            What must stay together in one fold.
        """

    def assignments(self, X: Any, y: Any = None, groups: Any = None) -> AssignmentTable:
        """Return the table of who is tested when: item, repetition, fold, role."""
        return assignment_table(self.split(X, y, groups), folds=self.folds)

    @abstractmethod
    def described(self) -> str:
        """Describe the design, for the recipe."""

    def _described(self, name: str) -> str:
        kind = "stratified" if self.stratified else "unstratified"
        return f"{name} {kind} seed {self.seed}"

    def get_metadata_routing(self) -> Any:
        """Request the groups, where scikit-learn routes metadata."""
        from sklearn.utils.metadata_routing import MetadataRequest

        request = MetadataRequest(owner=type(self).__name__)
        request.split.add_request(param="groups", alias=True)
        return request


class Row(NamedTuple):
    """One line of the table of who is tested when.

    Attributes
    ----------
    item
        The item's position, counted from 0.
    repetition
        The repetition, counted from 1.
    fold
        The fold that tests the item, counted from 1.
    role
        The item's role in that fold: test, or in a single split train, dev or test.
    """

    item: int
    repetition: int
    fold: int
    role: str


def assignment_table(splits: Iterable[Split], *, folds: int) -> AssignmentTable:
    """Turn the splits of whole repetitions into the table of who is tested when.

    Parameters
    ----------
    splits
        Training and test positions, fold by fold.
    folds
        The number of folds of a repetition.
    """
    tested = [test for _, test in splits]
    sizes = [len(test) for test in tested]
    table = np.empty(sum(sizes), dtype=_ROW)
    number = np.repeat(np.arange(len(tested)), sizes)
    table["item"] = np.concatenate(tested)
    table["repetition"], table["fold"] = number // folds + 1, number % folds + 1
    table["role"] = "test"
    return table[np.lexsort([table["item"], table["repetition"]])]


def role_table(roles: NDArray[np.str_]) -> AssignmentTable:
    """Make the table of a single split."""
    table = np.empty(len(roles), dtype=_ROW)
    table["item"] = np.arange(len(roles))
    table["repetition"], table["fold"], table["role"] = 1, 1, roles
    return table


def assignment_rows(
    design: Design, data: Any, y: Any = None, groups: Any = None
) -> Iterator[Row]:
    """Return who is tested when, repetition by repetition and item by item.

    Use this to write a design down for tools that train elsewhere.

    Parameters
    ----------
    design
        The design.
    data
        The items, or how many there are.
    y
        The items' labels.
    groups
        What must stay together.

    Examples
    --------
    >>> from likelier.designs import BlockedMx2
    >>> rows = assignment_rows(BlockedMx2(1, seed=0), 4, ["a", "b", "a", "b"])
    >>> [(row.item, row.repetition, row.fold) for row in rows]
    [(0, 1, 2), (1, 1, 1), (2, 1, 1), (3, 1, 2)]
    """
    table = design.assignments(data, y, groups)
    columns = (table[name].tolist() for name in Row._fields)
    return map(Row, *columns)
