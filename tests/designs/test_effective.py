"""The share of the counts, against quadrature in 40 digits."""

from itertools import product

import mpmath as mp
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.conftest import QUICK

from likelier.designs import effective_share
from likelier.errors import SettingError

WIDTHS = [0.0, 1e-14, 1e-9, 1e-5, 0.01, 0.25, 0.5]


def mean_by_quadrature(m, rho1, rho2):
    """Integrate over rho1 exactly, over rho2 numerically; widths may be 0."""
    with mp.workdps(40):
        (a, b), (c, d) = (tuple(map(mp.mpf, rho)) for rho in (rho1, rho2))
        k = 2 * (mp.mpf(m) - 1)

        def inner(y):
            t = 1 + k * y
            return mp.log1p((b - a) / (t + a)) / (b - a) if b > a else 1 / (t + a)

        return mp.quad(inner, [c, d]) / (d - c) if d > c else inner(c)


def test_three_repetitions_give_the_printed_share():
    assert effective_share(3) == pytest.approx(0.36880211, abs=5e-9)
    corners = [(2.0, 1), (2.5, -1), (3.0, -1), (3.5, 1)]
    exact = 8 * sum(s * mp.mpf(t) * mp.log(t) for t, s in corners) / 4
    assert effective_share(3) == pytest.approx(float(exact), rel=1e-15)


@pytest.mark.parametrize("m", [1, 2, 3, 4, 10, 1000])
def test_equal_to_quadrature(m):
    for width1, width2 in product(WIDTHS, repeat=2):
        rho1, rho2 = (0.1, 0.1 + width1), (0.25, 0.25 + width2)
        expected = float(mean_by_quadrature(m, rho1, rho2))
        share = effective_share(m, rho1=rho1, rho2=rho2)
        assert share == pytest.approx(expected, rel=1e-14), (width1, width2)


@QUICK
@given(st.integers(1, 50), *[st.floats(0, 1)] * 4)
def test_equal_to_quadrature_anywhere(m, a, b, c, d):
    rho1, rho2 = tuple(sorted((a, b))), tuple(sorted((c, d)))
    expected = float(mean_by_quadrature(m, rho1, rho2))
    assert effective_share(m, rho1=rho1, rho2=rho2) == pytest.approx(
        expected, rel=1e-14
    )


@pytest.mark.parametrize("m", [1, 2, 3, 7])
def test_correlation_one_is_the_mean_over_folds(m):
    assert effective_share(m, rho1=1, rho2=1) == pytest.approx(1 / (2 * m), rel=1e-15)
    assert effective_share(m, rho1=0, rho2=0) == 1


def test_one_repetition_has_no_other_to_correlate_with():
    assert effective_share(1, rho2=0) == effective_share(1, rho2=(0.1, 1))
    assert effective_share(1) == pytest.approx(float(2 * mp.log(1.5)), rel=1e-15)


@pytest.mark.parametrize(
    "rho", [-0.1, 1.1, (0.5, 0.2), (0.1,), float("nan"), (0, float("inf")), "x", None]
)
@pytest.mark.parametrize("name", ["rho1", "rho2"])
def test_refuses_what_is_no_range(rho, name):
    with pytest.raises(SettingError, match=f"{name} must be"):
        effective_share(3, **{name: rho})


@pytest.mark.parametrize("m", [0, -1, 2.5, True, "3", None])
def test_refuses_what_is_no_number_of_repetitions(m):
    with pytest.raises(SettingError, match="m must be a whole number"):
        effective_share(m)
