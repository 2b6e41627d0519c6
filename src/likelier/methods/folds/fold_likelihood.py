"""Likelihood of the folds of each data set, and weighted points of a posterior.

All differences are in units of the mean standard deviation of folds. Points of the
posterior are known by delta0, log sigma0 and log(nu - 1), here `log_sigma` and
`log_tails`.
"""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from scipy import special

from likelier._typing import BoolArray, FloatArray
from likelier.laws.numerics import legendre
from likelier.methods.folds.density_table import density_table
from likelier.methods.folds.panels import Panels
from likelier.methods.folds.student_sum import log_sum_density, student_height

# Bounds of the hyper-prior: nu - 1 ~ Gamma(a, b), a ~ U(1, 2), b ~ U(.01, .1).
SHAPES, RATES = (1.0, 2.0), (0.01, 0.1)
# Below and above, nu - 1 has no more than 1e-6 of the prior.
TAILS = (1e-6, 2000.0)
# For so many data sets of one number of folds a table of their density pays.
_LEAST_TABLED = 3
# Number of points in the integrals of fewer.
_POINTS = 48
# Numbers that fit into a processor's cache.
_MOST_NUMBERS = 2**13
_BISECTIONS, _NEWTON_STEPS = 36, 5
# Least log sigma0 to look for a kink at, beside a rope of half-width 1.
_LEAST_SPREAD = -20.0


@dataclass(frozen=True, eq=False)
class FoldMeans:
    """Mean differences of data sets: a Student law each, from their folds.

    Attributes
    ----------
    centre, scale, df
        The law of each data set's difference, given a flat prior.
    delta_bound
        delta0 lies between minus and plus this.
    sigma_bound
        sigma0 lies between 0 and this.
    """

    centre: FloatArray
    scale: FloatArray
    df: FloatArray
    delta_bound: float
    sigma_bound: float

    def select(self, chosen: BoolArray) -> "FoldMeans":
        """Return some of the data sets."""
        laws = self.centre[chosen], self.scale[chosen], self.df[chosen]
        return FoldMeans(*laws, self.delta_bound, self.sigma_bound)


def log_prior_tails(log_tails: FloatArray) -> FloatArray:
    """Return the log density of log(nu - 1), shape and rate integrated out."""
    # Rows share their nu: there are few of them.
    distinct, index = np.unique(log_tails, return_inverse=True)
    return np.array([_log_prior_tail(float(tail)) for tail in distinct])[index]


@lru_cache(maxsize=1024)
def _log_prior_tail(log_tail: float) -> float:
    nodes, weights = legendre(40)
    shape = np.mean(SHAPES) + 0.5 * np.ptp(SHAPES) * nodes[:, None]
    rate = np.mean(RATES) + 0.5 * np.ptp(RATES) * nodes
    constant = shape * np.log(rate) - special.gammaln(shape)
    logs = constant + shape * log_tail - rate * np.exp(log_tail)
    both = 0.25 * np.multiply.outer(weights, weights)
    return float(special.logsumexp(logs, b=both))


def log_likelihood(
    means: FoldMeans,
    delta: FloatArray,
    log_sigma: FloatArray,
    log_tails: FloatArray,
    *,
    points: int | None = None,
) -> FloatArray:
    """Return the log likelihood of points (line, point).

    Parameters
    ----------
    means
        The laws of the data sets' own differences.
    delta
        The points of each line.
    log_sigma, log_tails
        The logarithms of sigma0 and of nu - 1 on each line.
    points
        Number of points of an integral for each density; by default they are looked up
        in tables where those pay.
    """
    logs = np.zeros(delta.shape)
    for df in np.unique(means.df):
        group = means.select(means.df == df)
        if len(group.df) < _LEAST_TABLED or points is not None:
            logs += _integrated(group, delta, log_sigma, log_tails, points or _POINTS)
        else:
            logs += _looked_up(group, delta, log_sigma, log_tails)
    return logs


def _integrated(
    group: FoldMeans,
    delta: FloatArray,
    log_sigma: FloatArray,
    log_tails: FloatArray,
    points: int,
) -> FloatArray:
    """Integrate the density of the mean of each data set of one number of folds."""
    gap, log_ratio = _standardised(group, delta, log_sigma)
    ratio, nu = np.exp(log_ratio)[:, :, None], 1 + np.exp(log_tails)[:, None]
    densities = log_sum_density(gap, ratio, float(group.df[0]), nu, points=points)
    return np.asarray(densities.sum(axis=0))


def _looked_up(
    group: FoldMeans, delta: FloatArray, log_sigma: FloatArray, log_tails: FloatArray
) -> FloatArray:
    """Look up the density of the mean of each data set of one number of folds."""
    logs = np.empty(delta.shape)
    # Data sets are summed in their order, whatever the size of the parts.
    size = max(1, _MOST_NUMBERS // (len(group.df) * delta.shape[1]))
    for tail in np.unique(log_tails):
        table = density_table(float(group.df[0]), float(1 + np.exp(tail)))
        (lines,) = np.nonzero(log_tails == tail)
        for start in range(0, len(lines), size):
            part = lines[start : start + size]
            gap, log_ratio = _standardised(group, delta[part], log_sigma[part])
            rows = gap.reshape(-1, delta.shape[1])
            densities = table.log_density(rows, log_ratio.ravel())
            logs[part] = densities.reshape(gap.shape).sum(axis=0)
    return logs


def _standardised(
    group: FoldMeans, delta: FloatArray, log_sigma: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Return points and log sigma0 in units of each data set's scale."""
    centre, scale = (part[:, None, None] for part in (group.centre, group.scale))
    return (centre - delta) / scale, log_sigma - np.log(group.scale)[:, None]


@dataclass(frozen=True)
class RopeRegion:
    """Rope, and the parts of the next data set's law below, in and above it.

    Along delta0 the part below has the most mass up to one point, the part above from
    another point on, and the rope between them.

    Attributes
    ----------
    low, high
        The ends; the same where there is no rope, and only two parts.
    """

    low: float
    high: float

    @property
    def middle(self) -> float:
        """Centre, at which the parts below and above are equally large."""
        return 0.5 * (self.low + self.high)

    def kinks(self, log_tails: FloatArray, bound: float) -> FloatArray:
        """Return the log sigma0 where the rope ceases to win at one delta0.

        Parameters
        ----------
        log_tails
            The logarithm of nu - 1, of one row each.
        bound
            delta0 lies between minus and plus this.

        Returns
        -------
        FloatArray
            At the middle, where it wins longest, and at both bounds (row, place);
            minus infinity where it never wins.
        """
        distances = np.abs([0.0, bound - self.middle, bound + self.middle])
        half = 0.5 * (self.high - self.low)
        inside = distances < half
        kinks = np.full((len(log_tails), len(distances)), -np.inf)
        if inside.any():
            part = distances[inside] / half
            kinks[:, inside] = np.log(half) + _last_wins(log_tails[:, None], part)
        return kinks

    def reach(self, log_sigma: FloatArray, log_tails: FloatArray) -> FloatArray:
        """Return how far from the middle the rope wins, for each sigma0 and nu."""
        half = self.high - self.middle
        sigma, nu = np.exp(log_sigma), 1 + np.exp(log_tails)
        if half == 0:
            return np.zeros(len(sigma))
        # In units of sigma0 from the end: above it lies a third to a half of the mass,
        # and below the other end what is left of the whole.
        width = 2 * half / sigma
        end, height = np.zeros(len(sigma)), student_height(nu)
        for _ in range(_NEWTON_STEPS):
            above, below = special.stdtr(nu, end), special.stdtr(nu, -width - end)
            slope = 2 * _kernel(end, nu) - _kernel(width + end, nu)
            end += (1 - 2 * above - below) / (height * slope)
        # At its best, in the middle, it has a third of the mass.
        most_sigma = half / special.stdtrit(nu, 2 / 3)
        return np.where(sigma < most_sigma, np.maximum(half + sigma * end, 0.0), 0.0)

    def parts(self, panels: Panels, reach: FloatArray) -> FloatArray:
        """Return the mass of each panel where each part wins (part, panel)."""
        distance = reach[panels.line]
        below = panels.below(self.middle - distance)
        above = panels.above(self.middle + distance)
        whole = panels.masses.sum(axis=1)
        return np.stack([below, np.maximum(whole - below - above, 0.0), above])


def _kernel(x: FloatArray, df: FloatArray) -> FloatArray:
    """Return a Student density but for its constant."""
    return np.asarray((1 + x * x / df) ** (-0.5 * (df + 1)))


def _last_wins(log_tails: FloatArray, distance: FloatArray) -> FloatArray:
    """Return the largest log sigma0 at which a rope of half-width 1 wins so far out."""
    nu = 1 + np.exp(log_tails)
    shape = np.broadcast_shapes(nu.shape, distance.shape)
    least, most = np.full(shape, _LEAST_SPREAD), np.full(shape, 2.0)
    for _ in range(_BISECTIONS):
        middle = 0.5 * (least + most)
        wins = _wins(distance, 1.0, np.exp(middle), nu)
        least, most = np.where(wins, middle, least), np.where(wins, most, middle)
    return np.asarray(0.5 * (least + most))


def _wins(
    distance: FloatArray, half: float, sigma: FloatArray, nu: FloatArray
) -> BoolArray:
    """Compute whether a rope has more mass than what is above it."""
    above = special.stdtr(nu, (distance - half) / sigma)
    below = special.stdtr(nu, (-half - distance) / sigma)
    return np.asarray(1 - above - below > above)


@dataclass(frozen=True, eq=False)
class WeightedPoints:
    """Posterior of (delta0, sigma0, nu) as weighted points on lines.

    Attributes
    ----------
    log_sigma, log_tails
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
    tolerance
        The error that was aimed at.
    """

    log_sigma: FloatArray
    log_tails: FloatArray
    weight: FloatArray
    panels: Panels
    rows: Panels
    step: float
    error: float
    tolerance: float

    @property
    def masses(self) -> FloatArray:
        """The probability of each point (panel, point)."""
        return self.panels.masses * self.weight[self.panels.line][:, None]

    @property
    def row_masses(self) -> tuple[FloatArray, FloatArray]:
        """The logarithm of nu - 1 on every row, in even steps, and its probability."""
        line = self.rows.line
        row = np.arange(line.min(), line.max() + 1)
        masses = np.zeros(len(row))
        np.add.at(masses, line - row[0], self.rows.masses.sum(axis=1))
        return np.log(TAILS[1]) - self.step * row, masses

    def shares(self, region: RopeRegion) -> tuple[float, float, float]:
        """Return how probable it is that each part of a region has the most mass."""
        parts = region.parts(self.panels, region.reach(self.log_sigma, self.log_tails))
        summed = np.maximum(parts @ self.weight[self.panels.line], 0.0)
        if region.low == region.high:
            summed[1] = 0.0
        worse, inside, better = summed / summed.sum()
        return float(worse), float(inside), float(better)
