"""Labels, sets and numbers of items, checked, as codes and arrays."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from likelier._typing import FloatArray, IntArray
from likelier.data.number_writing import has_fraction, same_numbers
from likelier.data.pattern_rows import distinct_numbers
from likelier.errors import InputError, SettingError
from likelier.formatting import listed

# Larger scores would overflow when they are added up and squared.
_LARGEST = 1e100
_INTEGER_HINT = "Turn the labels into strings or whole numbers first."


class Numbering(dict[Any, int]):
    """Numbers of distinct values, in order of appearance.

    Examples
    --------
    >>> Numbering().codes(["b", "a", "b"])
    array([0, 1, 0])
    """

    def __missing__(self, value: Any) -> int:
        number = self[value] = len(self)
        return number

    def codes(self, values: Iterable[Any]) -> IntArray:
        """Return the number of each value; new values get new numbers."""
        return np.fromiter(map(self.__getitem__, values), np.int64)


class LabelCodes(NamedTuple):
    """Labels of columns, codes (item, column), and what was rewritten.

    Where columns write the same numbers differently, `numbers` has the plain writing
    of each label, which became the label.
    """

    labels: tuple[str, ...]
    codes: IntArray
    numbers: Mapping[str, str]


def label_codes(
    columns: Sequence[ArrayLike],
    *,
    names: Sequence[str],
    classes: Sequence[str] | None = None,
) -> LabelCodes:
    """Return the labels of all columns in sorted order, and their codes.

    Parameters
    ----------
    columns
        Sequences of labels of equal length.
    names
        What to call the columns in messages.
    classes
        All labels that may occur, in order; those that occur, by default.

    Examples
    --------
    >>> label_codes([["b", "a"], ["b", "b"]], names=["gold", "first"]).codes
    array([[1, 1],
           [0, 1]], dtype=uint8)
    >>> label_codes([["1", "0"], ["1.0", "0.0"]], names=["gold", "first"]).labels
    ('0', '1')
    """
    numbered = [_numbered(c, name=n) for c, n in zip(columns, names, strict=True)]
    check_lengths([len(codes) for _, codes in numbered], names)
    parts = [part for part, _ in numbered]
    named = _class_texts(classes)
    numbers = _label_numbers(parts if named is None else [*parts, named])
    if numbers:
        parts = [[numbers[label] for label in part] for part in parts]
        named = None if named is None else [numbers[label] for label in named]
    labels = _ordered({label for part in parts for label in part}, named)
    index = {label: i for i, label in enumerate(labels)}
    # Small numbers, column by column, are several times as fast to count.
    table = np.empty(
        (len(numbered[0][1]), len(numbered)), np.min_scalar_type(len(labels)), order="F"
    )
    for part, (_, codes), out in zip(parts, numbered, table.T, strict=True):
        np.take(np.array([index[label] for label in part], table.dtype), codes, out=out)
    return LabelCodes(tuple(labels), table, numbers)


def _label_numbers(parts: Sequence[Sequence[str]]) -> dict[str, str]:
    """Return the plain numbers of labels that are written differently, if any are.

    Fractions are labels only where the gold labels have some: else they would be
    probabilities.
    """
    numbers = same_numbers([dict.fromkeys(part) for part in parts])
    gold = {numbers[label] for label in parts[0]} if numbers else set()
    if has_fraction(numbers.values()) and not has_fraction(gold):
        return {}
    return numbers


def _class_texts(classes: Sequence[str] | None) -> list[str] | None:
    """Write the classes as text; they must be different."""
    if classes is None:
        return None
    texts = [label_text(label, "classes", row) for row, label in enumerate(classes)]
    if len(set(texts)) < len(texts):
        message = f"classes must be different; got {listed(texts)}."
        raise InputError(message)
    return texts


def _ordered(labels: set[str], ordered: list[str] | None) -> list[str]:
    """Return the classes in their order, which must hold all labels; else sort."""
    if ordered is None:
        return sorted(labels)
    extra = sorted(labels - set(ordered))
    if extra:
        message = f"classes must hold every label of the data; missing {listed(extra)}."
        raise InputError(message)
    return ordered


def check_lengths(lengths: Sequence[int], names: Sequence[str]) -> None:
    """Refuse columns of unequal length, and columns without items."""
    if len(set(lengths)) > 1:
        text = ", ".join(f"{n} has {k}" for n, k in zip(names, lengths, strict=True))
        message = f"All columns must have the same number of items; {text}."
        raise InputError(message)
    if not lengths or lengths[0] == 0:
        message = "There must be at least one item; got none."
        raise InputError(message)


class Clusters(NamedTuple):
    """Clusters of items: the number of each item's cluster, and names by number.

    Without clusters there are no numbers.
    """

    codes: IntArray | None = None
    names: Sequence[str] = ()

    @classmethod
    def of(cls, cluster: ArrayLike | None, n: int) -> "Clusters":
        """Assign numbers to the clusters of n items, where there are any."""
        if cluster is None:
            return cls()
        names, codes, _ = label_codes([cluster], names=["cluster"])
        check_lengths([len(codes), n], ["cluster", "the table"])
        return cls(codes[:, 0].astype(np.int64), names)

    @property
    def name_of(self) -> Callable[[int], str] | None:
        """Function from an item's index to the name of its cluster, if there is any."""
        codes = self.codes
        return None if codes is None else lambda index: self.names[codes[index]]


def different_names(
    names: Sequence[str], count: int, *, setting: str
) -> tuple[str, ...]:
    """Return the names that a setting lists, which must be so many different ones."""
    texts = tuple(map(str, names))
    if len(texts) != count or len(set(texts)) != count:
        message = f"{setting} must be {count} different names; got {listed(texts)}."
        raise SettingError(message)
    return texts


def _numbered(column: ArrayLike, *, name: str) -> tuple[list[str], IntArray]:
    """Return labels as text, which may repeat, and the code of each item."""
    if isinstance(column, str | list | tuple):
        return _numbered_items(list(column), name=name)
    values = np.asarray(column)
    if values.ndim != 1:
        message = f"{name} must hold one label per item; got shape {values.shape}."
        raise InputError(message, hint="For sets of labels use Outcomes.from_sets.")
    if values.dtype.kind == "f":
        values = _whole_numbers(values, name=name)
    if values.dtype.kind in "biu":
        numbers, codes = distinct_numbers(values)
        return [label_text(number, name, 0) for number in numbers], codes
    if values.dtype.kind == "U":
        texts, codes = np.unique(values, return_inverse=True)
        return texts.tolist(), codes
    return _numbered_items(values.tolist(), name=name)


def _numbered_items(items: list[Any], *, name: str) -> tuple[list[str], IntArray]:
    # Not through numpy, which would strip NUL characters and turn True into "True".
    # Types are part of the key, since 1 == True.
    texts = all(issubclass(kind, str) for kind in set(map(type, items)))
    keys = items if texts else [(type(item), item) for item in items]
    try:
        codes = Numbering().codes(keys)
    except TypeError as error:
        message = f"{name} must hold one label per item; {error}."
        raise InputError(message, hint="Outcomes.from_sets takes sets.") from error
    # Codes rise by one where a label appears for the first time.
    first = np.flatnonzero(np.diff(np.maximum.accumulate(codes), prepend=-1))
    return [label_text(items[row], name, row) for row in first.tolist()], codes


def _whole_numbers(values: NDArray[Any], *, name: str) -> IntArray:
    missing = np.flatnonzero(np.isnan(values))
    if missing.size:
        raise missing_label(name, *missing.tolist())
    if (values != np.floor(values)).any() or (np.abs(values) > 2**53).any():
        message = f"{name} must hold labels; got numbers with fractions."
        raise InputError(message, hint=_INTEGER_HINT)
    return values.astype(np.int64)


def label_text(value: object, name: str, row: int) -> str:
    """Write one label as text; refuse what cannot be a label.

    Examples
    --------
    >>> label_text(True, "gold", 0), label_text(1.0, "gold", 0)
    ('true', '1')
    """
    if isinstance(value, str):
        return value
    if isinstance(value, bool | np.bool_):
        return str(value).lower()  # as JSON writes it
    if isinstance(value, int | np.integer):
        return str(value)
    if is_missing(value):
        raise missing_label(name, row)
    if isinstance(value, float | np.floating) and value.is_integer():
        return str(int(value))
    message = f"{name} must hold strings or whole numbers; item {row} is {value!r}."
    raise InputError(message, hint=_INTEGER_HINT)


def is_missing(value: object) -> bool:
    """Return whether a value is None, pandas' NA or NaN, which is not equal to itself.

    Examples
    --------
    >>> is_missing(float("nan")), is_missing("nan"), is_missing((1, 2))
    (True, False, False)
    """
    if value is None or type(value).__name__ in ("NAType", "NaTType"):
        return True
    # Arrays compare cell by cell; plain numbers and texts need no look at that.
    plain = isinstance(value, str | int | float)
    scalar = plain or np.ndim(np.asarray(value, dtype=object)) == 0
    return scalar and bool(value != value)


def missing_label(name: str, *rows: int) -> InputError:
    """Build the error for items that have no label."""
    message = (
        f"{name} must have a label for every item; missing at item {listed(rows)}."
    )
    return InputError(message)


def score_columns(columns: Sequence[ArrayLike], *, names: Sequence[str]) -> FloatArray:
    """Return finite numbers (item, system); refuse NaN and infinities by their row."""
    arrays = [_numbers(c, name=n) for c, n in zip(columns, names, strict=True)]
    check_lengths([len(a) for a in arrays], names)
    for name, array in zip(names, arrays, strict=True):
        bad = np.flatnonzero(~(np.abs(array) < _LARGEST))
        if bad.size:
            message = (
                f"scores of {name} must be finite numbers, below 1e100; "
                f"item {bad[0]} is {array[bad[0]]}."
            )
            raise InputError(message)
    return np.column_stack(arrays) + 0.0  # -0.0 and 0.0 are one score


def _numbers(column: ArrayLike, *, name: str) -> FloatArray:
    try:
        values = np.asarray(column, dtype=np.float64)
    except (TypeError, ValueError) as error:
        message = f"scores of {name} must be numbers; {error}."
        raise InputError(message) from error
    if values.ndim != 1:
        message = f"scores of {name} must be one per item; got shape {values.shape}."
        raise InputError(message)
    return values


class LabelSets(NamedTuple):
    """Sets of labels of columns.

    Attributes
    ----------
    classes
        All labels, in order.
    sets
        The distinct sets, as positions of their labels; sorted as rows of indicators.
    codes
        Set of each item (item, column).
    fixed
        Whether the input says which classes there are.
    """

    classes: tuple[str, ...]
    sets: list[tuple[int, ...]]
    codes: IntArray
    fixed: bool


def label_sets(
    columns: Sequence[Any],
    *,
    names: Sequence[str],
    classes: Sequence[str] | None = None,
) -> LabelSets:
    """Return the sets of labels of all columns, each distinct one once.

    Examples
    --------
    >>> label_sets([[{"x"}, {"x", "y"}], [{"x"}, {"y"}]], names=["gold", "first"]).sets
    [(1,), (0,), (0, 1)]
    """
    if any(is_matrix(c) for c in columns):
        ordered, rows = _matrix_rows(columns, names=names, classes=classes)
        return LabelSets(ordered, *_distinct_sets(rows), True)
    sets = [
        [label_set(value, name, row) for row, value in enumerate(column)]
        for column, name in zip(columns, names, strict=True)
    ]
    check_lengths([len(s) for s in sets], names)
    labels = {label for column in sets for one in column for label in one}
    texts = _ordered(labels, _class_texts(classes))
    index = {label: i for i, label in enumerate(texts)}
    rows = [
        [tuple(sorted(map(index.__getitem__, one))) for one in column]
        for column in sets
    ]
    return LabelSets(tuple(texts), *_distinct_sets(rows), classes is not None)


def _distinct_sets(
    rows: Sequence[Sequence[tuple[int, ...]]],
) -> tuple[list[tuple[int, ...]], IntArray]:
    """Return the distinct sets, and the code of each (item, column)."""
    distinct = {one for column in rows for one in column}
    # Of two rows of indicators that one is less which lacks the first label they do
    # not share, as in an order by positions turned round.
    ordered = sorted(distinct, key=lambda one: [-position for position in one])
    code = {one: i for i, one in enumerate(ordered)}
    codes = [np.array([code[one] for one in column], dtype=np.int64) for column in rows]
    return ordered, np.column_stack(codes)


def is_matrix(column: object) -> bool:
    """Return whether a column is a matrix of indicators, not sets of labels.

    A list of rows is one where all have the same length and hold 0 and 1 only: a set
    of labels does not repeat any.
    """
    if not isinstance(column, list | tuple):
        return getattr(column, "ndim", 1) == 2
    if not column or not all(isinstance(row, list | tuple) for row in column):
        return False
    width, cells = len(column[0]), {(type(c), c) for row in column for c in row}
    flags = {(kind, kind(value)) for kind in (int, bool) for value in (0, 1)}
    return width > 1 and cells <= flags and all(len(row) == width for row in column)


def _matrix_rows(
    columns: Sequence[Any], *, names: Sequence[str], classes: Sequence[str] | None
) -> tuple[tuple[str, ...], list[list[tuple[int, ...]]]]:
    """Return the classes of matrices, and where each row is 1."""
    arrays = [np.asarray(c) if is_matrix(c) else np.empty(len(c)) for c in columns]
    check_lengths([len(a) for a in arrays], names)
    for name, array in zip(names, arrays, strict=True):
        if array.shape != arrays[0].shape or not np.isin(array, (0, 1)).all():
            message = f"{name} must be a matrix of 0 and 1 shaped as the gold labels."
            raise InputError(message)
    width = arrays[0].shape[1]
    labels = tuple(classes or (str(i) for i in range(width)))
    if len(set(labels)) != width:
        message = f"classes must name the {width} columns; got {listed(labels)}."
        raise InputError(message)
    return labels, [_positions(array) for array in arrays]


def _positions(matrix: NDArray[Any]) -> list[tuple[int, ...]]:
    """Return where each row of a matrix is 1."""
    row, column = np.nonzero(matrix)
    ends = np.searchsorted(row, np.arange(1, len(matrix)))
    return [tuple(part.tolist()) for part in np.split(column, ends)]


def label_set(value: object, name: str, row: int) -> list[str]:
    """Write the labels of one item as text; refuse what is no set of labels."""
    if isinstance(value, str) or not isinstance(value, Collection):
        message = f"{name} must hold a set of labels per item; item {row} is {value!r}."
        raise InputError(message, hint="A single label is a set of one: {'a'}.")
    labels = [label_text(label, name, row) for label in value]
    if len(set(labels)) < len(labels):
        message = (
            f"{name} must hold each label of an item once; item {row} is {value!r}."
        )
        raise InputError(message)
    return labels
