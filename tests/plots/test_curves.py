"""Lines between boxes: from middle to middle, around what is in the way."""

import numpy as np
import pytest

from likelier.plots.curves import Box, between

LEFT, RIGHT = Box(0.1, 0, 0.1, 0.3), Box(0.9, 0, 0.1, 0.3)
LOW, HIGH = Box(0.5, 0, 0.2, 0.3), Box(0.5, 2, 0.2, 0.3)


def test_clear_way_is_straight():
    curve, clear = between(LEFT, HIGH, [RIGHT], (-1, 3))
    assert clear
    assert curve[0].tolist() == [0.1, 0]
    assert curve[-1].tolist() == [0.5, 2]
    assert np.diff(curve, n=2, axis=0) == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize(
    ("ends", "middle"),
    [((LEFT, RIGHT), Box(0.5, 0, 0.2, 0.3)), ((LOW, HIGH), Box(0.5, 1, 0.2, 0.3))],
)
def test_way_leads_around_what_stands_between(ends, middle):
    curve, clear = between(*ends, [middle], (-1, 3))
    assert clear
    assert not middle.hit(curve)
    assert curve[0].tolist() == [ends[0].x, ends[0].y]
    assert curve[-1].tolist() == [ends[1].x, ends[1].y]


def test_way_stays_in_sight():
    # Upwards there is a wall; downwards the axes end.
    walls = [Box(0.5, 0, 0.2, 0.3), Box(0.5, 1.1, 0.2, 1.8)]
    curve, clear = between(LEFT, RIGHT, walls, (-0.3, 3))
    assert not clear
    assert curve[:, 1] == pytest.approx(0)
    curve, clear = between(LEFT, RIGHT, walls, (-1, 3))
    assert clear
    assert curve[:, 1].min() > -1
