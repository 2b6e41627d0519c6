import itertools

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tests.conftest import QUICK
from tests.laws.oracles import largest_errors, stored

from likelier.errors import SettingError
from likelier.laws import BetaLaw, accuracy, jaccard, precision, recall

shapes = st.builds(
    lambda a, b: BetaLaw(10**a, 10**b), st.floats(-0.3, 9), st.floats(-0.3, 9)
)


def test_tails_and_density_against_40_digits():
    for case in stored("beta"):
        law, x = BetaLaw(*case["law"]), np.array(case["x"])
        for actual, expected in (
            (law.logcdf(x), case["lower"]),
            (law.logsf(x), case["upper"]),
            (law.logpdf(x), case["density"]),
        ):
            near, far = largest_errors(actual, expected)
            assert near < 2e-12, law
            assert far < 2e-11, law


def test_counts_of_1e12():
    (case,) = stored("beta of 1e12 items")
    law = BetaLaw(*case["law"])
    assert law == accuracy(6e11, 4e11)
    near, far = largest_errors(law.logcdf(case["x"]), case["lower"])
    assert max(near, far) < 1e-10


@given(shapes, st.floats(-300, -0.01))
@settings(QUICK, max_examples=60)
def test_quantiles_return(law, power):
    q = 10**power
    low, high = law.ppf(q), law.isf(q)
    # A value is a float: no quantile is better than half a unit of it.
    grain = 2e-16 * max(1, law.a, law.b) ** 0.5 * 40
    if 1e-290 < low < 1 - 1e-3:
        assert law.logcdf(low) == pytest.approx(np.log(q), abs=1e-9 + grain)
    if 1e-290 < high < 1 - 1e-3:
        assert law.logsf(high) == pytest.approx(np.log(q), abs=1e-9 + grain)


@given(shapes)
@settings(QUICK, max_examples=30)
def test_quantiles_rise(law):
    q = np.linspace(0, 1, 33)
    values = law.ppf(q)
    assert values[0] == 0
    assert values[-1] == 1
    assert np.all(np.diff(values) >= 0)
    np.testing.assert_array_equal(law.isf(1 - q), values)


@given(shapes, st.floats(0.01, 0.99))
@settings(QUICK, max_examples=40)
def test_the_density_is_the_slope_of_the_cdf(law, q):
    logit = np.log(law.ppf(q)) - np.log1p(-law.ppf(q))
    step = 1e-3 * law.centre()[1]
    if abs(logit) > 30:
        return
    low, high = 1 / (1 + np.exp(-(logit + step * np.array([-1, 1]))))
    slope = (law.cdf(high) - law.cdf(low)) / (high - low)
    assert law.pdf(law.ppf(q)) == pytest.approx(slope, rel=1e-4)


@given(shapes)
@settings(QUICK, max_examples=40)
def test_the_density_has_mass_one(law):
    middle, spread = law.centre()
    logit = middle + spread * np.linspace(-40, 40, 20_001)
    x = 1 / (1 + np.exp(-np.clip(logit, -700, 30)))
    values = np.where(np.abs(logit) < 700, law.pdf(x) * x * (1 - x), 0)
    if law.centre()[0] + 40 * spread < 30:
        assert np.trapezoid(values, logit) == pytest.approx(1, rel=1e-6)


def test_beyond_the_support_and_nan():
    law = BetaLaw(3.0, 2.0)
    x = [-1, 0, 1, 2, np.nan]
    np.testing.assert_array_equal(law.cdf(x), [0, 0, 1, 1, np.nan])
    np.testing.assert_array_equal(law.sf(x), [1, 1, 0, 0, np.nan])
    np.testing.assert_array_equal(law.pdf(x), [0, 0, 0, 0, np.nan])
    np.testing.assert_array_equal(law.logcdf(x), [-np.inf, -np.inf, 0, 0, np.nan])
    np.testing.assert_array_equal(law.ppf([0, 1, -1, 2, np.nan]), [0, 1] + 3 * [np.nan])
    assert isinstance(law.cdf(0.5), float)
    assert law.cdf(np.full((2, 3), 0.5)).shape == (2, 3)
    assert law.cdf([]).shape == (0,)
    assert law.support() == (0, 1)


def test_the_log_of_a_tail_near_one_keeps_its_digits():
    law = BetaLaw(81.0, 21.0)
    x = law.ppf([1e-20, 1e-100, 1e-300])
    np.testing.assert_allclose(law.logsf(x), -law.cdf(x), rtol=1e-12)
    x = law.isf([1e-20, 1e-25])
    np.testing.assert_allclose(law.logcdf(x), -law.sf(x), rtol=1e-12)


def test_the_density_at_the_ends():
    assert BetaLaw(1.0, 7.0).pdf(0) == pytest.approx(7)
    assert BetaLaw(7.0, 1.0).pdf(1) == pytest.approx(7)
    assert BetaLaw(0.5, 0.5).pdf([0, 1]).tolist() == [np.inf, np.inf]


@given(shapes, st.floats(0.05, 0.98))
@settings(QUICK, max_examples=40)
@example(BetaLaw(1.0, 1.0), 0.625)
def test_the_hdi_holds_its_mass_and_is_shortest(law, mass):
    hdi, even = law.hdi(mass), law.interval(mass)
    low, high = hdi
    assert (hdi.kind, even.kind) == ("hdi", "equal-tailed")
    assert 0 <= low < high <= 1
    if high < 0.999:
        assert law.cdf(low) + law.sf(high) == pytest.approx(1 - mass, rel=1e-6)
    # All intervals of a flat law are as short; rounding may cost 1.2e-15.
    assert high - low <= even.width + 2e-15
    if min(law.a, law.b) > 1:
        assert low - 1e-12 <= law.mode() <= high + 1e-12


@pytest.mark.parametrize(
    "law", [BetaLaw(81, 21), BetaLaw(2, 1e9), BetaLaw(1e9, 1e9), BetaLaw(1, 30)]
)
def test_hdis_are_nested_with_equal_ends(law):
    intervals = [law.hdi(mass) for mass in (0.3, 0.5, 0.8, 0.95, 0.99)]
    for inner, outer in itertools.pairwise(intervals):
        assert outer.low <= inner.low < inner.high < outer.high
    if law.a > 1:
        ends = np.array([list(interval) for interval in intervals])
        np.testing.assert_allclose(
            law.logpdf(ends[:, 0]), law.logpdf(ends[:, 1]), atol=1e-7
        )


def test_hdis_without_one_peak():
    assert tuple(BetaLaw(1, 1).hdi(0.9)) == pytest.approx((0.05, 0.95))
    low, high = BetaLaw(0.5, 0.3).hdi(0.9)
    assert high == 1
    low, high = BetaLaw(0.3, 0.5).hdi(0.9)
    assert low == 0
    assert BetaLaw(3, 1).hdi(0.9).high == 1


def test_modes():
    assert BetaLaw(3, 2).mode() == pytest.approx(2 / 3)
    assert BetaLaw(1, 1).mode() == 0.5
    assert BetaLaw(1, 2).mode() == 0
    assert BetaLaw(2, 1).mode() == 1


def test_moments():
    law = BetaLaw(3, 5)
    assert law.mean() == 3 / 8
    assert law.var() == pytest.approx(15 / 64 / 9)
    assert law.std() == pytest.approx(law.var() ** 0.5)
    assert law.cdf(law.median()) == pytest.approx(0.5)


def test_draws_follow_the_law():
    law, n = BetaLaw(5, 2), 20_000
    draws = law.rvs(n, np.random.default_rng(0))
    assert abs(draws.mean() - law.mean()) < 5 * law.std() / n**0.5
    ranks = law.cdf(np.sort(draws))
    assert np.abs(ranks - (np.arange(n) + 0.5) / n).max() < 1.95 / n**0.5


def test_constructors():
    assert precision(3, 2) == BetaLaw(4, 3)
    assert recall(3, 2, prior=0.5) == BetaLaw(3.5, 2.5)
    assert accuracy(3.25, 0) == BetaLaw(4.25, 1)
    assert jaccard(3, 2, 1) == BetaLaw(4, 5)


@pytest.mark.parametrize("bad", [-1, np.nan, np.inf])
def test_bad_counts(bad):
    with pytest.raises(SettingError, match=r"fp must be a finite number of at least 0"):
        precision(1, bad)


@pytest.mark.parametrize("bad", [0, -1, np.nan, np.inf])
def test_bad_parameters(bad):
    with pytest.raises(
        SettingError, match=r"prior must be a finite number above 0; got"
    ):
        recall(1, 1, prior=bad)
    with pytest.raises(SettingError, match=r"a must be a finite number above 0; got"):
        BetaLaw(bad, 1)
    with pytest.raises(SettingError, match="mass must lie"):
        BetaLaw(2, 1).hdi(2)
