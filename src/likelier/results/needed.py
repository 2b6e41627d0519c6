"""How many items a plan needs, and which difference so many can show."""

from dataclasses import dataclass
from typing import Any

from likelier import wording
from likelier.findings import Finding
from likelier.recipe import Recipe
from likelier.results import notebook
from likelier.results.export import Backend, long_frame
from likelier.results.paragraph import Cited, Said
from likelier.results.power import Setting
from likelier.results.question import SCHEMA
from likelier.results.said.plans import needed_said, smallest_said


@dataclass(frozen=True)
class Needed(Cited):
    """The number of items that gives a wanted chance of a verdict.

    Attributes
    ----------
    setting
        What is assumed and how experiments are judged.
    goal
        The verdict that is wanted.
    chance
        The chance that is wanted.
    items
        The number of items.
    error
        Its Monte-Carlo standard error.
    recipe
        One line that makes the same number again.
    """

    setting: Setting
    goal: str
    chance: float
    items: int
    error: float
    recipe: Recipe
    findings: tuple[Finding, ...] = ()

    def __repr__(self) -> str:
        return f"<Needed: {self.sentence()}>"

    def sentence(self) -> str:
        """Say how many items are needed."""
        goal, error = _goal(self.goal), min(self.error, self.items)
        about = wording.rounded(self.items, error / 2 if error < self.error else error)
        known = "give or take as many"
        if self.error <= self.items:
            known = f"± {wording.rounded(error, error)}"
        return (
            f"about {about} {self.setting.unit} ({known}) give "
            f"{goal} a chance of {100 * self.chance:g} %"
        )

    def to_dict(self) -> dict[str, Any]:
        """Give the documented JSON of the items needed."""
        return {
            "schema": SCHEMA,
            "kind": "needed",
            **self.setting.to_dict(),
            "goal": self.goal,
            "chance": self.chance,
            "items": self.items,
            "mcse": self.error,
            "recipe": str(self.recipe),
            "findings": [finding.to_dict() for finding in self.findings],
        }

    def frame(self, backend: Backend | None = None) -> Any:
        """Give a long table, one row per number."""
        return long_frame(self.to_dict(), backend)

    def methods(self) -> list[Said]:
        """Give the sentences of the methods paragraph, and what they cite."""
        return needed_said(self)

    def _repr_html_(self) -> str:
        lines = self.sentence(), self.setting.sentence()
        return notebook.block(map(notebook.line, lines), self.recipe)


@dataclass(frozen=True)
class Smallest(Cited):
    """The smallest difference that so many items show with a wanted chance.

    Attributes
    ----------
    setting
        What is assumed and how experiments are judged.
    size
        The number of items.
    goal
        The verdict that is wanted.
    chance
        The chance that is wanted.
    difference
        The difference, second minus first.
    error
        Its Monte-Carlo standard error.
    recipe
        One line that makes the same number again.
    """

    setting: Setting
    size: int
    goal: str
    chance: float
    difference: float
    error: float
    recipe: Recipe
    findings: tuple[Finding, ...] = ()

    def __repr__(self) -> str:
        return f"<Smallest: {self.sentence()}>"

    def sentence(self) -> str:
        """Say which difference can be shown."""
        show = wording.decimals_for(max(self.error, 1e-5))
        gap = wording.number(self.difference, show, signed=True)
        error = wording.number(self.error, show)
        return (
            f"{self.size:,} {self.setting.unit} would show a true difference of {gap} "
            f"(± {error}) as {self.goal} with a chance of {100 * self.chance:g} %"
        )

    def to_dict(self) -> dict[str, Any]:
        """Give the documented JSON of the smallest difference."""
        return {
            "schema": SCHEMA,
            "kind": "smallest",
            **self.setting.to_dict(),
            "size": self.size,
            "goal": self.goal,
            "chance": self.chance,
            "difference": self.difference,
            "mcse": self.error,
            "recipe": str(self.recipe),
            "findings": [finding.to_dict() for finding in self.findings],
        }

    def frame(self, backend: Backend | None = None) -> Any:
        """Give a long table, one row per number."""
        return long_frame(self.to_dict(), backend)

    def methods(self) -> list[Said]:
        """Give the sentences of the methods paragraph, and what they cite."""
        return smallest_said(self)

    def _repr_html_(self) -> str:
        lines = self.sentence(), self.setting.sentence()
        return notebook.block(map(notebook.line, lines), self.recipe)


def _goal(goal: str) -> str:
    return "a clear verdict" if goal == "decided" else f"the verdict {goal}"
