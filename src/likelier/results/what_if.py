"""Verdicts at other ropes and masses: the stops of a page's sliders.

All numbers, and the words for them, are those of the library: the page only looks them
up.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import floor, isclose, log10
from typing import TYPE_CHECKING, Any

from likelier import formatting
from likelier.decision import (
    NAMES,
    ThreeProbabilities,
    outlook_table,
    symbol_table,
)
from likelier.interval import (
    Interval,
    Rope,
    rope_texts,
    similar_ropes,
    six_digits,
)

if TYPE_CHECKING:
    from likelier.results.comparison import Comparison

# Few and wide where nobody asks, fine where verdicts are made.
_COARSE = (0.5, 0.6, 0.7, 0.8, 0.85, 0.89)
_FINE = (0.9, 0.92, 0.94, 0.95, 0.96, 0.97, 0.98, 0.99, 0.995, 0.999)
_STEPS = 40
# Beyond this multiple of the widest interval every verdict is the same.
_BEYOND = 1.2


@dataclass(frozen=True)
class Stops:
    """Where the sliders can stand; what was asked is always among it.

    Attributes
    ----------
    ropes
        None (no rope) first, then wider and wider ropes.
    masses
        From the least to the largest.
    rope, mass
        The places of what was asked.
    """

    ropes: tuple[Rope | None, ...]
    masses: tuple[float, ...]
    rope: int
    mass: int

    @classmethod
    def of(cls, results: "Sequence[Comparison]") -> "Stops":
        """Choose stops for comparisons that were asked with one rope and one mass."""
        asked, mass = results[0].rope, results[0].mass
        halves = _halves(_reach(results), 0.0 if asked is None else asked.half_width)
        masses = sorted({*_COARSE, *_FINE, mass})
        rope = 0 if asked is None else halves.index(asked.half_width)
        ropes = similar_ropes(asked, halves)
        return cls(ropes, tuple(masses), rope, masses.index(mass))


def mass_text(mass: float) -> str:
    """Write a mass as a percentage."""
    return f"{100 * mass:.10g} %"


def _reach(results: "Sequence[Comparison]") -> float:
    """Give the widest rope that is of interest, if no metric is narrower."""
    furthest = max(max(map(abs, result.hdi)) for result in results)
    asked = results[0].rope
    wanted = _BEYOND * max(furthest, 0.0 if asked is None else asked.half_width)
    limits = [_widest(result) for result in results]
    return min(wanted or 0.01, *limits)


def _widest(result: "Comparison") -> float:
    """Give what is just below the largest difference that the metric can show."""
    if result.items is None:
        return 1e300
    low, high = result.items.metric.bounds
    return 0.98 * (high - low)


def _halves(reach: float, asked: float) -> list[float]:
    """Give even half widths from 0 on, and the one that was asked for."""
    step = nice_step(reach / _STEPS)
    even = [six_digits(step * i) for i in range(int(reach / step + 1e-9) + 1)]
    others = [half for half in even if not isclose(half, asked, rel_tol=1e-9)]
    return sorted({*others, asked, 0.0})


def nice_step(least: float) -> float:
    """Give the first of 1, 2, 5, 10 … times a power of ten that is large enough.

    Examples
    --------
    >>> nice_step(0.0003), nice_step(7.0)
    (0.0005, 10.0)
    """
    power = 10.0 ** floor(log10(least))
    times = next(t for t in (1, 2, 5, 10) if t * power >= least * (1 - 1e-9))
    return six_digits(times * power)


# Looking ahead at every stop costs a fifth of a second for each comparison.
_MOST_OUTLOOKS = 4


@dataclass(frozen=True)
class WhatIf:
    """One comparison, asked again at every stop.

    Attributes
    ----------
    label
        What tells it from the others of the page.
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

    label: str
    result: "Comparison"
    stops: Stops
    probabilities: tuple[ThreeProbabilities, ...]
    hdis: tuple[Interval, ...]
    symbols: tuple[str, ...]

    @classmethod
    def of(cls, label: str, result: "Comparison", stops: Stops) -> "WhatIf":
        """Ask a comparison again at every stop."""
        shares = result.probability_at(*stops.ropes)
        hdis = tuple(result.posterior.difference.hdi(m) for m in stops.masses)
        symbols: tuple[str, ...]
        if result.tested:  # hypotheses know neither rope nor mass
            symbols = (result.verdict.symbol * len(hdis),) * len(shares)
        else:
            symbols = symbol_table(
                result.rule, hdis=hdis, ropes=stops.ropes, probabilities=shares
            )
        return cls(label, result, stops, shares, hdis, symbols)

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
            "headlines": {
                s: result.verdict_sentence(NAMES[s]) for s in sorted(self._seen())
            },
            "shares": [[p.worse, p.equivalent, p.better] for p in self.probabilities],
            "shown": [list(p.all_texts()) for p in self.probabilities],
            "hdis": [[hdi.low, hdi.high] for hdi in self.hdis],
            "ends": formatting.all_ends(
                [(hdi.low, hdi.high) for hdi in self.hdis], show
            ),
            "outlook": result.outlook_line(),
            "outlooks": self._outlooks() if ahead else None,
        }

    def _seen(self) -> set[str]:
        return set("".join(self.symbols))

    def _outlooks(self) -> list[list[str | None]] | None:
        """Look ahead where the verdict is open."""
        if not self.result.looks_ahead:
            return None
        difference, data = self.result.posterior.difference, self.result.settings.data
        return outlook_table(
            self.symbols,
            mean=difference.mean(),
            sd=difference.std(),
            items=data.units / data.repetitions,
            unit=self.result.unit,
            ropes=self.stops.ropes,
            masses=self.stops.masses,
        )

    def symbol_at_rope(self, rope: Rope | None) -> str:
        """Give the verdict for any rope, with the mass as it was asked for."""
        return self._symbol(self.result.hdi, rope, *self.result.probability_at(rope))

    def symbol_at_mass(self, mass: float) -> str:
        """Give the verdict for any mass, with the rope as it was asked for."""
        hdi = self.result.posterior.difference.hdi(mass)
        return self._symbol(hdi, self.result.rope, self.result.probability)

    def _symbol(
        self, hdi: Interval, rope: Rope | None, probabilities: ThreeProbabilities
    ) -> str:
        if self.result.tested:
            return self.result.verdict.symbol
        (symbol,) = symbol_table(
            self.result.rule, hdis=[hdi], ropes=[rope], probabilities=[probabilities]
        )
        return symbol


def embedded(tables: Sequence[WhatIf]) -> dict[str, Any]:
    """Give what a page with some comparisons holds of their posteriors."""
    stops = tables[0].stops
    ahead = len(tables) <= _MOST_OUTLOOKS
    return {
        "ropes": [None if r is None else [r.low, r.high] for r in stops.ropes],
        "rope_names": rope_texts(stops.ropes),
        "masses": list(stops.masses),
        "mass_names": [mass_text(mass) for mass in stops.masses],
        "asked": [stops.rope, stops.mass],
        "names": NAMES,
        "comparisons": [table.table(ahead=ahead) for table in tables],
    }
