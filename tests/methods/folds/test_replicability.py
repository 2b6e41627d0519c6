"""Partial conjunctions against hand-made sums and the procedure's guarantee."""

from itertools import combinations
from math import exp, factorial, fsum, log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.conftest import QUICK

from likelier.errors import InputError, SettingError
from likelier.methods.folds.rank_tests import holm, k_hat

# The example of the authors' program.
P = [0.168, 0.297, 0.357, 0.019, 0.218, 0.001]

lists = st.lists(st.floats(1e-12, 1), min_size=1, max_size=8)
alphas = st.sampled_from([0.01, 0.05, 0.2])


def poisson_tail(x, m):
    """P(chi-square with 2m degrees of freedom > 2x) = P(Poisson(x) < m)."""
    return fsum(exp(-x) * x**i / factorial(i) for i in range(m))


def bonferroni(p):
    return min(1.0, len(p) * min(p))


def fisher(p):
    return poisson_tail(-fsum(log(x) for x in p), len(p))


def slow(p, combine):
    """The largest combined p-value of any n - u + 1 data sets, for each u."""
    n = len(p)
    worst = [
        max(combine(some) for some in combinations(p, n - u + 1))
        for u in range(1, n + 1)
    ]
    return [max(worst[: u + 1]) for u in range(n)]


@given(lists)
@QUICK
def test_partial_conjunctions_are_the_worst_of_all_subsets(p):
    plain, independent = k_hat(p), k_hat(p, independent=True)

    expected = slow(p, bonferroni)
    assert plain.partial_conjunction == pytest.approx(expected, rel=1e-12)
    expected = slow(p, fisher)
    assert independent.partial_conjunction == pytest.approx(expected, rel=1e-9)


@given(lists, alphas, st.booleans())
@QUICK
def test_k_hat_counts_up_to_the_first_that_is_too_large(p, alpha, independent):
    test = k_hat(p, alpha=alpha, independent=independent)
    partial = [*test.partial_conjunction.tolist(), 2.0]

    assert test.k_hat == next(u for u, value in enumerate(partial) if value > alpha)
    assert (np.diff(test.partial_conjunction) >= 0).all()
    assert 0 <= test.k_hat <= len(p)
    assert (test.alpha, test.independent) == (alpha, independent)


@given(lists, alphas)
@QUICK
def test_without_independence_the_count_is_that_of_holm(p, alpha):
    test = k_hat(p, alpha=alpha)

    assert len(test.identified) == test.k_hat
    assert set(test.identified) == set(np.flatnonzero(holm(p) <= alpha))
    # The identified ones are those with the smallest p-values.
    rest = [x for i, x in enumerate(p) if i not in test.identified]
    assert max((p[i] for i in test.identified), default=0) <= min(rest, default=1)


@given(lists, st.booleans(), st.randoms(use_true_random=False))
@QUICK
def test_the_order_of_data_sets_does_not_matter(p, independent, random):
    order = random.sample(range(len(p)), len(p))
    test = k_hat(p, independent=independent)
    moved = k_hat([p[i] for i in order], independent=independent)

    assert moved.partial_conjunction.tolist() == test.partial_conjunction.tolist()
    assert sorted(order[i] for i in moved.identified) == list(test.identified)


@given(lists, st.data(), st.booleans())
@QUICK
def test_smaller_p_values_never_lower_the_count(p, data, independent):
    i = data.draw(st.integers(0, len(p) - 1))
    smaller = [*p[:i], p[i] / 2, *p[i + 1 :]]

    assert (
        k_hat(smaller, independent=independent).k_hat
        >= k_hat(p, independent=independent).k_hat
    )


def test_by_hand():
    test = k_hat(P)
    # 6 x .001, 5 x .019, 4 x .168, 3 x .218, 2 x .297, .357, each at least the last.
    expected = [0.006, 0.095, 0.672, 0.672, 0.672, 0.672]
    assert test.partial_conjunction == pytest.approx(expected)
    assert (test.k_hat, test.identified) == (1, (5,))

    test = k_hat(P, independent=True)
    # The last: one p-value by itself. The second: log of .019 x .168 x .218 x .297 x
    # .357 is -9.5174, and a Poisson of that mean is below 5 with chance .0399.
    assert test.partial_conjunction[-1] == pytest.approx(0.357)
    assert test.partial_conjunction[1] == pytest.approx(0.0399, abs=1e-4)
    assert (test.k_hat, test.identified) == (2, (5,))


def test_none_some_and_all():
    assert k_hat([0.5, 0.9]).k_hat == 0
    assert k_hat([0.5, 0.9]).identified == ()
    assert k_hat([0.02, 0.9]).k_hat == 1
    assert k_hat([0.02, 0.04]).k_hat == 2
    assert k_hat([0.04]).k_hat == 1
    assert k_hat([1.0] * 5, independent=True).partial_conjunction.tolist() == [1.0] * 5


def test_many_small_effects_add_up_only_where_data_sets_are_independent():
    p = [0.06] * 10

    assert k_hat(p).k_hat == 0
    assert k_hat(p, independent=True).k_hat == 9


def test_one_clear_effect_may_drown_among_independent_data_sets():
    p = [0.001] + [0.9] * 40

    assert k_hat(p).k_hat == 1
    assert k_hat(p, independent=True).k_hat == 0


@pytest.mark.parametrize("independent", [False, True])
def test_p_values_of_0_are_no_trouble(independent):
    test = k_hat([0.0, 0.0, 0.7], independent=independent)

    assert test.k_hat == 2
    assert test.partial_conjunction == pytest.approx([0, 0, 0.7])


def test_far_tails_do_not_vanish():
    test = k_hat([1e-200] * 3, independent=True)

    assert test.partial_conjunction[2] == pytest.approx(1e-200, rel=1e-10)


@pytest.mark.parametrize("independent", [False, True])
@pytest.mark.parametrize("effects", [0, 3])
def test_the_count_is_too_large_at_most_at_rate_alpha(independent, effects):
    """The count of p-values below alpha mostly is too large with 20 data sets."""
    rng, runs, n = np.random.default_rng(0), 1000, 20
    p = rng.random((runs, n))
    p[:, :effects] *= 1e-9
    counts = np.array([k_hat(row, independent=independent).k_hat for row in p])

    # 0.05 and three standard errors of 1,000 runs.
    assert np.mean(counts > effects) < 0.071
    assert np.mean(counts >= effects) == 1
    assert np.mean((p <= 0.05).sum(axis=1) > effects) > 0.5


@pytest.mark.parametrize("p", [[], [float("nan")], [-1e-9], [1.5], [[0.1, 0.2]]])
def test_what_is_no_list_of_p_values_is_refused(p):
    with pytest.raises(InputError, match="p-values must be"):
        k_hat(p)


@pytest.mark.parametrize("alpha", [0, 1, float("nan"), "5 %", True])
def test_levels_out_of_range_are_refused(alpha):
    with pytest.raises(SettingError, match="alpha must be"):
        k_hat(P, alpha=alpha)
