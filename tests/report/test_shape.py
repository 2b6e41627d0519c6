"""A posterior drawn as a path: its areas are probabilities, its ticks stand right."""

import re
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.conftest import QUICK
from tests.report.conftest import COMPARISONS
from tests.results import every_kind
from tests.results.every_kind import result

import likelier as lk
from likelier import scores
from likelier.decision import Rope
from likelier.distribution import Draws, Posterior
from likelier.laws.beta import BetaLaw
from likelier.laws.difference import DifferenceLaw
from likelier.report.shape import HEIGHT, WIDTH, Shape

BASE = every_kind.compared(draws=200)
NUMBER = r"-?\d+(?:\.\d+)?"
PATH = re.compile(rf"M{NUMBER} {NUMBER}L{NUMBER} {NUMBER}(?: {NUMBER} {NUMBER})*Z")


def known(law, rope=0.02, **settings):
    """Give a comparison with this posterior of the difference."""
    region = None if rope is None else Rope.of(rope)
    return replace(BASE, posterior=Posterior((), law), rope=region, **settings)


def points(shape):
    """Read the outline: x from left to right, and how far it is above the axis."""
    assert PATH.fullmatch(shape.path), shape.path[:80]
    numbers = np.array(re.findall(NUMBER, shape.path), dtype=float)
    x, y = numbers[::2], HEIGHT - numbers[1::2]
    assert y[0] == y[-1] == 0
    return x, y


def check(shape):
    x, y = points(shape)
    assert x.min() == 0
    assert x.max() == WIDTH
    assert (np.diff(x) >= 0).all()
    assert (y >= 0).all()
    assert (y <= HEIGHT).all()
    assert np.isfinite([shape.low, shape.high]).all()
    assert shape.low < shape.high
    for place, text in shape.ticks:
        assert 0 <= place <= 100
        value = float(text.replace(",", ""))
        assert text.startswith(("+", "-")) == (value != 0)
        there = 100 * (value - shape.low) / (shape.high - shape.low)
        assert place == pytest.approx(there, abs=0.02)


def area(shape, low, high):
    """Give the share of the drawn area between two differences."""
    x, y = points(shape)
    fine = np.linspace(0, WIDTH, 200_001)
    # Steps stand on two points with one x; a hair apart, they can be read off.
    height = np.interp(fine, x + np.arange(len(x)) * 1e-9, y)
    value = shape.low + (shape.high - shape.low) * fine / WIDTH
    inside = (value >= low) & (value <= high)
    return height[inside].sum() / height.sum()


def in_view(difference, shape, low, high):
    """Give the probability between two differences, of what the window shows."""
    below = difference.share_below

    def share(a, b):
        return below(min(b, shape.high)) - below(max(a, shape.low))

    return share(low, high) / share(shape.low, shape.high)


@pytest.mark.parametrize("name", [*COMPARISONS, "hierarchical"])
def test_paths_stay_in_their_box_and_ticks_at_their_places(name):
    found = result(name)
    shape = Shape.of(found)
    check(shape)
    assert len(shape.ticks) >= 2
    for seen in (0.0, *found.hdi):
        assert shape.low < seen < shape.high


@pytest.mark.parametrize("name", [*COMPARISONS, "hierarchical"])
def test_areas_are_probabilities(name):
    found = result(name)
    shape, difference = Shape.of(found), found.posterior.difference
    low, high = found.hdi
    for ends in ((-0.02, 0.02), (0.0, high), (low, high), (low, (low + high) / 2)):
        asked = in_view(difference, shape, *ends)
        assert area(shape, *ends) == pytest.approx(asked, abs=0.04)
    shown = difference.share_below(shape.high) - difference.share_below(shape.low)
    assert shown > 0.95


def test_finer_draws_and_laws_agree_better():
    rng = np.random.default_rng(2)
    law = DifferenceLaw(BetaLaw(80, 20), BetaLaw(85, 15))
    drawn = Draws(rng.beta(85, 15, 200_000) - rng.beta(80, 20, 200_000))
    for difference in (law, drawn):
        shape = Shape.of(known(difference))
        for ends in ((-0.02, 0.02), (0.02, 1.0), (-1.0, -0.02)):
            asked = in_view(difference, shape, *ends)
            assert area(shape, *ends) == pytest.approx(asked, abs=0.006)


def test_places_are_shares_of_the_width_and_stop_at_the_edges():
    shape = Shape.of(known(Draws(np.linspace(-0.1, 0.3, 500))))
    assert shape.place(shape.low) == 0
    assert shape.place(shape.high) == 100
    assert shape.place((shape.low + shape.high) / 2) == pytest.approx(50)
    assert shape.place(-1e9) == 0
    assert shape.place(1e9) == 100


@pytest.mark.parametrize("value", [0.0, 0.3, -1e-6, 1e6, -0.25])
@pytest.mark.parametrize("rope", [None, 0.0, 0.02])
def test_draws_that_are_all_the_same_are_drawn(value, rope):
    shape = Shape.of(known(Draws(np.full(300, value)), rope))
    check(shape)
    assert points(shape)[1].max() == HEIGHT
    assert shape.low < min(value, 0) <= max(value, 0) < shape.high


@pytest.mark.parametrize(
    "values",
    [
        np.random.default_rng(0).standard_cauchy(5000),
        np.random.default_rng(1).standard_cauchy(5000) * 1e6,
        np.r_[np.zeros(4999), 1e9],
        np.r_[np.zeros(500), np.ones(500)],
        np.array([0.25]),
    ],
    ids=["cauchy", "wide", "one far away", "two places", "one draw"],
)
def test_odd_draws_are_drawn(values):
    shape = Shape.of(known(Draws(values)))
    check(shape)
    assert points(shape)[1].max() == HEIGHT


LAWS = {
    "infinite at both ends": (BetaLaw(0.5, 0.5), BetaLaw(0.5, 0.5)),
    "infinite in the middle": (BetaLaw(0.3, 0.3), BetaLaw(0.3, 0.3)),
    "very narrow": (BetaLaw(1e7, 1e7), BetaLaw(1e7, 1e7)),
    "narrow and far": (BetaLaw(1, 1e6), BetaLaw(1e6, 1)),
    "flat": (BetaLaw(1, 1), BetaLaw(1, 1)),
}


@pytest.mark.parametrize("name", LAWS)
def test_odd_laws_are_drawn(name):
    shape = Shape.of(known(DifferenceLaw(*LAWS[name])))
    check(shape)
    assert points(shape)[1].max() == HEIGHT


def test_scores_that_do_not_vary_are_drawn():
    table = scores.from_arrays([0.5] * 5, [0.5] * 5)
    shape = Shape.of(lk.compare_scores(table, rope=0.01))
    check(shape)
    assert points(shape)[1].max() == HEIGHT
    table = scores.from_arrays([0.5, 0.6], [0.6, 0.8])
    check(Shape.of(lk.compare_scores(table, rope=0.01)))


@given(
    centre=st.floats(-1, 1),
    spread=st.floats(-6, 6),
    rope=st.none() | st.floats(0, 1),
)
@QUICK
def test_any_scale_is_drawn(centre, spread, rope):
    size = 10.0**spread
    steps = np.linspace(-3, 3, 301) ** 3
    shape = Shape.of(known(Draws(size * (centre + steps)), rope))
    check(shape)
    assert 2 <= len(shape.ticks) <= 7


def test_a_rope_far_wider_than_the_posterior_does_not_squeeze_it():
    shape = Shape.of(known(Draws(np.linspace(-0.001, 0.001, 500)), 0.5))
    x, y = points(shape)
    held = x[y > 0]
    assert (held.max() - held.min()) / WIDTH > 0.05
    assert shape.place(-0.5) == 0
    assert shape.place(0.5) == 100
