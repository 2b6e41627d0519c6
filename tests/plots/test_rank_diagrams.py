"""Diagrams of ranks as data: shades are probabilities, bars are groups."""

from dataclasses import replace
from functools import cache
from types import SimpleNamespace

import numpy as np
import pytest
from matplotlib import pyplot as plt
from matplotlib.colors import to_hex
from tests.plots.conftest import ENDS, SIZES, assert_literal, assert_tidy, axes, crossed
from tests.plots.scored import STRANGE, ranked, same_scores

import likelier as lk
from likelier.errors import SettingError
from likelier.plots import critical_difference, picture, ranks, style
from likelier.plots.rank_diagrams import _bars, critical_height, ranks_height

TINY = (2.0, 1.5)
COUNTS = (2, 3, 6, 10)


def cells(ax):
    (mesh,) = ax.collections
    return np.asarray(mesh.get_array())


def written(ax):
    """Return the percentages by row and column."""
    return {
        (round(text.get_position()[1]), round(text.get_position()[0]) - 1): text
        for text in ax.texts
    }


def names(ax):
    return [tick.get_text() for tick in ax.get_yticklabels()]


@cache
def table(count):
    """Draw the ranks of so many systems, once for all tests that look at them."""
    ranking = ranked(count=count, gap=0.004)
    return ranking, ranks(ranking, ax=axes((7.0, ranks_height(ranking))))


@pytest.mark.parametrize("count", COUNTS)
def test_shades_are_the_probabilities_best_on_top(count):
    ranking, ax = table(count)
    order = list(ranking.places)
    assert cells(ax) == pytest.approx(ranking.ranks.probability[order])
    assert names(ax) == [ranking.systems[index] for index in order]
    low, high = ax.get_ylim()
    assert low > high
    assert list(ax.get_xticks()) == list(range(1, count + 1))


@pytest.mark.parametrize("count", COUNTS)
def test_percentages_stand_in_their_cells(count):
    _, ax = table(count)
    shares, texts = cells(ax), written(ax)
    assert set(texts) == {tuple(cell) for cell in np.argwhere(shares >= 0.005)}
    for cell, text in texts.items():
        share = shares[cell]
        assert text.get_text() == (">99" if share >= 0.995 else f"{100 * share:.0f}")
        assert text.get_fontweight() == ("bold" if cell[1] == 0 else "normal")
        assert text.get_color() == ("white" if share > 0.75 else style.INK)


def luminance(colour):
    line = np.asarray(colour[:3])
    line = np.where(line <= 0.04045, line / 12.92, ((line + 0.055) / 1.055) ** 2.4)
    return float(line @ [0.2126, 0.7152, 0.0722])


def test_letters_stand_out_from_every_shade():
    shares = np.diag(np.linspace(0.01, 1, 6))
    ranking = ranked(count=6)
    ranking = replace(ranking, ranks=replace(ranking.ranks, probability=shares))
    ax = ranks(ranking, ax=axes((7.0, ranks_height(ranking))))
    (mesh,) = ax.collections
    ax.figure.draw_without_rendering()
    for cell, text in written(ax).items():
        shade = luminance(mesh.get_facecolor().reshape(6, 6, 4)[cell])
        letter = 1.0 if text.get_color() == "white" else 0.02
        light, dark = max(shade, letter), min(shade, letter)
        assert (light + 0.05) / (dark + 0.05) > 3.5


def test_where_cells_are_too_small_the_best_stands_at_the_right():
    ranking = ranked(count=10, gap=0.004)
    ax = ranks(ranking, ax=axes((1.8, 2.4)))
    assert_tidy(ax)
    texts = [text.get_text() for text in ax.texts]
    assert len(texts) == 10
    assert all(text.startswith("best ") for text in texts)
    share = float(ranking.ranks.best[ranking.places[0]])
    assert texts[0].split()[1].lstrip("<>") in (f"{100 * share:.0f}", "99")


@pytest.mark.parametrize(("count", "size"), crossed(COUNTS, [*SIZES, TINY]))
def test_text_is_tidy_at_every_size(count, size):
    ax = ranks(ranked(count=count, gap=0.004), ax=axes(size))
    assert_tidy(ax)
    assert len(names(ax)) >= min(count, 5)


@pytest.mark.parametrize("count", COUNTS)
def test_figure_grows_with_the_systems(count):
    ranking = ranked(count=count, gap=0.004)
    ax = ranking.plot()
    assert ax.figure.get_figheight() == pytest.approx(ranks_height(ranking))
    assert_tidy(ax)
    plt.close(ax.figure)


@pytest.mark.parametrize("size", ENDS)
def test_strange_names_are_literal(size):
    ax = ranks(ranked(count=6, names=STRANGE), ax=axes(size))
    assert_tidy(ax)
    for text in ax.get_yticklabels():
        assert_literal(text)
    assert {r"\$x_1\$", "\u200a_a", r"a\nb"} <= set(names(ax))


def test_identical_systems_share_all_ranks():
    ranking = lk.rank(same_scores(count=3), rope=0.01, draws=1000, seed=0)
    ax = ranks(ranking, ax=axes())
    assert_tidy(ax)
    assert cells(ax).sum(axis=1) == pytest.approx(1)
    assert cells(ax) == pytest.approx(1 / 3, abs=0.1)


def test_same_result_same_bytes_and_a_picture_of_its_height():
    ranking = ranked(count=3)
    one, two = (picture(ranking, form="png") for _ in "ab")
    assert one == two
    rows = int.from_bytes(one[20:24], "big")
    assert rows == pytest.approx(150 * ranks_height(ranking), abs=1)


# --- critical difference -----------------------------------------------------------

SMALL = (2.2, 1.6)


def bars(ax):
    """Return the ends of the bars over systems that do not differ."""
    lines = [line for line in ax.lines if to_hex(line.get_color()) == style.SAME]
    return [(line.get_ydata()[0], sorted(line.get_xdata())) for line in lines]


def elbows(ax):
    """Return the lines from ranks to names: their rank, depth and side."""
    lines = [line for line in ax.lines if len(line.get_xdata()) == 3]
    return [
        (line.get_xdata()[0], line.get_ydata()[2], line.get_xdata()[2])
        for line in lines
    ]


def name_positions(ax):
    """Return the positions of names, without the numbers of the axis and the scale."""
    return {
        text.get_text().strip(): text.get_position()
        for text in ax.texts
        if text.get_text().strip().endswith(")")
    }


@cache
def diagram(count, sets=12):
    """Draw a diagram of so many systems, once for all tests that look at it."""
    ranking = ranked(count=count, sets=sets, gap=0.004)
    ax = axes((7.0, critical_height(ranking)))
    return ranking, critical_difference(ranking, ax=ax)


@pytest.mark.parametrize("count", COUNTS)
def test_systems_stand_at_their_average_ranks(count):
    ranking, ax = diagram(count)
    average = ranking.friedman.average_ranks
    assert sorted(rank for rank, *_ in elbows(ax)) == sorted(average.tolist())
    positions = name_positions(ax)
    ends = {(side, depth): rank for rank, depth, side in elbows(ax)}
    for name, rank in zip(ranking.systems, average, strict=True):
        assert ends[positions[f"{name} ({rank:.2f})"]] == rank


@pytest.mark.parametrize("count", COUNTS)
def test_best_half_stands_at_the_right(count):
    _, ax = diagram(count)
    left, right = ax.get_xlim()
    assert left > count >= 1 > right  # turned: rank 1 is at the right
    better = [rank for rank, _, side in elbows(ax) if side < 1]
    worse = [rank for rank, _, side in elbows(ax) if side > count]
    assert len(better) == (count + 1) // 2
    assert len(better) + len(worse) == count
    assert not worse or max(better) <= min(worse)


@pytest.mark.parametrize("count", COUNTS)
@pytest.mark.parametrize("sets", [2, 12])
def test_bars_join_the_groups_of_several(count, sets):
    ranking, ax = diagram(count, sets)
    average = ranking.friedman.average_ranks
    groups = [
        sorted(average[list(group)].tolist())
        for group in ranking.nemenyi.groups
        if len(group) > 1
    ]
    left, right = ax.get_xlim()
    intervals = [ends for _, ends in bars(ax)]
    assert len(intervals) == len(groups)
    for ends, group in zip(intervals, groups, strict=True):
        more = 0.005 * (left - right)
        assert group[0] - more <= ends[0] <= group[0]
        assert group[-1] <= ends[1] <= group[-1] + more


@pytest.mark.parametrize("count", COUNTS)
def test_bars_that_meet_have_levels_of_their_own_above_the_names(count):
    ranking = ranked(count=count, sets=30, gap=0.003)
    ax = critical_difference(ranking, ax=axes())
    levels = bars(ax)
    for index, (level, (low, high)) in enumerate(levels):
        for other, (start, end) in levels[index + 1 :]:
            assert level != other or high < start or end < low
    depths = [depth for _, depth, _ in elbows(ax)]
    assert all(0 < level < min(depths) for level, _ in levels)


def test_bars_that_touch_have_levels_of_their_own():
    test = SimpleNamespace(average_ranks=np.array([1.0, 2.0, 3.0, 4.0]))
    groups = SimpleNamespace(groups=((0, 1), (1, 2), (2, 3)))
    assert [bar.level for bar in _bars(test, groups)] == [0, 1, 0]


@pytest.mark.parametrize("sets", [2, 12])
def test_scale_is_as_long_as_the_critical_difference(sets):
    ranking = ranked(count=3, sets=sets)
    ax = critical_difference(ranking, ax=axes())
    (scale,) = (
        line
        for line in ax.lines
        if to_hex(line.get_color()) == style.SOFT
        and line.get_ydata()[0] == line.get_ydata()[1]
    )
    critical = ranking.nemenyi.critical_difference
    assert abs(np.diff(scale.get_xdata())[0]) == pytest.approx(critical)
    left, right = ax.get_xlim()
    assert right < min(scale.get_xdata()) < max(scale.get_xdata()) < left
    assert f"CD = {critical:.2f}" in [text.get_text() for text in ax.texts]


def test_title_says_what_friedmans_test_does():
    title = critical_difference(ranked(count=3, sets=12), ax=axes()).get_title()
    p = ranked(count=3, sets=12).friedman.p_value
    assert "12 data sets" in title.replace("\u00a0", " ")
    assert (f"{p:.1e}" if p < 0.001 else f"{p:.3f}") in title


@pytest.mark.parametrize(("count", "size"), crossed(COUNTS, [*SIZES, SMALL]))
def test_diagram_is_tidy_at_every_size(count, size):
    ranking = ranked(count=count, sets=12, gap=0.004)
    assert_tidy(critical_difference(ranking, ax=axes(size)))


@pytest.mark.parametrize("count", COUNTS)
def test_diagram_grows_with_the_systems(count):
    ranking = ranked(count=count, sets=12, gap=0.004)
    ax = ranking.plot("critical")
    assert ax.figure.get_figheight() == pytest.approx(critical_height(ranking))
    assert_tidy(ax)
    plt.close(ax.figure)


@pytest.mark.parametrize("size", ENDS)
def test_strange_names_in_the_diagram_are_literal(size):
    ax = critical_difference(ranked(count=6, names=STRANGE), ax=axes(size))
    assert_tidy(ax)
    for text in (*ax.texts, ax.title):
        assert_literal(text)
    names = " ".join(name_positions(ax))
    assert r"\$x_1\$ (" in names
    assert r"a\nb (" in names


def test_identical_systems_stand_at_one_rank():
    ranking = lk.rank(same_scores(count=4), rope=0.01, draws=1000, seed=0)
    ax = critical_difference(ranking, ax=axes())
    assert {rank for rank, *_ in elbows(ax)} == {2.5}
    assert_tidy(ax)


def test_one_data_set_has_no_average_ranks():
    ranking = ranked(count=3, sets=1, folds=6)
    with pytest.raises(SettingError, match="several data sets"):
        ranking.plot("critical", ax=axes())


def test_same_diagram_same_bytes():
    ranking = ranked(count=3)
    one, two = (picture(ranking, "critical", form="svg") for _ in "ab")
    assert one == two
