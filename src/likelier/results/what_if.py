"""Verdicts at other ropes and masses: the stops of a page's sliders.

All numbers, and the words for them, are those of the library: the page only looks them
up.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import floor, isclose, log10
from typing import TYPE_CHECKING, Any

from likelier import formatting
from likelier.decision import NAMES, OPEN, ThreeProbabilities, decide
from likelier.interval import Interval, Rope
from likelier.outlook import outlook

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
        halves = _halves(_reach(results), 0.0 if asked is None else _half(asked))
        ropes = [None if half == 0 else _scaled(asked, half) for half in halves]
        if asked is not None:
            place = halves.index(_half(asked))
            ropes[place] = asked
        masses = sorted({*_COARSE, *_FINE, mass})
        rope = 0 if asked is None else halves.index(_half(asked))
        return cls(tuple(ropes), tuple(masses), rope, masses.index(mass))


def shown_rope(rope: Rope | None) -> str:
    """Write a rope, or that there is none."""
    return "no rope" if rope is None else str(rope)


def shown_mass(mass: float) -> str:
    """Write a mass as a percentage."""
    return f"{100 * mass:.10g} %"


def _half(rope: Rope) -> float:
    return max(rope.high, -rope.low)


def _reach(results: "Sequence[Comparison]") -> float:
    """Give the widest rope that is of interest, if no metric is narrower."""
    furthest = max(max(map(abs, result.hdi)) for result in results)
    asked = results[0].rope
    wanted = _BEYOND * max(furthest, 0.0 if asked is None else _half(asked))
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
    even = [_plain(step * i) for i in range(int(reach / step + 1e-9) + 1)]
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
    return _plain(times * power)


def _scaled(asked: Rope | None, half: float) -> Rope:
    """Give a rope of that half width, as lopsided as the one that was asked for."""
    if asked is None or _half(asked) == 0:
        return Rope(-half, half)
    times = half / _half(asked)
    return Rope(_plain(asked.low * times), _plain(asked.high * times))


def _plain(value: float) -> float:
    """Round to what is written, so that a stop is the number that it shows."""
    return float(f"{value:.6g}")


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
        shares = tuple(result.probability_at(r) for r in stops.ropes)
        hdis = tuple(result.posterior.difference.hdi(m) for m in stops.masses)
        symbols = tuple(
            "".join(_symbol(result, hdi, rope, known) for hdi in hdis)
            for rope, known in zip(stops.ropes, shares, strict=True)
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
            "shown": [
                list(map(p.shown, (p.worse, p.equivalent, p.better)))
                for p in self.probabilities
            ],
            "hdis": [list(hdi) for hdi in self.hdis],
            "ends": [
                [formatting.number(end, show, signed=True) for end in hdi]
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
        data = self.result.settings.data
        items = data.units / data.repetitions
        found = outlook(mean=mean, sd=sd, items=items, rope=rope, mass=mass)
        return None if found is None else self.result.outlook_sentence(found)

    def symbol_at_rope(self, rope: Rope | None) -> str:
        """Give the verdict for any rope, with the mass as it was asked for."""
        known = self.result.probability_at(rope)
        return _symbol(self.result, self.result.hdi, rope, known)

    def symbol_at_mass(self, mass: float) -> str:
        """Give the verdict for any mass, with the rope as it was asked for."""
        hdi = self.result.posterior.difference.hdi(mass)
        return _symbol(self.result, hdi, self.result.rope, self.result.probability)


def _symbol(
    result: "Comparison", hdi: Interval, rope: Rope | None, known: ThreeProbabilities
) -> str:
    if result.tested:
        return result.verdict.symbol  # hypotheses know neither rope nor mass
    return decide(result.rule, hdi=hdi, rope=rope, probabilities=known).symbol


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
