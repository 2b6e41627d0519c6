"""Findings: numbered remarks on the data or the method."""

from dataclasses import dataclass
from typing import Literal

from likelier.formatting import plain

Severity = Literal["problem", "note"]


@dataclass(frozen=True)
class Finding:
    """Remark of a check: a documented code, and what it means for these data.

    Examples
    --------
    >>> print(Finding("LIK101", "only 12 items", severity="note"))
    LIK101 note: only 12 items
    """

    code: str
    message: str
    severity: Severity = "note"

    def __str__(self) -> str:
        return f"{self.code} {self.severity}: {plain(self.message)}"

    def to_dict(self) -> dict[str, str]:
        """Return the finding as in the JSON."""
        return {"code": self.code, "severity": self.severity, "message": self.message}
