"""The Beta law: precision, recall, accuracy and Jaccard, given counts."""

from dataclasses import dataclass

import numpy as np

from likelier.laws import tails
from likelier.laws.centre import logit_centre
from likelier.laws.double import Array
from likelier.laws.law import Law
from likelier.laws.parameters import checked_positive
from likelier.laws.place import Place


@dataclass(frozen=True)
class BetaLaw(Law):
    """The Beta law, exact in both tails for parameters up to 1e12.

    Examples
    --------
    >>> law = BetaLaw(81.0, 21.0)
    >>> round(law.mean(), 4), law.hdi(0.95).kind
    (0.7941, 'hdi')
    >>> round(BetaLaw(1e9, 1e9).logsf(0.501), 6)
    -4005.420662
    """

    a: float
    b: float

    def __post_init__(self) -> None:
        checked_positive("a", self.a)
        checked_positive("b", self.b)

    def ends(self) -> tuple[float, float]:
        """Give a and b, which rule the lower and the upper end."""
        return self.a, self.b

    def log_density(self, place: Place) -> Array:
        """Give the log density inside the support."""
        spot = tails.spot(self.a, self.b, place.value, place.rest)
        return tails.log_kernel(spot) - place.log_spread()

    def log_tails(self, place: Place) -> tuple[Array, Array]:
        """Give the logarithms of the lower and of the upper tail."""
        return tails.log_tails(tails.spot(self.a, self.b, place.value, place.rest))

    def centre(self) -> tuple[float, float]:
        """Give the mean and the standard deviation of the logit."""
        return logit_centre(self.a, self.b)

    def mean(self) -> float:
        """Give the mean."""
        return self.a / (self.a + self.b)

    def var(self) -> float:
        """Give the variance."""
        n = self.a + self.b
        return self.a / n * (self.b / n) / (n + 1)

    def mode(self) -> float:
        """Give the value of highest density; 0.5 if all are equal."""
        if min(self.a, self.b) > 1:
            return (self.a - 1) / (self.a - 1 + (self.b - 1))
        if self.a == self.b == 1:
            return 0.5
        return 0.0 if self.a <= self.b else 1.0

    def rvs(self, size: int | tuple[int, ...], rng: np.random.Generator) -> Array:
        """Draw random values."""
        return rng.beta(self.a, self.b, size)
