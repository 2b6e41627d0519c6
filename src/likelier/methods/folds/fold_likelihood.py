"""Likelihood of the folds of each data set, and weighted points of a posterior."""

from dataclasses import dataclass

import numpy as np
from scipy import special

from likelier._typing import BoolArray, FloatArray, IntArray
from likelier.methods.folds.panels import Panels
from likelier.methods.folds.student_sum import legendre, log_blend

# Bounds of the hyper-prior: nu - 1 ~ Gamma(a, b), a ~ U(1, 2), b ~ U(.01, .1).
SHAPES, RATES = (1.0, 2.0), (0.01, 0.1)
# Below and above, nu - 1 has no more than 1e-6 of the prior.
TAILS = (1e-6, 2000.0)


@dataclass(frozen=True, eq=False)
class Means:
    """What the folds of each data set say of its own difference: a Student law each.

    All in units of the mean standard deviation of folds.

    Attributes
    ----------
    centre, scale, df
        The law of each data set's difference, given a flat prior.
    bound
        delta0 lies between minus and plus this.
    widest
        sigma0 lies between 0 and this.
    """

    centre: FloatArray
    scale: FloatArray
    df: FloatArray
    bound: float
    widest: float


def log_prior_tails(log_tails: FloatArray) -> FloatArray:
    """Give the log density of log(nu - 1), shape and rate integrated out."""
    nodes, weights = legendre(40)
    shape = np.mean(SHAPES) + 0.5 * np.ptp(SHAPES) * nodes[:, None]
    rate = np.mean(RATES) + 0.5 * np.ptp(RATES) * nodes
    constant = shape * np.log(rate) - special.gammaln(shape)
    both = 0.25 * np.multiply.outer(weights, weights)
    # Rows share their nu: there are few of them.
    distinct, place = np.unique(log_tails, return_inverse=True)
    logs = (
        constant[..., None]
        + shape[..., None] * distinct
        - rate[:, None] * np.exp(distinct)
    )
    return np.asarray(special.logsumexp(logs, b=both[..., None], axis=(0, 1)))[place]


def log_likelihood(
    means: Means,
    delta: FloatArray,
    spread: FloatArray,
    tails: FloatArray,
    points: IntArray,
) -> FloatArray:
    """Give the log likelihood of points, each with its own sigma0 and nu."""
    logs = np.zeros(len(delta))
    for count in np.unique(points):
        chosen = points == count
        logs += log_densities(means, chosen, delta, spread, tails, int(count)).sum(
            axis=0
        )
    return logs


def log_densities(
    means: Means,
    chosen: BoolArray,
    delta: FloatArray,
    spread: FloatArray,
    tails: FloatArray,
    points: int,
) -> FloatArray:
    """Give the log density of chosen data sets' means (data set, point)."""
    scale = means.scale[chosen, None]
    gap = (means.centre[chosen, None] - delta) / scale
    ratio, nu = np.exp(spread) / scale, 1 + np.exp(tails)
    return log_blend(gap, ratio, means.df[chosen, None], nu, points=points)


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
