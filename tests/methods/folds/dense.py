"""The hierarchical model once more, slowly: a dense tensor grid, written on its own.

Nothing is taken from the library. The prior of nu is a double integral by scipy; each
data set's likelihood is an integral over many panels around both of its peaks; and
where `numeric` is asked for, sigma_i is integrated numerically out of the multivariate
normal density of the folds.
"""

from dataclasses import dataclass
from functools import cache, cached_property

import numpy as np
from scipy import integrate, interpolate, special, stats

SHAPES, RATES = (1.0, 2.0), (0.01, 0.1)
UPPER = 1000.0
# Steps of delta0, log sigma0 and log(nu - 1), and where the last two begin and end.
N_DELTA, N_SIGMA, N_NU = 200, 90, 24
LEAST_SIGMA, TAILS = 1e-4, (1e-4, 2000.0)
# Points between cuts; places of delta0 for each data set; places within a step.
N_PANEL, N_GAPS, FINER = 4, 36, 4


def fold_likelihood(folds, rho, delta, widest, *, points=400):
    """Give the log of p(folds | delta), sigma integrated between 0 and its bound."""
    n = len(folds)
    matrix = np.full((n, n), rho) + (1 - rho) * np.eye(n)
    nodes, weights = special.roots_legendre(points)
    low, high = np.log(1e-3 * folds.std()), np.log(widest)
    logs = low + 0.5 * (high - low) * (nodes + 1)
    law = stats.multivariate_normal(np.zeros(n), matrix)
    away = np.subtract.outer(folds, np.atleast_1d(delta)).T
    found = np.array([law.logpdf(away / np.exp(s)) for s in logs]).reshape(points, -1)
    # Folds in units of sigma have sigma^n times the density; d sigma = sigma d log.
    found -= (n - 1) * logs[:, None]
    return special.logsumexp(found, b=weights[:, None], axis=0)


@cache
def prior_of_nu(x):
    """Give the density of nu - 1, shape and rate integrated out."""
    area = (SHAPES[1] - SHAPES[0]) * (RATES[1] - RATES[0])

    def gamma(b, a):
        return np.exp(a * np.log(b) + (a - 1) * np.log(x) - b * x) / special.gamma(a)

    return integrate.dblquad(gamma, *SHAPES, *RATES, epsabs=0)[0] / area


def student(x, df, centre, scale):
    """Give the log density of a Student law."""
    constant = special.gammaln(0.5 * (df + 1)) - special.gammaln(0.5 * df)
    constant -= 0.5 * np.log(np.pi * df) + np.log(scale)
    return constant - 0.5 * (df + 1) * np.log1p(((x - centre) / scale) ** 2 / df)


def law_of(folds, rho):
    """Give the Student law of a data set's difference (df, centre, scale)."""
    n, within = len(folds), float(((folds - folds.mean()) ** 2).sum())
    square = (1 + (n - 1) * rho) * within / ((1 - rho) * n * (n - 2))
    return n - 2, float(folds.mean()), float(np.sqrt(square))


@dataclass(frozen=True, eq=False)
class Dense:
    """The posterior of (nu, sigma0, delta0) on a tensor grid.

    Attributes
    ----------
    folds, rho
        The differences of the folds of each data set, and their correlation.
    numeric
        Whether sigma_i is integrated numerically.
    """

    folds: list
    rho: list
    numeric: bool = False

    @cached_property
    def laws(self):
        return [law_of(*row) for row in zip(self.folds, self.rho, strict=True)]

    @cached_property
    def corrections(self):
        """log p(folds | delta_i) less that of the Student law, which should be flat."""
        if not self.numeric:
            return [np.zeros_like] * len(self.folds)
        widest = UPPER * np.mean([x.std() for x in self.folds])
        found = []
        for x, rho, law in zip(self.folds, self.rho, self.laws, strict=True):
            grid = np.linspace(-40, 40, 801)
            at = law[1] + law[2] * np.sinh(grid / 4)
            gap = fold_likelihood(x, rho, at, widest) - student(at, *law)
            found.append(lambda x, at=at, gap=gap: np.interp(x, at, gap))
        return found

    @cached_property
    def edges(self):
        """Edges of steps of log(nu - 1), log sigma0 and delta0."""
        bound = max(float(np.abs(x).max()) for x in self.folds)
        least = min(scale for _, _, scale in self.laws)
        widest = UPPER * np.std([x.mean() for x in self.folds])
        return (
            np.linspace(*np.log(TAILS), N_NU + 1),
            np.linspace(np.log(LEAST_SIGMA * least), np.log(widest), N_SIGMA + 1),
            np.linspace(-bound, bound, N_DELTA + 1),
        )

    @cached_property
    def axes(self):
        """The points of nu, sigma0 and delta0."""
        tails, spread, delta0 = (0.5 * (e[1:] + e[:-1]) for e in self.edges)
        return 1 + np.exp(tails), np.exp(spread), delta0

    def members(self, i, nu, sigma, delta0):
        """Give points of delta_i and their terms, for each delta0 (delta0, point).

        Both densities are cut at powers of 4 of their scales; Gauss and Legendre
        between all cuts.
        """
        df, centre, scale = self.laws[i]
        steps = 4.0 ** np.arange(-1, 7)
        steps = np.concatenate([-steps[::-1], [0.0], steps])
        shared = delta0[:, None] + sigma * steps
        own = np.broadcast_to(centre + scale * steps, shared.shape)
        cuts = np.sort(np.concatenate([own, shared], axis=1), axis=1)
        nodes, weights = special.roots_legendre(N_PANEL)
        half = 0.5 * np.diff(cuts, axis=1)[:, :, None]
        points = (cuts[:, :-1, None] + half * (1 + nodes)).reshape(len(delta0), -1)
        widths = (half * weights).reshape(len(delta0), -1)
        log = student(points, df, centre, scale)
        log += student(points, nu, delta0[:, None], sigma)
        return points, widths * np.exp(log + self.corrections[i](points))

    @cached_property
    def masses(self):
        """The posterior (nu, sigma0, delta0)."""
        nu, sigma, _ = self.axes
        logs = np.array([[self._log_line(v, s) for s in sigma] for v in nu])
        prior = np.array([x * prior_of_nu(x) for x in nu - 1])
        found = np.exp(logs - logs.max()) * prior[:, None, None] * sigma[:, None]
        return found / found.sum()

    def _log_line(self, nu, sigma):
        return sum(self._log_part(i, nu, sigma) for i in range(len(self.folds)))

    def _log_part(self, i, nu, sigma):
        """Give the log likelihood of one data set, smooth between fewer delta0."""
        _, centre, scale = self.laws[i]
        unit = np.hypot(scale, sigma)
        ends = np.arcsinh((self.edges[2][[0, -1]] - centre) / unit)
        places = np.linspace(*ends, N_GAPS)
        terms = self.members(i, nu, sigma, centre + unit * np.sinh(places))[1]
        line = interpolate.CubicSpline(places, np.log(terms.sum(axis=1)))
        return line(np.arcsinh((self.axes[2] - centre) / unit))

    def next_masses(self, low, high, delta0):
        """Give the next data set's mass in each region (3, nu, sigma0, delta0)."""
        nu, sigma, _ = self.axes
        nu, sigma = nu[:, None, None], sigma[:, None]
        below = special.stdtr(nu, (low - delta0) / sigma)
        above = special.stdtr(nu, (delta0 - high) / sigma)
        return np.stack([below, 1 - below - above, above])

    def shares(self, low, high):
        """Give how probable it is that each region has the most mass."""
        step = self.axes[2][1] - self.axes[2][0]
        found = np.zeros(3)
        # Ask at several places of each step, as one region gives way to another.
        for place in (np.arange(FINER) + 0.5) / FINER - 0.5:
            masses = self.next_masses(low, high, self.axes[2] + place * step)
            winner = masses.argmax(axis=0)
            found += [self.masses[winner == region].sum() for region in range(3)]
        return found / FINER

    def predictive(self, low, high):
        """Give the expected mass of each region."""
        masses = self.next_masses(low, high, self.axes[2])
        return (self.masses * masses).sum(axis=(1, 2, 3))

    def quantile(self, axis, shares):
        """Give quantiles of nu (axis 0), sigma0 (1) or delta0 (2)."""
        risen = np.cumsum(self.masses.sum(axis=tuple({0, 1, 2} - {axis})))
        risen, edges = np.concatenate([[0.0], risen]), self.edges[axis]
        rising = np.concatenate([[True], np.diff(risen) > 0])
        found = interpolate.PchipInterpolator(risen[rising], edges[rising])(shares)
        return (1 + np.exp(found), np.exp(found), found)[axis]

    def shrunken(self, i, edges):
        """Give the probability of delta_i between edges."""
        nu, sigma, delta0 = self.axes
        middle, found = 0.5 * (edges[1:] + edges[:-1]), np.zeros(len(edges) - 1)
        own = np.exp(student(middle, *self.laws[i]) + self.corrections[i](middle))
        even = (np.arange(64) + 0.5) / 64
        for k, j in np.argwhere(self.masses.sum(axis=2) > 1e-5):
            if sigma[j] < self.laws[i][2]:
                points = delta0[:, None] + sigma[j] * special.stdtrit(nu[k], even)
                terms = np.exp(student(points, *self.laws[i]))
                terms *= self.masses[k, j][:, None] / terms.sum(axis=1, keepdims=True)
                found += np.histogram(points.ravel(), edges, weights=terms.ravel())[0]
            else:
                line = np.exp(self._log_part(i, nu[k], sigma[j]))
                spread = np.exp(student(middle[:, None], nu[k], delta0, sigma[j]))
                found += own * np.diff(edges) * (spread @ (self.masses[k, j] / line))
        return found
