"""Items to split, checked: their classes, groups and bags of units, as numbers."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from likelier._typing import IntArray
from likelier.data.encoding import Numbering, is_missing, missing_label
from likelier.errors import InputError, SettingError


class Coded(NamedTuple):
    """One label per item, as a number, and the labels' names."""

    codes: IntArray
    names: tuple[str, ...]


class Units(NamedTuple):
    """A bag of units per item: counts (item, unit), and the units' names."""

    matrix: sparse.csr_array
    names: Sequence[object]


@dataclass(frozen=True)
class SplitItems:
    """Items to split, and what must come out even."""

    n: int
    classes: Coded | None = None
    units: Units | None = None
    groups: Coded | None = None

    @property
    def dealt(self) -> tuple[int, str]:
        """The number of what is dealt out, and its name: items, or groups of them."""
        if self.groups is None:
            return self.n, "items"
        return len(self.groups.names), "groups"


def read_items(
    data: Any,
    y: Any = None,
    *,
    groups: Any = None,
    units: Any = None,
    stratify: Any = True,
) -> SplitItems:
    """Check the items that a design splits.

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
    n = _count_items(data, y)
    name = "y" if is_flag(stratify) else "stratify"
    labels = (y if stratify else None) if name == "y" else stratify
    return SplitItems(
        n,
        None if labels is None else _label_codes(labels, n, name=name, classes=True),
        None if units is None else _unit_counts(units, n),
        None if groups is None else _label_codes(groups, n, name="groups"),
    )


def whole_number(number: Any, *, name: str, least: int = 1) -> int:
    """Check a whole number."""
    whole = isinstance(number, int | np.integer) and not isinstance(number, bool)
    if not whole or number < least:
        message = f"{name} must be a whole number of at least {least}; got {number!r}."
        raise SettingError(message)
    return int(number)


def is_flag(stratify: Any) -> bool:
    """Return whether it says yes or no, and does not hold labels."""
    return stratify is None or isinstance(stratify, bool | np.bool_)


def _count_items(data: Any, y: Any = None) -> int:
    """Count the items of a table, a list or a sparse matrix; a number is itself."""
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


def _label_codes(labels: Any, n: int, *, name: str, classes: bool = False) -> Coded:
    """Return codes of labels: text, whole numbers or anything else."""
    column = _column(labels, n, name=name)
    if column.dtype.kind in "biuf":
        numbers, codes = np.unique(column, return_inverse=True)
        values = numbers.tolist()
    else:
        numbering = Numbering()
        codes = numbering.codes(column.tolist())
        values = list(numbering)
    missing = [code for code, label in enumerate(values) if is_missing(label)]
    if missing:
        raise missing_label(name, _first(codes, missing))
    broken = [code for code, label in enumerate(values) if _has_fraction(label)]
    if classes and broken:
        item = _first(codes, broken)
        message = (
            f"{name} must have class labels to stratify on; item {item} has "
            f"{values[codes[item]]}."
        )
        hint = "Give stratify=False to leave it out, or bins of it as stratify=."
        raise InputError(message, hint=hint)
    return Coded(codes.astype(np.int64), tuple(map(str, values)))


def _first(codes: IntArray, some: Sequence[int]) -> int:
    return int(np.flatnonzero(np.isin(codes, some))[0])


def _has_fraction(label: Any) -> bool:
    return isinstance(label, float) and not label.is_integer()


def _column(labels: Any, n: int, *, name: str) -> NDArray[Any]:
    try:
        column = np.asarray(labels)
        if column.dtype.kind in "USO" and not hasattr(labels, "dtype"):
            # An array of text would turn a missing label into a label, "nan".
            column = np.fromiter(labels, dtype=object)
    except ValueError:
        column = np.empty((0, 0))
    if column.ndim != 1:
        simple = isinstance(labels, str | int | float)
        text = repr(labels) if simple else "a table"
        message = f"{name} must be a list of one label per item; got {text}."
        hint = "Give several labels per item as units=." if name == "y" else None
        raise InputError(message, hint=hint)
    if len(column) != n:
        message = f"{name} must have one label per item: {n}; got {len(column)}."
        raise InputError(message)
    return column


def _unit_counts(units: Any, n: int) -> Units:
    """Count units per item.

    Parameters
    ----------
    units
        A sparse matrix or an array of counts (item, unit); or per item a mapping of
        units to counts, a list of units, or a single unit.
    n
        The number of items.
    """
    if sparse.issparse(units) or getattr(units, "ndim", 1) == 2:
        return _from_matrix(units, n)
    bags = list(units)
    if len(bags) != n:
        message = f"units must have one bag per item: {n}; got {len(bags)}."
        raise InputError(message)
    if not any(isinstance(bag, Mapping | list | tuple | set) for bag in bags):
        coded = _label_codes(units, n, name="units")
        return Units(one_hot(coded), coded.names)
    return _from_bags(bags)


def one_hot(coded: Coded) -> sparse.csr_array:
    """Return labels as a matrix of ones (item, label)."""
    n = len(coded.codes)
    shape = n, len(coded.names)
    ends = np.arange(n + 1)
    return sparse.csr_array((np.ones(n), coded.codes, ends), shape=shape)


def _from_matrix(units: Any, n: int) -> Units:
    try:
        counts: Any = units if sparse.issparse(units) else np.asarray(units, float)
        matrix = sparse.csr_array(counts, copy=True).astype(float, copy=False)
    except (TypeError, ValueError):
        raise _bad_counts() from None
    if matrix.shape[0] != n:
        message = f"units must have one row per item: {n}; got {matrix.shape[0]}."
        raise InputError(message)
    return Units(_checked(matrix), range(matrix.shape[1]))


def _from_bags(bags: list[Any]) -> Units:
    numbering = Numbering()
    columns: list[int] = []
    counts: list[Any] = []
    ends = [0]
    for bag in bags:
        counted = _counted(bag)
        columns.extend(map(numbering.__getitem__, counted))
        counts.extend(counted.values())
        ends.append(len(columns))
    try:
        data = np.array(counts, dtype=np.float64)
    except (TypeError, ValueError):
        raise _bad_counts() from None
    shape = len(bags), len(numbering)
    matrix = sparse.csr_array((data, columns, ends), shape=shape)
    return Units(_checked(matrix), tuple(numbering))


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
