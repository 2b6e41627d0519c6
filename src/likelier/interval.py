"""An interval and the kind it is; made only by the function that computed it."""

from collections.abc import Iterator
from dataclasses import dataclass
from numbers import Real
from typing import Literal

from likelier.errors import SettingError

IntervalKind = Literal["hdi", "equal-tailed", "confidence"]


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
        yield self.low
        yield self.high

    @property
    def width(self) -> float:
        """The distance between the two ends."""
        return self.high - self.low

    def negated(self) -> "Interval":
        """Mirror the interval at zero."""
        return Interval(-self.high, -self.low, mass=self.mass, kind=self.kind)

    def to_dict(self) -> dict[str, object]:
        """Give the interval as it stands in the JSON."""
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
