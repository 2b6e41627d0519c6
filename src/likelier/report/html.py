"""Results as one self-contained HTML page; text from data is escaped."""

from collections.abc import Sequence

from likelier.report.page import report
from likelier.report.summary import Result


def html(results: Sequence[Result]) -> str:
    """Write results as a page that needs nothing from outside."""
    return report(results).html
