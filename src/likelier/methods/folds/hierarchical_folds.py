"""Many data sets with folds: the hierarchical model, by quadrature instead of MCMC.

All in the unit of the scores.


The folds of data set i are jointly normal around its difference delta_i, with one
standard deviation sigma_i and the correlation of cross-validation. They enter through
their mean and the sum of squares within; sigma_i integrates out, and leaves a Student
law of delta_i. The delta_i come from a Student population with centre delta0, spread
sigma0 and nu degrees of freedom, whose posterior `lattice` integrates.
"""

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from scipy import special

from likelier._typing import FloatArray
from likelier.data.scores import Scores, mean_of
from likelier.distribution import Posterior
from likelier.errors import NotDefinedError
from likelier.laws.real_line import StudentLaw, TabulatedLaw
from likelier.methods.folds.correlated_t import check_folds, fold_sd
from likelier.methods.folds.fold_likelihood import Lattice, Means, Region
from likelier.methods.folds.panels import ORDER
from likelier.methods.folds.refinement import solve
from likelier.methods.folds.student_sum import log_blend

_POINTS = 101
# So many points, each as probable as the next, stand for the whole posterior where a
# mixture over it is wanted.
_EVEN = 2000
# For each data set every so many of them will do.
_THINNED = 2
_CELLS = 201
# The lightest points, with so much of the mass, are left out of the next data set.
_NEGLIGIBLE = 1e-3
_SPAN = np.sinh(np.linspace(-9.0, 9.0, _POINTS)) / np.sinh(9.0)


@dataclass(frozen=True, eq=False)
class Population:
    """The posterior of delta0, sigma0 and nu.

    Attributes
    ----------
    lattice, means
        The posterior and the data, in units of the mean fold standard deviation.
    unit
        That unit.
    names
        The data sets.
    rope
        The ends for which the lattice is fine enough.
    """

    lattice: Lattice = field(repr=False)
    means: Means = field(repr=False)
    unit: float
    names: tuple[str, ...]
    rope: tuple[float, float]

    @property
    def n_independent(self) -> int:
        """The number of draws: none."""
        return 0

    @property
    def error(self) -> float:
        """An estimate of the error of the probabilities."""
        return self.lattice.error

    @property
    def n_points(self) -> int:
        """How many points the quadrature has."""
        return int(self.lattice.panels.logs.size)

    def shares(self, low: float, high: float) -> tuple[float, float, float]:
        """Give how probable it is that each region has the most mass."""
        region = Region(low / self.unit, high / self.unit)
        worse, inside, better = self.lattice.shares(region)
        if low == -high and not self.means.centre.any():
            # Systems that never differ are exactly as probably better as worse.
            worse = better = 0.5 * (worse + better)
        return worse, inside, better

    @cached_property
    def delta0(self) -> TabulatedLaw:
        """The posterior of the population's centre."""
        lattice, panels = self.lattice, self.lattice.panels
        weight = lattice.weight[panels.line]
        masses = lattice.masses
        mean = float((masses * panels.points).sum())
        sd = float(np.sqrt((masses * (panels.points - mean) ** 2).sum()))
        inner = _spread_out(panels.points.ravel(), masses.ravel())
        # A flat posterior reaches out to its bounds.
        points = np.unique(np.append(inner, [panels.low.min(), panels.high.max()]))
        below, above = panels.tails(points, weight)
        return TabulatedLaw(
            self.unit * points, below, above, self.unit * mean, self.unit * sd
        )

    @cached_property
    def sigma0(self) -> TabulatedLaw:
        """The posterior of the population's spread; its mean hangs on its bound."""
        rows = self.lattice.rows
        inner = _spread_out(rows.points.ravel(), rows.masses.ravel())
        points = np.unique(np.append(inner, [rows.low.min(), rows.high.max()]))
        below, above = rows.tails(points, np.ones(len(rows.line)))
        sigma = self.unit * np.exp(rows.points)
        mean = float((rows.masses * sigma).sum())
        sd = float(np.sqrt((rows.masses * (sigma - mean) ** 2).sum()))
        return TabulatedLaw(self.unit * np.exp(points), below, above, mean, sd)

    @cached_property
    def nu(self) -> TabulatedLaw:
        """The posterior of the population's degrees of freedom."""
        tails, masses = self.lattice.row_masses
        nu = 1 + np.exp(tails)
        mean = float(masses @ nu)
        sd = float(np.sqrt(masses @ (nu - mean) ** 2))
        # What even steps know of a smooth density, the sums of sinc know between.
        points = np.linspace(tails[-1] - 2, tails[0] + 2, _POINTS)
        steps = np.pi * (points[:, None] - tails) / self.lattice.step
        risen = (0.5 + special.sici(steps)[0] / np.pi) @ masses
        below = np.maximum.accumulate(np.clip(risen, 0.0, 1.0))
        return TabulatedLaw(1 + np.exp(points), below, 1 - below, mean, sd)

    @cached_property
    def even(self) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Points of (delta0, sigma0, nu), each as probable as the next."""
        lattice, panels = self.lattice, self.lattice.panels
        # Along lines, rows and panels in turn, so that no part is passed over.
        line = np.repeat(panels.line, ORDER)
        values = panels.points.ravel()
        order = np.lexsort([values, lattice.spread[line], lattice.tails[line]])
        shares = np.cumsum(lattice.masses.ravel()[order])
        wanted = (np.arange(_EVEN) + 0.5) / _EVEN * shares[-1]
        chosen = order[np.searchsorted(shares, wanted)]
        spread, tails = lattice.spread[line[chosen]], lattice.tails[line[chosen]]
        return (
            self.unit * values[chosen],
            self.unit * np.exp(spread),
            1 + np.exp(tails),
        )

    @property
    def alone(self) -> tuple[StudentLaw, ...]:
        """What each data set's own folds say of its difference."""
        means = self.means
        rows = zip(means.centre, means.scale, means.df, strict=True)
        return tuple(
            StudentLaw(float(self.unit * c), float(self.unit * s), float(df))
            for c, s, df in rows
        )

    def predictive(self) -> tuple[float, float, float]:
        """Give the probabilities that the next data set lies in each region."""
        lattice, panels = self.lattice, self.lattice.panels
        low, high = self.rope
        sigma = self.unit * np.exp(lattice.spread)[panels.line][:, None]
        nu = 1 + np.exp(lattice.tails)[panels.line][:, None]
        centre = self.unit * panels.points
        below = special.stdtr(nu, (low - centre) / sigma)
        above = special.stdtr(nu, (centre - high) / sigma)
        worse, better = (
            float((lattice.masses * part).sum()) for part in (below, above)
        )
        return worse, max(0.0, 1 - worse - better), better

    def masses(self, low: float, high: float) -> FloatArray:
        """Give the next data set's mass in each region, at the even points."""
        centre, sigma, nu = self.even
        below = special.stdtr(nu, (low - centre) / sigma)
        above = special.stdtr(nu, (centre - high) / sigma)
        return np.stack([below, np.maximum(1 - below - above, 0.0), above], axis=1)

    @cached_property
    def next(self) -> TabulatedLaw:
        """The posterior predictive of the next data set's difference."""
        centre, sigma, nu, weight = self._support
        middle = self.delta0.median()
        reach = 60 * max(self.sigma0.quantile(np.array([0.9]))[0], self.delta0.std())
        points = middle + reach * _SPAN
        # The smaller tail is summed, and the other one follows.
        side = np.where(points < middle, 1.0, -1.0)
        tail = np.array(
            [
                special.stdtr(nu, sign * (x - centre) / sigma) @ weight
                for x, sign in zip(points, side, strict=True)
            ]
        )
        below = np.where(side > 0, tail, 1 - tail)
        above = np.where(side > 0, 1 - tail, tail)
        return TabulatedLaw(points, below, above, middle, float("inf"))

    @cached_property
    def _support(self) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
        """The heaviest points of delta0, sigma0 and nu, with their weights."""
        lattice, panels = self.lattice, self.lattice.panels
        masses = lattice.masses.ravel()
        order = np.argsort(-masses, kind="stable")
        kept = order[: 1 + np.searchsorted(np.cumsum(masses[order]), 1 - _NEGLIGIBLE)]
        line = np.repeat(panels.line, ORDER)[kept]
        return (
            self.unit * panels.points.ravel()[kept],
            self.unit * np.exp(lattice.spread[line]),
            1 + np.exp(lattice.tails[line]),
            masses[kept] / masses[kept].sum(),
        )

    @cached_property
    def shrunken(self) -> tuple[TabulatedLaw, ...]:
        """The posterior of each data set's own difference."""
        return tuple(self._shrunken(own) for own in self.alone)

    def _shrunken(self, own: StudentLaw) -> TabulatedLaw:
        """Mix, over the population, what folds and population say of a data set.

        In cells that are narrow for the folds' law, however narrow the population's
        is: that one enters through its cdf.
        """
        delta0, sigma0, nu = (part[::_THINNED] for part in self.even)
        ends = own.location + own.scale * _own_points(own.df)
        middle = 0.5 * (ends[1:] + ends[:-1])
        at_ends, at_middle = own.pdf(ends), own.pdf(middle)
        height = (at_ends[1:] + 4 * at_middle + at_ends[:-1]) / 6
        gap, ratio = (own.location - delta0) / own.scale, sigma0 / own.scale
        whole = np.exp(log_blend(gap, ratio, own.df, nu)) / own.scale
        rise = np.diff(special.stdtr(nu, (ends[:, None] - delta0) / sigma0), axis=0)
        masses = height * (rise @ (1 / whole)) / len(nu)
        masses /= masses.sum()
        mean = float(masses @ middle)
        sd = float(np.sqrt(masses @ (middle - mean) ** 2))
        below = np.concatenate([[0.0], np.cumsum(masses)])
        above = np.concatenate([np.cumsum(masses[::-1])[::-1], [0.0]])
        return TabulatedLaw(ends, below, above, mean, sd)


def _own_points(df: float) -> FloatArray:
    """Give ends of cells for a Student law, close where it is high."""
    farthest = np.arcsinh(-special.stdtrit(df, 1e-8))
    return np.sinh(np.linspace(-farthest, farthest, _CELLS))


def _spread_out(values: FloatArray, masses: FloatArray) -> FloatArray:
    """Choose points for a table: even in probability, and far out."""
    order = np.argsort(values, kind="stable")
    shares = np.cumsum(masses[order])
    tail = np.geomspace(1e-7, 0.02, 20)
    wanted = np.concatenate([tail, np.linspace(0.02, 0.98, 99)[1:-1], 1 - tail[::-1]])
    return np.interp(wanted, shares, values[order])


# The published model's upper bounds, in standard deviations.
_BOUND = 1000.0
TOLERANCE = 1e-4


@dataclass(frozen=True)
class HierarchicalFolds:
    """The model of Corani et al. (2017) with the priors of baycomp.

    Attributes
    ----------
    tolerance
        How large the estimated error of a probability may be.
    """

    tolerance: float = TOLERANCE
    name: ClassVar[str] = "hierarchical"

    def posterior(self, scores: Scores, low: float, high: float) -> Posterior:
        """Give the posterior of delta0, and of the regions of the next data set."""
        population = self.population(scores, low, high)
        return Posterior((), population.delta0, population)

    def population(self, scores: Scores, low: float, high: float) -> Population:
        """Integrate the posterior of the population, exactly enough for a rope."""
        if len(scores.datasets) < 2:
            message = (
                "The hierarchical model must have at least two data sets to learn "
                f"how they differ; got {len(scores.datasets)}."
            )
            raise NotDefinedError(message, hint="One data set: correlated-t.")
        for dataset in scores.datasets:
            check_folds(dataset, least=3)
        means, unit = standardised(scores)
        region = Region(low / unit, high / unit)
        lattice = solve(means, region, tolerance=self.tolerance)
        names = tuple(dataset.name for dataset in scores.datasets)
        return Population(lattice, means, unit, names, (low, high))

    def parameters(self, scores: Scores) -> dict[str, Any]:
        """Return the share of the items that each fold tests, and the tolerance."""
        shares = sorted({float(dataset.test_share) for dataset in scores.datasets})
        share = shares[0] if len(shares) == 1 else (shares[0], shares[-1])
        return {"test_share": share, "tolerance": self.tolerance}


def standardised(scores: Scores) -> tuple[Means, float]:
    """Reduce folds to a Student law per data set, in units of the mean fold sd."""
    gaps = scores.differences()
    sets = scores.datasets
    pairs = list(zip(gaps, sets, strict=True))
    sds = np.array([fold_sd(gap, dataset, ddof=0) for gap, dataset in pairs])
    unit = float(sds.mean())
    n = np.array([len(gap) for gap in gaps], dtype=float)
    rho = np.array([dataset.test_share for dataset in sets])
    centre = np.array([mean_of(gap) for gap in gaps]) / unit
    # Of the mean, given the squares within: (1 + (n-1) rho) W / ((1-rho) n (n-2)).
    inflated = (1 + (n - 1) * rho) / (1 - rho)
    scale = sds / unit * np.sqrt(inflated / (n - 2))
    among = max(float(centre.std()), float(scale.min()))
    bound = max(
        max(float(np.abs(gap).max()) for gap in gaps) / unit, float(scale.max())
    )
    return Means(centre, scale, n - 2, bound, _BOUND * among), unit
