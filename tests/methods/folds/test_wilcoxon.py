"""The signed-rank test against enumeration of signs, scipy and published numbers."""

import sys
from fractions import Fraction
from itertools import permutations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from tests.conftest import QUICK, bad_scores

from likelier.errors import InputError
from likelier.methods.folds.fold_tests import wilcoxon

few = st.integers(-4, 4)
many_ties = st.lists(few, min_size=1, max_size=11)


def slow(differences):
    """Pratt's test by all signs: ranks in fractions, zeros ranked and left out."""
    sizes = [abs(x) for x in differences]
    ranks = [
        Fraction(2 * sum(s < t for s in sizes) + sizes.count(t) + 1, 2) for t in sizes
    ]
    used = [(r, x) for r, x in zip(ranks, differences, strict=True) if x != 0]
    observed = sum(r if x > 0 else -r for r, x in used)
    signs = list(product((1, -1), repeat=len(used)))
    sums = [sum(s * r for s, (r, _) in zip(row, used, strict=True)) for row in signs]
    return observed, Fraction(sum(abs(w) >= abs(observed) for w in sums), len(sums))


@given(many_ties)
@QUICK
def test_few_data_sets_are_exact_with_ties_and_zeros(d):
    test = wilcoxon(d)
    observed, p = slow(d)

    assert test.statistic == observed
    assert test.p_value == pytest.approx(float(p), rel=1e-14)
    assert test.details["exact"] == 1
    assert test.details["equal"] == d.count(0)
    assert test.details["ranks better"] - test.details["ranks worse"] == observed


@pytest.mark.parametrize("n", range(1, 8))
def test_all_signs_of_untied_differences(n):
    for signs in product((1, -1), repeat=n):
        d = [s * (i + 1) for i, s in enumerate(signs)]
        assert wilcoxon(d).p_value == float(slow(d)[1])


@pytest.mark.parametrize("n", [1, 2, 5, 20, 50])
def test_scipy_is_equal_without_ties(n):
    d = np.random.default_rng(n).normal(0.3, size=n)
    peer = stats.wilcoxon(d, method="exact")

    assert wilcoxon(d).p_value == pytest.approx(peer.pvalue, rel=1e-12)
    ranks = wilcoxon(d).details
    assert min(ranks["ranks better"], ranks["ranks worse"]) == peer.statistic


@pytest.mark.parametrize("seed", range(5))
def test_scipy_is_equal_by_permutations_with_ties_and_zeros(seed):
    d = np.random.default_rng(seed).integers(-3, 6, size=10).astype(float)
    peer = stats.wilcoxon(d, zero_method="pratt", method=stats.PermutationMethod())

    assert wilcoxon(d).p_value == pytest.approx(peer.pvalue, rel=1e-12)


@pytest.mark.parametrize("most", [5, 100_000])
def test_many_data_sets_take_the_normal_law_of_scipy(most):
    d = np.random.default_rng(3).integers(-most, most + most // 5, size=2000)
    peer = stats.wilcoxon(
        d.astype(float), zero_method="pratt", method="asymptotic", correction=True
    )
    test = wilcoxon(d)

    assert test.details["exact"] == 0
    assert test.p_value == pytest.approx(peer.pvalue, rel=1e-9)


def test_the_normal_law_is_close_where_both_can_be_had(monkeypatch):
    d = np.random.default_rng(4).integers(-9, 11, size=300)
    exact = wilcoxon(d)
    # The function hides its module of the same name.
    module = sys.modules["likelier.methods.folds.fold_tests"]
    monkeypatch.setattr(module, "_MOST_STEPS", 0)
    normal = wilcoxon(d)

    assert (exact.details["exact"], normal.details["exact"]) == (1, 0)
    assert normal.p_value == pytest.approx(exact.p_value, rel=0.03)
    assert normal.statistic == exact.statistic


def test_all_better_is_the_chance_of_all_heads():
    for n in (1, 2, 10, 60, 400):
        assert wilcoxon(np.arange(1, n + 1)).p_value == 2.0 ** (1 - n)
        assert wilcoxon(np.full(n, -0.1)).p_value == 2.0 ** (1 - n)


def test_the_example_of_demsar():
    # Demšar 2006, Table 2: AUC of C4.5 with m less that of C4.5; ranks 93 and 12 with
    # the ranks of the two zeros, 1.5 each, split between the sides.
    thousandths = [5, -8, 17, 33, 6, -5, 7, 0, 63, 0, 22, 47, 9, 21]
    test = wilcoxon([x / 1000 for x in thousandths])

    assert test.statistic == 93 - 12
    assert test.details["ranks worse"] + 1.5 == 12
    assert test.p_value < 0.05


def test_leaving_zeros_out_before_ranking_would_reward_a_smaller_gain():
    larger, smaller = [1, -2, -3, -4, 5, 6, 7], [0, -2, -3, -4, 5, 6, 7]

    assert stats.wilcoxon(smaller).pvalue < stats.wilcoxon(larger).pvalue
    assert wilcoxon(smaller).p_value >= wilcoxon(larger).p_value


@given(st.lists(few, min_size=1, max_size=30), st.randoms(use_true_random=False))
@QUICK
def test_swap_turns_the_sign_and_order_does_not_matter(d, random):
    test, swapped = wilcoxon(d), wilcoxon([-x for x in d])
    shuffled = wilcoxon(random.sample(d, len(d)))

    assert swapped.p_value == test.p_value == shuffled.p_value
    assert swapped.statistic == -test.statistic
    assert shuffled.statistic == test.statistic
    assert 0 < test.p_value <= 1


@given(st.lists(few, min_size=1, max_size=12), st.sampled_from([1e-300, 1e-9, 1e300]))
@QUICK
def test_only_ranks_matter(d, unit):
    exact = wilcoxon(d).p_value

    assert wilcoxon(np.array(d) * unit, scale=unit).p_value == exact
    assert wilcoxon(np.array(d) ** 3).p_value == exact


@given(st.lists(few, min_size=1, max_size=12), st.integers(0, 10**6))
@QUICK
def test_rounding_makes_no_ranks(d, seed):
    tenths = np.array(d) / 10
    noise = np.random.default_rng(seed).uniform(-3e-16, 3e-16, size=len(d))

    assert wilcoxon(tenths + noise).p_value == wilcoxon(d).p_value


def test_sums_that_should_be_equal_are():
    zero, three = 0.1 + 0.2 - 0.3, 0.1 + 0.2
    assert zero != 0
    assert three != 0.3

    assert wilcoxon([zero]).details["equal"] == 1
    assert wilcoxon([zero, three, -0.3]).p_value == wilcoxon([0, 3, -3]).p_value == 1


def test_small_differences_beside_large_ones_count():
    assert wilcoxon([1e-8, 1, 1000]).details["equal"] == 0


@pytest.mark.parametrize("n", [1, 2, 50])
def test_identical_systems_have_p_1(n):
    test = wilcoxon(np.zeros(n))

    assert (test.p_value, test.statistic, test.details["equal"]) == (1, 0, n)


def test_no_data_set_is_refused():
    with pytest.raises(InputError, match="at least 1 data set"):
        wilcoxon([])


@given(bad_scores())
@QUICK
def test_missing_and_infinite_differences_are_refused(bad):
    with pytest.raises(InputError, match=r"finite; got .* at 1"):
        wilcoxon([0.1, bad])


@pytest.mark.parametrize("d", [1.0, [[1.0, 2.0]], "ab"])
def test_what_is_no_row_of_numbers_is_refused(d):
    with pytest.raises(InputError, match="must be a row of numbers"):
        wilcoxon(d)


def test_the_p_value_is_at_most_its_level_under_the_null():
    d = [1, 1, 2, 3, 3, 3, 5, 8]
    p_values = [
        wilcoxon([s * x for s, x in zip(signs, d, strict=True)]).p_value
        for signs in product((1, -1), repeat=len(d))
    ]
    for level in sorted(set(p_values)):
        assert np.mean(np.array(p_values) <= level) == level


def test_all_orders_agree_to_the_last_digit():
    orders = permutations([0.1, -0.2, 0.2, 0.35, 0.0])
    assert len({wilcoxon(order).p_value for order in orders}) == 1
