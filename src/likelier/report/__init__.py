"""Views of a result: terminal, Markdown, LaTeX, JSON, page, notebook, gate.

They read what every result offers and the kinds of its parts, and compute nothing.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from likelier.origin import Origin
    from likelier.report.gate import GateResult as GateResult
    from likelier.report.html_page import Report as Report
    from likelier.results.result import Result


def page(
    result: "Result",
    *,
    gate: "GateResult | None" = None,
    origin: "Origin | None" = None,
) -> "Report":
    """Make the page of a result, with a gate's outcome and where it comes from."""
    from likelier.report.html_page import render

    return render(result, gate=gate, origin=origin)


def notebook(result: "Result") -> str:
    """Make the small block of HTML that a notebook shows of a result."""
    from likelier.report.html_block import block

    return block(result)
