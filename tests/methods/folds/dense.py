"""The hierarchical model once more, slowly: a dense tensor grid, written on its own.

Nothing is taken from the library. The prior of nu is a double integral by scipy; each
data set's likelihood is an integral over many panels around both of its peaks; and
with `numeric`, sigma_i is integrated numerically out of the multivariate normal
density of the folds.

``python -m tests.methods.folds.dense`` computes the answers for all tables anew, in a
few minutes, and writes them to dense.json.
"""

import json
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

import numpy as np
from scipy import integrate, interpolate, special, stats

SHAPES, RATES = (1.0, 2.0), (0.01, 0.1)
UPPER = 1000.0
# Steps of delta0, log sigma0 and log(nu - 1), and where the last two begin and end.
N_DELTA, N_SIGMA, N_NU = 200, 90, 24
LEAST_SIGMA, TAILS = 1e-4, (1e-4, 2000.0)
# Points between cuts; points of delta0 for each data set; points within a step.
N_PANEL, N_GAPS, FINER = 4, 36, 4

FILE = Path(__file__).with_name("dense.json")
ROPES = ((-0.01, 0.01), (-0.005, 0.03), (0.0, 0.0))
# Differences at which the law of the next data set is computed.
POINTS = (-0.02, 0.0, 0.01, 0.05)
SHARES = (0.05, 0.25, 0.5, 0.75, 0.95)
MASS = 0.9


def drawn(seed, *, sets=4, folds=10, among=0.02, centre=0.01, sd=0.02, nu=10.0):
    """Draw differences from the model."""
    rng = np.random.default_rng(seed)
    means = centre + among * rng.standard_t(nu, sets)
    return [rng.normal(mean, sd, folds) for mean in means]


# Folds of each table, and whether sigma_i is integrated numerically.
TABLES = {
    "2 x 5": (drawn(0, sets=2, folds=5), False),
    "3 x 10, one apart": ([*drawn(2, sets=2), drawn(2, sets=1)[0] + 0.15], False),
    "3, 5 and 10 folds, sigma_i by numbers": (
        [drawn(seed, sets=1, folds=n)[0] for seed, n in ((3, 3), (4, 5), (5, 10))],
        True,
    ),
}


def fold_likelihood(folds, rho, delta, widest, *, points=400):
    """Return the log of p(folds | delta), sigma integrated between 0 and its bound."""
    n = len(folds)
    matrix = np.full((n, n), rho) + (1 - rho) * np.eye(n)
    nodes, weights = special.roots_legendre(points)
    low, high = np.log(1e-3 * folds.std()), np.log(widest)
    logs = low + 0.5 * (high - low) * (nodes + 1)
    law = stats.multivariate_normal(np.zeros(n), matrix)
    gaps = np.subtract.outer(folds, np.atleast_1d(delta)).T
    terms = np.array([law.logpdf(gaps / np.exp(s)) for s in logs]).reshape(points, -1)
    # Folds in units of sigma have sigma^n times the density; d sigma = sigma d log.
    terms -= (n - 1) * logs[:, None]
    return special.logsumexp(terms, b=weights[:, None], axis=0)


@cache
def prior_of_nu(x):
    """Return the density of nu - 1, shape and rate integrated out."""
    area = (SHAPES[1] - SHAPES[0]) * (RATES[1] - RATES[0])

    def gamma(b, a):
        return np.exp(a * np.log(b) + (a - 1) * np.log(x) - b * x) / special.gamma(a)

    return integrate.dblquad(gamma, *SHAPES, *RATES, epsabs=0)[0] / area


def student(x, df, centre, scale):
    """Return the log density of a Student law."""
    constant = special.gammaln(0.5 * (df + 1)) - special.gammaln(0.5 * df)
    constant -= 0.5 * np.log(np.pi * df) + np.log(scale)
    return constant - 0.5 * (df + 1) * np.log1p(((x - centre) / scale) ** 2 / df)


def law_of(folds, rho):
    """Return the Student law of a data set's difference (df, centre, scale)."""
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

    @classmethod
    def of(cls, name):
        """Return the posterior of one of the tables."""
        folds, numeric = TABLES[name]
        return cls(folds, [1 / len(row) for row in folds], numeric)

    @cached_property
    def laws(self):
        return [law_of(*row) for row in zip(self.folds, self.rho, strict=True)]

    @cached_property
    def corrections(self):
        """log p(folds | delta_i) less that of the Student law, which should be flat."""
        if not self.numeric:
            return [np.zeros_like] * len(self.folds)
        widest = UPPER * np.mean([x.std() for x in self.folds])
        corrections = []
        for x, rho, law in zip(self.folds, self.rho, self.laws, strict=True):
            grid = np.linspace(-40, 40, 801)
            at = law[1] + law[2] * np.sinh(grid / 4)
            gap = fold_likelihood(x, rho, at, widest) - student(at, *law)
            corrections.append(lambda x, at=at, gap=gap: np.interp(x, at, gap))
        return corrections

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
        """Return points of delta_i and their terms, for each delta0 (delta0, point).

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
        masses = np.exp(logs - logs.max()) * prior[:, None, None] * sigma[:, None]
        return masses / masses.sum()

    def _log_line(self, nu, sigma):
        return sum(self._log_part(i, nu, sigma) for i in range(len(self.folds)))

    def _log_part(self, i, nu, sigma):
        """Return the log likelihood of one data set, smooth between fewer delta0."""
        _, centre, scale = self.laws[i]
        unit = np.hypot(scale, sigma)
        ends = np.arcsinh((self.edges[2][[0, -1]] - centre) / unit)
        points = np.linspace(*ends, N_GAPS)
        terms = self.members(i, nu, sigma, centre + unit * np.sinh(points))[1]
        line = interpolate.CubicSpline(points, np.log(terms.sum(axis=1)))
        return line(np.arcsinh((self.axes[2] - centre) / unit))

    def next_masses(self, low, high, delta0):
        """Return the next data set's mass in each region (3, nu, sigma0, delta0)."""
        nu, sigma, _ = self.axes
        nu, sigma = nu[:, None, None], sigma[:, None]
        below = special.stdtr(nu, (low - delta0) / sigma)
        above = special.stdtr(nu, (delta0 - high) / sigma)
        return np.stack([below, 1 - below - above, above])

    def shares(self, low, high):
        """Return how probable it is that each region has the most mass."""
        step = self.axes[2][1] - self.axes[2][0]
        shares = np.zeros(3)
        # At several points of each step, as one region gives way to another.
        for offset in (np.arange(FINER) + 0.5) / FINER - 0.5:
            masses = self.next_masses(low, high, self.axes[2] + offset * step)
            winner = masses.argmax(axis=0)
            shares += [self.masses[winner == region].sum() for region in range(3)]
        return shares / FINER

    def predictive(self, low, high):
        """Return the expected mass of each region."""
        masses = self.next_masses(low, high, self.axes[2])
        return (self.masses * masses).sum(axis=(1, 2, 3))

    def quantile(self, axis, shares):
        """Return quantiles of nu (axis 0), sigma0 (1) or delta0 (2)."""
        risen = np.cumsum(self.masses.sum(axis=tuple({0, 1, 2} - {axis})))
        risen, edges = np.concatenate([[0.0], risen]), self.edges[axis]
        rising = np.concatenate([[True], np.diff(risen) > 0])
        points = interpolate.PchipInterpolator(risen[rising], edges[rising])(shares)
        return (1 + np.exp(points), np.exp(points), points)[axis]

    def shrunken(self, i, edges):
        """Return the probability of delta_i between edges."""
        nu, sigma, delta0 = self.axes
        middle, masses = 0.5 * (edges[1:] + edges[:-1]), np.zeros(len(edges) - 1)
        own = np.exp(student(middle, *self.laws[i]) + self.corrections[i](middle))
        even = (np.arange(64) + 0.5) / 64
        for k, j in np.argwhere(self.masses.sum(axis=2) > 1e-5):
            if sigma[j] < self.laws[i][2]:
                points = delta0[:, None] + sigma[j] * special.stdtrit(nu[k], even)
                terms = np.exp(student(points, *self.laws[i]))
                terms *= self.masses[k, j][:, None] / terms.sum(axis=1, keepdims=True)
                masses += np.histogram(points.ravel(), edges, weights=terms.ravel())[0]
            else:
                line = np.exp(self._log_part(i, nu[k], sigma[j]))
                spread = np.exp(student(middle[:, None], nu[k], delta0, sigma[j]))
                masses += own * np.diff(edges) * (spread @ (self.masses[k, j] / line))
        return masses

    def shrunken_summary(self, i):
        """Return the mean and the shortest interval of delta_i."""
        _, centre, scale = self.laws[i]
        edges = centre + scale * np.sinh(np.linspace(-5, 5, 301))
        masses = self.shrunken(i, edges)
        risen = np.concatenate([[0], np.cumsum(masses)]) / masses.sum()
        starts = np.linspace(0, 1 - MASS, 1001)
        low, high = (np.interp(s, risen, edges) for s in (starts, starts + MASS))
        best = np.argmin(high - low)
        mean = masses @ (0.5 * (edges[1:] + edges[:-1])) / masses.sum()
        return {"mean": mean, "interval": [low[best], high[best]]}

    def summary(self):
        """Return all answers that the tests look at, as they stand in the file."""
        masses, points = self.masses.sum(axis=(0, 1)), self.axes[2]
        mean = masses @ points
        quantiles = {
            name: self.quantile(axis, SHARES).tolist()
            for axis, name in enumerate(("nu", "sigma0", "delta0"))
        }
        return {
            "shares": [self.shares(*rope).tolist() for rope in ROPES],
            "predictive": self.predictive(*ROPES[0]).tolist(),
            "next": [self.predictive(x, x).tolist() for x in POINTS],
            "mean": mean,
            "sd": np.sqrt(masses @ (points - mean) ** 2),
            "quantiles": quantiles,
            "shrunken": [self.shrunken_summary(i) for i in range(2)],
        }


def main():
    """Compute the answers for all tables, and write them to the file."""
    answers = {name: Dense.of(name).summary() for name in TABLES}
    FILE.write_text(json.dumps(answers, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
