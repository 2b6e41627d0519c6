"""Sensitivity: how the answer depends on the prior."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from likelier import formatting
from likelier.citations import Sentence
from likelier.findings import Finding
from likelier.formatting import join_words
from likelier.results.comparison import Comparison
from likelier.results.comparison_parts import comparison_parts
from likelier.results.parts import Part, Picture, Summary, Table, number_table
from likelier.results.result import Result
from likelier.settings import Settings


@dataclass(frozen=True, repr=False)
class Sensitivity(Result):
    """One comparison under priors of different strength.

    Attributes
    ----------
    settings, findings
        Settings of the comparison under the usual prior, and findings under any.
    strengths
        How many times as much as usual the prior weighs, in rising order.
    comparisons
        Comparison under each of them.
    """

    kind = "sensitivity"
    plural = "sensitivities"
    plot_kinds = ("sensitivity",)

    settings: Settings
    findings: tuple[Finding, ...]
    strengths: tuple[float, ...]
    comparisons: tuple[Comparison, ...]

    @classmethod
    def of(
        cls, strengths: tuple[float, ...], comparisons: tuple[Comparison, ...]
    ) -> "Sensitivity":
        """Take the settings of the comparison under the usual prior."""
        every = (f for comparison in comparisons for f in comparison.findings)
        settings = _usual(strengths, comparisons).settings
        return cls(settings, tuple(dict.fromkeys(every)), strengths, comparisons)

    @property
    def usual(self) -> Comparison:
        """Comparison whose prior is nearest to the usual one."""
        return _usual(self.strengths, self.comparisons)

    def answers(self) -> tuple[Comparison, ...]:
        """Return the comparison under every prior."""
        return self.comparisons

    def sentence(self) -> str:
        """Say whether the prior matters."""
        verdicts = list(dict.fromkeys(c.verdict.name for c in self.comparisons))
        text = f"the verdict depends on the prior: {', '.join(verdicts)}"
        if len(verdicts) == 1:
            text = f"the verdict is {verdicts[0]} under every prior"
        factors = [c.factor for c in self.comparisons if c.factor is not None]
        if not factors:
            return f"{self.usual.headline()}; {text}"
        usual = self.usual.factor
        prior = "" if usual is None else f" under the prior {usual.prior}"
        least, most = (f(factors, key=lambda x: x.log10) for f in (min, max))
        return (
            f"{self.usual.headline()}; {text}, and the factor{prior} goes from "
            f"{least.text()} ({least.label}) to {most.text()} ({most.label})"
        )

    def next_step(self) -> str | None:
        """Say what to do after the comparison under the usual prior."""
        return self.usual.next_step()

    def tables(self) -> list[Table]:
        """Return a row for every prior."""
        rows = []
        for strength, result in zip(self.strengths, self.comparisons, strict=True):
            mean, factor = result.posterior.difference.mean(), result.factor
            worse, equivalent, better = result.probability.texts(result.rope)
            row = {
                "strength": f"{strength:g}",
                "mean": formatting.number(mean, result.decimals, signed=True),
                "worse": worse,
                "equivalent": equivalent,
                "better": better,
            }
            if self.settings.factor is not None:
                row["factor"] = "-" if factor is None else factor.text()
            rows.append({**row, "verdict": str(result.verdict)})
        return [number_table(rows, text=["verdict"])]

    def compared(self) -> list[tuple[str, Comparison]]:
        """Return the usual comparison, which a page shows whole."""
        return [("", self.usual)]

    def summary(self) -> Summary:
        """Return the usual comparison's answer, and whether the prior matters."""
        usual = self.usual.summary()
        verdicts = list(dict.fromkeys(c.verdict.name for c in self.comparisons))
        line = f"The verdict depends on the prior: {', '.join(verdicts)}."
        if len(verdicts) == 1:
            line = f"The verdict is {verdicts[0]} under every prior."
        return replace(usual, findings=self.findings, lines=(line, *usual.lines))

    def body(self) -> Iterator[Part]:
        """Yield the usual comparison, and the answer under every prior."""
        after: list[Part] = [*self.pictures(), *self.tables()]
        return comparison_parts(self.compared(), after=after)

    def pictures(self) -> list[Picture]:
        """Return the factor against the prior."""
        return [Picture("How the prior moves the answer", self, "sensitivity")]

    def numbers(self) -> dict[str, Any]:
        """Return a row for every prior as in the JSON."""
        rope = self.settings.rope
        keys = ("difference", "probability", "verdict", "bayes_factor")
        rows = []
        for strength, result in zip(self.strengths, self.comparisons, strict=True):
            numbers = result.numbers()
            rows.append({"strength": strength, **{key: numbers[key] for key in keys}})
        return {
            **self.settings.question(),
            "rope": None if rope is None else [rope.low, rope.high],
            "priors": rows,
        }

    def details(self) -> dict[str, Any]:
        """Return the usual comparison, which the page shows whole."""
        return {"usual": self.usual.to_dict()}

    def sentences(self) -> list[Sentence]:
        """Return the sentences of the methods paragraph."""
        strengths = join_words(f"{strength:g}" for strength in self.strengths)
        repeated = Sentence(
            "The comparison was repeated under priors that weigh "
            f"{strengths} times as much as usual"
        )
        return [*self.usual.sentences(), repeated]


def _usual(
    strengths: tuple[float, ...], comparisons: tuple[Comparison, ...]
) -> Comparison:
    nearest = min(strengths, key=lambda s: max(s, 1 / s))
    return comparisons[strengths.index(nearest)]
