import mpmath as mp
import numpy as np
import pytest

from likelier.errors import SettingError
from likelier.laws import BetaLaw, F1Law, FbetaLaw, fbeta, recall

LAWS = [
    FbetaLaw(1, 1, 1, 2),
    FbetaLaw(0.5, 0.5, 0.5, 0.5),
    FbetaLaw(81, 21, 11, 2),
    FbetaLaw(1e3, 1, 1, 0.5),
    FbetaLaw(1, 1e9, 1, 2),
    FbetaLaw(1e9 + 1, 1e9 + 1, 1e9 + 1, 2),
    FbetaLaw(1e9, 1e3, 1e6, 0.5),
    FbetaLaw(1e6, 2, 50, 10),
    FbetaLaw(1e5, 2e5, 3e5, 2),
]


@pytest.mark.parametrize("law", LAWS, ids=str)
def test_tails_and_density_against_40_digits(law, exact):
    middle, spread = law.centre()
    # The reference is slow near the mean of a law with many counts.
    for z in (-30, 33) if law.tp > 1e8 else (-0.5, 2, -30, 33):
        logit = middle + z * spread
        f = min(float(1 / (1 + np.exp(-logit))), 1 - 1e-16)
        got = law.logcdf(f), law.logsf(f), law.logpdf(f)
        expected = exact.fbeta(law.tp, law.fp, law.fn, law.beta, f)
        for ours, theirs in zip(got, expected, strict=True):
            bound = 1e-11 if theirs > -690 else 1e-9
            if theirs > -3e4:
                assert abs(mp.mpf(ours) - theirs) < bound


def test_a_narrow_tail_inside_a_wide_split(exact):
    law = FbetaLaw(1e6, 1e6, 2, 100)
    f = float(law.ppf(0.3))
    expected = exact.fbeta(law.tp, law.fp, law.fn, law.beta, f, nodes=700)
    assert law.logcdf(f) == pytest.approx(float(expected[0]), abs=1e-11)


@pytest.mark.parametrize(
    "counts", [(1, 1, 1), (81, 21, 11), (1e6, 3, 1e4), (1, 1e9, 1)]
)
def test_beta_1_and_0_are_known_laws(counts):
    tp, fp, fn = counts
    for law, known in (
        (FbetaLaw(tp, fp, fn, 1), F1Law(tp, fp + fn)),
        (FbetaLaw(tp, fp, fn, 0), BetaLaw(tp, fp)),
    ):
        q = np.array([1e-200, 1e-9, 0.3, 0.8])
        x = np.append(known.ppf(q), known.isf(1e-20))
        np.testing.assert_allclose(law.logcdf(x), known.logcdf(x), rtol=1e-11)
        np.testing.assert_allclose(law.logsf(x), known.logsf(x), rtol=1e-11)
        np.testing.assert_allclose(
            law.logpdf(x), known.logpdf(x), rtol=1e-11, atol=1e-11
        )
        assert law.mean() == pytest.approx(known.mean(), rel=1e-13)
        assert law.var() == pytest.approx(known.var(), rel=1e-11)


def test_the_constructor_chooses_the_known_laws():
    assert fbeta(8, 2, 1, beta=1) == F1Law(9, 5)
    assert fbeta(8, 2, 1, beta=0) == BetaLaw(9, 3)
    assert fbeta(8, 2, 1, beta=1e200) == recall(8, 1)
    assert fbeta(8, 2, 1, beta=2, prior=0.5) == FbetaLaw(8.5, 2.5, 1.5, 2)
    far = fbeta(8, 2, 1, beta=1e60)
    assert far.cdf(0.7) == pytest.approx(recall(8, 1).cdf(0.7), rel=1e-12)


def test_moments_against_a_double_integral():
    law = FbetaLaw(4, 3, 2, 2)
    with mp.workdps(20):

        def value(u, v):
            top = 5 * u
            weight = u**3 * (1 - u) ** 4 * v * (1 - v) ** 2
            return top / (top + (1 - u) * (1 + 3 * v)), weight / mp.beta(
                4, 5
            ) / mp.beta(2, 3)

        def moment(power):
            return mp.quad(
                lambda u, v: value(u, v)[0] ** power * value(u, v)[1], [0, 1], [0, 1]
            )

        mean, square = moment(1), moment(2)
    assert law.mean() == pytest.approx(float(mean), rel=1e-13)
    assert law.var() == pytest.approx(float(square - mean**2), rel=1e-12)


def test_draws_follow_the_law():
    law, n = FbetaLaw(20, 5, 10, 2), 4_000
    draws = law.rvs(n, np.random.default_rng(2))
    assert abs(draws.mean() - law.mean()) < 5 * law.std() / n**0.5
    assert draws.var() == pytest.approx(law.var(), rel=0.15)
    ranks = law.cdf(np.sort(draws))
    assert np.abs(ranks - (np.arange(n) + 0.5) / n).max() < 1.95 / n**0.5


@pytest.mark.parametrize("q", [1e-300, 1e-9, 0.5, 0.99])
@pytest.mark.parametrize("law", [LAWS[0], LAWS[2], LAWS[5]], ids=str)
def test_quantiles_return(law, q):
    x = law.ppf(q)
    grain = 2e-16 * 40 * max(law.ends()) ** 0.5
    assert law.logcdf(x) == pytest.approx(np.log(q), abs=1e-9 + grain)


@pytest.mark.parametrize("law", [LAWS[2], LAWS[5], LAWS[7]], ids=str)
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


@pytest.mark.parametrize("bad", [-1, np.nan, np.inf])
def test_bad_beta(bad):
    with pytest.raises(
        SettingError, match="beta must be a finite number of at least 0"
    ):
        fbeta(1, 1, 1, beta=bad)
    with pytest.raises(SettingError, match="beta must be between 0 and 1e\\+100; got"):
        FbetaLaw(1, 1, 1, bad)
