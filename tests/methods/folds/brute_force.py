"""Shares of the hierarchical model by brute force, to far below 1e-5.

Nothing is taken from the library. The density of a data set's mean, one integral of two
Student densities, is tabulated once for each nu and number of folds, and looked up by
all tables of folds. The rest are fixed points of Gauss and Legendre over delta0 and log
sigma0, and even steps of log(nu - 1). Nothing is refined; `finer` grids show how exact
it is.

``python -m tests.methods.folds.brute_force`` computes the shares of all tables anew, in
a minute, and writes them to brute_force.json.
"""

import json
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

import numpy as np
from scipy import interpolate, sparse, special
from tests.methods.folds.dense import UPPER, law_of, prior_of_nu, student

# Steps of log(nu - 1), and its ends; panels of log sigma0, and the first edges of them,
# beside the least scale.
STEP, TAILS = 0.6, (1e-5, 2000.0)
SIGMA_STEP, FIRST_SIGMAS = 0.7, (1e-6, 1e-4, 3e-3, 0.05)
# Of the tabulated density: steps, numbers of them, and points to interpolate by.
GAP_STEP, GAPS, RATIO_STEP, RATIOS, STENCIL = 0.05, 260, 0.07, 287, 8
NODES = 8

FILE = Path(__file__).with_name("brute_force.json")
KINDS = (
    "small",
    "three folds",
    "two narrow",
    "aside",
    "no rope",
    "mixed folds",
    "one far",
)
# Tables whose error was once larger than the one reported, but for the last.
STORED = (
    ("small", 11),
    ("small", 38),
    ("three folds", 6),
    ("three folds", 27),
    ("two narrow", 46),
    ("aside", 0),
    ("mixed folds", 5),
    ("one far", 3),
)


def random_table(kind, seed):
    """Draw fold differences and a rope of one of the kinds, beside an sd of 0.02."""
    rng = np.random.default_rng([seed, KINDS.index(kind)])
    sets, n = int(rng.integers(2, 7)), int(rng.choice([3, 5, 10]))
    sds = 0.02 * np.exp(rng.normal(0, 0.3, sets))
    means = 0.02 * (rng.normal() + 10 ** rng.uniform(-1.5, 0.5) * rng.normal(size=sets))
    half, middle = 0.02 * 10 ** rng.uniform(-0.5, 0.7), 0.0
    if kind == "small":
        means, half, n = 0.1 * means, 0.02 * rng.uniform(1.5, 5), 3
    elif kind == "three folds":
        n = 3
    elif kind == "two narrow":
        sds[:2] *= 0.02
    elif kind == "aside":
        middle = 0.02 * rng.uniform(-3, 3)
    elif kind == "no rope":
        half = 0.0
    counts = np.full(sets, n)
    if kind == "mixed folds":
        counts = rng.choice([5, 10], sets)
    elif kind == "one far":
        means[0] += 0.02 * rng.uniform(5, 50)
    rows = zip(means, sds, counts, strict=True)
    folds = [rng.normal(m, sd, count) for m, sd, count in rows]
    return folds, (middle - half, middle + half)


@cache
def legendre(n):
    return special.roots_legendre(n)


def points_between(edges, n=NODES):
    """Return points and weights between edges (..., panel, point)."""
    nodes, weights = legendre(n)
    half = 0.5 * np.diff(edges)[..., None]
    return edges[..., :-1, None] + half * (1 + nodes), half * weights


@cache
def sum_density(df, nu):
    """Tabulate the log density of a Student variable plus a scaled one.

    By the logarithm of the ratio of the scales, and asinh of the point.
    """
    # Around both peaks: as far as the wider one reaches, and beyond it.
    powers = 3.0 ** np.arange(-1, 10)
    powers = np.concatenate([-powers[::-1], [0.0], powers])
    gap = np.sinh(GAP_STEP * np.arange(GAPS))[:, None]
    own = np.broadcast_to(powers, (GAPS, len(powers)))
    rows = []
    for ratio in np.exp(RATIO_STEP * (np.arange(RATIOS) - RATIOS // 2)):
        edges = np.sort(np.concatenate([own, gap + ratio * powers], axis=1), axis=1)
        points, widths = points_between(edges)
        terms = np.exp(
            -0.5 * (df + 1) * np.log1p(points**2 / df)
            - 0.5 * (nu + 1) * np.log1p(((points - gap[..., None]) / ratio) ** 2 / nu)
        )
        rows.append(np.log((terms * widths).sum(axis=(1, 2)) / ratio))
    return np.array(rows) + student(0, df, 0, 1) + student(0, nu, 0, 1)


def look_up(table, log_ratio, gap):
    """Interpolate a tabulated log density at all pairs (ratio, gap)."""
    most = RATIO_STEP * (RATIOS // 2)
    near = np.clip(log_ratio, -most, most)
    # Beyond, the narrower peak is a point to the wider one.
    stretch = np.maximum(log_ratio - near, 0.0)
    rows = _stencils(near / RATIO_STEP + RATIOS // 2, RATIOS) @ table
    logs = (_stencils(np.arcsinh(gap) / GAP_STEP, GAPS) @ rows.T).T
    for i in np.flatnonzero(stretch):
        inner = np.arcsinh(gap * np.exp(-stretch[i])) / GAP_STEP
        logs[i] = _stencils(inner, GAPS) @ rows[i] - stretch[i]
    return logs


def _stencils(place, size):
    """Return the matrix that interpolates between even steps, by 8 points each."""
    first = np.clip(np.floor(place).astype(int) - STENCIL // 2 + 1, 0, size - STENCIL)
    offset = (place - first)[:, None] - np.arange(STENCIL)
    weights = np.ones((len(place), STENCIL))
    for j in range(STENCIL):
        others = np.delete(np.arange(STENCIL), j)
        weights[:, j] = (offset[:, others] / (j - others)).prod(axis=1)
    rows = np.repeat(np.arange(len(place)), STENCIL)
    columns = (first[:, None] + np.arange(STENCIL)).ravel()
    return sparse.csr_array((weights.ravel(), (rows, columns)), (len(place), size))


@cache
def reach_table(nu):
    """Tabulate how far from its middle a rope of half-width 1 wins.

    A spline of log sigma0 below the largest sigma0 at which it does, and that sigma0.
    """
    kink = -np.log(special.stdtrit(nu, 2 / 3))
    drop = np.concatenate([np.linspace(-40, -4, 1000)[:-1], np.linspace(-4, 0, 2000)])
    sigma = np.exp(kink + drop)
    low, high = np.zeros(len(sigma)), np.ones(len(sigma))
    for _ in range(60):
        middle = 0.5 * (low + high)
        above = special.stdtr(nu, (middle - 1) / sigma)
        below = special.stdtr(nu, (-1 - middle) / sigma)
        wins = 1 - above - below > above
        low, high = np.where(wins, middle, low), np.where(wins, high, middle)
    return interpolate.CubicSpline(drop, np.append(low[:-1], 0.0)), kink


@dataclass(frozen=True, eq=False)
class BruteForce:
    """Posterior of (nu, sigma0, delta0) for fold differences.

    Attributes
    ----------
    folds
        The differences on the folds of each data set.
    low, high
        The rope.
    finer
        How many times as many panels of delta0 and sigma0.
    """

    folds: list
    low: float
    high: float
    finer: int = 1

    @cached_property
    def laws(self):
        """Student law of each data set (df, centre, scale)."""
        return [law_of(x, 1 / len(x)) for x in self.folds]

    @cached_property
    def bounds(self):
        """Bounds of delta0 and of sigma0."""
        _, centre, scale = np.array(self.laws).T
        largest = max(float(np.abs(x).max()) for x in self.folds)
        return max(largest, scale.max()), UPPER * max(centre.std(), scale.min())

    @cached_property
    def delta_edges(self):
        """Edges of panels of delta0, close around every data set."""
        bound, _ = self.bounds
        powers = 3.0 ** np.arange(-1, 15)
        powers = np.concatenate([-powers[::-1], [0.0], powers])
        edges = np.concatenate([c + s * powers for _, c, s in self.laws])
        kept = [-bound]
        for edge in np.sort(edges[np.abs(edges) < bound]):
            closest = min(max(s, abs(edge - c)) for _, c, s in self.laws)
            if edge - kept[-1] > 0.3 * closest:
                kept.append(edge)
        return self._refine(np.append(kept, bound))

    def _refine(self, edges):
        share = np.arange(self.finer) / self.finer
        inner = edges[:-1, None] + np.diff(edges)[:, None] * share
        return np.append(inner.ravel(), edges[-1])

    def sigma_edges(self, nu):
        """Edges of panels of log sigma0, where the shares have a kink too."""
        bound, widest = self.bounds
        _, centre, scale = np.array(self.laws).T
        usual = 10 * max(np.ptp(centre), scale.max())
        # Longer ones where next to nothing happens: at either end.
        edges = np.concatenate(
            [
                np.log(np.array(FIRST_SIGMAS) * scale.min()),
                np.arange(
                    np.log(FIRST_SIGMAS[-1] * scale.min()), np.log(usual), SIGMA_STEP
                ),
                np.arange(np.log(usual), np.log(widest), 2 * SIGMA_STEP),
                [np.log(widest)],
            ]
        )
        edges = np.unique(edges[edges <= np.log(widest)])
        low, top = edges[[0, -1]]
        half, middle = 0.5 * (self.high - self.low), 0.5 * (self.high + self.low)
        if half > 0:
            reach, kink = reach_table(nu)
            cuts = [0.0]
            for end in (abs(bound - middle), abs(bound + middle)):
                if 0 < end < half:
                    roots = reach.solve(end / half, extrapolate=False)
                    cuts.extend(roots)
            cuts = np.log(half) + kink + np.array(cuts)
            edges = np.union1d(edges, cuts[(cuts > low) & (cuts < top)])
        return self._refine(edges)

    def reach(self, log_sigma, nu):
        """Return how far from the middle the rope wins."""
        half = 0.5 * (self.high - self.low)
        if half == 0:
            return np.zeros(len(log_sigma))
        reach, kink = reach_table(nu)
        drop = log_sigma - np.log(half) - kink
        return half * np.where(drop < 0, reach(np.clip(drop, -40, 0)), 0.0)

    def log_row(self, nu):
        """Return log sigma0, its weights, and the log posterior (sigma0, delta0)."""
        sigma, weights = (x.ravel() for x in points_between(self.sigma_edges(nu)))
        delta = points_between(self.delta_edges)[0].ravel()
        logs = np.zeros((len(sigma), len(delta)))
        for df, centre, scale in self.laws:
            gap = np.abs(delta - centre) / scale
            logs += look_up(sum_density(df, nu), sigma - np.log(scale), gap)
        x = nu - 1
        return sigma, weights, logs + sigma[:, None] + np.log(x * prior_of_nu(x))

    @cached_property
    def rows(self):
        """Masses of the three regions at every nu (nu, region)."""
        count = int(np.ceil(np.log(TAILS[1] / TAILS[0]) / STEP))
        unit, masses = None, []
        for tail in np.log(TAILS[1]) - STEP * np.arange(count + 1):
            nu = 1 + np.exp(tail)
            sigma, weights, logs = self.log_row(nu)
            unit = logs.max() if unit is None else unit
            values = np.exp(logs - unit).reshape(len(sigma), -1, NODES)
            reach, middle = self.reach(sigma, nu), 0.5 * (self.low + self.high)
            below = self._below(values, middle - reach)
            upto = self._below(values, middle + reach)
            whole = self._below(values, np.full(len(sigma), np.inf))
            parts = np.stack([below, upto - below, whole - upto])
            masses.append(parts @ weights)
        return np.array(masses)

    def _below(self, values, cut):
        """Return the mass of each line below its cut."""
        edges = self.delta_edges
        _, weights = points_between(edges)
        panels = (values * weights).sum(axis=2)
        risen = np.concatenate([np.zeros((len(values), 1)), panels.cumsum(axis=1)], 1)
        cut = np.clip(cut, edges[0], edges[-1])
        index = np.clip(np.searchsorted(edges, cut) - 1, 0, len(edges) - 2)
        line = np.arange(len(values))
        half = 0.5 * np.diff(edges)[index]
        scaled = (cut - edges[index]) / half - 1
        part = (values[line, index] * rising_weights(scaled)).sum(axis=1)
        return risen[line, index] + half * part

    def shares(self, every=1):
        """Return the three probabilities, from every so many rows."""
        masses = self.rows[::every].sum(axis=0)
        return masses / masses.sum()


def rising_weights(t):
    """Return weights of the points for the integral from -1 to t."""
    nodes, weights = legendre(NODES)
    degree = np.arange(NODES)
    values = np.polynomial.legendre.legvander(nodes, NODES - 1)
    p = np.polynomial.legendre.legvander(t, NODES)
    rise = np.empty((len(t), NODES))
    rise[:, 0] = t + 1
    rise[:, 1:] = (p[:, 2:] - p[:, :-2]) / (2 * degree[1:] + 1)
    return (rise * (degree + 0.5)) @ (values * weights[:, None]).T


def main():
    """Compute the shares of some tables, and write them to the file."""
    answers = []
    for kind, seed in STORED:
        folds, rope = random_table(kind, seed)
        shares = BruteForce(folds, *rope).shares().tolist()
        answers.append({"kind": kind, "seed": seed, "shares": shares})
    FILE.write_text(json.dumps(answers, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
