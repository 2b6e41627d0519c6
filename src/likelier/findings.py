"""Findings: numbered remarks on the data or the method, some of which block."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, Literal

from likelier.formatting import plain

Severity = Literal["block", "warning", "note"]

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
        A note, a warning, or a block: with one there is no verdict.
    reason
        For what may block: the reason in a few words, for the headline.
    spares
        Verdicts that it does not block.

    Examples
    --------
    >>> print(Finding("LIK101", "only 12 items", severity="note"))
    LIK101 note: only 12 items
    """

    code: str
    message: str
    severity: Severity = "note"
    reason: str = ""
    spares: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"{self.code} {self.severity}: {plain(self.message)}"

    @classmethod
    def of(cls, stored: dict[str, Any]) -> "Finding":
        """Make a finding again from its stored fields."""
        return cls(**{**stored, "spares": tuple(stored.get("spares", ()))})

    def to_dict(self) -> dict[str, str]:
        """Return the finding as in the JSON."""
        return {"code": self.code, "severity": self.severity, "message": self.message}


def blocking(findings: Iterable[Finding], verdict: str) -> Finding | None:
    """Return the first finding that does not allow a verdict, if there is one.

    Examples
    --------
    >>> few = Finding("LIK112", "5 draws", severity="block", reason="too few draws")
    >>> blocking([few], "better").reason
    'too few draws'
    """
    return next((f for f in findings if f.reason and verdict not in f.spares), None)


def settled(findings: Iterable[Finding], verdict: str) -> tuple[Finding, ...]:
    """Return the findings; those that do not block this verdict are warnings."""
    return tuple(
        replace(finding, severity="warning")
        if finding.severity == "block" and verdict in finding.spares
        else finding
        for finding in findings
    )
