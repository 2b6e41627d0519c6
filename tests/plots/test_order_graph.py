"""Graphs of orders as data: positions of systems, and the lines between them."""

from functools import cache
from itertools import product

import numpy as np
import pytest
from matplotlib import pyplot as plt
from tests.plots.conftest import SIZES, assert_literal, assert_tidy, axes, crossed
from tests.plots.scored import STRANGE, ranked, same_scores

import likelier as lk
from likelier.plots import order, picture
from likelier.plots.order_graph import Box, bent_line, order_height

TINY = (2.0, 1.6)
CASES = {
    "two": {"count": 2},
    "chain": {"count": 3, "gap": 0.03},
    "equivalent": {"count": 6, "gap": 0.005},
    "many": {"count": 10, "gap": 0.004, "sets": 12},
    "undecided": {"count": 6, "gap": 0.004, "threshold": 0.95},
    "many-undecided": {"count": 10, "gap": 0.003, "threshold": 0.9},
    "circles": {"count": 10, "gap": 0.0005, "rope": 0.0005, "sets": 12},
}


def positions(ax, ranking):
    """Return the position of each system; names are not shortened on large axes."""
    by_text = {text.get_text(): text.get_position() for text in ax.texts}
    return {name: by_text[name] for name in ranking.systems}


def lines(ax, ranking, kind):
    """Return the pairs that a kind of line joins, by its ends."""
    at = {position: name for name, position in positions(ax, ranking).items()}
    pairs = []
    for line in ax.lines:
        if line.get_label() == kind:
            x, y = line.get_data()
            pairs.append((at[x[0], y[0]], at[x[-1], y[-1]]))
    return pairs


@cache
def drawn(name):
    ranking = ranked(**CASES[name])
    return ranking, order(ranking, ax=axes((12.0, order_height(ranking))))


@pytest.mark.parametrize("name", CASES)
def test_levels_are_those_of_the_order(name):
    ranking, ax = drawn(name)
    at = positions(ax, ranking)
    for system, level in zip(ranking.order.systems, ranking.order.levels, strict=True):
        assert at[system][1] == level
    assert len(set(at.values())) == len(ranking.systems)
    low, high = ax.get_ylim()
    assert low < high  # the best on top


@pytest.mark.parametrize("name", CASES)
def test_lines_lead_from_each_system_to_those_directly_above(name):
    ranking, ax = drawn(name)
    assert sorted(lines(ax, ranking, "below")) == sorted(ranking.order.covers)


@pytest.mark.parametrize(
    ("name", "kind"), [*product(CASES, [("≈", "equivalent"), ("?", "undecided")])]
)
def test_pairs_without_an_order_are_joined_or_lie_in_a_row_that_is(name, kind):
    ranking, ax = drawn(name)
    sign, which = kind
    pairs = {frozenset(pair) for pair in getattr(ranking.order, which)}
    joined = {frozenset(pair) for pair in lines(ax, ranking, sign)}
    assert joined <= pairs
    if name == "many-undecided" and sign == "?":
        assert not joined
        label = ax.get_xlabel().replace("\u00a0", " ")
        assert f"the other {len(pairs)} pairs: undecided" in label
        return
    where = positions(ax, ranking)
    for pair in pairs - joined:
        one, other = sorted(pair, key=where.get)
        assert where[one][1] == where[other][1]
        between = [
            system
            for system, (x, level) in where.items()
            if level == where[one][1] and where[one][0] <= x <= where[other][0]
        ]
        assert len(between) > 2
        for a, b in product(between, between):
            assert a == b or frozenset((a, b)) in pairs


@pytest.mark.parametrize("name", CASES)
def test_undecided_lines_are_marked_where_there_is_room(name):
    _, ax = drawn(name)
    marks = [text.get_position() for text in ax.texts if text.get_text() == "?"]
    middles = [
        tuple(np.asarray(line.get_data())[:, 30])
        for line in ax.lines
        if line.get_label() == "?"
    ]
    assert set(marks) <= set(middles)
    assert len(set(marks)) == len(marks) >= len(middles) / 2
    assert bool(marks) == (name == "undecided")


def test_systems_in_a_circle_are_joined_by_arrows():
    ranking, ax = drawn("circles")
    assert ranking.order.cycles
    arrows = lines(ax, ranking, "circle")
    joined = {name for pair in arrows for name in pair}
    assert joined >= {name for cycle in ranking.order.cycles for name in cycle}
    assert "in a circle" in ax.get_xlabel().replace("\u00a0", " ")


@pytest.mark.parametrize("name", CASES)
def test_who_is_below_whom_can_be_read_off_the_lines(name):
    ranking, ax = drawn(name)
    relations = ranking.order
    arrows, up = lines(ax, ranking, "circle"), set(lines(ax, ranking, "below"))
    for _ in relations.systems:
        up |= {(a, d) for a, b in up for c, d in up if b == c}
    for i, j in np.argwhere(relations.below):
        pair = relations.systems[i], relations.systems[j]
        assert (pair in up) != (pair in arrows)
    index = relations.systems.index
    assert all(relations.below[index(low), index(high)] for low, high in arrows)


def test_no_line_runs_through_a_name():
    for name in ("two", "chain", "equivalent", "undecided"):
        ranking, ax = drawn(name)
        ax.figure.draw_without_rendering()
        boxes = {
            text.get_text(): text.get_window_extent()
            for text in ax.texts
            if text.get_text() != "?"
        }
        ends = {at: system for system, at in positions(ax, ranking).items()}
        for line in ax.lines:
            x, y = line.get_data()
            own = {ends[x[0], y[0]], ends[x[-1], y[-1]]}
            curve = ax.transData.transform(np.column_stack([x, y]))
            for system, box in boxes.items():
                hit = [box.contains(*point) for point in curve]
                assert system in own or not any(hit), (name, system)


def test_title_is_the_chain_where_there_is_one():
    ranking, ax = drawn("chain")
    assert ax.get_title() == f"score: {ranking.order.chain}"
    ranking, ax = drawn("undecided")
    assert ranking.order.chain is None
    assert ax.get_title() == "score: not all systems stand in one line"


@pytest.mark.parametrize("name", CASES)
def test_key_names_the_lines_that_are_drawn(name):
    ranking, ax = drawn(name)
    label = ax.get_xlabel().replace("\u00a0", " ")
    assert ("better than the one below" in label) == bool(ranking.order.covers)
    assert ("equivalent" in label) == bool(ranking.order.equivalent)
    assert ("undecided" in label) == bool(ranking.order.undecided)


@pytest.mark.parametrize(
    ("name", "size"),
    crossed(["two", "chain", "equivalent", "undecided"], [*SIZES, TINY]),
)
def test_text_is_tidy_at_every_size(name, size):
    assert_tidy(order(ranked(**CASES[name]), ax=axes(size)))


@pytest.mark.parametrize("name", CASES)
def test_text_is_tidy_on_a_figure_of_its_own(name):
    ranking = ranked(**CASES[name])
    ax = ranking.plot("order")
    assert ax.figure.get_figheight() == pytest.approx(order_height(ranking))
    assert_tidy(ax)
    plt.close(ax.figure)


@pytest.mark.parametrize(("gap", "size"), crossed([0.0, 0.02]))
def test_strange_names_are_literal(gap, size):
    ax = order(ranked(count=6, gap=gap, names=STRANGE), ax=axes(size))
    assert_tidy(ax)
    for text in (*ax.texts, ax.title):
        assert_literal(text)


@pytest.mark.parametrize("count", [2, 10])
def test_identical_systems_stand_in_one_row(count):
    ranking = lk.rank(same_scores(count=count), rope=0.01, draws=1000, seed=0)
    ax = order(ranking, ax=axes())
    assert_tidy(ax)
    assert {y for _, y in positions(ax, ranking).values()} == {0}
    assert len(lines(ax, ranking, "≈")) == count - 1


def test_same_result_same_bytes_and_a_picture_of_its_height():
    ranking = ranked(count=3)
    one, two = (picture(ranking, "order", form="png") for _ in "ab")
    assert one == two
    rows = int.from_bytes(one[20:24], "big")
    assert rows == pytest.approx(150 * order_height(ranking), abs=1)


# --- lines around boxes ---------------------------------------------------------------

LEFT, RIGHT = Box(0.1, 0, 0.1, 0.3), Box(0.9, 0, 0.1, 0.3)
LOW, HIGH = Box(0.5, 0, 0.2, 0.3), Box(0.5, 2, 0.2, 0.3)


def test_a_line_that_meets_nothing_is_straight():
    curve, clear = bent_line(LEFT, HIGH, [RIGHT], (-1, 3))
    assert clear
    assert curve[0].tolist() == [0.1, 0]
    assert curve[-1].tolist() == [0.5, 2]
    assert np.diff(curve, n=2, axis=0) == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize(
    ("ends", "middle"),
    [((LEFT, RIGHT), Box(0.5, 0, 0.2, 0.3)), ((LOW, HIGH), Box(0.5, 1, 0.2, 0.3))],
)
def test_a_line_leads_around_what_stands_between(ends, middle):
    curve, clear = bent_line(*ends, [middle], (-1, 3))
    assert clear
    assert not middle.hit(curve)
    assert curve[0].tolist() == [ends[0].x, ends[0].y]
    assert curve[-1].tolist() == [ends[1].x, ends[1].y]


def test_a_line_stays_in_sight():
    # Upwards there is a wall; downwards the axes end.
    walls = [Box(0.5, 0, 0.2, 0.3), Box(0.5, 1.1, 0.2, 1.8)]
    curve, clear = bent_line(LEFT, RIGHT, walls, (-0.3, 3))
    assert not clear
    assert curve[:, 1] == pytest.approx(0)
    curve, clear = bent_line(LEFT, RIGHT, walls, (-1, 3))
    assert clear
    assert curve[:, 1].min() > -1
