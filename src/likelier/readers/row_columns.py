"""Columns of rows that were read: names with codes, numbers, labels; errors located."""

import re
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from likelier._typing import BoolArray, FloatArray, IntArray
from likelier.errors import InputError
from likelier.readers.cell_checks import (
    check_labels,
    check_scores,
    decimal_hint,
    decoded,
    numpy_of,
)
from likelier.readers.item_ids import id_title, joined_texts
from likelier.readers.item_rows import RowSource

_LOCATED = 5


class Names(NamedTuple):
    """Different texts of a column, and the number of the text of each row."""

    texts: NDArray[Any]
    codes: IntArray

    @property
    def column(self) -> Any:
        """The texts of all rows, as an Arrow array."""
        texts = pa.array(self.texts.tolist(), pa.large_string())
        return texts.take(pa.array(self.codes))

    def of(self, rows: IntArray) -> list[str]:
        """Return the texts of some rows."""
        codes = self.codes[rows]
        # Most logs have all items, in one order.
        every = np.array_equal(codes, np.arange(len(self.texts)))
        return list((self.texts if every else self.texts[codes]).tolist())


class RowColumns:
    """Columns of a table, read in one pass.

    Parameters
    ----------
    source
        The table.
    columns
        The columns to read.
    numbers
        Those that become numbers.
    """

    def __init__(
        self, source: RowSource, columns: Sequence[str], numbers: Sequence[str]
    ) -> None:
        self.source = source
        cells = source.load(columns, numbers)
        self._cells = dict(zip(columns, map(decoded, cells), strict=True))
        self.n_rows = len(cells[0])

    def names(self, column: str) -> Names:
        """Return a column of names; none of them may be missing."""
        cells, title = self._cells[column], self._title(f"Column {column!r}")
        missing = _missing(cells)
        if missing.any():
            raise self._bad(missing, f"{title} must have a value in every row")
        try:
            encoded = cells.dictionary_encode()
        except pa.ArrowNotImplementedError:
            encoded = None
        if encoded is None or pa.types.is_nested(cells.type):
            check_labels(cells, title=title)  # raises: it has no spelling
        texts = check_labels(encoded.dictionary, title=title).values
        return Names(texts, numpy_of(encoded.indices).astype(np.int64))

    def ids(self, columns: Sequence[str]) -> Names:
        """Return the ids of rows, which one column has, or several together."""
        parts = [self.names(column) for column in columns]
        if len(parts) == 1:
            return parts[0]
        encoded = joined_texts([part.column for part in parts]).dictionary_encode()
        texts = np.array(encoded.dictionary.to_pylist(), dtype=object)
        return Names(texts, numpy_of(encoded.indices).astype(np.int64))

    def whole_numbers(self, column: str) -> IntArray:
        """Return a column of whole numbers; none of them may be missing."""
        texts, codes = self.names(column)
        try:
            numbers = np.array([int(text) for text in texts], dtype=np.int64)
        except (ValueError, OverflowError):
            wrong = np.array([not re.fullmatch(r"-?\d{1,18}", t) for t in texts])
            title = self._title(f"Column {column!r}")
            raise self._bad(
                wrong[codes], f"{title} must hold whole numbers", column
            ) from None
        return numbers[codes]

    def scores(self, column: str) -> FloatArray:
        """Return a column of numbers, NaN where one is missing; truth values are 1, 0.

        Raises
        ------
        InputError
            If a cell is something else, or infinite.
        """
        cells, title = self._cells[column], self._title(f"Column {column!r}")
        missing = _missing(cells)
        filled = cells.filter(pa.array(~missing)) if missing.any() else cells
        values = np.full(self.n_rows, np.nan)
        checked = check_scores(filled, title=title)
        values[~missing] = checked.values
        bad = np.zeros(self.n_rows, bool)
        bad[~missing] = checked.bad
        if bad.any():
            raise self._bad(bad, f"{title} must have finite numbers", column)
        return values

    def labels(self, column: str) -> list[str | None]:
        """Return a column of labels, None where one is missing."""
        title = self._title(f"Column {column!r}")
        return list(check_labels(self._cells[column], title=title).values.tolist())

    def doubled(self, rows: Sequence[int], parts: Sequence[str], about: str) -> str:
        """Say that rows are about the same item."""
        lines = ", ".join(self.source.locate(rows[:_LOCATED]))
        title = self._title(id_title(parts))
        return f"{title} must have each item once{about}; twice: {lines}"

    def _title(self, column: str) -> str:
        return f"{column} of {self.source.file.name}"

    def _bad(self, bad: BoolArray, must: str, column: str | None = None) -> InputError:
        rows = np.flatnonzero(bad)
        lines = ", ".join(self.source.locate(rows[:_LOCATED].tolist()))
        more = ", …" if len(rows) > _LOCATED else ""
        have = f"{len(rows):,} of {self.n_rows:,} have none"
        if column is None:
            return InputError(f"{must}; {have}: {lines}{more}.")
        first = str(self._cells[column][int(rows[0])].as_py())
        message = f"{must}; {have}: {lines}{more} (the first is {first!r})."
        return InputError(message, hint=decimal_hint(first))


def _missing(cells: Any) -> BoolArray:
    if not cells.null_count and not pa.types.is_floating(cells.type):
        return np.zeros(len(cells), dtype=bool)
    return numpy_of(pc.is_null(cells, nan_is_null=True).cast(pa.uint8())).astype(bool)
