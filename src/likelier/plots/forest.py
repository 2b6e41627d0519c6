"""Many comparisons, each on a line of its own, with its HDI beside the rope."""

from collections import Counter
from dataclasses import dataclass
from math import ceil
from typing import TYPE_CHECKING

from likelier import wording
from likelier.plots import labels, style
from likelier.results.naming import labels_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes

    from likelier.results import ClassComparison, Comparison

# Inches for a line: of a few classes, and of a hundred.
_ROOMY, _DENSE = 0.26, 0.14
# Points: letters smaller than this are left out instead.
_LEAST = 3.5


def forest(result: "ClassComparison", *, ax: "Axes | None" = None) -> "Axes":
    """Draw the HDI of the difference of every class, and of the averages below.

    Classes stand in order of their mean difference, the best for the second system
    first: neighbours can be compared, and verdicts form blocks. Where lines are too
    close for legible letters, only every second or third class is named.

    Parameters
    ----------
    result
        What `compare_classes` returned.
    ax
        Where to draw; by default a new figure, higher where there are more classes.
    """
    axes = style.new_axes(height(result)) if ax is None else ax
    told = [row.comparison for row in result.rows]
    pitch = _drawn(axes, lines := _lines(result))
    if result.averages:
        rule = len(result.rows) - 0.25
        axes.axhline(rule, color=style.FAINT, linewidth=0.6, zorder=1)
    _words(axes, told, labels.difference(result.question, axes))
    _names(axes, lines, pitch)
    return axes


def intervals(
    comparisons: "Sequence[Comparison]", *, ax: "Axes | None" = None
) -> "Axes":
    """Draw the HDI of the difference of some comparisons, in their order.

    Parameters
    ----------
    comparisons
        Of several metrics or systems, with one rope.
    ax
        Where to draw; by default a new figure, higher where there are more.
    """
    axes = style.new_axes(height_of(len(comparisons))) if ax is None else ax
    names = labels_of(comparisons)
    lines = [
        _Line(name, at, known)
        for at, (name, known) in enumerate(zip(names, comparisons, strict=True))
    ]
    pitch = _drawn(axes, lines)
    _words(axes, comparisons, "difference; right of 0 the candidate is better")
    _names(axes, lines, pitch)
    return axes


def height(result: "ClassComparison") -> float:
    """Give the inches that a figure of all classes and averages needs."""
    return height_of(len(result.rows) + len(result.averages))


def height_of(count: int) -> float:
    """Give the inches that a figure of so many lines needs."""
    dense = min(max((count - 25) / 75, 0.0), 1.0)
    return 1.3 + count * (_ROOMY + dense * (_DENSE - _ROOMY))


def _drawn(ax: "Axes", lines: "Sequence[_Line]") -> float:
    """Draw the lines beside the rope, and give their distance in points."""
    _set_limits(ax, lines)
    _region(ax, lines[0].known)
    pitch = _pitch(ax, lines)
    for line in lines:
        _draw(ax, line, min(style.points(ax, 10), pitch))
    return pitch


@dataclass(frozen=True, eq=False)
class _Line:
    """One line of the plot: its name, its place from the top, and what is known."""

    name: str
    place: float
    known: "Comparison"


def _lines(result: "ClassComparison") -> list[_Line]:
    """Put the classes in order, and the averages a little below them."""
    rows = sorted(result.rows, key=lambda row: -_mean(row.comparison))
    below = len(rows) + 0.5
    return [
        *(_Line(row.name, at, row.comparison) for at, row in enumerate(rows)),
        *(
            _Line(known.question.metric_name, below + at, known)
            for at, known in enumerate(result.averages)
        ),
    ]


def _mean(known: "Comparison") -> float:
    return known.posterior.difference.mean()


def _set_limits(ax: "Axes", lines: "Sequence[_Line]") -> None:
    ax.set_ylim(lines[-1].place + 0.7, -0.7)


def _region(ax: "Axes", known: "Comparison") -> None:
    """Draw the rope and zero."""
    if known.rope is not None:
        low, high = known.rope.low, known.rope.high
        ax.axvspan(low, high, color=style.BAND, zorder=0, linewidth=0)
    ax.axvline(0, color=style.INK, linewidth=0.8, linestyle=":", zorder=1)


def _pitch(ax: "Axes", lines: "Sequence[_Line]") -> float:
    """Give the distance of two lines in points, less what title and label take."""
    whole = style.extent(ax)[1]
    return max(whole - 2.5 * style.points(ax, 10), whole / 2) / (lines[-1].place + 1.4)


def _draw(ax: "Axes", line: _Line, size: float) -> None:
    look, hdi = style.LOOKS[line.known.verdict.name], line.known.hdi
    ax.plot(
        [hdi.low, hdi.high],
        [line.place] * 2,
        color=look.colour,
        linewidth=0.25 * size,
        solid_capstyle="butt",
        zorder=2,
    )
    ax.plot(
        [_mean(line.known)],
        [line.place],
        marker=look.marker,
        markersize=0.7 * size,
        color=look.colour,
        markerfacecolor=look.colour if look.filled else "white",
        markeredgewidth=0.1 * size,
        zorder=3,
    )


def _names(ax: "Axes", lines: "Sequence[_Line]", pitch: float) -> None:
    """Name the lines at the left and give their verdicts at the right."""
    size = max(min(style.points(ax, 10), pitch / 1.15), _LEAST)
    every = max(1, ceil(1.15 * size / pitch - 1e-9))
    most = labels.room(ax, 0.35, size)
    named = [line for place, line in enumerate(lines) if place % every == 0]
    ax.set_yticks(
        [line.place for line in named],
        [style.shortened(line.name, most) for line in named],
    )
    ax.tick_params(axis="y", length=0, labelsize=size, labelcolor=style.INK)
    for line in named:
        ax.text(
            1.01,
            line.place,
            line.known.verdict.symbol,
            transform=ax.get_yaxis_transform(),
            color=style.LOOKS[line.known.verdict.name].colour,
            fontsize=size,
            fontweight="bold",
            va="center_baseline",
        )


def _words(ax: "Axes", told: "Sequence[Comparison]", what: str) -> None:
    """Label the axis, and let the title be the key to the symbols."""
    first = told[0]
    found = Counter(known.verdict for known in told)
    key = [f"{v.symbol} {v.name} in {count}" for v, count in found.most_common()]
    labels.title(ax, ", ".join(labels.unbroken(part) for part in key))
    rope = "" if first.rope is None else f", rope {first.rope}"
    below = f"({wording.interval_name('hdi', first.mass)}{rope})"
    labels.below(ax, f"{what}\n{below}")
    style.open_axes(ax)
    ax.spines["left"].set_visible(False)
    ax.locator_params(axis="x", nbins=labels.room(ax, 0.1, style.points(ax, 9)))
