"""A Bayes factor, and words for its size, after Jeffreys."""

from dataclasses import dataclass
from math import inf, log10
from typing import Literal

from likelier import formatting

FactorName = Literal["rope", "point", "kde"]
Bound = Literal["equal", "at most", "at least"]

FACTORS: tuple[FactorName, ...] = ("rope", "point", "kde")

# Words for odds of at least so many to one, after Jeffreys.
_WORDS = (
    (100, "decisive"),
    (30, "very strong"),
    (10, "strong"),
    (3, "substantial"),
    (1, "anecdotal"),
)
_NULLS: dict[FactorName, str] = {
    "rope": "equivalence",
    "point": "no difference",
    "kde": "no difference",
}

# Beyond, a factor is no longer a float; its logarithm still is.
_LARGEST = 300


@dataclass(frozen=True)
class BayesFactor:
    """How far the data moved the odds of the null: equivalence, or no difference.

    Attributes
    ----------
    log10
        The decimal logarithm; above 0 it speaks for the null.
    bound
        "at most" or "at least" where the draws do not resolve more, else "equal".
    of
        The null: the rope, the point 0, or that point by a kernel density estimate.
    mcse
        The Monte-Carlo standard error of the logarithm; 0 where it is exact.
    density
        The prior density of no difference, for a point null.

    Examples
    --------
    >>> factor = BayesFactor(-1.5)
    >>> factor.label, round(factor.bf01, 4)
    ('very strong against equivalence', 0.0316)
    """

    log10: float
    bound: Bound = "equal"
    of: FactorName = "rope"
    mcse: float = 0.0
    density: float | None = None

    @property
    def bf01(self) -> float:
        """The factor for the null over a difference."""
        return 10.0**self.log10 if self.log10 < _LARGEST else inf

    @property
    def null(self) -> str:
        """What the factor speaks for or against, in words."""
        return _NULLS[self.of]

    @property
    def strength(self) -> str:
        """A word for the size of the factor, after Jeffreys."""
        size = abs(self.log10) + 1e-12  # rounding must not cost a word
        return next(word for least, word in _WORDS if size >= log10(least))

    @property
    def side(self) -> str:
        """Whether the evidence is for or against the null."""
        return "for" if self.log10 >= 0 else "against"

    @property
    def label(self) -> str:
        """That word, and what the evidence speaks for."""
        return f"{self.strength} {self.side} {self.null}"

    def shown(self) -> str:
        """Write the factor as odds, no finer than it is known."""
        bounded = self.bound != "equal"
        odds = formatting.odds(self.log10, self.mcse, bound=bounded)
        return f"{self.bound} {odds}" if bounded else odds

    def to_dict(self) -> dict[str, object]:
        """Give the factor as it stands in the JSON."""
        return {
            "of": self.of,
            "bf01": self.bf01 if abs(self.log10) < _LARGEST else None,
            "log10": self.log10,
            "mcse": self.mcse,
            "label": self.label,
            "bound": self.bound,
        }
