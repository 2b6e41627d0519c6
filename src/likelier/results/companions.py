"""Companions: other tests of the data that an answer rests on."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from likelier import formatting, methods
from likelier.data.outcomes import Outcomes
from likelier.decision import ThreeProbabilities
from likelier.distribution import Distribution
from likelier.errors import LikelierError
from likelier.methods.items.one_system import usual_method
from likelier.methods.protocols import NullMethod
from likelier.metrics.metric import Metric
from likelier.results.changed_items import changed_items
from likelier.results.changes import Changes
from likelier.results.confusion import Confusion, confusion_of
from likelier.streams import Streams

_DRAWS, _LEAST_DRAWS = 10_000, 1_000
# A test that draws more numbers takes longer than people like to wait for a report.
_NUMBERS = 10_000_000
# Rows of items on which the systems differ: listed, and on a page.
_ROWS, _PAGE_ROWS = 500, 200


@dataclass(frozen=True)
class Companion:
    """Answer of another test: a p-value, or three probabilities.

    Attributes
    ----------
    name
        Name of the test.
    p_value
        Its two-sided p-value, if it gives one.
    probability
        Its probabilities, if it gives them.
    reason
        Why the test has no answer, where it has none.
    """

    name: str
    p_value: float | None = None
    probability: ThreeProbabilities | None = None
    reason: str | None = None

    def __str__(self) -> str:
        if self.p_value is not None:
            return f"{self.name} p = {formatting.p_value(self.p_value)}"
        if self.probability is not None:
            return f"{self.name} {self.shares_text()}"
        return f"{self.name} not defined"

    def shares_text(self) -> str:
        """Write the three probabilities, where there are some."""
        if self.probability is None:
            return "–"
        return " / ".join(self.probability.all_texts())

    def to_dict(self) -> dict[str, Any]:
        """Return the companion as in the JSON."""
        shares = None if self.probability is None else self.probability.to_dict()
        return {
            "name": self.name,
            "p_value": self.p_value,
            "probability": shares,
            "reason": self.reason,
        }


@dataclass(frozen=True, eq=False)
class ComparedFolds:
    """Scores of folds that a comparison rests on: other tests of them.

    Attributes
    ----------
    tests
        Function that makes the tests.
    """

    tests: Callable[[], Iterable[Companion]]

    @cached_property
    def companions(self) -> tuple[Companion, ...]:
        """Answers of the tests, which are made when first read."""
        return tuple(self.tests())


@dataclass(frozen=True, eq=False)
class ComparedItems:
    """Items that a comparison rests on: those that differ, and other tests of them.

    Attributes
    ----------
    table
        Outcomes of the two systems, whose averages run over the classes of the items;
        the positive class against the rest, where the metric speaks of one class.
    metric
        Metric of the comparison.
    seed, draws
        Seed of the answer, which the other tests use too, and its number of draws.
    """

    table: Outcomes
    metric: Metric
    seed: int
    draws: int | None = None

    @cached_property
    def estimates(self) -> tuple[Distribution, ...]:
        """Law of each system's metric, the same as that of `estimate`."""
        streams = Streams.of(self.seed, draws=self.draws)
        singles = [self.table.keep(i) for i in range(len(self.table.systems))]
        return tuple(
            usual_method(one, self.metric).estimate(one, self.metric, streams)
            for one in singles
        )

    def differing(self, *, most: int = _ROWS) -> Changes | None:
        """List the items on which the systems differ, where these are recorded.

        Parameters
        ----------
        most
            Number of rows to list.

        Examples
        --------
        >>> from likelier import Outcomes, metrics
        >>> table = Outcomes.from_labels("aab", "abb", "aaa")
        >>> ComparedItems(table, metrics.accuracy, 0).differing().rows[0]
        ChangeRow(gold='a', first='b', second='a', right='second', count=1,
                  ids=('item 1',))
        """
        return changed_items(self.table, self.metric, most)

    @cached_property
    def changes(self) -> Changes | None:
        """Items on which the systems differ, as many as a page lists."""
        return self.differing(most=_PAGE_ROWS)

    @cached_property
    def confusion(self) -> Confusion | None:
        """Predictions of both systems by gold label, or by type; None for scores."""
        return confusion_of(self.table)

    @cached_property
    def companions(self) -> tuple[Companion, ...]:
        """Other tests of the same items; the same seed gives the same answers.

        Randomization, exact or by draws; McNemar's exact test, or the sign test where
        only that is defined, or DeLong's test of ROC AUC; and the paired bootstrap,
        two-sided and with ties, which keeps its level better than the published one.

        Examples
        --------
        >>> from likelier import Outcomes, metrics
        >>> table = Outcomes.from_labels("a" * 40, "a" * 30 + "b" * 10, "b" + "a" * 39)
        >>> print(*ComparedItems(table, metrics.accuracy, 0).companions, sep="; ")
        randomization p = 0.012; McNemar p = 0.012;
        paired bootstrap (10,000 draws) p = 0.005
        """
        return tuple(self._tests())

    def _tests(self) -> Iterator[Companion]:
        view = self.metric.view(self.table).without_labels().merged()
        draws = min(_DRAWS, _NUMBERS // max(view.n_patterns, 1))
        bootstrap = methods.Bootstrap(alternative="two-sided", ties=True)
        if draws >= _LEAST_DRAWS:
            yield self._test("randomization", methods.Randomization(), draws)
            yield self._coin()
            yield self._test("paired bootstrap", bootstrap, draws)
            return
        reason = f"{view.n_patterns:,} patterns are too many to draw from in a report"
        exact = self._test("randomization", methods.Randomization(exact=True))
        without = Companion("randomization", reason=reason)
        yield exact if exact.reason is None else without
        yield self._coin()
        yield Companion("paired bootstrap", reason=reason)

    def _coin(self) -> Companion:
        """Ask McNemar's test, or the sign test where only that has an answer.

        Of ranks only DeLong's test can be asked.
        """
        if self.metric.data == "ranks":
            return self._test("DeLong", methods.DeLong())
        exact = self._test("McNemar", methods.McNemar())
        if exact.reason is None:
            return exact
        signs = self._test("sign test", methods.SignTest())
        return signs if signs.reason is None else exact

    def _test(self, name: str, test: NullMethod, draws: int = 1) -> Companion:
        streams = Streams.of(self.seed, draws=draws)
        try:
            null = test.null(self.table, self.metric, streams)
        except LikelierError as error:
            return Companion(name, reason=error.message)
        drawn = f" ({draws:,} draws)" if null.mcse else ""
        return Companion(f"{name}{drawn}", p_value=null.p_value)
