"""Chances of verdicts, and all answers of a plan at once."""

from dataclasses import dataclass, field, replace
from typing import Any

from likelier.citations import Sentence
from likelier.decision import NAMES, TESTED
from likelier.errors import SettingError, unknown_name
from likelier.findings import Finding
from likelier.formatting import join_words
from likelier.results.parts import (
    Picture,
    Strong,
    Summary,
    Table,
    Words,
    number_table,
)
from likelier.results.plan_answer import ItemsNeeded, PlanAnswer, SmallestDifference
from likelier.results.result import Result
from likelier.settings import Settings

CLEAR = ("better", "worse", "equivalent")
# The Bayes test always decides.
DECIDED = (*CLEAR, *TESTED)
_ORDER = (
    "better",
    "leans better",
    "equivalent",
    "leans equivalent",
    "leans worse",
    "worse",
    *TESTED,
    "undecided",
)


@dataclass(frozen=True, repr=False)
class Chances(PlanAnswer):
    """Chance of every verdict at each number of items.

    Attributes
    ----------
    sizes
        Numbers of items.
    chances
        Chance of each verdict that came up, for each size.
    """

    kind = "chances"
    plural = "chances"
    plot_kinds = ("chances",)

    sizes: tuple[int, ...]
    chances: tuple[dict[str, float], ...] = field(repr=False)

    def chance(self, verdict: str, size: int) -> float:
        """Return the chance of a verdict at one of the sizes.

        Parameters
        ----------
        verdict
            better, leans better, equivalent, leans worse, worse, undecided; or
            decided, for any of better, worse, equivalent and not better.
        size
            One of the sizes.
        """
        names = (*NAMES.values(), "decided")
        if verdict not in names:
            raise unknown_name(verdict, names, kind="verdict")
        if size not in self.sizes:
            sizes = ", ".join(map(str, self.sizes))
            message = f"size must be one of {sizes}; got {size!r}."
            raise SettingError(message)
        row = self.chances[self.sizes.index(size)]
        verdicts = DECIDED if verdict == "decided" else (verdict,)
        return sum(row.get(name, 0.0) for name in verdicts)

    @property
    def verdicts(self) -> tuple[str, ...]:
        """Verdicts that came up at some size, from better to worse."""
        return tuple(v for v in _ORDER if any(v in row for row in self.chances))

    def __repr__(self) -> str:
        return f"<Chances of {self.assumption_sentence()}: {len(self.sizes)} sizes>"

    def headline(self) -> Words:
        """Say what the largest size gives."""
        size, best = self.sizes[-1], self.likeliest()
        chance = self.chance_text(self.chance(best, size))
        start = f"With {size:,} {self.unit} the verdict is "
        return start, Strong(best), f" with a chance of {chance}"

    def likeliest(self) -> str:
        """Return the verdict that the largest size gives most often."""
        size = self.sizes[-1]
        return max(self.verdicts, key=lambda verdict: self.chance(verdict, size))

    def sentence(self) -> str:
        """Say what the largest size gives."""
        size, best = self.sizes[-1], self.likeliest()
        return (
            f"{self.assumption_sentence()}. With {size:,} {self.unit} the verdict "
            f"is {best} with a chance of {self.chance_text(self.chance(best, size))}"
        )

    def main_lines(self) -> list[str]:
        """Return nothing: the sentence says what is assumed."""
        return []

    def small_print(self) -> list[str]:
        """Say how large the Monte-Carlo error of the chances is."""
        return [
            f"{self.settings.replications:,} simulated experiments for each size: "
            "chances have a Monte-Carlo error of at most "
            f"{100 * self.largest_mcse:.1f} points"
        ]

    @property
    def largest_mcse(self) -> float:
        """Largest Monte-Carlo standard error of a chance."""
        # A verdict that never came up has a chance, too.
        never = 3 / self.settings.replications / 2
        errors = (self.mcse(p) for row in self.chances for p in row.values())
        return max(never, *errors)

    def tables(self) -> list[Table]:
        """Return the chance of every verdict, a row for each size."""
        rows = [
            {self.unit: f"{size:,}"}
            | {v: self.chance_text(self.chance(v, size)) for v in self.verdicts}
            for size in self.sizes
        ]
        return [number_table(rows)]

    def pictures(self) -> list[Picture]:
        """Return the curves of chances."""
        return [Picture("The chance of each verdict", self, "chances")]

    def size_rows(self) -> list[dict[str, Any]]:
        """Return the chances of every size as in the JSON."""
        return [
            {
                "size": size,
                "chance": dict(row),
                "mcse": {name: self.mcse(row[name]) for name in row},
            }
            for size, row in zip(self.sizes, self.chances, strict=True)
        ]

    def numbers(self) -> dict[str, Any]:
        """Return the chances as in the JSON."""
        return {
            **self.setting_numbers(),
            "largest_mcse": self.largest_mcse,
            "sizes": self.size_rows(),
        }

    def aim(self) -> Sentence:
        """Return the sentence on the sizes that were simulated."""
        sizes = join_words(f"{size:,}" for size in self.sizes)
        return Sentence(
            f"The chance of every verdict was simulated for {sizes} {self.unit}"
        )


@dataclass(frozen=True, repr=False)
class PlanReport(Result):
    """All answers of a plan: chances, items needed, what can be shown.

    Attributes
    ----------
    settings, findings
        Those of the chances.
    chances
        Chance of every verdict against the number of items.
    needed
        Number of items for the wanted chance of the goal, where any number gives it.
    smallest
        Difference that each size can show, where it can show one.
    missing
        Reasons for what is missing.
    """

    kind = "plan"
    plural = "plans"
    plot_kinds = ("chances",)

    settings: Settings
    findings: tuple[Finding, ...]
    chances: Chances
    needed: ItemsNeeded | None
    smallest: tuple[SmallestDifference, ...] = ()
    missing: tuple[str, ...] = ()

    def __repr__(self) -> str:
        return f"<PlanReport: {self.sentence()}>"

    def sentence(self) -> str:
        """Say how many items are needed, or what the largest size gives."""
        if self.needed is None:
            return self.chances.sentence()
        return f"{self.needed.sentence()}: {self.chances.assumption_sentence()}"

    def summary(self) -> Summary:
        """Return what a page begins with: the items needed, or what a size gives."""
        whole = self.chances if self.needed is None else self.needed
        lines = tuple(self.lines())
        return replace(whole.summary(), findings=self.findings, lines=lines)

    def main_lines(self) -> list[str]:
        """Say what can be shown, and what cannot."""
        return [*(one.sentence() for one in self.smallest), *self.missing]

    def small_print(self) -> list[str]:
        """Say how large the Monte-Carlo errors are."""
        return self.chances.small_print()

    def tables(self) -> list[Table]:
        """Return the chance of every verdict, a row for each size."""
        return self.chances.tables()

    def pictures(self) -> list[Picture]:
        """Return the curves of chances."""
        return self.chances.pictures()

    def numbers(self) -> dict[str, Any]:
        """Return the whole plan as in the JSON."""
        return {
            **self.chances.setting_numbers(),
            "largest_mcse": self.chances.largest_mcse,
            "chances": self.chances.size_rows(),
            "needed": None if self.needed is None else self.needed.to_dict(),
            "smallest": [one.to_dict() for one in self.smallest],
            "missing": list(self.missing),
        }

    def sentences(self) -> list[Sentence]:
        """Return the sentences of the methods paragraph, what is shared once."""
        needed = () if self.needed is None else (self.needed,)
        answers = (self.chances, *needed, *self.smallest)
        return [
            *self.chances.shared_sentences(),
            *(answer.aim() for answer in answers),
        ]
