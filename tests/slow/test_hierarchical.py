"""The hierarchical model: calibration by simulation, and a Markov chain beside it.

Parameters come from the prior and items from the parameters: then the rank of the
truth among the draws is uniform, whatever the question (Talts et al. 2018,
arXiv:1804.06788), and intervals hold it as often as they say.
"""

from typing import NamedTuple

import numpy as np
import pytest
from scipy import special, stats

from likelier import metrics
from likelier.distribution import Draws
from likelier.methods.items.hierarchical_classes import HierarchicalClasses
from likelier.streams import Streams

SIMULATIONS, CLASSES, DRAWS, MASS = 800, 6, 2_000, 0.95
ERRORS, LEVEL = 3.0, 1e-3
CHAINS, STEPS, BURNT = 400, 6_000, 2_000
LEARNED = range(0, 1_000, 50)


class Truth(NamedTuple):
    """Parameters from the prior: of both sides, and the cells of the classes."""

    concentration: np.ndarray
    centre: np.ndarray
    cells: np.ndarray


def from_prior(rng):
    share = rng.random(2)
    concentration = 4 * (1 - share) / share
    centre = rng.dirichlet(np.ones(4), size=2)
    shapes = concentration[:, np.newaxis] * centre
    gold = rng.dirichlet(np.ones(2), size=CLASSES)
    cells = np.stack([dirichlet(rng, shape, CLASSES) for shape in shapes], axis=1)
    return Truth(concentration, centre, gold[..., np.newaxis] * cells)


def dirichlet(rng, shapes, n):
    """Draw on the log scale: shapes near 0 leave nothing otherwise."""
    shapes = np.broadcast_to(shapes, (n, 4))
    logs = np.log(rng.standard_gamma(shapes + 1)) + np.log(rng.random((n, 4))) / shapes
    return special.softmax(logs, axis=1)


def questions(values, metric):
    """Answers from values (..., class, system)."""
    macro = values.mean(axis=-2)
    return {
        "macro difference": metric.differences(macro),
        "macro of the first": macro[..., 0],
        "a class's difference": metric.differences(values[..., 0, :]),
        "a class's second": values[..., -1, 1],
    }


def rank(values, truth, rng, weights=None):
    """Compute the share of the draws below the truth; equal ones are shared out."""
    weights = np.full(len(values), 1 / len(values)) if weights is None else weights
    ties = float(weights @ (values == truth))
    return float(weights @ (values < truth)) + ties * rng.random()


def one(rng, table_of, metric):
    truth = from_prior(rng)
    sizes = np.exp(rng.uniform(np.log(5), np.log(300), size=CLASSES)).astype(int)
    chances = truth.cells.reshape(CLASSES, -1)
    pairs = zip(sizes, chances, strict=True)
    tables = [table_of(rng.multinomial(n, cells)) for n, cells in pairs]
    streams, method = Streams.of(rng, draws=DRAWS), HierarchicalClasses()
    exact = np.array([metric.observed(table_of(cells)) for cells in chances])
    drawn = questions(method.draw_classes(tables, metric, streams), metric)
    true = questions(exact, metric)
    ranks = {name: rank(drawn[name], true[name], rng) for name in true}
    for side, pooling in enumerate(method.pooling(tables, streams)):
        x, level = pooling.log_concentration, np.log(truth.concentration[side])
        ranks[f"concentration {side}"] = rank(x, level, rng, pooling.weights)
        cell = pooling.centre[:, 1]
        ranks[f"centre {side}"] = rank(
            cell, truth.centre[side, 1], rng, pooling.weights
        )
    intervals = {name: Draws(draws).hdi(MASS) for name, draws in drawn.items()}
    covered = {name: i.low <= true[name] <= i.high for name, i in intervals.items()}
    return ranks, covered


@pytest.fixture(scope="module")
def answers(table_of):
    rng = np.random.default_rng(0)
    rows = [one(rng, table_of, metrics.f1) for _ in range(SIMULATIONS)]
    ranks, covered = zip(*rows, strict=True)
    return (
        {name: np.array([r[name] for r in ranks]) for name in ranks[0]},
        {name: np.array([h[name] for h in covered]) for name in covered[0]},
    )


def test_ranks_of_the_truth_are_uniform(answers, show):
    ranks, _ = answers
    tests = {name: stats.kstest(r, "uniform").pvalue for name, r in ranks.items()}
    rows = [(name, float(ranks[name].mean()), float(p)) for name, p in tests.items()]
    show("ranks of the truth", [("question", "mean rank", "p (KS)"), *rows])
    assert min(tests.values()) > LEVEL / len(tests)


def test_intervals_hold_the_truth_as_often_as_they_say(answers, show):
    _, covered = answers
    shares = {name: float(h.mean()) for name, h in covered.items()}
    error = float(np.sqrt(MASS * (1 - MASS) / SIMULATIONS))
    show(f"coverage of {MASS:.0%} HDIs, error {error:.4f}", list(shares.items()))
    assert all(abs(share - MASS) <= ERRORS * error for share in shares.values())


def log_posterior(counts, z):
    """Compute the density at the log shapes of the Dirichlet (n, 4)."""
    shapes, total = np.exp(z), np.exp(z).sum(axis=1)
    after = shapes[:, np.newaxis] + counts
    terms = special.gammaln(after) - special.gammaln(shapes)[:, np.newaxis]
    whole = special.gammaln(total[:, np.newaxis] + counts.sum(axis=1))
    one_class = terms.sum(axis=(1, 2)) - whole.sum(axis=1)
    # Shapes for concentration and centre, then their logarithms for the shapes.
    turned = z.sum(axis=1) - 3 * np.log(total)
    prior = -2 * np.log(total + 4)
    return one_class + len(counts) * special.gammaln(total) + turned + prior


def walked(counts, rng):
    """Walk many chains at random over the log shapes; return them after burn-in."""
    z = rng.normal(size=(CHAINS, 4))
    level, spread, chains = log_posterior(counts, z), np.eye(4), []
    for step in range(STEPS):
        # Only until the burn-in ends: steps that go on learning do not stay unbiased.
        spread = 1.4 * np.cov(z.T) if step in LEARNED else spread
        moved = z + rng.multivariate_normal(np.zeros(4), spread, size=CHAINS)
        there = log_posterior(counts, moved)
        go = np.log(rng.random(CHAINS)) < there - level
        z, level = np.where(go[:, np.newaxis], moved, z), np.where(go, there, level)
        if step >= BURNT:
            chains.append(z)
    return np.array(chains)


def summaries(shapes):
    total = shapes.sum(axis=-1, keepdims=True)
    return np.concatenate([np.log(total), 4 / (4 + total), shapes / total], axis=-1)


@pytest.mark.parametrize("alike", [3.0, 300.0])
def test_points_agree_with_a_markov_chain(alike, table_of, show):
    rng = np.random.default_rng(5)
    sizes = np.repeat([8, 40, 200, 400], 3)
    chances = rng.dirichlet(alike * np.array([0.1, 0.15, 0.2, 0.55]), size=len(sizes))
    counts = np.array(
        [rng.multinomial(n, c) for n, c in zip(sizes, chances, strict=True)]
    )
    tables = [table_of([9, 1, 1, 1, *row]) for row in counts]
    pooling = HierarchicalClasses().pooling(tables, Streams.of(0))[1]
    points = summaries(
        np.exp(pooling.log_concentration)[:, np.newaxis] * pooling.centre
    )
    chains = summaries(np.exp(walked(counts, rng)))

    by_chain = chains.mean(axis=0)
    mean, error = by_chain.mean(axis=0), by_chain.std(axis=0) / np.sqrt(CHAINS)
    here, square = pooling.weights @ points, pooling.weights @ points**2
    own = np.sqrt((square - here**2) / (pooling.effective * len(points)))
    z = (here - mean) / np.hypot(error, own)
    spread = np.sqrt(square - here**2) / chains.std(axis=(0, 1))
    show(
        f"points, chain, z, ratio of spreads, {alike}",
        zip(here, mean, z, spread, strict=True),
    )
    assert np.abs(z).max() < 4.5
    assert np.abs(spread - 1).max() < 0.05
