"""What other tests say of the same data: companions of the answer."""

from dataclasses import dataclass
from typing import Any

from likelier import wording
from likelier.decision import Probabilities


@dataclass(frozen=True)
class Companion:
    """The answer of another test: a p-value, or three probabilities.

    Attributes
    ----------
    name
        What the test is called.
    p_value
        Its two-sided p-value, if it gives one.
    probability
        Its probabilities, if it gives them.
    why_not
        Why the test has no answer, where it has none.
    """

    name: str
    p_value: float | None = None
    probability: Probabilities | None = None
    why_not: str | None = None

    def __str__(self) -> str:
        if self.p_value is not None:
            return f"{self.name} p = {wording.p_value(self.p_value)}"
        if self.probability is not None:
            p = self.probability
            told = [p.shown(part) for part in (p.worse, p.equivalent, p.better)]
            return f"{self.name} {' / '.join(told)}"
        return f"{self.name} not defined"

    def to_dict(self) -> dict[str, Any]:
        """Give the companion as it stands in the JSON."""
        p = self.probability
        shares = (
            None
            if p is None
            else {"worse": p.worse, "equivalent": p.equivalent, "better": p.better}
        )
        return {
            "name": self.name,
            "p_value": self.p_value,
            "probability": shares,
            "why_not": self.why_not,
        }
