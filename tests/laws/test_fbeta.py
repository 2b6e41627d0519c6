import numpy as np
import pytest
from tests.laws.oracles import largest_errors, stored

from likelier.errors import SettingError
from likelier.laws import BetaLaw, F1Law, FbetaLaw, fbeta, recall

SYMMETRIC, PLAIN = FbetaLaw(1, 1, 1, 2), FbetaLaw(81, 21, 11, 2)
MANY = FbetaLaw(1e9 + 1, 1e9 + 1, 1e9 + 1, 2)
RECALL = FbetaLaw(1e6, 2, 50, 10)


def test_tails_and_density_against_40_digits():
    for case in stored("fbeta"):
        law, x = FbetaLaw(*case["law"]), np.array(case["x"])
        for actual, expected in (
            (law.logcdf(x), case["lower"]),
            (law.logsf(x), case["upper"]),
            (law.logpdf(x), case["density"]),
        ):
            near, far = largest_errors(actual, expected)
            assert near < 1e-11, law
            assert far < 1e-9, law


def test_a_narrow_tail_inside_a_wide_split():
    (case,) = stored("fbeta of a narrow tail")
    law = FbetaLaw(*case["law"])
    assert law.ppf(0.3) == pytest.approx(case["x"], rel=1e-12)
    assert law.logcdf(case["x"]) == pytest.approx(float(case["lower"]), abs=1e-11)


@pytest.mark.parametrize(
    "counts", [(1, 1, 1), (81, 21, 11), (1e6, 3, 1e4), (1, 1e9, 1)]
)
def test_beta_1_and_0_are_the_laws_of_f1_and_precision(counts):
    tp, fp, fn = counts
    for law, other in (
        (FbetaLaw(tp, fp, fn, 1), F1Law(tp, fp + fn)),
        (FbetaLaw(tp, fp, fn, 0), BetaLaw(tp, fp)),
    ):
        q = np.array([1e-200, 1e-9, 0.3, 0.8])
        x = np.append(other.ppf(q), other.isf(1e-20))
        np.testing.assert_allclose(law.logcdf(x), other.logcdf(x), rtol=1e-11)
        np.testing.assert_allclose(law.logsf(x), other.logsf(x), rtol=1e-11)
        np.testing.assert_allclose(
            law.logpdf(x), other.logpdf(x), rtol=1e-11, atol=1e-11
        )
        assert law.mean() == pytest.approx(other.mean(), rel=1e-13)
        assert law.var() == pytest.approx(other.var(), rel=1e-11)


def test_the_constructor_chooses_the_simpler_laws():
    assert fbeta(8, 2, 1, beta=1) == F1Law(9, 5)
    assert fbeta(8, 2, 1, beta=0) == BetaLaw(9, 3)
    assert fbeta(8, 2, 1, beta=1e200) == recall(8, 1)
    assert fbeta(8, 2, 1, beta=2, prior=0.5) == FbetaLaw(8.5, 2.5, 1.5, 2)
    far = fbeta(8, 2, 1, beta=1e60)
    assert far.cdf(0.7) == pytest.approx(recall(8, 1).cdf(0.7), rel=1e-12)


def test_splits_far_from_their_mean():
    # With few errors most of the mass can lie where V is tiny beside its mean.
    law = fbeta(8, 2, 0, beta=1e60, prior=0.5)
    x = np.array([0.2, 0.7, 0.95, 0.999])
    np.testing.assert_allclose(law.cdf(x), recall(8, 0, prior=0.5).cdf(x), rtol=1e-12)


def test_moments_against_a_double_integral():
    (case,) = stored("fbeta moments")
    law = FbetaLaw(*case["law"])
    mean, variance = map(float, case["mean, variance"])
    assert law.mean() == pytest.approx(mean, rel=1e-13)
    assert law.var() == pytest.approx(variance, rel=1e-12)


def test_draws_follow_the_law():
    law, n = FbetaLaw(20, 5, 10, 2), 20_000
    draws = np.sort(law.rvs(n, np.random.default_rng(2)))
    assert abs(draws.mean() - law.mean()) < 5 * law.std() / n**0.5
    assert draws.var() == pytest.approx(law.var(), rel=0.15)
    grid = draws[::50]
    below = np.searchsorted(draws, grid, side="right") / n
    assert np.abs(law.cdf(grid) - below).max() < 1.95 / n**0.5


@pytest.mark.parametrize("q", [1e-300, 1e-9, 0.5, 0.99])
@pytest.mark.parametrize("law", [SYMMETRIC, PLAIN, MANY], ids=str)
def test_quantiles_return(law, q):
    x = law.ppf(q)
    grain = 2e-16 * 40 * max(law.ends()) ** 0.5
    assert law.logcdf(x) == pytest.approx(np.log(q), abs=1e-9 + grain)


@pytest.mark.parametrize("law", [PLAIN, MANY, RECALL], ids=str)
def test_the_hdi(law):
    low, high = law.hdi(0.9)
    assert law.cdf(low) + law.sf(high) == pytest.approx(0.1, rel=1e-8)
    assert law.logpdf(low) == pytest.approx(law.logpdf(high), abs=1e-6)
    assert low < law.mode() < high


def test_the_mode():
    assert FbetaLaw(1, 1, 1, 1).mode() == pytest.approx(0.5, abs=1e-7)
    assert FbetaLaw(81, 21, 11, 1).mode() == pytest.approx(
        F1Law(81, 32).mode(), abs=1e-8
    )
    assert FbetaLaw(0.5, 1, 1, 2).mode() == 0
    assert FbetaLaw(1, 40, 40, 2).mode() == 0


def test_ends_and_beyond():
    law = FbetaLaw(1, 1, 1, 2)
    np.testing.assert_array_equal(law.cdf([-1, 0, 1, 2, np.nan]), [0, 0, 1, 1, np.nan])
    np.testing.assert_array_equal(law.sf([-1, 0, 1, 2, np.nan]), [1, 1, 0, 0, np.nan])
    # 2 E[c(V)] / 5, c uniform from 1 to 4.
    assert law.pdf(0) == pytest.approx(1)
    # Errors of both kinds keep F below 1; without a weight, misses do not.
    assert FbetaLaw(3, 0.5, 0.75, 2).pdf(1) == 0
    assert FbetaLaw(3, 0.5, 0.75, 0).pdf(1) == np.inf


@pytest.mark.parametrize("bad", [-1, np.nan, np.inf])
def test_bad_beta(bad):
    with pytest.raises(SettingError, match="beta must be"):
        fbeta(1, 1, 1, beta=bad)
    with pytest.raises(SettingError, match="beta must be between 0 and 1e\\+100; got"):
        FbetaLaw(1, 1, 1, bad)
