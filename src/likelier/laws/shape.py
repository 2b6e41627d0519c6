"""The least that a law on the unit interval must say."""

from typing import Protocol

from likelier.laws.double import Array
from likelier.laws.place import Place


class Shape(Protocol):
    """A density on the unit interval and its two tails, as logarithms.

    Near 0 the density goes like x^(a-1), near 1 like (1-x)^(b-1).
    """

    def ends(self) -> tuple[float, float]:
        """Give a and b, which rule the lower and the upper end."""
        ...

    def log_density(self, place: Place) -> Array:
        """Give the log density inside the support."""
        ...

    def log_tails(self, place: Place) -> tuple[Array, Array]:
        """Give the logarithms of the lower and of the upper tail."""
        ...

    def centre(self) -> tuple[float, float]:
        """Give about where the logit lies, and about how far it spreads."""
        ...
