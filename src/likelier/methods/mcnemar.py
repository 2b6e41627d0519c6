"""McNemar's test and the sign test: only the items on which the systems differ."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from likelier.distribution import Null
from likelier.errors import NotDefinedError
from likelier.methods.discordant import better_and_worse, fair_coin
from likelier.metrics import Metric
from likelier.outcomes import Outcomes
from likelier.streams import Streams

FloatArray = NDArray[np.float64]


@dataclass(frozen=True)
class McNemar:
    """Test whether, where just one system is right, each is so equally often.

    Use this for accuracy (or recall, or specificity) on the same items.

    Parameters
    ----------
    mid_p
        Count the observed table half: less conservative, nearly never too liberal
        (Fagerland et al. 2013, doi:10.1186/1471-2288-13-91). The exact conditional
        test otherwise.

    Examples
    --------
    >>> from likelier import metrics, Outcomes
    >>> table = Outcomes.from_labels("aaaaaa", "abbbbb", "aaaaaa")
    >>> McNemar().null(table, metrics.accuracy, Streams.of(0)).p_value
    0.0625
    """

    mid_p: bool = False

    @property
    def name(self) -> str:
        """What the command line calls the test."""
        return "mcnemar-midp" if self.mid_p else "mcnemar"

    def null(self, outcomes: Outcomes, metric: Metric, _: Streams) -> Null:
        """Test exactly that the two systems are right equally often."""
        view = metric.view(outcomes)
        gains = metric.gains(view)
        if not np.isin(gains, (-1, 0, 1)).all() or outcomes.clustered:
            message = "McNemar's test must have items that are right or wrong."
            hint = "For clusters or scores use randomization or the sign test."
            raise NotDefinedError(message, hint=hint)
        return _discordant(view, gains, mid_p=self.mid_p, name="discordant items")

    def parameters(self, _: Outcomes) -> dict[str, Any]:
        """Return nothing: the test has no settings."""
        return {}


@dataclass(frozen=True)
class SignTest:
    """Test whether the second system is better on as many items as it is worse.

    Use this for scores of which only the order means something.
    """

    name: ClassVar[str] = "sign"

    def null(self, outcomes: Outcomes, metric: Metric, _: Streams) -> Null:
        """Test exactly that gains and losses are equally probable."""
        view = metric.view(outcomes)
        gains = metric.gains(view)
        return _discordant(view, gains, mid_p=False, name="items that differ")

    def parameters(self, _: Outcomes) -> dict[str, Any]:
        """Return nothing: the test has no settings."""
        return {}


def _discordant(view: Outcomes, gains: FloatArray, *, mid_p: bool, name: str) -> Null:
    better, worse = better_and_worse(view, gains)
    return Null(
        p_value=fair_coin(better, worse, mid_p=mid_p),
        statistic=float(better - worse),
        statistic_name="items better less items worse",
        alternative="two-sided",
        details={"better": better, "worse": worse, name: better + worse},
    )
