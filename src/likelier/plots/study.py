"""A study: every answer, one below the other, or all of them on one scale."""

from typing import TYPE_CHECKING

from likelier.errors import SettingError
from likelier.plots.forest import height_of as height_of_intervals
from likelier.plots.forest import intervals
from likelier.plots.style import figure_of_rows, new_figure
from likelier.results import Comparison

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from likelier.results import StudyReport

# Beyond, comparisons are lines of one plot, and orders are too many to draw.
_MOST_POSTERIORS = 3
_MOST_ORDERS = 12


def study(report: "StudyReport") -> "Figure":
    """Draw every answer of a study; many comparisons as intervals on one scale.

    Parameters
    ----------
    report
        A study with at least one answer.
    """
    from likelier.plots.picture import height_of

    answers = report.answers
    compared = [found for found in answers if isinstance(found, Comparison)]
    if len(compared) == len(answers) > _MOST_POSTERIORS:
        figure, axes = new_figure(height_of_intervals(len(compared)))
        intervals(compared, ax=axes)
        return figure
    if not answers or len(answers) > _MOST_ORDERS:
        message = (
            f"A plot must have 1 to {_MOST_ORDERS} answers; got {len(answers)} "
            f"({report.progress()})."
        )
        raise SettingError(message, hint="Name a metric, or two systems.")
    figure, rows = figure_of_rows([height_of(found) for found in answers])
    for found, axes in zip(answers, rows, strict=True):
        found.plot(ax=axes)
    return figure
