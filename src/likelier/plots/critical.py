"""The critical-difference diagram of average ranks (Demšar 2006)."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from likelier import wording
from likelier.errors import SettingError
from likelier.plots import labels, style

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes

    from likelier.results import Ranking
    from likelier.score_tests import Friedman, Nemenyi

# In lines of text: the scale of the critical difference above the axis, the first bar
# and the distance of bars, and the distance of names.
_SCALE, _FIRST, _BARS, _NAMES = 1.9, 0.7, 0.55, 1.25
# Shares of the width: the most that names may take on either side, and a margin.
_MOST, _MARGIN = 0.37, 0.02


def critical_difference(ranking: "Ranking", *, ax: "Axes | None" = None) -> "Axes":
    """Draw the average ranks of systems over data sets, and which do not differ.

    Use this for the diagram that papers show after Friedman's test. Systems stand at
    their average ranks, the best at the right; a bar joins systems whose ranks all lie
    within the critical difference of Nemenyi's test, which is drawn as a scale above.

    Parameters
    ----------
    ranking
        What `rank` returned for scores of several data sets.
    ax
        Where to draw; by default a new figure, higher where there are more systems.

    References
    ----------
    Demšar, 2006, https://jmlr.org/papers/v7/demsar06a.html.
    """
    test, after = _needed(ranking)
    axes = style.new_axes(height(ranking)) if ax is None else ax
    bars = _levels(test, after)
    plan = _Plan.of(axes, ranking, test, after, bars)
    _limits(axes, plan)
    _ruler(axes, plan)
    _scale(axes, plan, after)
    _systems(axes, plan, ranking, test)
    for level, (worst, best) in bars:
        _bar(axes, plan, level, worst, best)
    labels.title(axes, _told(axes, ranking, test))
    return axes


def height(ranking: "Ranking") -> float:
    """Give the inches that a figure of so many systems needs."""
    test, after = _needed(ranking)
    return 0.5 + _depth(test, _levels(test, after)) * 0.22


def _needed(ranking: "Ranking") -> "tuple[Friedman, Nemenyi]":
    if ranking.friedman is None or ranking.nemenyi is None:
        message = (
            "A critical-difference diagram must have average ranks over several data "
            "sets; got none."
        )
        hint = "rank() of scores on several data sets; plot() draws any ranking."
        raise SettingError(message, hint=hint)
    return ranking.friedman, ranking.nemenyi


def _levels(
    test: "Friedman", after: "Nemenyi"
) -> list[tuple[int, tuple[float, float]]]:
    """Give the ends of each bar, and levels on which no two bars meet."""
    ends: list[float] = []
    found = []
    for group in after.groups:
        if len(group) < 2:
            continue
        places = test.average_ranks[list(group)]
        best, worst = float(places.min()), float(places.max())
        free = [level for level, end in enumerate(ends) if end < best - 1e-9]
        level = free[0] if free else len(ends)
        ends[level:] = [worst, *ends[level + 1 :]]
        found.append((level, (worst, best)))
    return found


def _depth(test: "Friedman", bars: "Sequence[tuple[int, object]]") -> float:
    """Count the lines of text from the scale down to the last name."""
    rows = (test.systems + 1) // 2
    return _SCALE + 1.5 + _top_name(bars) + _NAMES * (rows - 1) + 0.8


def _top_name(bars: "Sequence[tuple[int, object]]") -> float:
    """Give the depth of the first name, below all bars."""
    count = 1 + max((level for level, _ in bars), default=-1)
    return _FIRST + _BARS * count + 0.5


@dataclass(frozen=True, eq=False)
class _Plan:
    """Where things stand: across in ranks, down in lines of text.

    Attributes
    ----------
    count
        How many systems there are, the last rank.
    size
        Of letters, in points.
    letters
        How many letters of a name there is room for.
    reach
        The ends of the horizontal axis, with the names; the worst rank first.
    inner
        Where the horizontal lines to the names end.
    top_name, depth
        The depth of the first name, and of all.
    """

    count: int
    size: float
    letters: int
    reach: tuple[float, float]
    inner: tuple[float, float]
    top_name: float
    depth: float

    @classmethod
    def of(
        cls,
        ax: "Axes",
        ranking: "Ranking",
        test: "Friedman",
        after: "Nemenyi",
        bars: "Sequence[tuple[int, object]]",
    ) -> "_Plan":
        """Share the width between names and ranks."""
        width, height = style.extent(ax)
        depth = _depth(test, bars)
        size = min(style.points(ax, 10), 0.62 * (height - 20) / depth)
        size = max(size, 3.5)
        room = int(_MOST * width / (labels.LETTER * size)) - len(" (1.00)")
        letters = max(6, room)
        shown = max(min(style.width(name), letters) for name in ranking.systems)
        side = labels.LETTER * size * (shown + len(" (1.00) ")) / width
        low, high = min(1.0, test.systems - after.critical_difference), test.systems
        margin = _MARGIN * (high - low)
        inner = (high + margin, low - margin)
        each = side * (inner[0] - inner[1]) / max(1 - 2 * side, 0.2)
        reach = (inner[0] + each, inner[1] - each)
        return cls(test.systems, size, letters, reach, inner, _top_name(bars), depth)


def _limits(ax: "Axes", plan: _Plan) -> None:
    ax.set_xlim(*plan.reach)
    ax.set_ylim(plan.depth - _SCALE - 1.5, -_SCALE - 1.5)
    ax.set_xticks([])
    ax.set_yticks([])
    for spine in ax.spines.values():
        spine.set_visible(False)


def _ruler(ax: "Axes", plan: _Plan) -> None:
    """Draw the axis of average ranks, the best at the right."""
    ax.plot([1, plan.count], [0, 0], color=style.INK, linewidth=0.1 * plan.size)
    every = max(1, round(plan.count / 20))
    for rank in range(1, plan.count + 1):
        ax.plot([rank] * 2, [0, -0.2], color=style.INK, linewidth=0.08 * plan.size)
        if (rank - 1) % every == 0:
            _text(ax, rank, -0.3, str(rank), plan.size, "center", "bottom")


def _scale(ax: "Axes", plan: _Plan, after: "Nemenyi") -> None:
    """Draw the critical difference as long as it is."""
    start, end = plan.count, plan.count - after.critical_difference
    ax.plot([start, end], [-_SCALE] * 2, color=style.FAINT, linewidth=0.1 * plan.size)
    for x in (start, end):
        ends = [-_SCALE - 0.15, -_SCALE + 0.15]
        ax.plot([x] * 2, ends, color=style.FAINT, linewidth=0.1 * plan.size)
    told = f"CD = {after.critical_difference:.2f}"
    middle = (start + end) / 2
    _text(ax, middle, -_SCALE - 0.2, told, plan.size, "center", "bottom", style.FAINT)


def _systems(ax: "Axes", plan: _Plan, ranking: "Ranking", test: "Friedman") -> None:
    """Lead from each average rank to a name at the nearer side."""
    order = np.argsort(test.average_ranks, kind="stable")
    half = (plan.count + 1) // 2
    for side, chosen in ((1, order[:half]), (0, order[half:][::-1])):
        for row, place in enumerate(chosen):
            rank = float(test.average_ranks[place])
            depth = plan.top_name + _NAMES * row
            corner = [(rank, 0.0), (rank, depth), (plan.inner[side], depth)]
            ax.plot(
                *zip(*corner, strict=True),
                color=style.INK,
                linewidth=0.07 * plan.size,
                zorder=2,
            )
            name = style.shortened(ranking.systems[place], plan.letters)
            told = f" {name} ({rank:.2f})" if side else f"{name} ({rank:.2f}) "
            x = plan.inner[side]
            _text(ax, x, depth, told, plan.size, ("right", "left")[side], "center")


def _bar(ax: "Axes", plan: _Plan, level: int, worst: float, best: float) -> None:
    """Join systems that do not differ."""
    depth, more = _FIRST + _BARS * level, 0.004 * abs(plan.reach[0] - plan.reach[1])
    ax.plot(
        [worst + more, best - more],
        [depth] * 2,
        color=style.BETTER,
        linewidth=0.35 * plan.size,
        solid_capstyle="round",
        zorder=3,
    )


def _text(
    ax: "Axes",
    x: float,
    y: float,
    told: str,
    size: float,
    ha: str,
    va: str,
    colour: str = style.INK,
) -> None:
    ax.text(x, y, told, fontsize=size, ha=ha, va=va, color=colour)


def _told(ax: "Axes", ranking: "Ranking", test: "Friedman") -> str:
    most = labels.room(ax, 0.4, style.points(ax, 11))
    metric = style.shortened(ranking.metric_name, most)
    p = labels.unbroken(f"Friedman p = {wording.p_value(test.p_value)}")
    sets = labels.unbroken(f"{test.data_sets:,} data sets")
    return f"Average ranks on {metric}: {sets}, {p}"
