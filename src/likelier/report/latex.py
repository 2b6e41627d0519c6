"""Results as a LaTeX table in the style of booktabs."""

from collections.abc import Sequence

from likelier.report.composite import Table
from likelier.report.summary import Result
from likelier.report.table import finding_lines, tables, with_answers

_SPECIAL = str.maketrans(
    {
        "\\": r"\textbackslash{}",
        "&": r"\&",
        "%": r"\%",
        "$": r"\$",
        "#": r"\#",
        "_": r"\_",
        "{": r"\{",
        "}": r"\}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        "<": r"\textless{}",
        ">": r"\textgreater{}",
        "|": r"\textbar{}",
        '"': r"\textquotedbl{}",
        "≫": r"$\gg$",
        "≪": r"$\ll$",
        "≈": r"$\approx$",
        "≤": r"$\leq$",
        "±": r"$\pm$",
    }
)


def latex(results: Sequence[Result]) -> str:
    """Write results as a tabular; it needs the package booktabs."""
    lines = [
        *(f"% {result.sentence()}" for result in results),
        *(f"% {result.recipe}" for result in with_answers(results)),
        *(f"% {finding}" for finding in finding_lines(results)),
        *(line for shown in tables(results) for line in _lines(shown)),
    ]
    return "\n".join(lines) + "\n"


def _lines(shown: Table) -> list[str]:
    return [
        rf"\begin{{tabular}}{{{'l' * len(shown.columns)}}}",
        r"\toprule",
        _row(shown.columns),
        r"\midrule",
        *(_row(row) for row in shown.rows),
        r"\bottomrule",
        r"\end{tabular}",
    ]


def _row(cells: tuple[str, ...]) -> str:
    return " & ".join(cell.translate(_SPECIAL) for cell in cells) + r" \\"
