"""Nemenyi's test and the range it rests on, against scipy, mpmath and the tables."""

from itertools import combinations
from math import sqrt

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from tests.conftest import QUICK

from likelier.errors import SettingError
from likelier.methods.folds.rank_tests import (
    friedman,
    nemenyi,
    range_quantile,
    range_tail,
)

# Demšar 2006, Table 5 (a): studentized range over the root of 2, for k = 2 … 10.
Q_05 = [1.960, 2.343, 2.569, 2.728, 2.850, 2.949, 3.031, 3.102, 3.164]
Q_10 = [1.645, 2.052, 2.291, 2.459, 2.589, 2.693, 2.780, 2.855, 2.920]


@pytest.mark.parametrize(("alpha", "row"), [(0.05, Q_05), (0.1, Q_10)])
def test_quantiles_are_those_of_the_published_table(alpha, row):
    got = [range_quantile(alpha, k) / sqrt(2) for k in range(2, 11)]

    # The last of the three decimals of the table is not always right.
    assert got == pytest.approx(row, abs=1.1e-3)


@pytest.mark.parametrize("k", [2, 3, 5, 20, 100])
@pytest.mark.parametrize("q", [0.0, 0.5, 2.0, 3.6, 6.0])
def test_tails_are_those_of_scipy(k, q):
    peer = stats.studentized_range.sf(q, k, np.inf)

    assert range_tail(q, k) == pytest.approx(peer, rel=1e-7, abs=1e-12)


@pytest.mark.parametrize("q", [0.0, 1e-9, 0.1, 1.0, 5.0, 20.0, 50.0])
def test_two_numbers_have_a_normal_range(q):
    assert range_tail(q, 2) == pytest.approx(2 * stats.norm.sf(q / sqrt(2)), rel=1e-10)


@pytest.mark.parametrize(("q", "k"), [(3.0, 3), (12.0, 5), (30.0, 10)])
def test_far_tails_do_not_vanish(q, k):
    def integrand(z):
        # a^m - b^m is (a - b)(a^(m-1) + a^(m-2) b + … + b^(m-1)): nothing cancels.
        below, low = mpmath.ncdf(z), mpmath.ncdf(z - q)
        powers = [below**j * (below - low) ** (k - 2 - j) for j in range(k - 1)]
        return mpmath.npdf(z) * low * mpmath.fsum(powers)

    with mpmath.workdps(25):
        expected = k * mpmath.quad(
            integrand, [-12, q / 2 - 4, q / 2, q / 2 + 4, q + 12]
        )
    assert range_tail(q, k) == pytest.approx(float(expected), rel=1e-10)


@given(st.integers(2, 40), st.floats(-20, -1e-3))
@QUICK
def test_the_quantile_is_where_the_tail_is_alpha(k, log10):
    alpha = 10**log10

    assert range_tail(range_quantile(alpha, k), k) == pytest.approx(alpha, rel=1e-9)


def test_tails_fall():
    for k in (2, 4, 30):
        tails = [range_tail(q, k) for q in np.arange(0, 60, 0.5)]
        assert (np.diff(tails) < 1e-13).all()
        assert tails[0] == 1
        assert tails[-1] == 0
    assert range_tail(3.0, 4) < range_tail(3.0, 5)


def staircase(steps, *, rows=30):
    """Scores in which system i is best in so many of the rows."""
    rng = np.random.default_rng(0)
    return rng.normal(size=(rows, len(steps))) + np.array(steps)


def test_the_critical_difference_of_demsar():
    # 14 data sets, 4 systems: 1.25 at .05 and 1.12 at .1.
    test = friedman(np.random.default_rng(0).random((14, 4)))

    assert round(nemenyi(test).critical_difference, 2) == 1.25
    assert round(nemenyi(test, alpha=0.1).critical_difference, 2) == 1.12


@pytest.mark.parametrize("alpha", [0.01, 0.05, 0.3])
@pytest.mark.parametrize("steps", [(0, 0.5, 1, 1.5, 5), (0, 0), (3, 2, 1), (0,) * 8])
def test_p_values_and_groups_say_the_same(steps, alpha):
    test = friedman(staircase(steps))
    pairs = nemenyi(test, alpha=alpha)
    k, ranks = len(steps), test.average_ranks
    together = {
        pair for group in pairs.groups for pair in combinations(sorted(group), 2)
    }

    for i, j in combinations(range(k), 2):
        close = abs(ranks[i] - ranks[j]) < pairs.critical_difference
        assert (pairs.p_values[i, j] > alpha) == close == ((i, j) in together)
    assert (pairs.p_values == pairs.p_values.T).all()
    assert (np.diag(pairs.p_values) == 1).all()
    error = sqrt(k * (k + 1) / (6 * 30))
    q = abs(ranks[0] - ranks[1]) / error * sqrt(2)
    expected = stats.studentized_range.sf(q, k, np.inf)
    assert pairs.p_values[0, 1] == pytest.approx(expected, rel=1e-6, abs=1e-12)


@given(st.lists(st.integers(0, 3), min_size=2, max_size=6), st.integers(2, 12))
@QUICK
def test_groups_are_all_largest_sets_that_fit(scores, rows):
    shifted = [np.roll(scores, i % 2) for i in range(rows)]
    test = friedman(shifted)
    pairs = nemenyi(test)
    ranks = test.average_ranks
    k = len(ranks)
    fits = [
        set(some)
        for size in range(1, k + 1)
        for some in combinations(range(k), size)
        if np.ptp(ranks[list(some)]) < pairs.critical_difference
    ]
    largest = [a for a in fits if not any(a < b for b in fits)]

    assert sorted(map(sorted, pairs.groups)) == sorted(map(sorted, largest))
    for group in pairs.groups:
        assert (np.diff(ranks[list(group)]) >= 0).all()


def test_clear_steps_leave_each_system_alone():
    pairs = nemenyi(friedman([[1, 3, 2]] * 40))

    assert pairs.groups == ((1,), (2,), (0,))


def test_identical_systems_are_one_group():
    pairs = nemenyi(friedman(np.ones((5, 4))))

    assert pairs.groups == ((0, 1, 2, 3),)
    assert (pairs.p_values == 1).all()


@pytest.mark.parametrize("alpha", [0, 1, -0.1, 2, float("nan"), "0.05", True, None])
def test_levels_out_of_range_are_refused(alpha):
    with pytest.raises(SettingError, match="alpha must be"):
        nemenyi(friedman(np.eye(3)), alpha=alpha)
