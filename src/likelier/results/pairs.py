"""All pairs of many systems, and the order that they make."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from likelier.errors import plain, unknown_name
from likelier.findings import Finding
from likelier.recipe import Recipe
from likelier.results import notebook
from likelier.results.comparison import Comparison
from likelier.results.export import Backend, long_frame
from likelier.results.order import Order
from likelier.results.paragraph import Cited, Said
from likelier.results.question import SCHEMA
from likelier.results.reporting import Reported
from likelier.results.said.many import pairs_said

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


@dataclass(frozen=True)
class Pairs(Cited, Reported):
    """Every system against every other, and the partial order of all.

    Attributes
    ----------
    systems
        Names, in the order given.
    comparisons
        One per pair: each system as the baseline of all that come after it.
    threshold
        How probable a relation must be to count for the order.
    digest
        A hash of the data of all systems.
    """

    systems: tuple[str, ...]
    comparisons: tuple[Comparison, ...]
    threshold: float = 0.0
    digest: str = ""

    @cached_property
    def order(self) -> Order:
        """The partial order by the most probable relation of each pair."""
        known = {
            (c.question.systems[0], c.question.systems[1]): c.probability
            for c in self.comparisons
        }
        return Order.of(self.systems, known, threshold=self.threshold)

    def between(self, one: str, other: str) -> Comparison:
        """Give the comparison of two systems, as it was made."""
        for comparison in self.comparisons:
            if set(comparison.question.systems) == {one, other}:
                return comparison
        unknown = next((n for n in (one, other) if n not in self.systems), other)
        raise unknown_name(unknown, self.systems, kind="system")

    @property
    def metric_name(self) -> str:
        """The metric as written in a sentence."""
        return self.comparisons[0].question.metric_name

    def __repr__(self) -> str:
        return f"<Pairs {self.sentence()}>"

    def sentence(self) -> str:
        """Say the order as one may write it in a paper."""
        kind = "" if self.order.chain is not None else " (no chain)"
        return f"{self.metric_name}{kind}: {self.order}"

    def detail_lines(self) -> list[str]:
        """Say what the table rests on."""
        first = self.comparisons[0]
        why = first.origin.method.get("why")
        rope = "no rope given" if first.rope is None else f"rope {first.rope}"
        return [
            f"{first.question.size}, {rope}; verdicts by the rule {first.rule}",
            *([] if why is None else [f"method: {why}"]),
            *self._error_line(),
            self._weakest_line(),
        ]

    def least_sure(self) -> tuple[Comparison, str]:
        """Give the pair whose relation is the least probable, and its probability."""
        least = min(self.comparisons, key=_most)
        return least, least.probability.shown(_most(least))

    def _weakest_line(self) -> str:
        least, share = self.least_sure()
        return f"least sure: {' and '.join(least.question.shown_systems)}, {share}"

    def _error_line(self) -> list[str]:
        errors = [c.across.population.error for c in self.comparisons if c.across]
        return [f"quadrature error about {max(errors):.1e}"] if errors else []

    def to_dict(self) -> dict[str, Any]:
        """Give the documented JSON of all pairs."""
        return {
            "schema": SCHEMA,
            "kind": "comparisons",
            "systems": list(self.systems),
            "metric": self.comparisons[0].question.metric,
            "order": self.order.to_dict(),
            "comparisons": [c.to_dict() for c in self.comparisons],
        }

    @property
    def recipe(self) -> Recipe:
        """One line that makes the same numbers again."""
        first = self.comparisons[0].recipe
        told = (f"threshold {self.threshold:g}",) if self.threshold else ()
        return replace(
            first, data=f"sha {self.digest[:12]}", extra=(*first.extra, *told)
        )

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Remarks of the checks, each once."""
        every = (
            _told(finding, comparison)
            for comparison in self.comparisons
            for finding in comparison.findings
        )
        return tuple(dict.fromkeys(every))

    def frame(self, backend: Backend | None = None) -> Any:
        """Give a long table, one row per number."""
        return long_frame(self.to_dict(), backend)

    def plot(self, ax: "Axes | None" = None) -> "Axes":
        """Draw the order as a graph, the best system on top."""
        from likelier.plots.order import order

        return order(self, ax=ax)

    def plot_simplexes(self) -> "Figure":
        """Draw what the next of many data sets may show, a triangle for each pair."""
        from likelier.plots.simplex import simplex_grid

        return simplex_grid(self)

    def methods(self) -> list[Said]:
        """Give the sentences of the methods paragraph, and what they cite."""
        return pairs_said(self)

    def _repr_html_(self) -> str:
        lines = map(notebook.line, (self.sentence(), *self.detail_lines()))
        return notebook.block([*lines, self.html_table()], self.recipe)

    def html_table(self) -> str:
        """Give the probabilities of all pairs as a small table for a notebook."""
        rows = []
        for found in self.comparisons:
            first, second = found.question.shown_systems
            p = found.probability
            inside = "-" if found.rope is None else p.shown(p.equivalent)
            shares = p.shown(p.worse), inside, p.shown(p.better)
            verdict = f"{found.verdict.symbol} {found.verdict.name}"
            rows.append((f"{second} against {first}", *shares, verdict))
        columns = "pair", "worse", "equivalent", "better", "verdict"
        return notebook.table(columns, rows)


def _told(finding: Finding, comparison: Comparison) -> Finding:
    """Name the systems of a finding that speaks of two folds only."""
    if finding.code != "LIK130":
        return finding
    names = " and ".join(plain(name) for name in comparison.question.systems)
    return Finding(finding.code, f"{names}: {finding.message}", finding.severity)


def _most(found: Comparison) -> float:
    p = found.probability
    return max(p.worse, p.equivalent, p.better)
