"""Results as one self-contained HTML page; text from data is escaped."""

from base64 import b64encode
from collections.abc import Sequence
from typing import Any

from jinja2 import Environment, PackageLoader

from likelier.plots.picture import picture
from likelier.report.summary import Result
from likelier.report.table import tables, with_answers
from likelier.report.text import detail_lines
from likelier.results import Estimate, NullTest, StudyReport


def html(results: Sequence[Result]) -> str:
    """Write results as a page that needs nothing from outside."""
    environment = Environment(
        loader=PackageLoader("likelier.report"),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return environment.get_template("report.html").render(
        title=_heading(results[0]),
        parts=[_part(part) for part in with_answers(results)],
        tables=tables(results),
    )


def _heading(result: Result) -> str:
    """Name a study; say what any other result says."""
    return result.name if isinstance(result, StudyReport) else result.sentence()


def _part(result: Result) -> dict[str, Any]:
    return {
        "sentence": _heading(result),
        "lines": detail_lines(result),
        "picture": _picture(result),
        "findings": [str(finding) for finding in result.findings],
        "recipe": str(result.recipe),
    }


def _picture(result: Result) -> str | None:
    if isinstance(result, NullTest | Estimate | StudyReport):
        return None
    return b64encode(picture(result)).decode("ascii")
