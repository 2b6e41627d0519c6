import numpy as np
import pytest
from scipy import stats

from likelier.errors import SettingError
from likelier.laws.real_line import TabulatedLaw

DISTRIBUTIONS = {
    "normal": stats.norm(0.3, 2.0),
    "student": stats.t(4, -1, 0.5),
    "skewed": stats.gamma(3.0, scale=0.1),
    "exponential": stats.expon(scale=2.0),
}


def tabulated(other, n=161):
    tail = np.geomspace(1e-8, 0.02, 30)
    middle = np.linspace(0.02, 0.98, n)[1:-1]
    points = other.ppf(np.concatenate([tail, middle, 1 - tail[::-1]]))
    return TabulatedLaw(
        points, other.cdf(points), other.sf(points), other.mean(), other.std()
    )


@pytest.fixture(params=DISTRIBUTIONS)
def both(request):
    return tabulated(DISTRIBUTIONS[request.param]), DISTRIBUTIONS[request.param]


def test_tails_against_scipy(both):
    law, other = both
    for x in other.ppf([1e-5, 0.01, 0.2, 0.5, 0.77, 0.99, 1 - 1e-5]):
        assert law.share_below(x) == pytest.approx(other.cdf(x), abs=2e-5)
        assert law.share_above(x) == pytest.approx(other.sf(x), abs=2e-5)
        assert law.share_below(x) + law.share_above(x) == pytest.approx(1, abs=2e-5)


def test_small_tails_are_their_own(both):
    law, other = both
    x = other.ppf(1 - 1e-6)
    assert law.share_above(x) == pytest.approx(1e-6, rel=0.05)


def test_beyond_the_table_nothing_is_left(both):
    law, _ = both
    low, high = law.ends()
    assert law.share_below(low - 1e3) <= 1e-7
    assert law.share_above(high + 1e3) <= 1e-7
    assert law.pdf(np.array([low - 1, high + 1])).tolist() == [0, 0]


def test_density_against_scipy(both):
    law, other = both
    x = other.ppf(np.array([0.05, 0.3, 0.5, 0.9]))
    assert law.pdf(x) == pytest.approx(other.pdf(x), rel=0.02)


def test_quantiles_and_intervals_against_scipy(both):
    law, other = both
    shares = np.array([0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99])
    width = other.ppf(0.95) - other.ppf(0.05)
    assert law.quantile(shares) == pytest.approx(other.ppf(shares), abs=1e-3 * width)
    assert law.median() == pytest.approx(other.median(), abs=1e-3 * width)
    interval = law.interval(0.9)
    expected = other.interval(0.9)
    assert tuple(interval) == pytest.approx(expected, abs=1e-3 * width)
    assert (interval.kind, interval.mass) == ("equal-tailed", 0.9)


@pytest.mark.parametrize("mass", [0.5, 0.9, 0.95])
def test_hdi_is_the_shortest(both, mass):
    law, other = both
    hdi = law.hdi(mass)
    starts = np.linspace(0, 1 - mass, 20_001)[:-1]
    shortest = (other.ppf(starts + mass) - other.ppf(starts)).min()
    assert hdi.width == pytest.approx(shortest, rel=5e-3)
    inside = other.cdf(hdi.high) - other.cdf(hdi.low)
    assert inside == pytest.approx(mass, abs=1e-3)
    assert hdi.kind == "hdi"
    assert hdi.width <= law.interval(mass).width * (1 + 1e-4)


def test_intervals_are_nested(both):
    law, _ = both
    ends = [law.hdi(mass) for mass in (0.3, 0.5, 0.8, 0.9, 0.95)]
    widths = [interval.width for interval in ends]
    assert np.all(np.diff(widths) > 0)


def test_moments_are_those_of_the_maker(both):
    law, other = both
    assert (law.mean(), law.std()) == (other.mean(), other.std())
    assert (law.mcse(), law.n_draws, law.n_independent) == (0, 0, 0)


def test_flat_stretches_of_a_table_do_no_harm():
    points = np.array([0.0, 1.0, 2.0, 3.0, 4.0])
    below = np.array([0.0, 0.5, 0.5, 0.5, 1.0])
    law = TabulatedLaw(points, below, 1 - below, 2.0, 1.0)
    assert law.share_below(2.0) == law.share_above(2.0) == 0.5
    assert np.isfinite([*law.hdi(0.9)]).all()
    assert 0 <= law.median() <= 4


@pytest.mark.parametrize("mass", [0.0, 1.0, 2.0])
def test_bad_masses_are_refused(mass):
    law = tabulated(DISTRIBUTIONS["normal"])
    for method in (law.hdi, law.interval):
        with pytest.raises(SettingError, match="mass"):
            method(mass)


def test_tails_that_waver_by_rounding_do_no_harm():
    points = np.arange(6.0)
    below = np.array([0.0, 3e-7, 2e-7, 2.5e-7, 0.6, 1.0])
    law = TabulatedLaw(points, below, 1 - below, 3.0, 1.0)
    assert np.isfinite([*law.hdi(0.9), *law.interval(0.9)]).all()
    shares = [law.share_below(x) for x in np.linspace(0, 5, 101)]
    assert np.all(np.diff(shares) >= -1e-6)
