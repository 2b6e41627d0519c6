"""Joint draws of all systems, and the ranks that they give."""

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.conftest import QUICK
from tests.data.score_tables import drawn

from likelier import Scores, compare_folds
from likelier._ranks import rank_draws, score_draws
from likelier.results.ranks import PairTest
from likelier.streams import Streams

DRAWS = 40_000
STREAMS = Streams.of(0, draws=DRAWS)


def by_hand(row):
    """Return the mean over all orders that sort the row downwards."""
    n = len(row)
    orders = [
        o for o in permutations(range(n)) if all(np.diff(np.array(row)[list(o)]) <= 0)
    ]
    share = np.zeros((n, n))
    for order in orders:
        for rank, system in enumerate(order):
            share[system, rank] += 1 / len(orders)
    return share


@given(
    st.integers(1, 4).flatmap(
        lambda n: st.lists(
            st.lists(st.integers(0, 3), min_size=n, max_size=n), min_size=1, max_size=6
        )
    )
)
@QUICK
def test_ranks_are_those_counted_by_hand(table):
    ranks = rank_draws(np.array(table, dtype=float), source="by hand")
    expected = np.mean([by_hand(row) for row in table], axis=0)
    assert ranks.probability == pytest.approx(expected)
    assert ranks.probability.sum(axis=0) == pytest.approx(1)
    assert ranks.probability.sum(axis=1) == pytest.approx(1)
    assert ranks.best == pytest.approx(expected[:, 0])
    assert ranks.expected == pytest.approx(expected @ np.arange(1, len(expected) + 1))
    assert ranks.draws == len(table)


def test_rank_draws_many_draws():
    draws = np.random.default_rng(0).normal(size=(500, 5))
    ranks = rank_draws(draws, source="normal")
    rank = np.argsort(np.argsort(-draws, axis=1), axis=1)
    expected = [[(rank[:, s] == r).mean() for r in range(5)] for s in range(5)]
    assert ranks.probability == pytest.approx(np.array(expected))


def test_joint_draws_are_those_of_the_correlated_t():
    table = drawn(runs=2, folds=5, systems="abc", gain=0.01)
    draws = score_draws(table, STREAMS)
    assert draws.shape == (DRAWS, 3)
    for i, j in ((0, 1), (0, 2), (1, 2)):
        law = compare_folds(table, systems=["abc"[i], "abc"[j]]).posterior.difference
        gap = draws[:, j] - draws[:, i]
        error = law.std() / np.sqrt(DRAWS)
        assert gap.mean() == pytest.approx(law.mean(), abs=5 * error)
        assert gap.std() == pytest.approx(law.std(), rel=0.03)
        for quantile in (0.01, 0.25, 0.5, 0.9):
            at = np.quantile(gap, quantile)
            width = 5 * np.sqrt(quantile * (1 - quantile) / DRAWS)
            assert law.share_below(float(at)) == pytest.approx(quantile, abs=width)


@pytest.mark.parametrize("seed", range(4))
def test_best_of_two_is_the_better_one(seed):
    table = drawn(folds=6, gain=0.006, noise=0.02, seed=seed)
    best = rank_draws(score_draws(table, STREAMS), source="").best
    better = compare_folds(table).probability.better
    width = 5 * np.sqrt(better * (1 - better) / DRAWS)
    assert best[1] == pytest.approx(better, abs=width)
    assert best.sum() == pytest.approx(1)


def test_lower_is_better_turns_the_ranks():
    table = ([0.5, 0.51, 0.52], [0.6, 0.61, 0.6], [0.7, 0.72, 0.73])
    higher = score_draws(Scores.from_arrays(*table), STREAMS)
    lower = score_draws(Scores.from_arrays(*table, higher_is_better=False), STREAMS)
    assert (lower == -higher).all()
    ranks = rank_draws(lower, source="")
    assert ranks.probability == pytest.approx(
        rank_draws(higher, source="").probability[:, ::-1]
    )


def test_one_score_each_are_weighed_data_sets():
    table = Scores.from_arrays([1.0, 2.0, 6.0], [2.0, 1.0, 3.0], datasets=list("xyz"))
    draws = score_draws(table, STREAMS)
    assert draws.mean(axis=0) == pytest.approx([3, 2], abs=0.05)
    assert ((draws >= 1) & (draws <= 6)).all()
    # Flat weights of three data sets: (1 / 3)(2 / 3) / 4 of each, covariance -1 / 36.
    spread = np.full((3, 3), -1 / 36) + np.eye(3) * (1 / 18 + 1 / 36)
    values = table.means
    assert np.cov(draws.T) == pytest.approx(values.T @ spread @ values, rel=0.05)


def test_data_sets_with_folds_vary_more_than_those_without():
    folded = drawn(sets=3, folds=3, noise=0.05)
    means = Scores.from_arrays(*folded.means.T, datasets=list("xyz"))
    one, other = (score_draws(t, STREAMS).std(axis=0) for t in (folded, means))
    assert (one > other).all()


def test_identical_systems_share_their_ranks():
    row = [0.8, 0.7, 0.9]
    ranks = rank_draws(
        score_draws(Scores.from_arrays(row, row, row), STREAMS), source=""
    )
    assert ranks.probability == pytest.approx(np.full((3, 3), 1 / 3))


def test_same_seed_same_draws():
    table = drawn(sets=2, folds=3)
    one = score_draws(table, Streams.of(1, draws=3000))
    other = score_draws(table, Streams.of(1, draws=3000, workers=2))
    assert (one == other).all()
    assert (one != score_draws(table, Streams.of(2, draws=3000))).any()


def test_tests_of_pairs_name_the_systems_in_order():
    document = PairTest(("a", "b"), 0.01, 0.02, 0.03, (3, 1)).to_dict()
    assert (document["first_better_on"], document["second_better_on"]) == (1, 3)
    none = PairTest(("a", "b"), 0.01, 0.02, 0.03, None).to_dict()
    assert (none["first_better_on"], none["second_better_on"]) == (None, None)
