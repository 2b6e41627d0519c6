"""The chance of each verdict against the number of items."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from likelier import wording
from likelier.plots import labels, style

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.lines import Line2D

    from likelier.results import Power

FloatArray = NDArray[np.float64]

# Line, marker and whether it is filled, for one verdict of several plans.
_PLANS = (("-", "o", True), ("--", "s", False), ("-.", "^", True), (":", "D", False))
_END = "name at the end of a line"


def power(
    result: "Power",
    *,
    ax: "Axes | None" = None,
    verdict: str | None = None,
    label: str | None = None,
) -> "Axes":
    """Draw the chance of each verdict against the number of items.

    Plans are compared by several calls with the same axes: choose one verdict, and
    name each plan with a label. Bands are two Monte-Carlo standard errors wide on
    either side.

    Parameters
    ----------
    result
        What `power` returned.
    ax
        Where to draw; a new figure by default.
    verdict
        The only verdict to draw, such as better, or decided for any clear one; by
        default all that came up.
    label
        The name of the plan, such as paired; by default lines are named by verdicts.
    """
    if verdict is not None:
        result.chance(verdict, result.sizes[0])  # refuses one that is none
    axes = style.new_axes() if ax is None else ax
    earlier = len(_named(axes))
    if verdict is None:
        for name in result.verdicts:
            told = name if label is None else f"{name} ({label})"
            _line(axes, result, name, told, style.LOOKS[name], thin=earlier > 0)
    else:
        look = _look_of_plan(verdict, earlier)
        _line(axes, result, verdict, label or verdict, look)
    _title(axes, result, first=earlier == 0)
    _chances(axes, verdict)
    _items(axes)
    _name_ends(axes)
    return axes


def _named(ax: "Axes") -> "list[Line2D]":
    """Give the lines that carry a name; matplotlib's own begin with a score."""
    return [line for line in ax.lines if not str(line.get_label()).startswith("_")]


def _look_of_plan(verdict: str, earlier: int) -> style.Look:
    """Tell several lines of one colour apart."""
    line, marker, filled = _PLANS[earlier % len(_PLANS)]
    usual = style.LOOKS.get(verdict, style.LOOKS["decided"])
    return style.Look(usual.colour, marker, filled=filled, line=line)


def _line(
    ax: "Axes",
    result: "Power",
    verdict: str,
    told: str,
    look: style.Look,
    *,
    thin: bool = False,
) -> None:
    chance = np.array([result.chance(verdict, size) for size in result.sizes])
    spread = 2 * np.array([result.setting.mcse(share) for share in chance])
    size = style.points(ax, 9) * (0.6 if thin else 1.0)
    ax.plot(
        result.sizes,
        chance,
        label=style.shortened(told, labels.room(ax, 0.5, style.points(ax, 9))),
        color=look.colour,
        linestyle=look.line,
        linewidth=0.18 * size,
        marker=look.marker,
        markersize=0.55 * size,
        markerfacecolor=look.colour if look.filled else "white",
        clip_on=False,
        zorder=3,
    )
    low, high = np.maximum(chance - spread, 0), np.minimum(chance + spread, 1)
    ax.fill_between(result.sizes, low, high, color=look.colour, alpha=0.13, linewidth=0)


def _title(ax: "Axes", result: "Power", *, first: bool) -> None:
    """Say what is assumed, where it holds for all plans on the axes."""
    assumed = result.setting
    gap = wording.number(assumed.difference, 4, signed=True)
    rope = "no rope" if assumed.rope is None else f"rope {assumed.rope}"
    told = (
        f"{labels.asked(assumed, ax)}: "
        f"{labels.unbroken(f'assumed difference {gap}')}, {labels.unbroken(rope)}"
    )
    labels.title(ax, told if first or ax.get_title() == told else "", pad=9)


def _chances(ax: "Axes", verdict: str | None) -> None:
    style.open_axes(ax)
    ax.set_ylim(0, 1)
    shares = np.linspace(0, 1, 5)
    ax.set_yticks(shares, [f"{100 * share:.0f} %" for share in shares])
    ax.grid(axis="y", color=style.BAND, linewidth=0.6)
    ax.set_axisbelow(True)
    clear = "a clear verdict" if verdict == "decided" else f"the verdict {verdict}"
    labels.beside(ax, f"chance of {'the verdict' if verdict is None else clear}")
    labels.below(ax, "items")


def _items(ax: "Axes") -> None:
    """Let the axis of sizes be logarithmic where they span more than a decade."""
    from matplotlib.ticker import FuncFormatter, MaxNLocator, NullLocator

    sizes = np.unique(np.concatenate([_points(line)[0] for line in _named(ax)]))
    least, most = float(sizes[0]), float(sizes[-1])
    named = max(style.width(str(line.get_label())) for line in _named(ax))
    letters = labels.room(ax, 1.05, style.points(ax, 9)) - named
    count = max(2, letters // (3 + len(f"{most:,.0f}")))
    if most > 10 * least:
        ax.set_xscale("log")
        ax.set_xlim(least / (most / least) ** 0.03, most)
        ax.xaxis.set_major_locator(labels.decades(least, most, count))
        ax.xaxis.set_minor_locator(NullLocator())
    elif most > least:
        ax.set_xlim(least - 0.03 * (most - least), most)
        ax.xaxis.set_major_locator(MaxNLocator(count, integer=True))
    else:
        ax.set_xlim(0, most)
        ax.set_xticks([most])
    ax.xaxis.set_major_formatter(FuncFormatter(lambda size, _: f"{size:,.0f}"))


def _points(line: "Line2D") -> tuple[FloatArray, FloatArray]:
    x, y = line.get_data()
    return np.asarray(x, dtype=float), np.asarray(y, dtype=float)


def _name_ends(ax: "Axes") -> None:
    """Name all lines at their right ends, also those of earlier calls."""
    for old in [text for text in ax.texts if text.get_label() == _END]:
        old.remove()
    lines, height = _named(ax), style.extent(ax)[1]
    size = min(style.points(ax, 9), 0.7 * height / len(lines))
    ends = [(float(x[-1]), float(y[-1])) for x, y in map(_points, lines)]
    places = _apart([y for _, y in ends], 1.45 * size / height)
    for line, end, place in zip(lines, ends, places, strict=True):
        name = ax.annotate(
            str(line.get_label()),
            end,
            (1.06, place),
            textcoords=ax.transAxes,
            color=line.get_color(),
            fontsize=size,
            va="center",
            arrowprops={
                "arrowstyle": "-",
                "color": line.get_color(),
                "linewidth": 0.5,
                "shrinkA": 1,
                "shrinkB": 4,
                "relpos": (0, 0.5),
            },
        )
        name.set_label(_END)


def _apart(places: list[float], gap: float) -> FloatArray:
    """Move places apart until no two are closer than a gap, in the same order."""
    # Of equal places the first is the highest, as in a list.
    order = np.lexsort((-np.arange(len(places)), np.asarray(places)))
    steps = gap * np.arange(len(places))
    # Less its steps, a row that keeps the gap is one that does not fall.
    flat = np.maximum.accumulate(np.asarray(places)[order] - steps)
    moved = np.empty(len(places))
    moved[order] = np.minimum(flat, 1 - steps[-1]) + steps
    return moved
