"""Results as GitHub-flavoured Markdown: the answer, tables, findings, recipes."""

import re
from collections.abc import Sequence

from likelier.report.composite import Table, composite_lines
from likelier.report.summary import Composite, Result
from likelier.report.table import finding_lines, tables, with_answers
from likelier.results import Comparison, StudyReport

# What GitHub would take for something else than itself, anywhere in a line.
_TAKEN = re.compile(
    r"""
    (?P<marked>
        [\\`*~$\[]                          # escapes, code, emphasis, maths, links
      | (?<![^\W_]) _ | _ (?![^\W_])        # emphasis; not in the middle of a word
      | < (?=[A-Za-z/!?])                   # tags, comments, links
      | & (?=\#?\w+;)                       # entities
      | : (?=//) | (?<=www) \.              # addresses, which become links
    )
  | @ (?=\w) | \# (?=\d)                    # people, mail, issues
    """,
    re.VERBOSE,
)
# At the start of a line: headings, quotations, lists, rules; or a numbered list.
_OPENING = re.compile(r"[#>+=-]|(?P<number>\d{1,9})(?=[.)])")


def markdown(results: Sequence[Result]) -> str:
    """Write results as text and tables, with findings and recipes below."""
    told = [line for result in results for line in _told(result)]
    recipes = dict.fromkeys(str(result.recipe) for result in with_answers(results))
    lines = [
        *(f"{_line(line)}\n" for line in told),
        *(line for shown in tables(results) for line in _table(shown)),
        *_listed("Findings", finding_lines(results)),
        *_listed("Recipes" if len(recipes) > 1 else "Recipe", list(recipes)),
    ]
    return "\n".join(lines).rstrip("\n") + "\n"


def escaped(text: str) -> str:
    r"""Write text so that GitHub shows it as it is; nothing else is marked.

    Examples
    --------
    >>> print(escaped("F1 (spam) +0.030 macro_f1 *x* <b>"))
    F1 (spam) +0.030 macro_f1 \*x\* \<b>
    """
    return _TAKEN.sub(_marked, text)


def _marked(found: re.Match[str]) -> str:
    # Who or what is named is linked in spite of a backslash; a comment prevents it.
    return f"\\{found[0]}" if found["marked"] else f"{found[0]}<!-- -->"


def _line(text: str) -> str:
    """Write text as a paragraph, that is no heading, list or quotation."""
    bare = text.strip()
    opening = _OPENING.match(bare)
    if opening is None:
        return escaped(bare)
    number = opening["number"] or ""
    return f"{number}\\{escaped(bare[len(number) :])}"


def _told(result: Result) -> list[str]:
    """Give the sentences, and what a table of its own does not say."""
    if isinstance(result, StudyReport):
        found = [answer.sentence() for answer in result.answers]
        return [*found, *composite_lines(result)]
    beside = composite_lines(result) if isinstance(result, Composite) else []
    ahead = result.outlook_line() if isinstance(result, Comparison) else None
    return [result.sentence(), *([ahead] if ahead else []), *beside]


def _listed(heading: str, texts: Sequence[str]) -> list[str]:
    if not texts:
        return []
    return [f"{heading}:", "", *(f"- {escaped(text)}" for text in texts), ""]


def _table(shown: Table) -> list[str]:
    return [
        _row(shown.columns),
        f"| {' | '.join('---' for _ in shown.columns)} |",
        *map(_row, shown.rows),
        "",
    ]


def _row(cells: Sequence[str]) -> str:
    told = (escaped(cell).replace("|", r"\|") for cell in cells)
    return f"| {' | '.join(told)} |"
