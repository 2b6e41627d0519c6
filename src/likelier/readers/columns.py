"""Columns of a table: which one is what, and whether they are there."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import TYPE_CHECKING, get_args

from likelier.errors import InputError, unknown_name
from likelier.formatting import listed
from likelier.readers.gold_names import check_gold_first
from likelier.readers.reader import Kind

if TYPE_CHECKING:
    from likelier.readers.reader import ReadRequest

# DuckDB takes more than a gigabyte to group by many thousand columns, and from 16,000
# on it dies.
_MOST_SYSTEMS = 2_000


@dataclass(frozen=True)
class Columns:
    """Part that each column of a table plays.

    Attributes
    ----------
    kind
        Content of a cell, as in `ReadRequest`.
    gold
        The column of gold labels; none for scores.
    systems
        The systems, the baseline first.
    cluster
        The column that says which items belong together.
    id
        The columns of ids, which together are one.
    text
        The column of texts.
    """

    kind: Kind
    gold: str | None
    systems: tuple[str, ...]
    cluster: str | None = None
    id: tuple[str, ...] = ()
    text: str | None = None

    @property
    def cells(self) -> tuple[str, ...]:
        """The columns with labels or scores, gold first."""
        return self.systems if self.gold is None else (self.gold, *self.systems)

    @property
    def grouped(self) -> tuple[str, ...]:
        """The columns that make a pattern: cells, and the cluster last."""
        return self.cells if self.cluster is None else (*self.cells, self.cluster)

    @property
    def names(self) -> tuple[str, ...]:
        """All columns with a part; the ids and the text last."""
        text = () if self.text is None else (self.text,)
        return (*self.grouped, *self.id, *text)

    @property
    def keys(self) -> list[str]:
        """Names of the grouped columns within an engine."""
        return [f"c{i}" for i in range(len(self.grouped))]

    @property
    def id_keys(self) -> list[str]:
        """Names of the columns of ids within an engine."""
        return [f"c{len(self.grouped) + i}" for i in range(len(self.id))]

    @property
    def id_key(self) -> str:
        """Name of the column of ids within an engine, where they are one."""
        return self.id_keys[0]

    @property
    def text_keys(self) -> list[str]:
        """Name of the column of texts within an engine, if there is one."""
        return [] if self.text is None else [f"c{len(self.names) - 1}"]

    @property
    def of_numbers(self) -> bool:
        """Whether systems give numbers, so that hardly any two rows are equal."""
        return self.kind in ("scores", "numbers", "probabilities", "ranks")

    @property
    def system_keys(self) -> list[str]:
        """Names of the columns of systems within an engine."""
        return self.keys[self.gold is not None : len(self.cells)]


def gold_column(request: "ReadRequest") -> str | None:
    """Return the column of gold labels, which scores do not have.

    Probabilities of each item's own label need none either.
    """
    if request.kind == "scores" or (
        request.kind == "probabilities" and not request.gold
    ):
        return None
    if request.gold is None:
        message = f"gold must name the column of {request.kind}; got None."
        raise InputError(message)
    return str(request.gold)


def table_columns(
    request: "ReadRequest",
    systems: Iterable[str],
    *,
    ids: tuple[str, ...],
    text: str | None,
) -> Columns:
    """Check the parts that the columns of one table play."""
    kind, gold = request.kind, gold_column(request)
    names = check_systems(systems)
    if gold is not None:
        hint = "Name the column of gold labels: --gold {system}, in Python gold=."
        check_gold_first(gold, names, hint=hint)
    columns = Columns(kind, gold, names, request.cluster, ids, text)
    twice = doubled(columns.names)
    if twice:
        message = f"A column must have one part only; {listed(twice)} has several."
        raise InputError(message)
    return columns


def check_kind(kind: str) -> Kind:
    """Return the kind, or refuse an unknown one."""
    if kind not in get_args(Kind):
        raise unknown_name(kind, get_args(Kind), kind="kind")
    return kind  # type: ignore[return-value]


def check_systems(systems: Iterable[str]) -> tuple[str, ...]:
    """Return the names of systems; refuse none, too many, and a name given twice."""
    names = (systems,) if isinstance(systems, str) else tuple(systems)
    if not names:
        message = "There must be at least one system; got none."
        raise InputError(message)
    if len(names) > _MOST_SYSTEMS:
        message = (
            f"There must be at most {_MOST_SYSTEMS:,} systems; got {len(names):,}."
        )
        raise InputError(message, hint="Name some: --systems a,b, in Python systems=.")
    twice = doubled(names)
    if twice:
        message = f"systems must be different; {listed(twice)} is given twice."
        raise InputError(message)
    return names


def doubled(names: Sequence[str]) -> list[str]:
    """Return the names that occur more than once.

    Examples
    --------
    >>> doubled(["a", "b", "a"])
    ['a']
    """
    return [name for name, count in Counter(names).items() if count > 1]


def owner(column: str, names: Sequence[str]) -> str:
    """Return the column that has a field within it; a column of that very name first.

    Examples
    --------
    >>> owner("doc.answer", ["doc", "a"]), owner("doc.answer", ["doc.answer", "doc"])
    ('doc', 'doc.answer')
    """
    name = column
    while name not in names and "." in name:
        name = name.rpartition(".")[0]
    return name if name in names else column


def check_columns(columns: Sequence[str], names: Sequence[str], *, table: str) -> None:
    """Refuse a column that the table does not have, and list those that it has."""
    for column in columns:
        if column not in names:
            message = (
                f"{table} must have the column {column!r}; "
                f"it has {listed(names, most=20)}."
            )
            raise InputError(message, hint=_close_match(column, names))


def _close_match(column: str, names: Sequence[str]) -> str | None:
    texts = {str(name): name for name in names}
    folded = {text.casefold(): text for text in texts}
    close = get_close_matches(str(column).casefold(), folded, n=1)
    return f"Did you mean {texts[folded[close[0]]]!r}?" if close else None


def check_header(names: Sequence[str], *, table: str) -> None:
    """Refuse a table with two columns of one name."""
    twice = doubled(names)
    if twice:
        message = (
            f"{table} must have different column names; "
            f"{listed(twice)} stands in the header more than once."
        )
        raise InputError(message)
