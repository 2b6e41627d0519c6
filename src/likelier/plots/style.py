"""Colours and sizes shared by all plots; told apart in grey as well."""

from dataclasses import dataclass
from math import sqrt
from typing import TYPE_CHECKING
from unicodedata import combining, east_asian_width

from likelier.errors import plain

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

WORSE = "#b5460f"
EQUIVALENT = "#9aa3ad"
BAND = "#eceef0"
BETTER = "#1f5fa8"
INK = "#1c2430"
FAINT = "#6b7480"

SIZE = (7.0, 4.0)
# The letters that are written at full size in a figure of that width.
_USUAL_WIDTH = 0.775 * SIZE[0]
_POINTS = 72


@dataclass(frozen=True)
class Look:
    """How a verdict is drawn: a colour, and what tells it from others in grey.

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
    filled: bool
    line: str | tuple[int, tuple[float, ...]]


LOOKS = {
    "better": Look(BETTER, ">", filled=True, line="-"),
    "leans better": Look(BETTER, ">", filled=False, line="--"),
    "equivalent": Look(FAINT, "s", filled=True, line="-"),
    "leans worse": Look(WORSE, "<", filled=False, line="--"),
    "worse": Look(WORSE, "<", filled=True, line="-"),
    "not better": Look(WORSE, "D", filled=True, line="-."),
    "undecided": Look(INK, "o", filled=False, line=":"),
    "decided": Look(INK, "D", filled=True, line="-"),
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


def figure_of_rows(heights: "Sequence[float]") -> "tuple[Figure, list[Axes]]":
    """Make a figure to be saved, with axes one below the other."""
    from matplotlib.figure import Figure
    from matplotlib.layout_engine import ConstrainedLayoutEngine

    apart = ConstrainedLayoutEngine(h_pad=0.15)
    figure = Figure(figsize=(SIZE[0], sum(heights)), layout=apart)
    made = figure.subplots(len(heights), 1, squeeze=False, height_ratios=heights)
    return figure, list(made[:, 0])


def extent(ax: "Axes") -> tuple[float, float]:
    """Give the width and height of axes in points."""
    box = ax.get_window_extent()
    dpi = ax.get_figure(root=True).dpi  # type: ignore[union-attr]
    return _POINTS * box.width / dpi, _POINTS * box.height / dpi


def points(ax: "Axes", usual: float) -> float:
    """Give the size of letters: smaller in a column of a paper, larger on a slide."""
    times = sqrt(extent(ax)[0] / (_POINTS * _USUAL_WIDTH))
    return usual * min(max(times, 0.7), 1.25)


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


def shortened(name: str, most: int) -> str:
    """Show a name from the data literally, with an ellipsis where it is too long.

    What is left out is the middle: long names often differ only at their ends.

    Examples
    --------
    >>> shortened("comp.sys.ibm.pc.hardware", 15)
    'comp.s…rdware'
    """
    shown = plain(name)
    if width(shown) > most:
        half = (most - 1) // 2
        shown = f"{_head(shown, most - 1 - half)}…{_head(shown[::-1], half)[::-1]}"
    return literal(shown)


def width(text: str) -> int:
    """Count how many Latin letters are as wide as a text."""
    return sum(map(_letters, text))


def _letters(letter: str) -> int:
    wide = letter in "MWmw@%" or east_asian_width(letter) in "WF"
    return 0 if combining(letter) else 1 + wide


def _head(text: str, most: int) -> str:
    """Take as much of the beginning of a text as there is room for."""
    taken = 0
    for place, letter in enumerate(text):
        taken += _letters(letter)
        if taken > most:
            return text[:place]
    return text


def literal(text: str) -> str:
    """Keep matplotlib from reading a name as mathematics."""
    # A label that begins with an underscore would be left out of legends.
    shown = text.replace("$", r"\$")
    return f"\u200a{shown}" if shown.startswith("_") else shown
