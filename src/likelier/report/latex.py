"""Results as LaTeX tables in the style of booktabs, to be pasted into a paper."""

import re
from collections.abc import Iterable, Sequence
from textwrap import wrap
from typing import TYPE_CHECKING

from likelier._version import package_version
from likelier.citations import Sentence, as_bibtex
from likelier.findings import joined
from likelier.results.parts import Table

if TYPE_CHECKING:
    from likelier.results.result import Result

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
        "≳": r"$\gtrsim$",
        "≲": r"$\lesssim$",
        "≤": r"$\leq$",
        "±": r"$\pm$",
        "∞": r"$\infty$",
        "×": r"$\times$",
        "·": r"$\cdot$",
        "…": r"\textellipsis{}",
    }
)
_MINUS = re.compile(r"(?<![\w.])-(?=\d)")
_WIDE, _WIDEST, _NARROW = 8, 11, 11
# The last letter that LaTeX knows without further packages is about here.
_LATIN = 0x17F
_TOOL = ("likelier",)


def latex(result: "Result") -> str:
    """Write a result as tabulars; they need the package booktabs.

    The sentences, recipes and findings stand above as comments; the methods paragraph
    and its references, ready to be uncommented, below.
    """
    tables, cited = result.tables(), result.sentences()
    version = f"All numbers were computed with likelier {package_version()}"
    methods = map(_cited, (*cited, Sentence(version, _TOOL)))
    findings = map(str, joined(result.findings))
    above = (*_answers(result), *result.recipes(), *findings, _needs(tables))
    lines = [
        *(f"% {line}" for line in above),
        *_below(_tabular(table) for table in tables),
        *_commented("Methods", dict.fromkeys(methods)),
        *_commented("References (BibTeX)", as_bibtex(cited).splitlines()),
    ]
    return "\n".join(lines) + "\n"


def escape(text: str) -> str:
    r"""Write text so that LaTeX prints it as it is.

    Examples
    --------
    >>> print(escape("F_1 > 50 %"))
    F\_1 \textgreater{} 50 \%
    """
    return text.translate(_SPECIAL)


def _answers(result: "Result") -> list[str]:
    """Return the sentences of a list of answers, or of the one."""
    listed = [] if result.own_tables() else result.members() or []
    return [member.sentence() for member in listed] or [result.sentence()]


def _cited(sentence: Sentence) -> str:
    """Write a sentence that cites by keys, as natbib and biblatex do."""
    keys = rf"~\citep{{{','.join(sentence.cites)}}}" if sentence.cites else ""
    return f"{escape(sentence.text)}{keys}."


def _below(parts: Iterable[list[str]]) -> list[str]:
    """Put one table below the other; else they would stand side by side."""
    first, *rest = parts
    below = r"\par\medskip\noindent"
    return [*first, *(line for part in rest for line in (below, *part))]


def _commented(heading: str, lines: Iterable[str]) -> list[str]:
    return ["%", f"% {heading}:", *(f"% {line}".rstrip() for line in lines)]


def _needs(tables: Sequence[Table]) -> str:
    texts = (text for table in tables for row in table.rows for text in row)
    foreign = any(ord(c) > _LATIN for text in texts for c in escape(text))
    fonts = ", and XeLaTeX or LuaLaTeX with a font for letters beyond Latin"
    return rf"needs \usepackage{{booktabs}}{fonts if foreign else ''}"


def _tabular(table: Table) -> list[str]:
    """Write a table without the columns that say nothing in any row."""
    indices = [
        i
        for i in range(len(table.columns))
        if not table.rows or any(row[i] not in ("", "-") for row in table.rows)
    ]
    columns = [table.columns[i] for i in indices]
    sides = ["r" if column.numeric else "l" for column in columns]
    small = _smaller(len(columns))
    head = [
        _stacked(column.name, side) if small else escape(column.name)
        for column, side in zip(columns, sides, strict=True)
    ]
    rows = (
        [_cell(row[i], numeric=table.columns[i].numeric) for i in indices]
        for row in table.rows
    )
    return [
        *(["{" + small] if small else []),
        rf"\begin{{tabular}}{{@{{}}{''.join(sides)}@{{}}}}",
        r"\toprule",
        _row(head),
        r"\midrule",
        *map(_row, rows),
        r"\bottomrule",
        r"\end{tabular}",
        *(["}"] if small else []),
    ]


def _smaller(columns: int) -> str:
    """Choose a smaller type for tables that would be wider than a page."""
    if columns > _WIDEST:
        return r"\scriptsize\setlength{\tabcolsep}{2pt}%"
    return r"\small\setlength{\tabcolsep}{4pt}%" if columns > _WIDE else ""


def _stacked(name: str, side: str) -> str:
    """Write a long heading on several lines, where columns are many."""
    lines = wrap(name, _NARROW, break_long_words=False)
    text = r" \\ ".join(map(escape, lines))
    return text if len(lines) < 2 else rf"\shortstack[{side}]{{{text}}}"


def _row(cells: Sequence[str]) -> str:
    first, *rest = cells
    # After the line before, a bracket or a star would be its argument, blanks or not.
    guard = r"\textnormal{}" if first.lstrip().startswith(("[", "*")) else ""
    return " & ".join([guard + first, *rest]) + r" \\"


def _cell(text: str, *, numeric: bool) -> str:
    if text == "-":
        return "--"
    return _MINUS.sub("$-$", escape(text)) if numeric else escape(text)
