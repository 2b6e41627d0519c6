"""What the cells of a table hold, and which column plays which part."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Literal, get_args

from likelier.errors import InputError, unknown_name
from likelier.formatting import listed

Kind = Literal["labels", "scores", "sets"]


@dataclass(frozen=True)
class Roles:
    """Which column is what.

    Attributes
    ----------
    kind
        Whether a cell holds a label, a score or a set of labels.
    gold
        The column of gold labels; none for scores.
    systems
        The systems, the baseline first.
    cluster
        The column that says which items belong together.
    id
        The column of ids.
    """

    kind: Kind
    gold: str | None
    systems: tuple[str, ...]
    cluster: str | None = None
    id: str | None = None

    @property
    def cells(self) -> tuple[str, ...]:
        """The columns with labels or scores, gold first."""
        return self.systems if self.gold is None else (self.gold, *self.systems)

    @property
    def grouped(self) -> tuple[str, ...]:
        """The columns that tell items apart: cells, and the cluster last."""
        return self.cells if self.cluster is None else (*self.cells, self.cluster)

    @property
    def columns(self) -> tuple[str, ...]:
        """All columns with a part; the id last."""
        return self.grouped if self.id is None else (*self.grouped, self.id)


def roles(
    *,
    kind: str,
    gold: str | None,
    systems: Sequence[str],
    cluster: str | None = None,
    id: str | None = None,  # noqa: A002 (the word people know)
) -> Roles:
    """Check the parts that the columns of one table play.

    Examples
    --------
    >>> roles(kind="labels", gold="gold", systems=["a", "b"]).columns
    ('gold', 'a', 'b')
    """
    checked = check_kind(kind)
    if checked == "scores":
        gold = None
    elif gold is None:
        message = f"gold must name the column of gold labels for {kind}; got None."
        raise InputError(message)
    names = system_list(systems)
    part = Roles(checked, gold, names, cluster, id)
    twice = doubled(part.columns)
    if twice:
        message = f"A column must have one part only; {listed(twice)} has several."
        raise InputError(message)
    return part


def check_kind(kind: str) -> Kind:
    """Return the kind, or refuse an unknown one."""
    if kind not in get_args(Kind):
        raise unknown_name(kind, get_args(Kind), kind="kind")
    return kind  # type: ignore[return-value]


def system_list(systems: Sequence[str]) -> tuple[str, ...]:
    """Refuse no systems, and a system that is named twice."""
    names = (systems,) if isinstance(systems, str) else tuple(systems)
    if not names:
        message = "There must be at least one system; got none."
        raise InputError(message)
    twice = doubled(names)
    if twice:
        message = f"systems must be different; {listed(twice)} stands there twice."
        raise InputError(message)
    return names


def doubled(names: Sequence[str]) -> list[str]:
    """Give the names that stand there more than once.

    Examples
    --------
    >>> doubled(["a", "b", "a"])
    ['a']
    """
    return [name for name, count in Counter(names).items() if count > 1]


def check_columns(wanted: Sequence[str], names: Sequence[str], *, table: str) -> None:
    """Refuse a column that the table does not have, and tell which it has."""
    for name in wanted:
        if name not in names:
            message = (
                f"{table} must have the column {name!r}; "
                f"it has {listed(names, most=20)}."
            )
            raise InputError(message, hint=_close_match(name, names))


def _close_match(name: str, names: Sequence[str]) -> str | None:
    texts = {str(known): known for known in names}
    folded = {text.casefold(): text for text in texts}
    close = get_close_matches(str(name).casefold(), folded, n=1)
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
