"""A plan: the chance of every verdict, the items needed, what can be shown."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from likelier.findings import Finding
from likelier.recipe import Recipe
from likelier.results import notebook
from likelier.results.export import Backend, long_frame
from likelier.results.needed import Needed, Smallest
from likelier.results.paragraph import Cited, Said
from likelier.results.power import Power
from likelier.results.question import SCHEMA
from likelier.results.reporting import Reported
from likelier.results.said.plans import plan_said

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@dataclass(frozen=True)
class PlanReport(Cited, Reported):
    """What `likelier plan` tells.

    Attributes
    ----------
    power
        The chance of every verdict against the number of items.
    needed
        How many items give the wanted chance of the goal, where any number does.
    smallest
        Which difference each size can show, where it can show one.
    missing
        Why something is not told.
    """

    power: Power
    needed: Needed | None
    smallest: tuple[Smallest, ...] = ()
    missing: tuple[str, ...] = ()

    def __repr__(self) -> str:
        return f"<PlanReport: {self.sentence()}>"

    def sentence(self) -> str:
        """Say how many items are needed, or what the largest size gives."""
        if self.needed is None:
            return self.power.sentence()
        return f"{self.needed.sentence()}: {self.power.setting.sentence()}"

    def detail_lines(self) -> list[str]:
        """Say what can be shown, what cannot, and how well the chances are known."""
        setting = self.power.setting
        worst = max(setting.mcse(p) for row in self.power.chances for p in row.values())
        worst = max(worst, 3 / setting.replications / 2)  # what never came up
        error = (
            f"{setting.replications:,} simulated experiments for each size: chances "
            f"have a Monte-Carlo error of at most {100 * worst:.1f} points"
        )
        return [*(one.sentence() for one in self.smallest), *self.missing, error]

    def to_dict(self) -> dict[str, Any]:
        """Give the documented JSON of a plan."""
        return {
            "schema": SCHEMA,
            "kind": "plan",
            **self.power.setting.to_dict(),
            "power": self.power.to_dict()["sizes"],
            "needed": None if self.needed is None else self.needed.to_dict(),
            "smallest": [one.to_dict() for one in self.smallest],
            "missing": list(self.missing),
            "recipe": str(self.recipe),
            "findings": [finding.to_dict() for finding in self.findings],
        }

    @property
    def recipe(self) -> Recipe:
        """One line that makes the same chances again."""
        return self.power.recipe

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Remarks of the checks."""
        return self.power.findings

    def frame(self, backend: Backend | None = None) -> Any:
        """Give a long table, one row per number."""
        return long_frame(self.to_dict(), backend)

    def plot(self, ax: "Axes | None" = None) -> "Axes":
        """Draw the chance of each verdict against the number of items."""
        return self.power.plot(ax=ax)

    def methods(self) -> list[Said]:
        """Give the sentences of the methods paragraph, and what they cite."""
        return plan_said(self)

    def _repr_html_(self) -> str:
        lines = map(notebook.line, (self.sentence(), *self.detail_lines()))
        return notebook.block([*lines, self.power.html_table()], self.recipe)
