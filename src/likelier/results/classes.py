"""The answer for every class of the items at once."""

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from likelier import wording
from likelier.errors import plain, unknown_name
from likelier.findings import Finding
from likelier.recipe import Recipe
from likelier.results import notebook
from likelier.results.comparison import Comparison
from likelier.results.export import Backend, long_frame
from likelier.results.paragraph import Cited, Said
from likelier.results.question import SCHEMA, Origin, Question
from likelier.results.reporting import Reported
from likelier.results.said.many import classes_said

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@dataclass(frozen=True)
class ClassRow:
    """One class: the comparison, and p-values beside it.

    Attributes
    ----------
    name
        The class.
    support
        How many items have it as their gold label.
    comparison
        The comparison of the class against all others.
    sign, p_test
        The p-values of the sign test and of Yang & Liu's p-test (the paper's t-test)
        on the accuracy in this class, where they are defined.
    """

    name: str
    support: float
    comparison: Comparison
    sign: float | None
    p_test: float | None

    def to_dict(self) -> dict[str, Any]:
        """Give the class as it stands in the JSON."""
        told = self.comparison.to_dict()
        shared = ("schema", "kind", "systems", "metric", "positive", "recipe")
        return {
            "class": self.name,
            "support": self.support,
            **{key: told[key] for key in told if key not in shared},
            "companions": {"sign": self.sign, "p-test": self.p_test},
        }


@dataclass(frozen=True)
class ClassComparison(Cited, Reported):
    """How probable it is, class by class, that the second system is worse or better.

    Attributes
    ----------
    question
        The systems, the metric and the size of the data.
    rows
        One comparison per class.
    averages
        Comparisons of the averages over all classes, under their joint posterior.
    across
        p-values over the classes' metrics: Yang & Liu's S-test and T-test.
    origin
        The method, the recipe and the findings.
    """

    question: Question
    rows: tuple[ClassRow, ...]
    averages: tuple[Comparison, ...]
    across: dict[str, float | None]
    origin: Origin

    def __getitem__(self, name: str) -> Comparison:
        """Give the comparison of one class."""
        for row in self.rows:
            if row.name == name:
                return row.comparison
        raise unknown_name(name, [row.name for row in self.rows], kind="class")

    def __repr__(self) -> str:
        return f"<ClassComparison {self.sentence()}>"

    def sentence(self) -> str:
        """Say in how many classes the second system is better, worse, equivalent."""
        first, second = self.question.shown_systems
        found = Counter(row.comparison.verdict.name for row in self.rows)
        parts = [f"{name} in {count}" for name, count in found.most_common()]
        said = ", ".join(parts)
        return (
            f"{second} against {first} on {self.question.metric_name} of "
            f"{len(self.rows)} classes: {said}"
        )

    def average_lines(self) -> list[str]:
        """Say what the averages over classes show."""
        return [result.sentence() for result in self.averages]

    def across_line(self) -> str | None:
        """Give the p-values over the classes' metrics."""
        known = [
            f"{name} p = {wording.p_value(p)}"
            for name, p in self.across.items()
            if p is not None
        ]
        return f"over the classes: {', '.join(known)}" if known else None

    def to_dict(self) -> dict[str, Any]:
        """Give the documented JSON of a comparison of classes."""
        rope = self.rows[0].comparison.rope if self.rows else None
        return {
            "schema": SCHEMA,
            "kind": "classes",
            **self.question.to_dict(),
            "rope": None if rope is None else [rope.low, rope.high],
            "classes": [row.to_dict() for row in self.rows],
            "averages": [result.to_dict() for result in self.averages],
            "across": self.across,
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

    def plot(self, ax: "Axes | None" = None) -> "Axes":
        """Draw the HDI of every class beside the rope (a forest plot)."""
        from likelier.plots.forest import forest

        return forest(self, ax=ax)

    def methods(self) -> list[Said]:
        """Give the sentences of the methods paragraph, and what they cite."""
        return classes_said(self)

    def _repr_html_(self) -> str:
        rows = [_notebook_row(row) for row in self.rows]
        mass = self.rows[0].comparison.mass
        hdi = wording.interval_name("hdi", mass)
        columns = "class", "items", "difference", hdi, "verdict"
        lines = [self.sentence(), *self.average_lines(), self.across_line()]
        return notebook.block(
            [*map(notebook.line, lines), notebook.table(columns, rows)], self.recipe
        )


def _notebook_row(row: ClassRow) -> tuple[str, ...]:
    found = row.comparison
    show = found.decimals
    ends = (wording.number(end, show, signed=True) for end in found.hdi)
    return (
        plain(row.name),
        f"{row.support:,.0f}",
        wording.number(found.difference, show, signed=True),
        " to ".join(ends),
        f"{found.verdict.symbol} {found.verdict.name}",
    )
