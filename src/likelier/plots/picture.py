"""A plot as the bytes of a file, the same every time."""

import warnings
from io import BytesIO
from typing import TYPE_CHECKING, Protocol

import matplotlib as mpl

from likelier.plots import style
from likelier.plots.forest import height
from likelier.results import ClassComparison

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_DATES = {"svg": "Date", "pdf": "CreationDate"}


class Drawn(Protocol):
    """A result that draws itself."""

    def plot(self, ax: "Axes | None" = None) -> "Axes":
        """Draw the result."""


def picture(result: Drawn, *, form: str = "png") -> bytes:
    """Draw a result as png, svg or pdf; same result, same bytes."""
    if isinstance(result, ClassComparison):
        figure, axes = style.new_figure(height(result))
    else:
        figure, axes = style.new_figure()
    result.plot(ax=axes)
    return saved(figure, form=form)


def saved(figure: "Figure", *, form: str) -> bytes:
    """Write a figure as png, svg or pdf."""
    data = BytesIO()
    metadata = {_DATES[form]: None} if form in _DATES else {"Software": None}
    with mpl.rc_context({"svg.hashsalt": "likelier"}), warnings.catch_warnings():
        # A letter that the font lacks is drawn as a box; nobody can mend that here.
        warnings.filterwarnings("ignore", "Glyph")
        figure.savefig(data, format=form, dpi=150, metadata=metadata)
    return data.getvalue()
