"""Points of the unit interval, known as well near 1 as near 0."""

from dataclasses import dataclass

import numpy as np

from likelier.laws.double import Array, Double, Mask


@dataclass(frozen=True, slots=True)
class Place:
    """A value and its distance from 1.

    Both are kept, because 1 - value cannot be had from a value near 1.
    """

    value: Double
    rest: Double

    @classmethod
    def at(cls, value: Array | float) -> "Place":
        """Take a float between 0 and 1 as it is."""
        given = Double.of(value)
        return cls(given, Double.of(1.0) - given)

    @classmethod
    def of_logit(cls, logit: Array | float) -> "Place":
        """Take log(value / rest): the smaller of the two is a float, exactly."""
        logit = np.asarray(logit, dtype=float)
        return cls.beside(Double.of(0.0), Double.of(1.0), logit)

    @classmethod
    def beside(cls, low: Double, high: Double, logit: Array) -> "Place":
        """Share the stretch from low to high, measuring from the nearer end."""
        left = logit < 0
        odds = np.exp(-np.abs(logit))
        step = (high - low).high * (odds / (1 + odds))
        end = Double(
            np.where(left, low.high, high.high), np.where(left, low.low, high.low)
        )
        value = end + Double.of(np.where(left, step, -step))
        rest = (Double.of(1.0) - end) + Double.of(np.where(left, -step, step))
        return cls(value, rest)

    def take(self, chosen: Mask | slice) -> "Place":
        """Keep the chosen points."""
        return Place(self.value.take(chosen), self.rest.take(chosen))

    def log_spread(self) -> Array:
        """Give log(value * rest), the slope of the value in its logit."""
        return np.log(self.value.high) + np.log(self.rest.high)
