import itertools
import math

import mpmath as mp
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.conftest import QUICK
from tests.laws.oracles import LEAST, largest_errors, stored

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

laws = st.builds(
    lambda kind, a, b: kind(10**a, 10**b),
    st.sampled_from([BetaLaw, F1Law]),
    st.floats(-0.3, 9),
    st.floats(-0.3, 9),
)
margins = st.one_of(st.just(0.0), st.floats(-0.9, 0.9))


def log_greater(case):
    kind = BetaLaw if case["scale"] == 1 else F1Law
    first, second = (kind(*counts) for counts in case["pair"])
    return log_probability_greater(first, second, margin=case["margin"])


def test_against_40_digits():
    for case in stored("greater"):
        actual = log_greater(case)
        assert (actual > LEAST) == (case["log"] is not None), case
        near, far = largest_errors([actual], [case["log"]])
        assert near < 1e-11, case
        assert far < 1e-9, case


def test_far_apart():
    for case in stored("greater, far apart"):
        actual = log_greater(case)
        assert actual < -400
        assert max(largest_errors([actual], [case["log"]])) < 1e-10


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
@settings(QUICK, max_examples=60)
def test_both_directions_add_to_one_and_exchange_mirrors(first, second, margin):
    log = log_probability_greater(first, second, margin=margin)
    total = probability_greater(first, second, margin=margin)
    assert total == math.exp(log)
    assert log == log_probability_not_greater(second, first, margin=-margin)
    total += probability_not_greater(first, second, margin=margin)
    assert total == pytest.approx(1, abs=1e-11)


@given(laws)
@settings(QUICK, max_examples=20)
def test_a_law_against_itself(law):
    assert probability_greater(law, law) == 0.5
    assert probability_not_greater(law, law) == 0.5


@given(laws, laws)
@settings(QUICK, max_examples=20)
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
