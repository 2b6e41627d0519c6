"""What was asked of files, where cells came from, and what is given back."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from likelier.data.differing_items import Naming
from likelier.data.outcomes import Outcomes
from likelier.errors import InputError
from likelier.findings import Finding
from likelier.readers.counted import counted_outcomes, set_outcomes
from likelier.readers.engine import fetch
from likelier.readers.examples import looked_up, named_patterns, named_rows
from likelier.readers.kinds import Roles
from likelier.readers.tables import Table


@dataclass(frozen=True)
class Reading:
    """Outcomes that a reader counted, with its remarks on the files."""

    outcomes: Outcomes

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Remarks on the files, which the outcomes carry."""
        return self.outcomes.findings


@dataclass(frozen=True)
class Wish:
    """What the caller asked for."""

    kind: str
    gold: str
    systems: Sequence[str] | None
    id: str | None
    label: str | None
    cluster: str | None
    separator: str | None


@dataclass(frozen=True)
class Source:
    """Where the cells of one column come from."""

    table: Table
    column: str
    sql: str


@dataclass(frozen=True)
class FileOrigin:
    """Where the cells came from, to name what is wrong with them."""

    con: Any
    sources: tuple[Source, ...]

    def name(self, place: int) -> str:
        """Tell the column at a place, as messages call it."""
        source = self.sources[place]
        shown = source.table.file.shown
        return shown if place < 0 else f"Column {source.column!r} of {shown}"

    def rows(self, place: int) -> Any:
        """Give the column row by row."""
        source = self.sources[place]
        return fetch(self.con, source.sql, shown=source.table.file.shown).column(0)

    def where(self, place: int, /, rows: Sequence[int]) -> list[str]:
        """Tell the lines in which rows stand."""
        return self.sources[place].table.where(rows)


def file_ids(
    con: Any, rows: Any, part: Roles, source: str, *, shown: str
) -> Naming | None:
    """Say how items of the rows of a query are called.

    Parameters
    ----------
    con
        The database.
    rows
        What the query gave.
    part
        What its columns are.
    source
        The query that gives items one by one, with their ids.
    shown
        What to call the file in messages.
    """
    if part.kind == "sets":
        return named_rows(rows)
    if part.kind == "labels":
        return named_patterns(rows)
    return looked_up(con, source, rows, width=len(part.grouped), shown=shown)


def file_outcomes(
    rows: Any,
    part: Roles,
    *,
    origin: FileOrigin,
    separator: str | None,
    ids: Naming | None,
) -> Outcomes:
    """Turn the rows of a query into outcomes."""
    if part.kind != "sets":
        return counted_outcomes(part, rows, origin=origin, ids=ids)
    n = len(part.cells)
    columns = [
        _split(rows.column(i).to_pylist(), separator, origin=origin, place=i)
        for i in range(n)
    ]
    cluster = None if part.cluster is None else rows.column(n)
    return set_outcomes(part, columns, cluster=cluster, origin=origin, ids=ids)


def _split(
    cells: list[Any], separator: str | None, *, origin: FileOrigin, place: int
) -> list[Any]:
    """Split the text of CSV and TSV cells into labels; an empty cell has none."""
    file = origin.sources[place].table.file
    if file.form not in ("csv", "tsv") or separator is None:
        return cells
    sets = {cell: cell.split(separator) if cell else [] for cell in set(cells)}
    for cell, labels in sets.items():
        if "" in labels:
            row = origin.rows(place).to_pylist().index(cell)
            message = (
                f"{origin.where(place, [row])[0]}: {origin.name(place)} must have "
                f"labels between separators; got {cell!r}."
            )
            raise InputError(message)
    return [sets[cell] for cell in cells]
