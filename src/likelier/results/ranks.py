"""Probabilities of ranks, and p-values of pairs, of many systems."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from likelier import formatting
from likelier._typing import FloatArray


@dataclass(frozen=True, eq=False)
class Ranks:
    """Probability of each rank of each system; rank 1 is the best.

    Attributes
    ----------
    probability
        Probability of each rank (system, rank).
    draws
        Number of joint draws it rests on.
    source
        Kind of the draws, in words.
    scope
        Population of the ranks: the items, or the data sets at hand.
    seed
        Seed of the draws.
    prior
        Prior of the draws as in a recipe, where they have one.
    """

    probability: FloatArray = field(repr=False)
    draws: int
    source: str
    scope: str = ""
    seed: int = 0
    prior: str = ""

    @property
    def best(self) -> FloatArray:
        """Probability of each system to be the best."""
        return self.probability[:, 0]

    @property
    def expected(self) -> FloatArray:
        """Expected rank of each system."""
        return self.probability @ np.arange(1, len(self.probability) + 1)

    def best_text(self, system: int) -> str:
        """Write how probably a system is the best, no finer than the draws allow."""
        share = float(self.best[system])
        error = float(np.sqrt(share * (1 - share) / self.draws))
        return formatting.percent(share, error, draws=self.draws)

    def range_text(self, system: int) -> str:
        """Write the ranks that a system has with a probability of 95 %."""
        below = np.cumsum(self.probability[system])
        low, high = (int(np.searchsorted(below, q)) + 1 for q in (0.025, 0.975))
        return f"{low}" if low == high else f"{low} to {high}"


@dataclass(frozen=True)
class PairTest:
    """P-values of two systems on many data sets.

    Attributes
    ----------
    systems
        The two systems.
    p_value, holm, benjamini_hochberg
        Wilcoxon's p-value, and adjusted for all pairs.
    shown_on
        Number of data sets on which the second is shown to be better, and the first
        (Dror et al. 2017, k-hat); None where data sets have no folds.
    """

    systems: tuple[str, str]
    p_value: float
    holm: float
    benjamini_hochberg: float
    shown_on: tuple[int, int] | None

    def cells(self, *, counted: bool) -> tuple[str, ...]:
        """Return the test as cells of a table, with the data sets where counted."""
        values = (self.p_value, self.holm, self.benjamini_hochberg)
        texts = tuple(map(formatting.p_value, values))
        if not counted or self.shown_on is None:
            return texts
        second, first = self.shown_on
        return (*texts, f"first on {first}, second on {second}")

    def to_dict(self) -> dict[str, Any]:
        """Return the test as in the JSON."""
        first, second = (None, None) if self.shown_on is None else self.shown_on[::-1]
        return {
            "systems": list(self.systems),
            "p_value": self.p_value,
            "holm": self.holm,
            "benjamini_hochberg": self.benjamini_hochberg,
            "first_better_on": first,
            "second_better_on": second,
        }
