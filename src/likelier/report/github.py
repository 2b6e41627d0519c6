"""Results for the summary of a step in GitHub Actions, which is a Markdown file."""

import os
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from likelier.errors import InputError, SettingError, plain
from likelier.report.gate.judgement import Judgement
from likelier.report.gate.judging import FAILS, HOLDS, UNCLEAR
from likelier.report.markdown import escaped, markdown
from likelier.report.summary import Result
from likelier.report.table import with_answers
from likelier.results import Comparison, StudyReport

VARIABLE = "GITHUB_STEP_SUMMARY"
# A larger summary is not shown at all.
MOST_BYTES = 1024 * 1024
_NOTE_BYTES = 200
_MOST_UNMET = 20
_RULE = re.compile(r"\|(?: *:?-+:? *\|)+")
_WORDS = {
    HOLDS: "✓ The condition holds",
    FAILS: "✗ The condition does not hold",
    UNCLEAR: "? The evidence is too little for the condition, either way",
}


def summary_file() -> Path:
    """Give the file that GitHub Actions shows as the summary of a step."""
    name = os.environ.get(VARIABLE)
    if not name:
        message = f"--github must know the file of the summary; {VARIABLE} is not set."
        hint = f"A step of GitHub Actions sets it. Elsewhere: {VARIABLE}=summary.md"
        raise SettingError(message, hint=hint)
    return Path(name)


def step_summary(results: Sequence[Result], judgement: Judgement | None) -> list[str]:
    """Write results as lines: what they say, the condition, the tables, findings.

    Parameters
    ----------
    results
        What to tell.
    judgement
        The condition and whether it held, where there was one.
    """
    found = [r for r in with_answers(results) if not isinstance(r, StudyReport)]
    answers = found or results
    body = markdown(results).split("\n")[:-1]
    # The heading says it already.
    twice = len(answers) == 1 and body[0] == escaped(answers[0].sentence())
    return [
        f"### {_heading(answers)}",
        "",
        *([] if judgement is None else _condition(judgement)),
        *(body[2:] if twice else body),
    ]


def append(path: Path, lines: Sequence[str]) -> bool:
    """Add lines to the end of a file, as many as it has room for.

    Returns
    -------
    bool
        Whether there was room for any.
    """
    try:
        with path.open("a+b") as file:
            size = file.seek(0, os.SEEK_END)
            # What stands there must end, and Markdown wants a line between.
            before = b"\n\n" if size else b""
            kept = fitted(lines, MOST_BYTES - size - len(before))
            try:
                file.write(before + _bytes("\n".join(kept) + "\n") if kept else b"")
                file.flush()
            except OSError:
                file.truncate(size)
                raise
    except OSError as error:
        message = f"{path} must be writable; {error.strerror}."
        raise InputError(message) from error
    return bool(kept)


def fitted(lines: Sequence[str], room: int) -> list[str]:
    """Leave out rows of tables, then other lines, until the rest fits, and say so.

    Parameters
    ----------
    lines
        Lines of Markdown; the first is never left out alone.
    room
        How many bytes there may be.

    Examples
    --------
    >>> fitted(["### a", "| x |", "| --- |", "| 1 |", "| 2 |"], 1000)[-1]
    '| 2 |'
    """
    sizes = [len(_bytes(line)) + 1 for line in lines]
    total = sum(sizes)
    if total <= room:
        return list(lines)
    rows = _rows(lines)
    others = [place for place in range(1, len(lines)) if place not in rows]
    gone = set()
    for place in (*sorted(rows, reverse=True), *reversed(others)):
        if total + _NOTE_BYTES <= room:
            break
        gone.add(place)
        total -= sizes[place]
    if total + _NOTE_BYTES > room:
        return []
    kept = [line for place, line in enumerate(lines) if place not in gone]
    return [*kept, "", _left_out(len(gone & rows), len(gone - rows))]


def _heading(answers: Sequence[Result]) -> str:
    """Say the one answer, or how many there are of each verdict."""
    verdicts = [a.verdict for a in answers if isinstance(a, Comparison)]
    if len(answers) == 1:
        symbol = "".join(f"{verdict.symbol} " for verdict in verdicts)
        return escaped(f"{symbol}{answers[0].sentence()}")
    counts = Counter(f"{verdict.symbol} {verdict.name}" for verdict in verdicts)
    each = ", ".join(f"{count:,} {name}" for name, count in counts.items())
    return escaped(f"{len(answers):,} results{': ' if each else ''}{each}")


def _condition(judgement: Judgement) -> Iterator[str]:
    yield f"**{_WORDS[judgement.code]}:** {escaped(plain(judgement.condition))}"
    yield ""
    # Of a single result the heading says it.
    unmet = list(judgement.unmet()) if len(judgement.codes) > 1 else []
    yield from (f"- {escaped(line)}" for line in unmet[:_MOST_UNMET])
    if len(unmet) > _MOST_UNMET:
        yield f"- and {len(unmet) - _MOST_UNMET:,} more"
    if unmet:
        yield ""


def _rows(lines: Sequence[str]) -> set[int]:
    """Find the rows of tables: what stands below a rule."""
    rows, below = set(), False
    for place, line in enumerate(lines):
        rule = _RULE.fullmatch(line) is not None
        if below and not rule and line.startswith("|"):
            rows.add(place)
        below = line.startswith("|") and (below or rule)
    return rows


def _left_out(rows: int, others: int) -> str:
    told = [f"{rows:,} rows"] if rows else []
    told += [f"{others:,} other lines"] if others else []
    what = " and ".join(told)
    return f"{what} left out: the summary of a step has room for 1 MiB."


def _bytes(text: str) -> bytes:
    return text.encode(errors="backslashreplace")
