"""A numbered remark of a check on the data or the method."""

from dataclasses import dataclass
from typing import Literal

from likelier.formatting import plain

Severity = Literal["problem", "note"]


@dataclass(frozen=True)
class Finding:
    """What a check found: a code that is documented, and what it means here.

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
        """Give the finding as it stands in the JSON."""
        return {"code": self.code, "severity": self.severity, "message": self.message}
