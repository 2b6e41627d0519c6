"""The two 5x2cv tests against their formulas in fractions."""

from fractions import Fraction

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.conftest import QUICK, bad_scores

from likelier.errors import InputError, NotDefinedError
from likelier.methods.folds.fold_tests import five_by_two_f, five_by_two_t

BOTH = [five_by_two_t, five_by_two_f]

thousandths = st.integers(-1000, 1000).map(lambda x: x / 1000)
tables = st.lists(
    st.tuples(thousandths, thousandths).map(list), min_size=5, max_size=5
).filter(lambda runs: any(a != b for a, b in runs))


def slow(runs):
    """Squared t, sign of t, and F, in fractions."""
    squares, variances = Fraction(0), Fraction(0)
    for run in runs:
        a, b = map(Fraction, run)
        mean = (a + b) / 2
        variances += (a - mean) ** 2 + (b - mean) ** 2
        squares += a**2 + b**2
    first = Fraction(runs[0][0])
    t2 = first**2 / (variances / 5)
    return t2, (first > 0) - (first < 0), squares / (2 * variances)


def beta_tail(a, b, x):
    return float(mpmath.betainc(a, b, 0, x, regularized=True))


@given(tables)
@QUICK
def test_both_are_those_of_exact_sums(runs):
    t2, sign, f = slow(runs)
    t_test, f_test = five_by_two_t(runs), five_by_two_f(runs)

    assert t_test.statistic == pytest.approx(sign * float(t2) ** 0.5, rel=1e-12)
    assert f_test.statistic == pytest.approx(float(f), rel=1e-12)
    x = 5 / (5 + mpmath.mpf(t2.numerator) / t2.denominator)
    assert t_test.p_value == pytest.approx(beta_tail(2.5, 0.5, x), rel=1e-9)
    x = 5 / (5 + 10 * mpmath.mpf(f.numerator) / f.denominator)
    assert f_test.p_value == pytest.approx(beta_tail(2.5, 5, x), rel=1e-9)


@given(tables)
@QUICK
def test_swapped_systems_are_as_different(runs):
    turned = -np.array(runs)

    assert five_by_two_t(turned).statistic == -five_by_two_t(runs).statistic
    assert five_by_two_f(turned).statistic == five_by_two_f(runs).statistic
    for test in BOTH:
        assert test(turned).p_value == test(runs).p_value
        assert 0 < test(runs).p_value <= 1
        mean = test(runs).details["mean difference"]
        assert mean == pytest.approx(np.mean(runs), abs=1e-15)


@given(
    tables, st.permutations(range(5)), st.lists(st.booleans(), min_size=5, max_size=5)
)
@QUICK
def test_the_order_of_runs_and_folds_is_nothing_to_f(runs, order, turned):
    moved = [runs[i][::-1] if turned[i] else runs[i] for i in order]

    assert five_by_two_f(moved).p_value == five_by_two_f(runs).p_value


def test_t_hangs_on_the_fold_that_comes_first():
    runs = [[3, 1], [2, 2], [1, 3], [2, 4], [3, 1]]
    turned = [run[::-1] for run in runs]

    assert five_by_two_t(runs).statistic == 3 * five_by_two_t(turned).statistic


@given(tables, st.sampled_from([1e-300, 1e-20, 1e20, 1e300]))
@QUICK
def test_the_unit_of_scores_does_not_matter(runs, unit):
    for test in BOTH:
        other = test(np.array(runs) * unit, scale=unit)
        assert other.p_value == pytest.approx(test(runs).p_value, rel=1e-9)


@pytest.mark.parametrize("test", BOTH)
@pytest.mark.parametrize("noise", [0.0, 0.1 + 0.2 - 0.3])
def test_identical_systems_have_p_1(test, noise):
    runs = np.zeros((5, 2))
    runs[::2, 0] = noise

    assert (test(runs).p_value, test(runs).statistic) == (1, 0)


@pytest.mark.parametrize("test", BOTH)
@pytest.mark.parametrize(
    "runs",
    [
        np.full((5, 2), 0.1),
        [[0, 0], [1, 1], [2, 2], [3, 3], [4, 4]],
        [[0.3, 0.1 + 0.2]] * 5,
    ],
)
def test_runs_without_variance_are_no_p_value_of_0(test, runs):
    with pytest.raises(NotDefinedError, match="they vary by 0"):
        test(runs)


@pytest.mark.parametrize("test", BOTH)
@pytest.mark.parametrize("shape", [(2, 5), (5, 3), (4, 2), (0, 2), (5, 0)])
def test_other_designs_are_refused_by_their_shape(test, shape):
    with pytest.raises(InputError, match=f"got {shape[0]} of {shape[1]}"):
        test(np.ones(shape))


@pytest.mark.parametrize("test", BOTH)
@pytest.mark.parametrize("shape", [(10,), (5, 2, 1), ()])
def test_what_is_no_table_is_refused(test, shape):
    with pytest.raises(InputError, match="must be a table of numbers"):
        test(np.ones(shape))


@given(bad_scores())
@QUICK
def test_missing_and_infinite_differences_are_refused(bad):
    runs = np.arange(10.0).reshape(5, 2)
    runs[3, 1] = bad
    for test in BOTH:
        with pytest.raises(InputError, match=r"finite; got .* at \(3, 1\)"):
            test(runs)
