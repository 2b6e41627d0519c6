"""NullTest: the answer as a p-value."""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from likelier import formatting
from likelier.citations import Sentence
from likelier.distribution import Null
from likelier.findings import Finding
from likelier.results import sentences
from likelier.results.disagreement import ALPHA
from likelier.results.parts import Fact, Part, Strong, Summary, Table, number_table
from likelier.results.result import Result
from likelier.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


@dataclass(frozen=True, repr=False)
class NullTest(Result):
    """How odd the observed difference were if the two systems did not differ.

    Attributes
    ----------
    settings, findings
        How it was made, and remarks of the checks.
    null
        The p-value and what it rests on.
    difference
        Observed difference, second minus first; positive: the second is better.
    """

    kind = "null_test"
    plural = "null_tests"
    in_row = True
    noun = "test"
    in_words = True

    settings: Settings
    findings: tuple[Finding, ...]
    null: Null
    difference: float

    @property
    def p_value(self) -> float:
        """Probability of a difference at least as large without a real one."""
        return self.null.p_value

    def __repr__(self) -> str:
        return f"<{self.settings.method}: p = {formatting.p_value(self.p_value)}>"

    def sentence(self) -> str:
        """Say the result as one may write it in a paper."""
        (first, second), values = self.settings.system_labels, self._values()
        gap = formatting.number(self.difference, 4, signed=True)
        return (
            f"{second} against {first} on {self.settings.metric_name}: {values[1]} "
            f"against {values[0]}, {gap}, p = {formatting.p_value(self.p_value)} "
            f"({self.test})"
        )

    @property
    def test(self) -> str:
        """Name of the test, and which differences count."""
        return f"{self.settings.method}, {self.null.alternative}"

    def _values(self) -> list[str]:
        return [formatting.number(x, 4) for x in self.settings.data.observed]

    def small_print(self) -> list[str]:
        """Say the numbers that the p-value rests on."""
        numbers = {self.null.statistic_name: self.null.statistic, **self.null.details}
        details = (f"{name} {value:,.6g}" for name, value in numbers.items())
        return ["    ".join(details)]

    def summary(self) -> Summary:
        """Return what a page begins with: whether chance explains the difference."""
        (first, second), values = self.settings.system_labels, self._values()
        p = formatting.p_value(self.p_value)
        rare = self.p_value < ALPHA
        word = "would rarely" if rare else "could well"
        pair = (second, first) if self.settings.higher_is_better else (first, second)
        return Summary(
            headline=("Chance alone ", Strong(word), " give such a difference"),
            context=f"{self.settings.metric_name} · {self.settings.data.amount}",
            lede=(
                f"{second} has {values[1]}, {first} {values[0]}. If the two did not "
                "differ, a difference at least as large would have a probability of ",
                Strong(p),
                ". That is not the probability that they are alike.",
            ),
            facts=(
                Fact("p-value", p, self.test),
                Fact(
                    "By how much",
                    formatting.number(self.difference, 4, signed=True),
                    " minus ".join(pair),
                ),
            ),
            findings=self.findings,
            lines=tuple(self.page_lines()),
        )

    def page_lines(self) -> list[str]:
        """Say the numbers that the p-value rests on, on one line."""
        return [line.replace("    ", "; ") for line in self.small_print()]

    def row(self) -> dict[str, str]:
        """Return the test as cells by their headings."""
        (first, second), values = self.settings.system_labels, self._values()
        return {
            "metric": self.settings.metric_name,
            "baseline": f"{first} {values[0]}",
            "candidate": f"{second} {values[1]}",
            "difference": formatting.number(self.difference, 4, signed=True),
            "p": formatting.p_value(self.p_value),
            "test": self.test,
        }

    def tables(self) -> list[Table]:
        """Return the test as a row of a table."""
        return self.joint_tables([self])

    @classmethod
    def joint_summary(cls, results: "Sequence[NullTest]") -> Summary:
        """Return what a page of several tests begins with: how many are rare."""
        if len(results) == 1:
            return results[0].summary()
        rare = sum(result.p_value < ALPHA for result in results)
        word = "would rarely" if rare else "could well"
        by = "all" if rare in (0, len(results)) else f"{rare} of"
        amounts = dict.fromkeys(result.settings.data.amount for result in results)
        return Summary(
            headline=(
                f"By {by} {len(results)} tests chance alone ",
                Strong(word),
                " give such a difference",
            ),
            context=" · ".join(amounts),
            lede=(
                f"A p-value below {ALPHA:g} counts as rare. It says how probable a "
                "difference at least as large would be if the two systems did not "
                "differ; that is not the probability that they are alike.",
            ),
        )

    @classmethod
    def joint_tables(cls, results: "Sequence[NullTest]") -> list[Table]:
        """Return one table, a row for each test."""
        rows = [result.row() for result in results]
        return [number_table(rows, text=["metric", "baseline", "candidate", "test"])]

    @classmethod
    def joint_body(cls, results: "Sequence[NullTest]") -> "Iterator[Part]":
        """Yield a table of several tests; one is said by its summary."""
        if len(results) > 1:
            every = [f"{r.test}: {line}" for r in results for line in r.page_lines()]
            for table in cls.joint_tables(results):
                yield replace(table, lines=tuple(dict.fromkeys(every)))

    def numbers(self) -> dict[str, Any]:
        """Return the p-value and what it rests on as in the JSON."""
        data = self.settings.data
        return {
            **self.settings.question(),
            "estimates": [
                {"system": name, "value": value}
                for name, value in zip(data.systems, data.observed, strict=True)
            ],
            "difference": {"value": self.difference},
            "p_value": self.null.p_value,
            "mcse": self.null.mcse,
            "statistic": {
                "name": self.null.statistic_name,
                "value": self.null.statistic,
            },
            "alternative": self.null.alternative,
            "details": dict(self.null.details),
        }

    def sentences(self) -> list[Sentence]:
        """Return the sentences of the methods paragraph."""
        settings = self.settings
        first, second = settings.system_labels
        return [
            Sentence(
                f"We tested the hypothesis that the candidate {second} and the "
                f"baseline {first} do not differ on {settings.metric_name} "
                f"{sentences.size(settings.data)}"
            ),
            *sentences.null_model(settings),
            self._counts(),
        ]

    def _counts(self) -> Sentence:
        details = self.null.details
        if "b" not in details:
            counts = {k: v for k, v in details.items() if k != "pooled share"}
            text = "; ".join(f"{name}: {value:,g}" for name, value in counts.items())
            beside = f" ({text})" if text else ""
            return Sentence(f"The p-value is computed without random draws{beside}")
        s, b = int(details["s"]), int(details["b"])
        if self.p_value != (s + 1) / (b + 1):
            return Sentence(
                f"The observed difference is 0, so the p-value is 1 (b = {b:,} draws)"
            )
        return Sentence(
            f"With b = {b:,} draws (seed {self.settings.seed}), s = {s:,} of which "
            "count, the p-value is (s + 1) / (b + 1)"
        )
