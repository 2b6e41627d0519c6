"""What a condition says, as a tree."""

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class Name:
    """What is looked up in the JSON of a result.

    Attributes
    ----------
    text
        The name as it was written.
    path
        The keys that lead there.
    column
        Where it stands in the condition.
    """

    text: str
    path: tuple[str | int, ...]
    column: int


Term = Name | float


@dataclass(frozen=True)
class Compared:
    """Two terms, and how they are compared."""

    left: Term
    operator: str
    right: Term


@dataclass(frozen=True)
class VerdictIs:
    """Whether the verdict is the one that is named, or is not."""

    verdict: str
    wanted: bool


@dataclass(frozen=True)
class Not:
    """The opposite of a condition."""

    part: "Condition"


@dataclass(frozen=True)
class Joined:
    """Conditions of which all must hold, or any."""

    how: Literal["and", "or"]
    parts: "tuple[Condition, ...]"


Condition = Compared | VerdictIs | Not | Joined


def names_of(tree: Condition) -> list[Name]:
    """Give the names that a condition asks for, in order."""
    if isinstance(tree, Compared):
        return [term for term in (tree.left, tree.right) if isinstance(term, Name)]
    if isinstance(tree, Not):
        return names_of(tree.part)
    if isinstance(tree, Joined):
        return [name for part in tree.parts for name in names_of(part)]
    return []
