"""From columns of an engine, as Arrow, to outcomes; bad cells are located."""

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from likelier._typing import IntArray
from likelier.data.constructors import from_patterns, from_scores, from_sets
from likelier.data.item_examples import Naming, Texts
from likelier.data.number_constructors import from_numbers, from_probabilities
from likelier.data.outcomes import Outcomes
from likelier.data.rank_positions import from_ranked
from likelier.errors import InputError
from likelier.readers.cell_checks import (
    Check,
    CheckedColumn,
    check_labels,
    check_numbers,
    check_scores,
    check_sets,
    decimal_hint,
    numpy_of,
)
from likelier.readers.columns import Columns

_LOCATED = 5
# Rows without ids are looked at for examples as far as here: numbering them is slow.
NUMBERED = 50_000


class CellTable(Protocol):
    """Table of labels, scores or sets that can locate its cells."""

    @property
    def columns(self) -> Columns:
        """Part that each column plays."""

    def title(self, column: int | None) -> str:
        """Name a column in a message; or the table, for None."""

    def cells(self, column: int) -> Any:
        """Return a column row by row; None where the engine has no order of rows."""

    def locate(self, column: int, rows: Sequence[int]) -> list[str]:
        """Name the lines of a file, or the rows of a frame."""


def count_patterns(
    table: CellTable,
    patterns: Any,
    *,
    classes: Sequence[str] | None = None,
    ids: Naming | None = None,
    texts: Texts | None = None,
) -> Outcomes:
    """Turn distinct rows with counts into outcomes.

    Parameters
    ----------
    table
        The table they were counted in.
    patterns
        An Arrow table that begins with `Columns.grouped` and has the counts as ``n``.
    classes
        All classes there are.
    ids
        Names some items of rows of the patterns.
    texts
        Looks up the texts of some of these items.
    """
    columns = table.columns
    counts = numpy_of(patterns["n"].combine_chunks()).astype(np.int64)
    if counts.sum() == 0:
        message = f"There must be at least one item; {table.title(None)} has none."
        raise InputError(message)
    # Truth values are scores, but neither gold numbers nor probabilities.
    numbers = check_scores if columns.kind == "scores" else check_numbers
    checks = [numbers if columns.of_numbers else check_labels] * len(columns.cells)
    if columns.kind in ("probabilities", "ranks") and columns.gold is not None:
        checks[0] = check_labels
    if columns.cluster is not None:
        checks.append(check_labels)
    values = [
        _checked(check, patterns.column(i), counts, table=table, column=i)
        for i, check in enumerate(checks)
    ]
    cluster = None if columns.cluster is None else values.pop()
    about: dict[str, Any] = {
        "systems": columns.systems,
        "cluster": cluster,
        "ids": ids,
        "texts": texts,
    }
    if columns.kind == "scores":
        return from_scores(*values, counts=counts, **about)
    if columns.kind == "numbers":
        return from_numbers(*values, counts=counts, **about)
    if columns.kind == "probabilities":
        gold = None if columns.gold is None else values.pop(0)
        return from_probabilities(gold, *values, counts=counts, **about)
    if columns.kind == "ranks":
        return from_ranked(
            *values, counts=counts, systems=columns.systems, cluster=cluster
        )
    return from_patterns(values, counts, classes=classes, **about)


def count_sets(
    table: CellTable,
    columns: Sequence[list[Any]],
    *,
    cluster: Any = None,
    classes: Sequence[str] | None = None,
    ids: Naming | None = None,
    texts: Texts | None = None,
) -> Outcomes:
    """Turn one list of label sets per column, row by row, into outcomes."""
    ones = np.ones(len(columns[0]), dtype=np.int64)
    sets = []
    for i, values in enumerate(columns):
        checked = check_sets(values, title=table.title(i))
        if checked.bad.any():
            raise _bad_cells(checked, ones, table=table, column=i, rows=checked)
        sets.append(checked.values)
    groups = None
    if cluster is not None:
        groups = _checked(check_labels, cluster, ones, table=table, column=len(columns))
    return from_sets(
        *sets,
        systems=table.columns.systems,
        classes=classes,
        cluster=groups,
        ids=ids,
        texts=texts,
    )


def _checked(
    check: Check, values: Any, counts: IntArray, *, table: CellTable, column: int
) -> NDArray[Any]:
    """Return the values of a column, or refuse it and locate the bad ones."""
    title = table.title(column)
    checked = check(values, title=title)
    if not checked.bad.any():
        return checked.values
    cells = table.cells(column)
    rows = None if cells is None else check(cells, title=title)
    numbers = check is not check_labels
    bad = _bad_cells(
        checked,
        counts,
        table=table,
        column=column,
        rows=rows,
        content="a finite number" if numbers else "a label",
    )
    first = values[int(np.flatnonzero(checked.bad)[0])].as_py()
    raise InputError(bad.message, hint=decimal_hint(first) if numbers else None)


def _bad_cells(
    checked: CheckedColumn,
    counts: IntArray,
    *,
    table: CellTable,
    column: int,
    rows: CheckedColumn | None,
    content: str = "a label",
) -> InputError:
    total = int(counts[checked.bad].sum())
    items = "1 item has" if total == 1 else f"{total:,} items have"
    message = f"{table.title(column)} must have {content} for every item; {items} none"
    if rows is None:
        return InputError(f"{message}.")
    first = np.flatnonzero(rows.bad)[:_LOCATED].tolist()
    more = ", …" if total > _LOCATED else "."
    return InputError(f"{message}: {', '.join(table.locate(column, first))}{more}")
