"""The hierarchical model of scores: calibration by simulation.

Parameters come from the prior and folds from the parameters: then the probability that
the posterior gives to values below the truth is uniform (Talts et al. 2018,
arXiv:1804.06788), and intervals hold the truth as often as they say.

In use, the bounds of the prior depend on the data; here they are fixed, so that there
is one prior. That of sigma_i is flat and has no end in practice, so it cannot be drawn
from: all is done conditionally on the sum of squares within each data set, whose
sigma_i then comes from a proper law.
"""

from dataclasses import replace
from typing import NamedTuple

import numpy as np
import pytest
from scipy import stats
from tests.methods.folds.fold_tables import quantile_folds, table_of
from tests.methods.folds.test_error import assert_error_is_honest

from likelier.methods.folds.fold_likelihood import RATES, SHAPES, RopeRegion
from likelier.methods.folds.hierarchical_folds import standardise
from likelier.methods.folds.population import Population
from likelier.methods.folds.refinement import solve

SIMULATIONS, MASS = 1_000, 0.9
SETS, FOLDS = (2, 8), (3, 5, 10, 30)
BOUND, WIDEST, ROPE = 3.0, 4.0, (-0.5, 0.5)
ERRORS, LEVEL = 3.5, 1e-3


class Truth(NamedTuple):
    """Parameters from the prior, and a difference of each data set."""

    delta0: float
    sigma0: float
    nu: float
    delta: np.ndarray


def from_prior(rng):
    shape, rate = rng.uniform(*SHAPES), rng.uniform(*RATES)
    nu = 1 + rng.gamma(shape, 1 / rate)
    delta0, sigma0 = rng.uniform(-BOUND, BOUND), rng.uniform(0, WIDEST)
    return Truth(
        delta0,
        sigma0,
        nu,
        delta0 + sigma0 * rng.standard_t(nu, int(rng.integers(*SETS))),
    )


def folds_of(delta, rng):
    """Draw the mean of folds that vary so much within the data set."""
    n, sd = int(rng.choice(FOLDS)), np.exp(rng.normal(0, 0.7))
    rho, within = 1 / n, n * sd**2
    sigma = np.sqrt(within / (1 - rho) / rng.chisquare(n - 2))
    mean = rng.normal(delta, sigma * np.sqrt((1 + (n - 1) * rho) / n))
    return quantile_folds(mean, sd, n)


def posterior(folds):
    """Solve the model, with bounds that do not depend on the data."""
    means, unit = standardise(table_of(folds, base=0.0))
    fixed = replace(means, delta_bound=BOUND / unit, sigma_bound=WIDEST / unit)
    region = RopeRegion(ROPE[0] / unit, ROPE[1] / unit)
    points = solve(fixed, region, tolerance=1e-3)
    return Population(points, fixed, unit, tuple("abcdefg"[: len(folds)]), ROPE)


def one(rng):
    """Return the ranks of the truth, and whether intervals cover it."""
    truth = from_prior(rng)
    answer = posterior([folds_of(delta, rng) for delta in truth.delta])
    laws = {
        "delta0": (answer.delta0, truth.delta0),
        "sigma0": (answer.sigma0, truth.sigma0),
        "nu": (answer.nu, truth.nu),
        "a data set": (answer.shrunken[0], truth.delta[0]),
    }
    ranks = {name: law.share_below(true) for name, (law, true) in laws.items()}
    following = truth.delta0 + truth.sigma0 * rng.standard_t(truth.nu)
    ranks["the next"] = float(answer.masses(following, following)[:, 0].mean())
    covered = {
        name: law.hdi(MASS).low <= true <= law.hdi(MASS).high
        for name, (law, true) in laws.items()
    }
    masses = _masses(truth)
    # How probable the winning region was, and whether it was this one.
    return ranks, covered, (answer.shares(*ROPE), int(np.argmax(masses)))


def _masses(truth):
    law = stats.t(truth.nu, truth.delta0, truth.sigma0)
    below, above = law.cdf(ROPE[0]), law.sf(ROPE[1])
    return below, 1 - below - above, above


@pytest.fixture(scope="module")
def answers():
    rng = np.random.default_rng(0)
    ranks, covered, winners = zip(*(one(rng) for _ in range(SIMULATIONS)), strict=True)
    return (
        {name: np.array([row[name] for row in ranks]) for name in ranks[0]},
        {name: np.array([row[name] for row in covered]) for name in covered[0]},
        np.array([shares for shares, _ in winners]),
        np.array([region for _, region in winners]),
    )


def test_ranks_of_the_truth_are_uniform(answers, show):
    ranks = answers[0]
    tests = {name: stats.kstest(p, "uniform").pvalue for name, p in ranks.items()}
    rows = [
        (name, float(ranks[name].mean()), float(ranks[name].std()), float(p))
        for name, p in tests.items()
    ]
    head = ("question", "mean", "sd", "p (KS)")
    show(f"ranks of the truth, {SIMULATIONS:,} tables", [head, *rows])
    assert min(tests.values()) > LEVEL / len(tests)


def test_intervals_hold_the_truth_as_often_as_they_say(answers, show):
    shares = {name: float(covered.mean()) for name, covered in answers[1].items()}
    error = float(np.sqrt(MASS * (1 - MASS) / SIMULATIONS))
    show(f"coverage of {MASS:.0%} HDIs, error {error:.4f}", list(shares.items()))
    assert all(abs(share - MASS) <= ERRORS * error for share in shares.values())


def test_probabilities_of_regions_come_true(answers, show):
    """Among all tables, a region wins as often as was stated, in sum and by bin."""
    _, _, shares, winner = answers
    rows = []
    for region, name in enumerate(("worse", "equivalent", "better")):
        stated, won = shares[:, region], winner == region
        for low, high in (
            (0, 0.05),
            (0.05, 0.2),
            (0.2, 0.8),
            (0.8, 0.95),
            (0.95, 1.01),
        ):
            inside = (stated >= low) & (stated < high)
            error = np.sqrt((stated * (1 - stated))[inside].sum()) + 1e-3
            z = (won[inside].sum() - stated[inside].sum()) / error
            rows.append((name, low, int(inside.sum()), float(z)))
    show("regions that won against those stated", [("", "from", "tables", "z"), *rows])
    assert max(abs(row[-1]) for row in rows if row[2] >= 20) < ERRORS


@pytest.mark.parametrize("seed", range(40))
def test_error_is_honest(seed):
    """On tables of any size and spread, one quick one at a time."""
    assert_error_is_honest(seed)
