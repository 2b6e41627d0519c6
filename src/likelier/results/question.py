"""What was asked, and how the answer came about."""

from dataclasses import dataclass
from typing import Any

from likelier import wording
from likelier.errors import plain
from likelier.findings import Finding
from likelier.recipe import Recipe

SCHEMA = 1


@dataclass(frozen=True)
class Question:
    """What was asked: which systems, which metric, on how many items.

    Attributes
    ----------
    systems
        Names, the baseline first.
    metric
        The metric's name.
    positive
        The positive class, where the metric has one.
    items, units, patterns
        How many items, independent units (clusters or items) and distinct patterns.
    observed
        The metric of each system on the items as they are.
    unit
        What an item is called.
    datasets
        How many data sets the folds come from, for scores of cross-validation.
    less_is_better
        Whether smaller scores are better.
    repetitions
        How often every item was tested, by repeated cross-validation.
    """

    systems: tuple[str, ...]
    metric: str
    positive: str | None
    items: float
    units: float
    patterns: int
    observed: tuple[float, ...]
    unit: str = "items"
    datasets: int | None = None
    less_is_better: bool = False
    repetitions: int = 1

    @property
    def shown_systems(self) -> tuple[str, ...]:
        """The names of the systems as they may be printed."""
        return tuple(plain(name) for name in self.systems)

    @property
    def metric_name(self) -> str:
        """The metric as written in a sentence."""
        name = wording.metric_name(self.metric, self.positive)
        return f"{name} (less is better)" if self.less_is_better else name

    @property
    def size(self) -> str:
        """How much the answer rests on, in words."""
        if self.datasets is not None:
            return wording.folds(self.datasets, int(self.items))
        patterns = "1 pattern" if self.patterns == 1 else f"{self.patterns:,} patterns"
        return f"{self.amount}, {patterns}"

    @property
    def amount(self) -> str:
        """How many items there are, how often tested, and in how many clusters."""
        items = self.items if self.repetitions == 1 else self.items / self.repetitions
        items = int(items) if items % 1 == 0 else items
        unit = self.unit.removesuffix("s") if items == 1 else self.unit
        times = "" if self.repetitions == 1 else f" tested {self.repetitions} times"
        clusters = "" if self.units == self.items else f" in {self.units:,} clusters"
        return f"{items:,} {unit}{times}{clusters}"

    def to_dict(self) -> dict[str, Any]:
        """Give the question as it stands in the JSON."""
        return {
            "systems": list(self.systems),
            "metric": self.metric,
            "positive": self.positive,
            "items": self.items,
            "units": self.units,
            "patterns": self.patterns,
            **({} if self.datasets is None else {"datasets": self.datasets}),
        }


@dataclass(frozen=True)
class Origin:
    """How a result came about.

    Attributes
    ----------
    method
        The method's name and settings, as in the JSON.
    recipe
        One line that makes the same numbers again.
    findings
        Remarks of the checks.
    """

    method: dict[str, Any]
    recipe: Recipe
    findings: tuple[Finding, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Give the origin as it stands in the JSON."""
        return {
            "method": self.method,
            "recipe": str(self.recipe),
            "findings": [finding.to_dict() for finding in self.findings],
        }
