"""From counted patterns, as an engine gives them, to outcomes."""

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from likelier.data.constructors import from_patterns, from_scores, from_sets
from likelier.data.differing_items import Naming
from likelier.data.outcomes import Outcomes
from likelier.errors import InputError
from likelier.readers.cells import (
    Cells,
    Check,
    label_cells,
    number_cells,
    numpy_of,
    set_cells,
)
from likelier.readers.kinds import Roles

_SHOWN = 5


class Origin(Protocol):
    """Where the rows came from: to name what is wrong with them."""

    def name(self, place: int, /) -> str:
        """Tell the column at a place, as messages call it."""

    def rows(self, place: int, /) -> Any:
        """Give the column row by row; None where the engine has no order of rows."""

    def where(self, place: int, /, rows: Sequence[int]) -> list[str]:
        """Tell where the rows stand: lines of a file, rows of a frame."""


def counted_outcomes(
    roles: Roles,
    table: Any,
    *,
    origin: Origin,
    classes: Sequence[str] | None = None,
    ids: Naming | None = None,
) -> Outcomes:
    """Turn distinct rows with counts into outcomes.

    Parameters
    ----------
    roles
        What the columns are, in the order of `Roles.grouped`.
    table
        An Arrow table that begins with these columns and has the counts as ``n``.
    origin
        Who knows where a bad cell stands.
    classes
        All classes there are.
    ids
        Names some items of rows of the table.
    """
    counts = numpy_of(table["n"].combine_chunks()).astype(np.int64)
    if counts.sum() == 0:
        message = f"There must be at least one item; {origin.name(-1)} has none."
        raise InputError(message)
    check = number_cells if roles.kind == "scores" else label_cells
    columns = [
        _clean(check, table.column(i), counts, origin=origin, place=i)
        for i in range(len(roles.cells))
    ]
    cluster = None
    if roles.cluster is not None:
        place = len(roles.cells)
        cluster = _clean(
            label_cells, table.column(place), counts, origin=origin, place=place
        )
    if roles.kind == "scores":
        return from_scores(
            *columns, systems=roles.systems, counts=counts, cluster=cluster, ids=ids
        )
    return from_patterns(
        columns,
        counts,
        systems=roles.systems,
        classes=classes,
        cluster=cluster,
        ids=ids,
    )


def set_outcomes(
    roles: Roles,
    columns: Sequence[list[Any]],
    *,
    cluster: Any = None,
    origin: Origin,
    classes: Sequence[str] | None = None,
    ids: Naming | None = None,
) -> Outcomes:
    """Turn one list of label sets per column into outcomes."""
    ones = np.ones(len(columns[0]), dtype=np.int64)
    sets = []
    for i, values in enumerate(columns):
        cells = set_cells(values, name=origin.name(i))
        _refuse_bad(cells, ones, origin=origin, place=i, rows=cells)
        sets.append(cells.values)
    groups = None
    if cluster is not None:
        place = len(columns)
        groups = _clean(label_cells, cluster, ones, origin=origin, place=place)
    return from_sets(
        *sets, systems=roles.systems, classes=classes, cluster=groups, ids=ids
    )


def _clean(
    check: Check,
    column: Any,
    counts: NDArray[np.int64],
    *,
    origin: Origin,
    place: int,
) -> NDArray[Any]:
    """Give the values of a column, or tell where the bad ones stand."""
    name = origin.name(place)
    cells = check(column, name=name)
    if cells.bad.any():
        rows = origin.rows(place)
        found = None if rows is None else check(rows, name=name)
        _refuse_bad(cells, counts, origin=origin, place=place, rows=found, check=check)
    return cells.values


def _refuse_bad(
    cells: Cells,
    counts: NDArray[np.int64],
    *,
    origin: Origin,
    place: int,
    rows: Cells | None,
    check: Check = label_cells,
) -> None:
    if not cells.bad.any():
        return
    total = int(counts[cells.bad].sum())
    what = "a finite number" if check is number_cells else "a label"
    message = f"{origin.name(place)} must have {what} for every item; "
    if rows is None:
        message += f"{_many(total)} not."
    else:
        first = np.flatnonzero(rows.bad)[:_SHOWN].tolist()
        message += f"{_many(total)} not: {', '.join(origin.where(place, first))}"
        message += ", …" if total > _SHOWN else "."
    raise InputError(message)


def _many(total: int) -> str:
    return "1 item has" if total == 1 else f"{total:,} items have"
