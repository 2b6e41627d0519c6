"""Every data set on a line of its own: what its folds say, and what all say of it."""

from dataclasses import dataclass, replace
from math import ceil
from typing import TYPE_CHECKING

from likelier import wording
from likelier.errors import SettingError
from likelier.plots import labels, style
from likelier.plots.posterior import turned

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes

    from likelier.decision import Rope
    from likelier.interval import Interval
    from likelier.results import Comparison
    from likelier.results.across import Across, DataSetRow

# Inches for a line: of a few data sets, and of a hundred.
_ROOMY, _DENSE = 0.32, 0.17
# Points: letters smaller than this are left out instead.
_LEAST = 3.5
# Letters across: with fewer there is no room for a key.
_LEAST_LETTERS = 40
# The line of a data set's own folds stands so far above the other.
_APART = 0.17
# How far intervals may reach beyond the points, as a multiple of their span.
_BEYOND = 0.8


def data_sets(comparison: "Comparison", *, ax: "Axes | None" = None) -> "Axes":
    """Draw the difference on each data set, and how the others pull it.

    Use this after the hierarchical model, to see on which data sets the second system
    is better. A hollow dot is the mean difference of a data set's own folds with their
    interval, the filled dot below it is what all data sets together say of it, and the
    line between them is the shrinkage. The mean of the population and the next data
    set follow below. Where an interval leaves the picture it ends in an arrow.

    Parameters
    ----------
    comparison
        What `compare_scores` returned by the method hierarchical.
    ax
        Where to draw; by default a new figure, higher where there are more data sets.
    """
    across = _needed(comparison)
    axes = style.new_axes(height(comparison)) if ax is None else ax
    lines = _lines(across, _step(axes, len(across.rows)))
    axes.set_ylim(lines[-1].place + 0.7, -0.7)
    axes.set_xlim(*_window(lines, comparison.rope))
    _region(axes, comparison.rope, len(across.rows))
    pitch = _pitch(axes, lines)
    size = min(style.points(axes, 10), pitch)
    for line in lines:
        _draw(axes, line, comparison.rope, size)
    _words(axes, comparison)
    _names(axes, lines, pitch)
    return axes


def height(comparison: "Comparison") -> float:
    """Give the inches that a figure of so many data sets needs."""
    count = len(_needed(comparison).rows) + 2
    dense = min(max((count - 25) / 75, 0.0), 1.0)
    return 1.5 + count * (_ROOMY + dense * (_DENSE - _ROOMY))


def _needed(comparison: "Comparison") -> "Across":
    if comparison.across is None:
        message = (
            "A plot of data sets must come from the method hierarchical; got "
            f"{comparison.origin.method['name']}."
        )
        hint = "compare_scores(..., method='hierarchical'), with folds on data sets."
        raise SettingError(message, hint=hint)
    return comparison.across


@dataclass(frozen=True, eq=False)
class _Line:
    """One line of the plot: its name, its place from the top, and what is known.

    Attributes
    ----------
    name
        What stands at the left.
    place
        How far from the top.
    middle, hdi
        A point and the interval around it.
    marker
        The form of the point.
    row
        The data set, where the line is of one.
    """

    name: str
    place: float
    middle: float
    hdi: "Interval"
    marker: str = "o"
    row: "DataSetRow | None" = None


def _step(ax: "Axes", count: int) -> float:
    """Give the distance of the last two lines: their names must never be left out."""
    pitch = (style.extent(ax)[1] - 4.5 * style.points(ax, 10)) / (count + 3)
    return max(1.0, 1.8 * _LEAST / max(pitch, 1.0))


def _lines(across: "Across", step: float) -> list[_Line]:
    """Put the data sets in order, and their population a little below them."""
    mass, found = across.mass, across.population
    rows = sorted(across.rows, key=lambda row: -row.shrunken.mean())
    below = len(rows) - 0.5 + step
    centre, ahead = found.delta0, found.next
    return [
        *(
            _Line(r.name, at, r.shrunken.mean(), r.shrunken.hdi(mass), row=r)
            for at, r in enumerate(rows)
        ),
        _Line("population", below, centre.mean(), centre.hdi(mass), "D"),
        _Line("next data set", below + step, ahead.mean(), ahead.hdi(mass), "d"),
    ]


def _window(lines: "Sequence[_Line]", rope: "Rope | None") -> tuple[float, float]:
    """Give the differences to show: all points, and intervals as far as they may go."""
    rows = [line.row for line in lines if line.row is not None]
    seen = [0.0, lines[-2].middle, *(row.observed for row in rows)]
    seen += [end for line in lines if line.row is not None for end in line.hdi]
    low, high = min(seen), max(seen)
    ends = [(row.alone.low, row.alone.high) for row in rows]
    ends += [(line.hdi.low, line.hdi.high) for line in lines[-2:]]
    if rope is not None:
        ends.append((1.3 * rope.low, 1.3 * rope.high))
    more = _BEYOND * (high - low)
    least = max(min(end for end, _ in ends), low - more)
    most = min(max(end for _, end in ends), high + more)
    low, high = min(low, least), max(high, most)
    margin = 0.04 * (high - low) or 1e-6
    return low - margin, high + margin


def _region(ax: "Axes", rope: "Rope | None", count: int) -> None:
    """Draw the rope, zero, and the rule between data sets and population."""
    if rope is not None:
        ax.axvspan(rope.low, rope.high, color=style.BAND, zorder=0, linewidth=0)
    ax.axvline(0, color=style.INK, linewidth=0.8, linestyle=":", zorder=1)
    ax.axhline(count - 0.25, color=style.FAINT, linewidth=0.6, zorder=1)


def _pitch(ax: "Axes", lines: "Sequence[_Line]") -> float:
    """Give the distance of two lines in points, less what title and label take."""
    whole = style.extent(ax)[1]
    return max(whole - 4.5 * style.points(ax, 10), whole / 2) / (lines[-1].place + 1.4)


def _draw(ax: "Axes", line: _Line, rope: "Rope | None", size: float) -> None:
    """Draw what is known of a line, and what a data set's own folds say above it."""
    colour, place = _colour(line.hdi, rope), line.place
    if line.row is not None:
        above, place = line.place - _APART, line.place + _APART
        _bar(ax, line.row.alone, above, style.EQUIVALENT, 0.08 * size)
        moved = [line.row.observed, line.middle]
        ax.plot(moved, [above, place], color=style.FAINT, linewidth=0.06 * size)
        _dot(ax, line.row.observed, above, "o", style.FAINT, 0.4 * size, filled=False)
    known = line.marker != "d"  # the next data set is not seen yet
    _bar(ax, line.hdi, place, colour, (0.22 if known else 0.12) * size)
    _dot(ax, line.middle, place, line.marker, colour, 0.6 * size, filled=known)


def _colour(hdi: "Interval", rope: "Rope | None") -> str:
    """Colour what lies wholly on one side."""
    low, high = (0.0, 0.0) if rope is None else (rope.low, rope.high)
    if hdi.low > high:
        return style.BETTER
    if hdi.high < low:
        return style.WORSE
    return style.FAINT if low <= hdi.low and hdi.high <= high else style.INK


def _bar(
    ax: "Axes", interval: "Interval", place: float, colour: str, width: float
) -> None:
    """Draw an interval, with an arrow at an end that is out of sight."""
    left, right = ax.get_xlim()
    shown = max(interval.low, left), min(interval.high, right)
    ax.plot(
        [interval.low, interval.high],
        [place] * 2,
        color=colour,
        linewidth=width,
        solid_capstyle="butt",
        zorder=2,
    )
    for end, edge, marker in zip(interval, shown, "<>", strict=True):
        if end != edge:
            ax.plot(
                [edge],
                [place],
                marker=marker,
                markersize=1.5 + 2 * width,
                color=colour,
                clip_on=False,
                zorder=3,
            )


def _dot(
    ax: "Axes",
    x: float,
    place: float,
    marker: str,
    colour: str,
    size: float,
    *,
    filled: bool,
) -> None:
    ax.plot(
        [x],
        [place],
        marker=marker,
        markersize=size,
        color=colour,
        markerfacecolor=colour if filled else "white",
        markeredgewidth=0.17 * size,
        zorder=4,
    )


def _names(ax: "Axes", lines: "Sequence[_Line]", pitch: float) -> None:
    """Name the lines at the left; where they are too close, every second or third."""
    size = max(min(style.points(ax, 10), pitch / 1.15), _LEAST)
    every = max(1, ceil(1.15 * size / pitch - 1e-9))
    most = labels.room(ax, 0.35, size)
    last = len(lines) - 2
    named = [
        line
        for at, line in enumerate(lines)
        if at >= last or (at % every == 0 and at <= last - every)
    ]
    ax.set_yticks(
        [line.place for line in named],
        [style.shortened(line.name, most) for line in named],
    )
    ax.tick_params(axis="y", length=0, labelsize=size, labelcolor=style.INK)


def _words(ax: "Axes", comparison: "Comparison") -> None:
    """Label the axis, and say there what the dots are."""
    said = labels.unbroken(comparison.verdict.name)
    labels.title(ax, f"{labels.asked(comparison.question, ax)}: {said}")
    rope = "" if comparison.rope is None else f", rope {comparison.rope}"
    question = comparison.question
    if turned(comparison) and question.metric not in ("error_rate", "mean_loss"):
        question = replace(question, systems=question.systems[::-1])
    told = labels.difference(question, ax)
    if labels.room(ax, 1.0, style.points(ax, 10)) > _LEAST_LETTERS:
        told += (
            "\n(○ from its own folds, ● given all data sets; "
            f"{wording.interval_name('hdi', comparison.mass)}{rope})"
        )
    labels.below(ax, told)
    style.open_axes(ax)
    ax.spines["left"].set_visible(False)
    ax.locator_params(axis="x", nbins=labels.room(ax, 0.1, style.points(ax, 9)))
