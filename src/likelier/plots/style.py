"""Colours, sizes and marks that all plots share; readable in grey as well."""

from dataclasses import dataclass, replace
from math import sqrt
from typing import TYPE_CHECKING, Any, NamedTuple

from likelier.errors import unknown_name

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from likelier._typing import FloatArray
    from likelier.interval import Rope

# The colours of the page, in light.
BETTER, BETTER_INK, BETTER_WASH = "#1d62b5", "#16529b", "#cfe0f4"
SAME, SAME_WASH = "#8b95a1", "#dde2e8"
WORSE, WORSE_INK, WORSE_WASH = "#cc5c12", "#a54407", "#f9ddc8"
INK, SOFT, EDGE = "#151b24", "#535d6a", "#7d8793"
ROPE = "#e8ecf1"
# Variables of the page that stand for them, so that plots follow its theme.
PAGE_COLOURS = {
    BETTER: "better",
    BETTER_INK: "better-ink",
    BETTER_WASH: "better-wash",
    SAME: "same",
    SAME_WASH: "same-wash",
    ROPE: "rope",
    WORSE: "worse",
    WORSE_INK: "worse-ink",
    WORSE_WASH: "worse-wash",
    INK: "ink",
    SOFT: "soft",
    EDGE: "edge",
    "#ffffff": "paper",
    "#000000": "ink",
}
# Fills of worse, equivalent and better: in grey the hatching tells them apart.
REGIONS: tuple[dict[str, Any], ...] = (
    {"facecolor": WORSE, "edgecolor": "white", "hatch": "////", "linewidth": 0},
    {"facecolor": SAME, "linewidth": 0},
    {"facecolor": BETTER, "linewidth": 0},
)


class Width(NamedTuple):
    """Inches of a figure: across, up, and a row as a share of the usual one."""

    inches: float
    height: float
    row: float


WIDTHS = {"column": Width(3.35, 2.5, 0.85), "page": Width(6.9, 3.5, 1.0)}
# Mean width of a letter, as a share of its size.
LETTER = 0.58
_POINTS = 72


@dataclass(frozen=True)
class Look:
    """Colour of a verdict, with marker and line: filled is decided, hollow is not.

    Attributes
    ----------
    colour
        Of lines, markers and words.
    marker
        Its form.
    filled
        Whether the marker is filled: decided, and not open or leaning.
    line
        The style of a line.
    """

    colour: str
    marker: str = "o"
    filled: bool = True
    line: str | tuple[int, tuple[float, ...]] = "-"

    def marked(self, size: float) -> dict[str, Any]:
        """Return the settings of matplotlib for lines with markers of a size."""
        return {
            "color": self.colour,
            "marker": self.marker,
            "markersize": size,
            "markerfacecolor": self.colour if self.filled else "white",
        }


# Lines of several verdicts cross, so their markers differ in form as well.
LOOKS = {
    "better": Look(BETTER, ">"),
    "leans better": Look(BETTER, ">", filled=False, line="--"),
    "equivalent": Look(SOFT, "s"),
    "leans worse": Look(WORSE, "<", filled=False, line="--"),
    "worse": Look(WORSE, "<"),
    "leans equivalent": Look(SOFT, "s", filled=False, line="--"),
    "more probably better": Look(BETTER, "^", filled=False, line="-."),
    "more probably not better": Look(WORSE, "v", filled=False, line="-."),
    "undecided": Look(INK, filled=False, line=":"),
    "decided": Look(INK, "D"),
}


def verdict_dot(name: str) -> Look:
    """Return the dot of a verdict that has its symbol beside it."""
    return replace(LOOKS[name], marker="o")


def width_named(name: str) -> Width:
    """Return the width of a figure by its name."""
    if name not in WIDTHS:
        raise unknown_name(name, WIDTHS, kind="plot-width")
    return WIDTHS[name]


def new_figure(height: float, width: str = "page") -> "Figure":
    """Make a figure to be saved, apart from any that is on show."""
    from matplotlib.figure import Figure

    return Figure(figsize=(width_named(width).inches, height), layout="constrained")


def pitch(count: int, *, few: int, many: int, roomy: float, dense: float) -> float:
    """Return the inches of a row: roomy where rows are few, dense where many."""
    share = min(max((count - few) / (many - few), 0.0), 1.0)
    return roomy + share * (dense - roomy)


def extent(ax: "Axes") -> tuple[float, float]:
    """Return the width and height of axes in points."""
    box = ax.get_window_extent()
    dpi = ax.get_figure(root=True).dpi  # type: ignore[union-attr]
    return _POINTS * box.width / dpi, _POINTS * box.height / dpi


def points(ax: "Axes", usual: float) -> float:
    """Return the size of letters: smaller in a column of a paper, larger on a slide."""
    times = sqrt(extent(ax)[0] / (_POINTS * WIDTHS["page"].inches))
    return usual * min(max(times, 0.75), 1.2)


def room(ax: "Axes", share: float, size: float) -> int:
    """Count the letters of a size that fit into a share of the axes' width."""
    return max(6, int(share * extent(ax)[0] / (LETTER * size)))


def plain_axes(ax: "Axes") -> None:
    """Leave only the axis that carries numbers."""
    open_axes(ax)
    ax.spines["left"].set_visible(False)
    ax.set_yticks([])


def open_axes(ax: "Axes") -> None:
    """Leave the two axes that carry numbers."""
    for side in ("right", "top"):
        ax.spines[side].set_visible(False)
    for side in ("left", "bottom"):
        ax.spines[side].set_color(EDGE)
    size = points(ax, 9)
    ax.tick_params(which="both", labelsize=size, color=EDGE, labelcolor=INK)
    if ax.get_xscale() == "linear":
        ax.locator_params(axis="x", nbins=max(3, room(ax, 0.1, size)))


def bare_axes(ax: "Axes") -> None:
    """Leave nothing of the axes."""
    ax.set_xticks([])
    ax.set_yticks([])
    ax.spines[:].set_visible(False)


def ends(rope: "Rope | None") -> tuple[float, float]:
    """Return the ends of the rope, both 0 where there is none."""
    return (0.0, 0.0) if rope is None else (rope.low, rope.high)


def band(ax: "Axes", rope: "Rope | None") -> None:
    """Draw the rope as a band behind everything."""
    if rope is not None:
        ax.axvspan(rope.low, rope.high, color=ROPE, zorder=0, linewidth=0)


def line(
    ax: "Axes",
    x: "Sequence[float] | FloatArray",
    y: "Sequence[float] | FloatArray",
    colour: str,
    width: float,
    **more: Any,
) -> None:
    """Draw a line through points."""
    ax.plot(x, y, color=colour, linewidth=width, **more)


def dot(ax: "Axes", x: float, y: float, look: Look, size: float, **more: Any) -> None:
    """Draw a marker above lines."""
    edge = {"linestyle": "", "markeredgewidth": 0.15 * size, "zorder": 4}
    ax.plot([x], [y], **look.marked(size), **{**edge, **more})


def write(ax: "Axes", x: float, y: float, text: str, size: float, **more: Any) -> None:
    """Write text on axes, centred unless `ha` and `va` say otherwise."""
    usual = {"color": INK, "ha": "center", "va": "center"}
    ax.text(x, y, text, fontsize=size, **{**usual, **more})


def write_right(ax: "Axes", y: float, text: str, size: float, **more: Any) -> None:
    """Write text at the right of the axes, at a height."""
    beside = {"transform": ax.get_yaxis_transform(), "ha": "left"}
    write(ax, 1.01, y, text, size, **beside, **more)


def write_off(
    ax: "Axes", x: float, y: float, above: float, text: str, **more: Any
) -> None:
    """Write text, or draw an arrow, so many points above a point of the axes."""
    usual = {"textcoords": "offset points", "ha": "center"}
    ax.annotate(text, (x, y), (0, above), **{**usual, **more})


def spread(middles: "Sequence[float]", widths: "Sequence[float]") -> list[float]:
    """Move texts of some widths apart on a line from 0 to 1, as little as needed."""
    moved, edge = list(middles), 0.0
    for index, wide in enumerate(widths):
        moved[index] = max(moved[index], edge + wide / 2)
        edge = moved[index] + wide / 2
    edge = 1.0
    for index, wide in reversed([*enumerate(widths)]):
        moved[index] = min(moved[index], edge - wide / 2)
        edge = moved[index] - wide / 2
    return moved
