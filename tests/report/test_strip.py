"""Strips of characters: true to which side of the rope everything lies on."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from likelier.interval import Interval, Rope
from likelier.report.strip import ASCII, BOX, draw_axis, draw_rows
from likelier.results.screen_table import Strip, Strips

NUMBERS = st.floats(-1, 1, allow_subnormal=False)
WIDTHS = st.integers(16, 60)


def strips(*ends, rope=None, value=None, decided=True):
    rows = (
        Strip(
            sum(pair) / 2 if value is None else value,
            Interval(*pair, mass=0.95, kind="hdi"),
            decided,
        )
        for pair in ends
    )
    return Strips(tuple(rows), rope)


def test_an_interval_beyond_the_rope():
    drawing = draw_axis(strips((0.015, 0.045), rope=Rope(-0.01, 0.01)), 32, BOX)
    assert drawing == "worse ──[····│····]─├━━━━━━━●━━━━━━┤── better"


def test_an_open_verdict_has_a_hollow_dot():
    drawing = draw_axis(
        strips((-0.03, 0.05), rope=Rope(-0.01, 0.01), decided=False), 32, BOX
    )
    assert drawing == "worse ──├━━━━━━[━━│━━]○━━━━━━━━━━━━┤── better"


def test_without_a_rope_there_is_0_alone():
    assert (
        draw_axis(strips((0.01, 0.05)), 20, BOX) == "worse ──│──├━━━━━●━━━━━┤── better"
    )


def test_plain_characters():
    drawing = draw_axis(strips((0.015, 0.045), rope=Rope(-0.01, 0.01)), 32, ASCII)
    assert drawing == "worse --[....|....]-(=======O======)-- better"
    assert drawing.isascii()


@given(
    ends=st.lists(NUMBERS, min_size=2, max_size=2), rope=st.floats(0.001, 1), w=WIDTHS
)
def test_ends_are_drawn_on_their_side_of_the_rope(ends, rope, w):
    low, high = sorted(ends)
    drawing = draw_rows(strips((low, high), rope=Rope(-rope, rope)), w, BOX)[0]
    assert len(drawing) == w
    left, right = drawing.index("["), drawing.index("]")
    sides = [(low, drawing.find("├")), (high, drawing.find("┤"))]
    sides.append(((low + high) / 2, drawing.index("●")))
    for x, column in sides:
        if column < 0:
            continue  # below the dot
        assert (x < -rope) == (column < left)
        assert (x > rope) == (column > right)


@given(ends=st.lists(NUMBERS, min_size=2, max_size=2), w=WIDTHS)
def test_without_a_rope_ends_are_on_their_side_of_0(ends, w):
    low, high = sorted(ends)
    drawing = draw_rows(strips((low, high)), w, BOX)[0]
    zero = drawing.find("│")
    assert len(drawing) == w
    if zero >= 0 and "├" in drawing:
        assert (low > 0) == (drawing.index("├") > zero)


@pytest.mark.parametrize("rope", [(0.0, 0.01), (-0.001, 0.001), (0.0, 0.0), (-1, 0)])
@pytest.mark.parametrize("ends", [(-0.5, 0.5), (0.3, 0.4), (-0.4, -0.3), (0, 0)])
def test_any_rope_fits(rope, ends):
    for width in range(16, 40):
        drawing = draw_rows(strips(ends, rope=Rope(*rope)), width, BOX)[0]
        assert len(drawing) == width
        assert "●" in drawing


def test_rows_share_one_scale_and_their_rope_stands_still():
    rows = draw_rows(
        strips((-0.02, 0.01), (0.03, 0.3), (0.011, 0.012), rope=Rope(-0.01, 0.01)),
        24,
        BOX,
    )
    assert len({row.index("]") for row in rows}) == 1


def test_infinite_ends_are_cut_off():
    (row,) = draw_rows(strips((float("-inf"), 0.1), value=0.0), 20, BOX)
    assert len(row) == 20
    assert row.startswith("├") or " ├" in row


def test_identical_systems_have_a_strip():
    (row,) = draw_rows(strips((0.0, 0.0)), 20, BOX)
    assert row.count("●") == 1
