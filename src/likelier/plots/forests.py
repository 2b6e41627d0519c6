"""Forests: many differences on one scale, each on a line of its own."""

from collections import Counter
from dataclasses import dataclass
from math import ceil
from typing import TYPE_CHECKING

from likelier import formatting
from likelier.errors import SettingError
from likelier.plots import style, wording
from likelier.results.comparison_parts import labels_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes

    from likelier.interval import Interval, Rope
    from likelier.results.comparison import Comparison
    from likelier.results.data_sets import DataSetRow, DataSets
    from likelier.results.group_comparison import GroupComparison
    from likelier.settings import Settings

# Points: letters smaller than this are left out instead.
_LEAST = 5.0
# Distance of the line of a data set's own folds above the other.
_APART = 0.17
# How far intervals may reach beyond the points, as a multiple of their span.
_BEYOND = 0.8
_OWN_FOLDS = style.Look(style.SOFT, "|")


def forest(result: "GroupComparison", *, ax: "Axes") -> "Axes":
    """Draw the HDI of the difference of every class, and of the averages below.

    Classes stand in order of their mean difference, the best for the second system
    first: neighbours can be compared, and verdicts form blocks. Where lines are too
    close for legible letters, only every second or third class is named.

    Parameters
    ----------
    result
        What `compare_groups` returned.
    ax
        Where to draw.
    """
    classes = [_verdict_line(row.name, row.comparison) for row in result.rows]
    averages = [_verdict_line(a.settings.metric_name, a) for a in result.averages]
    lines = [*sorted(classes, key=lambda line: -line.middle), *averages]
    heights = [y + 0.5 * (y >= len(classes)) for y in range(len(lines))]
    comparisons = [row.comparison for row in result.rows]
    _draw_verdicts(ax, lines, heights, comparisons, [result.settings])
    if averages:
        _rule(ax, len(classes))
    return ax


def forest_height(result: "GroupComparison") -> float:
    """Return the inches that a figure of all classes and averages needs."""
    return _height(len(result.rows) + len(result.averages))


def intervals(comparisons: "Sequence[Comparison]", *, ax: "Axes") -> "Axes":
    """Draw the HDI of the difference of some comparisons, in their order.

    Parameters
    ----------
    comparisons
        Of several metrics or systems, with one rope.
    ax
        Where to draw.
    """
    lines = list(map(_verdict_line, labels_of(comparisons), comparisons))
    settings = [result.settings for result in comparisons]
    _draw_verdicts(ax, lines, range(len(lines)), comparisons, settings)
    return ax


def intervals_height(comparisons: "Sequence[Comparison]") -> float:
    """Return the inches that a figure of so many lines needs."""
    return _height(len(comparisons))


def data_sets(comparison: "Comparison", *, ax: "Axes") -> "Axes":
    """Draw the difference on each data set, and how the others pull it.

    Use this after the hierarchical model, to see on which data sets the second system
    is better. A stroke is the mean difference of a data set's own folds with their
    interval, the dot below it is what all data sets together say of it, filled where
    that is decided, and the line between them is the shrinkage. The mean of the
    population and the next data set follow below. Where an interval leaves the picture
    it ends in an arrow.

    Parameters
    ----------
    comparison
        What `compare_folds` returned by the method hierarchical.
    ax
        Where to draw.
    """
    model = _needed(comparison)
    lines, count = _data_set_lines(model, comparison.rope), len(model.rows)
    step = _last_step(ax, count)
    heights = [*range(count), count - 0.5 + step, count - 0.5 + 2 * step]
    ax.set_xlim(*_window(lines, comparison.rope))
    _draw_lines(ax, lines, heights, comparison.rope, words=4.5, always=2)
    _rule(ax, count)
    key = "strokes: own folds", "dots: given all data sets"
    note = wording.unbroken(*key, _intervals_text(comparison))
    wording.label_difference(ax, comparison.settings, note=note)
    verdict = comparison.verdict
    fits = len(verdict.name) <= style.room(ax, 0.6, 11)
    text = verdict.name if fits else verdict.symbol
    wording.title(ax, wording.pairing(ax, comparison.settings, text))
    return ax


def data_sets_height(comparison: "Comparison") -> float:
    """Return the inches that a figure of so many data sets needs."""
    count = len(_needed(comparison).rows) + 2
    inches = style.pitch(count, few=25, many=100, roomy=0.32, dense=0.17)
    return 1.5 + count * inches


def _height(count: int) -> float:
    return 1.3 + count * style.pitch(count, few=25, many=100, roomy=0.26, dense=0.14)


def _needed(comparison: "Comparison") -> "DataSets":
    if comparison.data_sets is None:
        message = (
            "A plot of data sets must come from the method hierarchical; got "
            f"{comparison.settings.method}."
        )
        hint = "compare_folds(..., method='hierarchical'), with folds on data sets."
        raise SettingError(message, hint=hint)
    return comparison.data_sets


@dataclass(frozen=True, eq=False)
class _Line:
    """One line of a forest.

    Attributes
    ----------
    name, symbol
        Texts at the left, and at the right.
    middle, interval
        A point and the interval around it.
    look
        Colour and marker.
    sizes
        Width of the interval and size of the marker, as shares of the letters.
    data_set
        The data set that the line is of, with what its own folds say.
    """

    name: str
    middle: float
    interval: "Interval"
    look: style.Look
    symbol: str = ""
    sizes: tuple[float, float] = (0.25, 0.7)
    data_set: "DataSetRow | None" = None


def _verdict_line(name: str, result: "Comparison") -> _Line:
    look, symbol = style.verdict_dot(result.verdict.name), result.verdict.symbol
    return _Line(name, result.posterior.difference.mean(), result.hdi, look, symbol)


def _data_set_lines(model: "DataSets", rope: "Rope | None") -> list[_Line]:
    """Put the data sets in order, and their population below them."""
    population, mass = model.population, model.mass
    rows = sorted(model.rows, key=lambda row: -row.shrunken.mean())
    lines = []
    for name, law, marker, row in (
        *((row.name, row.shrunken, "o", row) for row in rows),
        ("population", population.delta0, "D", None),
        ("next data set", population.next, "d", None),
    ):
        hdi = law.hdi(mass)
        colour = _colour(hdi, rope)
        look = style.Look(colour, marker, filled=colour != style.INK)
        sizes = (0.12 if marker == "d" else 0.22, 0.6)
        lines.append(_Line(name, law.mean(), hdi, look, sizes=sizes, data_set=row))
    return lines


def _colour(hdi: "Interval", rope: "Rope | None") -> str:
    """Return the colour of the side that an interval wholly lies on."""
    low, high = style.ends(rope)
    if hdi.low > high:
        return style.BETTER
    if hdi.high < low:
        return style.WORSE
    return style.SOFT if low <= hdi.low and hdi.high <= high else style.INK


def _last_step(ax: "Axes", count: int) -> float:
    """Return the distance of the last two lines: they must always be named."""
    pitch = (style.extent(ax)[1] - 4.5 * style.points(ax, 10)) / (count + 3)
    return max(1.0, 1.8 * _LEAST / max(pitch, 1.0))


def _window(lines: "Sequence[_Line]", rope: "Rope | None") -> tuple[float, float]:
    """Return the ends of the axis: all points, and intervals as far as they may go."""
    inside, outside = [0.0, lines[-2].middle], [lines[-2].interval, lines[-1].interval]
    for line in lines:
        if line.data_set is not None:
            inside += [line.data_set.observed, *line.interval]
            outside.append(line.data_set.alone)
    low, high = min(inside), max(inside)
    more = _BEYOND * (high - low)
    left, right = (1.3 * end for end in style.ends(rope))
    least = max(min(left, *(each.low for each in outside)), low - more)
    most = min(max(right, *(each.high for each in outside)), high + more)
    low, high = min(low, least), max(high, most)
    margin = 0.04 * (high - low) or 1e-6
    return low - margin, high + margin


def _draw_verdicts(
    ax: "Axes",
    lines: "Sequence[_Line]",
    heights: "Sequence[float]",
    comparisons: "Sequence[Comparison]",
    settings: "Sequence[Settings]",
) -> None:
    """Draw lines with verdicts; the title is the key to their symbols."""
    _draw_lines(ax, lines, heights, comparisons[0].rope, words=2.5)
    verdicts = Counter(result.verdict for result in comparisons).most_common()
    key = [f"{v.symbol} {v.name} in {count}" for v, count in verdicts]
    wording.title(ax, wording.unbroken(*key))
    note = _intervals_text(comparisons[0])
    wording.label_difference(ax, *settings, note=note)


def _draw_lines(
    ax: "Axes",
    lines: "Sequence[_Line]",
    heights: "Sequence[float]",
    rope: "Rope | None",
    *,
    words: float,
    always: int = 0,
) -> None:
    """Draw lines beside the rope and zero, and name them.

    Parameters
    ----------
    ax
        Where to draw.
    lines, heights
        The lines, and how far below the first each stands.
    rope
        The region of practical equivalence.
    words
        Lines of letters that title and label take.
    always
        Number of last lines that are named, however close the others are.
    """
    style.open_axes(ax)
    ax.spines["left"].set_visible(False)
    ax.set_ylim(heights[-1] + 0.7, -0.7)
    style.band(ax, rope)
    ax.axvline(0, color=style.INK, linewidth=0.8, linestyle=":", zorder=1)
    usual, whole = style.points(ax, 10), style.extent(ax)[1]
    pitch = max(whole - words * usual, whole / 2) / (heights[-1] + 1.4)
    for line, y in zip(lines, heights, strict=True):
        _draw(ax, line, y, min(usual, pitch))
    size = max(min(usual, pitch / 1.15), _LEAST)
    every = max(1, ceil(1.15 * size / pitch - 1e-9))
    last = len(lines) - always
    thinned = range(0, last - every + 1 if always else last, every)
    named = (*thinned, *range(last, len(lines)))
    _names(ax, [lines[i] for i in named], [heights[i] for i in named], size)


def _draw(ax: "Axes", line: _Line, y: float, size: float) -> None:
    """Draw a line, and above it what a data set's own folds say."""
    width, mark = (size * share for share in line.sizes)
    row = line.data_set
    if row is not None:
        above, y = y - _APART, y + _APART
        _bar(ax, row.alone, above, style.SAME, 0.08 * size)
        shift = [row.observed, line.middle]
        style.line(ax, shift, [above, y], style.SOFT, 0.06 * size)
        style.dot(ax, row.observed, above, _OWN_FOLDS, 0.5 * size)
    _bar(ax, line.interval, y, line.look.colour, width)
    style.dot(ax, line.middle, y, line.look, mark)


def _bar(ax: "Axes", interval: "Interval", y: float, colour: str, width: float) -> None:
    """Draw an interval, with an arrow at an end beyond limits that were set."""
    style.line(ax, [*interval], [y, y], colour, width, solid_capstyle="butt", zorder=2)
    if ax.get_autoscalex_on():
        return
    left, right = ax.get_xlim()
    for end, marker in zip(interval, "<>", strict=True):
        if not left <= end <= right:
            edge, look = min(max(end, left), right), style.Look(colour, marker)
            style.dot(ax, edge, y, look, 1.5 + 2 * width, clip_on=False)


def _names(
    ax: "Axes", lines: "Sequence[_Line]", heights: "Sequence[float]", size: float
) -> None:
    """Name lines at the left, and write their symbols at the right."""
    names = [wording.fit(ax, line.name, 0.35, size) for line in lines]
    ax.set_yticks(heights, names)
    ax.tick_params(axis="y", length=0, labelsize=size, labelcolor=style.INK)
    bold = {"va": "center_baseline", "fontweight": "bold"}
    for line, y in zip(lines, heights, strict=True):
        if line.symbol:
            colour = line.look.colour
            style.write_right(ax, y, line.symbol, size, color=colour, **bold)


def _rule(ax: "Axes", count: int) -> None:
    """Draw a rule below so many lines."""
    ax.axhline(count - 0.25, color=style.SOFT, linewidth=0.6, zorder=1)


def _intervals_text(result: "Comparison") -> str:
    rope = "" if result.rope is None else f", rope {result.rope}"
    return f"{formatting.interval_name('hdi', result.mass)}{rope}"
