"""Kinds of part that results are made of; every view renders these and no more.

A part holds numbers to be drawn and texts, ready to be written. Making one costs next
to nothing; what is expensive is computed when a view reads it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from likelier.citations import Sentence
    from likelier.decision import Verdict
    from likelier.distribution import Difference
    from likelier.findings import Finding
    from likelier.interval import Interval, Rope
    from likelier.results.changes import Changes
    from likelier.results.comparison import Comparison
    from likelier.results.result import Result
    from likelier.results.what_if import WhatIf


@dataclass(frozen=True)
class Headline:
    """The answer in a sentence, its verdict, and lines below it."""

    text: str
    verdict: "Verdict | None" = None
    lines: tuple[str, ...] = ()


@dataclass(frozen=True)
class Findings:
    """Remarks of the checks."""

    findings: "tuple[Finding, ...]"


class Share(NamedTuple):
    """One of several probabilities: its name, its size, and how it is written."""

    name: str
    share: float
    text: str


@dataclass(frozen=True)
class Probabilities:
    """Probabilities that add up to 1, with a caption, lines below, and the rope."""

    shares: tuple[Share, ...]
    caption: str
    lines: tuple[str, ...] = ()
    rope: "Rope | None" = None


@dataclass(frozen=True)
class Density:
    """Posterior of a difference with its interval and rope.

    Attributes
    ----------
    distribution, interval, rope
        What is drawn.
    value, interval_text
        Observed difference, and the interval with its name, as texts.
    caption
        What is drawn, in words.
    coloured
        Whether areas below the density are the probabilities of the regions.
    """

    distribution: "Difference"
    interval: "Interval"
    rope: "Rope | None"
    value: str
    interval_text: str
    caption: str
    coloured: bool


class Column(NamedTuple):
    """Heading of a column, and whether it holds numbers."""

    name: str
    numeric: bool = True


@dataclass(frozen=True)
class Table:
    """Rows of text under headings, to be escaped by the view."""

    title: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class ForestRow:
    """One answer on a common scale.

    Attributes
    ----------
    label
        Name of the answer.
    value, interval
        The point and the interval that are drawn.
    value_text, interval_text
        The same as texts.
    shares
        Probabilities of worse, equivalent and better as texts; none for estimates.
    verdict
        Its verdict, if it has one.
    """

    label: str
    value: float
    interval: "Interval"
    value_text: str
    interval_text: str
    shares: tuple[str, ...] = ()
    verdict: "Verdict | None" = None


@dataclass(frozen=True)
class Forest:
    """Many answers on one scale, a row each.

    Attributes
    ----------
    title
        Heading.
    rows
        One for each answer.
    interval_name
        What the intervals are.
    rope
        Region of practical equivalence of differences, if there is one.
    differences
        Whether rows are differences, with 0 in sight.
    decimals
        Decimals of the ends of the scale.
    """

    title: str
    rows: tuple[ForestRow, ...]
    interval_name: str
    rope: "Rope | None"
    differences: bool
    decimals: int


@dataclass(frozen=True)
class Alternatives:
    """Verdicts at other ropes and masses, comparison by comparison."""

    comparisons: "tuple[WhatIf, ...]"


@dataclass(frozen=True)
class Evidence:
    """Bayes factor, other tests, and where they disagree, by comparison."""

    comparisons: "tuple[tuple[str, Comparison], ...]"


@dataclass(frozen=True)
class Items:
    """Items on which two systems differ, under a heading for each pair."""

    changes: "tuple[tuple[str, Changes], ...]"


@dataclass(frozen=True)
class Picture:
    """Plot of a result, by its kind."""

    title: str
    result: "Result"
    kind: str


@dataclass(frozen=True)
class Method:
    """Sentences of the methods paragraph, and what they cite."""

    sentences: "tuple[Sentence, ...]"


@dataclass(frozen=True)
class Recipe:
    """Lines that let anybody make the same numbers again."""

    lines: tuple[str, ...]


Part = (
    Headline
    | Findings
    | Probabilities
    | Density
    | Table
    | Forest
    | Alternatives
    | Evidence
    | Items
    | Picture
    | Method
    | Recipe
)


def columns(*names: str, text: Sequence[str] = ()) -> tuple[Column, ...]:
    """Return columns of numbers, but for those named in `text`."""
    return tuple(Column(name, name not in text) for name in names)


def number_table(rows: Sequence[dict[str, str]], *, text: Sequence[str] = ()) -> Table:
    """Return the table of all numbers; each row has its cells by their headings."""
    cells = tuple(tuple(row.values()) for row in rows)
    return Table("All numbers", columns(*rows[0], text=text), cells)
