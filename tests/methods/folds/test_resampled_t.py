"""The corrected resampled t-test against exact sums, and against the plain one."""

from fractions import Fraction
from itertools import permutations

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from tests.conftest import QUICK, bad_scores

from likelier.errors import InputError, NotDefinedError, SettingError
from likelier.methods.folds.fold_tests import resampled_t

thousandths = st.integers(-1000, 1000).map(lambda x: x / 1000)
fold_differences = st.lists(thousandths, min_size=2, max_size=30).filter(
    lambda d: min(d) != max(d)
)
ratios = st.floats(0.01, 2)


def slow_t(differences, ratio):
    """The statistic and p-value from fractions and the incomplete beta function."""
    d = [Fraction(x) for x in differences]
    n = len(d)
    mean = sum(d) / n
    variance = sum((x - mean) ** 2 for x in d) / (n - 1)
    square = mean**2 / (variance * (Fraction(1, n) + Fraction(ratio)))
    with mpmath.workdps(40):
        square = mpmath.mpf(square.numerator) / square.denominator
        x = (n - 1) / (n - 1 + square)
        p = mpmath.betainc(mpmath.mpf(n - 1) / 2, 0.5, 0, x, regularized=True)
        return float(mpmath.sign(mean) * mpmath.sqrt(square)), float(p)


@given(fold_differences, ratios)
@QUICK
def test_statistic_and_p_value_are_those_of_exact_sums(d, ratio):
    test = resampled_t(d, test_per_train=ratio)
    t, p = slow_t(d, ratio)

    assert test.statistic == pytest.approx(t, rel=1e-9, abs=1e-9)
    assert test.p_value == pytest.approx(p, rel=1e-8)
    assert test.details["mean difference"] == pytest.approx(np.mean(d), abs=1e-15)
    assert test.details["folds"] == len(d)


def test_a_published_form_by_hand():
    # Mean 2, variance 1, n = 3, ratio 1/2: t = 2 / sqrt(1/3 + 1/2) = sqrt(4.8).
    test = resampled_t([1, 2, 3], test_per_train=0.5)

    assert test.statistic == pytest.approx(4.8**0.5, rel=1e-15)
    # With 2 degrees of freedom p = 1 - t / sqrt(2 + t^2).
    assert test.p_value == pytest.approx(1 - (4.8 / 6.8) ** 0.5, rel=1e-14)


def test_a_vanishing_ratio_is_the_paired_t_test():
    rng = np.random.default_rng(0)
    first, second = rng.normal(size=(2, 12))
    test = resampled_t(second - first, test_per_train=1e-300)
    peer = stats.ttest_rel(second, first)

    assert test.statistic == pytest.approx(peer.statistic, rel=1e-12)
    assert test.p_value == pytest.approx(peer.pvalue, rel=1e-12)


@given(fold_differences, ratios, st.randoms(use_true_random=False))
@QUICK
def test_swap_turns_the_sign_and_order_does_not_matter(d, ratio, random):
    test = resampled_t(d, test_per_train=ratio)
    swapped = resampled_t([-x for x in d], test_per_train=ratio)
    shuffled = resampled_t(random.sample(d, len(d)), test_per_train=ratio)

    assert swapped.p_value == test.p_value == shuffled.p_value
    assert swapped.statistic == -test.statistic
    assert shuffled.statistic == test.statistic
    assert 0 < test.p_value <= 1


@given(fold_differences, st.tuples(ratios, ratios))
@QUICK
def test_more_overlap_is_less_evidence(d, two):
    low, high = sorted(two)
    assert (
        resampled_t(d, test_per_train=low).p_value
        <= resampled_t(d, test_per_train=high).p_value
    )


@given(fold_differences, st.sampled_from([1e-300, 1e-20, 1e20, 1e300]))
@QUICK
def test_the_unit_of_scores_does_not_matter(d, unit):
    test = resampled_t(d, test_per_train=0.1)
    other = resampled_t(np.array(d) * unit, test_per_train=0.1, scale=unit)

    assert other.p_value == pytest.approx(test.p_value, rel=1e-9)


def test_the_largest_numbers_do_not_overflow():
    most = np.finfo(float).max
    test = resampled_t([most, 0, most], test_per_train=0.5)

    assert test.p_value == pytest.approx(
        resampled_t([1, 0, 1], test_per_train=0.5).p_value
    )
    assert test.details["mean difference"] == pytest.approx(most / 3 * 2)


def test_far_tails_do_not_vanish():
    d = 1 + 1e-6 * np.arange(30)
    test = resampled_t(d, test_per_train=1 / 29)

    assert 0 < test.p_value < 1e-100
    assert test.p_value == pytest.approx(slow_t(d.tolist(), 1 / 29)[1], rel=1e-6)


@pytest.mark.parametrize("d", [[0.0, 0.0], [0.0] * 100, [0.1 + 0.2 - 0.3, 0.0, -1e-17]])
def test_identical_systems_have_p_1(d):
    test = resampled_t(d, test_per_train=1 / 9)

    assert (test.p_value, test.statistic) == (1, 0)


def test_a_mean_of_0_has_p_1():
    assert resampled_t([-0.5, 0.5], test_per_train=1).p_value == 1


@pytest.mark.parametrize(
    "d", [[0.2] * 10, [-1.0, -1.0], [0.3, 0.1 + 0.2, 0.3], [1e300, 1e300]]
)
def test_a_constant_difference_is_no_p_value_of_0(d):
    with pytest.raises(NotDefinedError, match="differ by the same"):
        resampled_t(d, test_per_train=1 / 9)


def test_scores_on_a_fine_scale_keep_their_differences():
    d = np.array([1.0, 2.0, 3.0]) * 1e-14

    assert resampled_t(d, test_per_train=0.5).p_value == 1
    fine = resampled_t(d, test_per_train=0.5, scale=1e-13)
    assert fine.p_value == pytest.approx(1 - (4.8 / 6.8) ** 0.5, rel=1e-12)


@pytest.mark.parametrize("d", [[], [0.1]])
def test_fewer_than_two_folds_are_refused(d):
    with pytest.raises(InputError, match=f"at least 2 folds; got {len(d)}"):
        resampled_t(d, test_per_train=1)


@given(bad_scores(), st.integers(0, 2))
@QUICK
def test_missing_and_infinite_differences_are_refused(bad, index):
    d = [0.1, 0.2, 0.3]
    d[index] = bad
    with pytest.raises(InputError, match=f"must be finite; got .* at {index}"):
        resampled_t(d, test_per_train=1)


@pytest.mark.parametrize("d", [0.5, [[0.1, 0.2]], ["a", "b"], [[1], [1, 2]], None])
def test_what_is_no_row_of_numbers_is_refused(d):
    with pytest.raises(InputError, match="differences must be"):
        resampled_t(d, test_per_train=1)


@pytest.mark.parametrize(
    "ratio", [0, -1, float("nan"), float("inf"), True, "1/9", None]
)
def test_ratios_out_of_range_are_refused(ratio):
    with pytest.raises(SettingError, match="test_per_train must be"):
        resampled_t([1, 2], test_per_train=ratio)


@pytest.mark.parametrize("scale", [0, -1, float("nan"), float("inf"), True, "1"])
def test_scales_out_of_range_are_refused(scale):
    with pytest.raises(SettingError, match="scale must be"):
        resampled_t([1, 2], test_per_train=1, scale=scale)


def test_all_orders_of_a_few_folds_agree_to_the_last_digit():
    d = [0.1, 0.7, -0.2, 0.3, 0.35]
    p_values = {resampled_t(o, test_per_train=0.25).p_value for o in permutations(d)}

    assert len(p_values) == 1


@pytest.mark.parametrize("folds", [10, 100])
def test_overlapping_folds_fool_the_plain_t_test_only(folds):
    """No real difference, and folds that correlate by their test share."""
    rng, runs, share = np.random.default_rng(1), 2000, 0.1
    shared = rng.normal(size=(runs, 1)) * share**0.5
    d = shared + rng.normal(size=(runs, folds)) * (1 - share) ** 0.5
    plain = stats.ttest_1samp(d, 0, axis=1).pvalue
    ratio = share / (1 - share)
    corrected = np.array([resampled_t(row, test_per_train=ratio).p_value for row in d])

    # 0.05 +- 0.02 is four standard errors of 2,000 runs.
    assert np.mean(plain < 0.05) > (0.12 if folds == 10 else 0.4)
    assert 0.03 < np.mean(corrected < 0.05) < 0.07
