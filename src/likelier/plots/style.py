"""Colours, sizes and words that all plots share; readable in grey as well."""

from dataclasses import dataclass
from math import sqrt
from typing import TYPE_CHECKING, Any
from unicodedata import combining, east_asian_width

from likelier.formatting import plain

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from likelier.interval import Rope
    from likelier.settings import Settings

WORSE = "#b5460f"
EQUIVALENT = "#9aa3ad"
BAND = "#eceef0"
BETTER = "#1f5fa8"
INK = "#1c2430"
FAINT = "#6b7480"

SIZE = (7.0, 4.0)
# Mean width of a letter, as a share of its size.
LETTER = 0.58
# Axes of this width have letters of full size.
_USUAL_WIDTH = 0.775 * SIZE[0]
_POINTS = 72


@dataclass(frozen=True)
class Look:
    """Colour of a verdict, with marker and line that differ in grey too.

    Attributes
    ----------
    colour
        Of lines, markers and words.
    marker
        Its form points to the side of the verdict.
    filled
        Whether the marker is filled: a clear verdict, not one that leans.
    line
        The style of a line.
    """

    colour: str
    marker: str
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


LOOKS = {
    "better": Look(BETTER, ">"),
    "leans better": Look(BETTER, ">", filled=False, line="--"),
    "equivalent": Look(FAINT, "s"),
    "leans worse": Look(WORSE, "<", filled=False, line="--"),
    "worse": Look(WORSE, "<"),
    "leans equivalent": Look(FAINT, "s", filled=False, line="--"),
    "more probably better": Look(BETTER, "^", filled=False, line="-."),
    "more probably not better": Look(WORSE, "v", filled=False, line="-."),
    "undecided": Look(INK, "o", filled=False, line=":"),
    "decided": Look(INK, "D"),
}


def new_axes(height: float = SIZE[1]) -> "Axes":
    """Open a figure as pyplot does, so that notebooks show it."""
    import matplotlib.pyplot as plt

    return plt.subplots(figsize=(SIZE[0], height), layout="constrained")[1]


def new_figure(height: float = SIZE[1]) -> "tuple[Figure, Axes]":
    """Make a figure to be saved, apart from any that is on show."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(SIZE[0], height), layout="constrained")
    return figure, figure.subplots()


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
    times = sqrt(extent(ax)[0] / (_POINTS * _USUAL_WIDTH))
    return usual * min(max(times, 0.7), 1.25)


def room(ax: "Axes", share: float, size: float) -> int:
    """Count the letters of a size that fit into a share of the axes' width."""
    return max(6, int(share * extent(ax)[0] / (LETTER * size)))


def plain_axes(ax: "Axes") -> None:
    """Leave only the axis that carries numbers."""
    for side in ("left", "right", "top"):
        ax.spines[side].set_visible(False)
    ax.spines["bottom"].set_color(FAINT)
    ax.set_yticks([])
    ax.tick_params(axis="x", colors=INK)


def open_axes(ax: "Axes") -> None:
    """Leave the two axes that carry numbers."""
    for side in ("right", "top"):
        ax.spines[side].set_visible(False)
    for side in ("left", "bottom"):
        ax.spines[side].set_color(FAINT)
    ax.tick_params(which="both", colors=INK, labelsize=points(ax, 9))


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
        ax.axvspan(rope.low, rope.high, color=BAND, zorder=0, linewidth=0)


def line(
    ax: "Axes",
    x: "Sequence[float]",
    y: "Sequence[float]",
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


def difference(ax: "Axes", *settings: "Settings") -> str:
    """Write what is subtracted from what, so that positive is better.

    For a loss that is the first system minus the second. Several comparisons are
    named by what they share.
    """
    size = points(ax, 10)
    metrics = {each.metric_name for each in settings}
    pairs = {each.systems for each in settings}
    directions = {each.higher_is_better for each in settings}
    metric = fit(ax, metrics.pop(), 0.5, size) if len(metrics) == 1 else "difference"
    if len(directions) > 1:
        return metric
    names = pairs.pop() if len(pairs) == 1 else ("baseline", "candidate")
    first, second = (fit(ax, name, 0.3, size) for name in names)
    if not directions.pop():
        first, second = second, first
    return f"{metric}: {second} minus {first}"


def pairing(ax: "Axes", settings: "Settings", *remarks: str) -> str:
    """Write what is compared with what, and what there is to say of it."""
    names = [fit(ax, name, 0.4) for name in reversed(settings.systems)]
    metric = fit(ax, settings.metric_name, 0.5)
    return f"{' against '.join(names)} on {metric}: {unbroken(*remarks)}"


def title(ax: "Axes", text: str, *, pad: float = 6, size: float = 11) -> None:
    """Write the title of a plot, on several lines where it is long."""
    ax.set_title(text, color=INK, fontsize=points(ax, size), pad=pad)
    ax.title.set_wrap(True)


def xlabel(ax: "Axes", text: str) -> None:
    """Label the horizontal axis, on several lines where the label is long."""
    ax.set_xlabel(text, color=INK, fontsize=points(ax, 10), wrap=True)


def ylabel(ax: "Axes", text: str) -> None:
    """Label the vertical axis."""
    ax.set_ylabel(text, color=INK, fontsize=points(ax, 10))


def unbroken(*parts: str) -> str:
    """Join parts with commas, the words of each kept together on one line."""
    return ", ".join(part.replace(" ", "\u00a0") for part in parts)


def fit(ax: "Axes", name: str, share: float, size: float | None = None) -> str:
    """Write a name so that it fits into a share of the axes' width.

    Parameters
    ----------
    ax
        Where to write.
    name
        A name from the data.
    share
        Of the width.
    size
        Of the letters; by default those of a title.
    """
    return shorten(name, room(ax, share, points(ax, 11) if size is None else size))


def shorten(name: str, most: int) -> str:
    """Write a name from the data literally, with an ellipsis where it is too long.

    What is left out is the middle: long names often differ only at their ends.

    Examples
    --------
    >>> shorten("comp.sys.ibm.pc.hardware", 15)
    'comp.s…rdware'
    """
    text = plain(name)
    if width(text) > most:
        half = (most - 1) // 2
        text = f"{_head(text, most - 1 - half)}…{_head(text[::-1], half)[::-1]}"
    return literal(text)


def width(text: str) -> int:
    """Count how many Latin letters are as wide as a text."""
    return sum(map(_letters, text))


def _letters(letter: str) -> int:
    wide = letter in "MWmw@%" or east_asian_width(letter) in "WF"
    return 0 if combining(letter) else 1 + wide


def _head(text: str, most: int) -> str:
    """Return as much of the beginning of a text as there is room for."""
    used = 0
    for index, letter in enumerate(text):
        used += _letters(letter)
        if used > most:
            return text[:index]
    return text


def literal(text: str) -> str:
    """Keep matplotlib from reading a name as mathematics."""
    # A label that begins with an underscore would be left out of legends.
    text = text.replace("$", r"\$")
    return f"\u200a{text}" if text.startswith("_") else text


# Variables of the page that stand for the colours of plots.
PAGE_COLOURS = {
    WORSE: "worse",
    EQUIVALENT: "same",
    BAND: "rope",
    BETTER: "better",
    INK: "ink",
    FAINT: "soft",
    "#ffffff": "paper",
    "#000000": "ink",
}
