"""McNemar's test, the sign test, and the tests of Yang & Liu (1999)."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from scipy import special

from likelier._typing import FloatArray
from likelier.data.outcomes import Outcomes
from likelier.distribution import Null
from likelier.errors import NotDefinedError
from likelier.methods.items.fair_coin import better_and_worse, fair_coin
from likelier.metrics import Metric, formulas
from likelier.streams import Streams


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


_SMALL = 12


@dataclass(frozen=True)
class STest:
    """Yang & Liu's s-test: a sign test on single decisions.

    Exact up to 12 items on which the systems differ, the normal approximation above,
    as in their paper; two-sided. `SignTest` is exact throughout.
    """

    name: ClassVar[str] = "s-test"

    def null(self, outcomes: Outcomes, metric: Metric, _: Streams) -> Null:
        """Test that the systems are right equally often where they differ."""
        view = metric.view(outcomes)
        better, worse = better_and_worse(view, metric.gains(view))
        n = better + worse
        z = 0.0 if n == 0 else (better - worse) / np.sqrt(n)
        p = fair_coin(better, worse) if n <= _SMALL else _two_sided(z)
        return Null(
            p_value=p,
            statistic=float(z),
            statistic_name="z",
            alternative="two-sided",
            details={"better": better, "worse": worse},
        )

    def parameters(self, _: Outcomes) -> dict[str, Any]:
        """Return nothing: the test has no settings."""
        return {}


@dataclass(frozen=True)
class PTest:
    """Yang & Liu's p-test: two proportions, as if from separate items; two-sided.

    For accuracy, error rate, precision, recall and other shares of items. It ignores
    that both systems saw the same items, so it has less power than `McNemar`.
    """

    name: ClassVar[str] = "p-test"

    def null(self, outcomes: Outcomes, metric: Metric, _: Streams) -> Null:
        """Test that two shares are equal by their pooled standard error."""
        if outcomes.clustered:
            message = "The p-test takes items as independent; these are clusters."
            raise NotDefinedError(message, hint="Use the method randomization.")
        part, whole = _shares(outcomes, metric)
        pooled = part.sum() / max(whole.sum(), 1)
        spread = np.sqrt(pooled * (1 - pooled) * (1 / whole).sum())
        gap = float(metric.differences(part / whole))
        z = 0.0 if gap == 0 else gap / spread
        return Null(
            p_value=_two_sided(z),
            statistic=float(z),
            statistic_name="z",
            alternative="two-sided",
            details={"pooled share": float(pooled)},
        )

    def parameters(self, _: Outcomes) -> dict[str, Any]:
        """Return nothing: the test has no settings."""
        return {}


def across_classes(differences: FloatArray) -> dict[str, float | None]:
    """Test over the classes' metrics: the S-test (signs) and the T-test (means).

    Parameters
    ----------
    differences
        Second minus first of each class (class,).

    Examples
    --------
    >>> found = across_classes(np.array([0.1, 0.2, 0.1, 0.3, 0.2, 0.1]))
    >>> round(found["s-test"], 4), round(found["t-test"], 4)
    (0.0312, 0.0041)
    """
    rises, falls = int((differences > 0).sum()), int((differences < 0).sum())
    sign = fair_coin(falls, rises)
    n, spread = len(differences), float(differences.std())
    if n < 2 or spread <= 1e-12 * float(np.abs(differences).max(initial=0.0)):
        return {"s-test": sign, "t-test": 1.0 if not differences.any() else None}
    t = float(differences.mean()) / (spread / np.sqrt(n - 1))
    return {"s-test": sign, "t-test": float(2 * special.stdtr(n - 1, -abs(t)))}


_SHARES = (formulas.precision, formulas.recall, formulas.specificity, formulas.npv)


def _shares(outcomes: Outcomes, metric: Metric) -> tuple[FloatArray, FloatArray]:
    sums = metric.view(outcomes).sums()
    if metric.needs == ("correct", "items"):
        whole = np.broadcast_to(sums["items"], sums["correct"].shape)[..., 0]
        right = sums["correct"][..., 0]
        return (right if metric.higher_is_better else whole - right), whole
    if metric.rate in _SHARES and metric.average in ("one", "micro"):
        first, second = metric.needs
        whole = (sums[first] + sums[second])[..., 0]
        if (whole > 0).all():
            return sums[first][..., 0], whole
    message = (
        f"The p-test must have a metric that is a share of items; got {metric.name}."
    )
    raise NotDefinedError(message, hint="accuracy, precision and recall are shares.")


def _two_sided(z: float) -> float:
    return float(min(1.0, max(2 * special.ndtr(-abs(z)), 5e-324)))
