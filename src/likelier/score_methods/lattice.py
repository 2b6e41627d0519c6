"""The posterior of the population of data sets, as weighted points on lines."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from likelier.score_methods.lines import Panels
from likelier.score_methods.means import TAILS
from likelier.score_methods.region import Region

FloatArray = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Lattice:
    """The posterior of (delta0, sigma0, nu) as weighted points on lines.

    Attributes
    ----------
    spread, tails
        The logarithms of sigma0 and of nu - 1 on each line.
    weight
        The weight of each line in integrals over sigma0 and nu.
    panels
        The lines.
    rows
        Panels of log sigma0 in rows of one nu, with the mass of their lines.
    step
        The step between rows, in log(nu - 1).
    error
        An estimate of the error of the shares it was made for.
    """

    spread: FloatArray
    tails: FloatArray
    weight: FloatArray
    panels: Panels
    rows: Panels
    step: float
    error: float

    @property
    def masses(self) -> FloatArray:
        """The probability of each point (panel, point)."""
        return self.panels.masses * self.weight[self.panels.line][:, None]

    @property
    def row_masses(self) -> tuple[FloatArray, FloatArray]:
        """The logarithm of nu - 1 on every row, in even steps, and its probability."""
        number = self.rows.line
        place = np.arange(number.min(), number.max() + 1)
        masses = np.zeros(len(place))
        np.add.at(masses, number - place[0], self.rows.masses.sum(axis=1))
        return np.log(TAILS[1]) - self.step * place, masses

    def shares(self, region: Region) -> tuple[float, float, float]:
        """Give how probable it is that each part of a region has the most mass."""
        parts = region.parts(self.panels, region.reach(self.spread, self.tails))
        summed = np.maximum(parts @ self.weight[self.panels.line], 0.0)
        if region.low == region.high:
            summed[1] = 0.0
        worse, inside, better = summed / summed.sum()
        return float(worse), float(inside), float(better)
