"""The chance of every verdict against the number of items."""

from dataclasses import dataclass, field
from math import sqrt
from typing import TYPE_CHECKING, Any

from likelier import wording
from likelier.decision import NAMES, Rope
from likelier.errors import SettingError, plain, unknown_name
from likelier.findings import Finding
from likelier.recipe import Recipe
from likelier.results import notebook
from likelier.results.export import Backend, long_frame
from likelier.results.paragraph import Cited, Said
from likelier.results.question import SCHEMA
from likelier.results.said.plans import power_said

if TYPE_CHECKING:
    from matplotlib.axes import Axes

CLEAR = ("better", "worse", "equivalent")
# The Bayes test always decides.
DECIDED = (*CLEAR, "not better")


@dataclass(frozen=True)
class Setting:
    """What a plan assumes and how its experiments are judged.

    Attributes
    ----------
    systems, metric, positive
        What is compared.
    assumed
        What the systems are assumed to do.
    difference
        The difference of the metric that this means.
    certain
        Whether that is taken as the truth, or as the evidence of a pilot.
    rope, mass, rule, method, items
        How an experiment is made and judged.
    replications
        How many experiments are simulated for each size.
    unit
        What is counted: items, clusters of them, sentences.
    """

    systems: tuple[str, ...]
    metric: str
    positive: str | None
    assumed: str
    difference: float
    certain: bool
    rope: Rope | None
    mass: float
    rule: str
    method: str
    items: str
    replications: int
    unit: str = "items"

    @property
    def shown_systems(self) -> tuple[str, ...]:
        """The names of the systems as they may be printed."""
        return tuple(plain(name) for name in self.systems)

    @property
    def metric_name(self) -> str:
        """The metric as written in a sentence."""
        return wording.metric_name(self.metric, self.positive)

    def mcse(self, chance: float) -> float:
        """Give the Monte-Carlo standard error of a chance."""
        return sqrt(chance * (1 - chance) / self.replications)

    def shown(self, chance: float) -> str:
        """Write a chance, no finer than the simulations allow."""
        return wording.percent(chance, self.mcse(chance), draws=self.replications)

    def sentence(self) -> str:
        """Say what is assumed."""
        first, second = self.shown_systems
        gap = wording.number(self.difference, 4, signed=True)
        rope = "no rope" if self.rope is None else f"rope {self.rope}"
        return (
            f"{second} against {first} on {self.metric_name}, assumed difference {gap} "
            f"({plain(self.assumed)}); {self.method}, {rope}"
        )

    def to_dict(self) -> dict[str, Any]:
        """Give the setting as it stands in the JSON."""
        return {
            "systems": list(self.systems),
            "metric": self.metric,
            "positive": self.positive,
            "assumed": {
                "source": self.assumed,
                "difference": self.difference,
                "certain": self.certain,
            },
            "rope": None if self.rope is None else [self.rope.low, self.rope.high],
            "mass": self.mass,
            "rule": self.rule,
            "method": {"description": self.method, "items": self.items},
            "replications": self.replications,
            "unit": self.unit,
        }


@dataclass(frozen=True)
class Power(Cited):
    """The chance of every verdict at each number of items.

    Attributes
    ----------
    setting
        What is assumed and how experiments are judged.
    sizes
        The numbers of items.
    chances
        The chance of each verdict that came up, for each size.
    recipe
        One line that makes the same numbers again.
    """

    setting: Setting
    sizes: tuple[int, ...]
    chances: tuple[dict[str, float], ...] = field(repr=False)
    recipe: Recipe
    findings: tuple[Finding, ...] = ()

    def chance(self, verdict: str, size: int) -> float:
        """Give the chance of a verdict at one of the sizes.

        Parameters
        ----------
        verdict
            better, leans better, equivalent, leans worse, worse, undecided; or
            decided, for any of better, worse, equivalent and not better.
        size
            One of the sizes.
        """
        known = (*NAMES.values(), "decided")
        if verdict not in known:
            raise unknown_name(verdict, known, kind="verdict")
        if size not in self.sizes:
            sizes = ", ".join(map(str, self.sizes))
            message = f"size must be one of {sizes}; got {size!r}."
            raise SettingError(message)
        found = self.chances[self.sizes.index(size)]
        if verdict == "decided":
            return sum(found.get(name, 0.0) for name in DECIDED)
        return found.get(verdict, 0.0)

    @property
    def verdicts(self) -> tuple[str, ...]:
        """The verdicts that came up at some size, from better to worse."""
        order = (
            "better",
            "leans better",
            "equivalent",
            "leans worse",
            "worse",
            "not better",
            "undecided",
        )
        return tuple(v for v in order if any(v in row for row in self.chances))

    def __repr__(self) -> str:
        return f"<Power of {self.setting.sentence()}: {len(self.sizes)} sizes>"

    def sentence(self) -> str:
        """Say what the largest size gives."""
        size = self.sizes[-1]
        best = max(self.verdicts, key=lambda verdict: self.chance(verdict, size))
        shown = self.setting.shown(self.chance(best, size))
        return (
            f"{self.setting.sentence()}. With {size:,} {self.setting.unit} the verdict "
            f"is {best} with a chance of {shown}"
        )

    def to_dict(self) -> dict[str, Any]:
        """Give the documented JSON of a power analysis."""
        rows = []
        for size, row in zip(self.sizes, self.chances, strict=True):
            errors = {name: self.setting.mcse(row[name]) for name in row}
            rows.append({"size": size, "chance": dict(row), "mcse": errors})
        return {
            "schema": SCHEMA,
            "kind": "power",
            **self.setting.to_dict(),
            "sizes": rows,
            "recipe": str(self.recipe),
            "findings": [finding.to_dict() for finding in self.findings],
        }

    def frame(self, backend: Backend | None = None) -> Any:
        """Give a long table, one row per number."""
        return long_frame(self.to_dict(), backend)

    def plot(self, ax: "Axes | None" = None) -> "Axes":
        """Draw the chance of each verdict against the number of items."""
        from likelier.plots.power import power

        return power(self, ax=ax)

    def methods(self) -> list[Said]:
        """Give the sentences of the methods paragraph, and what they cite."""
        return power_said(self)

    def _repr_html_(self) -> str:
        return notebook.block(
            [notebook.line(self.sentence()), self.html_table()], self.recipe
        )

    def html_table(self) -> str:
        """Give the chances as a small table for a notebook."""
        rows = [
            (
                f"{size:,}",
                *(self.setting.shown(self.chance(v, size)) for v in self.verdicts),
            )
            for size in self.sizes
        ]
        return notebook.table((self.setting.unit, *self.verdicts), rows)
