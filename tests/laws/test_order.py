import itertools
import math

import mpmath as mp
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from likelier.errors import SettingError
from likelier.laws import (
    BetaLaw,
    F1Law,
    FbetaLaw,
    log_probability_greater,
    log_probability_not_greater,
    precision,
    probability_greater,
    probability_not_greater,
)

PAIRS = [
    ((81, 21), (60, 40)),
    ((0.5, 0.5), (0.5, 1.5)),
    ((1, 1e3), (50, 50)),
    ((1e9, 1e9), (1.0005e9, 1e9)),
    ((1, 1e9), (3, 1e9)),
    ((1e9, 1), (1e6, 1)),
    ((30, 1e9), (200, 1e9)),
    ((1e6 + 1, 1e3 + 1), (1e6 + 1, 1.9e3)),
]
# 29 to 140 standard deviations apart, at 1e9 items each.
FAR_PAIRS = [((1e9, 1e9), (1e9 + d, 1e9 - d)) for d in (9.2e5, 4.4e6)]

laws = st.builds(
    lambda kind, a, b: kind(10**a, 10**b),
    st.sampled_from([BetaLaw, F1Law]),
    st.floats(-0.3, 9),
    st.floats(-0.3, 9),
)
margins = st.one_of(st.just(0.0), st.floats(-0.9, 0.9))


@pytest.mark.parametrize("margin", [0, 0.01, -0.2])
@pytest.mark.parametrize(("first", "second"), PAIRS)
@pytest.mark.parametrize(("kind", "scale"), [(BetaLaw, 1), (F1Law, 2)])
def test_against_40_digits(first, second, kind, scale, margin, exact):
    ours = log_probability_greater(kind(*first), kind(*second), margin=margin)
    if ours > -3e4:
        expected = exact.greater(first, second, margin, scale)
        assert abs(mp.mpf(ours) - expected) < (1e-11 if ours > -690 else 1e-9)


@pytest.mark.parametrize(("first", "second"), FAR_PAIRS)
def test_far_apart(first, second, exact):
    ours = log_probability_greater(BetaLaw(*first), BetaLaw(*second))
    assert ours < -400
    assert abs(mp.mpf(ours) - exact.greater(first, second, 0)) < 1e-10


@pytest.mark.parametrize(("a", "b", "c", "d"), [(3, 5, 4, 2), (40, 10, 30, 12)])
def test_against_the_finite_sum(a, b, c, d):
    total = sum(
        mp.beta(c + i, b + d) / ((b + i) * mp.beta(1 + i, b) * mp.beta(c, d))
        for i in range(a)
    )
    greater = probability_greater(BetaLaw(a, b), BetaLaw(c, d))
    assert greater == pytest.approx(float(total), rel=1e-13)


def test_a_sharp_law_against_a_wide_one():
    greater = probability_greater(BetaLaw(1e12, 1e12), BetaLaw(3, 4))
    assert greater == pytest.approx(BetaLaw(3, 4).cdf(0.5), rel=1e-9)


@given(laws, laws, margins)
@settings(max_examples=60, deadline=None)
def test_both_directions_add_to_one(first, second, margin):
    total = probability_greater(first, second, margin=margin)
    total += probability_not_greater(first, second, margin=margin)
    assert total == pytest.approx(1, abs=1e-11)


@given(laws, laws, margins)
@settings(max_examples=40, deadline=None)
def test_exchange_mirrors_to_the_last_digit(first, second, margin):
    here = log_probability_greater(first, second, margin=margin)
    there = log_probability_not_greater(second, first, margin=-margin)
    assert here == there


@given(laws)
@settings(max_examples=20, deadline=None)
def test_a_law_against_itself(law):
    assert probability_greater(law, law) == 0.5
    assert probability_not_greater(law, law) == 0.5


@given(laws, laws)
@settings(max_examples=20, deadline=None)
def test_it_falls_with_the_margin(first, second):
    margins = (-1.5, -1, -0.6, -0.01, 0, 1e-9, 0.2, 0.9, 1)
    chances = [log_probability_greater(first, second, margin=r) for r in margins]
    assert all(b <= a + 1e-10 * max(1, abs(a)) for a, b in itertools.pairwise(chances))
    assert chances[:2] == [0, 0]
    assert chances[-1] == -math.inf


def test_fbeta_laws():
    first, second = FbetaLaw(81, 21, 11, 2), FbetaLaw(75, 20, 19, 2)
    greater = probability_greater(first, second, margin=0.01)
    total = greater + probability_not_greater(first, second, margin=0.01)
    assert total == pytest.approx(1, abs=1e-12)
    rng, n = np.random.default_rng(3), 100_000
    share = np.mean(first.rvs(n, rng) > second.rvs(n, rng) + 0.01)
    assert abs(share - greater) < 5 * (greater * (1 - greater) / n) ** 0.5


def test_different_kinds_of_law():
    same = probability_greater(FbetaLaw(8, 3, 2, 1), precision(5, 5))
    assert same == pytest.approx(
        probability_greater(F1Law(8, 5), precision(5, 5)), rel=1e-11
    )


@pytest.mark.parametrize("margin", [np.nan, np.inf])
def test_bad_margin(margin):
    with pytest.raises(SettingError, match="margin must be a finite number; got"):
        probability_greater(BetaLaw(1, 1), BetaLaw(2, 1), margin=margin)
