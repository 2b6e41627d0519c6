"""Items of table files in DuckDB: counted there, and some of them named.

Items are named only where systems differ on them, for people to look at.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import pyarrow as pa

from likelier.data.item_examples import EXAMPLES, Naming, Texts
from likelier.data.outcomes import Outcomes
from likelier.errors import InputError
from likelier.findings import Finding
from likelier.readers.cell_checks import column_sum, picked_cells
from likelier.readers.columns import Columns
from likelier.readers.counting import NUMBERED, count_patterns, count_sets
from likelier.readers.engine import Engine, Table
from likelier.readers.file import cut_findings
from likelier.readers.tables import check_rows

# The column of ids in all queries.
IDS = "ids"
# Tells of a row of joined files whether one of them lacks its id.
LACKING = "lacking"
# Longer ids are sorted by their characters alone.
_LONGEST = 5_000


class CellSource(NamedTuple):
    """File and column of the cells of one column, and the query of their rows."""

    table: Table
    column: str
    sql: str


class TextSource(NamedTuple):
    """File and column of the texts, and the query of ids, if any, and texts."""

    table: Table
    column: str
    sql: str


@dataclass(frozen=True)
class FileItems:
    """Items of table files, one row each, in a database.

    Attributes
    ----------
    engine
        The database.
    columns
        Part that each column plays.
    tables
        The files.
    sources
        Where the cells of each grouped column come from.
    relation
        View, or query in brackets, with a row per item: c0, c1, ….
    separator
        Text between the labels of a set, where cells are text.
    text
        Where the texts of items come from, if they have any.
    remarks
        Remarks on how the files were joined.
    counted
        The patterns, where they were counted as the files were joined.
    key
        The SQL of the ids as text, if there are any.
    """

    engine: Engine
    columns: Columns
    tables: Sequence[Table]
    sources: Sequence[CellSource]
    relation: str
    separator: str | None
    text: TextSource | None = None
    remarks: tuple[Finding, ...] = ()
    counted: Any | None = None
    key: str = IDS

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Remarks on the files."""
        return (*cut_findings(self.tables), *self.remarks)

    def title(self, column: int | None) -> str:
        """Name a column, or the first file, in a message."""
        if column is None:
            return self.tables[0].file.name
        source = self.sources[column]
        return f"Column {source.column!r} of {source.table.file.name}"

    def cells(self, column: int) -> Any:
        """Return a column row by row, in the order of its file."""
        source = self.sources[column]
        return self.engine.fetch(source.sql, name=source.table.file.name).column(0)

    def locate(self, column: int, rows: Sequence[int]) -> list[str]:
        """Name the lines of rows in the file of a column."""
        return self.sources[column].table.locate(rows)

    def count(self, _metric: str | None = None) -> Outcomes:
        """Count the items; any metric speaks of all of them."""
        return self._sets() if self.columns.kind == "sets" else self._patterns()

    def _patterns(self) -> Outcomes:
        columns, rows = self.columns, self.counted
        if rows is None:
            rows = self._fetch(counting_sql(self.relation, columns, self.key))
            check_rows(self.tables[0], column_sum(rows, "n"))
        names = _pattern_names(rows)
        if columns.of_numbers:
            names = self._looked_up_names(rows)
        return count_patterns(self, rows, ids=names, texts=self._texts())

    def _sets(self) -> Outcomes:
        rows = self._fetch(self._rows_sql())
        check_rows(self.tables[0], rows.num_rows)
        n = len(self.columns.cells)
        sets = [self._split(rows.column(i).to_pylist(), i) for i in range(n)]
        cluster = None if self.columns.cluster is None else rows.column(n)
        texts = self._texts()
        return count_sets(
            self, sets, cluster=cluster, ids=_row_names(rows), texts=texts
        )

    def _fetch(self, sql: str) -> Any:
        return self.engine.fetch(sql, name=self.tables[0].file.name)

    def _rows_sql(self) -> str:
        """Write the query that gives items one by one, with their ids or numbers."""
        keys = ", ".join(self.columns.keys)
        ids = self.key if self.columns.id else "row_number() OVER ()"
        return f"SELECT {keys}, {ids} AS {IDS} FROM {self.relation}"

    def _split(self, cells: list[Any], column: int) -> list[Any]:
        """Split cells of text into labels; an empty cell has none."""
        table, separator = self.sources[column].table, self.separator
        if not table.splits_sets or separator is None:
            return cells
        sets = {cell: cell.split(separator) if cell else [] for cell in set(cells)}
        for cell, labels in sets.items():
            if "" in labels:
                row = self.cells(column).to_pylist().index(cell)
                message = (
                    f"{self.locate(column, [row])[0]}: {self.title(column)} must have "
                    f"labels between separators; got {cell!r}."
                )
                raise InputError(message)
        return [sets[cell] for cell in cells]

    def _texts(self) -> Texts | None:
        """Look up texts by ids, or by the numbers of rows."""
        source = self.text
        if source is None:
            return None

        def texts(keys: Sequence[Any]) -> list[str | None]:
            self.engine.register("wanted", pa.table({IDS: pa.array(keys)}))
            limits = [NUMBERED, None] if self.columns.id else [max(keys)]
            cells: dict[Any, Any] = {}
            # The least ids often stand in the first rows: then few are read.
            for limit in limits:
                if len(cells) < len(keys):
                    sql = self._texts_sql(source.sql, limit)
                    rows = self._fetch(sql).to_pydict()
                    cells = dict(zip(rows[IDS], rows["text"], strict=True))
            return source.table.texts(source.column, [cells.get(key) for key in keys])

        return texts

    def _texts_sql(self, sql: str, limit: int | None) -> str:
        """Write the query of the texts that are wanted, in all or in the first rows."""
        ids = IDS if self.columns.id else "row_number() OVER ()"
        rows = f"({sql}{'' if limit is None else f' LIMIT {limit}'})"
        # The case makes DuckDB hash what is wanted, and not the rows, which are many.
        return (
            f"SELECT * FROM (SELECT {ids} AS {IDS}, text FROM {rows}) "
            f"WHERE CASE WHEN {IDS} IN (SELECT {IDS} FROM wanted) THEN true END"
        )

    def _looked_up_names(self, patterns: Any) -> Naming:
        """Name items of patterns by reading the rows again, for patterns are many."""
        keys = self.columns.keys

        def names(numbers: Any) -> list[list[Any]]:
            picked = patterns.select(keys).take(numbers)
            order = pa.array(range(len(numbers)), pa.int64())
            self.engine.register("picked", picked.append_column("pattern", order))
            key = _sortable(IDS) if self.columns.id else IDS
            sql = (
                f"SELECT pattern, min({key}, {EXAMPLES}) AS {IDS} "
                f"FROM ({self._rows_sql()}) JOIN picked USING ({', '.join(keys)}) "
                "GROUP BY pattern"
            )
            some = self._fetch(sql).to_pydict()
            ids = dict(zip(some["pattern"], some[IDS], strict=True))
            return [_item_keys(ids.get(i)) for i in range(len(numbers))]

        return names


def counting_sql(
    relation: str, columns: Columns, key: str = IDS, *, lacking: bool = False
) -> str:
    """Write the query that counts patterns and picks examples of those that differ.

    Parameters
    ----------
    relation
        Where the rows are.
    columns
        Part that each column plays.
    key
        The SQL of the ids as text, if there are any; otherwise rows are numbered.
    lacking
        Whether to say of each pattern if a row of it is lacking in a file.

    Examples
    --------
    >>> counting_sql("wide", Columns("labels", "gold", ("a",)))
    'SELECT c0, c1, count(*) AS n FROM wide GROUP BY ALL'
    """
    keys, systems = ", ".join(columns.keys), columns.system_keys
    counted = f"SELECT {keys}, count(*) AS n"
    if lacking:
        counted += f", count(*) FILTER ({LACKING}) AS {LACKING}"
    # Patterns of numbers are many: their items are looked up later.
    if len(systems) < 2 or columns.of_numbers:
        return f"{counted} FROM {relation} GROUP BY ALL"
    differ = _differ(systems)
    if columns.id:
        picked = f"CASE WHEN {differ} THEN {_sortable(key)} END"
        examples = f"min({picked}, {EXAMPLES}) AS {IDS}"
        return f"{counted}, {examples} FROM {relation} GROUP BY ALL"
    first = f"(SELECT * FROM {relation} LIMIT {NUMBERED})"
    numbered = f"SELECT {keys}, row_number() OVER () AS {IDS} FROM {first}"
    # The second part counts nothing again: it only names rows of the first.
    return (
        f"{counted}, NULL AS {IDS} FROM {relation} GROUP BY ALL UNION ALL "
        f"SELECT {keys}, 0, min({IDS}, {EXAMPLES}) FROM ({numbered}) "
        f"WHERE {differ} GROUP BY ALL"
    )


def _sortable(key: str) -> str:
    """Put a character before an id that stands for its length: m9 before m10."""
    return f"chr(CAST(32 + least(length({key}), {_LONGEST}) AS INTEGER)) || {key}"


def _differ(systems: Sequence[str]) -> str:
    """Write the condition that systems differ; as text, whatever the types."""
    first, *others = (f"CAST({cell} AS VARCHAR)" for cell in systems)
    return " OR ".join(f"{first} <> {other}" for other in others)


def _pattern_names(patterns: Any) -> Naming | None:
    """Name items of patterns by the examples that the counting query picked."""
    if IDS not in patterns.column_names:
        return None
    ids = patterns[IDS]
    return lambda rows: [_item_keys(some) for some in picked_cells(ids, rows)]


def _item_keys(keys: Sequence[str | int] | None) -> list[str | int]:
    """Return numbers of rows, or ids without the character of their length."""
    return [key if isinstance(key, int) else key[1:] for key in keys or ()]


def _row_names(table: Any) -> Naming:
    """Name rows that are not counted together, by their ids or else numbers."""
    ids = table[IDS]
    return lambda rows: [[key] for key in picked_cells(ids, rows)]
