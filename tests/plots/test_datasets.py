"""The forest of data sets as data: own folds, shrunken, population, the next one."""

from functools import cache
from itertools import product

import pytest
from matplotlib import pyplot as plt
from matplotlib.colors import to_hex
from tests.plots.conftest import SIZES, assert_literal, assert_tidy, axes
from tests.plots.scored import STRANGE, compared, same_scores, scores

import likelier as lk
from likelier.errors import SettingError
from likelier.plots import data_sets, style
from likelier.plots.datasets import height
from likelier.plots.picture import figure, saved

TINY = (2.0, 1.5)


@cache
def drawn(sets=5, rope=0.01):
    result = compared(sets=sets, rope=rope)
    return result, data_sets(result, ax=axes((7.0, height(result))))


def named(ax):
    places = [float(place) for place in ax.get_yticks()]
    return dict(zip([t.get_text() for t in ax.get_yticklabels()], places, strict=True))


def bars(ax, place):
    """Give the intervals close to a place, from the top."""
    found = {}
    for line in ax.lines:
        x, y = list(line.get_xdata()), list(line.get_ydata())
        if len(x) == 2 and y[0] == y[1] and x != [0, 1] and abs(y[0] - place) < 0.4:
            found[float(y[0])] = x
    return [found[y] for y in sorted(found)]


def dots(ax, place):
    """Give the points close to a place, from the top; arrows are none."""
    found = {}
    for line in ax.lines:
        y = float(line.get_ydata()[0])
        if line.get_marker() in "oDd" and abs(y - place) < 0.4:
            found[y] = line
    return [found[y] for y in sorted(found)]


def ordered(result):
    return sorted(result.across.rows, key=lambda row: -row.shrunken.mean())


@pytest.mark.parametrize("sets", [2, 5, 54])
def test_each_data_set_has_its_own_estimate_and_the_shrunken_one(sets):
    result, ax = drawn(sets)
    for place, row in enumerate(ordered(result)):
        alone, shrunken = bars(ax, place)
        assert alone == list(row.alone)
        assert shrunken == list(row.shrunken.hdi(0.95))
        own, given = dots(ax, place)
        assert own.get_xdata()[0] == row.observed
        assert given.get_xdata()[0] == row.shrunken.mean()
        assert to_hex(own.get_markerfacecolor()) == "#ffffff"
        assert to_hex(given.get_markerfacecolor()) != "#ffffff"


@pytest.mark.parametrize("sets", [2, 5, 54])
def test_population_and_next_data_set_stand_below(sets):
    result, ax = drawn(sets)
    found, places = result.across.population, named(ax)
    assert list(places)[-2:] == ["population", "next data set"]
    for name, law in (("population", found.delta0), ("next data set", found.next)):
        assert bars(ax, places[name]) == [list(law.hdi(0.95))]
        (dot,) = dots(ax, places[name])
        assert dot.get_xdata()[0] == law.mean()
    low, high = ax.get_ylim()
    assert low > high  # the first is on top


def test_thin_lines_lead_from_own_to_shrunken():
    result, ax = drawn()
    moved = [
        list(line.get_xdata())
        for line in ax.lines
        if len(line.get_ydata()) == 2
        and line.get_ydata()[0] < line.get_ydata()[1]
        and set(line.get_ydata()) != {0, 1}
    ]
    assert moved == [[row.observed, row.shrunken.mean()] for row in ordered(result)]


def test_names_are_in_order_of_the_shrunken_means():
    result, ax = drawn()
    assert list(named(ax))[:-2] == [row.name for row in ordered(result)]


@pytest.mark.parametrize("rope", [None, 0.01, (-0.005, 0.02)])
def test_band_is_the_rope_and_zero_is_marked(rope):
    result, ax = drawn(rope=rope)
    bands = [p for p in ax.patches if to_hex(p.get_facecolor()) == style.BAND]
    assert len(bands) == (rope is not None)
    for band in bands:
        assert band.get_x() == result.rope.low
        assert band.get_x() + band.get_width() == pytest.approx(result.rope.high)
    assert any(list(line.get_xdata()) == [0, 0] for line in ax.lines)


@pytest.mark.parametrize(
    ("gap", "colour"), [(0.2, style.BETTER), (-0.2, style.WORSE), (0, style.INK)]
)
def test_colours_say_on_which_side_all_of_an_interval_lies(gap, colour):
    result = compared(gap=gap, rope=0.001)
    ax = data_sets(result, ax=axes())
    assert {dots(ax, place)[1].get_color() for place in range(5)} == {colour}


def test_wide_intervals_do_not_flatten_the_picture():
    # Three folds say little of a data set alone.
    table = scores(sets=5, folds=3)
    result = lk.compare_scores(table, rope=0.01, method="hierarchical")
    ax = data_sets(result, ax=axes())
    left, right = ax.get_xlim()
    rows = result.across.rows
    kept = [row.shrunken.hdi(0.95) for row in rows]
    points = [x for row in rows for x in (row.observed, row.shrunken.mean())]
    assert left < min([*points, *(k.low for k in kept)])
    assert max([*points, *(k.high for k in kept)]) < right
    assert right - left < 4 * (max(k.high for k in kept) - min(k.low for k in kept))
    cut = [row for row in rows if row.alone.high > right]
    arrows = [line for line in ax.lines if line.get_marker() == ">"]
    assert len(cut) == len(arrows) > 0
    assert {line.get_xdata()[0] for line in arrows} == {right}


def test_label_says_what_was_taken_from_what():
    _, ax = drawn()
    assert ax.get_xlabel() == (
        "score: system 1 minus system 0\n(○ from its own folds, ● given all data "
        "sets; 95 % HDI, rope ±0.01)"
    )


def test_where_less_is_better_the_label_is_turned_round():
    table = lk.scores.from_arrays(
        [[0.3, 0.31, 0.33, 0.3]] * 2,
        [[0.2, 0.22, 0.21, 0.2]] * 2,
        metric="loss",
        higher_is_better=False,
    )
    ax = data_sets(lk.compare_scores(table, rope=0.01), ax=axes())
    assert ax.get_xlabel().startswith("loss (less…s better): first minus second")
    assert all(dots(ax, place)[1].get_xdata()[0] > 0 for place in range(2))


def test_figure_grows_with_the_data_sets():
    heights = [height(compared(sets=sets, rope=0.01)) for sets in (2, 5, 54)]
    assert heights == sorted(heights)
    assert heights[0] < 3
    assert heights[-1] < 18
    ax = compared(sets=5, rope=0.01).plot_data_sets()
    assert ax.figure.get_figheight() == pytest.approx(
        height(compared(sets=5, rope=0.01))
    )
    plt.close(ax.figure)


@pytest.mark.parametrize("sets", [2, 5, 54])
def test_text_is_tidy_on_a_figure_of_its_own(sets):
    _, ax = drawn(sets)
    assert_tidy(ax)
    assert len(named(ax)) == sets + 2
    assert ax.get_yticklabels()[0].get_size() >= 7


@pytest.mark.parametrize(
    ("sets", "size"), [*product((2, 5, 54), SIZES), (2, TINY), (5, TINY)]
)
def test_text_is_tidy_at_every_size(sets, size):
    ax = data_sets(compared(sets=sets, rope=0.01), ax=axes(size))
    assert_tidy(ax)
    assert len(named(ax)) >= min(sets + 2, 14)


@pytest.mark.parametrize("size", SIZES)
def test_strange_names_are_shown_literally(size):
    result = compared(sets=6, datasets=STRANGE, names=("$a", "_" + "b" * 80))
    ax = data_sets(result, ax=axes(size))
    assert_tidy(ax)
    for text in (*ax.get_yticklabels(), ax.xaxis.label, ax.title):
        assert_literal(text)
    assert {r"\$x_1\$", "\u200a_a", r"a\nb"} <= set(named(ax))


def test_identical_systems():
    result = lk.compare_scores(same_scores(folds=6), rope=0.01)
    ax = data_sets(result, ax=axes())
    assert_tidy(ax)
    assert {dots(ax, place)[0].get_xdata()[0] for place in range(5)} == {0.0}


@pytest.mark.parametrize("method", ["signed-rank", "correlated-t"])
def test_other_methods_are_refused(method):
    result = compared(method=method, sets=1 if method == "correlated-t" else 5)
    with pytest.raises(SettingError, match=f"hierarchical; got {method}"):
        result.plot_data_sets(axes())
    with pytest.raises(SettingError):
        height(result)


def test_same_result_same_bytes():
    result = compared(sets=5, rope=0.01)
    one, two = (
        saved(figure(result.plot_data_sets, height=height(result)), form="png")
        for _ in "ab"
    )
    assert one == two
    rows = int.from_bytes(one[20:24], "big")
    assert rows == pytest.approx(150 * height(result), abs=1)
