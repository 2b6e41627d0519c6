"""Results as LaTeX tables in the style of booktabs, to be pasted into a paper."""

import re
from collections.abc import Iterable, Sequence
from textwrap import wrap

from likelier.recipe import package_version
from likelier.report.composite import Table
from likelier.report.summary import Result
from likelier.report.table import finding_lines, tables, with_answers
from likelier.results.paragraph import Said, as_bibtex

# None of these needs a package or a font encoding.
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
        '"': "''",
        "`": "'",
        "≫": r"$\gg$",
        "≪": r"$\ll$",
        "≈": r"$\approx$",
        "≤": r"$\leq$",
        "±": r"$\pm$",
        "∞": r"$\infty$",
        "×": r"$\times$",
        "·": r"$\cdot$",
        "…": r"\textellipsis{}",
    }
)
_SIZE = r"[<>]?[+-]?\d[\d,]*(?:\.\d+)?(?:e[+-]\d+)?"
# A number, a percentage, an interval, odds, or nothing.
_NUMBER = re.compile(
    rf"-?|{_SIZE}(?: %| s)?|{_SIZE} to {_SIZE}|(?:at (?:most|least) )?"
    rf"(?:{_SIZE}|∞) : (?:{_SIZE}|∞)"
)
_MINUS = re.compile(r"(?<![\w.])-(?=\d)")
_WIDE, _WIDEST, _NARROW = 8, 11, 11
# The last letter that LaTeX knows without further packages is about here.
_LATIN = 0x17F
_TOOL = ("likelier",)


def latex(results: Sequence[Result]) -> str:
    """Write results as tabulars; they need the package booktabs.

    The sentences, recipes and findings stand above as comments; the methods paragraph
    and its references, ready to be uncommented, below.
    """
    shown = tables(results)
    tool = Said(f"All numbers were computed with likelier {package_version()}", _TOOL)
    said = [sentence for result in results for sentence in result.methods()]
    recipes = dict.fromkeys(str(result.recipe) for result in with_answers(results))
    lines = [
        *(f"% {result.sentence()}" for result in results),
        *(f"% {recipe}" for recipe in recipes),
        *(f"% {finding}" for finding in finding_lines(results)),
        f"% {_needs(shown)}",
        *_apart(_lines(table) for table in shown),
        *_commented("Methods", dict.fromkeys(map(_cited, (*said, tool)))),
        *_commented("References (BibTeX)", as_bibtex(said).splitlines()),
    ]
    return "\n".join(lines) + "\n"


def escaped(text: str) -> str:
    r"""Write text so that LaTeX prints it as it is.

    Examples
    --------
    >>> print(escaped("F_1 > 50 %"))
    F\_1 \textgreater{} 50 \%
    """
    return text.translate(_SPECIAL)


def _cited(said: Said) -> str:
    """Write a sentence that cites by keys, as natbib and biblatex do."""
    keys = rf"~\citep{{{','.join(said.cited)}}}" if said.cited else ""
    return f"{escaped(said.text)}{keys}."


def _apart(parts: Iterable[list[str]]) -> list[str]:
    """Put one table below the other; else they would stand side by side."""
    first, *rest = parts
    below = r"\par\medskip\noindent"
    return [*first, *(line for part in rest for line in (below, *part))]


def _commented(heading: str, lines: Iterable[str]) -> list[str]:
    return ["%", f"% {heading}:", *(f"% {line}".rstrip() for line in lines)]


def _needs(shown: Sequence[Table]) -> str:
    texts = (text for table in shown for row in table.rows for text in row)
    foreign = any(ord(c) > _LATIN for text in texts for c in escaped(text))
    fonts = ", and XeLaTeX or LuaLaTeX with a font for letters beyond Latin"
    return rf"needs \usepackage{{booktabs}}{fonts if foreign else ''}"


def _lines(table: Table) -> list[str]:
    shown = _without_gaps(table)
    numeric = [
        all(_NUMBER.fullmatch(row[place]) for row in shown.rows)
        for place in range(len(shown.columns))
    ]
    sides = ["r" if number else "l" for number in numeric]
    small = _smaller(len(shown.columns))
    head = [
        _stacked(name, side) if small else escaped(name)
        for name, side in zip(shown.columns, sides, strict=True)
    ]
    return [
        *(["{" + small] if small else []),
        rf"\begin{{tabular}}{{@{{}}{''.join(sides)}@{{}}}}",
        r"\toprule",
        _row(head),
        r"\midrule",
        *(_row(_cells(row, numeric)) for row in shown.rows),
        r"\bottomrule",
        r"\end{tabular}",
        *(["}"] if small else []),
    ]


def _smaller(columns: int) -> str:
    """Choose a smaller type for tables that would be wider than a page."""
    if columns > _WIDEST:
        return r"\scriptsize\setlength{\tabcolsep}{2pt}%"
    return r"\small\setlength{\tabcolsep}{4pt}%" if columns > _WIDE else ""


def _without_gaps(table: Table) -> Table:
    """Leave out columns that say nothing in any row."""
    kept = [
        place
        for place in range(len(table.columns))
        if not table.rows or any(row[place] not in ("", "-") for row in table.rows)
    ]
    rows = tuple(tuple(row[place] for place in kept) for row in table.rows)
    return Table(tuple(table.columns[place] for place in kept), rows)


def _stacked(name: str, side: str) -> str:
    """Write a long heading on several lines, where columns are many."""
    lines = wrap(name, _NARROW, break_long_words=False)
    told = r" \\ ".join(map(escaped, lines))
    return told if len(lines) < 2 else rf"\shortstack[{side}]{{{told}}}"


def _row(cells: Sequence[str]) -> str:
    first, *rest = cells
    # After the line before, a bracket or a star would be its argument, blanks or not.
    guard = r"\textnormal{}" if first.lstrip().startswith(("[", "*")) else ""
    return " & ".join([guard + first, *rest]) + r" \\"


def _cells(row: Sequence[str], numeric: Sequence[bool]) -> list[str]:
    texts = zip(map(escaped, row), numeric, strict=True)
    told = [_MINUS.sub("$-$", text) if number else text for text, number in texts]
    return ["--" if text == "-" else text for text in told]
