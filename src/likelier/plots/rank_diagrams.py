"""Ranks of many systems: a table of probabilities, and the critical difference."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from likelier import formatting
from likelier._typing import FloatArray
from likelier.errors import SettingError
from likelier.plots import style, wording

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes

    from likelier.methods.folds.rank_tests import Friedman, Nemenyi
    from likelier.results.ranking import Ranking
    from likelier.results.ranks import Ranks

# Points: letters smaller than this are left out instead.
_LEAST = 5.0
# Above it the shade is so dark that letters must be white.
_DARK = 0.75
# In lines of text: the scale of the critical difference above the axis, the first bar
# and the distance of bars, and the distance of names.
_SCALE, _FIRST, _BETWEEN, _NAMES = 1.9, 0.7, 0.55, 1.25
# Shares of the width: the most that names may take on either side, and a margin.
_MOST, _MARGIN = 0.37, 0.02


def ranks(ranking: "Ranking", *, ax: "Axes") -> "Axes":
    """Draw how probable each rank of each system is, as a table of shades.

    Use this to see how sure an order is: the best system stands on top, the first
    column is its probability to be the best, and the darker a cell, the more probable
    is that rank. Cells have their percentages where these fit, or else the
    probability to be the best stands at the right. An empty cell has less than half a
    percent.

    Parameters
    ----------
    ranking
        What `rank` returned.
    ax
        Where to draw.
    """
    drawn = _drawn_ranks(ranking)
    order = list(ranking.places)
    shares = drawn.probability[order]
    count, usual = len(order), style.points(ax, 10)
    width, height = style.extent(ax)
    pitch = (height - 2.5 * usual) / count
    size = max(min(usual, 0.75 * pitch), _LEAST)
    every = max(1, int(np.ceil(1.15 * size / max(pitch, 0.1) - 1e-9)))
    _cells(ax, shares)
    wide = 3 * style.LETTER * size < 0.7 * width / count
    if wide and 1.2 * size < (height - 2.5 * size) / count:
        _percentages(ax, shares, size)
    else:
        for row in range(0, count, every):
            text = f"best {drawn.best_text(order[row])}"
            style.write_right(ax, row, text, size, va="center_baseline")
    _name_cells(ax, [ranking.systems[index] for index in order], size, every)
    metric = wording.fit(ax, ranking.settings.metric_name, 0.6)
    wording.title(ax, f"{metric}: probability of each rank in %")
    wording.xlabel(ax, "rank, 1 is the best")
    return ax


def ranks_height(ranking: "Ranking") -> float:
    """Return the inches that a table of so many systems needs."""
    count = len(ranking.systems)
    return 1.3 + count * style.pitch(count, few=8, many=30, roomy=0.42, dense=0.26)


def critical_difference(ranking: "Ranking", *, ax: "Axes") -> "Axes":
    """Draw the average ranks of systems over data sets, and which do not differ.

    Use this for the diagram that papers show after Friedman's test. Systems stand at
    their average ranks, the best at the right; a bar joins systems whose ranks all lie
    within the critical difference of Nemenyi's test, which is drawn as a scale above.

    Parameters
    ----------
    ranking
        What `rank` returned for scores of several data sets.
    ax
        Where to draw.

    References
    ----------
    Demšar, 2006, https://jmlr.org/papers/v7/demsar06a.html.
    """
    test, after = _needed(ranking)
    bars = _bars(test, after)
    layout = _layout(ax, ranking, bars)
    style.bare_axes(ax)
    ax.set_xlim(*layout.reach)
    ax.set_ylim(layout.depth - _SCALE - 1.5, -_SCALE - 1.5)
    _ruler(ax, layout)
    _scale(ax, layout, after.critical_difference)
    _systems(ax, layout, ranking.systems, test.average_ranks)
    for bar in bars:
        _draw_bar(ax, layout, bar)
    metric = wording.fit(ax, ranking.settings.metric_name, 0.5)
    p_value = f"Friedman p = {formatting.p_value(test.p_value)}"
    remarks = wording.unbroken(f"{test.data_sets:,} data sets", p_value)
    wording.title(ax, f"Average ranks on {metric}: {remarks}")
    return ax


def critical_height(ranking: "Ranking") -> float:
    """Return the inches that a diagram of so many systems needs."""
    test, after = _needed(ranking)
    return 0.5 + _depth(test, _bars(test, after)) * 0.22


def _cells(ax: "Axes", shares: FloatArray) -> None:
    """Shade the cells from white to blue, with rules between them."""
    from matplotlib.colors import LinearSegmentedColormap

    shades = LinearSegmentedColormap.from_list("likelier", ["white", style.BETTER])
    count = len(shares)
    edges = np.arange(count + 1) + 0.5
    cells = ax.pcolormesh(edges, edges - 1, shares, cmap=shades, vmin=0.0, vmax=1.0)
    cells.set(edgecolor=style.ROPE, linewidth=0.6)
    ax.set_xlim(0.5, count + 0.5)
    ax.set_ylim(count - 0.5, -0.5)


def _percentages(ax: "Axes", shares: FloatArray, size: float) -> None:
    for row, column in np.argwhere(shares >= 0.005):
        share = float(shares[row, column])
        text = ">99" if share >= 0.995 else f"{100 * share:.0f}"
        look = {
            "color": "white" if share > _DARK else style.INK,
            "fontweight": "bold" if column == 0 else "normal",
        }
        style.write(ax, column + 1, row, text, 0.9 * size, va="center_baseline", **look)


def _drawn_ranks(ranking: "Ranking") -> "Ranks":
    if ranking.ranks is None:
        message = "A table of ranks must have drawn ranks; this ranking has none."
        raise SettingError(message, hint="plot('order') draws the order of any.")
    return ranking.ranks


def _name_cells(ax: "Axes", names: list[str], size: float, every: int) -> None:
    """Name the rows at the left and number the columns below."""
    rows = range(0, len(names), every)
    ax.set_yticks(rows, [wording.fit(ax, names[row], 0.35, size) for row in rows])
    letters = len(str(len(names))) + 1
    wide = max(1, -(-len(names) * letters // style.room(ax, 0.6, size)))
    ax.set_xticks(range(1, len(names) + 1, wide))
    ax.tick_params(length=0, labelsize=size, colors=style.INK)
    ax.spines[:].set_visible(False)


def _needed(ranking: "Ranking") -> "tuple[Friedman, Nemenyi]":
    if ranking.friedman is None or ranking.nemenyi is None:
        message = (
            "A critical-difference diagram must have average ranks over several data "
            "sets; got none."
        )
        hint = "rank() of scores on several data sets; plot() draws any ranking."
        raise SettingError(message, hint=hint)
    return ranking.friedman, ranking.nemenyi


class _Bar(NamedTuple):
    """Ranks of systems that do not differ, and the level that the bar stands on."""

    level: int
    worst: float
    best: float


def _bars(test: "Friedman", after: "Nemenyi") -> list[_Bar]:
    """Return the bars, on levels on which no two meet."""
    ends: list[float] = []
    bars = []
    for group in after.groups:
        if len(group) < 2:
            continue
        average = test.average_ranks[list(group)]
        best, worst = float(average.min()), float(average.max())
        free = [level for level, end in enumerate(ends) if end < best - 1e-9]
        level = free[0] if free else len(ends)
        ends[level:] = [worst, *ends[level + 1 :]]
        bars.append(_Bar(level, worst, best))
    return bars


def _depth(test: "Friedman", bars: "Sequence[_Bar]") -> float:
    """Count the lines of text from the scale down to the last name."""
    rows = (test.systems + 1) // 2
    return _SCALE + 1.5 + _top_name(bars) + _NAMES * (rows - 1) + 0.8


def _top_name(bars: "Sequence[_Bar]") -> float:
    """Return the depth of the first name, below all bars."""
    count = 1 + max((bar.level for bar in bars), default=-1)
    return _FIRST + _BETWEEN * count + 0.5


@dataclass(frozen=True, eq=False)
class _Layout:
    """Sizes of a diagram: across in ranks, down in lines of text.

    Attributes
    ----------
    count
        Number of systems, the last rank.
    size
        Of letters, in points.
    letters
        Number of letters of a name that there is room for.
    reach
        Ends of the horizontal axis, with the names; the worst rank first.
    inner
        Where the horizontal lines to the names end.
    top_name, depth
        Depth of the first name, and of all.
    """

    count: int
    size: float
    letters: int
    reach: tuple[float, float]
    inner: tuple[float, float]
    top_name: float
    depth: float


def _layout(ax: "Axes", ranking: "Ranking", bars: "Sequence[_Bar]") -> _Layout:
    """Share the width between names and ranks."""
    test, after = _needed(ranking)
    (width, height), depth = style.extent(ax), _depth(test, bars)
    size = max(min(style.points(ax, 10), 0.62 * (height - 20) / depth), 5.0)
    letters = max(6, int(_MOST * width / (style.LETTER * size)) - len(" (1.00)"))
    longest = max(min(wording.width(name), letters) for name in ranking.systems)
    side = style.LETTER * size * (longest + len(" (1.00) ")) / width
    low, high = min(1.0, test.systems - after.critical_difference), test.systems
    margin = _MARGIN * (high - low)
    inner = (high + margin, low - margin)
    each = side * (inner[0] - inner[1]) / max(1 - 2 * side, 0.2)
    reach = (inner[0] + each, inner[1] - each)
    return _Layout(test.systems, size, letters, reach, inner, _top_name(bars), depth)


def _ruler(ax: "Axes", layout: _Layout) -> None:
    """Draw the axis of average ranks, the best at the right."""
    size, last = layout.size, layout.count
    style.line(ax, [1, last], [0, 0], style.INK, 0.1 * size)
    every = max(1, round(last / 20))
    for rank in range(1, last + 1):
        style.line(ax, [rank] * 2, [0, -0.2], style.INK, 0.08 * size)
        if (rank - 1) % every == 0:
            style.write(ax, rank, -0.3, str(rank), size, va="bottom")


def _scale(ax: "Axes", layout: _Layout, critical: float) -> None:
    """Draw the critical difference as long as it is."""
    start, end = layout.count, layout.count - critical
    width, tick = 0.1 * layout.size, [-_SCALE - 0.15, -_SCALE + 0.15]
    style.line(ax, [start, end], [-_SCALE] * 2, style.SOFT, width)
    for x in (start, end):
        style.line(ax, [x] * 2, tick, style.SOFT, width)
    text, middle = f"CD = {critical:.2f}", (start + end) / 2
    above = {"va": "bottom", "color": style.SOFT}
    style.write(ax, middle, -_SCALE - 0.2, text, layout.size, **above)


def _systems(
    ax: "Axes", layout: _Layout, names: "Sequence[str]", average: FloatArray
) -> None:
    """Lead from each average rank to a name at the nearer side."""
    order = np.argsort(average, kind="stable")
    half = (layout.count + 1) // 2
    for side, chosen in ((1, order[:half]), (0, order[half:][::-1])):
        x = layout.inner[side]
        for row, system in enumerate(chosen):
            rank, depth = float(average[system]), layout.top_name + _NAMES * row
            corner, width = ([rank, rank, x], [0.0, depth, depth]), 0.07 * layout.size
            style.line(ax, *corner, style.INK, width, zorder=2)
            name = wording.shorten(names[system], layout.letters)
            text = f" {name} ({rank:.2f})" if side else f"{name} ({rank:.2f}) "
            ha = "left" if side else "right"
            style.write(ax, x, depth, text, layout.size, ha=ha)


def _draw_bar(ax: "Axes", layout: _Layout, bar: _Bar) -> None:
    """Join systems that do not differ."""
    beyond = 0.004 * abs(layout.reach[0] - layout.reach[1])
    ends, depth = [bar.worst + beyond, bar.best - beyond], _FIRST + _BETWEEN * bar.level
    more = {"solid_capstyle": "round", "zorder": 3}
    style.line(ax, ends, [depth] * 2, style.SAME, 0.35 * layout.size, **more)
