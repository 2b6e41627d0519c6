"""What the verdict would be with another rope or mass, at every stop of a page.

All numbers, and the words for them, are those of the library: the page only looks them
up.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from likelier import wording
from likelier.decision import NAMES, OPEN, Probabilities, Rope, decide
from likelier.interval import Interval
from likelier.outlook import outlook
from likelier.report.stops import Stops, shown_mass, shown_rope
from likelier.results import Comparison

# Looking ahead at every stop costs a fifth of a second for each comparison.
_MOST_OUTLOOKS = 4


@dataclass(frozen=True)
class WhatIf:
    """One comparison, asked again at every stop.

    Attributes
    ----------
    result
        The comparison as it was asked.
    stops
        The ropes and masses.
    probabilities
        One for each rope.
    hdis
        One for each mass.
    symbols
        The verdicts' symbols: for each rope, one letter for each mass.
    """

    result: Comparison
    stops: Stops
    probabilities: tuple[Probabilities, ...]
    hdis: tuple[Interval, ...]
    symbols: tuple[str, ...]

    @classmethod
    def of(cls, result: Comparison, stops: Stops) -> "WhatIf":
        """Ask a comparison again at every stop."""
        shares = tuple(replace(result, rope=r).probability for r in stops.ropes)
        hdis = tuple(replace(result, mass=m).hdi for m in stops.masses)
        symbols = tuple(
            "".join(_symbol(result, hdi, rope, known) for hdi in hdis)
            for rope, known in zip(stops.ropes, shares, strict=True)
        )
        return cls(result, stops, shares, hdis, symbols)

    def table(self, *, ahead: bool) -> dict[str, Any]:
        """Give what the page looks up.

        Parameters
        ----------
        ahead
            Whether to look ahead for open verdicts: how many items would decide.
        """
        result, show = self.result, self.result.decimals
        return {
            "symbols": list(self.symbols),
            "headlines": {s: result.said(NAMES[s]) for s in sorted(self._seen())},
            "shares": [[p.worse, p.equivalent, p.better] for p in self.probabilities],
            "shown": [_shown(p) for p in self.probabilities],
            "hdis": [list(hdi) for hdi in self.hdis],
            "ends": [
                [wording.number(end, show, signed=True) for end in hdi]
                for hdi in self.hdis
            ],
            "outlook": result.outlook_line(),
            "outlooks": self._outlooks() if ahead else None,
        }

    def _seen(self) -> set[str]:
        return set("".join(self.symbols))

    def _outlooks(self) -> list[list[str | None]] | None:
        """Look ahead where the verdict is open."""
        if not self.result.looks_ahead:
            return None
        known = self.result.posterior.difference
        mean, sd = known.mean(), known.std()
        return [
            [
                self._ahead(mean, sd, rope, mass) if NAMES[symbol] in OPEN else None
                for mass, symbol in zip(self.stops.masses, column, strict=True)
            ]
            for rope, column in zip(self.stops.ropes, self.symbols, strict=True)
        ]

    def _ahead(
        self, mean: float, sd: float, rope: Rope | None, mass: float
    ) -> str | None:
        question = self.result.question
        items = question.units / question.repetitions
        found = outlook(mean=mean, sd=sd, items=items, rope=rope, mass=mass)
        return None if found is None else self.result.ahead(found)

    def symbol_at_rope(self, rope: Rope | None) -> str:
        """Give the verdict for any rope, with the mass as it was asked for."""
        known = replace(self.result, rope=rope).probability
        return _symbol(self.result, self.result.hdi, rope, known)

    def symbol_at_mass(self, mass: float) -> str:
        """Give the verdict for any mass, with the rope as it was asked for."""
        hdi = self.result.posterior.difference.hdi(mass)
        return _symbol(self.result, hdi, self.result.rope, self.result.probability)


def _symbol(
    result: Comparison, hdi: Interval, rope: Rope | None, known: Probabilities
) -> str:
    if result.tested:
        return result.verdict.symbol  # hypotheses know neither rope nor mass
    return decide(result.rule, hdi=hdi, rope=rope, probabilities=known).symbol


def _shown(known: Probabilities) -> list[str]:
    return [known.shown(p) for p in (known.worse, known.equivalent, known.better)]


def embedded(tables: Sequence[WhatIf]) -> dict[str, Any]:
    """Give what a page with some comparisons holds of their posteriors."""
    stops = tables[0].stops
    ahead = len(tables) <= _MOST_OUTLOOKS
    return {
        "ropes": [None if r is None else [r.low, r.high] for r in stops.ropes],
        "rope_names": [shown_rope(rope) for rope in stops.ropes],
        "masses": list(stops.masses),
        "mass_names": [shown_mass(mass) for mass in stops.masses],
        "asked": [stops.rope, stops.mass],
        "names": NAMES,
        "comparisons": [table.table(ahead=ahead) for table in tables],
    }
