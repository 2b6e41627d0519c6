"""Population of data sets: posterior of its parameters, of each data set, of the next.

All is read off the weighted points of the quadrature.
"""

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from scipy import special

from likelier._typing import FloatArray, IntArray
from likelier.laws.real_line import StudentLaw, TabulatedLaw
from likelier.methods.folds.fold_likelihood import (
    FoldMeans,
    RopeRegion,
    WeightedPoints,
)
from likelier.methods.folds.panels import ORDER, Panels, even_points
from likelier.methods.folds.student_sum import log_sum_density
from likelier.methods.folds.student_tails import StudentTails

_TABLE_POINTS = 101
# Number of equally probable points that stand for the posterior in a mixture over it.
_EVEN = 2000
# For each data set every so many of them will do.
_THINNED = 2
_CELLS = 201
_WIDE = 1e3
# The lightest points, with so much of the mass, are left out of the next data set.
_NEGLIGIBLE = 1e-3
_SPAN = np.sinh(np.linspace(-9.0, 9.0, _TABLE_POINTS)) / np.sinh(9.0)


@dataclass(frozen=True, eq=False)
class Population:
    """Posterior of delta0, sigma0 and nu, in the unit of the scores.

    Attributes
    ----------
    points, means
        The posterior and the data, in units of the mean fold standard deviation.
    unit
        That unit.
    names
        The data sets.
    rope
        The ends for which the points are fine enough.
    """

    points: WeightedPoints = field(repr=False)
    means: FoldMeans = field(repr=False)
    unit: float
    names: tuple[str, ...]
    rope: tuple[float, float]

    @property
    def n_independent(self) -> int:
        """Number of draws: none."""
        return 0

    @property
    def error(self) -> float:
        """Estimate of the error of the probabilities."""
        return self.points.error

    @property
    def n_points(self) -> int:
        """Number of points of the quadrature."""
        return int(self.points.panels.logs.size)

    def shares(self, low: float, high: float) -> tuple[float, float, float]:
        """Return how probable it is that each region has the most mass."""
        region = RopeRegion(low / self.unit, high / self.unit)
        worse, inside, better = self.points.shares(region)
        if low == -high and not self.means.centre.any():
            # Systems that never differ are exactly as probably better as worse.
            worse = better = 0.5 * (worse + better)
        return worse, inside, better

    @cached_property
    def delta0(self) -> TabulatedLaw:
        """Posterior of the population's centre."""
        panels, masses = self.points.panels, self.points.masses
        points, below, above = _table(panels, masses, self.points.weight[panels.line])
        mean, sd = _moments(panels.points, masses)
        return TabulatedLaw(
            self.unit * points, below, above, self.unit * mean, self.unit * sd
        )

    @cached_property
    def sigma0(self) -> TabulatedLaw:
        """Posterior of the population's spread; its mean depends on its bound."""
        rows = self.points.rows
        points, below, above = _table(rows, rows.masses, np.ones(len(rows.line)))
        mean, sd = _moments(self.unit * np.exp(rows.points), rows.masses)
        return TabulatedLaw(self.unit * np.exp(points), below, above, mean, sd)

    @cached_property
    def nu(self) -> TabulatedLaw:
        """Posterior of the population's degrees of freedom."""
        log_tails, masses = self.points.row_masses
        nu = 1 + np.exp(log_tails)
        mean = float(masses @ nu)
        sd = float(np.sqrt(masses @ (nu - mean) ** 2))
        # Sums of sinc interpolate a smooth density between even steps.
        points = np.linspace(log_tails[-1] - 2, log_tails[0] + 2, _TABLE_POINTS)
        steps = np.pi * (points[:, None] - log_tails) / self.points.step
        risen = (0.5 + special.sici(steps)[0] / np.pi) @ masses
        below = np.maximum.accumulate(np.clip(risen, 0.0, 1.0))
        return TabulatedLaw(1 + np.exp(points), below, 1 - below, mean, sd)

    @cached_property
    def even(self) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Equally probable points of (delta0, sigma0, nu)."""
        points, panels = self.points, self.points.panels
        # Along lines, rows and panels in turn, so that no part is passed over.
        line = np.repeat(panels.line, ORDER)
        keys = [panels.points.ravel(), points.log_sigma[line], points.log_tails[line]]
        order = np.lexsort(keys)
        return self._parameters(order[even_points(points.masses.ravel()[order], _EVEN)])

    def _parameters(
        self, chosen: IntArray
    ) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Return delta0, sigma0 and nu of some of the points."""
        panels = self.points.panels
        line = panels.line[chosen // ORDER]
        return (
            self.unit * panels.points.ravel()[chosen],
            self.unit * np.exp(self.points.log_sigma[line]),
            1 + np.exp(self.points.log_tails[line]),
        )

    @property
    def alone(self) -> tuple[StudentLaw, ...]:
        """Law of each data set's difference from its own folds."""
        means = self.means
        rows = zip(means.centre, means.scale, means.df, strict=True)
        return tuple(
            StudentLaw(float(self.unit * c), float(self.unit * s), float(df))
            for c, s, df in rows
        )

    def predictive(self) -> tuple[float, float, float]:
        """Return the probabilities that the next data set lies in each region."""
        points, panels = self.points, self.points.panels
        sigma = self.unit * np.exp(points.log_sigma)[panels.line][:, None]
        nu = 1 + np.exp(points.log_tails)[panels.line][:, None]
        tails = _outer_masses(self.rope, self.unit * panels.points, sigma, nu)
        worse, better = (float((points.masses * tail).sum()) for tail in tails)
        return worse, max(0.0, 1 - worse - better), better

    def masses(self, low: float, high: float) -> FloatArray:
        """Return the next data set's mass in each region, at the even points."""
        below, above = _outer_masses((low, high), *self.even)
        return np.stack([below, np.maximum(1 - below - above, 0.0), above], axis=1)

    @cached_property
    def next(self) -> TabulatedLaw:
        """Posterior predictive of the next data set's difference."""
        centre, sigma, nu, weight = self._heaviest()
        middle = self.delta0.median()
        reach = 60 * max(self.sigma0.quantile(np.array([0.9]))[0], self.delta0.std())
        points = middle + reach * _SPAN
        # The smaller tail is summed, and the other one follows.
        sign = np.where(points < middle, 1.0, -1.0)
        tails = StudentTails(nu)
        tail = np.array(
            [
                tails.below(s * (x - centre) / sigma) @ weight
                for x, s in zip(points, sign, strict=True)
            ]
        )
        below = np.where(sign > 0, tail, 1 - tail)
        above = np.where(sign > 0, 1 - tail, tail)
        return TabulatedLaw(points, below, above, middle, float("inf"))

    def _heaviest(self) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
        """Return the heaviest delta0, sigma0 and nu, with their weights."""
        masses = self.points.masses.ravel()
        order = np.argsort(-masses, kind="stable")
        last = np.searchsorted(np.cumsum(masses[order]), 1 - _NEGLIGIBLE)
        chosen = order[: 1 + last]
        return *self._parameters(chosen), masses[chosen] / masses[chosen].sum()

    @cached_property
    def shrunken(self) -> tuple[TabulatedLaw, ...]:
        """Posterior of each data set's own difference."""
        return tuple(self._shrink(own) for own in self.alone)

    @cached_property
    def _thinned_tails(self) -> StudentTails:
        return StudentTails(self.even[2][::_THINNED])

    def _shrink(self, own: StudentLaw) -> TabulatedLaw:
        """Average a data set's posterior over the population.

        In cells that are narrow for the folds' law, however narrow the population's
        is: that one enters through its cdf.
        """
        delta0, sigma0, nu = (part[::_THINNED] for part in self.even)
        ends = own.location + own.scale * _cell_ends(own.df)
        middle = 0.5 * (ends[1:] + ends[:-1])
        at_ends, at_middle = own.pdf(ends), own.pdf(middle)
        height = (at_ends[1:] + 4 * at_middle + at_ends[:-1]) / 6
        gap, ratio = (own.location - delta0) / own.scale, sigma0 / own.scale
        whole = np.exp(log_sum_density(gap, ratio, own.df, nu)) / own.scale
        z = (ends[:, None] - delta0) / sigma0
        if sigma0.max() > _WIDE * own.scale:
            # Cells hold so little of a wide population that every digit counts.
            below = special.stdtr(nu, z)
        else:
            below = self._thinned_tails.below(z)
        rise = np.diff(below, axis=0)
        masses = height * (rise @ (1 / whole)) / len(nu)
        masses /= masses.sum()
        mean = float(masses @ middle)
        sd = float(np.sqrt(masses @ (middle - mean) ** 2))
        below = np.concatenate([[0.0], np.cumsum(masses)])
        above = np.concatenate([np.cumsum(masses[::-1])[::-1], [0.0]])
        return TabulatedLaw(ends, below, above, mean, sd)


def _outer_masses(
    rope: tuple[float, float], centre: FloatArray, sigma: FloatArray, nu: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Return the masses of Student laws below and above a rope."""
    low, high = rope
    below = special.stdtr(nu, (low - centre) / sigma)
    above = special.stdtr(nu, (centre - high) / sigma)
    return below, above


def _cell_ends(df: float) -> FloatArray:
    """Return ends of cells for a Student law, close where it is high."""
    farthest = np.arcsinh(-special.stdtrit(df, 1e-8))
    return np.sinh(np.linspace(-farthest, farthest, _CELLS))


def _moments(values: FloatArray, masses: FloatArray) -> tuple[float, float]:
    """Return the mean and the standard deviation of weighted values."""
    mean = float((masses * values).sum())
    return mean, float(np.sqrt((masses * (values - mean) ** 2).sum()))


def _table(
    panels: Panels, masses: FloatArray, weight: FloatArray
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Choose points, even in probability and far out; return the masses around them."""
    values = panels.points.ravel()
    order = np.argsort(values, kind="stable")
    shares = np.cumsum(masses.ravel()[order])
    tail = np.geomspace(1e-7, 0.02, 20)
    targets = np.concatenate([tail, np.linspace(0.02, 0.98, 99)[1:-1], 1 - tail[::-1]])
    inner = np.interp(targets, shares, values[order])
    # A flat posterior reaches out to its bounds.
    points = np.unique(np.append(inner, [panels.low.min(), panels.high.max()]))
    return points, *panels.masses_around(points, weight)
