"""Estimate: one number and its uncertainty."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from likelier import formatting
from likelier.citations import Sentence
from likelier.distribution import Distribution
from likelier.findings import Finding
from likelier.formatting import join_words
from likelier.interval import Interval
from likelier.results import sentences
from likelier.results.parts import (
    Cell,
    Fact,
    Forest,
    ForestRow,
    Part,
    Strong,
    Summary,
    Table,
    number_table,
)
from likelier.results.result import Result
from likelier.settings import Settings

# Beyond, estimates are only counted in a title.
_MOST_LISTED = 4
_NOT_COMPARED = (
    "Each system by itself: intervals that overlap do not say that two systems are "
    "alike; likelier compare looks at the difference."
)


@dataclass(frozen=True, repr=False)
class Estimate(Result):
    """Metric of one system, or difference of two, and its uncertainty.

    Attributes
    ----------
    settings, findings
        How it was made, and remarks of the checks.
    value
        Metric on the items as they are, or the difference.
    distribution
        Exact law, or draws.
    interval
        Credible (hdi, equal-tailed) or confidence.
    """

    kind = "estimate"
    plural = "estimates"
    in_row = True
    plot_kinds = ("estimate",)

    settings: Settings
    findings: tuple[Finding, ...]
    value: float
    distribution: Distribution = field(repr=False)
    interval: Interval

    @property
    def standard_error(self) -> float:
        """Standard deviation of the distribution."""
        return self.distribution.std()

    @property
    def decimals(self) -> int:
        """Number of decimals that the uncertainty justifies."""
        return formatting.decimals_for(self.standard_error)

    @property
    def systems_text(self) -> str:
        """The system, or the candidate against the baseline."""
        return " against ".join(reversed(self.settings.system_labels))

    @property
    def label(self) -> str:
        """Systems and metric."""
        return f"{self.systems_text}: {self.settings.metric_name}"

    @property
    def value_text(self) -> str:
        """Value with as many decimals as the uncertainty justifies."""
        return formatting.number(self.value, self.decimals)

    @property
    def interval_text(self) -> str:
        """Ends of the interval with as many decimals."""
        return formatting.ends(self.interval, self.decimals)

    @property
    def interval_name(self) -> str:
        """Kind and mass of the interval."""
        return formatting.interval_name(self.interval.kind, self.interval.mass)

    def __repr__(self) -> str:
        return f"<{self.sentence()}>"

    def sentence(self) -> str:
        """Say the result as one may write it in a paper."""
        interval = f"{self.interval_name} {self.interval_text}"
        return f"{self.label} {self.value_text}, {interval}"

    def tables(self) -> list[Table]:
        """Return the estimate as a row of a table."""
        return self.joint_tables([self])

    @classmethod
    def joint_title(cls, results: "Sequence[Estimate]") -> str:
        """Say the first few values."""
        texts = [f"{one.label} {one.value_text}" for one in results[:_MOST_LISTED]]
        rest = len(results) - _MOST_LISTED
        return "; ".join([*texts, *([f"and {rest} more"] if rest > 0 else [])])

    @classmethod
    def joint_tables(cls, results: "Sequence[Estimate]") -> list[Table]:
        """Return one table, a row for each estimate."""
        rows = [
            {
                "system": result.systems_text,
                "metric": result.settings.metric_name,
                "value": result.value_text,
                results[0].interval_name: result.interval_text,
                "items": f"{result.settings.data.items:,}",
            }
            for result in results
        ]
        return [number_table(rows, text=["system", "metric"])]

    def summary(self) -> Summary:
        """Return what a page begins with: the value and its interval."""
        return self.joint_summary([self])

    @classmethod
    def joint_summary(cls, results: "Sequence[Estimate]") -> Summary:
        """Return what a page of several estimates begins with."""
        first = results[0]
        metrics = dict.fromkeys(one.settings.metric_name for one in results)
        systems = dict.fromkeys(one.systems_text for one in results)
        many = len(systems) > _MOST_LISTED
        named = f"{len(systems)} systems" if many else join_words(systems)
        facts = tuple(
            Fact(one.label, one.value_text, f"{one.mass_text} {one.interval_text}")
            for one in results[:_MOST_LISTED]
        )
        return Summary(
            headline=(f"{join_words(metrics)} of ", Strong(named)),
            context=first.settings.data.amount,
            lede=() if len(results) == 1 else (_NOT_COMPARED,),
            facts=facts if len(results) <= _MOST_LISTED else (),
            findings=first.findings,
        )

    @property
    def mass_text(self) -> str:
        """Mass of the interval in words."""
        return f"{100 * self.interval.mass:g} % interval"

    @classmethod
    def joint_body(cls, results: "Sequence[Estimate]") -> Iterator[Part]:
        """Yield all estimates on one scale."""
        yield estimate_forest(results)

    def numbers(self) -> dict[str, Any]:
        """Return value, interval and spread as in the JSON."""
        mcse = getattr(self.distribution, "mcse", None)
        return {
            **self.settings.question(),
            "value": self.value,
            "mean": self.distribution.mean(),
            "sd": self.distribution.std(),
            "mcse": 0.0 if mcse is None else mcse(),
            "interval": self.interval.to_dict(),
        }

    def sentences(self) -> list[Sentence]:
        """Return the sentences of the methods paragraph."""
        settings = self.settings
        names, metric = settings.system_labels, settings.metric_name
        over = sentences.size(settings.data)
        opening = [Sentence(f"We estimated {metric} of {names[0]} {over}")]
        if len(names) == 2:
            opening = [
                Sentence(
                    f"We estimated the difference in {metric} between the candidate "
                    f"{names[1]} and the baseline {names[0]} {over}"
                ),
                sentences.DIRECTION,
            ]
        drawn = "It is computed without random draws"
        if settings.draws:
            drawn = f"It rests on {settings.draws:,} draws, seed {settings.seed}"
        return [
            *opening,
            *sentences.posterior_model(settings),
            sentences.interval(self.interval.kind, self.interval.mass),
            Sentence(drawn),
        ]


def estimate_forest(results: Sequence[Estimate]) -> Forest:
    """Put estimates on one scale of values."""
    rows = tuple(
        ForestRow(
            result.label,
            result.value,
            result.interval,
            (Cell(result.value_text, result.value),),
            (Cell(result.interval_text),),
        )
        for result in results
    )
    return Forest(
        title="Each system",
        head="system",
        before=("value",),
        after=(results[0].interval_name.replace("HDI", "interval"),),
        rows=rows,
        differences=False,
    )
