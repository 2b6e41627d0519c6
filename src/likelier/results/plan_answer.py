"""Answers of a plan: what they share, items needed, smallest difference."""

from abc import abstractmethod
from dataclasses import dataclass
from math import sqrt
from typing import Any

from likelier import formatting
from likelier.citations import Sentence
from likelier.findings import Finding
from likelier.formatting import plain
from likelier.results import sentences
from likelier.results.parts import Strong, Summary, Table, Words, number_table
from likelier.results.result import Result
from likelier.settings import Settings


@dataclass(frozen=True)
class Assumption:
    """Assumption of a plan about the two systems.

    Attributes
    ----------
    source
        The assumption in words.
    difference
        Difference of the metric that this means.
    certain
        Whether that is taken as the truth, or as the evidence of a pilot.
    items
        Whether both systems see the same items, or each other ones.
    """

    source: str
    difference: float
    certain: bool
    items: str


@dataclass(frozen=True, repr=False)
class PlanAnswer(Result):
    """Base of a plan's answers: the assumption, and simulated experiments.

    Attributes
    ----------
    settings, findings
        How it was made, and remarks of the checks.
    assumed
        Assumption about the systems.
    """

    settings: Settings
    findings: tuple[Finding, ...]
    assumed: Assumption

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self.sentence()}>"

    @property
    def unit(self) -> str:
        """Name of what is counted: items, clusters of them, sentences."""
        return self.settings.data.unit

    def mcse(self, chance: float) -> float:
        """Return the Monte-Carlo standard error of a chance."""
        return sqrt(chance * (1 - chance) / self.settings.replications)

    def chance_text(self, chance: float) -> str:
        """Write a chance, no finer than the simulations allow."""
        replications = self.settings.replications
        return formatting.percent(chance, self.mcse(chance), draws=replications)

    def assumption_sentence(self) -> str:
        """Say what is assumed."""
        settings = self.settings
        first, second = settings.system_labels
        gap = formatting.number(self.assumed.difference, 4, signed=True)
        rope = "no rope" if settings.rope is None else f"rope {settings.rope}"
        return (
            f"{second} against {first} on {settings.metric_name}, assumed difference "
            f"{gap} ({plain(self.assumed.source)}); {settings.method}, prior "
            f"{settings.parameters['prior']}, {rope}"
        )

    def summary(self) -> Summary:
        """Return what a page begins with, and what is assumed."""
        return Summary(
            headline=self.headline(),
            context=f"plan · {self.settings.metric_name}",
            lede=(f"Assumed: {self.assumption_sentence()}.",),
            findings=self.findings,
        )

    def headline(self) -> Words:
        """Say the answer in one sentence."""
        return (self.sentence(),)

    def main_lines(self) -> list[str]:
        """Say what is assumed."""
        return [self.assumption_sentence()]

    def tables(self) -> list[Table]:
        """Return the answer as a row of a table."""
        return [number_table([self.row()], text=["goal"])]

    def row(self) -> dict[str, str]:
        """Return the answer as cells by their headings."""
        return {}

    def setting_numbers(self) -> dict[str, Any]:
        """Return the assumption and the rule of the verdicts as in the JSON."""
        settings, assumed = self.settings, self.assumed
        rope = settings.rope
        return {
            "systems": list(settings.systems),
            "metric": settings.metric,
            "positive": settings.positive,
            "higher_is_better": settings.higher_is_better,
            "assumed": {
                "source": assumed.source,
                "difference": assumed.difference,
                "certain": assumed.certain,
                "items": assumed.items,
            },
            "rope": None if rope is None else [rope.low, rope.high],
            "mass": settings.mass,
            "rule": settings.rule,
            "replications": settings.replications,
            "unit": self.unit,
        }

    @abstractmethod
    def aim(self) -> Sentence:
        """Return the sentence on what was searched for."""

    def sentences(self) -> list[Sentence]:
        """Return the sentences of the methods paragraph."""
        return [*self.shared_sentences(), self.aim()]

    def shared_sentences(self) -> list[Sentence]:
        """Return the sentences that all answers of one plan share."""
        settings, assumed = self.settings, self.assumed
        first, second = settings.system_labels
        gap = formatting.number(assumed.difference, 4, signed=True)
        truth = ", each experiment with a truth of its own drawn from it"
        same = "both systems see the same"
        if assumed.items != "same":
            same = "each system sees its own"
        return [
            Sentence(
                f"We planned a comparison of the candidate {second} with the baseline "
                f"{first} on {settings.metric_name}, assuming {plain(assumed.source)} "
                f"(a difference of {gap}){'' if assumed.certain else truth}"
            ),
            Sentence(
                f"For every size {settings.replications:,} experiments were simulated "
                f"(seed {settings.seed}) in which {same} {self.unit}, and each was "
                "analysed as the real one will be, each posterior with "
                f"{settings.draws:,} draws",
                ("zhang2016",),
            ),
            *sentences.posterior_model(settings),
            sentences.intervals(settings.mass or 0.95),
            sentences.rope(settings.rope),
            sentences.rule(settings),
        ]


@dataclass(frozen=True, repr=False)
class ItemsNeeded(PlanAnswer):
    """Number of items that gives a wanted chance of a verdict.

    Attributes
    ----------
    goal, chance
        The verdict and the chance that are wanted.
    items
        Number of items.
    error
        Its Monte-Carlo standard error.
    """

    kind = "items_needed"
    plural = "items_needed"

    goal: str
    chance: float
    items: int
    error: float

    def headline(self) -> Words:
        """Say how many items are needed."""
        step = min(self.error, self.items)
        number = formatting.rounded(self.items, step)
        chance = f" give {_goal(self.goal)} a chance of {100 * self.chance:g} %"
        return "About ", Strong(f"{number} {self.unit}"), chance

    def sentence(self) -> str:
        """Say how many items are needed."""
        error = min(self.error, self.items)
        step = error / 2 if error < self.error else error
        spread = "give or take as many"
        if self.error <= self.items:
            spread = f"± {formatting.rounded(error, error)}"
        return (
            f"about {formatting.rounded(self.items, step)} {self.unit} ({spread}) give "
            f"{_goal(self.goal)} a chance of {100 * self.chance:g} %"
        )

    def row(self) -> dict[str, str]:
        """Return the answer as cells by their headings."""
        return {
            "goal": self.goal,
            "chance": f"{100 * self.chance:g} %",
            self.unit: f"{self.items:,}",
            "±": formatting.rounded(self.error, self.error),
        }

    def numbers(self) -> dict[str, Any]:
        """Return the items needed as in the JSON."""
        return {
            **self.setting_numbers(),
            "goal": self.goal,
            "chance": self.chance,
            "items": self.items,
            "mcse": self.error,
        }

    def aim(self) -> Sentence:
        """Return the sentence on what was searched for."""
        return Sentence(
            f"We searched for the number of {self.unit} that gives {_goal(self.goal)} "
            f"a chance of {100 * self.chance:g} %"
        )


@dataclass(frozen=True, repr=False)
class SmallestDifference(PlanAnswer):
    """Smallest difference that so many items show with a wanted chance.

    Attributes
    ----------
    size
        Number of items.
    goal, chance
        The verdict and the chance that are wanted.
    difference
        The difference, second minus first.
    error
        Its Monte-Carlo standard error.
    """

    kind = "smallest_difference"
    plural = "smallest_differences"

    size: int
    goal: str
    chance: float
    difference: float
    error: float

    def _texts(self) -> tuple[str, str]:
        show = formatting.decimals_for(max(self.error, 1e-5))
        gap = formatting.number(self.difference, show, signed=True)
        return gap, formatting.number(self.error, show)

    def sentence(self) -> str:
        """Say which difference can be shown."""
        gap, error = self._texts()
        return (
            f"{self.size:,} {self.unit} would show a true difference of {gap} "
            f"(± {error}) as {self.goal} with a chance of {100 * self.chance:g} %"
        )

    def row(self) -> dict[str, str]:
        """Return the answer as cells by their headings."""
        gap, error = self._texts()
        return {
            self.unit: f"{self.size:,}",
            "goal": self.goal,
            "chance": f"{100 * self.chance:g} %",
            "difference": gap,
            "±": error,
        }

    def numbers(self) -> dict[str, Any]:
        """Return the smallest difference as in the JSON."""
        return {
            **self.setting_numbers(),
            "size": self.size,
            "goal": self.goal,
            "chance": self.chance,
            "difference": self.difference,
            "mcse": self.error,
        }

    def aim(self) -> Sentence:
        """Return the sentence on what was searched for."""
        return Sentence(
            f"We searched for the difference that {self.size:,} {self.unit} "
            f"show as {self.goal} with a chance of {100 * self.chance:g} %, the "
            "systems disagreeing as often as assumed"
        )


def _goal(goal: str) -> str:
    return "a clear verdict" if goal == "decided" else f"the verdict {goal}"
