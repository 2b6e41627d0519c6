"""Intervals and shares of draws against exact references."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import optimize, stats
from tests.conftest import QUICK, bad_masses

from likelier import LikelierError
from likelier.distribution import Draws, Null, Sampling
from likelier.interval import Interval, checked_mass

MASSES = [0.5, 0.8, 0.95, 0.99]


def exact_hdi(law, mass):
    """The shortest interval of a unimodal law, by search over its lower tail."""
    shortest = optimize.minimize_scalar(
        lambda tail: law.ppf(tail + mass) - law.ppf(tail),
        bounds=(0, 1 - mass),
        method="bounded",
        options={"xatol": 1e-10},
    )
    return law.ppf(shortest.x), law.ppf(shortest.x + mass)


def drawn(law, n=50_000, seed=0):
    return Draws(law.rvs(size=n, random_state=np.random.default_rng(seed)))


LAWS = {
    "beta": stats.beta(80, 20),
    "skewed": stats.beta(3, 30),
    "wide": stats.beta(2, 2),
    "gamma": stats.gamma(2.5),
    "normal": stats.norm(),
}


@pytest.mark.parametrize("law", LAWS.values(), ids=LAWS.keys())
@pytest.mark.parametrize("mass", [0.5, 0.95])
@pytest.mark.parametrize("seed", [0, 1])
def test_the_hdi_is_the_exact_one(law, mass, seed):
    low, high = drawn(law, seed=seed).hdi(mass)
    expected_low, expected_high = exact_hdi(law, mass)
    near = 0.12 if mass == 0.5 else 0.08

    assert low == pytest.approx(expected_low, abs=near * law.std())
    assert high == pytest.approx(expected_high, abs=near * law.std())


@pytest.mark.parametrize("law", LAWS.values(), ids=LAWS.keys())
def test_hdis_are_nested_hold_the_mode_and_lie_in_the_support(law):
    draws = drawn(law)
    mode = optimize.minimize_scalar(
        lambda x: -law.pdf(x), bounds=law.interval(0.9999), method="bounded"
    ).x
    intervals = [draws.hdi(mass) for mass in MASSES]

    for inner, outer in itertools.pairwise(intervals):
        assert outer.low <= inner.low <= inner.high <= outer.high
    for interval in intervals:
        assert draws.values.min() <= interval.low <= mode <= interval.high
        assert interval.high <= draws.values.max()


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize(
    "law", [stats.expon(), stats.beta(0.7, 4), stats.beta(1, 9)], ids=["exp", "u", "b"]
)
def test_a_density_that_only_falls_has_its_hdi_at_the_least_draw(law, seed):
    draws = drawn(law, n=20_000, seed=seed)
    low, high = draws.hdi(0.95)

    assert low == pytest.approx(draws.values.min(), abs=0.002 * law.std())
    assert high == pytest.approx(law.ppf(0.95), rel=0.05)


def nearly_shortest(values, mass):
    """The least width over windows of the mass, and what decision 5 allows beyond."""
    n, ordered = len(values), np.sort(values)
    gaps = min(n - 1, int(np.ceil(mass * (n + 1) - 1e-9)))
    least = (ordered[gaps:] - ordered[: n - gaps]).min()
    return (1 + 0.75 / n ** (1 / 3)) * least + 1e-12


@QUICK
@given(
    values=st.lists(
        st.floats(-1e6, 1e6) | st.sampled_from([0.0, 0.5, 1.0]), min_size=1, max_size=80
    ),
    mass=st.sampled_from(MASSES),
)
def test_the_hdi_holds_its_mass_and_is_shortest(values, mass):
    draws = Draws(np.array(values))
    low, high = draws.hdi(mass)
    inside = np.mean((draws.values >= low) & (draws.values <= high))

    assert low in values
    assert high in values
    assert inside >= mass - 1e-12
    assert high - low <= nearly_shortest(values, mass)


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("mass", [0.3, 0.5, 0.95])
def test_the_hdi_of_odd_shapes_is_shortest(seed, mass):
    rng = np.random.default_rng(seed)
    shapes = {
        "two modes": np.concatenate([rng.normal(0, 1, 900), rng.normal(9, 1, 1000)]),
        "three modes": np.concatenate([rng.normal(m, 0.1, 400) for m in (0, 1, 2)]),
        "lattice": rng.binomial(30, 0.3, 2000) / 30,
        "steps": rng.integers(0, 7, 500).astype(float),
        "edges": rng.beta(0.3, 0.3, 2000),
        "flat": rng.random(3000),
    }
    for name, values in shapes.items():
        low, high = Draws(values).hdi(mass)
        assert high - low <= nearly_shortest(values, mass), name


@pytest.mark.parametrize("value", [0.0, 0.25, -3.0])
@pytest.mark.parametrize("n", [1, 2, 30, 1000])
def test_constant_draws_have_an_interval_of_one_point(value, n):
    draws = Draws(np.full(n, value))

    assert tuple(draws.hdi(0.95)) == (value, value)
    assert tuple(draws.interval(0.95)) == (value, value)
    assert (draws.mean(), draws.std(), draws.mcse()) == (value, 0, 0)


def test_many_equal_draws_have_no_spread_at_all():
    draws = Draws(np.full(1_000_000, 5.4))

    assert draws.std() == 0
    assert draws.mean() == pytest.approx(5.4, rel=1e-12)


def test_half_of_mirrored_draws_are_independent():
    values = np.array([1.0, 2.0, 4.0, -1.0, -2.0, -4.0])
    mirrored, plain = Draws(values, mirrored=True), Draws(values)

    assert (mirrored.n_draws, mirrored.n_independent) == (6, 3)
    assert (plain.n_draws, plain.n_independent) == (6, 6)


def test_two_draws():
    draws = Draws(np.array([2.0, 1.0]))

    assert tuple(draws.hdi(0.95)) == (1, 2)
    assert tuple(draws.hdi(0.5)) == (1, 2)  # from one to the other lies a third
    assert draws.hdi(0.1).width == 1
    assert tuple(draws.interval(0.5)) == (1.25, 1.75)


def test_the_function_that_makes_an_interval_makes_its_label():
    draws = drawn(stats.expon(), n=5000)
    hdi, equal = draws.hdi(0.9), draws.interval(0.9)

    assert (hdi.kind, hdi.mass) == ("hdi", 0.9)
    assert (equal.kind, equal.mass) == ("equal-tailed", 0.9)
    assert Sampling(draws).confidence(0.9).kind == "confidence"
    # In a skewed density the two are far apart: a wrong label would show.
    assert hdi.low < 0.01 < 0.04 < equal.low
    assert hdi.high < 2.5 < 2.8 < equal.high
    assert hdi.width < equal.width
    assert hdi.to_dict() == {
        "kind": "hdi",
        "mass": 0.9,
        "low": hdi.low,
        "high": hdi.high,
    }


def test_shares_are_strict():
    draws = Draws(np.array([0.0, 1.0, 1.0, 2.0]))

    assert (draws.share_below(1), draws.share_above(1)) == (0.25, 0.25)
    assert (draws.share_below(-1), draws.share_above(-1)) == (0, 1)
    assert (draws.share_below(9), draws.share_above(9)) == (1, 0)


def test_moments_of_draws():
    draws = Draws(np.array([1.0, 2.0, 3.0, 6.0]))

    assert draws.mean() == 3
    assert draws.std() == pytest.approx(np.sqrt(3.5))
    assert draws.mcse() == pytest.approx(np.sqrt(3.5) / 2)
    assert len(draws) == 4
    assert draws.ordered.tolist() == [1, 2, 3, 6]


@pytest.mark.parametrize("values", [np.zeros(0), np.zeros((2, 2)), np.array(1.0)])
def test_draws_are_a_row_of_numbers(values):
    with pytest.raises(LikelierError, match="row of numbers"):
        Draws(values)


@QUICK
@given(mass=bad_masses())
def test_a_mass_lies_between_0_and_1(mass):
    with pytest.raises(LikelierError, match="mass must lie strictly between 0 and 1"):
        checked_mass(mass)
    with pytest.raises(LikelierError, match="mass must"):
        Draws(np.arange(3.0)).hdi(mass)
    with pytest.raises(LikelierError, match="mass must"):
        Draws(np.arange(3.0)).interval(mass)


def test_an_interval_has_a_width():
    interval = Interval(-0.1, 0.3, mass=0.9, kind="hdi")

    assert tuple(interval) == (-0.1, 0.3)
    assert interval.width == pytest.approx(0.4)


def test_a_null_is_exact_unless_it_says_otherwise():
    null = Null(0.5, 1.0, "z", "two-sided")

    assert null.mcse == 0
    assert null.details == {}
