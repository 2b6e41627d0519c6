"""Many systems: the order, who is probably the best, and what ranks say."""

from dataclasses import dataclass, field, replace
from functools import cached_property
from math import isfinite
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from likelier import wording
from likelier.decision import TIED
from likelier.errors import plain
from likelier.findings import Finding
from likelier.recipe import Recipe
from likelier.results import notebook
from likelier.results.export import Backend, long_frame
from likelier.results.pairs import Pairs
from likelier.results.paragraph import Cited, Said
from likelier.results.question import SCHEMA
from likelier.results.reporting import Reported
from likelier.results.said.many import ranking_said
from likelier.score_tests import Friedman, Nemenyi

if TYPE_CHECKING:
    from matplotlib.axes import Axes

FloatArray = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Ranks:
    """How probable each rank of each system is; rank 1 is the best.

    Attributes
    ----------
    probability
        The probability of each rank (system, rank).
    draws
        How many joint draws it rests on.
    source
        What was drawn, in words.
    scope
        What the ranks are of: the items, or the data sets at hand.
    seed
        The seed of the draws.
    """

    probability: FloatArray = field(repr=False)
    draws: int
    source: str
    scope: str = ""
    seed: int = 0

    @property
    def best(self) -> FloatArray:
        """The probability of each system to be the best."""
        return self.probability[:, 0]

    @property
    def expected(self) -> FloatArray:
        """The expected rank of each system."""
        return self.probability @ np.arange(1, len(self.probability) + 1)


@dataclass(frozen=True)
class PairTest:
    """What p-values say of two systems on many data sets.

    Attributes
    ----------
    systems
        The two systems.
    p_value, holm, benjamini_hochberg
        Wilcoxon's p-value, and adjusted for all pairs.
    shown_on
        On how many data sets the second is shown to be better, and the first
        (Dror et al. 2017, k-hat); None where data sets have no folds.
    """

    systems: tuple[str, str]
    p_value: float
    holm: float
    benjamini_hochberg: float
    shown_on: tuple[int, int] | None

    def to_dict(self) -> dict[str, Any]:
        """Give the test as it stands in the JSON."""
        first, second = (None, None) if self.shown_on is None else self.shown_on[::-1]
        return {
            "systems": list(self.systems),
            "p_value": self.p_value,
            "holm": self.holm,
            "benjamini_hochberg": self.benjamini_hochberg,
            "first_better_on": first,
            "second_better_on": second,
        }


@dataclass(frozen=True)
class Ranking(Cited, Reported):
    """Many systems in order, with the evidence for it.

    Attributes
    ----------
    pairs
        Every system against every other.
    observed
        The metric of each system.
    ranks
        How probable each rank is.
    friedman, nemenyi
        Friedman's test of equal ranks and the critical difference, where there are
        several data sets.
    tests
        Wilcoxon's test of every pair, where there are several data sets.
    """

    pairs: Pairs
    observed: tuple[float, ...]
    ranks: Ranks
    friedman: Friedman | None = None
    nemenyi: Nemenyi | None = None
    tests: tuple[PairTest, ...] = ()

    @property
    def systems(self) -> tuple[str, ...]:
        """Names, in the order given."""
        return self.pairs.systems

    @cached_property
    def places(self) -> tuple[int, ...]:
        """The systems from the best expected rank to the worst."""
        return tuple(int(i) for i in np.argsort(self.ranks.expected, kind="stable"))

    @property
    def metric_name(self) -> str:
        """The metric as written in a sentence."""
        return self.pairs.metric_name

    def __repr__(self) -> str:
        return f"<Ranking {self.sentence()}>"

    def sentence(self) -> str:
        """Say the order, and who is probably the best."""
        best = int(np.argmax(self.ranks.best))
        share = float(self.ranks.best[best])
        if (self.ranks.best > share - TIED).sum() > 1:
            return f"{self.pairs.sentence()}; none is ahead{self.ranks.scope}"
        error = float(np.sqrt(share * (1 - share) / self.ranks.draws))
        told = wording.percent(share, error, draws=self.ranks.draws)
        return (
            f"{self.pairs.sentence()}; the best{self.ranks.scope} is "
            f"{plain(self.systems[best])} ({told})"
        )

    def detail_lines(self) -> list[str]:
        """Say what ranks and p-values say."""
        lines = [*self.pairs.detail_lines(), f"ranks: {self.ranks.source}"]
        if self.friedman is None or self.nemenyi is None:
            return lines
        test, after = self.friedman, self.nemenyi
        return [
            *lines,
            f"Friedman chi-square {test.statistic:.4g}, p = "
            f"{wording.p_value(test.p_value)}; Iman-Davenport p = "
            f"{wording.p_value(test.f_p_value)}; Nemenyi: average ranks that differ by "
            f"{after.critical_difference:.3g} or more, at {after.alpha:g}",
        ]

    def to_dict(self) -> dict[str, Any]:
        """Give the documented JSON of a ranking."""
        return {
            "schema": SCHEMA,
            "kind": "ranking",
            "systems": list(self.systems),
            "metric": self.pairs.comparisons[0].question.metric,
            "order": self.pairs.order.to_dict(),
            "best": self._best(),
            "ranks": [self._told(place) for place in range(len(self.systems))],
            "draws": self.ranks.draws,
            "seed": self.ranks.seed,
            "friedman": self._friedman(),
            "tests": [test.to_dict() for test in self.tests],
            "comparisons": [c.to_dict() for c in self.pairs.comparisons],
            "recipe": str(self.recipe),
            "findings": [finding.to_dict() for finding in self.findings],
        }

    def _best(self) -> dict[str, Any]:
        best = int(np.argmax(self.ranks.best))
        share = float(self.ranks.best[best])
        return {"system": self.systems[best], "probability": share}

    def _told(self, place: int) -> dict[str, Any]:
        average = None
        if self.friedman is not None:
            average = float(self.friedman.average_ranks[place])
        return {
            "system": self.systems[place],
            "value": self.observed[place],
            "best": float(self.ranks.best[place]),
            "expected_rank": float(self.ranks.expected[place]),
            "probability": [float(p) for p in self.ranks.probability[place]],
            "average_rank": average,
        }

    def _friedman(self) -> dict[str, Any] | None:
        test, after = self.friedman, self.nemenyi
        if test is None or after is None:
            return None
        return {
            "statistic": test.statistic,
            "p_value": test.p_value,
            "f_statistic": test.f_statistic if isfinite(test.f_statistic) else None,
            "f_p_value": test.f_p_value,
            "critical_difference": after.critical_difference,
            "alpha": after.alpha,
            "groups": [[self.systems[i] for i in group] for group in after.groups],
        }

    @property
    def recipe(self) -> Recipe:
        """One line that makes the same numbers again."""
        told = f"ranks from {self.ranks.draws} draws seed {self.ranks.seed}"
        pairs = self.pairs.recipe
        return replace(pairs, extra=(*pairs.extra, told))

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Remarks of the checks, each once."""
        return self.pairs.findings

    def frame(self, backend: Backend | None = None) -> Any:
        """Give a long table, one row per number."""
        return long_frame(self.to_dict(), backend)

    def plot(self, ax: "Axes | None" = None) -> "Axes":
        """Draw how probable each rank of each system is, as a heat map."""
        from likelier.plots.ranks import ranks

        return ranks(self, ax=ax)

    def plot_critical(self, ax: "Axes | None" = None) -> "Axes":
        """Draw the critical-difference diagram of the average ranks."""
        from likelier.plots.critical import critical_difference

        return critical_difference(self, ax=ax)

    def methods(self) -> list[Said]:
        """Give the sentences of the methods paragraph, and what they cite."""
        return ranking_said(self)

    def _repr_html_(self) -> str:
        rows = [
            (
                plain(self.systems[place]),
                wording.number(self.observed[place], 4),
                self._best_shown(place),
                f"{self.ranks.expected[place]:.2f}",
            )
            for place in self.places
        ]
        columns = "system", self.metric_name, "P(best)", "expected rank"
        lines = map(notebook.line, (self.sentence(), *self.detail_lines()))
        return notebook.block(
            [*lines, notebook.table(columns, rows), self.pairs.html_table()],
            self.recipe,
        )

    def _best_shown(self, place: int) -> str:
        share, draws = float(self.ranks.best[place]), self.ranks.draws
        error = float(np.sqrt(share * (1 - share) / draws))
        return wording.percent(share, error, draws=draws)
