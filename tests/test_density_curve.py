"""Density curves: their area is the mass, and nothing is invented."""

from functools import cache
from itertools import pairwise

import numpy as np
import pytest

import likelier as lk
from likelier.density_curve import DensityCurve, window
from likelier.distribution import Draws
from likelier.interval import Rope
from likelier.laws import BetaLaw
from likelier.laws.real_line import StudentLaw

RNG = np.random.default_rng(0)
DRAWS = {
    "normal": RNG.normal(0.01, 0.02, 50_000),
    "few": RNG.normal(0.0, 1.0, 4_000),
    "skewed to an end": 0.3 - RNG.gamma(1.2, 0.05, 20_000),
    "exponential": RNG.exponential(1.0, 10_000),
    "far apart": np.concatenate([RNG.normal(at, 0.01, 5_000) for at in (0, 1)]),
    "heavy tails": RNG.standard_t(1, 20_000),
    "tiny": RNG.normal(1e-7, 1e-9, 5_000),
    "far from 0": RNG.normal(1e6, 1.0, 5_000),
    "an atom at 0": np.concatenate([np.zeros(3_000), RNG.normal(0.1, 0.1, 7_000)]),
    "next to one atom": np.concatenate([np.zeros(9_900), RNG.normal(0, 1, 100)]),
    "coarse grid": RNG.binomial(100, 0.9, 10_000) / 100 - 0.3,
    "fine grid": RNG.binomial(20_000, 0.5, 10_000) / 20_000,
    "constant": np.full(500, 0.3),
    "two": np.array([0.0, 1.0]),
    "one": np.array([0.25]),
}


def drawn(name):
    values = DRAWS[name]
    draws = Draws(values)
    return values, DensityCurve.of(draws, *window(draws, 0.0))


def mass(curve):
    area = np.trapezoid(curve.height, curve.x)
    return float(area) + sum(atom.share for atom in curve.atoms)


@pytest.mark.parametrize("name", DRAWS)
def test_area_of_every_region_is_its_share_of_the_draws(name):
    values, curve = drawn(name)
    # Ends of regions may fall on atoms, where the share of a region jumps.
    ends = np.quantile(values, np.linspace(0.02, 0.98, 25)) + 1e-12
    for low, high in pairwise(np.unique([curve.x[0], *ends, curve.x[-1]])):
        share = np.mean((values >= low) & (values <= high))
        assert mass(curve.between(low, high)) == pytest.approx(share, abs=0.01)
    inside = np.mean((values >= curve.x[0]) & (values <= curve.x[-1]))
    assert mass(curve) == pytest.approx(inside, abs=2e-3)


@pytest.mark.parametrize("name", DRAWS)
def test_there_is_nothing_beyond_the_draws(name):
    values, curve = drawn(name)
    outside = (curve.x < values.min()) | (curve.x > values.max())
    assert np.all(curve.height[outside] == 0)
    assert np.all(curve.height >= 0)
    assert np.all(np.diff(curve.x) >= 0)


@pytest.mark.parametrize("name", ["normal", "few"])
def test_draws_of_a_normal_law_give_its_smooth_density(name):
    values, curve = drawn(name)
    middle, spread = values.mean(), values.std()
    away = (curve.x - middle) / spread
    normal = np.exp(-(away**2) / 2) / (spread * np.sqrt(2 * np.pi))
    assert curve.height == pytest.approx(normal, abs=0.06 * normal.max())
    heights = np.interp(np.linspace(-2, 2, 100), away, curve.height)
    turns = np.diff(np.sign(np.diff(heights)))
    assert np.count_nonzero(turns) == 1


def test_bandwidth_is_that_of_the_independent_draws():
    values = DRAWS["few"]
    one = DensityCurve.of(Draws(values), -4, 4).bandwidth
    half = DensityCurve.of(Draws(values, mirrored=True), -4, 4).bandwidth
    assert one == pytest.approx(1.08 * len(values) ** (-1 / 9), rel=0.1)
    assert half == pytest.approx(one * 2 ** (1 / 9))


def test_an_atom_stands_beside_the_curve():
    _, curve = drawn("an atom at 0")
    assert [tuple(atom) for atom in curve.atoms] == [(0.0, 0.3)]
    without = DensityCurve.of(Draws(DRAWS["an atom at 0"][3_000:]), -0.3, 0.5)
    at = np.linspace(-0.2, 0.4, 50)
    heights = np.interp(at, curve.x, curve.height)
    alone = np.interp(at, without.x, without.height)
    assert heights == pytest.approx(0.7 * alone, abs=0.01 * alone.max())


@pytest.mark.parametrize("name", ["coarse grid", "constant", "two", "one"])
def test_draws_on_few_values_are_atoms_only(name):
    values, curve = drawn(name)
    assert curve.bandwidth is None
    assert not curve.height.any()
    assert len(curve.atoms) == len(np.unique(values.round(9)))


def test_draws_pile_up_at_an_end_with_a_step():
    values, curve = drawn("exponential")
    (first, last) = np.flatnonzero(curve.x == values.min())
    assert (curve.height[first], last) == (0.0, first + 1)
    assert curve.height[last] == pytest.approx(1.0, abs=0.1)


def test_a_window_without_draws_is_empty():
    curve = DensityCurve.of(Draws(DRAWS["normal"]), 5.0, 6.0)
    assert mass(curve) == 0


@pytest.mark.parametrize(
    ("law", "ends"),
    [
        (StudentLaw(df=5.0, location=0.01, scale=0.02), (-1.0, 1.0)),
        (BetaLaw(80.0, 20.0), (0.0, 1.0)),
    ],
)
def test_an_exact_law_keeps_its_density(law, ends):
    curve = DensityCurve.of(law, *ends)
    assert curve.bandwidth is None
    assert curve.height == pytest.approx(law.pdf(curve.x))
    assert mass(curve) == pytest.approx(1.0, abs=1e-3)


def test_an_infinite_density_is_cut():
    curve = DensityCurve.of(BetaLaw(0.5, 0.5), 0.0, 1.0)
    assert np.isfinite(curve.height).all()
    assert curve.height[0] == curve.height.max()


def test_parts_meet_at_their_ends():
    _, curve = drawn("normal")
    below, above = curve.between(-np.inf, 0.01), curve.between(0.01, np.inf)
    assert (below.x[-1], below.height[-1]) == (above.x[0], above.height[0])
    assert mass(below) + mass(above) == pytest.approx(mass(curve))
    assert mass(curve.between(7.0, 8.0)) == 0


@pytest.mark.parametrize(("df", "widest"), [(1, 2.8), (1000, 1.9)])
def test_window_cuts_heavy_tails_and_keeps_light_ones(df, widest):
    law = StudentLaw(df=df, location=0, scale=1)
    middle, whole = law.interval(0.95), law.interval(0.999)
    low, high = window(law)
    assert high - low < widest * (middle.high - middle.low)
    assert (low < whole.low) is (high > whole.high) is (df > 1)


@pytest.mark.parametrize(("rope", "inside"), [((-1, 9), True), ((-99, 99), False)])
def test_window_has_points_and_the_rope_inside_unless_it_is_huge(rope, inside):
    law = StudentLaw(df=1000, location=5, scale=1)
    region = Rope.of(rope)
    low, high = window(law, 0.0, rope=region)
    assert low < 0 < high
    assert (low < region.low and region.high < high) is inside


@cache
def compared():
    gold = ["y", "n"] * 50
    first, second = ["y", "y"] * 20 + ["y", "n"] * 30, ["y", "n"] * 45 + ["n", "y"] * 5
    return lk.compare(gold, first, second, metric="f1", positive="y", rope=0.05, seed=0)


def test_regions_of_a_comparison_have_its_probabilities():
    result = compared()
    law, rope, p = result.posterior.difference, result.rope, result.probability
    curve = DensityCurve.of(law, *window(law, rope=rope))
    assert mass(curve.between(-1, rope.low)) == pytest.approx(p.worse, abs=0.01)
    inside = curve.between(rope.low, rope.high)
    assert mass(inside) == pytest.approx(p.equivalent, abs=0.01)
    assert mass(curve.between(rope.high, 1)) == pytest.approx(p.better, abs=0.01)
