"""How the answer depends on the prior."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from likelier.findings import Finding
from likelier.recipe import Recipe
from likelier.results import notebook
from likelier.results.comparison import Comparison
from likelier.results.export import Backend, long_frame
from likelier.results.paragraph import Cited, Said
from likelier.results.question import SCHEMA
from likelier.results.reporting import Reported
from likelier.results.said.many import sensitivity_said

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@dataclass(frozen=True)
class Sensitivity(Cited, Reported):
    """One comparison under priors of different strength.

    Attributes
    ----------
    strengths
        How many times as much as usual the prior weighs, in rising order.
    comparisons
        The comparison under each of them.
    """

    strengths: tuple[float, ...]
    comparisons: tuple[Comparison, ...]

    @property
    def usual(self) -> Comparison:
        """The comparison whose prior is nearest to the usual one."""
        nearest = min(self.strengths, key=lambda s: max(s, 1 / s))
        return self.comparisons[self.strengths.index(nearest)]

    def __repr__(self) -> str:
        return f"<Sensitivity: {self.sentence()}>"

    def sentence(self) -> str:
        """Say whether the prior matters."""
        verdicts = list(dict.fromkeys(c.verdict.name for c in self.comparisons))
        if len(verdicts) == 1:
            said = f"the verdict is {verdicts[0]} under every prior"
        else:
            said = f"the verdict depends on the prior: {', '.join(verdicts)}"
        factors = [c.factor for c in self.comparisons if c.factor is not None]
        if not factors:
            return f"{self.usual.headline()}; {said}"
        least, most = (f(factors, key=lambda x: x.log10) for f in (min, max))
        return (
            f"{self.usual.headline()}; {said}, and the factor goes from "
            f"{least.shown()} ({least.label}) to {most.shown()} ({most.label})"
        )

    def to_dict(self) -> dict[str, Any]:
        """Give the documented JSON of a sensitivity analysis."""
        rows = []
        for strength, found in zip(self.strengths, self.comparisons, strict=True):
            told = found.to_dict()
            kept = ("difference", "probability", "bayes_factor", "verdict")
            rows.append({"strength": strength} | {key: told[key] for key in kept})
        whole = self.usual.to_dict()
        shared = ("systems", "metric", "positive", "items", "units", "patterns")
        return {
            "schema": SCHEMA,
            "kind": "sensitivity",
            **{key: whole[key] for key in shared},
            "rope": whole["rope"],
            "priors": rows,
            **self.usual.origin.to_dict(),
        }

    @property
    def recipe(self) -> Recipe:
        """One line that makes the usual one of the comparisons again."""
        return self.usual.recipe

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Remarks of the checks."""
        return self.usual.findings

    def frame(self, backend: Backend | None = None) -> Any:
        """Give a long table, one row per number."""
        return long_frame(self.to_dict(), backend)

    def plot(self, ax: "Axes | None" = None) -> "Axes":
        """Draw the Bayes factor against the strength of the prior."""
        from likelier.plots.sensitivity import sensitivity

        return sensitivity(self, ax=ax)

    def methods(self) -> list[Said]:
        """Give the sentences of the methods paragraph, and what they cite."""
        return sensitivity_said(self)

    def _repr_html_(self) -> str:
        rows = [
            (
                f"{strength:g}",
                found.probability.shown(found.probability.better),
                "-" if found.factor is None else found.factor.shown(),
                f"{found.verdict.symbol} {found.verdict.name}",
            )
            for strength, found in zip(self.strengths, self.comparisons, strict=True)
        ]
        columns = "strength of the prior", "better", "Bayes factor", "verdict"
        return notebook.block(
            [notebook.line(self.sentence()), notebook.table(columns, rows)],
            self.recipe,
        )
