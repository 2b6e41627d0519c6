"""Ranges of rope and mass within which a verdict stays, and the verdicts beyond."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import floor, log10
from typing import TYPE_CHECKING

from likelier.decision import NAMES
from likelier.formatting import join_words
from likelier.interval import Rope
from likelier.results.what_if import WhatIf, mass_text

if TYPE_CHECKING:
    from likelier.results.comparison import Comparison

_HALVINGS = 14
# A verdict that holds for less of the step to the next stop is passed over.
_SLIVER = 0.05
_NOTHING = "No rope and no interval on these sliders changes the verdict."


# Rules by which regions that are equally probable are undecided.
_TYING = ("regions", "region-mass")


@dataclass(frozen=True)
class _Axis:
    """Stops along which the verdict may change.

    Attributes
    ----------
    symbols
        Verdict at each stop.
    here
        Index of the stop of the answer.
    symbol_at
        Returns the verdict at a position, which may lie between two stops.
    text_at
        Writes the rope or mass at a position, rounded towards the answer's own.
    ties
        Whether undecided means that two regions are equally probable.
    from_none
        Whether the first stop is no rope at all.
    """

    symbols: Sequence[str]
    here: int
    symbol_at: Callable[[float], str]
    text_at: Callable[[float], str]
    ties: bool
    from_none: bool = False


def stays(table: WhatIf) -> str:
    """Say up to which rope and which mass the verdict stays as it is."""
    if table.result.tested:
        return _margin_line(table.result)
    clauses = [
        clause
        for axis in (_rope_axis(table), _mass_axis(table))
        for step, side in ((-1, "down to"), (1, "up to"))
        for clause in _clause(axis, step, side)
    ]
    return f"The answer stays {join_words(clauses)}." if clauses else _NOTHING


def _clause(axis: _Axis, step: int, side: str) -> list[str]:
    own = axis.symbols[axis.here]
    last = len(axis.symbols) if step > 0 else -1
    for stop in range(axis.here + step, last, step):
        if axis.symbols[stop] == own:
            continue
        # The narrowest rope that there is.
        near_none = axis.from_none and stop == 0
        if near_none and axis.symbol_at(2.0**-_HALVINGS) == own:
            then = NAMES[axis.symbols[0]]
            return [f"with any narrower rope (without one: {then})"]
        inside, outside = _edge(axis, stop - step, stop)
        name = NAMES[_beyond(axis, outside, stop)]
        text = axis.text_at(inside)
        return [f"{side} {text} (then {name})"]
    return []


def _edge(axis: _Axis, inside: float, outside: float) -> tuple[float, float]:
    """Halve the step to the next stop until the change of the verdict is located."""
    for _ in range(_HALVINGS):
        middle = (inside + outside) / 2
        same = axis.symbol_at(middle) == axis.symbols[axis.here]
        inside, outside = (middle, outside) if same else (inside, middle)
    return inside, outside


def _beyond(axis: _Axis, edge: float, stop: int) -> str:
    """Return the verdict beyond an edge, but none that holds for a sliver only."""
    symbol = axis.symbol_at(edge)
    further = axis.symbol_at(edge + _SLIVER * (stop - edge))
    # By some rules a tie is undecided, and holds for no width at all.
    tied = axis.ties and symbol == "?"
    return axis.symbols[stop] if tied or symbol != further else symbol


def _rope_axis(table: WhatIf) -> _Axis:
    stops = table.stops
    ropes = [rope or Rope(0.0, 0.0) for rope in stops.ropes]

    def rope_at(position: float) -> Rope:
        low = _between([rope.low for rope in ropes], position)
        return Rope(low, _between([rope.high for rope in ropes], position))

    def symbol_at(position: float) -> str:
        rope = rope_at(position)
        return table.symbol_at_rope(None if rope.low == rope.high else rope)

    def text_at(position: float) -> str:
        rope, own = rope_at(position), ropes[stops.rope]
        low, high = _towards(rope.low, own.low), _towards(rope.high, own.high)
        return f"a rope of {Rope(low, high)}"

    symbols = [column[stops.mass] for column in table.symbols]
    ties = table.result.rule in _TYING
    return _Axis(symbols, stops.rope, symbol_at, text_at, ties, from_none=True)


def _mass_axis(table: WhatIf) -> _Axis:
    stops = table.stops

    def symbol_at(position: float) -> str:
        return table.symbol_at_mass(_between(stops.masses, position))

    def text_at(position: float) -> str:
        mass = _towards(_between(stops.masses, position), stops.masses[stops.mass])
        return f"an interval of {mass_text(mass)}"

    ties = table.result.rule in _TYING
    return _Axis(table.symbols[stops.rope], stops.mass, symbol_at, text_at, ties)


def _between(values: Sequence[float], position: float) -> float:
    low = min(int(position), len(values) - 2)
    return values[low] + (position - low) * (values[low + 1] - values[low])


def _towards(value: float, own: float) -> float:
    """Round to three digits towards the answer's own value, or to more if it is near.

    Examples
    --------
    >>> _towards(0.031279, 0.01), _towards(0.031271, 0.05), _towards(0.031279, 0.03127)
    (0.0312, 0.0313, 0.03127)
    """
    for digits in range(3, 7):
        short = float(f"{value:.{digits}g}")
        step = 10.0 ** (floor(log10(abs(value))) - digits + 1) if value else 0.0
        # Rounding may have gone the other direction, by up to half a step.
        for near in (short, short - step, short + step):
            rounded = float(f"{near:.{digits}g}")
            if min(own, value) <= rounded <= max(own, value):
                return rounded
    return own


def _margin_line(result: "Comparison") -> str:
    """Say how large a margin would reverse a Bayes test."""
    middle = sum(result.posterior.difference.interval(1e-6)) / 2
    return (
        "A Bayes test takes the more probable side, whatever rope and interval; "
        f"it turns where the margin passes the median of the difference, {middle:+.3g}."
    )
