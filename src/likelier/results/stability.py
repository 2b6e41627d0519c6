"""Within which ropes and masses a verdict stays, and what it is beyond."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import floor, log10
from typing import TYPE_CHECKING

from likelier.decision import NAMES
from likelier.interval import Rope, rope_texts
from likelier.results.what_if import WhatIf, mass_text

if TYPE_CHECKING:
    from likelier.results.comparison import Comparison

_HALVINGS = 14
# A verdict that lives on less of the way to the next stop is not worth a word.
_SLIVER = 0.05
_NOTHING = "No rope of this shape and no mass within reach changes the verdict."
_SHOWN_MASSES = (0.8, 0.9, 0.95, 0.99)
_SHOWN_ROPES = 6


@dataclass(frozen=True)
class Row:
    """The verdicts for one rope, mass by mass."""

    rope: str
    cells: tuple[tuple[str, str, bool], ...]


@dataclass(frozen=True)
class Grid:
    """Verdicts by rope and mass, for a page without sliders.

    Attributes
    ----------
    masses
        The heads of the columns.
    rows
        One for each rope: verdicts, their symbols, and whether that was asked for.
    """

    masses: tuple[str, ...]
    rows: tuple[Row, ...]


def grid(table: WhatIf) -> Grid:
    """Give the verdicts at some ropes and masses, those asked for among them."""
    stops = table.stops
    known = [i for i, mass in enumerate(stops.masses) if mass in _SHOWN_MASSES]
    masses = sorted({*known, stops.mass})
    last = len(stops.ropes) - 1
    even = [round(last * part / _SHOWN_ROPES) for part in range(_SHOWN_ROPES)]
    names = rope_texts(stops.ropes)
    rows = [
        Row(names[rope], tuple(_cell(table, rope, mass) for mass in masses))
        for rope in sorted({*even, stops.rope})
    ]
    return Grid(tuple(mass_text(stops.masses[i]) for i in masses), tuple(rows))


def _cell(table: WhatIf, rope: int, mass: int) -> tuple[str, str, bool]:
    symbol = table.symbols[rope][mass]
    asked = (rope, mass) == (table.stops.rope, table.stops.mass)
    return NAMES[symbol], symbol, asked


@dataclass(frozen=True)
class _Axis:
    """Stops along which the verdict may change.

    Attributes
    ----------
    symbols
        The verdict at each stop.
    here
        The stop that was asked for.
    ask
        Gives the verdict at a place, which may lie between two stops.
    told
        Says what stands at a place, rounded towards what was asked for.
    ties
        Whether undecided means that two regions are as probable as each other.
    from_none
        Whether the first stop is no rope at all.
    """

    symbols: Sequence[str]
    here: int
    ask: Callable[[float], str]
    told: Callable[[float], str]
    ties: bool
    from_none: bool = False


def stays(table: WhatIf) -> list[str]:
    """Say up to which rope and which mass the verdict stays as it is."""
    if table.result.tested:
        return [_margin_line(table.result)]
    axes = _ropes(table), _masses(table)
    lines = [
        line
        for axis in axes
        for step, side in ((1, "up to"), (-1, "down to"))
        for line in _line(axis, step, side)
    ]
    return lines or [_NOTHING]


def _line(axis: _Axis, step: int, side: str) -> list[str]:
    place = axis.here
    while 0 <= place + step < len(axis.symbols):
        if axis.symbols[place + step] != axis.symbols[axis.here]:
            if axis.from_none and place + step == 0 and _holds_near_none(axis):
                then = NAMES[axis.symbols[0]]
                return [f"It stays with any narrower rope; without one, it is: {then}."]
            kept, beyond = _edge(axis, place, place + step)
            name = NAMES[_beyond(axis, beyond, place + step)]
            return [
                f"It stays {side} {axis.told(kept)}; beyond, the verdict is: {name}."
            ]
        place += step
    return []


def _beyond(axis: _Axis, edge: float, stop: int) -> str:
    """Give the verdict beyond an edge, but none that holds for a sliver only."""
    found = axis.ask(edge)
    further = axis.ask(edge + _SLIVER * (stop - edge))
    # By the rule regions a tie is undecided, and holds for no width at all.
    tied = axis.ties and found == "?"
    return axis.symbols[stop] if tied or found != further else found


def _holds_near_none(axis: _Axis) -> bool:
    """Tell whether the verdict stays with the narrowest rope that there is."""
    return axis.ask(2.0**-_HALVINGS) == axis.symbols[axis.here]


def _edge(axis: _Axis, kept: float, beyond: float) -> tuple[float, float]:
    """Halve the way to the next stop until it is known where the verdict changes."""
    for _ in range(_HALVINGS):
        middle = (kept + beyond) / 2
        same = axis.ask(middle) == axis.symbols[axis.here]
        kept, beyond = (middle, beyond) if same else (kept, middle)
    return kept, beyond


def _ropes(table: WhatIf) -> _Axis:
    stops = table.stops
    ropes = [rope or Rope(0.0, 0.0) for rope in stops.ropes]

    def at(place: float) -> Rope:
        low = _between([rope.low for rope in ropes], place)
        return Rope(low, _between([rope.high for rope in ropes], place))

    def ask(place: float) -> str:
        rope = at(place)
        return table.symbol_at_rope(None if rope.low == rope.high else rope)

    def told(place: float) -> str:
        rope, asked = at(place), ropes[stops.rope]
        low, high = _towards(rope.low, asked.low), _towards(rope.high, asked.high)
        return f"a rope of {Rope(low, high)}"

    symbols = [column[stops.mass] for column in table.symbols]
    ties = table.result.rule == "regions"
    return _Axis(symbols, stops.rope, ask, told, ties, from_none=True)


def _masses(table: WhatIf) -> _Axis:
    stops = table.stops

    def ask(place: float) -> str:
        return table.symbol_at_mass(_between(stops.masses, place))

    def told(place: float) -> str:
        mass = _towards(_between(stops.masses, place), stops.masses[stops.mass])
        return f"a mass of {mass_text(mass)}"

    ties = table.result.rule == "regions"
    return _Axis(table.symbols[stops.rope], stops.mass, ask, told, ties)


def _between(values: Sequence[float], place: float) -> float:
    low = min(int(place), len(values) - 2)
    return values[low] + (place - low) * (values[low + 1] - values[low])


def _towards(value: float, asked: float) -> float:
    """Round to three digits towards what was asked for, or to more if that is near.

    Examples
    --------
    >>> _towards(0.031279, 0.01), _towards(0.031271, 0.05), _towards(0.031279, 0.03127)
    (0.0312, 0.0313, 0.03127)
    """
    for digits in range(3, 7):
        short = float(f"{value:.{digits}g}")
        step = 10.0 ** (floor(log10(abs(value))) - digits + 1) if value else 0.0
        # Rounding may have gone the other way, by up to half a step.
        for near in (short, short - step, short + step):
            shown = float(f"{near:.{digits}g}")
            if min(asked, value) <= shown <= max(asked, value):
                return shown
    return asked


def _margin_line(result: "Comparison") -> str:
    """Say how large a margin would turn a Bayes test round."""
    middle = sum(result.posterior.difference.interval(1e-6)) / 2
    return (
        "A Bayes test takes the more probable side, whatever the rope and the mass; "
        f"it turns where the margin passes the median of the difference, {middle:+.3g}."
    )
