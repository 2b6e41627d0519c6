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
    from likelier.results.confusion import Confusion
    from likelier.results.result import Result
    from likelier.results.what_if import WhatIf


class Strong(str):
    """Words that a view emphasises."""

    __slots__ = ()


# Pieces of a sentence, some of them strong.
Words = tuple[str, ...]


class Share(NamedTuple):
    """One of several probabilities: its name, its size, and how it is written."""

    name: str
    share: float
    text: str


@dataclass(frozen=True)
class Bar:
    """Probabilities side by side, which add up to 1.

    Attributes
    ----------
    shares
        The probabilities.
    tones
        Colour of each: worse, equivalent, better, or paler ones of these.
    """

    shares: tuple[Share, ...]
    tones: tuple[str, ...] = ("worse", "equivalent", "better")


@dataclass(frozen=True)
class Ruler:
    """A difference and its interval on a scale with the rope and 0.

    Attributes
    ----------
    value, interval, rope
        What is drawn.
    sides
        Names of the systems that are better to the left and to the right of 0.
    """

    value: float
    interval: "Interval"
    rope: "Rope | None"
    sides: tuple[str, str]


@dataclass(frozen=True)
class Tally:
    """Verdicts of many answers, a square for each, in the order of their forest."""

    verdicts: "tuple[tuple[str, Verdict], ...]"


@dataclass(frozen=True)
class Fact:
    """A fact of the answer: a large value, a remark beside it, and a drawing."""

    title: str
    value: str
    remark: str = ""
    drawing: Bar | Ruler | Tally | None = None


@dataclass(frozen=True)
class Summary:
    """The answer that a page begins with.

    Attributes
    ----------
    headline
        The verdict in one sentence.
    context
        Metric and size of the data.
    lede
        Both values, how sure the answer is, what mattered.
    verdict
        What the evidence allows to say, where the answer is one verdict.
    facts
        How sure, by how much.
    findings
        Remarks of the checks.
    lines
        What else there is to know, line by line.
    next_step
        What would decide an open verdict.
    """

    headline: Words
    context: str = ""
    lede: Words = ()
    verdict: "Verdict | None" = None
    facts: tuple[Fact, ...] = ()
    findings: "tuple[Finding, ...]" = ()
    lines: tuple[str, ...] = ()
    next_step: Words = ()


@dataclass(frozen=True)
class Density:
    """Posterior of a difference with its interval, its rope, and other verdicts.

    Attributes
    ----------
    distribution, interval, rope
        What is drawn.
    shares
        Probabilities of the regions; none where areas below the density are not
        the probabilities of the answer.
    interval_texts
        Ends of the interval as texts.
    axis
        Title of the axis.
    caption
        What is drawn, in words.
    alternatives
        Verdicts at other ropes and masses.
    """

    distribution: "Difference"
    interval: "Interval"
    rope: "Rope | None"
    shares: tuple[Share, ...]
    interval_texts: tuple[str, str]
    axis: str
    caption: tuple[str, ...]
    alternatives: "WhatIf | None" = None


class Column(NamedTuple):
    """Heading of a column, and whether it holds numbers."""

    name: str
    numeric: bool = True


@dataclass(frozen=True)
class Table:
    """Rows of text under headings, to be escaped by the view.

    Attributes
    ----------
    title
        Heading.
    columns, rows
        Headings of the columns, and the cells.
    lines
        Sentences below.
    folded
        Whether a page shows it only when it is opened.
    """

    title: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[str, ...], ...]
    lines: tuple[str, ...] = ()
    folded: bool = False


class Cell(NamedTuple):
    """Text of a cell, and the number that rows are sorted by."""

    text: str
    key: float | None = None


@dataclass(frozen=True)
class ForestRow:
    """One answer on a common scale.

    Attributes
    ----------
    label
        Name of the answer.
    value, interval
        The point and the interval that are drawn.
    before, after
        Cells before and after the drawing.
    verdict
        Its verdict, if it has one.
    counted
        The point as it was counted, where a model moved it.
    card
        What opens below the row.
    """

    label: str
    value: float
    interval: "Interval | None"
    before: tuple[Cell, ...] = ()
    after: tuple[Cell, ...] = ()
    verdict: "Verdict | None" = None
    counted: float | None = None
    card: "Card | None" = None


@dataclass(frozen=True)
class Card:
    """Details of a row: a sentence, its density and its probabilities."""

    sentence: str
    density: Density
    bar: Bar


@dataclass(frozen=True)
class Forest:
    """Many answers on one scale, a row each.

    Attributes
    ----------
    title, note
        Heading, and what to know of the drawing.
    head
        Heading of the labels.
    before, after
        Headings of the cells before and after the drawing.
    rows, foot
        One for each answer, and for each average over all of them.
    rope
        Region of practical equivalence of differences, if there is one.
    differences
        Whether rows are differences, with 0 in sight.
    sorted_by
        Heading that the rows are sorted by; none where they cannot be sorted.
    folded
        Whether a page shows it only when it is opened.
    """

    title: str
    head: str
    before: tuple[str, ...]
    after: tuple[str, ...]
    rows: tuple[ForestRow, ...]
    foot: tuple[ForestRow, ...] = ()
    note: tuple[str, ...] = ()
    rope: "Rope | None" = None
    differences: bool = True
    sorted_by: str | None = None
    folded: bool = False


class BoardRow(NamedTuple):
    """A system on the leaderboard."""

    tier: int
    system: str
    value: float
    interval: "Interval | None"
    value_text: str
    interval_text: str
    ranks: str
    best: float
    best_text: str


@dataclass(frozen=True)
class Leaderboard:
    """Systems from the best to the worst, tier by tier.

    Attributes
    ----------
    note
        What a tier is.
    metric
        Name of the metric.
    interval_name
        Kind and mass of the intervals.
    rows
        One for each system.
    """

    note: str
    metric: str
    interval_name: str
    rows: tuple[BoardRow, ...]


@dataclass(frozen=True)
class HeatMap:
    """Probabilities that the system of a row is better than that of a column.

    Attributes
    ----------
    systems
        Names, the best first.
    shares
        Probability (row, column); None on the diagonal.
    caption
        What the numbers are.
    """

    systems: tuple[str, ...]
    shares: tuple[tuple[float | None, ...], ...]
    caption: str


@dataclass(frozen=True)
class Matrices:
    """Right and wrong answers of both systems, class by class.

    Attributes
    ----------
    confusion
        The counts.
    positive
        Whether the first class is the one that the metric speaks of.
    """

    confusion: "Confusion"
    positive: bool


@dataclass(frozen=True)
class Items:
    """Items on which two systems differ, under a heading for each pair."""

    changes: "tuple[tuple[str, Changes], ...]"


@dataclass(frozen=True)
class Picture:
    """Plot of a result, by its kind; a page may show it only when it is opened."""

    title: str
    result: "Result"
    kind: str
    folded: bool = False


@dataclass(frozen=True)
class Source:
    """What the answer was made from and with: names and texts."""

    rows: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Method:
    """Sentences of the methods paragraph, what they cite, and the recipes."""

    sentences: "tuple[Sentence, ...]"
    recipes: tuple[str, ...]


Part = (
    Summary
    | Density
    | Table
    | Forest
    | Leaderboard
    | HeatMap
    | Matrices
    | Items
    | Picture
    | Source
    | Method
)


def columns(*names: str, text: Sequence[str] = ()) -> tuple[Column, ...]:
    """Return columns of numbers, but for those named in `text`."""
    return tuple(Column(name, name not in text) for name in names)


def number_table(rows: Sequence[dict[str, str]], *, text: Sequence[str] = ()) -> Table:
    """Return the table of all numbers; each row has its cells by their headings."""
    cells = tuple(tuple(row.values()) for row in rows)
    return Table("All numbers", columns(*rows[0], text=text), cells)
