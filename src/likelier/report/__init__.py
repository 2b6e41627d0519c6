"""Views of a result: terminal, Markdown, LaTeX, JSON, page, notebook, gate.

They read what every result offers and the kinds of its parts, and compute nothing.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from likelier.report.html_page import Report as Report
    from likelier.results.result import Result


def page(result: "Result") -> "Report":
    """Make the page of a result."""
    from likelier.report.html_page import render

    return render(result)


def notebook(result: "Result") -> str:
    """Make the small block of HTML that a notebook shows of a result."""
    from likelier.report.html_block import block

    return block(result)
