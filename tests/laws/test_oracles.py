"""The stored oracles: one case of each kind is computed again."""

import mpmath as mp
import pytest
from tests.laws import oracles
from tests.laws.oracles import stored


@pytest.fixture(autouse=True)
def _digits():
    with mp.workdps(oracles.DIGITS):
        yield


def test_the_reference_agrees_with_two_others():
    for a, b, u in [(3, 5, 0.1), (0.5, 40, 0.2), (200, 100, 0.9)]:
        lower = mp.betainc(a, b, 0, mp.mpf(u), regularized=True)
        tail = oracles.log_tails(a, b, mp.mpf(u), 1 - mp.mpf(u))[0]
        assert mp.almosteq(mp.exp(tail), lower, 1e-18)
    a, b, u = mp.mpf(10) ** 9, mp.mpf(10) ** 9, mp.mpf("0.4996")
    here = oracles.log_kernel(a, b, u, 1 - u)

    def fall(s):
        return mp.exp(oracles.log_kernel(a, b, u * mp.exp(-s), 1 - u) - here)

    lower = here + mp.log(mp.quad(fall, mp.linspace(0, 1e-4, 9)))
    assert mp.almosteq(oracles.log_tails(a, b, u, 1 - u)[0], lower, 1e-18)


@pytest.mark.parametrize(
    ("kind", "law", "function"),
    [
        ("beta", [51.0, 1001.0], lambda x: oracles.law_at(51, 1001, 1, x)),
        ("f1", [6.0, 7.0], lambda x: oracles.law_at(6, 7, 2, x)),
        ("fbeta", [81, 21, 11, 2], lambda x: oracles.fbeta_at(81, 21, 11, 2, x)),
    ],
)
def test_one_law_of_each_kind_is_computed_again(kind, law, function):
    (case,) = (case for case in stored(kind) if case["law"] == law)
    for index in (1, 3):
        expected = [case[name][index] for name in oracles.NAMES]
        for actual, text in zip(function(case["x"][index]), expected, strict=True):
            assert mp.almosteq(actual, mp.mpf(text), 1e-18)


def test_one_order_is_computed_again():
    for kind in ("greater", "difference"):
        case = stored(kind)[0]
        actual = oracles.log_greater(*case["pair"], case["margin"], case["scale"])
        assert mp.almosteq(actual, mp.mpf(case["log"]), 1e-18)


def test_every_case_is_stored():
    assert len(stored("beta")) == len(oracles.PRIORS) * len(oracles.BETA_COUNTS) ** 2
    assert len(stored("f1")) == len(oracles.PRIORS) * len(oracles.F1_COUNTS) ** 2
    assert [tuple(case["law"]) for case in stored("fbeta")] == oracles.FBETA
    assert len(stored("greater")) == 6 * len(oracles.PAIRS)
    assert len(stored("difference")) == 6 * len(oracles.DIFFERENCES)
