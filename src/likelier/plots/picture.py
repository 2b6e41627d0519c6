"""A plot as the bytes of a file, the same every time."""

import warnings
from io import BytesIO
from typing import TYPE_CHECKING, Protocol

import matplotlib as mpl

from likelier.plots import style
from likelier.plots.forest import height as height_of_classes
from likelier.plots.order import height as height_of_pairs
from likelier.plots.ranks import height as height_of_ranking
from likelier.results import ClassComparison, Pairs, Ranking

if TYPE_CHECKING:
    from collections.abc import Callable

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_DATES = {"svg": "Date", "pdf": "CreationDate"}


class Drawn(Protocol):
    """A result that draws itself."""

    def plot(self, ax: "Axes | None" = None) -> "Axes":
        """Draw the result."""


def picture(result: Drawn, *, form: str = "png") -> bytes:
    """Draw a result as png, svg or pdf; same result, same bytes."""
    return saved(figure(result.plot, height=height_of(result)), form=form)


def figure(
    draw: "Callable[[Axes], object]", *, height: float = style.SIZE[1]
) -> "Figure":
    """Draw on a figure of its own, apart from any that is on show.

    Parameters
    ----------
    draw
        A plot that takes axes, such as `comparison.plot_data_sets`.
    height
        In inches; plots of many lines have a function that gives it.
    """
    made, axes = style.new_figure(height)
    draw(axes)
    return made


def height_of(result: Drawn) -> float:
    """Give the height in inches that a result needs."""
    if isinstance(result, ClassComparison):
        return height_of_classes(result)
    if isinstance(result, Ranking):
        return height_of_ranking(result)
    if isinstance(result, Pairs):
        return height_of_pairs(result)
    return style.SIZE[1]


def saved(figure: "Figure", *, form: str) -> bytes:
    """Write a figure as png, svg or pdf."""
    data = BytesIO()
    metadata = {_DATES[form]: None} if form in _DATES else {"Software": None}
    with mpl.rc_context({"svg.hashsalt": "likelier"}), warnings.catch_warnings():
        # A letter that the font lacks is drawn as a box; nobody can mend that here.
        warnings.filterwarnings("ignore", "Glyph")
        figure.savefig(data, format=form, dpi=150, metadata=metadata)
    return data.getvalue()
