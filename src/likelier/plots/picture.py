"""A plot as the bytes of a file, the same every time."""

import warnings
from io import BytesIO
from typing import TYPE_CHECKING

import matplotlib as mpl

from likelier.plots import style

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from likelier.results import Comparison

_DATES = {"svg": "Date", "pdf": "CreationDate"}


def picture(result: "Comparison", *, form: str = "png") -> bytes:
    """Draw a result as png, svg or pdf; same result, same bytes."""
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
