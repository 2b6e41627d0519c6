"""Which part of the next data set has the most mass: below, in or above a stretch."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import special

from likelier.score_methods.lines import Panels

FloatArray = NDArray[np.float64]

_BISECTIONS = 36


@dataclass(frozen=True)
class Region:
    """A stretch of differences: which part of the next data set has the most mass.

    On a line the part below the stretch wins up to one delta0, the part above it from
    another one on, and the stretch between them.

    Attributes
    ----------
    low, high
        Its ends; the same where there is no stretch, and only two parts.
    """

    low: float
    high: float

    @property
    def middle(self) -> float:
        """Where the parts below and above are equally large."""
        return 0.5 * (self.low + self.high)

    def kink(self, tails: FloatArray) -> FloatArray:
        """Give the log sigma0 from which on the stretch never wins, for each nu."""
        half = 0.5 * (self.high - self.low)
        if half == 0:
            return np.full(len(tails), -np.inf)
        # At its best it has a third of the mass.
        return np.asarray(np.log(half / special.stdtrit(1 + np.exp(tails), 2 / 3)))

    def reach(self, spread: FloatArray, tails: FloatArray) -> FloatArray:
        """Say how far from the middle the stretch wins, for each sigma0 and nu."""
        half, sigma, nu = self.high - self.middle, np.exp(spread), 1 + np.exp(tails)
        least, most = np.zeros(len(spread)), np.full(len(spread), half)
        for _ in range(_BISECTIONS):
            away = 0.5 * (least + most)
            above = special.stdtr(nu, (away - half) / sigma)
            below = special.stdtr(nu, (-half - away) / sigma)
            wins = 1 - above - below > above
            least, most = np.where(wins, away, least), np.where(wins, most, away)
        return np.where(spread < self.kink(tails), 0.5 * (least + most), 0.0)

    def parts(self, panels: Panels, reach: FloatArray) -> FloatArray:
        """Give the mass of each panel where each part wins (part, panel)."""
        away = reach[panels.line]
        below = panels.below(self.middle - away)
        above = panels.above(self.middle + away)
        whole = panels.masses.sum(axis=1)
        return np.stack([below, np.maximum(whole - below - above, 0.0), above])
