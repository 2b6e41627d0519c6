"""Comparison: probabilities that the second system is worse, equivalent or better."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import isfinite
from typing import Any

from likelier import formatting
from likelier.bayes_factor import BayesFactor
from likelier.citations import Sentence
from likelier.decision import (
    OPEN,
    TIED,
    Hypotheses,
    ThreeProbabilities,
    Verdict,
    decide,
)
from likelier.distribution import Distribution, Posterior
from likelier.findings import Finding, blocking
from likelier.formatting import plain
from likelier.interval import Interval, Rope
from likelier.methods.items.one_system import interval_around
from likelier.outlook import Outlook, outlook
from likelier.results.companions import Companion, ComparedFolds, ComparedItems
from likelier.results.comparison_parts import (
    comparison_parts,
    comparison_table,
    labels_of,
)
from likelier.results.comparison_sentences import comparison_sentences
from likelier.results.comparison_summary import comparison_summary, joint_summary
from likelier.results.data_sets import DataSets
from likelier.results.disagreement import disagreements
from likelier.results.parts import Part, Picture, Summary, Table
from likelier.results.result import Result, present
from likelier.results.screen_table import ScreenTable, Strips
from likelier.settings import Settings


@dataclass(frozen=True, repr=False)
class Comparison(Result):
    """Probabilities that the second system is worse, equivalent or better.

    Attributes
    ----------
    settings, findings
        How it was made, and remarks of the checks.
    posterior
        Posterior of both metrics and of their difference.
    difference
        Observed difference, second minus first; positive: the second is better.
    factor
        Bayes factor, where there is one.
    hypotheses
        Probabilities of H0 and H1, for a Bayes test.
    before_and_after
        Prior and posterior that the Bayes factor compares, where there is one.
    data_sets
        Population of data sets and each of them, for the hierarchical model.
    folds
        Scores of folds that the answer rests on, where it rests on scores.
    items
        Items that the answer rests on, where it rests on items.
    """

    kind = "comparison"
    plural = "comparisons"
    in_row = True
    plot_kinds = ("posterior", "factor", "simplex", "data-sets")
    joint_plot_kinds = ("intervals", "densities")
    in_words = True

    settings: Settings
    findings: tuple[Finding, ...]
    posterior: Posterior
    difference: float
    factor: BayesFactor | None = None
    hypotheses: Hypotheses | None = None
    before_and_after: tuple[Posterior, Posterior] | None = None
    data_sets: DataSets | None = None
    folds: ComparedFolds | None = field(default=None, compare=False)
    items: ComparedItems | None = field(default=None, compare=False)

    @property
    def rope(self) -> Rope | None:
        """Region of practical equivalence, if there is one."""
        return self.settings.rope

    @property
    def mass(self) -> float:
        """Mass of the intervals."""
        return self.settings.mass or 0.95

    @property
    def rule(self) -> str:
        """Rule of the verdict."""
        return self.settings.rule or "hdi-rope"

    @cached_property
    def hdi(self) -> Interval:
        """Highest-density interval of the difference."""
        return self.posterior.difference.hdi(self.mass)

    @cached_property
    def probability(self) -> ThreeProbabilities:
        """Probabilities of worse, equivalent and better.

        Over many data sets: of the region that holds the most of the next one, or,
        by signed ranks, of the mean of two.
        """
        return self.probability_at(self.rope)[0]

    def probability_at(self, *ropes: Rope | None) -> tuple[ThreeProbabilities, ...]:
        """Return the probabilities of worse, equivalent and better for any ropes."""
        posterior = self.posterior
        return ThreeProbabilities.at_ropes(
            posterior.difference, posterior.regions, ropes
        )

    @property
    def tested(self) -> bool:
        """Whether the verdict is that of a Bayes test, not of regions."""
        return self.hypotheses is not None and self.rule == "bayes-test"

    @cached_property
    def verdict(self) -> Verdict:
        """Answer that the evidence allows, unless a finding blocks it."""
        verdict = self.unblocked_verdict
        return verdict.unless(blocking(self.findings, verdict.name))

    @property
    def unblocked_verdict(self) -> Verdict:
        """Answer that the posterior alone gives."""
        if self.hypotheses is not None and self.tested:
            return self.hypotheses.verdict(self.mass)
        return decide(
            self.rule, hdi=self.hdi, rope=self.rope, probabilities=self.probability
        )

    @property
    def looks_ahead(self) -> bool:
        """Whether more items may decide: not folds, by region-mass, or if blocked."""
        if self.settings.data.unit == "folds" or self.rule == "region-mass":
            return False
        # Of systems that never differ nothing tells how they would.
        never = any(finding.code == "LIK106" for finding in self.findings)
        return self.verdict.reason is None and not never

    @cached_property
    def outlook(self) -> Outlook | None:
        """Number of further items that would probably decide an open verdict."""
        if self.verdict.name not in OPEN or not self.looks_ahead:
            return None
        difference, data = self.posterior.difference, self.settings.data
        return outlook(
            mean=difference.mean(),
            sd=difference.std(),
            items=data.units / data.repetitions,
            rope=self.rope,
            mass=self.mass,
        )

    @property
    def system_laws(self) -> tuple[Distribution, ...]:
        """Law of each system's metric: of items that of `estimate`, else the method's.

        There are none where the method is about differences only.
        """
        return self.posterior.systems if self.items is None else self.items.estimates

    @cached_property
    def system_intervals(self) -> tuple[Interval, ...]:
        """Interval of each system's metric, around what was observed."""
        return tuple(
            interval_around(value, law, mass=self.mass, kind=self.settings.interval)
            for value, law in zip(self.settings.data.observed, self.system_laws)  # noqa: B905 (there may be no laws)
        )

    @property
    def per_system(self) -> list[tuple[str, float, Interval | None]]:
        """Name, metric, and interval where there is one, of each system."""
        names, values = self.settings.systems, self.settings.data.observed
        intervals = self.system_intervals or (None,) * len(names)
        return list(zip(names, values, intervals, strict=True))

    @cached_property
    def decimals(self) -> int:
        """Number of decimals that the uncertainty justifies."""
        return formatting.decimals_for(self.posterior.difference.std())

    @property
    def companions(self) -> tuple[Companion, ...]:
        """Other tests of the same data; computed when first read."""
        if self.fold_tests or self.items is None:
            return self.fold_tests
        return self.items.companions

    @property
    def fold_tests(self) -> tuple[Companion, ...]:
        """Other tests of the same scores of folds; computed when first read."""
        return () if self.folds is None else self.folds.companions

    def disagreements(self) -> list[str]:
        """Say where verdict, factor and companions disagree, and why."""
        return disagreements(self, self.companions)

    # --- words ----------------------------------------------------------------

    def headline(self) -> str:
        """Say the answer in one line."""
        test = self.hypotheses
        if test is not None and self.tested and abs(test.h0 - test.h1) <= TIED:
            first, second = self.settings.system_labels
            margin = f" by more than {test.margin:g}" if test.margin else ""
            return (
                f"equally probable: {second} is better than {first} on "
                f"{self.settings.metric_name}{margin}, or not"
            )
        return self.verdict_sentence(self.verdict.name, self.verdict.reason)

    def verdict_sentence(self, name: str, reason: str | None = None) -> str:
        """Say a verdict in one line, as if it were that of the comparison.

        Parameters
        ----------
        name
            The verdict.
        reason
            Why there is none, where a finding blocks it.
        """
        first, second = self.settings.system_labels
        words = _VERDICT_WORDS[name] if reason is None else _BLOCKED_WORDS
        text = words.format(
            first=first,
            second=second,
            metric=self.settings.metric_name,
            reason=reason,
        )
        margin = self.hypotheses.margin if self.hypotheses is not None else 0.0
        return f"{text} by more than {margin:g}" if margin else text

    @property
    def margin(self) -> float:
        """What the candidate must be better by, for a Bayes test."""
        if self.hypotheses is not None:
            return self.hypotheses.margin
        return 0.0 if self.rope is None else self.rope.high

    def sentence(self) -> str:
        """Say the answer as one may write it in a paper."""
        return " ".join(self.clauses())

    def clauses(self) -> tuple[str, ...]:
        """Return the verdict, and the numbers."""
        values = self.settings.data.observed
        first, second = (formatting.number(value, self.decimals) for value in values)
        of = "" if self.posterior.regions is None else " of the mean"
        if self.data_sets is not None:
            of = " of the population's centre"
        return (
            f"{self.headline()}:",
            f"{second} against {first}, {self.difference_text}, "
            f"{formatting.interval_name('hdi', self.mass)}{of} {self.hdi_text}",
        )

    @property
    def difference_text(self) -> str:
        """Observed difference as text."""
        return self.signed(self.difference)

    def signed(self, value: float, decimals: int | None = None) -> str:
        """Write a difference, never as 0 where its sign is that of the verdict."""
        show = self.decimals if decimals is None else decimals
        if self.verdict.name in _WITHOUT_SIGN:
            return formatting.number(value, show, signed=True)
        return formatting.signed(value, show)

    def end_texts(
        self, interval: Interval | None = None, decimals: int | None = None
    ) -> tuple[str, str]:
        """Write both ends of an interval, so that it is seen whether it holds 0.

        Parameters
        ----------
        interval
            Interval of the difference; by default the answer's own.
        decimals
            How many at least; by default as many as the uncertainty justifies.
        """
        low, high = self.hdi if interval is None else interval
        show = self.decimals if decimals is None else decimals
        return formatting.signed(low, show), formatting.signed(high, show)

    @cached_property
    def hdi_text(self) -> str:
        """Interval of the difference as text."""
        return " to ".join(self.end_texts())

    @property
    def centre(self) -> str:
        """Name of what the interval covers, over many data sets."""
        if self.data_sets is not None:
            return "the centre of the population of data sets"
        return "the mean over data sets"

    @property
    def foreseen(self) -> str:
        """Name of what the probabilities foresee, over many data sets."""
        two = self.settings.method == "signed-rank"
        return "the mean of two data sets" if two else "the next data set"

    def main_lines(self) -> list[str]:
        """Say how sure the answer is and what it rests on, line by line."""
        show, systems = self.decimals, []
        for name, value, interval in self.per_system:
            text = f"{plain(name)}  {formatting.number(value, show)}"
            if interval is not None:
                low, high = (formatting.number(end, show) for end in interval)
                text = f"{text}  [{low}, {high}]"
            systems.append(text)
        return present(
            self.hypotheses_line(),
            "    ".join(present(self.probabilities_line(), self.evidence_line())),
            "    ".join([*systems, self.settings.data.size]),
            None if self.data_sets is None else self.data_sets.next_line(),
        )

    def small_print(self) -> list[str]:
        """Say the numerical error, why the method was chosen, and other tests."""
        return self.fold_lines()[0 if self.data_sets is None else 1 :]

    def next_step(self) -> str | None:
        """Say how many more items would probably decide an open verdict."""
        return self.outlook_line()

    def brief(self) -> list[str]:
        """Say the answer, and how many more items would decide it."""
        return present(self.sentence(), self.outlook_line())

    def probabilities_line(self) -> str:
        """Say how probable worse, equivalent and better are."""
        worse, equivalent, better = self.probability.texts(self.rope)
        if self.rope is None:
            return f"worse {worse}    better {better}    (no rope given)"
        of = "" if self.data_sets is None else "population: "
        within = f"equivalent {equivalent} (within {self.rope})"
        return f"{of}worse {worse}    {within}    better {better}"

    def evidence_line(self) -> str | None:
        """Say what the Bayes factor means, where there is one."""
        factor = self.factor
        if factor is None:
            return None
        side = f"{factor.side} {factor.null}"
        prior = f", prior {factor.prior}" if factor.prior else ""
        return f"evidence {side}: {factor.strength} ({factor.text()}{prior})"

    def outlook_line(self) -> str | None:
        """Say how many more items would probably decide, where the verdict is open."""
        return None if self.outlook is None else self.outlook.sentence(self.unit)

    @property
    def unit(self) -> str:
        """Name of the independent units: items, or clusters of them."""
        data = self.settings.data
        return "clusters" if data.clustered else data.unit

    def hypotheses_line(self) -> str | None:
        """Say how probable the two hypotheses of a Bayes test are."""
        test = self.hypotheses
        if test is None:
            return None
        margin = f" by more than {test.margin:g}" if test.margin else ""
        return (
            f"P(H0, not better{margin}) {test.text(test.h0)}    "
            f"P(H1, better{margin}) {test.text(test.h1)}    "
            f"accept {test.decision}"
        )

    def page_lines(self) -> list[str]:
        """Say what the next data set may show, and why the method was chosen."""
        ahead = [] if self.data_sets is None else self.data_sets.lines()[:1]
        reason = self.settings.reason
        factor = self.evidence_line()
        return [
            *([f"Bayes factor, {factor}."] if factor else []),
            *ahead,
            *([f"method: {reason}"] if reason else []),
        ]

    def fold_lines(self) -> list[str]:
        """Say why the method was chosen, and what other tests say of the folds."""
        reason, beside = self.settings.reason, "    ".join(map(str, self.fold_tests))
        return [
            *([] if self.data_sets is None else self.data_sets.lines()),
            *([f"method: {reason}"] if reason else []),
            *([f"companions: {beside}"] if beside else []),
        ]

    # --- views ----------------------------------------------------------------

    def tables(self) -> list[Table]:
        """Return the comparison as a row of a table."""
        return self.joint_tables([self])

    def summary(self) -> Summary:
        """Return what a page begins with: headline, lede, facts."""
        return comparison_summary(self)

    @classmethod
    def joint_summary(cls, results: "Sequence[Comparison]") -> Summary:
        """Return what a page of several comparisons begins with."""
        return joint_summary(results, labels_of(results))

    def strips(self) -> Strips:
        """Return the difference on a scale with the rope."""
        return Strips.of([self])

    @classmethod
    def joint_screen_tables(cls, results: "Sequence[Comparison]") -> list[ScreenTable]:
        """Return the table of several comparisons, with strips."""
        # The interval and the probabilities but the last, which the strips replace.
        spare = (6, 4, 5) if not any(result.tested for result in results) else (4,)
        (table,), strips = cls.joint_tables(results), Strips.of(results)
        return [ScreenTable(table, spare, rows_name="comparisons", strips=strips)]

    @classmethod
    def joint_title(cls, results: "Sequence[Comparison]") -> str:
        """Say how many comparisons there are of each verdict."""
        counts = Counter(result.verdict.name for result in results)
        texts = ", ".join(f"{count} {name}" for name, count in counts.items())
        return f"{len(results)} comparisons: {texts}"

    @classmethod
    def joint_tables(cls, results: "Sequence[Comparison]") -> list[Table]:
        """Return one table, a row for each comparison."""
        return [comparison_table(results)]

    @property
    def comparisons(self) -> "tuple[Comparison, ...]":
        """The comparison itself; results of many have several."""
        return (self,)

    def compared(self) -> "list[tuple[str, Comparison]]":
        """Return the comparison itself."""
        return [("", self)]

    @classmethod
    def joint_body(cls, results: "Sequence[Comparison]") -> Iterator[Part]:
        """Yield what a page shows of several; rows that open replace their plots."""
        return comparison_parts([("", result) for result in results])

    def body(self) -> Iterator[Part]:
        """Yield what a page shows of one comparison."""
        sets = [] if self.data_sets is None else [self.data_sets.forest()]
        return comparison_parts(self.compared(), after=[*sets, *self.pictures()])

    def pictures(self) -> list[Picture]:
        """Return the plots that a page shows beside the posterior."""
        if not self.is_triangle:
            return []
        return [Picture("What the next data set may show", self, "simplex")]

    @property
    def is_triangle(self) -> bool:
        """Whether there are three regions: a triangle needs a rope for its top."""
        rope = self.rope
        return self.data_sets is not None and rope is not None and rope.low < rope.high

    def numbers(self) -> dict[str, Any]:
        """Return estimates, difference, probabilities and verdict as in the JSON."""
        difference, sd = self.posterior.difference, self.posterior.difference.std()
        return {
            **self.settings.question(),
            "estimates": [
                {
                    "system": name,
                    "value": value,
                    "interval": None if interval is None else interval.to_dict(),
                }
                for name, value, interval in self.per_system
            ],
            "difference": {
                "value": self.difference,
                "mean": difference.mean(),
                "sd": sd if isfinite(sd) else None,
                "mcse": difference.mcse(),
                "interval": self.hdi.to_dict(),
            },
            "probability": self.probability.to_dict(),
            "rope": None if self.rope is None else [self.rope.low, self.rope.high],
            "bayes_factor": None if self.factor is None else self.factor.to_dict(),
            "verdict": self.verdict.to_dict(),
            "outlook": None if self.outlook is None else self.outlook.to_dict(),
            **self._optional_numbers(),
        }

    def _optional_numbers(self) -> dict[str, Any]:
        test, tests = self.hypotheses, [test.to_dict() for test in self.fold_tests]
        return {
            **({} if test is None else {"hypotheses": test.to_dict()}),
            **({} if self.data_sets is None else self.data_sets.to_dict()),
            **({"companions": tests} if tests else {}),
        }

    def details(self) -> dict[str, Any]:
        """Return other tests of the items, how many differ, and what was confused."""
        if self.items is None:
            return {}
        changes, confusion = self.items.changes, self.items.confusion
        return {
            "companions": [test.to_dict() for test in self.companions],
            "changes": None if changes is None else changes.to_dict(),
            "confusion": None if confusion is None else confusion.to_dict(),
        }

    def sentences(self) -> list[Sentence]:
        """Return the sentences of the methods paragraph."""
        return comparison_sentences(self)


# Verdicts that a difference of 0 would fit as well.
_WITHOUT_SIGN = ("undecided", "equivalent", "leans equivalent")
_BLOCKED_WORDS = (
    "undecided, {reason}: no verdict on {second} against {first} on {metric}"
)
_VERDICT_WORDS = {
    "better": "{second} is better than {first} on {metric}",
    "worse": "{second} is worse than {first} on {metric}",
    "equivalent": "{second} and {first} are practically equivalent on {metric}",
    "leans better": "{second} is probably better than {first} on {metric}, not surely",
    "leans worse": "{second} is probably worse than {first} on {metric}, not surely",
    "leans equivalent": (
        "{second} and {first} are probably equivalent on {metric}, not surely"
    ),
    "undecided": "undecided: {second} may be better than {first} on {metric}, or worse",
    "more probably better": "{second} is more probably better than {first} on {metric}",
    "more probably not better": (
        "{second} is more probably not better than {first} on {metric}"
    ),
}
