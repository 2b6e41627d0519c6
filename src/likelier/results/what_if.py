"""Verdicts at other ropes and masses: the stops of a page's sliders.

All numbers, and the words for them, are those of the library: the page only looks them
up.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import floor, isclose, log10
from typing import TYPE_CHECKING, Any

from likelier.decision import (
    NAMES,
    OPEN,
    ThreeProbabilities,
    symbol_table,
)
from likelier.findings import blocking
from likelier.interval import (
    Interval,
    Rope,
    rope_texts,
    similar_ropes,
    six_digits,
)
from likelier.outlook import outlook

if TYPE_CHECKING:
    from likelier.results.comparison import Comparison

# Few and wide where nobody looks, fine where verdicts are made.
_COARSE = (0.5, 0.6, 0.7, 0.8, 0.85, 0.89)
_FINE = (0.9, 0.92, 0.94, 0.95, 0.96, 0.97, 0.98, 0.99, 0.995, 0.999)
_STEPS = 40
# Beyond this multiple of the widest interval every verdict is the same.
_BEYOND = 1.2


@dataclass(frozen=True)
class Stops:
    """Positions of the sliders; the rope and the mass of the answer are among them.

    Attributes
    ----------
    ropes
        None (no rope) first, then wider and wider ropes.
    masses
        From the least to the largest.
    rope, mass
        Indices of the rope and the mass of the answer.
    """

    ropes: tuple[Rope | None, ...]
    masses: tuple[float, ...]
    rope: int
    mass: int

    @classmethod
    def of(cls, result: "Comparison") -> "Stops":
        """Choose stops around the rope and the mass of a comparison."""
        rope, mass = result.rope, result.mass
        half_width = 0.0 if rope is None else rope.half_width
        halves = _half_widths(_reach(result, half_width), half_width)
        masses = sorted({*_COARSE, *_FINE, mass})
        index = 0 if rope is None else halves.index(half_width)
        ropes = similar_ropes(rope, halves)
        return cls(ropes, tuple(masses), index, masses.index(mass))


def mass_text(mass: float) -> str:
    """Write a mass as a percentage."""
    return f"{100 * mass:.10g} %"


def _reach(result: "Comparison", half_width: float) -> float:
    """Return the widest rope of interest, below what the metric can differ by."""
    furthest = max(map(abs, result.hdi))
    reach = min(_BEYOND * max(furthest, half_width) or 0.01, 1e300)
    if result.items is None:
        return reach
    low, high = result.items.metric.bounds
    return min(reach, 0.98 * (high - low))


def _half_widths(reach: float, own: float) -> list[float]:
    """Return even half widths from 0 on, and the answer's own."""
    step = nice_step(reach / _STEPS)
    even = [six_digits(step * i) for i in range(int(reach / step + 1e-9) + 1)]
    others = [half for half in even if not isclose(half, own, rel_tol=1e-9)]
    return sorted({*others, own, 0.0})


def nice_step(least: float) -> float:
    """Return the first of 1, 2, 5, 10 … times a power of ten that is large enough.

    Examples
    --------
    >>> nice_step(0.0003), nice_step(7.0)
    (0.0005, 10.0)
    """
    power = 10.0 ** floor(log10(least))
    times = next(t for t in (1, 2, 5, 10) if t * power >= least * (1 - 1e-9))
    return six_digits(times * power)


@dataclass(frozen=True, eq=False)
class WhatIf:
    """Verdicts of one comparison at every stop, computed when they are read.

    Attributes
    ----------
    result
        The comparison.
    stops
        The ropes and masses.
    """

    result: "Comparison"
    stops: Stops

    @cached_property
    def probabilities(self) -> tuple[ThreeProbabilities, ...]:
        """Probabilities for each rope."""
        return self.result.probability_at(*self.stops.ropes)

    @cached_property
    def hdis(self) -> tuple[Interval, ...]:
        """Highest-density interval for each mass."""
        difference = self.result.posterior.difference
        return tuple(difference.hdi(mass) for mass in self.stops.masses)

    @cached_property
    def symbols(self) -> tuple[str, ...]:
        """Symbols of the verdicts: for each rope, one letter for each mass."""
        return tuple(map(self._allowed, self.unblocked))

    @cached_property
    def unblocked(self) -> tuple[str, ...]:
        """Symbols that the posterior alone gives, whatever the findings block."""
        return self._symbols(self.hdis, self.stops.ropes, self.probabilities)

    def _symbols(
        self,
        hdis: Sequence[Interval],
        ropes: Sequence[Rope | None],
        probabilities: Sequence[ThreeProbabilities],
    ) -> tuple[str, ...]:
        result = self.result
        if result.tested:  # hypotheses depend on neither rope nor mass
            return (result.unblocked_verdict.symbol * len(hdis),) * len(ropes)
        return symbol_table(
            result.rule, hdis=hdis, ropes=ropes, probabilities=probabilities
        )

    def _allowed(self, symbols: str) -> str:
        """Put ? in place of the symbols that a finding blocks."""
        return "".join("?" if self._reason(s) is not None else s for s in symbols)

    def _reason(self, symbol: str) -> str | None:
        """Return why a finding blocks a verdict, where one does."""
        block = blocking(self.result.findings, NAMES[symbol])
        return None if block is None else block.reason

    def symbol_at_rope(self, rope: Rope | None) -> str:
        """Return the verdict's symbol for any rope, at the comparison's own mass."""
        probabilities = self.result.probability_at(rope)
        symbols = self._symbols([self.result.hdi], [rope], probabilities)
        return self._allowed(symbols[0])

    def symbol_at_mass(self, mass: float) -> str:
        """Return the verdict's symbol for any mass, at the comparison's own rope."""
        hdi, result = self.result.posterior.difference.hdi(mass), self.result
        symbols = self._symbols([hdi], [result.rope], [result.probability])
        return self._allowed(symbols[0])

    def embedded(self) -> dict[str, Any]:
        """Return what the sliders of a page look up."""
        result, stops = self.result, self.stops
        letters = sorted(set("".join(self.unblocked)))
        ends = [(hdi.low, hdi.high) for hdi in self.hdis]
        return {
            "ropes": [None if r is None else [r.low, r.high] for r in stops.ropes],
            "rope_names": rope_texts(stops.ropes),
            "masses": list(stops.masses),
            "mass_names": [mass_text(mass) for mass in stops.masses],
            "asked": [stops.rope, stops.mass],
            "names": NAMES,
            "symbols": list(self.symbols),
            "unblocked": list(self.unblocked),
            "headlines": {
                s: result.verdict_sentence(NAMES[s], self._reason(s)) for s in letters
            },
            "shares": [[p.worse, p.equivalent, p.better] for p in self.probabilities],
            "shown": [list(p.all_texts()) for p in self.probabilities],
            "hdis": [list(pair) for pair in ends],
            "ends": [list(result.end_texts(hdi)) for hdi in self.hdis],
            "outlooks": self._outlooks() if result.looks_ahead else None,
        }

    def _outlooks(self) -> list[list[str | None]]:
        """Write the outlook, by rope and mass, where items alone leave it open."""
        result, stops = self.result, self.stops
        difference, data = result.posterior.difference, result.settings.data
        mean, sd = difference.mean(), difference.std()
        items = data.units / data.repetitions
        letters = [s for s, name in NAMES.items() if name in OPEN]
        ahead = [s for s in letters if self._reason(s) is None]

        def sentence(rope: Rope | None, mass: float) -> str | None:
            more = outlook(mean=mean, sd=sd, items=items, rope=rope, mass=mass)
            return None if more is None else more.sentence(result.unit)

        return [
            [
                sentence(rope, mass) if symbol in ahead else None
                for mass, symbol in zip(stops.masses, row, strict=True)
            ]
            for rope, row in zip(stops.ropes, self.unblocked, strict=True)
        ]
