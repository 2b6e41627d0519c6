"""The ropes and masses at which a page can ask again what the verdict is."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import floor, isclose, log10

from likelier.decision import Rope
from likelier.results import Comparison

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
    def of(cls, results: Sequence[Comparison]) -> "Stops":
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


def _reach(results: Sequence[Comparison]) -> float:
    """Give the widest rope that is of interest, if no metric is narrower."""
    furthest = max(max(map(abs, result.hdi)) for result in results)
    asked = results[0].rope
    wanted = _BEYOND * max(furthest, 0.0 if asked is None else _half(asked))
    limits = [_widest(result) for result in results]
    return min(wanted or 0.01, *limits)


def _widest(result: Comparison) -> float:
    """Give what is just below the largest difference that the metric can show."""
    if result.basis is None:
        return 1e300
    low, high = result.basis.metric.bounds
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
