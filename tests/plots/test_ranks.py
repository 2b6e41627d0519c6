"""The table of ranks as data: shades and percentages are the probabilities."""

from dataclasses import replace

import numpy as np
import pytest
from matplotlib import pyplot as plt
from tests.plots.conftest import SIZES, assert_literal, assert_tidy, axes
from tests.plots.scored import STRANGE, ranked, same_scores

import likelier as lk
from likelier.plots import ranks, style
from likelier.plots.picture import picture
from likelier.plots.ranks import height

TINY = (2.0, 1.5)
COUNTS = (2, 3, 6, 10)


def cells(ax):
    (mesh,) = ax.collections
    return np.asarray(mesh.get_array())


def written(ax):
    """Give the percentages by row and column."""
    return {
        (round(text.get_position()[1]), round(text.get_position()[0]) - 1): text
        for text in ax.texts
    }


def names(ax):
    return [tick.get_text() for tick in ax.get_yticklabels()]


@pytest.mark.parametrize("count", COUNTS)
def test_shades_are_the_probabilities_best_on_top(count):
    ranking = ranked(count=count, gap=0.004)
    ax = ranks(ranking, ax=axes((7.0, height(ranking))))
    places = list(ranking.places)
    assert cells(ax) == pytest.approx(ranking.ranks.probability[places])
    assert names(ax) == [ranking.systems[place] for place in places]
    low, high = ax.get_ylim()
    assert low > high
    assert list(ax.get_xticks()) == list(range(1, count + 1))


@pytest.mark.parametrize("count", COUNTS)
def test_percentages_stand_in_their_cells(count):
    ranking = ranked(count=count, gap=0.004)
    ax = ranks(ranking, ax=axes((7.0, height(ranking))))
    shares, found = cells(ax), written(ax)
    assert set(found) == {tuple(place) for place in np.argwhere(shares >= 0.005)}
    for place, text in found.items():
        share = shares[place]
        told = ">99" if share >= 0.995 else f"{100 * share:.0f}"
        assert text.get_text() == told
        assert text.get_fontweight() == ("bold" if place[1] == 0 else "normal")
        assert text.get_color() == ("white" if share > 0.75 else style.INK)


def luminance(colour):
    line = np.asarray(colour[:3])
    line = np.where(line <= 0.04045, line / 12.92, ((line + 0.055) / 1.055) ** 2.4)
    return float(line @ [0.2126, 0.7152, 0.0722])


def test_letters_stand_out_from_every_shade():
    shares = np.diag(np.linspace(0.01, 1, 6))
    ranking = ranked(count=6)
    ranking = replace(ranking, ranks=replace(ranking.ranks, probability=shares))
    ax = ranks(ranking, ax=axes((7.0, height(ranking))))
    (mesh,) = ax.collections
    ax.figure.draw_without_rendering()
    for place, text in written(ax).items():
        shade = luminance(mesh.get_facecolor().reshape(6, 6, 4)[place])
        letter = 1.0 if text.get_color() == "white" else 0.02
        light, dark = max(shade, letter), min(shade, letter)
        assert (light + 0.05) / (dark + 0.05) > 3.5


def test_where_cells_are_too_small_the_best_stands_at_the_right():
    ranking = ranked(count=10, gap=0.004)
    ax = ranks(ranking, ax=axes((1.8, 2.4)))
    assert_tidy(ax)
    told = [text.get_text() for text in ax.texts]
    assert len(told) == 10
    assert all(text.startswith("best ") for text in told)
    share = float(ranking.ranks.best[ranking.places[0]])
    assert told[0].split()[1].lstrip("<>") in (f"{100 * share:.0f}", "99")


@pytest.mark.parametrize("size", [*SIZES, TINY])
@pytest.mark.parametrize("count", COUNTS)
def test_text_is_tidy_at_every_size(count, size):
    ax = ranks(ranked(count=count, gap=0.004), ax=axes(size))
    assert_tidy(ax)
    assert len(names(ax)) >= min(count, 5)


@pytest.mark.parametrize("count", COUNTS)
def test_figure_grows_with_the_systems(count):
    ranking = ranked(count=count, gap=0.004)
    ax = ranking.plot()
    assert ax.figure.get_figheight() == pytest.approx(height(ranking))
    assert_tidy(ax)
    plt.close(ax.figure)


@pytest.mark.parametrize("size", SIZES)
def test_strange_names_are_shown_literally(size):
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
    assert rows == pytest.approx(150 * height(ranking), abs=1)
