import mpmath as mp
import numpy as np
import pytest
from tests.laws.oracles import largest_errors, stored

from likelier.laws import F1Law, f1


def test_tails_and_density_against_40_digits():
    for case in stored("f1"):
        law, x = F1Law(*case["law"]), np.array(case["x"])
        for actual, expected in (
            (law.logcdf(x), case["lower"]),
            (law.logsf(x), case["upper"]),
            (law.logpdf(x), case["density"]),
        ):
            near, far = largest_errors(actual, expected)
            assert near < 2e-12, law
            assert far < 1e-11, law


@pytest.mark.parametrize(
    ("a", "b"), [(0.5, 1), (1, 2), (81, 32), (1, 1e6), (1e6, 2), (1e9, 1e9), (1e9, 2)]
)
def test_moments_against_hypergeometric_functions(a, b):
    n = mp.mpf(a) + b
    with mp.workdps(60):
        first = 2 * a / n * mp.hyp2f1(1, a + 1, n + 1, -1)
        second = 4 * a * (a + 1) / (n * (n + 1)) * mp.hyp2f1(2, a + 2, n + 2, -1)
        variance = second - first**2
    law = F1Law(a, b)
    assert law.mean() == pytest.approx(float(first), rel=1e-13)
    assert law.var() == pytest.approx(float(variance), rel=1e-11)


@pytest.mark.parametrize(
    "law", [F1Law(81, 32), F1Law(1, 2), F1Law(1e9, 3), F1Law(4, 1)]
)
def test_the_mode_is_highest(law):
    mode = law.mode()
    others = law.ppf(np.linspace(0, 1, 201))
    assert np.all(law.logpdf(mode) >= law.logpdf(others) - 1e-12)
    assert law.hdi(0.5).low <= mode <= law.hdi(0.5).high


def test_the_mode_where_the_density_is_infinite():
    assert F1Law(0.5, 1).mode() == 0
    assert F1Law(2, 0.5).mode() == 1


@pytest.mark.parametrize("q", [1e-300, 1e-20, 0.1, 0.5, 0.9])
@pytest.mark.parametrize("law", [F1Law(81, 32), F1Law(1e9, 1e9), F1Law(1, 1e9)])
def test_quantiles_return(law, q):
    assert law.logcdf(law.ppf(q)) == pytest.approx(np.log(q), abs=1e-9)
    if law.isf(q) < 0.999:
        assert law.logsf(law.isf(q)) == pytest.approx(np.log(q), abs=1e-9)


def test_it_is_a_map_of_jaccard():
    rng = np.random.default_rng(1)
    law = f1(40, 10, 20)
    draws = law.rvs(20_000, rng)
    assert abs(draws.mean() - law.mean()) < 5 * law.std() / 20_000**0.5
    ranks = law.cdf(np.sort(draws))
    assert np.abs(ranks - (np.arange(20_000) + 0.5) / 20_000).max() < 1.95 / 20_000**0.5


def test_equal_density_at_the_ends_of_the_hdi():
    law = f1(80, 20, 10)
    low, high = law.hdi(0.95)
    assert law.pdf(low) == pytest.approx(law.pdf(high), rel=1e-9)
    assert law.cdf(low) + law.sf(high) == pytest.approx(0.05, rel=1e-12)
