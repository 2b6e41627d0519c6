"""The answer as a p-value."""

from dataclasses import dataclass
from typing import Any

from likelier import wording
from likelier.distribution import Null
from likelier.findings import Finding
from likelier.recipe import Recipe
from likelier.results import notebook
from likelier.results.export import Backend, long_frame
from likelier.results.paragraph import Cited, Said
from likelier.results.question import SCHEMA, Origin, Question
from likelier.results.reporting import Reported
from likelier.results.said.tests import null_said


@dataclass(frozen=True)
class NullTest(Cited, Reported):
    """How odd the observed difference were if the two systems did not differ.

    Attributes
    ----------
    question
        The systems, the metric and the size of the data.
    null
        The p-value and what it rests on.
    difference
        The observed difference, second minus first; positive: the second is better.
    origin
        The method, the recipe and the findings.
    """

    question: Question
    null: Null
    difference: float
    origin: Origin

    @property
    def p_value(self) -> float:
        """The probability of a difference at least as large without a real one."""
        return self.null.p_value

    def __repr__(self) -> str:
        return f"<{self.origin.method['name']}: p = {wording.p_value(self.p_value)}>"

    def sentence(self) -> str:
        """Say the result as one may write it in a paper."""
        first, second = self.question.shown_systems
        values = [wording.number(value, 4) for value in self.question.observed]
        return (
            f"{second} against {first} on {self.question.metric_name}: {values[1]} "
            f"against {values[0]}, {wording.number(self.difference, 4, signed=True)}, "
            f"p = {wording.p_value(self.p_value)} ({self.origin.method['description']})"
        )

    def details_line(self) -> str:
        """Say what the p-value rests on."""
        numbers = {self.null.statistic_name: self.null.statistic, **self.null.details}
        return "    ".join(f"{name} {value:,.6g}" for name, value in numbers.items())

    def to_dict(self) -> dict[str, Any]:
        """Give the documented JSON of a null test."""
        return {
            "schema": SCHEMA,
            "kind": "null_test",
            **self.question.to_dict(),
            "estimates": [
                {"system": name, "value": value}
                for name, value in zip(
                    self.question.systems, self.question.observed, strict=True
                )
            ],
            "difference": {"value": self.difference},
            "p_value": self.null.p_value,
            "mcse": self.null.mcse,
            "statistic": {
                "name": self.null.statistic_name,
                "value": self.null.statistic,
            },
            "alternative": self.null.alternative,
            "details": dict(self.null.details),
            **self.origin.to_dict(),
        }

    @property
    def recipe(self) -> Recipe:
        """One line that makes the same numbers again."""
        return self.origin.recipe

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Remarks of the checks."""
        return self.origin.findings

    def frame(self, backend: Backend | None = None) -> Any:
        """Give a long table, one row per number."""
        return long_frame(self.to_dict(), backend)

    def methods(self) -> list[Said]:
        """Give the sentences of the methods paragraph, and what they cite."""
        return null_said(self)

    def _repr_html_(self) -> str:
        lines = self.sentence(), self.details_line(), self.question.size
        return notebook.block(map(notebook.line, lines), self.recipe)
