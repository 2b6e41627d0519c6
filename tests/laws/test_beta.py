import itertools

import mpmath as mp
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from likelier.errors import SettingError
from likelier.laws import BetaLaw, accuracy, jaccard, precision, recall

COUNTS = [0, 1, 2, 5, 50, 1e3, 1e6, 1e9]
# In spreads of the logit: the middle, P about 1e-300, log P about -1e4.
DISTANCES = [0, -0.4, 1.5, -6, 9, -25, 25, -37, 37, -140, 140]

shapes = st.builds(
    lambda a, b: BetaLaw(10**a, 10**b), st.floats(-0.3, 9), st.floats(-0.3, 9)
)


def points(law):
    """Floats from the middle of a law to its far tails."""
    middle, spread = law.centre()
    logits = np.array([middle + z * spread for z in DISTANCES])
    x = 1 / (1 + np.exp(-np.clip(logits, -600, 600)))
    return x[(x > 0) & (x < 1)]


def log_error(got, expected):
    """Give the relative error above 1e-300 and the error of the logarithm below."""
    pairs = [(mp.mpf(float(g)), mp.mpf(e)) for g, e in zip(got, expected, strict=True)]
    near = [float(abs(g - e)) for g, e in pairs if e >= -690]
    far = [float(abs(g - e)) for g, e in pairs if -3e4 <= e < -690]
    return max(near, default=0), max(far, default=0)


@pytest.mark.parametrize("prior", [0.5, 1.0])
@pytest.mark.parametrize("tp", COUNTS)
def test_tails_and_density_against_40_digits(tp, prior, exact):
    for fp in COUNTS:
        law = precision(tp, fp, prior=prior)
        x = points(law)
        exactly = [mp.mpf(float(value)) for value in x]
        tails = [exact.log_tails(law.a, law.b, u, 1 - u) for u in exactly]
        density = [
            exact.log_kernel(law.a, law.b, u, 1 - u) - mp.log(u * (1 - u))
            for u in exactly
        ]
        for got, expected in (
            (law.logcdf(x), [low for low, _ in tails]),
            (law.logsf(x), [high for _, high in tails]),
            (law.logpdf(x), density),
        ):
            near, far = log_error(got, expected)
            assert near < 2e-12
            assert far < 2e-11


def test_the_reference_agrees_with_two_others(exact):
    for a, b, u in [(3, 5, 0.1), (0.5, 40, 0.2), (200, 100, 0.9)]:
        lower = mp.betainc(a, b, 0, mp.mpf(u), regularized=True)
        assert mp.almosteq(
            mp.exp(exact.log_tails(a, b, mp.mpf(u), 1 - mp.mpf(u))[0]), lower, 1e-18
        )
    a, b, u = mp.mpf(10) ** 9, mp.mpf(10) ** 9, mp.mpf("0.4996")
    here = exact.log_kernel(a, b, u, 1 - u)

    def fall(s):
        return mp.exp(exact.log_kernel(a, b, u * mp.exp(-s), 1 - u) - here)

    lower = here + mp.log(mp.quad(fall, mp.linspace(0, 1e-4, 9)))
    assert mp.almosteq(exact.log_tails(a, b, u, 1 - u)[0], lower, 1e-18)


def test_counts_of_1e12(exact):
    law = accuracy(6e11, 4e11)
    x = points(law)
    tails = [exact.log_tails(law.a, law.b, mp.mpf(v), 1 - mp.mpf(v)) for v in x[3:]]
    assert log_error(law.logcdf(x[3:]), [low for low, _ in tails])[0] < 1e-10


@given(shapes, st.floats(-300, -0.01))
@settings(max_examples=60, deadline=None)
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
@settings(max_examples=30, deadline=None)
def test_quantiles_rise(law):
    q = np.linspace(0, 1, 33)
    values = law.ppf(q)
    assert values[0] == 0
    assert values[-1] == 1
    assert np.all(np.diff(values) >= 0)
    np.testing.assert_array_equal(law.isf(1 - q), values)


@given(shapes, st.floats(0.01, 0.99))
@settings(max_examples=40, deadline=None)
def test_the_density_is_the_slope_of_the_cdf(law, q):
    logit = np.log(law.ppf(q)) - np.log1p(-law.ppf(q))
    step = 1e-3 * law.centre()[1]
    if abs(logit) > 30:
        return
    low, high = 1 / (1 + np.exp(-(logit + step * np.array([-1, 1]))))
    slope = (law.cdf(high) - law.cdf(low)) / (high - low)
    assert law.pdf(law.ppf(q)) == pytest.approx(slope, rel=1e-4)


@given(shapes)
@settings(max_examples=40, deadline=None)
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


def test_the_density_at_the_ends():
    assert BetaLaw(1.0, 7.0).pdf(0) == pytest.approx(7)
    assert BetaLaw(7.0, 1.0).pdf(1) == pytest.approx(7)
    assert BetaLaw(0.5, 0.5).pdf([0, 1]).tolist() == [np.inf, np.inf]


@given(shapes, st.floats(0.05, 0.98))
@settings(max_examples=40, deadline=None)
def test_the_hdi_holds_its_mass_and_is_shortest(law, mass):
    low, high = law.hdi(mass)
    even = law.interval(mass)
    assert law.hdi(mass).kind == "hdi"
    assert even.kind == "equal-tailed"
    assert 0 <= low < high <= 1
    if high < 0.999:
        assert law.cdf(low) + law.sf(high) == pytest.approx(1 - mass, rel=1e-6)
    assert high - low <= even.width + 1e-15
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
