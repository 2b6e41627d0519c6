"""Forests as data: a line per class, per comparison, per data set."""

from functools import cache

import numpy as np
import pytest
from matplotlib import pyplot as plt
from matplotlib.colors import to_hex
from tests.plots.conftest import (
    ENDS,
    HOSTILE,
    assert_literal,
    assert_tidy,
    axes,
    crossed,
)
from tests.plots.scored import STRANGE, repeated, same_scores, scores
from tests.plots.scored import compared as folds_compared

import likelier as lk
from likelier.errors import SettingError
from likelier.plots import data_sets, forest, intervals, picture, style
from likelier.plots.forests import data_sets_height, forest_height


@cache
def compared(names=("a", "b", "c", "d"), *, right=(0.6, 0.75), n=400, **settings):
    rng = np.random.default_rng(0)
    k, label = len(names), np.array(names)
    gold = rng.integers(k, size=n)
    predictions = [
        np.where(rng.random(n) < share, gold, rng.integers(k, size=n))
        for share in right
    ]
    columns = [label[column].tolist() for column in (gold, *predictions)]
    return lk.compare_groups(*columns, seed=0, draws=1000, **settings)


@cache
def many(k):
    return compared(tuple(f"class {i}" for i in range(k)), n=6 * k, rope=0.02)


def bars(ax):
    """Return the ends of the bars by their height."""
    lines = [line for line in ax.lines if line.get_marker() == "None"]
    lines = [line for line in lines if len(set(line.get_ydata())) == 1]
    inside = [line for line in lines if list(line.get_xdata()) != [0, 1]]
    return {float(line.get_ydata()[0]): list(line.get_xdata()) for line in inside}


def dots(ax):
    return {
        float(line.get_ydata()[0]): line
        for line in ax.lines
        if line.get_marker() != "None"
    }


def names(ax):
    return [tick.get_text() for tick in ax.get_yticklabels()]


def ordered(result):
    rows = sorted(result.rows, key=lambda r: -r.comparison.posterior.difference.mean())
    return [row.comparison for row in rows]


def by_height(result):
    """Return the comparisons by the height at which they are drawn."""
    below = len(result.rows) + 0.5
    classes = dict(enumerate(ordered(result)))
    return classes | {below + i: one for i, one in enumerate(result.averages)}


@pytest.mark.parametrize("rope", [None, 0.02, (-0.01, 0.05)])
def test_bars_are_hdis_and_dots_are_means(rope):
    result = compared(rope=rope)
    ax = result.plot(ax=axes())
    intervals, points = bars(ax), dots(ax)
    assert intervals.keys() == points.keys() == by_height(result).keys()
    for y, one in by_height(result).items():
        assert intervals[y] == list(one.hdi)
        assert points[y].get_xdata()[0] == one.posterior.difference.mean()


def test_classes_stand_in_order_of_their_means_and_averages_below():
    result = compared()
    ax = forest(result, ax=axes())
    classes = [one.settings.positive for one in ordered(result)]
    assert names(ax) == [*classes, "micro F1", "macro F1", "weighted F1"]
    low, high = ax.get_ylim()
    assert low > high  # the first is on top
    rules = [line for line in ax.lines if list(line.get_xdata()) == [0, 1]]
    (rule,) = rules
    assert len(classes) - 1 < rule.get_ydata()[0] < len(classes) + 0.5


@pytest.mark.parametrize("rope", [None, 0.02, (-0.01, 0.05)])
def test_band_is_the_rope(rope):
    result = compared(rope=rope)
    ax = forest(result, ax=axes())
    bands = [p for p in ax.patches if to_hex(p.get_facecolor()) == style.ROPE]
    assert len(bands) == (rope is not None)
    for band in bands:
        region = result.rows[0].comparison.rope
        assert band.get_x() == region.low
        assert band.get_x() + band.get_width() == pytest.approx(region.high)
    assert any(list(line.get_xdata()) == [0, 0] for line in ax.lines)


def test_symbols_at_the_right_are_the_verdicts():
    result = compared(rope=0.1)
    ax = forest(result, ax=axes())
    *symbols, left, right = ax.texts
    for text, (y, one) in zip(symbols, by_height(result).items(), strict=True):
        assert text.get_position()[1] == y
        assert text.get_text() == one.verdict.symbol
        dot, look = dots(ax)[y], style.LOOKS[one.verdict.name]
        assert text.get_color() == look.colour == dot.get_color()
        assert dot.get_marker() == "o"
        assert (to_hex(dot.get_markerfacecolor()) != "#ffffff") is look.filled
    assert left.get_text() == "← first better"
    assert right.get_text() == "second better →"
    counted = ax.get_title().replace("\u00a0", " ")
    for verdict in {row.comparison.verdict for row in result.rows}:
        assert f"{verdict.symbol} {verdict.name} in " in counted


def test_verdicts_differ_without_colour():
    looks = [(look.marker, look.filled) for look in style.LOOKS.values()]
    assert len(set(looks)) >= len(looks) - 1  # decided is only in plans
    verdicts = {name: look for name, look in style.LOOKS.items() if name != "decided"}
    assert len({(x.marker, x.filled) for x in verdicts.values()}) == len(verdicts)


def test_label_says_what_is_subtracted():
    result = compared(systems=("old", "new"), rope=0.02, mass=0.8)
    label = forest(result, ax=axes()).get_xlabel()
    assert label == "difference in F1, new minus old\n(80 % HDI, rope ±0.02)"


def test_figure_grows_with_the_classes():
    heights = [forest_height(many(k)) for k in (2, 20, 100)]
    assert heights == sorted(heights)
    assert heights[0] < 3
    assert heights[-1] < 20
    for k in (2, 20):
        ax = many(k).plot()
        assert ax.figure.get_figheight() == pytest.approx(forest_height(many(k)))
        plt.close(ax.figure)


@pytest.mark.parametrize("k", [2, 20, 100])
def test_text_is_tidy_on_a_figure_of_its_own(k):
    ax = axes((7.0, forest_height(many(k))))
    forest(many(k), ax=ax)
    assert_tidy(ax)
    assert len(names(ax)) == k + 3
    assert ax.get_yticklabels()[0].get_size() >= 6


@pytest.mark.parametrize(("k", "size"), crossed([2, 8, 20]))
def test_text_is_tidy_at_every_size(k, size):
    ax = forest(many(k), ax=axes(size))
    assert_tidy(ax)
    assert len(names(ax)) >= min(k + 3, 11)


def test_names_are_thinned_rather_than_unreadable():
    ax = forest(many(100), ax=axes("column"))
    assert len(bars(ax)) == 103
    assert len(names(ax)) < 70
    assert ax.get_yticklabels()[0].get_size() >= 5


@pytest.mark.parametrize("size", ENDS)
def test_hostile_names_are_literal(size):
    result = compared(HOSTILE, systems=("$a", "_" + "b" * 80))
    ax = forest(result, ax=axes(size))
    assert_tidy(ax)
    labels = ax.get_yticklabels()
    for text in (*labels, ax.xaxis.label):
        assert_literal(text)
    texts = [label.get_text() for label in labels]
    assert {r"\$x_1\$", "\u200a_a", r"a\nb"} <= set(texts)
    assert len([name for name in texts if "…" in name and len(name) < 40]) == 2


def test_one_class():
    result = compared(classes=("b",), averages=())
    ax = forest(result, ax=axes())
    assert names(ax) == ["b"]
    assert list(bars(ax).values()) == [list(result.rows[0].comparison.hdi)]
    assert_tidy(ax)


def test_identical_systems():
    gold, same = ["a", "b", "c"] * 40, ["a", "b", "a"] * 40
    result = lk.compare_groups(gold, same, same, rope=0.05, seed=0, draws=1000)
    ax = forest(result, ax=axes())
    assert_tidy(ax)
    assert len(bars(ax)) == 6


def test_same_result_same_bytes_and_a_picture_of_its_height():
    first, second = (picture(compared(), form="png") for _ in range(2))
    assert first == second
    rows = int.from_bytes(first[20:24], "big")
    assert rows == pytest.approx(150 * forest_height(compared()), abs=1)


def test_comparisons_of_several_metrics_stand_on_lines_of_their_own():
    gold, first, second = (
        ["a", "b", "c"] * 40,
        ["a", "b", "a"] * 40,
        ["a", "c", "c"] * 40,
    )
    comparisons = [
        lk.compare(gold, first, second, metric=name, rope=0.05, seed=0, draws=1000)
        for name in ("accuracy", "macro_f1")
    ]
    ax = intervals(comparisons, ax=axes())
    assert names(ax) == ["accuracy", "macro F1"]
    assert list(bars(ax).values()) == [list(one.hdi) for one in comparisons]
    assert_tidy(ax)


# --- data sets of the hierarchical model -------------------------------------------

TINY = (2.0, 1.5)


@cache
def drawn(sets=5, rope=0.01):
    result = repeated(sets, rope=rope)
    return result, data_sets(result, ax=axes((7.0, data_sets_height(result))))


def named(ax):
    heights = [float(y) for y in ax.get_yticks()]
    return dict(zip([t.get_text() for t in ax.get_yticklabels()], heights, strict=True))


def set_bars(ax, height):
    """Return the intervals close to a height, from the top."""
    intervals = {}
    for line in ax.lines:
        x, y = list(line.get_xdata()), list(line.get_ydata())
        if len(x) == 2 and y[0] == y[1] and x != [0, 1] and abs(y[0] - height) < 0.4:
            intervals[float(y[0])] = x
    return [intervals[y] for y in sorted(intervals)]


def set_dots(ax, height):
    """Return strokes and dots close to a height, from the top, without arrows."""
    points = {}
    for line in ax.lines:
        y = float(line.get_ydata()[0])
        if line.get_marker() in "|oDd" and abs(y - height) < 0.4:
            points[y] = line
    return [points[y] for y in sorted(points)]


def ordered_sets(result):
    return sorted(result.data_sets.rows, key=lambda row: -row.shrunken.mean())


@pytest.mark.parametrize("sets", [2, 5, 54])
def test_each_data_set_has_its_own_estimate_and_the_shrunken_one(sets):
    result, ax = drawn(sets)
    for y, row in enumerate(ordered_sets(result)):
        alone, shrunken = set_bars(ax, y)
        assert alone == list(row.alone)
        assert shrunken == list(row.shrunken.hdi(0.95))
        own, pooled = set_dots(ax, y)
        assert own.get_xdata()[0] == row.observed
        assert pooled.get_xdata()[0] == row.shrunken.mean()
        assert (own.get_marker(), pooled.get_marker()) == ("|", "o")
        filled = to_hex(pooled.get_markerfacecolor()) != "#ffffff"
        assert filled == (pooled.get_color() != style.INK)


@pytest.mark.parametrize("sets", [2, 5, 54])
def test_population_and_next_data_set_stand_below(sets):
    result, ax = drawn(sets)
    model, heights = result.data_sets.population, named(ax)
    assert list(heights)[-2:] == ["population", "next data set"]
    for name, law in (("population", model.delta0), ("next data set", model.next)):
        assert set_bars(ax, heights[name]) == [list(law.hdi(0.95))]
        (dot,) = set_dots(ax, heights[name])
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
    assert moved == [
        [row.observed, row.shrunken.mean()] for row in ordered_sets(result)
    ]


def test_names_are_in_order_of_the_shrunken_means():
    result, ax = drawn()
    assert list(named(ax))[:-2] == [row.name for row in ordered_sets(result)]


@pytest.mark.parametrize("rope", [None, 0.01, (-0.005, 0.02)])
def test_band_is_the_rope_and_zero_is_marked(rope):
    result, ax = drawn(rope=rope)
    bands = [p for p in ax.patches if to_hex(p.get_facecolor()) == style.ROPE]
    assert len(bands) == (rope is not None)
    for band in bands:
        assert band.get_x() == result.rope.low
        assert band.get_x() + band.get_width() == pytest.approx(result.rope.high)
    assert any(list(line.get_xdata()) == [0, 0] for line in ax.lines)


@pytest.mark.parametrize(
    ("gap", "colour"), [(0.2, style.BETTER), (-0.2, style.WORSE), (0, style.INK)]
)
def test_colours_say_on_which_side_all_of_an_interval_lies(gap, colour):
    result = folds_compared(sets=2, gap=gap, rope=0.001)
    ax = data_sets(result, ax=axes())
    assert {set_dots(ax, y)[1].get_color() for y in range(2)} == {colour}


def test_wide_intervals_do_not_flatten_the_picture():
    # Three folds say little of a data set alone.
    table = scores(sets=5, folds=3)
    result = lk.compare_folds(table, rope=0.01, method="hierarchical")
    ax = data_sets(result, ax=axes())
    left, right = ax.get_xlim()
    rows = result.data_sets.rows
    hdis = [row.shrunken.hdi(0.95) for row in rows]
    points = [x for row in rows for x in (row.observed, row.shrunken.mean())]
    lowest, highest = min(hdi.low for hdi in hdis), max(hdi.high for hdi in hdis)
    assert left < min([*points, lowest])
    assert max([*points, highest]) < right
    assert right - left < 4 * (highest - lowest)
    cut = [row for row in rows if row.alone.high > right]
    arrows = [line for line in ax.lines if line.get_marker() == ">"]
    assert len(cut) == len(arrows) > 0
    assert {line.get_xdata()[0] for line in arrows} == {right}


def test_label_of_data_sets_says_what_is_subtracted():
    _, ax = drawn()
    assert ax.get_xlabel().replace("\u00a0", " ") == (
        "difference in score, system 1 minus system 0\n"
        "(strokes: own folds, dots: given all data sets, 95 % HDI, rope ±0.01)"
    )


def test_where_less_is_better_the_label_is_turned_round():
    table = lk.Scores.from_arrays(
        [[0.3, 0.31, 0.33, 0.3]] * 2,
        [[0.2, 0.22, 0.21, 0.2]] * 2,
        metric="loss",
        higher_is_better=False,
    )
    ax = data_sets(lk.compare_folds(table, rope=0.01), ax=axes())
    label = "difference in loss (less is better), first minus second\n"
    assert ax.get_xlabel().startswith(label)
    assert all(set_dots(ax, y)[1].get_xdata()[0] > 0 for y in range(2))


def test_figure_grows_with_the_data_sets():
    heights = [data_sets_height(repeated(sets)) for sets in (2, 5, 54)]
    assert heights == sorted(heights)
    assert heights[0] < 3
    assert heights[-1] < 18
    ax = folds_compared(sets=5, rope=0.01).plot("data-sets")
    assert ax.figure.get_figheight() == pytest.approx(
        data_sets_height(folds_compared(sets=5, rope=0.01))
    )
    plt.close(ax.figure)


@pytest.mark.parametrize("sets", [2, 5, 54])
def test_data_sets_are_tidy_on_a_figure_of_their_own(sets):
    _, ax = drawn(sets)
    assert_tidy(ax)
    assert len(named(ax)) == sets + 2
    assert ax.get_yticklabels()[0].get_size() >= 7


@pytest.mark.parametrize(("sets", "size"), [*crossed((2, 5, 54)), (2, TINY), (5, TINY)])
def test_data_sets_are_tidy_at_every_size(sets, size):
    ax = data_sets(repeated(sets), ax=axes(size))
    assert_tidy(ax)
    assert len(named(ax)) >= min(sets + 2, 4 if size == TINY else 14)


@pytest.mark.parametrize("size", ENDS)
def test_strange_names_of_data_sets_are_literal(size):
    result = repeated(6, datasets=STRANGE, names=("$a", "_" + "b" * 80))
    ax = data_sets(result, ax=axes(size))
    assert_tidy(ax)
    for text in (*ax.get_yticklabels(), ax.xaxis.label, ax.title):
        assert_literal(text)
    assert {r"\$x_1\$", "\u200a_a", r"a\nb"} <= set(named(ax))


def test_identical_systems_on_data_sets():
    result = lk.compare_folds(same_scores(folds=6), rope=0.01)
    ax = data_sets(result, ax=axes())
    assert_tidy(ax)
    assert {set_dots(ax, y)[0].get_xdata()[0] for y in range(5)} == {0.0}


@pytest.mark.parametrize("method", ["signed-rank", "correlated-t"])
def test_other_methods_are_refused(method):
    result = folds_compared(method=method, sets=1 if method == "correlated-t" else 5)
    with pytest.raises(SettingError, match=f"hierarchical; got {method}"):
        result.plot("data-sets", ax=axes())
    with pytest.raises(SettingError):
        data_sets_height(result)


def test_same_data_sets_same_bytes():
    result = folds_compared(sets=5, rope=0.01)
    one, two = (picture(result, "data-sets", form="png") for _ in "ab")
    assert one == two
    rows = int.from_bytes(one[20:24], "big")
    assert rows == pytest.approx(150 * data_sets_height(result), abs=1)
