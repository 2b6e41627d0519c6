"""The law of F1, a monotone map of a Beta law."""

from dataclasses import dataclass

import numpy as np

from likelier.laws import tails
from likelier.laws.centre import logit_centre
from likelier.laws.double import Array, Double
from likelier.laws.law import Law
from likelier.laws.moments import f1_moments
from likelier.laws.parameters import checked_positive
from likelier.laws.place import Place


@dataclass(frozen=True)
class F1Law(Law):
    """The law of F = 2U / (1 + U), U ~ Beta(a, b): the odds of F are twice those of U.

    With counts, a is tp and b is fp + fn, each with its prior. Goutte and Gaussier
    (2005), doi:10.1007/978-3-540-31865-1_25.

    Examples
    --------
    >>> law = F1Law(81.0, 42.0)
    >>> round(law.mode(), 4), round(law.mean(), 4)
    (0.7976, 0.7933)
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
        return tails.log_kernel(self._spot(place)) - place.log_spread()

    def log_tails(self, place: Place) -> tuple[Array, Array]:
        """Give the logarithms of the lower and of the upper tail."""
        return tails.log_tails(self._spot(place))

    def centre(self) -> tuple[float, float]:
        """Give the mean and the standard deviation of the logit."""
        middle, spread = logit_centre(self.a, self.b)
        return middle + float(np.log(2)), spread

    def mean(self) -> float:
        """Give the mean."""
        return f1_moments(self.a, self.b)[0]

    def var(self) -> float:
        """Give the variance."""
        return f1_moments(self.a, self.b)[1]

    def mode(self) -> float:
        """Give the value of highest density.

        The density is f^(a-1) (1-f)^(b-1) (2-f)^-(a+b), whose slope is 0 where
        2 f² + (2a + b - 5) f = 2 (a - 1).
        """
        if self.a < 1 or self.b < 1:
            return 0.0 if self.a <= self.b else 1.0
        p, q = 2 * self.a + self.b - 5, self.a - 1
        root = float(np.sqrt(p * p + 16 * q))
        return 4 * q / (p + root) if p > 0 else (root - p) / 4

    def rvs(self, size: int | tuple[int, ...], rng: np.random.Generator) -> Array:
        """Draw random values."""
        u = rng.beta(self.a, self.b, size)
        return 2 * u / (1 + u)

    def _spot(self, place: Place) -> tails.Spot:
        return tails.spot(self.a, self.b, place.value, Double.of(2.0) * place.rest)
