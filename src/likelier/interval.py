"""Intervals, their mass, and the region of practical equivalence (rope)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from numbers import Real
from typing import Literal

import numpy as np

from likelier.errors import SettingError

IntervalKind = Literal["hdi", "equal-tailed", "confidence"]
# Of 50,000 draws five lie outside the widest.
_LEAST_MASS, _MOST_MASS = 0.01, 0.9999


@dataclass(frozen=True)
class Interval:
    """Two ends, the mass between them, and how they were chosen.

    Examples
    --------
    >>> low, high = Interval(0.1, 0.3, mass=0.95, kind="hdi")
    >>> low, high
    (0.1, 0.3)
    """

    low: float
    high: float
    mass: float
    kind: IntervalKind

    def __iter__(self) -> Iterator[float]:
        return iter((self.low, self.high))

    @property
    def width(self) -> float:
        """The distance between the two ends."""
        return self.high - self.low

    def to_dict(self) -> dict[str, object]:
        """Return the interval as in the JSON."""
        return {
            "kind": self.kind,
            "mass": self.mass,
            "low": self.low,
            "high": self.high,
        }


def checked_mass(mass: float) -> float:
    """Return the mass of an interval, if it lies strictly between 0 and 1."""
    if not isinstance(mass, Real) or not 0 < mass < 1:
        message = f"mass must lie strictly between 0 and 1; got {mass!r}."
        raise SettingError(message, hint="mass=0.95 asks for a 95 % interval.")
    return float(mass)


def asked_mass(mass: float) -> float:
    """Return the mass that a user asks for, if draws can tell such an interval."""
    checked = checked_mass(mass)
    if not _LEAST_MASS <= checked <= _MOST_MASS:
        message = f"mass must lie from {_LEAST_MASS} to {_MOST_MASS}; got {mass!r}."
        hint = "mass=0.95 asks for a 95 % interval; draws cannot tell ends further out."
        raise SettingError(message, hint=hint)
    return checked


@dataclass(frozen=True)
class Rope:
    """The region of practical equivalence, in the metric's own unit.

    Examples
    --------
    >>> Rope.of(0.01)
    Rope(low=-0.01, high=0.01)
    >>> str(Rope.of(0.01)), str(Rope.of((-0.01, 0.02)))
    ('±0.01', '-0.01 to +0.02')
    """

    low: float
    high: float

    def __post_init__(self) -> None:
        if not -np.inf < self.low <= 0 <= self.high < np.inf:
            message = (
                "rope must have a low end of at most 0 and a high end of at least 0; "
                f"got {self.low} and {self.high}."
            )
            raise SettingError(message)

    @classmethod
    def of(cls, rope: "float | Sequence[float] | Rope") -> "Rope":
        """Make a rope of a half width or a pair of ends; return a rope as it is."""
        if isinstance(rope, Rope):
            return rope
        low, high = _ends(rope)
        if not -np.inf < low <= 0 <= high < np.inf:
            message = (
                "rope must be a half width of at least 0, or a low and a high end with "
                f"0 between them; got {rope!r}."
            )
            raise SettingError(message, hint="rope=0.01 means from -0.01 to +0.01.")
        return cls(low + 0.0, high + 0.0)

    @property
    def half_width(self) -> float:
        """The further of the two ends."""
        return max(self.high, -self.low)

    def __str__(self) -> str:
        if self.low == -self.high:
            return f"±{self.high:g}"
        return f"{self.low:+g} to {self.high:+g}"


def _ends(rope: float | Sequence[float]) -> tuple[float, float]:
    nan = float("nan")
    try:
        if isinstance(rope, bool):
            return nan, nan
        if isinstance(rope, int | float | np.number):
            return -float(rope), float(rope)
        return (float(rope[0]), float(rope[1])) if len(rope) == 2 else (nan, nan)
    except (TypeError, ValueError, KeyError):
        return nan, nan


def rope_ends(rope: Rope | None) -> tuple[float, float]:
    """Return the ends of a rope; without one, both are 0."""
    return (0.0, 0.0) if rope is None else (rope.low, rope.high)


def similar_ropes(
    rope: Rope | None, half_widths: Sequence[float]
) -> tuple[Rope | None, ...]:
    """Make ropes of these half widths, as lopsided as another one; none for 0."""

    def similar(half: float) -> Rope | None:
        if half == 0 and (rope is None or rope.half_width > 0):
            return None
        if rope is None or rope.half_width == 0:
            return Rope(-half, half) if half else rope
        if half == rope.half_width:
            return rope
        times = half / rope.half_width
        return Rope(six_digits(rope.low * times), six_digits(rope.high * times))

    return tuple(map(similar, half_widths))


def six_digits(value: float) -> float:
    """Round to six digits, so that a number equals its text."""
    return float(f"{value:.6g}")


def rope_texts(ropes: Sequence[Rope | None]) -> list[str]:
    """Write each rope, or "no rope"."""
    return ["no rope" if rope is None else str(rope) for rope in ropes]
