"""Results as GitHub-flavoured Markdown, and as the summary of a step of its Actions."""

import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from likelier.errors import InputError, SettingError
from likelier.findings import joined
from likelier.formatting import plain
from likelier.report.gate import FAILS, HOLDS, UNCLEAR, GateResult

if TYPE_CHECKING:
    from likelier.results.parts import Table
    from likelier.results.result import Result

VARIABLE = "GITHUB_STEP_SUMMARY"
# A larger summary is not shown at all.
MOST_BYTES = 1024 * 1024
_NOTE_BYTES = 200
_MOST_UNMET = 20
_CODES = {
    HOLDS: "✓ The condition holds",
    FAILS: "✗ The condition does not hold",
    UNCLEAR: "? No answer: too little evidence either way, or a finding blocks",
}
# What GitHub would take for something else than itself, anywhere in a line.
_SPECIAL = re.compile(
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


class Line(NamedTuple):
    """Line of Markdown, and whether it is a row of a table."""

    text: str
    is_row: bool = False


def markdown(result: "Result") -> str:
    """Write a result as text, findings and tables, with recipes below."""
    return "\n".join(line.text for line in _lines(result, result.brief())) + "\n"


def step_summary(result: "Result", judgement: GateResult | None) -> list[Line]:
    """Write a result as lines: its sentence, the condition, findings, tables.

    Parameters
    ----------
    result
        Any result.
    judgement
        Outcome of the condition, where there was one.
    """
    answers, brief = result.members() or (result,), result.brief()
    # The heading says it already.
    twice = len(answers) == 1 and brief[0] == answers[0].sentence()
    return [
        Line(f"### {escape(_heading(answers))}"),
        Line(""),
        *([] if judgement is None else map(Line, _condition(judgement))),
        *_lines(result, brief[1:] if twice else brief),
    ]


def escape(text: str) -> str:
    r"""Write text so that GitHub shows it as it is; nothing else is marked.

    Examples
    --------
    >>> print(escape("F1 (spam) +0.030 macro_f1 *x* <b>"))
    F1 (spam) +0.030 macro_f1 \*x\* \<b>
    """
    return _SPECIAL.sub(_marked, text)


def _marked(match: re.Match[str]) -> str:
    # Who or what is named is linked in spite of a backslash; a comment prevents it.
    return f"\\{match[0]}" if match["marked"] else f"{match[0]}<!-- -->"


def _lines(result: "Result", paragraphs: Iterable[str]) -> list[Line]:
    recipes = result.recipes()
    findings = [str(finding) for finding in joined(result.findings)]
    lines = [
        *(Line(text) for line in paragraphs for text in (_paragraph(line), "")),
        *_listed("Findings", findings),
        *(line for table in result.tables() for line in _table(table)),
        *_listed("Recipes" if len(recipes) > 1 else "Recipe", recipes),
    ]
    return lines[:-1]


def _paragraph(text: str) -> str:
    """Write text as a paragraph, that is no heading, list or quotation."""
    bare = text.strip()
    opening = _OPENING.match(bare)
    if opening is None:
        return escape(bare)
    number = opening["number"] or ""
    return f"{number}\\{escape(bare[len(number) :])}"


def _listed(heading: str, texts: Sequence[str]) -> list[Line]:
    if not texts:
        return []
    lines = (f"{heading}:", "", *(f"- {escape(text)}" for text in texts), "")
    return [Line(line) for line in lines]


def _table(table: "Table") -> Iterator[Line]:
    yield Line(_row([column.name for column in table.columns]))
    yield Line(f"| {' | '.join('---' for _ in table.columns)} |")
    yield from (Line(_row(row), is_row=True) for row in table.rows)
    yield Line("")


def _row(cells: Sequence[str]) -> str:
    texts = (escape(cell).replace("|", r"\|") for cell in cells)
    return f"| {' | '.join(texts)} |"


def _heading(answers: "Sequence[Result]") -> str:
    """Write the one answer, or how many there are of each verdict."""
    verdicts = [a.verdict for a in answers if a.verdict is not None]
    if len(answers) == 1:
        symbol = "".join(f"{verdict.symbol} " for verdict in verdicts)
        return f"{symbol}{answers[0].sentence()}"
    each = ", ".join(f"{n:,} {name}" for name, n in Counter(map(str, verdicts)).items())
    return f"{len(answers):,} results{': ' if each else ''}{each}"


def _condition(judgement: GateResult) -> Iterator[str]:
    yield f"**{_CODES[judgement.code]}:** {escape(plain(judgement.condition))}"
    yield ""
    # Of a single result the heading says it.
    unmet = list(judgement.unmet()) if len(judgement.codes) > 1 else []
    yield from (f"- {escape(line)}" for line in unmet[:_MOST_UNMET])
    if len(unmet) > _MOST_UNMET:
        yield f"- and {len(unmet) - _MOST_UNMET:,} more"
    if unmet:
        yield ""


def summary_file() -> Path:
    """Return the file that GitHub Actions shows as the summary of a step."""
    name = os.environ.get(VARIABLE)
    if not name:
        message = f"--github must know the file of the summary; {VARIABLE} is not set."
        hint = f"A step of GitHub Actions sets it. Elsewhere: {VARIABLE}=summary.md"
        raise SettingError(message, hint=hint)
    return Path(name)


def append(path: Path, lines: Sequence[Line]) -> bool:
    """Add lines to the end of a file, as many as it has room for.

    Returns
    -------
    bool
        Whether there was room for any.
    """
    try:
        with path.open("a+b") as file:
            size = file.seek(0, os.SEEK_END)
            # Markdown needs an empty line after what is there.
            before = b"\n\n" if size else b""
            texts = fit(lines, MOST_BYTES - size - len(before))
            try:
                file.write(before + _bytes("\n".join(texts) + "\n") if texts else b"")
                file.flush()
            except OSError:
                file.truncate(size)
                raise
    except OSError as error:
        message = f"{path} must be writable; {error.strerror}."
        raise InputError(message) from error
    return bool(texts)


def fit(lines: Sequence[Line], room: int) -> list[str]:
    """Leave out rows of tables, then other lines, until the rest fits, and say so.

    Parameters
    ----------
    lines
        Lines of Markdown; the first is never left out alone.
    room
        Number of bytes that there may be.

    Examples
    --------
    >>> fit([Line("### a"), Line("| x |"), Line("| 1 |", is_row=True)], 1000)
    ['### a', '| x |', '| 1 |']
    """
    sizes = [len(_bytes(line.text)) + 1 for line in lines]
    total = sum(sizes)
    if total <= room:
        return [line.text for line in lines]
    rows = {i for i, line in enumerate(lines) if line.is_row}
    others = [i for i in range(1, len(lines)) if i not in rows]
    omitted = set()
    for index in (*sorted(rows, reverse=True), *reversed(others)):
        if total + _NOTE_BYTES <= room:
            break
        omitted.add(index)
        total -= sizes[index]
    if total + _NOTE_BYTES > room:
        return []
    texts = [line.text for i, line in enumerate(lines) if i not in omitted]
    return [*texts, "", _left_out(len(omitted & rows), len(omitted - rows))]


def _left_out(rows: int, others: int) -> str:
    counts = [f"{rows:,} rows"] if rows else []
    counts += [f"{others:,} other lines"] if others else []
    what = " and ".join(counts)
    return f"{what} left out: the summary of a step has room for 1 MiB."


def _bytes(text: str) -> bytes:
    return text.encode(errors="backslashreplace")
