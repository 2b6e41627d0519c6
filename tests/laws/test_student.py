import mpmath as mp
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import integrate, stats
from tests.conftest import QUICK

from likelier.errors import SettingError
from likelier.laws.real_line import StudentLaw

laws = st.builds(
    StudentLaw,
    st.floats(-100, 100),
    st.floats(-3, 3).map(lambda x: 10**x),
    st.floats(1, 1e4),
)


@QUICK
@given(laws, st.floats(-30, 30))
def test_tails_and_density_against_scipy(law, away):
    other = stats.t(law.df, law.location, law.scale)
    x = law.location + away * law.scale
    assert law.share_below(x) == pytest.approx(other.cdf(x), rel=1e-9)
    assert law.share_above(x) == pytest.approx(other.sf(x), rel=1e-9)
    assert float(law.pdf(np.array(x))) == pytest.approx(other.pdf(x), rel=1e-8)


@QUICK
@given(laws, st.floats(0.01, 0.999))
def test_intervals_against_scipy(law, mass):
    other = stats.t(law.df, law.location, law.scale)
    expected = pytest.approx(other.interval(mass), rel=1e-7, abs=1e-7 * law.scale)
    hdi, equal = law.hdi(mass), law.interval(mass)
    assert tuple(hdi) == tuple(equal) == expected
    assert (hdi.kind, equal.kind, hdi.mass) == ("hdi", "equal-tailed", mass)
    inside = 1 - law.share_below(hdi.low) - law.share_above(hdi.high)
    assert inside == pytest.approx(mass, abs=1e-7)


@QUICK
@given(laws)
def test_intervals_are_nested(law):
    widths = [law.hdi(mass).width for mass in (0.1, 0.5, 0.9, 0.99, 0.9999)]
    assert np.all(np.diff(widths) > 0)


def test_moments():
    law = StudentLaw(0.3, 2.0, 5.0)
    assert law.mean() == 0.3
    assert law.std() == pytest.approx(stats.t(5, 0.3, 2).std())
    assert StudentLaw(0.0, 1.0, 2.0).std() == np.inf
    assert (law.mcse(), law.n_draws, law.n_independent) == (0, 0, 0)


def test_far_tails_keep_their_digits():
    law = StudentLaw(0.0, 1.0, 100.0)
    for x in (5.0, 50.0, 500.0, 5e3):
        u = mp.mpf(100) / (100 + mp.mpf(x) ** 2)
        exact = mp.betainc(50, mp.mpf(1) / 2, 0, u, regularized=True) / 2
        assert law.share_above(x) == pytest.approx(float(exact), rel=1e-9, abs=0)
        assert law.share_below(-x) == law.share_above(x)
    assert 0 < law.share_above(5e3) < 1e-190


def test_the_density_integrates_to_one_and_ends_hold_it():
    law = StudentLaw(-1.0, 0.5, 4.0)
    whole, _ = integrate.quad(lambda x: float(law.pdf(np.array(x))), -np.inf, np.inf)
    assert whole == pytest.approx(1)
    low, high = law.ends()
    assert law.share_below(low) + law.share_above(high) == pytest.approx(1e-4)


@pytest.mark.parametrize("mass", [0.0, 1.0, -0.1, float("nan")])
def test_bad_masses_are_refused(mass):
    law = StudentLaw(0.0, 1.0, 4.0)
    for method in (law.hdi, law.interval):
        with pytest.raises(SettingError, match="mass"):
            method(mass)
