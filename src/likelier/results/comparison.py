"""The answer in probabilities: worse, equivalent or better."""

from dataclasses import dataclass, field
from functools import cached_property
from math import isfinite
from typing import TYPE_CHECKING, Any

from likelier import wording
from likelier.decision import (
    OPEN,
    Hypotheses,
    Probabilities,
    Rope,
    Verdict,
    decide,
)
from likelier.distribution import Posterior
from likelier.evidence import BayesFactor
from likelier.findings import Finding
from likelier.interval import Interval, IntervalKind
from likelier.outlook import Outlook, outlook
from likelier.recipe import Recipe
from likelier.results import notebook
from likelier.results.across import Across
from likelier.results.basis import Basis
from likelier.results.companion import Companion
from likelier.results.export import Backend, long_frame
from likelier.results.paragraph import Cited, Said
from likelier.results.question import SCHEMA, Origin, Question
from likelier.results.reporting import Reported
from likelier.results.said.many import comparison_said

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@dataclass(frozen=True)
class Comparison(Cited, Reported):
    """How probable it is that the second system is worse, equivalent or better.

    Attributes
    ----------
    question
        The systems, the metric and the size of the data.
    posterior
        The posterior of both metrics and of their difference.
    difference
        The observed difference, second minus first; positive: the second is better.
    rope
        The region of practical equivalence, if one was given.
    mass
        The mass of the intervals.
    rule
        The rule of the verdict.
    factor
        The Bayes factor, where there is one.
    origin
        The method, the recipe and the findings.
    hypotheses
        The probabilities of H0 and H1, for a Bayes test.
    interval
        The kind of the systems' own intervals; that of the difference is the HDI.
    prior
        The same before any item was seen, where the Bayes factor asked for it.
    across
        The population of data sets and each of them, for the hierarchical model.
    companions
        What other tests say of the same scores.
    basis
        The outcomes and the metric that the answer rests on, to look at the items.
    """

    question: Question
    posterior: Posterior = field(repr=False)
    difference: float
    rope: Rope | None
    mass: float
    rule: str
    factor: BayesFactor | None
    origin: Origin
    hypotheses: Hypotheses | None = None
    interval: IntervalKind = "hdi"
    prior: Posterior | None = field(default=None, repr=False)
    across: Across | None = field(default=None, repr=False)
    companions: tuple[Companion, ...] = ()
    basis: Basis | None = field(default=None, repr=False, compare=False)

    @cached_property
    def hdi(self) -> Interval:
        """The highest-density interval of the difference."""
        return self.posterior.difference.hdi(self.mass)

    @cached_property
    def probability(self) -> Probabilities:
        """The probabilities of worse, equivalent and better.

        Over many data sets: of the region that holds the most of the next one, or,
        by signed ranks, of the mean of two.
        """
        if self.posterior.regions is not None:
            return Probabilities.of_regions(self.posterior.regions, self.rope)
        return Probabilities.of(self.posterior.difference, self.rope)

    @property
    def tested(self) -> bool:
        """Whether the verdict is that of a Bayes test, not of regions."""
        return self.hypotheses is not None and self.rule == "bayes-test"

    @cached_property
    def verdict(self) -> Verdict:
        """What the evidence allows to say."""
        if self.hypotheses is not None and self.tested:
            return self.hypotheses.verdict()
        return decide(
            self.rule, hdi=self.hdi, rope=self.rope, probabilities=self.probability
        )

    @property
    def looks_ahead(self) -> bool:
        """Whether more items can be thought of: folds are none, masses not an HDI."""
        return self.question.unit != "folds" and self.rule != "region-mass"

    @cached_property
    def outlook(self) -> Outlook | None:
        """How many more items would probably decide, where the verdict is open."""
        if self.verdict.name not in OPEN or not self.looks_ahead:
            return None
        known = self.posterior.difference
        return outlook(
            mean=known.mean(),
            sd=known.std(),
            items=self.question.units / self.question.repetitions,
            rope=self.rope,
            mass=self.mass,
        )

    @cached_property
    def system_intervals(self) -> tuple[Interval, ...]:
        """The interval of each system's metric."""
        systems = self.posterior.systems
        if self.interval == "equal-tailed":
            return tuple(known.interval(self.mass) for known in systems)
        return tuple(known.hdi(self.mass) for known in systems)

    @property
    def decimals(self) -> int:
        """How many decimals are worth showing."""
        return wording.decimals_for(self.posterior.difference.std())

    def __repr__(self) -> str:
        return f"<Comparison {self.verdict.symbol} {self.sentence()}>"

    def headline(self) -> str:
        """Say the answer in one line."""
        return self.said(self.verdict.name)

    def said(self, name: str) -> str:
        """Say a verdict in one line, as if it were the one that was found."""
        first, second = self.question.shown_systems
        words = _TESTED_WORDS if self.rule == "bayes-test" else _VERDICT_WORDS
        said = words[name].format(
            first=first, second=second, metric=self.question.metric_name
        )
        margin = self.hypotheses.margin if self.hypotheses is not None else 0.0
        return f"{said} by more than {margin:g}" if margin else said

    def sentence(self) -> str:
        """Say the answer as one may write it in a paper."""
        values = self.question.observed
        show = self.decimals
        low, high = (wording.number(end, show, signed=True) for end in self.hdi)
        gap = wording.number(self.difference, show, signed=True)
        return (
            f"{self.headline()}: {wording.number(values[1], show)} against "
            f"{wording.number(values[0], show)}, {gap}, "
            f"{wording.interval_name('hdi', self.mass)}{self._of} {low} to {high}"
        )

    @property
    def _of(self) -> str:
        """Say what the interval is of, where that is not the difference itself."""
        if self.across is not None:
            return " of the population's centre"
        return "" if self.posterior.regions is None else " of the mean"

    @property
    def centre(self) -> str:
        """What the interval is of, over many data sets."""
        if self.across is not None:
            return "the centre of the population of data sets"
        return "the mean over data sets"

    @property
    def foreseen(self) -> str:
        """What the probabilities are of, over many data sets."""
        if self.origin.method["name"] == "signed-rank":
            return "the mean of two data sets"
        return "the next data set"

    def probabilities_line(self) -> str:
        """Say how probable worse, equivalent and better are."""
        p = self.probability
        worse, equal, better = map(p.shown, (p.worse, p.equivalent, p.better))
        if self.rope is None:
            return f"worse {worse}    better {better}    (no rope given)"
        within = f"equivalent {equal} (within {self.rope})"
        of = "" if self.across is None else "population: "
        return f"{of}worse {worse}    {within}    better {better}"

    def evidence_line(self) -> str | None:
        """Say what the Bayes factor means, where there is one."""
        factor = self.factor
        if factor is None:
            return None
        return (
            f"evidence {factor.side} {factor.null}: {factor.strength} "
            f"({factor.shown()})"
        )

    def outlook_line(self) -> str | None:
        """Say how many more items would probably decide, where the verdict is open."""
        return None if self.outlook is None else self.ahead(self.outlook)

    def ahead(self, outlook: Outlook) -> str:
        """Say how many more items would probably decide."""
        question = self.question
        unit = question.unit if question.units == question.items else "clusters"
        if outlook.more is None:
            return f"even a million times as many {unit} would hardly decide it"
        return (
            f"about {outlook.more:,} more {unit} would give a clear verdict, with a "
            f"chance of {100 * outlook.chance:g} %"
        )

    def hypotheses_line(self) -> str | None:
        """Say how probable the two hypotheses of a Bayes test are."""
        tested = self.hypotheses
        if tested is None:
            return None
        margin = f" by more than {tested.margin:g}" if tested.margin else ""
        return (
            f"P(H0, not better{margin}) {tested.shown(tested.h0)}    "
            f"P(H1, better{margin}) {tested.shown(tested.h1)}    "
            f"accept {tested.decision}"
        )

    def scores_lines(self) -> list[str]:
        """Say why the method was chosen, and what else the scores say."""
        why = self.origin.method.get("why")
        beside = "    ".join(map(str, self.companions))
        return [
            *([] if self.across is None else self.across.lines()),
            *([] if why is None else [f"method: {why}"]),
            *([f"companions: {beside}"] if beside else []),
        ]

    @property
    def per_system(self) -> list[tuple[str, float, Interval | None]]:
        """Each system's name, its metric, and the interval where there is one."""
        names, values = self.question.systems, self.question.observed
        intervals = self.system_intervals or (None,) * len(names)
        return list(zip(names, values, intervals, strict=True))

    def _estimates(self) -> list[dict[str, Any]]:
        return [
            {
                "system": name,
                "value": value,
                "interval": None if interval is None else interval.to_dict(),
            }
            for name, value, interval in self.per_system
        ]

    def to_dict(self) -> dict[str, Any]:
        """Give the documented JSON of a comparison."""
        draws = self.posterior.difference
        sd = draws.std()
        p, tested = self.probability, self.hypotheses
        return {
            "schema": SCHEMA,
            "kind": "comparison",
            **self.question.to_dict(),
            "estimates": self._estimates(),
            "difference": {
                "value": self.difference,
                "mean": draws.mean(),
                "sd": sd if isfinite(sd) else None,
                "mcse": draws.mcse(),
                "interval": self.hdi.to_dict(),
            },
            "probability": {
                "worse": p.worse,
                "equivalent": p.equivalent,
                "better": p.better,
            },
            "rope": None if self.rope is None else [self.rope.low, self.rope.high],
            "bayes_factor": None if self.factor is None else self.factor.to_dict(),
            "verdict": self.verdict.to_dict(),
            "outlook": None if self.outlook is None else self.outlook.to_dict(),
            **({} if tested is None else {"hypotheses": tested.to_dict()}),
            **({} if self.across is None else self.across.to_dict()),
            **self._companions(),
            **self.origin.to_dict(),
        }

    def _companions(self) -> dict[str, Any]:
        if not self.companions:
            return {}
        return {"companions": [companion.to_dict() for companion in self.companions]}

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
        """Draw the posterior of the difference with its HDI and rope."""
        from likelier.plots.posterior import posterior

        return posterior(self, ax=ax)

    def plot_factor(self, ax: "Axes | None" = None) -> "Axes":
        """Draw the prior and the posterior around the null of the Bayes factor."""
        from likelier.plots.factor import factor

        return factor(self, ax=ax)

    def plot_simplex(self, ax: "Axes | None" = None) -> "Axes":
        """Draw what the next of many data sets may show, as a triangle."""
        from likelier.plots.simplex import simplex

        return simplex(self, ax=ax)

    def plot_data_sets(self, ax: "Axes | None" = None) -> "Axes":
        """Draw every data set of the hierarchical model, and how it is shrunken."""
        from likelier.plots.datasets import data_sets

        return data_sets(self, ax=ax)

    def methods(self) -> list[Said]:
        """Give the sentences of the methods paragraph, and what they cite."""
        return comparison_said(self)

    def _repr_html_(self) -> str:
        return notebook.block(
            [
                notebook.line(self.sentence(), self.verdict.symbol),
                notebook.bar(self._shares()),
                notebook.line(self.hypotheses_line()),
                self._system_table(),
                notebook.line(self.evidence_line()),
                notebook.line(self.outlook_line()),
            ],
            self.recipe,
        )

    def _shares(self) -> list[notebook.Part]:
        """Give the probabilities as the parts of a bar."""
        p = self.probability
        worse = ("worse", p.worse, p.shown(p.worse), notebook.WORSE)
        better = ("better", p.better, p.shown(p.better), notebook.BETTER)
        if self.rope is None:
            return [worse, better]
        name, share = f"equivalent (within {self.rope})", p.shown(p.equivalent)
        return [worse, (name, p.equivalent, share, notebook.EQUIVALENT), better]

    def _system_table(self) -> str:
        """Give each system's metric, with its interval where there is one."""
        show, known = self.decimals, self.system_intervals
        names, values = self.question.shown_systems, self.question.observed
        told = [wording.number(value, show) for value in values]
        if not known:
            return notebook.table(
                ("system", "value"), list(zip(names, told, strict=True))
            )
        ends = [
            " to ".join(wording.number(end, show) for end in interval)
            for interval in known
        ]
        columns = "system", "value", wording.interval_name(known[0].kind, self.mass)
        return notebook.table(columns, list(zip(names, told, ends, strict=True)))


# A Bayes test takes the more probable side, however little more probable it is.
_TESTED_WORDS = {
    "better": "{second} is more probably better than {first} on {metric}",
    "not better": "{second} is more probably not better than {first} on {metric}",
}
_VERDICT_WORDS = {
    "better": "{second} is better than {first} on {metric}",
    "worse": "{second} is worse than {first} on {metric}",
    "equivalent": "{second} and {first} are practically equivalent on {metric}",
    "leans better": "{second} leans better than {first} on {metric}",
    "leans worse": "{second} leans worse than {first} on {metric}",
    "undecided": "{second} against {first} is undecided on {metric}",
    "not better": "{second} is not better than {first} on {metric}",
}
