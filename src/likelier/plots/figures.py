"""Figures to be saved: of a study's answers, and any figure as bytes of a file."""

import re
import warnings
from io import BytesIO
from typing import TYPE_CHECKING, Any

import matplotlib as mpl

from likelier.errors import SettingError
from likelier.plots import height, style
from likelier.plots.forests import intervals, intervals_height

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from likelier.results.study_report import StudyReport

# Beyond, comparisons are lines of one plot, and orders are too many to draw.
_MOST_POSTERIORS = 3
_MOST_ORDERS = 12
_DATES = {"svg": "Date", "pdf": "CreationDate"}
# Outlines in points, and numbers with more digits than anybody can see.
_OUTLINE = re.compile(rb' d="M[^"]*"')
_LONG = re.compile(rb"\d+\.\d{3,}")


def study(report: "StudyReport", *, width: str = "page") -> "Figure":
    """Draw every answer of a study; many comparisons as intervals on one scale.

    Parameters
    ----------
    report
        A study with at least one answer.
    width
        Width of the figure: column or page of a paper.
    """
    answers = report.results
    compared: Any = [answer for answer in answers if answer.kind == "comparison"]
    if len(compared) == len(answers) > _MOST_POSTERIORS:
        row = style.width_named(width).row
        figure = style.new_figure(row * intervals_height(compared), width)
        intervals(compared, ax=figure.subplots())
        return figure
    if not answers or len(answers) > _MOST_ORDERS:
        message = (
            f"A plot must have 1 to {_MOST_ORDERS} answers; got {len(answers)} "
            f"({report.progress()})."
        )
        raise SettingError(message, hint="Name a metric, or two systems.")
    # Of many systems a study shows the order, and not how probable each rank is.
    kinds = ["order" if "order" in a.plot_kinds else None for a in answers]
    pairs = zip(answers, kinds, strict=True)
    heights = [height(answer, kind, width=width) for answer, kind in pairs]
    figure = style.new_figure(sum(heights), width)
    figure.set_layout_engine("constrained", h_pad=0.15)
    rows = figure.subplots(len(heights), 1, squeeze=False, height_ratios=heights)
    for answer, kind, axes in zip(answers, kinds, rows[:, 0], strict=True):
        answer.plot(kind, ax=axes)
    return figure


def file_bytes(figure: "Figure", form: str) -> bytes:
    """Write a figure as png, svg or pdf; same figure, same bytes."""
    data = BytesIO()
    metadata = {_DATES[form]: None} if form in _DATES else {"Software": None}
    with mpl.rc_context({"svg.hashsalt": "likelier"}), warnings.catch_warnings():
        # A letter that the font lacks is drawn as a box; nobody can mend that here.
        warnings.filterwarnings("ignore", "Glyph")
        figure.savefig(data, format=form, dpi=150, metadata=metadata)
    return _OUTLINE.sub(_short, data.getvalue()) if form == "svg" else data.getvalue()


def _short(outline: re.Match[bytes]) -> bytes:
    """Round the numbers of an outline to a hundredth of a point."""
    return _LONG.sub(lambda number: b"%.2f" % float(number[0]), outline[0])
