"""What a page shows of one comparison."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from likelier import wording
from likelier.decision import Probabilities
from likelier.errors import plain
from likelier.report.changes import Grid, grid, stays
from likelier.report.disagreement import disagreements
from likelier.report.shape import Shape
from likelier.report.whatif import WhatIf
from likelier.results import Comparison
from likelier.results.companion import Companion
from likelier.results.differing import Differing

# Rows of items on which the systems differ.
_MOST_ROWS = 200


@dataclass(frozen=True)
class SystemRow:
    """One system's metric, and its interval where there is one."""

    metric: str
    name: str
    value: str
    interval: str


@dataclass(frozen=True)
class CompanionRow:
    """What another test says, as a row of a table."""

    name: str
    p: str
    shares: str
    remark: str

    @classmethod
    def of(cls, companion: Companion) -> "CompanionRow":
        """Write a companion's numbers down."""
        p, known = companion.p_value, companion.probability
        shares = () if known is None else (known.worse, known.equivalent, known.better)
        told = " / ".join(known.shown(s) for s in shares) if known else "–"
        shown = "–" if p is None else wording.p_value(p)
        return cls(companion.name, shown, told, companion.why_not or "")


@dataclass(frozen=True)
class Share:
    """One part of the bar of probabilities, in per cent of its width."""

    name: str
    start: float
    width: float
    shown: str


def shares_of(known: Probabilities, *, roped: bool) -> list[Share]:
    """Give the parts of the bar; without a rope nothing is equivalent."""
    parts = [("worse", known.worse), ("better", known.better)]
    if roped:
        parts.insert(1, ("equivalent", known.equivalent))
    start, found = 0.0, []
    for name, share in parts:
        width = 100 * share
        found.append(Share(name, round(start, 3), round(width, 3), known.shown(share)))
        start += width
    return found


@dataclass(frozen=True, eq=False)
class Card:
    """One comparison, with all that is drawn and said of it.

    Attributes
    ----------
    id
        What it is called on the page.
    label
        What tells it from the others of the page.
    result
        The comparison.
    table
        The same at other ropes and masses; None on pages of very many.
    """

    id: str
    label: str
    result: Comparison
    table: WhatIf | None

    @cached_property
    def shape(self) -> Shape:
        """The posterior as a path."""
        return Shape.of(self.result)

    @property
    def coloured(self) -> bool:
        """Whether areas are probabilities; over many data sets they are not."""
        return self.result.posterior.regions is None

    @property
    def shares(self) -> list[Share]:
        """The parts of the bar of probabilities."""
        return shares_of(self.result.probability, roped=self.result.rope is not None)

    @property
    def interval_name(self) -> str:
        """What the interval of the difference is called."""
        return wording.interval_name("hdi", self.result.mass)

    @property
    def ends(self) -> list[str]:
        """The ends of the interval, in words."""
        show = self.result.decimals
        return [wording.number(end, show, signed=True) for end in self.result.hdi]

    @property
    def difference(self) -> str:
        """The observed difference, in words."""
        return wording.number(self.result.difference, self.result.decimals, signed=True)

    @cached_property
    def systems(self) -> list[SystemRow]:
        """Each system's metric with its interval."""
        result, show = self.result, self.result.decimals
        rows = []
        for name, value, interval in result.per_system:
            ends = [] if interval is None else list(interval)
            told = " to ".join(wording.number(end, show) for end in ends)
            shown = wording.number(value, show)
            rows.append(
                SystemRow(result.question.metric_name, plain(name), shown, told)
            )
        return rows

    @cached_property
    def companions(self) -> tuple[Companion, ...]:
        """What other tests say of the same data."""
        if self.result.companions or self.result.basis is None:
            return self.result.companions
        return self.result.basis.companions()

    @property
    def companion_rows(self) -> list[CompanionRow]:
        """The same as rows of a table."""
        return [CompanionRow.of(companion) for companion in self.companions]

    @cached_property
    def disagreements(self) -> list[str]:
        """Where verdict, factor and companions disagree, and why."""
        return disagreements(self.result, self.companions)

    @property
    def agree(self) -> bool:
        """Whether other tests were asked, and none of them disagrees."""
        asked = any(c.why_not is None for c in self.companions)
        return asked and not self.disagreements and not self.result.tested

    @cached_property
    def differing(self) -> Differing | None:
        """The items on which the systems differ."""
        basis = self.result.basis
        return None if basis is None else basis.differing(most=_MOST_ROWS)

    @property
    def stays(self) -> list[str]:
        """Within which ropes and masses the verdict stays."""
        return [] if self.table is None else stays(self.table)

    @property
    def grid(self) -> Grid | None:
        """Verdicts by rope and mass."""
        return None if self.table is None else grid(self.table)


@dataclass(frozen=True)
class Systems:
    """Each system's metrics, each once.

    Attributes
    ----------
    rows
        In the order of the comparisons.
    interval_name
        What the intervals are called.
    """

    rows: tuple[SystemRow, ...]
    interval_name: str

    @classmethod
    def of(cls, cards: Sequence[Card]) -> "Systems":
        """Gather the systems of some comparisons."""
        found = {(row.metric, row.name): row for card in cards for row in card.systems}
        first = cards[0].result
        name = wording.interval_name(first.interval, first.mass)
        return cls(tuple(found.values()), name)
