"""The forest plot as data: a line per class, the averages below them."""

from functools import cache

import numpy as np
import pytest
from matplotlib import pyplot as plt
from matplotlib.colors import to_hex
from tests.plots.conftest import HOSTILE, SIZES, assert_literal, assert_tidy, axes

import likelier as lk
from likelier.plots import forest, intervals, style
from likelier.plots.forest import height
from likelier.plots.picture import picture


@cache
def compared(names=("a", "b", "c", "d"), *, right=(0.6, 0.75), n=400, **settings):
    rng = np.random.default_rng(0)
    k, label = len(names), np.array(names)
    gold = rng.integers(k, size=n)
    said = [np.where(rng.random(n) < r, gold, rng.integers(k, size=n)) for r in right]
    columns = [label[column].tolist() for column in (gold, *said)]
    return lk.compare_classes(*columns, seed=0, draws=300, **settings)


@cache
def many(k):
    return compared(tuple(f"class {i}" for i in range(k)), n=20 * k, rope=0.02)


def bars(ax):
    """Give the ends of the bars by their place."""
    found = [line for line in ax.lines if line.get_marker() == "None"]
    found = [line for line in found if len(set(line.get_ydata())) == 1]
    inside = [line for line in found if list(line.get_xdata()) != [0, 1]]
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


def shown(result):
    below = len(result.rows) + 0.5
    places = dict(enumerate(ordered(result)))
    return places | {below + i: known for i, known in enumerate(result.averages)}


@pytest.mark.parametrize("rope", [None, 0.02, (-0.01, 0.05)])
def test_bars_are_hdis_and_dots_are_means(rope):
    result = compared(rope=rope)
    ax = result.plot(axes())
    found, points = bars(ax), dots(ax)
    assert found.keys() == points.keys() == shown(result).keys()
    for place, known in shown(result).items():
        assert found[place] == list(known.hdi)
        assert points[place].get_xdata()[0] == known.posterior.difference.mean()


def test_classes_stand_in_order_of_their_means_and_averages_below():
    result = compared()
    ax = forest(result, ax=axes())
    wanted = [known.question.positive for known in ordered(result)]
    assert names(ax) == [*wanted, "micro F1", "macro F1", "weighted F1"]
    low, high = ax.get_ylim()
    assert low > high  # the first is on top
    rules = [line for line in ax.lines if list(line.get_xdata()) == [0, 1]]
    (rule,) = rules
    assert len(wanted) - 1 < rule.get_ydata()[0] < len(wanted) + 0.5


@pytest.mark.parametrize("rope", [None, 0.02, (-0.01, 0.05)])
def test_band_is_the_rope(rope):
    result = compared(rope=rope)
    ax = forest(result, ax=axes())
    bands = [p for p in ax.patches if to_hex(p.get_facecolor()) == style.BAND]
    assert len(bands) == (rope is not None)
    for band in bands:
        known = result.rows[0].comparison.rope
        assert band.get_x() == known.low
        assert band.get_x() + band.get_width() == pytest.approx(known.high)
    assert any(list(line.get_xdata()) == [0, 0] for line in ax.lines)


def test_symbols_at_the_right_are_the_verdicts():
    result = compared(rope=0.1)
    ax = forest(result, ax=axes())
    for text, (place, known) in zip(ax.texts, shown(result).items(), strict=True):
        assert text.get_position()[1] == place
        assert text.get_text() == known.verdict.symbol
        look = style.LOOKS[known.verdict.name]
        assert text.get_color() == look.colour == dots(ax)[place].get_color()
        assert dots(ax)[place].get_marker() == look.marker
    counted = ax.get_title().replace("\u00a0", " ")
    for verdict in {row.comparison.verdict for row in result.rows}:
        assert f"{verdict.symbol} {verdict.name} in " in counted


def test_verdicts_differ_without_colour():
    looks = [(look.marker, look.filled) for look in style.LOOKS.values()]
    assert len(set(looks)) >= len(looks) - 1  # decided is only in plans
    verdicts = {name: look for name, look in style.LOOKS.items() if name != "decided"}
    assert len({(x.marker, x.filled) for x in verdicts.values()}) == len(verdicts)


def test_label_says_what_was_taken_from_what():
    result = compared(systems=("old", "new"), rope=0.02, mass=0.8)
    label = forest(result, ax=axes()).get_xlabel()
    assert label == "F1: new minus old\n(80 % HDI, rope ±0.02)"


def test_figure_grows_with_the_classes():
    heights = [height(many(k)) for k in (2, 20, 100)]
    assert heights == sorted(heights)
    assert heights[0] < 3
    assert heights[-1] < 20
    for k in (2, 20):
        ax = many(k).plot()
        assert ax.figure.get_figheight() == pytest.approx(height(many(k)))
        plt.close(ax.figure)


@pytest.mark.parametrize("k", [2, 20, 100])
def test_text_is_tidy_on_a_figure_of_its_own(k):
    ax = axes((7.0, height(many(k))))
    forest(many(k), ax=ax)
    assert_tidy(ax)
    assert len(names(ax)) == k + 3
    assert ax.get_yticklabels()[0].get_size() >= 6


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("k", [2, 8, 20])
def test_text_is_tidy_at_every_size(k, size):
    ax = forest(many(k), ax=axes(size))
    assert_tidy(ax)
    assert len(names(ax)) == k + 3


def test_names_are_thinned_rather_than_unreadable():
    ax = forest(many(100), ax=axes("column"))
    assert len(bars(ax)) == 103
    assert len(names(ax)) < 70
    assert ax.get_yticklabels()[0].get_size() >= 3.5


@pytest.mark.parametrize("size", SIZES)
def test_hostile_names_are_shown_literally(size):
    result = compared(HOSTILE, systems=("$a", "_" + "b" * 80))
    ax = forest(result, ax=axes(size))
    assert_tidy(ax)
    labels = ax.get_yticklabels()
    for text in (*labels, ax.xaxis.label):
        assert_literal(text)
    told = [label.get_text() for label in labels]
    assert {r"\$x_1\$", "\u200a_a", r"a\nb"} <= set(told)
    assert len([name for name in told if "…" in name and len(name) < 40]) == 2


def test_one_class():
    result = compared(classes=("b",), averages=())
    ax = forest(result, ax=axes())
    assert names(ax) == ["b"]
    assert list(bars(ax).values()) == [list(result.rows[0].comparison.hdi)]
    assert_tidy(ax)


def test_identical_systems():
    gold, said = ["a", "b", "c"] * 40, ["a", "b", "a"] * 40
    result = lk.compare_classes(gold, said, said, rope=0.05, seed=0, draws=300)
    ax = forest(result, ax=axes())
    assert_tidy(ax)
    assert len(bars(ax)) == 6


def test_same_result_same_bytes_and_a_picture_of_its_height():
    first, second = (picture(compared(), form="png") for _ in range(2))
    assert first == second
    rows = int.from_bytes(first[20:24], "big")
    assert rows == pytest.approx(150 * height(compared()), abs=1)


def test_comparisons_of_several_metrics_stand_on_lines_of_their_own():
    gold, first, second = (
        ["a", "b", "c"] * 40,
        ["a", "b", "a"] * 40,
        ["a", "c", "c"] * 40,
    )
    found = [
        lk.compare(gold, first, second, metric=name, rope=0.05, seed=0, draws=300)
        for name in ("accuracy", "macro_f1")
    ]
    ax = intervals(found, ax=axes())
    assert names(ax) == ["accuracy", "macro F1"]
    assert list(bars(ax).values()) == [list(one.hdi) for one in found]
    assert_tidy(ax)
