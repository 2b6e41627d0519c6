"""Results as a Markdown table."""

from collections.abc import Sequence

from likelier.report.composite import Table, composite_lines
from likelier.report.summary import Composite, Result
from likelier.report.table import finding_lines, tables, with_answers
from likelier.results import StudyReport

_SPECIAL = str.maketrans({c: f"\\{c}" for c in "\\`*_{}[]<>()#+!|~$&"})


def markdown(results: Sequence[Result]) -> str:
    """Write results as a table, with their recipes below it."""
    told = [line for result in results for line in _told(result)]
    lines = [
        *(f"{line.translate(_SPECIAL)}\n" for line in told),
        *(line for shown in tables(results) for line in _lines(shown)),
        *(f"- {str(r.recipe).translate(_SPECIAL)}" for r in with_answers(results)),
        *(f"- {finding.translate(_SPECIAL)}" for finding in finding_lines(results)),
    ]
    return "\n".join(lines) + "\n"


def _told(result: Result) -> list[str]:
    """Give what a table of its own does not say."""
    if not isinstance(result, Composite):
        return []
    said = [] if isinstance(result, StudyReport) else [result.sentence()]
    return [*said, *composite_lines(result)]


def _lines(shown: Table) -> list[str]:
    return [
        _row(tuple(cell.translate(_SPECIAL) for cell in shown.columns)),
        _row(tuple("---" for _ in shown.columns)),
        *(_row(tuple(cell.translate(_SPECIAL) for cell in row)) for row in shown.rows),
        "",
    ]


def _row(cells: tuple[str, ...]) -> str:
    return f"| {' | '.join(cells)} |"
