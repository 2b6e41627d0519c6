"""Ranking: many systems in order, all pairs, and the evidence for it."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from math import isfinite
from typing import Any

import numpy as np

from likelier import formatting
from likelier.citations import Sentence
from likelier.decision import TIED
from likelier.errors import unknown_name
from likelier.findings import Finding
from likelier.formatting import plain
from likelier.methods.folds.rank_tests import Friedman, Nemenyi
from likelier.results import sentences
from likelier.results.comparison import Comparison
from likelier.results.comparison_sentences import method_sentences
from likelier.results.order import Order
from likelier.results.parts import Part, Summary, Table, columns
from likelier.results.ranking_parts import lopsided, ranking_body, ranking_summary
from likelier.results.ranks import PairTest, Ranks
from likelier.results.result import Result
from likelier.results.screen_table import ScreenTable, Strips
from likelier.settings import Settings

# Of the pairs of more systems a screen shows neighbours only.
_MOST_SYSTEMS = 5
# Pairs that a sentence or a finding names.
_MOST_NAMED = 5
# Standard errors of the draws beyond which one system is ahead of another.
_SURE = 3


@dataclass(frozen=True, repr=False)
class Ranking(Result):
    """Many systems in order, with every system compared to every other.

    Attributes
    ----------
    settings, findings
        How it was made, and remarks of the checks.
    comparisons
        One per pair: each system as the baseline of all that come after it.
    ranks
        Probability of each rank, where ranks were drawn.
    threshold
        Probability that the relation of two systems must have to count for the order.
    friedman, nemenyi
        Friedman's test of equal ranks and the critical difference, where there are
        several data sets.
    tests
        Wilcoxon's test of every pair, where there are several data sets.
    """

    kind = "ranking"
    plural = "rankings"
    noun = "order"

    settings: Settings
    findings: tuple[Finding, ...]
    comparisons: tuple[Comparison, ...]
    ranks: Ranks | None
    threshold: float = 0.0
    friedman: Friedman | None = None
    nemenyi: Nemenyi | None = None
    tests: tuple[PairTest, ...] = ()

    @property
    def plot_kinds(self) -> tuple[str, ...]:  # type: ignore[override]
        """Names of the plots, the usual one first."""
        ranks = () if self.ranks is None else ("ranks",)
        return (*ranks, "order", "critical", "simplex")

    @property
    def systems(self) -> tuple[str, ...]:
        """Names, in the order of the data."""
        return self.settings.systems

    @property
    def observed(self) -> tuple[float, ...]:
        """Metric of each system."""
        return self.settings.data.observed

    @cached_property
    def order(self) -> Order:
        """Partial order by the most probable relation of each pair."""
        pairs = {}
        for comparison in self.comparisons:
            first, second = comparison.settings.systems
            pairs[first, second] = comparison.probability
        return Order.of(self.systems, pairs, threshold=self.threshold)

    @cached_property
    def places(self) -> tuple[int, ...]:
        """Indices of the systems, from the best expected rank to the worst."""
        if self.ranks is None:
            return tuple(self.systems.index(name) for name in self.order.systems[::-1])
        return tuple(int(i) for i in np.argsort(self.ranks.expected, kind="stable"))

    def between(self, one: str, other: str) -> Comparison:
        """Return the comparison of two systems, as it was made."""
        for comparison in self.comparisons:
            if set(comparison.settings.systems) == {one, other}:
                return comparison
        unknown = next((n for n in (one, other) if n not in self.systems), other)
        raise unknown_name(unknown, self.systems, kind="system")

    def least_sure(self) -> tuple[Comparison, str]:
        """Return the pair whose relation is the least probable, and how probable."""
        least = min(self.comparisons, key=lambda result: result.probability.largest)
        return least, least.probability.text(least.probability.largest)

    @property
    def block(self) -> str | None:
        """Pairs without a verdict, and why, where findings block some."""
        blocked = [c for c in self.comparisons if c.verdict.reason is not None]
        if not blocked:
            return None
        reasons = dict.fromkeys(str(c.verdict.reason) for c in blocked)
        all_pairs = len(blocked) == len(self.comparisons)
        where = "" if all_pairs else f" for {_pairs(blocked)}"
        return f"{where}, {formatting.join_words(reasons)}"

    def sentence(self) -> str:
        """Say the order, and who is probably the best."""
        return " ".join(self.clauses())

    def clauses(self) -> tuple[str, ...]:
        """Return the order, and who is probably the best."""
        chain = "" if self.order.chain is not None else " (no chain)"
        order = f"{self.settings.metric_name}{chain}: {self.order}"
        if self.block is not None:
            return f"undecided{self.block}:", f"not to be relied on is {order}"
        if self.ranks is None:
            return (order,)
        best = int(np.argmax(self.ranks.best))
        error = _SURE * np.sqrt(self.ranks.best[best] / self.ranks.draws)
        if (self.ranks.best > self.ranks.best[best] - TIED - error).sum() > 1:
            return f"{order};", f"none is ahead{self.ranks.scope}"
        return (
            f"{order};",
            f"the best{self.ranks.scope} is {plain(self.systems[best])} "
            f"({self.ranks.best_text(best)})",
        )

    def main_lines(self) -> list[str]:
        """Say what the order rests on, and which pair is the least sure."""
        first = self.comparisons[0]
        rope = "no rope given" if first.rope is None else f"rope {first.rope}"
        least, share = self.least_sure()
        pair = " and ".join(least.settings.system_labels)
        return [
            f"{first.settings.data.size}, {rope}",
            *lopsided(self),
            f"least sure: {pair}, {share}",
        ]

    def small_print(self) -> list[str]:
        """Say why the method was chosen, where ranks come from, and p-values."""
        error, reason = self._quadrature_error(), self.settings.reason
        return [
            *([f"method: {reason}"] if reason else []),
            *([] if error is None else [f"quadrature error about {error:.1e}"]),
            *([] if self.ranks is None else [f"ranks: {self.ranks.source}"]),
            *self._friedman_line(),
        ]

    def _quadrature_error(self) -> float | None:
        sets = [c.data_sets for c in self.comparisons if c.data_sets is not None]
        return max((one.population.error for one in sets), default=None)

    def _friedman_line(self) -> list[str]:
        test, posthoc = self.friedman, self.nemenyi
        if test is None or posthoc is None:
            return []
        return [
            f"Friedman chi-square {test.statistic:.4g}, p = "
            f"{formatting.p_value(test.p_value)}; Iman-Davenport p = "
            f"{formatting.p_value(test.f_p_value)}; Nemenyi: average ranks that "
            f"differ by {posthoc.critical_difference:.3g} or more, at "
            f"{posthoc.alpha:g}"
        ]

    def tables(self) -> list[Table]:
        """Return the leaderboard, where ranks were drawn, and all pairs."""
        leaderboard = [] if self.ranks is None else [self._leaderboard(self.ranks)]
        return [*leaderboard, self._pair_table()]

    def screen_tables(self) -> list[ScreenTable]:
        """Return leaderboard and pairs: of many systems only neighbours in rank."""
        *leaderboard, pairs = self.tables()
        # The tests, from the last, then the interval and ≈.
        spare = (*range(len(pairs.columns) - 1, 7, -1), 6, 3)
        strips, rows = Strips.of(self.comparisons), self._main_rows()
        return [
            *map(ScreenTable, leaderboard),
            ScreenTable(pairs, spare, rows, "pairs", strips),
        ]

    def _main_rows(self) -> tuple[int, ...] | None:
        if len(self.systems) <= _MOST_SYSTEMS:
            return None
        pairs = [set(comparison.settings.systems) for comparison in self.comparisons]
        names = (self.systems[i] for i in self.places)
        return tuple(pairs.index(set(pair)) for pair in pairwise(names))

    def next_step(self) -> str | None:
        """Say how many more items would probably part the first two."""
        best, second = (self.systems[i] for i in self.places[:2])
        ahead = self.between(best, second).outlook_line()
        return (
            None if ahead is None else f"{plain(best)} against {plain(second)}: {ahead}"
        )

    def _leaderboard(self, ranks: Ranks) -> Table:
        test = self.friedman
        rows = tuple(
            (
                plain(self.systems[i]),
                formatting.number(self.observed[i], 4),
                ranks.best_text(i),
                f"{ranks.expected[i]:.2f}",
                *(() if test is None else (f"{test.average_ranks[i]:.2f}",)),
            )
            for i in self.places
        )
        average = () if test is None else ("average rank",)
        names = self.settings.metric_name, "P(best)", "expected rank", *average
        heads = columns("system", *names, text=["system"])
        return Table("Leaderboard", heads, rows)

    def _pair_table(self) -> Table:
        """Return the paper's table: the first above, equal to, below the second."""
        tests = {test.systems: test for test in self.tests}
        counted = any(test.shown_on is not None for test in self.tests)
        names = (
            "first",
            "second",
            ">",
            "≈",
            "<",
            "difference",
            formatting.interval_name("hdi", self.comparisons[0].mass),
            "the second is",
            *(("Wilcoxon p", "Holm", "Benjamini-Hochberg") if tests else ()),
            *(("shown to be better",) if counted else ()),
        )
        rows = []
        for result in self.comparisons:
            first, second = result.settings.systems
            test = tests.get((first, second))
            cells = () if test is None else test.cells(counted=counted)
            rows.append((*_pair_row(result), *cells))
        text = ["first", "second", "the second is", "shown to be better"]
        return Table("All pairs", columns(*names, text=text), tuple(rows))

    def compared(self) -> list[tuple[str, Comparison]]:
        """Return all pairs."""
        return [("", result) for result in self.comparisons]

    def summary(self) -> Summary:
        """Return what a page begins with: the best, and by how much."""
        return ranking_summary(self)

    def body(self) -> Iterator[Part]:
        """Yield the leaderboard, who beats whom, and all pairs."""
        yield from ranking_body(self)
        for table in self._test_tables():
            yield replace(table, folded=True)

    def _test_tables(self) -> Iterator[Table]:
        """Yield the p-values of all pairs, where there are some."""
        if not self.tests:
            return
        counted = any(test.shown_on is not None for test in self.tests)
        extra = ("shown to be better",) if counted else ()
        names = ("pair", "Wilcoxon p", "Holm", "Benjamini-Hochberg", *extra)
        rows = (
            (" and ".join(map(plain, test.systems)), *test.cells(counted=counted))
            for test in self.tests
        )
        text = ["pair", "shown to be better"]
        lines = tuple(self._friedman_line())
        title = "Tests over data sets"
        yield Table(title, columns(*names, text=text), tuple(rows), lines)

    def numbers(self) -> dict[str, Any]:
        """Return order, ranks and all pairs as in the JSON."""
        ranks, best = self.ranks, None
        if ranks is not None:
            index = int(np.argmax(ranks.best))
            share = float(ranks.best[index])
            best = {"system": self.systems[index], "probability": share}
        return {
            "systems": list(self.systems),
            "metric": self.settings.metric,
            "higher_is_better": self.settings.higher_is_better,
            "order": self.order.to_dict(),
            "best": best,
            "ranks": [] if ranks is None else self._rank_rows(ranks),
            "draws": 0 if ranks is None else ranks.draws,
            "seed": None if ranks is None else ranks.seed,
            "friedman": self._friedman_numbers(),
            "tests": [test.to_dict() for test in self.tests],
            "comparisons": [c.to_dict(details=False) for c in self.comparisons],
        }

    def details(self) -> dict[str, Any]:
        """Return the pairs with what other tests say, where they are few."""
        if not self.joint_details([self]):
            return {}
        return {"comparisons": [result.to_dict() for result in self.comparisons]}

    def _rank_rows(self, ranks: Ranks) -> list[dict[str, Any]]:
        test = self.friedman
        return [
            {
                "system": name,
                "value": self.observed[i],
                "best": float(ranks.best[i]),
                "expected_rank": float(ranks.expected[i]),
                "probability": [float(p) for p in ranks.probability[i]],
                "average_rank": None if test is None else float(test.average_ranks[i]),
            }
            for i, name in enumerate(self.systems)
        ]

    def _friedman_numbers(self) -> dict[str, Any] | None:
        test, posthoc = self.friedman, self.nemenyi
        if test is None or posthoc is None:
            return None
        return {
            "statistic": test.statistic,
            "p_value": test.p_value,
            "f_statistic": test.f_statistic if isfinite(test.f_statistic) else None,
            "f_p_value": test.f_p_value,
            "critical_difference": posthoc.critical_difference,
            "alpha": posthoc.alpha,
            "groups": [[self.systems[i] for i in group] for group in posthoc.groups],
        }

    def sentences(self) -> list[Sentence]:
        """Return the sentences of the methods paragraph."""
        first, error = self.comparisons[0], self._quadrature_error()
        least = ""
        if self.threshold:
            least = f", if its probability is at least {self.threshold:g}"
        metric = self.settings.metric_name
        return [
            sentences.each_system(self.systems, metric, first.settings.data),
            *method_sentences(first),
            *([] if error is None else [sentences.quadrature(error)]),
            Sentence(f"{sentences.ORDER}{least}", ("szymanski2020",)),
            *self._rank_sentences(),
        ]

    def _rank_sentences(self) -> Iterator[Sentence]:
        ranks, posthoc = self.ranks, self.nemenyi
        if ranks is not None:
            yield Sentence(
                f"The probabilities of the ranks rest on {ranks.draws:,} draws "
                f"(seed {ranks.seed}): {plain(ranks.source)}"
            )
        if self.friedman is not None and posthoc is not None:
            yield Sentence(
                "Average ranks were tested by Friedman's test, with the F of Iman and "
                "Davenport, and by Nemenyi's critical difference at a level of "
                f"{posthoc.alpha:g}",
                ("demsar2006", "iman1980"),
            )
        if self.tests:
            yield Sentence(
                "Every pair was tested by Wilcoxon's signed-rank test over data sets, "
                "two-sided, with p-values adjusted for the number of pairs by Holm "
                "and by Benjamini and Hochberg",
                ("demsar2006", "holm1979", "benjamini1995"),
            )
        if any(test.shown_on is not None for test in self.tests):
            yield Sentence(
                "On how many data sets a system is shown to be better was counted from "
                "one-sided corrected resampled t-tests by partial conjunctions",
                ("dror2017", "nadeau2003"),
            )


def _pair_row(result: Comparison) -> tuple[str, ...]:
    p = result.probability
    return (
        *result.settings.system_labels,
        _share(result, p.worse),
        "-" if result.rope is None else _share(result, p.equivalent),
        _share(result, p.better),
        result.difference_text,
        result.hdi_text,
        # No symbol: beside the signs of the columns it would read reversed.
        result.verdict.name,
    )


def _share(result: Comparison, share: float) -> str:
    """Write a probability as the paper does, with three decimals where they hold."""
    decimals = 3 if result.probability.mcse(share) < 0.002 else 2
    return f"{share:.{decimals}f}"


def pair_findings(comparisons: tuple[Comparison, ...]) -> tuple[Finding, ...]:
    """Return the findings of all pairs, each once; what blocks names its pairs."""
    every: dict[Finding, list[Comparison]] = {}
    for comparison in comparisons:
        for finding in comparison.findings:
            # That all folds differ by the same amount is true of this pair alone.
            own = finding.code == "LIK130"
            one = _about([comparison], finding) if own else finding
            every.setdefault(one, []).append(comparison)
    return tuple(
        _about(pairs, finding)
        if finding.blocks and len(pairs) < len(comparisons)
        else finding
        for finding, pairs in every.items()
    )


def _about(pairs: list[Comparison], finding: Finding) -> Finding:
    subject = _pairs(pairs)
    message = f"{subject}: {finding.message}"
    return replace(finding, message=message, subject=subject)


def _pairs(comparisons: list[Comparison]) -> str:
    """Name the pairs of some comparisons, the first few of many."""
    labels = (comparison.settings.system_labels for comparison in comparisons)
    names = (f"{second} against {first}" for first, second in labels)
    return formatting.join_words(names, most=_MOST_NAMED)
