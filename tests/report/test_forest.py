"""Rows of a forest stand at their places, on one scale with 0 and the rope."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.conftest import QUICK
from tests.report.conftest import HOSTILE
from tests.report.test_shape import known
from tests.results.every_kind import compared, estimated, many, result

from likelier.distribution import Draws
from likelier.report.forest import forest_of, forest_of_estimates, label_of_estimate
from likelier.results.naming import labels_of

ESTIMATES = ["estimate", "estimate-paired", "estimate-bootstrap"]


def scale_of(forest, results):
    """Find the scale by two values whose places are known: its least squares line."""
    places, values = [], []
    for row, one in zip(forest.rows, results, strict=True):
        places += [row.low, row.middle, row.high]
        values += ends(one)
    slope, start = np.polyfit(values, places, 1)
    assert np.allclose(slope * np.array(values) + start, places, atol=0.02)
    return lambda value: slope * value + start


def ends(one):
    interval = one.hdi if hasattr(one, "hdi") else one.interval
    value = one.difference if hasattr(one, "hdi") else one.value
    return [interval.low, value, interval.high]


def check(forest, results):
    assert len(forest.rows) == len(results)
    for row, one in zip(forest.rows, results, strict=True):
        assert 0 <= row.low <= row.high <= 100
        assert 0 <= row.middle <= 100
        low, middle, high = ends(one)
        assert (middle < low) == (row.middle < row.low)
        assert (middle > high) == (row.middle > row.high)


ROPES = [None, 0.0, 0.02, 0.9, (-0.01, 0.05)]


@pytest.mark.parametrize("rope", ROPES)
def test_comparisons_zero_and_rope_stand_on_one_scale(rope):
    found = [compared(rope=rope), many(rope=rope), compared(rope=rope, metric="recall")]
    forest = forest_of(found, ["one", "two", "three"])
    check(forest, found)
    place = scale_of(forest, found)
    assert forest.zero == pytest.approx(place(0), abs=0.05)
    if rope is None:
        assert forest.rope is None
        return
    for end, at in zip(
        (found[0].rope.low, found[0].rope.high), forest.rope, strict=True
    ):
        assert at == pytest.approx(min(max(place(end), 0), 100), abs=0.05)
    assert forest.rope[0] <= forest.zero <= forest.rope[1]


def test_rows_say_what_their_comparisons_say():
    found = [compared(), many(), compared(rule="zhang")]
    for row, one in zip(forest_of(found, "abc").rows, found, strict=True):
        p = one.probability
        told = tuple(p.shown(share) for share in (p.worse, p.equivalent, p.better))
        assert row.shares == told
        assert (row.symbol, row.verdict) == (one.verdict.symbol, one.verdict.name)
        assert row.interval in one.sentence()
        assert f" {row.value}, " in one.sentence()
    assert [row.label for row in forest_of(found, "abc").rows] == ["a", "b", "c"]


def test_without_a_rope_nothing_is_equivalent():
    (row,) = forest_of([compared(rope=None)], ["a"]).rows
    assert row.shares[1] == "–"


def test_the_ends_of_the_scale_are_told():
    found = [compared(), many()]
    forest = forest_of(found, "ab")
    place = scale_of(forest, found)
    spread = abs(1 / (place(1) - place(0)))
    for text, at in zip(forest.ends, (0, 100), strict=True):
        digits = len(text.partition(".")[2])
        error = 0.5 * 10**-digits / spread + 0.1
        assert place(float(text)) == pytest.approx(at, abs=error)


@pytest.mark.parametrize("value", [0.0, 0.3, -2e-9, 1e6])
def test_systems_that_do_not_vary_have_a_scale(value):
    one = known(Draws(np.full(100, value)), 0.02, difference=value)
    forest = forest_of([one, one], "ab")
    check(forest, [one, one])
    assert forest.rows[0].low == forest.rows[0].high
    assert (forest.rows[0].low < forest.zero) == (value < 0)


@given(st.lists(st.tuples(st.floats(-3, 3), st.floats(-6, 1)), min_size=1, max_size=5))
@QUICK
def test_any_intervals_stay_in_the_box(rows):
    found = [
        known(Draws(c + 10.0**s * np.linspace(-1, 1, 50)), 0.02, difference=c)
        for c, s in rows
    ]
    forest = forest_of(found, ["x"] * len(found))
    check(forest, found)
    assert 0 < forest.zero < 100
    lows = [(one.hdi.low, row.low) for one, row in zip(found, forest.rows, strict=True)]
    assert [place for _, place in sorted(lows)] == sorted(place for _, place in lows)


def test_estimates_stand_on_one_scale():
    found = [result(name) for name in ESTIMATES]
    forest = forest_of_estimates(found)
    check(forest, found)
    scale_of(forest, found)
    assert forest.zero is None
    assert forest.rope is None
    for row, one in zip(forest.rows, found, strict=True):
        assert row.shares == ()
        assert float(row.value) == pytest.approx(one.value, abs=0.01)
        assert row.label == label_of_estimate(one)


def test_a_single_estimate_has_a_scale():
    one = estimated()
    check(forest_of_estimates([one]), [one])


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


@pytest.mark.parametrize("name", HOSTILE[:30], ids=lambda name: ascii(name)[1:20])
def test_labels_may_be_printed(name):
    found = compared(systems=[name, "b"], draws=20)
    (label,) = labels_of([found])
    assert label.isprintable()
