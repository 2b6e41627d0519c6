"""Triangles as data: colours are the posterior, corners have the numbers."""

import warnings
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from matplotlib import pyplot as plt
from matplotlib.colors import to_hex
from matplotlib.patches import Polygon
from tests.plots.conftest import SIZES, assert_literal, assert_tidy, axes, crossed
from tests.plots.scored import STRANGE, compared, ranked, same_scores

import likelier as lk
from likelier.errors import SettingError
from likelier.interval import Rope
from likelier.plots import simplex, simplex_grid, style
from likelier.plots.figures import file_bytes

METHODS = ("hierarchical", "signed-rank", "sign")
TINY = (2.0, 1.5)
TOP = np.sqrt(3) / 2


def triangles(ax):
    return [patch for patch in ax.patches if isinstance(patch, Polygon)]


def shares(result):
    p = result.probability
    return {(0.0, 0.0): p.worse, (0.5, TOP): p.equivalent, (1.0, 0.0): p.better}


# Points across and up at which a drawing is looked at, both up to 1.
WIDE, HIGH = 75, 65
ACROSS = np.tile((np.arange(WIDE) + 0.5) / WIDE, HIGH)
UP = np.repeat((np.arange(HIGH) + 0.5) / HIGH, WIDE)


def shaded(ax):
    """Return how dark the points are, and their colours."""
    points = np.stack([ACROSS, TOP * UP], axis=1)
    seen = ax.transData.transform(points)
    light, colours = np.ones(len(points)), np.full(len(points), "", dtype=object)
    for shade in ax.collections:
        clip = shade.get_clip_path().get_fully_transformed_path()
        clipped = clip.contains_points(seen)
        for path, colour in zip(shade.get_paths(), shade.get_facecolor(), strict=True):
            covered = path.contains_points(points) & clipped
            light[covered] *= 1 - colour[-1]
            colours[covered] = to_hex(colour)
    return 1 - light, colours


def heaviest(ax):
    """Return the middle of the darkest points."""
    dark, _ = shaded(ax)
    most = dark > dark.max() - 1e-9
    return ACROSS[most].mean(), UP[most].mean()


@pytest.mark.parametrize("method", METHODS)
def test_corners_have_the_probabilities(method):
    result = compared(method=method)
    ax = simplex(result, ax=axes())
    first, second = result.settings.systems
    names = (f"{first} better", "equivalent (within ±0.01)", f"{second} better")
    assert len(ax.texts) == 3
    for text, name, (corner, share) in zip(
        ax.texts, names, shares(result).items(), strict=True
    ):
        assert tuple(text.xy) == pytest.approx(corner)
        assert text.get_text() == f"{name}\n{result.probability.text(share)}"
        bold = share == max(shares(result).values())
        assert text.get_fontweight() == ("bold" if bold else "normal")


@pytest.mark.parametrize("method", METHODS)
def test_density_lies_in_the_triangle_about_the_posterior_mean(method):
    result = compared(method=method, gap=0.008)
    ax = simplex(result, ax=axes())
    dark, _ = shaded(ax)
    outside = (ACROSS < UP / 2) | (ACROSS > 1 - UP / 2)
    assert dark[outside].max() == 0
    assert 0.75 < dark.max() <= 1
    # Shades are the root of the density.
    density = dark**2 / (dark**2).sum()
    masses = result.posterior.regions.masses(-0.01, 0.01).mean(axis=0)
    assert (density * UP).sum() == pytest.approx(masses[1], abs=0.08)
    middle = masses[2] + masses[1] / 2
    assert (density * ACROSS).sum() == pytest.approx(middle, abs=0.08)


@cache
def usual():
    """Draw the usual result, once for all tests that look at it."""
    return simplex(compared(), ax=axes())


def test_each_part_has_the_colour_of_its_corner():
    ax = usual()
    inks = [text.get_color() for text in ax.texts]
    assert inks == [style.WORSE_INK, style.SOFT, style.BETTER_INK]
    better = ACROSS - UP / 2
    masses = np.sort(np.stack([1 - UP - better, UP, better]), axis=0)
    nearest = np.stack([1 - UP - better, UP, better]).argmax(axis=0)
    parts = np.array([style.WORSE, style.SOFT, style.BETTER], dtype=object)[nearest]
    dark, colours = shaded(ax)
    clear = (dark > 0) & (masses[2] > masses[1] + 0.02)  # not on a border
    assert clear.sum() > 100
    assert (colours[clear] == parts[clear]).all()


def test_lines_part_the_triangle_where_two_masses_are_equal():
    ax = usual()
    assert len(ax.lines) == 3
    for line in ax.lines:
        x, y = np.asarray(line.get_data())
        rope = y / TOP
        better = x - rope / 2
        masses = np.sort(np.stack([1 - rope - better, rope, better]), axis=0)
        assert masses[2] == pytest.approx(masses[1])


@pytest.mark.parametrize(
    ("gap", "corner"), [(0.2, (1, 0)), (-0.2, (0, 0)), (0, (0.5, 1))]
)
def test_clear_answers_are_in_their_corners(gap, corner):
    rope = 0.1 if gap == 0 else 0.01
    ax = simplex(compared(method="signed-rank", gap=gap, sets=20, rope=rope), ax=axes())
    assert heaviest(ax) == pytest.approx(corner, abs=0.1)


@pytest.mark.parametrize(("sets", "size"), crossed([2, 5, 54], [*SIZES, TINY]))
def test_text_is_tidy_at_every_size(sets, size):
    assert_tidy(simplex(compared(method="signed-rank", sets=sets), ax=axes(size)))


@pytest.mark.parametrize(
    ("names", "size"),
    crossed([STRANGE[:2], STRANGE[2:4], STRANGE[4:], ("b" * 70, "c")]),
)
def test_strange_names_are_literal(names, size):
    result = compared(method="sign", names=names)
    ax = simplex(result, ax=axes(size))
    assert_tidy(ax)
    for text in (*ax.texts, ax.title):
        assert_literal(text)


@pytest.mark.parametrize("method", METHODS)
def test_identical_systems(method):
    folds = 6 if method == "hierarchical" else 1
    result = lk.compare_folds(
        same_scores(folds=folds), rope=0.01, method=method, draws=1000, seed=0
    )
    ax = simplex(result, ax=axes())
    assert_tidy(ax)
    assert heaviest(ax)[1] > 0.8


def test_one_data_set_has_no_triangle():
    with pytest.raises(SettingError, match=r"several data sets.*got correlated-t"):
        simplex(compared(method="correlated-t", sets=1), ax=axes())


@pytest.mark.parametrize("rope", [None, 0.0])
def test_without_a_rope_there_is_no_upper_corner(rope):
    with pytest.raises(SettingError, match="must have a rope"):
        simplex(compared(method="sign", rope=rope), ax=axes())
    with pytest.raises(SettingError, match="must have a rope"):
        simplex_grid(ranked(count=3, rope=rope))


def test_another_rope_gives_another_picture():
    result = compared(method="signed-rank")
    wider = replace(result, settings=replace(result.settings, rope=Rope.of(0.05)))
    first, second = (simplex(r, ax=axes()) for r in (result, wider))
    assert heaviest(first)[1] < heaviest(second)[1]


def test_results_draw_themselves_and_open_one_figure():
    result, ax = compared(method="sign"), axes()
    assert result.plot("simplex", ax=ax) is ax
    before = plt.get_fignums()
    opened = result.plot("simplex")
    assert len(plt.get_fignums()) == len(before) + 1
    plt.close(opened.figure)


@pytest.mark.parametrize("count", [2, 4])
def test_grid_has_a_triangle_for_each_pair_in_the_upper_half(count):
    ranking = ranked(count=count, gap=0.005)
    figure = ranking.plot("simplex")
    assert not any(ax.images for ax in figure.axes)
    cells = [ax for ax in figure.axes if ax.collections]
    assert len(cells) == len(ranking.comparisons) == count * (count - 1) // 2
    for ax, result in zip(cells, ranking.comparisons, strict=True):
        cell = ax.get_subplotspec()
        row, column = (ranking.systems.index(s) for s in result.settings.systems)
        assert (cell.rowspan.start, cell.colspan.start) == (row, column)
        p = result.probability
        texts = [text.get_text() for text in ax.texts]
        assert texts == [p.text(share) for share in (p.worse, p.equivalent, p.better)]


@pytest.mark.parametrize("count", [3, 6])
def test_names_of_a_grid_stand_on_the_diagonal_and_the_key_below(count):
    figure = simplex_grid(ranked(count=count, gap=0.005))
    texts = {}
    for ax in figure.axes:
        cell = ax.get_subplotspec()
        in_cell = [text.get_text() for text in ax.texts]
        texts[cell.rowspan.start, cell.colspan.start] = in_cell
        assert min(text.get_size() for text in ax.texts) >= 5.5
    for index in range(count):
        assert texts[index, index] == [f"system {index}"]
    key = " ".join(texts[count - 1, 0])
    assert "row\nbetter" in key
    assert "column\nbetter" in key
    assert len(triangles(figure.axes[-1])) == 1


@pytest.mark.parametrize("names", [None, STRANGE])
def test_cells_of_a_grid_do_not_overlap(names):
    figure = simplex_grid(ranked(count=6, gap=0.005, names=names))
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph")
        figure.draw_without_rendering()
    boxes = [text.get_window_extent() for ax in figure.axes for text in ax.texts]
    for index, box in enumerate(boxes):
        for other in boxes[index + 1 :]:
            assert not box.padded(-0.75).overlaps(other.padded(-0.75))
    for ax in figure.axes:
        for text in ax.texts:
            assert_literal(text)


def test_same_result_same_bytes():
    result = compared(method="sign")
    one, two = (file_bytes(simplex(result, ax=axes()).figure, form="svg") for _ in "ab")
    assert one == two
