import mpmath as mp
import numpy as np
import pytest
from scipy import stats

import likelier as lk
from likelier import Scores
from likelier.errors import NotDefinedError, SettingError
from likelier.methods.folds.correlated_t import CorrelatedT
from likelier.streams import Streams

GAPS = np.array([0.01, 0.03, -0.01, 0.02, 0.04, 0.0, 0.02, 0.01, 0.05, 0.03])


def posterior(gaps, *, base=0.8, **settings):
    first = np.full(len(gaps), base)
    return CorrelatedT().posterior(
        Scores.from_arrays(first, first + gaps, **settings), Streams.of(0), None
    )


def exact(df, t):
    """Give the lower tail of a Student law by mpmath, in 30 digits."""
    with mp.workdps(30):
        df, t = mp.mpf(df), mp.mpf(t)
        tail = mp.betainc(df / 2, mp.mpf(1) / 2, 0, df / (df + t * t), regularized=True)
        return tail / 2 if t < 0 else 1 - tail / 2


@pytest.mark.parametrize("runs", [1, 2, 5])
def test_against_scipy(runs):
    n, folds = len(GAPS), len(GAPS) // runs
    law = posterior(GAPS, runs=runs).difference
    scale = np.sqrt(GAPS.var(ddof=1) * (1 / n + 1 / (folds - 1)))
    other = stats.t(n - 1, GAPS.mean(), scale)
    for x in (-0.05, -0.01, 0.0, 0.01, 0.03):
        assert law.share_below(x) == pytest.approx(other.cdf(x), rel=1e-10)
        assert law.share_above(x) == pytest.approx(other.sf(x), rel=1e-10)
    low, high = law.hdi(0.95)
    assert (low, high) == pytest.approx(other.interval(0.95), rel=1e-10)


@pytest.mark.parametrize("n", [2, 3, 10, 100, 1000])
@pytest.mark.parametrize("x", [0.0, 0.01, -0.1])
def test_probabilities_against_mpmath(n, x):
    gaps = np.random.default_rng(n).normal(0.02, 0.02, n)
    law = posterior(gaps).difference
    t = (mp.mpf(x) - mp.mpf(law.location)) / mp.mpf(law.scale)
    for share, tail in ((law.share_below(x), t), (law.share_above(x), -t)):
        assert share == pytest.approx(float(exact(n - 1, tail)), rel=1e-10, abs=1e-300)


@pytest.mark.parametrize("far", [30.0, 300.0, 3000.0])
def test_far_tails_are_computed_for_themselves(far):
    """Down to 1e-100 and below, where 1 - cdf has no digit left."""
    gaps = np.random.default_rng(0).normal(0.0, 0.02, 60) + far * 0.02
    law = posterior(gaps).difference
    expected = exact(59, -mp.mpf(law.location) / mp.mpf(law.scale))
    assert law.share_below(0.0) == pytest.approx(float(expected), rel=1e-9)
    assert law.share_below(0.0) < 1e-25
    mirrored = posterior(-gaps).difference
    assert mirrored.share_above(0.0) == pytest.approx(law.share_below(0.0), rel=1e-9)
    if far == 3000:
        assert law.share_below(0.0) < 1e-100


def test_probabilities_of_a_comparison():
    table = Scores.from_arrays(np.full(10, 0.8), 0.8 + GAPS)
    law = posterior(GAPS).difference
    parts = lk.compare_folds(table, rope=0.01).probability
    assert parts.worse == pytest.approx(law.share_below(-0.01))
    assert parts.better == pytest.approx(law.share_above(0.01))
    assert parts.worse + parts.equivalent + parts.better == pytest.approx(1)
    without = lk.compare_folds(table).probability
    assert without.better == pytest.approx(law.share_above(0.0))
    assert not without.equivalent


def test_each_system_has_a_posterior_too():
    rng = np.random.default_rng(1)
    first, second = rng.normal(0.8, 0.01, (2, 10))
    answer = CorrelatedT().posterior(
        Scores.from_arrays(first, second), Streams.of(0), None
    )
    for law, values in zip(answer.systems, (first, second), strict=True):
        assert law.mean() == pytest.approx(values.mean())
        scale = values.std(ddof=1) * np.sqrt(1 / 10 + 1 / 9)
        assert law.scale == pytest.approx(scale)


def test_the_share_tested_sets_the_correlation():
    law = posterior(GAPS, test_share=0.2).difference
    scale = GAPS.std(ddof=1) * np.sqrt(1 / 10 + 0.2 / 0.8)
    assert law.scale == pytest.approx(scale)


def test_swapped_systems_and_other_units():
    law, mirrored = (posterior(g).difference for g in (GAPS, -GAPS))
    assert law.share_below(0.01) == pytest.approx(mirrored.share_above(-0.01), rel=1e-9)
    large = posterior(1000 * GAPS, base=800.0).difference
    assert large.share_below(10.0) == pytest.approx(law.share_below(0.01), rel=1e-9)


def test_folds_that_never_vary_are_known_to_the_resolution():
    law = posterior(np.full(10, 0.1)).difference
    assert law.mean() == pytest.approx(0.1)
    assert 0 < law.scale < 0.1
    assert law.share_above(0.0) > 0.95


def test_identical_systems_are_even():
    law = posterior(np.zeros(10)).difference
    assert law.share_below(0.0) == law.share_above(0.0) == 0.5


def test_one_fold_and_many_data_sets_are_refused():
    with pytest.raises(NotDefinedError, match="at least 2 folds"):
        posterior(np.array([0.1]), test_share=0.1)
    table = Scores.from_arrays([[0.8, 0.9]] * 2, [[0.8, 0.7]] * 2)
    with pytest.raises(SettingError, match="one data set"):
        lk.compare_folds(table, method="correlated-t")
