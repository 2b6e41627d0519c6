"""What all designs have in common: splits, and the table of who is tested when."""

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from likelier.designs.inputs import IntArray, is_flag

Split = tuple[IntArray, IntArray]
Table = NDArray[np.void]

_ROW = np.dtype(
    [("item", np.int64), ("repetition", np.int32), ("fold", np.int32), ("role", "U5")]
)


class Design(Protocol):
    """How data are split; every design is a scikit-learn splitter, too."""

    @property
    def test_share(self) -> float:
        """Which share of the items is tested in one fold."""

    @property
    def test_per_train(self) -> float:
        """How many items are tested per item trained on."""

    def split(
        self,
        X: Any,  # noqa: N803
        y: Any = None,
        groups: Any = None,
    ) -> Iterator[Split]:
        """Give the positions of training and test items, fold by fold."""

    def get_n_splits(
        self,
        X: Any = None,  # noqa: N803
        y: Any = None,
        groups: Any = None,
    ) -> int:
        """Give how many folds there are in all repetitions."""

    def assignments(
        self,
        X: Any,  # noqa: N803
        y: Any = None,
        groups: Any = None,
    ) -> Table:
        """Give the table of who is tested when."""

    def described(self) -> str:
        """Say what the design is, for the recipe."""


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
        What the item is in that fold: test, or in a single split train, dev or test.
    """

    item: int
    repetition: int
    fold: int
    role: str


def assignment_table(splits: Iterable[Split], *, folds: int) -> Table:
    """Turn the splits of whole repetitions into the table of who is tested when.

    Parameters
    ----------
    splits
        Training and test positions, fold by fold.
    folds
        How many folds make a repetition.
    """
    tested = [test for _, test in splits]
    sizes = [len(test) for test in tested]
    table = np.empty(sum(sizes), dtype=_ROW)
    number = np.repeat(np.arange(len(tested)), sizes)
    table["item"] = np.concatenate(tested)
    table["repetition"], table["fold"] = number // folds + 1, number % folds + 1
    table["role"] = "test"
    return table[np.lexsort([table["item"], table["repetition"]])]


def role_table(roles: NDArray[np.str_]) -> Table:
    """Make the table of a single split."""
    table = np.empty(len(roles), dtype=_ROW)
    table["item"] = np.arange(len(roles))
    table["repetition"], table["fold"], table["role"] = 1, 1, roles
    return table


def assignment_rows(
    design: Design, data: Any, y: Any = None, groups: Any = None
) -> Iterator[Row]:
    """Give who is tested when, repetition by repetition and item by item.

    Use this to write a design down for tools that train elsewhere.

    Parameters
    ----------
    design
        How to split.
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


def described(name: str, stratify: Any, *, seed: int) -> str:
    """Say what a design is, for the recipe."""
    by_class = not is_flag(stratify) or bool(stratify)
    return f"{name} {'stratified' if by_class else 'unstratified'} seed {seed}"


def routing(design: object) -> Any:
    """Tell scikit-learn, where it routes metadata, that a design wants the groups."""
    from sklearn.utils.metadata_routing import MetadataRequest

    request = MetadataRequest(owner=type(design).__name__)
    request.split.add_request(param="groups", alias=True)
    return request
