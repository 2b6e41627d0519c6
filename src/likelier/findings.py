"""Findings: numbered remarks on the data or the method, some of which block."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, Literal

from likelier.formatting import join_words, plain

Severity = Literal["block", "warning", "note"]

# Beyond, what a finding is about is only counted.
_MOST_JOINED = 6

SEVERITIES: tuple[Severity, ...] = ("block", "warning", "note")


@dataclass(frozen=True)
class Finding:
    """Remark of a check: a documented code, and what it means for these data.

    Attributes
    ----------
    code
        Documented code.
    message
        What was found, with its cure.
    severity
        A note, a warning, or a block: then there is no verdict.
    reason
        For what may block: the reason in a few words, for the headline.
    blocks
        Verdicts that it blocks, by name.
    subject
        What the message begins with, where others may say the same of other things.

    Examples
    --------
    >>> print(Finding("LIK101", "only 12 items", severity="note"))
    LIK101 note: only 12 items
    """

    code: str
    message: str
    severity: Severity = "note"
    reason: str = ""
    blocks: tuple[str, ...] = ()
    subject: str = ""

    def __str__(self) -> str:
        return f"{self.code} {self.severity}: {plain(self.message)}"

    @classmethod
    def of(cls, stored: dict[str, Any]) -> "Finding":
        """Make a finding again from its stored fields."""
        return cls(**{**stored, "blocks": tuple(stored["blocks"])})

    def to_dict(self) -> dict[str, Any]:
        """Return the finding as in the JSON."""
        return {
            "code": self.code,
            "severity": self.severity,
            "message": self.message,
            "blocks": list(self.blocks),
        }


def joined(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Join findings that say the same of several things; all else stays as it is.

    Examples
    --------
    >>> few = [Finding("LIK117", f"no {x}: too few", subject=f"no {x}") for x in "ab"]
    >>> [one.message for one in joined(few)]
    ['no a and no b: too few']
    """
    alike: dict[Finding, list[str]] = {}
    for finding in dict.fromkeys(findings):
        rest = finding.message.removeprefix(finding.subject)
        key = replace(finding, message=rest, subject="", reason="")
        alike.setdefault(key, []).append(finding.subject)
    return tuple(
        replace(key, message=f"{join_words(names, most=_MOST_JOINED)}{key.message}")
        for key, names in alike.items()
    )


def blocking(findings: Iterable[Finding], verdict: str) -> Finding | None:
    """Return the first finding that blocks a verdict, if there is one.

    Examples
    --------
    >>> tail = Finding("LIK114", "a tail", "block", "a tail", blocks=("better",))
    >>> blocking([tail], "better").reason
    'a tail'
    >>> blocking([tail], "equivalent")
    """
    return next((f for f in findings if verdict in f.blocks), None)


def settled(findings: Iterable[Finding], verdict: str) -> tuple[Finding, ...]:
    """Return the findings; those that do not block this verdict are warnings."""
    return tuple(
        replace(finding, severity="warning")
        if finding.severity == "block" and verdict not in finding.blocks
        else finding
        for finding in findings
    )
