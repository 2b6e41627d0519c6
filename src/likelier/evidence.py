"""Bayes factors: how far the data moved the odds of equivalence."""

from dataclasses import dataclass
from math import inf, log10
from typing import Literal

from likelier.decision import Probabilities

# Jeffreys' words for odds of at least so many to one.
_WORDS = (
    (100, "decisive"),
    (30, "very strong"),
    (10, "strong"),
    (3, "substantial"),
    (1, "anecdotal"),
)

# Beyond, a factor is no longer a float; its logarithm still is.
_LARGEST = 300


@dataclass(frozen=True)
class BayesFactor:
    """The interval factor of the rope: posterior odds over prior odds of lying in it.

    Attributes
    ----------
    log10
        The decimal logarithm; above 0 it speaks for equivalence.
    bound
        "at most" or "at least" where the draws do not resolve more, else "equal".

    Examples
    --------
    >>> factor = BayesFactor(-1.5)
    >>> factor.label, round(factor.bf01, 4)
    ('very strong against equivalence', 0.0316)
    """

    log10: float
    bound: Literal["equal", "at most", "at least"] = "equal"

    @property
    def bf01(self) -> float:
        """The factor for equivalence over a difference."""
        return 10.0**self.log10 if self.log10 < _LARGEST else inf

    @property
    def strength(self) -> str:
        """Jeffreys' word for the size of the factor."""
        size = abs(self.log10) + 1e-12  # rounding must not cost a word
        return next(word for least, word in _WORDS if size >= log10(least))

    @property
    def label(self) -> str:
        """Jeffreys' word, and what the evidence speaks for."""
        side = "for" if self.log10 >= 0 else "against"
        return f"{self.strength} {side} equivalence"

    def to_dict(self) -> dict[str, object]:
        """Give the factor as it stands in the JSON."""
        return {
            "bf01": self.bf01 if abs(self.log10) < _LARGEST else None,
            "log10": self.log10,
            "label": self.label,
            "bound": self.bound,
        }


def rope_factor(
    posterior: Probabilities, prior: Probabilities | None
) -> BayesFactor | None:
    """Compare the posterior with the prior odds of equivalence.

    Where no draw, or every draw, of the posterior lies in the rope, the factor is
    only bounded. There is none where the prior itself leaves no odds.
    """
    if prior is None or not 0 < prior.equivalent < 1:
        return None
    before = prior.equivalent / (1 - prior.equivalent)
    inside, n = posterior.equivalent, posterior.draws
    if inside in (0.0, 1.0):
        # Three in n draws bound what none of them shows, with 95 %.
        least = 3 / n if n else 5e-324
        odds = least if inside == 0 else 1 / least
        bound: Literal["at most", "at least"] = "at most" if inside == 0 else "at least"
        return BayesFactor(log10(odds / before), bound)
    return BayesFactor(log10(inside / (1 - inside) / before))
