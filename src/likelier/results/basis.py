"""What an answer rests on: items to look at, and what other tests say of them."""

from dataclasses import dataclass

from likelier.errors import LikelierError
from likelier.methods import Bootstrap, McNemar, NullMethod, Randomization, SignTest
from likelier.metrics import Metric
from likelier.outcomes import Outcomes
from likelier.results.companion import Companion
from likelier.results.differing import Differing, DifferingRow, differing_items
from likelier.streams import Streams

__all__ = ["Basis", "Differing", "DifferingRow"]

_ROWS = 500
_DRAWS, _LEAST_DRAWS = 10_000, 1_000
# A test that draws more numbers takes longer than people like to wait for a report.
_NUMBERS = 10_000_000


@dataclass(frozen=True, eq=False)
class Basis:
    """The outcomes and the metric that an answer rests on.

    Attributes
    ----------
    table
        The outcomes of the two systems; the positive class against the rest, where
        the metric speaks of one class.
    metric
        The metric.
    seed
        The seed of the answer, which the other tests use too.
    """

    table: Outcomes
    metric: Metric
    seed: int

    def differing(self, *, most: int = _ROWS) -> Differing | None:
        """List the items on which the systems differ, where these are known.

        Parameters
        ----------
        most
            How many rows to list.

        Examples
        --------
        >>> from likelier import metrics, outcomes
        >>> table = outcomes.from_labels("aab", "abb", "aaa")
        >>> Basis(table, metrics.accuracy, 0).differing().rows[0]
        DifferingRow(gold='a', first='b', second='a', right='second', count=1,
                     ids=('item 1',))
        """
        return differing_items(self.table, self.metric, most)

    def companions(self) -> tuple[Companion, ...]:
        """Ask other tests of the same items; the same seed gives the same answers.

        Randomization, exact or by draws; McNemar's exact test, or the sign test where
        only that is defined; and the paired bootstrap, two-sided and with ties, which
        keeps its level better than the published one.

        Examples
        --------
        >>> from likelier import metrics, outcomes
        >>> table = outcomes.from_labels("a" * 40, "a" * 30 + "b" * 10, "b" + "a" * 39)
        >>> print(*Basis(table, metrics.accuracy, 0).companions(), sep="; ")
        randomization p = 0.012; McNemar p = 0.012;
        paired bootstrap (10,000 draws) p = 0.005
        """
        view = self.metric.view(self.table).without_labels().merged()
        draws = min(_DRAWS, _NUMBERS // max(view.n_patterns, 1))
        coin = self._asked("McNemar", McNemar())
        if coin.why_not is not None:
            signs = self._asked("sign test", SignTest())
            coin = coin if signs.why_not is not None else signs
        if draws < _LEAST_DRAWS:
            why = f"{view.n_patterns:,} patterns are too many to draw from in a report"
            swapped = self._asked("randomization", Randomization(exact=True))
            if swapped.why_not is not None:
                swapped = Companion("randomization", why_not=why)
            return swapped, coin, Companion("paired bootstrap", why_not=why)
        boot = Bootstrap(alternative="two-sided", ties=True)
        return (
            self._asked("randomization", Randomization(), draws),
            coin,
            self._asked("paired bootstrap", boot, draws),
        )

    def _asked(self, name: str, test: NullMethod, draws: int = 1) -> Companion:
        """Ask one test, or tell why it has no answer."""
        streams = Streams.of(self.seed, draws=draws)
        try:
            null = test.null(self.table, self.metric, streams)
        except LikelierError as error:
            return Companion(name, why_not=error.message)
        drawn = f" ({draws:,} draws)" if null.mcse else ""
        return Companion(f"{name}{drawn}", p_value=null.p_value)
