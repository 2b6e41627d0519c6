import numpy as np
import pytest
from scipy import special, stats

import likelier as lk
from likelier import Scores
from likelier.errors import SettingError
from likelier.methods.folds.signed_rank import (
    BayesianSignTest,
    SignedRank,
    rank_posterior,
    winners,
)
from likelier.streams import Streams

GAPS = np.array([0.02, -0.01, 0.05, 0.01, 0.0, 0.03, -0.02, 0.012])


def table_of(gaps, base=0.5):
    gaps = np.asarray(gaps, dtype=float)
    names = [str(i) for i in range(len(gaps))]
    return Scores.from_arrays(
        np.full(len(gaps), base), base + gaps, datasets=names, test_share=0.1
    )


def masses_by_loops(values, weights, low, high):
    """Weigh all pairs of data sets, one by one; a sum at an end counts half."""
    masses = np.zeros((len(weights), 3))
    for draw, w in enumerate(weights):
        for i, x in enumerate(values):
            for j, y in enumerate(values):
                for end, region, sign in ((2 * low, 0, -1), (2 * high, 2, 1)):
                    beyond = sign * (x + y - end)
                    masses[draw, region] += w[i] * w[j] * np.heaviside(beyond, 0.5)
        masses[draw, 1] = 0 if low == high else 1 - masses[draw, 0] - masses[draw, 2]
    return masses


@pytest.mark.parametrize("rope", [(-0.01, 0.01), (-0.005, 0.02), (0.0, 0.0)])
def test_masses_against_loops(rope):
    streams = Streams.of(0, draws=60)
    # Powers of two, so that sums lie exactly at the ends.
    gaps = np.array([1, -2, 3, 0, 2, 5]) / 128
    ends = tuple(round(128 * end) / 128 for end in rope)
    weights = SignedRank().weights(len(gaps), streams)
    regions = rank_posterior(gaps, weights).regions
    expected = masses_by_loops([0.0, *gaps], weights, *ends)
    assert regions.masses(*ends) == pytest.approx(expected, abs=1e-12)
    best = expected.argmax(axis=1)
    assert regions.shares(*ends) == pytest.approx(
        [(best == region).mean() for region in range(3)], abs=1e-12
    )


def test_weights_are_dirichlet_with_the_pseudo_observation_first():
    weights = SignedRank(strength=0.5).weights(3, Streams.of(0, draws=40_000))
    assert weights.sum(axis=1) == pytest.approx(1)
    shape = np.array([0.5, 1, 1, 1])
    error = np.sqrt(stats.dirichlet.var(shape) / 40_000)
    assert np.all(np.abs(weights.mean(axis=0) - shape / shape.sum()) < 5 * error)
    assert weights[:, 0].var() == pytest.approx(stats.dirichlet.var(shape)[0], rel=0.05)


def test_one_data_set_exactly():
    """Better where its weight w has w(2 - w) above one half, w ~ Beta(1, 1/2)."""
    weights = SignedRank().weights(1, Streams.of(1, draws=50_000))
    shares = rank_posterior(np.array([0.3]), weights).regions.shares(-0.01, 0.01)
    least = 1 - np.sqrt(0.5)
    exact = special.betainc(0.5, 1.0, 1 - least)
    assert shares == pytest.approx((0.0, 1 - exact, exact), abs=0.01)


def test_two_opposite_data_sets_are_even():
    weights = SignedRank().weights(2, Streams.of(2, draws=50_000))
    shares = rank_posterior(np.array([0.2, -0.2]), weights).regions.shares(0.0, 0.0)
    assert shares == pytest.approx((0.5, 0.0, 0.5), abs=0.012)


@pytest.mark.parametrize("method", [SignedRank(), BayesianSignTest()])
def test_identical_systems_are_even_without_a_rope(method):
    posterior = method.posterior(
        table_of(np.zeros(6)), Streams.of(0, draws=4_000), None
    )
    worse, inside, better = posterior.regions.shares(0.0, 0.0)
    assert inside == 0
    assert (worse, better) == pytest.approx((0.5, 0.5), abs=0.04)
    assert posterior.regions.shares(-0.01, 0.01)[1] > 0.9


def test_identical_systems_tie_exactly_in_ranks():
    posterior = SignedRank().posterior(
        table_of(np.zeros(6)), Streams.of(0, draws=500), None
    )
    assert posterior.regions.shares(0.0, 0.0) == (0.5, 0.0, 0.5)


@pytest.mark.parametrize("method", [SignedRank(), BayesianSignTest()])
def test_swapped_systems_swap_the_answer(method):
    streams = Streams.of(3, draws=40_000)
    shares, swapped = (
        method.posterior(table_of(gaps), streams, None).regions.shares(-0.01, 0.01)
        for gaps in (GAPS, -GAPS)
    )
    assert shares == pytest.approx(swapped[::-1], abs=0.012)


def test_the_difference_is_the_weighted_mean():
    streams = Streams.of(4, draws=30_000)
    posterior = SignedRank().posterior(table_of(GAPS), streams, None)
    expected = GAPS.sum() / (len(GAPS) + 0.5)
    error = 5 * posterior.difference.mcse()
    assert posterior.difference.mean() == pytest.approx(expected, abs=error)


def test_sign_with_two_regions_is_a_beta():
    """Without a rope ties and the prior are halved: P(theta > 1/2) of a Beta."""
    regions = BayesianSignTest().regions(table_of(GAPS), Streams.of(5, draws=100_000))
    better, worse, ties = 5, 2, 1
    half = 0.5 * (ties + 1)
    exact = special.betainc(worse + half + 1e-4, better + half + 1e-4, 0.5)
    assert regions.shares(0.0, 0.0) == pytest.approx((1 - exact, 0, exact), abs=0.008)


def test_sign_with_three_regions_against_loops():
    draws = 50_000
    regions = BayesianSignTest(strength=2.0).regions(
        table_of(GAPS), Streams.of(6, draws=draws)
    )
    low, high = -0.0101, 0.0101
    worse, better = sum(gap < low for gap in GAPS), sum(gap > high for gap in GAPS)
    shape = np.array([worse, len(GAPS) - worse - better + 2.0, better]) + 1e-4
    drawn = np.random.default_rng(1).dirichlet(shape, 400_000)
    best = np.bincount(drawn.argmax(axis=1), minlength=3) / 400_000
    assert regions.shares(low, high) == pytest.approx(best, abs=0.01)
    assert regions.n_independent == draws


def test_ties_are_shared():
    masses = np.array([[0.5, 0.0, 0.5], [0.2, 0.2, 0.6], [1 / 3, 1 / 3, 1 / 3]])
    assert winners(masses) == pytest.approx((5 / 18, 1 / 9, 11 / 18))


def test_many_winning_data_sets_are_sure():
    result = lk.compare_folds(table_of(np.linspace(0.02, 0.2, 40)), rope=0.01, seed=0)
    assert result.probability.better > 0.999


def test_the_same_seed_gives_the_same_bytes():
    first, again, other = (
        SignedRank().weights(5, Streams.of(seed, draws=3_000)) for seed in (7, 7, 8)
    )
    assert first.tobytes() == again.tobytes()
    assert first.tobytes() != other.tobytes()


@pytest.mark.parametrize("strength", [0, -1, float("nan"), float("inf")])
def test_a_prior_of_no_weight_is_refused(strength):
    for method in (SignedRank, BayesianSignTest):
        with pytest.raises(SettingError, match="strength must be a number above 0"):
            method(strength)
