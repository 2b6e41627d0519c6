"""Drawings of a page: areas are probabilities; ticks, rows and bars are to scale."""

import re
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.conftest import QUICK
from tests.report.conftest import COMPARISONS, HOSTILE
from tests.results import every_kind
from tests.results.every_kind import compared, estimated, many, result

import likelier as lk
from likelier import Scores
from likelier.distribution import Draws, Posterior
from likelier.interval import Interval, Rope
from likelier.laws.beta import BetaLaw
from likelier.laws.difference import DifferenceLaw
from likelier.report.drawing import (
    HEIGHT,
    WIDTH,
    Curve,
    Scale,
    board_scale,
    forest_scale,
    heat,
    ruler_scale,
    strips,
    whole_per_cent,
)
from likelier.results.comparison_parts import comparison_forest, labels_of
from likelier.results.estimate import estimate_forest
from likelier.results.parts import Bar, Leaderboard, Ruler, Share

BASE = every_kind.compared()
NUMBER = r"-?\d+(?:\.\d+)?"
PATH = re.compile(rf"(M{NUMBER} {NUMBER}L{NUMBER} {NUMBER}(?: {NUMBER} {NUMBER})*Z)")
# An atom: a thin bar of its own.
BAR = re.compile(r"M(-?\d+) (\d+)v-(\d+)h6v(\d+)Z")


def comparison(law, rope=0.02, **fields):
    """Return a comparison with a posterior of the difference."""
    region = None if rope is None else Rope.of(rope)
    settings = replace(BASE.settings, rope=region)
    return replace(BASE, posterior=Posterior((), law), settings=settings, **fields)


def drawn(one):
    """Draw the posterior of a comparison."""
    return Curve.of(one.posterior.difference, one.hdi, one.rope)


def points(curve):
    """Read the outline: x from left to right, and how far it is above the axis."""
    outline = PATH.match(curve.path)
    assert outline, curve.path[:80]
    rest = curve.path[outline.end() :]
    assert BAR.sub("", rest) == ""
    numbers = np.array(re.findall(NUMBER, outline[1]), dtype=float)
    x, y = numbers[::2], HEIGHT - numbers[1::2]
    assert y[0] == y[-1] == 0
    return x, y


def bars(curve):
    """Return the middles and heights of the bars of atoms."""
    found = [list(map(int, bar)) for bar in BAR.findall(curve.path)]
    assert all(base == HEIGHT and up == down for _, base, up, down in found)
    return [(x + 3, up) for x, _, up, _ in found]


def highest(curve):
    """Return the height of the highest point, be it of the outline or of a bar."""
    return max([points(curve)[1].max(), *(up for _, up in bars(curve))])


def check(curve):
    x, y = points(curve)
    assert x.min() == 0
    assert x.max() == WIDTH
    assert (np.diff(x) >= 0).all()
    assert (y >= 0).all()
    assert (y <= HEIGHT).all()
    assert np.isfinite([curve.scale.low, curve.scale.high]).all()
    assert curve.scale.low < curve.scale.high
    for position, text in curve.scale.ticks(signed=True):
        assert 0 <= position <= 100
        value = float(text.replace(",", ""))
        assert text.startswith(("+", "-")) == (value != 0)
        there = 100 * (value - curve.scale.low) / (curve.scale.high - curve.scale.low)
        assert position == pytest.approx(there, abs=0.02)


def area(curve, low, high):
    """Return the share of the drawn area between two differences."""
    x, y = points(curve)
    fine = np.linspace(0, WIDTH, 200_001)
    # Steps stand on two points with one x; a hair apart, they can be read off.
    height = np.interp(fine, x + np.arange(len(x)) * 1e-9, y)
    value = curve.scale.low + (curve.scale.high - curve.scale.low) * fine / WIDTH
    inside = (value >= low) & (value <= high)
    return height[inside].sum() / height.sum()


def in_view(difference, curve, low, high):
    """Return the probability between two differences, given the window."""
    below = difference.share_below

    def share(a, b):
        return below(min(b, curve.scale.high)) - below(max(a, curve.scale.low))

    return share(low, high) / share(curve.scale.low, curve.scale.high)


@pytest.mark.parametrize("name", [*COMPARISONS, "hierarchical"])
def test_paths_stay_in_their_box_and_ticks_are_to_scale(name):
    curve = drawn(result(name))
    check(curve)
    assert len(curve.scale.ticks(signed=True)) >= 2
    for value in (0.0, *result(name).hdi):
        assert curve.scale.low < value < curve.scale.high


@pytest.mark.parametrize("name", [*COMPARISONS, "hierarchical"])
def test_areas_are_probabilities(name):
    curve, difference = drawn(result(name)), result(name).posterior.difference
    low, high = result(name).hdi
    for ends in ((-0.02, 0.02), (0.0, high), (low, high), (low, (low + high) / 2)):
        share = in_view(difference, curve, *ends)
        assert area(curve, *ends) == pytest.approx(share, abs=0.04)
    low, high = map(difference.share_below, (curve.scale.low, curve.scale.high))
    assert high - low > 0.95


def test_finer_draws_and_laws_agree_better():
    rng = np.random.default_rng(2)
    law = DifferenceLaw(BetaLaw(80, 20), BetaLaw(85, 15))
    draws = Draws(rng.beta(85, 15, 200_000) - rng.beta(80, 20, 200_000))
    for difference in (law, draws):
        curve = drawn(comparison(difference))
        for ends in ((-0.02, 0.02), (0.02, 1.0), (-1.0, -0.02)):
            share = in_view(difference, curve, *ends)
            assert area(curve, *ends) == pytest.approx(share, abs=0.006)


def test_positions_are_shares_of_the_width_and_stop_at_the_edges():
    curve = drawn(comparison(Draws(np.linspace(-0.1, 0.3, 500))))
    assert curve.scale.position(curve.scale.low) == 0
    assert curve.scale.position(curve.scale.high) == 100
    assert curve.scale.position(
        (curve.scale.low + curve.scale.high) / 2
    ) == pytest.approx(50)
    assert curve.scale.position(-1e9) == 0
    assert curve.scale.position(1e9) == 100


@pytest.mark.parametrize("value", [0.0, 0.3, -1e-6, 1e6, -0.25])
@pytest.mark.parametrize("rope", [None, 0.0, 0.02])
def test_draws_that_are_all_the_same_are_drawn(value, rope):
    curve = drawn(comparison(Draws(np.full(300, value)), rope))
    check(curve)
    assert highest(curve) == HEIGHT
    assert curve.scale.low < min(value, 0) <= max(value, 0) < curve.scale.high


@pytest.mark.parametrize(
    "values",
    [
        np.random.default_rng(0).standard_cauchy(5000),
        np.random.default_rng(1).standard_cauchy(5000) * 1e6,
        np.r_[np.zeros(4999), 1e9],
        np.r_[np.zeros(500), np.ones(500)],
        np.array([0.25]),
    ],
    ids=["cauchy", "wide", "one far away", "two values", "one draw"],
)
def test_odd_draws_are_drawn(values):
    curve = drawn(comparison(Draws(values)))
    check(curve)
    assert highest(curve) == HEIGHT


LAWS = {
    "infinite at both ends": (BetaLaw(0.5, 0.5), BetaLaw(0.5, 0.5)),
    "infinite in the middle": (BetaLaw(0.3, 0.3), BetaLaw(0.3, 0.3)),
    "very narrow": (BetaLaw(1e7, 1e7), BetaLaw(1e7, 1e7)),
    "narrow and far": (BetaLaw(1, 1e6), BetaLaw(1e6, 1)),
    "flat": (BetaLaw(1, 1), BetaLaw(1, 1)),
}


@pytest.mark.parametrize("name", LAWS)
def test_odd_laws_are_drawn(name):
    curve = drawn(comparison(DifferenceLaw(*LAWS[name])))
    check(curve)
    assert highest(curve) == HEIGHT


def test_scores_that_do_not_vary_are_drawn():
    table = Scores.from_arrays([0.5] * 5, [0.5] * 5)
    curve = drawn(lk.compare_folds(table, rope=0.01))
    check(curve)
    assert highest(curve) == HEIGHT
    table = Scores.from_arrays([0.5, 0.6], [0.6, 0.8])
    check(drawn(lk.compare_folds(table, rope=0.01)))


@given(
    centre=st.floats(-1, 1),
    spread=st.floats(-6, 6),
    rope=st.none() | st.floats(0, 1),
)
@QUICK
def test_any_scale_is_drawn(centre, spread, rope):
    size = 10.0**spread
    steps = np.linspace(-3, 3, 301) ** 3
    curve = drawn(comparison(Draws(size * (centre + steps)), rope))
    check(curve)
    assert 2 <= len(curve.scale.ticks(signed=True)) <= 7


def test_a_rope_far_wider_than_the_posterior_does_not_squeeze_it():
    curve = drawn(comparison(Draws(np.linspace(-0.001, 0.001, 500)), 0.5))
    x, y = points(curve)
    drawn_x = x[y > 0]
    assert (drawn_x.max() - drawn_x.min()) / WIDTH > 0.05
    assert curve.rope == (0, 100)


@pytest.mark.parametrize("rope", [None, 0.0, 0.02, (-0.01, 0.05)])
def test_interval_and_rope_stand_on_the_scale(rope):
    one = comparison(Draws(np.linspace(-0.1, 0.3, 500)), rope)
    curve = drawn(one)
    assert curve.roped == (rope is not None)
    ends = (0, 0) if rope is None else (one.rope.low, one.rope.high)
    assert curve.rope == tuple(map(curve.scale.position, ends))
    assert curve.interval == tuple(map(curve.scale.position, one.hdi))


def test_strips_fill_their_bar():
    shares = Share("worse", 0.25, "25 %"), Share("better", 0.75, "75 %")
    first, second = strips(Bar(shares, ("worse", "leans-better")))
    assert first == ("worse", "worse", 0, 25, "25 %")
    assert second == ("better", "leans-better", 25, 75, "75 %")


@given(st.floats(0, 1))
@QUICK
def test_whole_per_cents_and_colours_never_reach_what_is_not_sure(share):
    text, strength = whole_per_cent(share), heat(share)
    if text.isdigit():
        assert abs(int(text) - 100 * share) <= 0.5 + 1e-9
        assert 1 <= int(text) <= 99
    else:
        assert text == (">99" if share > 0.5 else "<1")
    assert strength in range(5)
    assert (strength == 4) == (share >= 0.95)
    assert heat(min(1.0, share + 0.01)) >= strength


# --- rulers and boards -------------------------------------------------------------


@given(
    value=st.floats(-2, 2),
    below=st.floats(0, 1),
    above=st.floats(0, 1),
    rope=st.none() | st.floats(0, 5),
)
@QUICK
def test_a_ruler_holds_value_interval_and_zero(value, below, above, rope):
    interval = Interval(value - below, value + above, mass=0.95, kind="hdi")
    region = None if rope is None else Rope.of(rope)
    scale = ruler_scale(Ruler(value, interval, region, ("a", "b")))
    for number in (value, *interval, 0.0):
        assert 0 < scale.position(number) < 100
    if region is not None:
        ends = scale.position(region.low), scale.position(region.high)
        assert ends[0] <= scale.position(0.0) <= ends[1]
    # A rope that is far wider than all else does not squeeze it.
    width = max(value + above, 0.0) - min(value - below, 0.0)
    if width > 1e-9:
        assert scale.high - scale.low <= 11 * width


@pytest.mark.parametrize("name", ["ranking", "ranking-items", "ranking-without-draws"])
def test_a_board_holds_all_systems(name):
    board = next(p for p in result(name).parts() if isinstance(p, Leaderboard))
    scale = board_scale(board)
    for row in board.rows:
        for number in (row.value, *(row.interval or ())):
            assert 0 < scale.position(number) < 100


# --- many answers on one scale -----------------------------------------------------

ESTIMATES = ["estimate", "estimate-paired", "estimate-bootstrap"]


def forest_of(comparisons, labels):
    return comparison_forest(list(zip(labels, comparisons, strict=True)))


def ends(one):
    interval = one.hdi if hasattr(one, "hdi") else one.interval
    value = one.difference if hasattr(one, "hdi") else one.value
    return [interval.low, value, interval.high]


def check_rows(forest, results):
    """Check that all rows are in the box, and return the scale."""
    scale = forest_scale(forest)
    assert len(forest.rows) == len(results)
    for row, one in zip(forest.rows, results, strict=True):
        assert [row.interval.low, row.value, row.interval.high] == ends(one)
        low, middle, high = map(scale.position, ends(one))
        assert 0 < low <= high < 100
        assert 0 < middle < 100
    return scale


ROPES = [None, 0.0, 0.02, 0.9, (-0.01, 0.05)]


@pytest.mark.parametrize("rope", ROPES)
def test_comparisons_zero_and_rope_stand_on_one_scale(rope):
    every = [compared(rope=rope), many(rope=rope), compared(rope=rope, metric="recall")]
    forest = forest_of(every, ["one", "two", "three"])
    scale = check_rows(forest, every)
    assert forest.differences
    assert 0 < scale.position(0) < 100
    assert forest.rope == every[0].rope
    if rope is None:
        return
    ends = (every[0].rope.low, every[0].rope.high)
    for end, at in zip(ends, map(scale.position, ends), strict=True):
        straight = 100 * (end - scale.low) / (scale.high - scale.low)
        assert at == pytest.approx(min(max(straight, 0), 100), abs=0.05)
    assert scale.position(ends[0]) <= scale.position(0) <= scale.position(ends[1])


def test_rows_say_what_their_comparisons_say():
    every = [compared(), many(), compared(rule="zhang")]
    for row, one in zip(forest_of(every, "abc").rows, every, strict=True):
        p = one.probability
        value, interval, worse, better = row.after
        assert (worse.text, better.text) == (p.text(p.worse), p.text(p.better))
        assert (worse.key, better.key) == (p.worse, p.better)
        assert row.verdict == one.verdict
        assert interval.text in one.sentence()
        assert f" {value.text}, " in one.sentence()
        assert value.key == one.difference
        assert row.card is not None
        assert row.card.sentence.startswith(one.sentence())
        assert row.card.density.interval == one.hdi
    assert [row.label for row in forest_of(every, "abc").rows] == ["a", "b", "c"]


def test_many_rows_do_not_open():
    one = compared()
    few, many_rows = (forest_of([one] * n, ["x"] * n) for n in (40, 41))
    assert all(row.card for row in few.rows)
    assert not any(row.card for row in many_rows.rows)


@pytest.mark.parametrize("value", [0.0, 0.3, -2e-9, 1e6])
def test_systems_that_do_not_vary_have_a_scale(value):
    one = comparison(Draws(np.full(100, value)), 0.02, difference=value)
    scale = check_rows(forest_of([one, one], "ab"), [one, one])
    assert (scale.position(value) < scale.position(0)) == (value < 0)


@given(
    rows=st.lists(
        st.tuples(st.floats(-3, 3), st.floats(-6, 1)), min_size=1, max_size=5
    ),
    rope=st.sampled_from([None, 0.02]),
)
@QUICK
def test_any_intervals_stay_in_the_box(rows, rope):
    every = [
        comparison(Draws(c + 10.0**s * np.linspace(-1, 1, 50)), rope, difference=c)
        for c, s in rows
    ]
    scale = check_rows(forest_of(every, ["x"] * len(every)), every)
    assert 0 < scale.position(0) < 100
    lows = sorted(one.hdi.low for one in every)
    assert list(map(scale.position, lows)) == sorted(map(scale.position, lows))


def test_estimates_stand_on_one_scale():
    every = [result(name) for name in ESTIMATES]
    forest = estimate_forest(every)
    check_rows(forest, every)
    assert not forest.differences
    assert forest.rope is None
    for row, one in zip(forest.rows, every, strict=True):
        (value,), (interval,) = row.before, row.after
        assert (value.text, value.key) == (one.value_text, one.value)
        assert interval.text == one.interval_text
        assert row.label == one.label


def test_a_single_estimate_has_a_scale():
    one = estimated()
    check_rows(estimate_forest([one]), [one])


def test_labels_name_what_differs():
    one, other = compared(), compared(metric="recall")
    assert labels_of([one]) == ["second against first"]
    assert labels_of([one, other]) == ["F1 (b)", "recall (b)"]
    renamed = compared(systems=["first", "third"], metric="recall")
    assert labels_of([one, renamed]) == [
        "F1 (b): second against first",
        "recall (b): third against first",
    ]
    swapped = compared(systems=["second", "first"])
    assert labels_of([one, swapped]) == ["second against first", "first against second"]


def test_labels_may_be_printed():
    for name in HOSTILE[:30]:
        (label,) = labels_of([compared(systems=[name, "b"], draws=20)])
        assert label.isprintable(), ascii(name)


@pytest.mark.parametrize("most", [3, 5])
def test_a_scale_has_a_few_ticks_whatever_its_width(most):
    counts = set()
    for width in np.geomspace(0.001, 3.0, 400):
        scale = Scale(-0.3 * width, 0.7 * width)
        ticks = scale.ticks(signed=True, most=most)
        assert "0" in [text for _, text in ticks]
        counts.add(len(ticks))
    assert max(counts) <= most
    assert min(counts) >= most // 2
