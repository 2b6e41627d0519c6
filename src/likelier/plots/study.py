"""A study: every answer, one below the other."""

from typing import TYPE_CHECKING

from likelier.errors import SettingError
from likelier.plots.style import figure_of_rows

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from likelier.results import StudyReport

_MOST = 12


def study(report: "StudyReport") -> "Figure":
    """Draw every answer of a study, one below the other.

    Parameters
    ----------
    report
        A study with at least one answer.
    """
    from likelier.plots.picture import height_of

    if not report.answers or len(report.answers) > _MOST:
        message = (
            f"A plot must have 1 to {_MOST} answers; got {len(report.answers)} "
            f"({report.progress()})."
        )
        raise SettingError(message, hint="Name a metric, or two systems.")
    heights = [height_of(found) for found in report.answers]
    figure, rows = figure_of_rows(heights)
    for found, axes in zip(report.answers, rows, strict=True):
        found.plot(ax=axes)
    return figure
