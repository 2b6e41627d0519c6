"""Axes of the rows of a table: the log, item and repeat of each."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from likelier._typing import IntArray
from likelier.errors import InputError
from likelier.formatting import listed
from likelier.readers.columns import doubled
from likelier.readers.item_rows import RowSource
from likelier.readers.row_columns import Names, RowColumns

# So many groups have numbers of 16 bits.
_FEW = 1 << 16
# Numbers are counted one by one up to so many times the rows.
_DENSE = 8
_HINT = "Name the column that tells them apart: --run, --repeat or --group."


class LogRows(NamedTuple):
    """Rows of one log."""

    rows: IntArray
    items: list[str]
    system: str
    task: str
    run: str | None
    repeats: list[int] | None


@dataclass(frozen=True)
class RowAxes:
    """Columns that say which log, item and repeat a row is of."""

    id: tuple[str, ...]
    group: str | None
    run: str | None
    repeat: str | None

    @property
    def names(self) -> list[str]:
        """All columns that there are."""
        others = (self.group, self.run, self.repeat)
        return [*self.id, *(name for name in others if name is not None)]

    def load(
        self,
        source: RowSource,
        cells: Sequence[str],
        numbers: Sequence[str],
        *,
        cluster: str | None,
    ) -> RowColumns:
        """Read these columns, those of cells, and clusters, which may be any of them.

        Parameters
        ----------
        source
            The table.
        cells, numbers
            Columns of texts and of scores.
        cluster
            The column of clusters, if there is one.
        """
        names = [*self.names, *cells, *numbers]
        if doubled(names):
            twice = listed(doubled(names))
            message = f"A column must have one part only; {twice} has several."
            raise InputError(message)
        further = [] if cluster is None else [cluster]
        scores = [name for name in numbers if name != cluster]
        return RowColumns(source, list(dict.fromkeys([*names, *further])), scores)

    def parts(self, columns: RowColumns, system: Names | None) -> Iterator[LogRows]:
        """Yield the rows of each system, group and run, in the order of the table."""
        ids = columns.ids(self.id) if self.id else _numbered(columns.n_rows)
        one = Names(np.array([None], dtype=object), np.zeros(columns.n_rows, np.int64))
        group, run = (columns.names(n) if n else one for n in (self.group, self.run))
        repeats = columns.whole_numbers(self.repeat) if self.repeat else None
        keys = (system or one, group, run)
        for rows in _grouped(keys, columns.n_rows):
            names = [key.texts[key.codes[rows[0]]] for key in keys]
            own = None if repeats is None else repeats[rows]
            self._check_once(columns, rows, ids.codes[rows], own, names)
            yield LogRows(
                rows,
                ids.of(rows),
                str(names[0]),
                columns.source.stem if names[1] is None else str(names[1]),
                names[2],
                None if own is None else own.tolist(),
            )

    def _check_once(
        self,
        columns: RowColumns,
        rows: IntArray,
        codes: IntArray,
        repeats: IntArray | None,
        names: Sequence[str | None],
    ) -> None:
        """Refuse two rows of one item, unless they are different repeats."""
        if repeats is not None:
            _, numbers = np.unique(repeats, return_inverse=True)
            codes = codes * (numbers.max() + 1) + numbers
        if codes.max() < _DENSE * len(codes) and np.bincount(codes).max() == 1:
            return
        order = np.argsort(codes, kind="stable")
        same = np.flatnonzero(np.diff(codes[order]) == 0)
        if not same.size:
            return
        code = codes[order[same[0]]]
        twice = rows[codes == code].tolist()
        about = ", ".join(repr(name) for name in names if name is not None)
        about = f" for {about}" if about else ""
        hint = _HINT if repeats is None else "Or is a repeat numbered twice?"
        more = f", and {same.size - 1:,} more" if same.size > 1 else ""
        message = f"{columns.doubled(twice, self.id, about)}{more}."
        raise InputError(message, hint=hint)


def _numbered(n_rows: int) -> Names:
    texts = np.array([str(row) for row in range(1, n_rows + 1)], dtype=object)
    return Names(texts, np.arange(n_rows))


def _grouped(keys: Sequence[Names], n_rows: int) -> list[IntArray]:
    """Return the rows of each combination of names, in the order of the first ones."""
    codes, total = np.zeros(n_rows, np.int64), 1
    for key in keys:
        codes = codes * len(key.texts) + key.codes
        total *= len(key.texts)
    if total > _FEW:
        _, codes = np.unique(codes, return_inverse=True)
    # Short numbers are sorted in linear time.
    short = codes.astype(np.min_scalar_type(total - 1)) if total <= _FEW else codes
    order = np.argsort(short, kind="stable")
    sizes = np.bincount(codes)
    groups = np.split(order, np.cumsum(sizes[sizes > 0])[:-1])
    return sorted(groups, key=lambda rows: int(rows[0]))
