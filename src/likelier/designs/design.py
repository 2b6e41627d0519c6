"""Design: splits of items, the table of who is tested when, checked inputs."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol, cast

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from likelier._typing import IntArray
from likelier.errors import InputError, SettingError

_NO_CLASSES = "Give stratify=False to leave it out, or bins of it as stratify=."


class Coded(NamedTuple):
    """One label per item, as a number, and the labels' names."""

    codes: IntArray
    names: tuple[str, ...]


class Units(NamedTuple):
    """A bag of units per item: counts (item, unit), and the units' names."""

    matrix: sparse.csr_array
    names: Sequence[object]


@dataclass(frozen=True)
class Items:
    """What is dealt out, and what must come out even."""

    n: int
    classes: Coded | None = None
    units: Units | None = None
    groups: Coded | None = None


def read_items(
    data: Any,
    y: Any = None,
    *,
    groups: Any = None,
    units: Any = None,
    stratify: Any = True,
) -> Items:
    """Check what a design is given.

    Parameters
    ----------
    data
        The items, or how many there are, or nothing where there are labels.
    y
        The items' labels.
    groups
        What must stay together: one document, speaker or passage per item.
    units
        A bag of units per item.
    stratify
        True for the labels in ``y``, False for none, or the labels themselves.
    """
    n = count_items(data, y)
    name = "y" if is_flag(stratify) else "stratify"
    labels = (y if stratify else None) if name == "y" else stratify
    return Items(
        n,
        None if labels is None else label_codes(labels, n, name=name, classes=True),
        None if units is None else unit_counts(units, n),
        None if groups is None else label_codes(groups, n, name="groups"),
    )


def whole_number(number: Any, *, name: str, least: int = 1) -> int:
    """Check a whole number."""
    whole = isinstance(number, int | np.integer) and not isinstance(number, bool)
    if not whole or number < least:
        message = f"{name} must be a whole number of at least {least}; got {number!r}."
        raise SettingError(message)
    return int(number)


def is_flag(stratify: Any) -> bool:
    """Tell yes and no apart from labels."""
    return stratify is None or isinstance(stratify, bool | np.bool_)


def count_items(data: Any, y: Any = None) -> int:
    """Count the items of a table, a list or a sparse matrix, or take their number."""
    source = y if data is None else data
    if isinstance(source, int | np.integer) and not isinstance(source, bool):
        return whole_number(source, name="the number of items", least=0)
    shape = getattr(source, "shape", None)
    if shape:
        return int(shape[0])
    try:
        return len(source)
    except TypeError:
        message = f"The items must be a table, a list or a number; got {source!r}."
        raise InputError(message) from None


def label_codes(labels: Any, n: int, *, name: str, classes: bool = False) -> Coded:
    """Give labels numbers; a label may be text, a whole number or anything else."""
    column = _column(labels, n, name=name)
    if column.dtype.kind in "biuf":
        if column.dtype.kind == "f":
            _refuse_numbers(column, name=name, classes=classes)
        values, codes = np.unique(column, return_inverse=True)
        return Coded(codes.astype(np.int64), tuple(map(str, values.tolist())))
    numbers: dict[Any, int] = {}
    listed = column.tolist()
    coded = [numbers.setdefault(label, len(numbers)) for label in listed]
    _refuse_odd(numbers, coded, name=name, classes=classes)
    return Coded(np.array(coded, dtype=np.int64), tuple(map(str, numbers)))


def _column(labels: Any, n: int, *, name: str) -> NDArray[Any]:
    try:
        column = np.asarray(labels)
        if column.dtype.kind in "USO" and not hasattr(labels, "dtype"):
            # An array of text would turn a missing label into a label, "nan".
            column = np.fromiter(labels, dtype=object)
    except ValueError:
        column = np.empty((0, 0))
    if column.ndim != 1:
        message = f"{name} must be a list of one label per item; got {_shown(labels)}."
        hint = "Give several labels per item as units=." if name == "y" else None
        raise InputError(message, hint=hint)
    if len(column) != n:
        message = f"{name} must have one label per item: {n}; got {len(column)}."
        raise InputError(message)
    return column


def _shown(labels: Any) -> str:
    return repr(labels) if isinstance(labels, str | int | float) else "a table"


def _refuse_numbers(column: NDArray[Any], *, name: str, classes: bool) -> None:
    missing = np.flatnonzero(np.isnan(column))
    if len(missing):
        raise _missing(name, int(missing[0]))
    broken = np.flatnonzero(column != np.floor(column))
    if classes and len(broken):
        raise _continuous(name, int(broken[0]), float(column[broken[0]]))


def _refuse_odd(
    numbers: Mapping[Any, int], codes: list[int], *, name: str, classes: bool
) -> None:
    for label, code in numbers.items():
        if _is_missing(label):
            raise _missing(name, codes.index(code))
        if classes and isinstance(label, float) and not label.is_integer():
            raise _continuous(name, codes.index(code), label)


def _is_missing(label: Any) -> bool:
    if label is None or type(label).__name__ in ("NAType", "NaTType"):
        return True
    return isinstance(label, float) and label != label


def _missing(name: str, item: int) -> InputError:
    message = f"{name} must have a label for every item; item {item} has none."
    return InputError(message)


def _continuous(name: str, item: int, value: float) -> InputError:
    message = f"{name} must have class labels to stratify on; item {item} has {value}."
    return InputError(message, hint=_NO_CLASSES)


def unit_counts(units: Any, n: int) -> Units:
    """Count units per item.

    Parameters
    ----------
    units
        A sparse matrix or an array of counts (item, unit); or per item a mapping of
        units to counts, a list of units, or a single unit.
    n
        How many items there are.
    """
    if sparse.issparse(units) or getattr(units, "ndim", 1) == 2:
        return _from_matrix(units, n)
    bags = list(units)
    if len(bags) != n:
        message = f"units must have one bag per item: {n}; got {len(bags)}."
        raise InputError(message)
    if not any(isinstance(bag, Mapping | list | tuple | set) for bag in bags):
        coded = label_codes(units, n, name="units")
        return Units(one_hot(coded), coded.names)
    return _from_bags(bags)


def one_hot(coded: Coded) -> sparse.csr_array:
    """Give labels as a matrix of ones (item, label)."""
    n = len(coded.codes)
    shape = n, len(coded.names)
    ends = np.arange(n + 1)
    return sparse.csr_array((np.ones(n), coded.codes, ends), shape=shape)


def _from_matrix(units: Any, n: int) -> Units:
    try:
        given: Any = units if sparse.issparse(units) else np.asarray(units, float)
        matrix: sparse.csr_array = sparse.csr_array(given, copy=True).astype(
            float, copy=False
        )
    except (TypeError, ValueError):
        raise _bad_counts() from None
    if matrix.shape[0] != n:
        message = f"units must have one row per item: {n}; got {matrix.shape[0]}."
        raise InputError(message)
    return Units(_checked(matrix), range(matrix.shape[1]))


def _from_bags(bags: list[Any]) -> Units:
    numbers: dict[Any, int] = {}
    columns: list[int] = []
    counts: list[Any] = []
    ends = [0]
    for bag in bags:
        counted = _counted(bag)
        columns.extend(numbers.setdefault(unit, len(numbers)) for unit in counted)
        counts.extend(counted.values())
        ends.append(len(columns))
    try:
        data = np.array(counts, dtype=np.float64)
    except (TypeError, ValueError):
        raise _bad_counts() from None
    shape = len(bags), len(numbers)
    matrix = sparse.csr_array((data, columns, ends), shape=shape)
    return Units(_checked(matrix), tuple(numbers))


def _counted(bag: Any) -> Mapping[Any, Any]:
    if isinstance(bag, Mapping):
        return bag
    if isinstance(bag, list | tuple | set):
        return Counter(cast("Iterable[Any]", bag))
    message = f"units must have a bag of units for every item; got {bag!r}."
    raise InputError(message)


def _checked(matrix: sparse.csr_array) -> sparse.csr_array:
    if not (np.isfinite(matrix.data) & (matrix.data >= 0)).all():
        raise _bad_counts()
    matrix.sum_duplicates()
    matrix.eliminate_zeros()
    return matrix


def _bad_counts() -> InputError:
    message = "units must have counts of at least 0, none of them missing or infinite."
    return InputError(message)


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
