"""McNemar's test, the sign test, and the tests of Yang & Liu (1999)."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from scipy import special

from likelier._typing import FloatArray
from likelier.citations import Sentence
from likelier.data.outcomes import Outcomes
from likelier.distribution import Null
from likelier.errors import NotDefinedError
from likelier.methods.items.p_values import better_and_worse, fair_coin, normal_p
from likelier.methods.protocols import NullMethod
from likelier.metrics import formulas
from likelier.metrics.metric import Metric
from likelier.settings import Settings
from likelier.streams import Streams

# Number of differing items up to which the s-test is exact.
_SMALL = 12
_SHARES = (formulas.precision, formulas.recall, formulas.specificity, formulas.npv)


@dataclass(frozen=True)
class McNemar(NullMethod):
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
        """Name on the command line and in recipes."""
        return "mcnemar-midp" if self.mid_p else "mcnemar"

    def null(self, outcomes: Outcomes, metric: Metric, _: Streams) -> Null:
        """Test exactly that the two systems are right equally often."""
        view = metric.view(outcomes)
        gains = metric.gains(view)
        if not np.isin(gains, (-1, 0, 1)).all() or outcomes.composite:
            message = "McNemar's test must have items that are right or wrong."
            hint = "For clusters or scores use randomization or the sign test."
            raise NotDefinedError(message, hint=hint)
        return _discordant(view, gains, mid_p=self.mid_p, name="discordant items")

    def sentences(self, _: Settings) -> list[Sentence]:
        """Describe the test."""
        if self.mid_p:
            text = "The test is McNemar's test with the mid-p value, two-sided"
            return [Sentence(text, ("mcnemar1947", "fagerland2013"))]
        text = "The test is McNemar's exact conditional test, two-sided"
        return [Sentence(text, ("mcnemar1947",))]


@dataclass(frozen=True)
class SignTest(NullMethod):
    """Test whether the second system is better on as many items as it is worse.

    Use this for scores of which only the order means something.
    """

    name: ClassVar[str] = "sign"

    def null(self, outcomes: Outcomes, metric: Metric, _: Streams) -> Null:
        """Test exactly that gains and losses are equally probable."""
        view = metric.view(outcomes)
        gains = metric.gains(view)
        return _discordant(view, gains, mid_p=False, name="items that differ")

    def sentences(self, settings: Settings) -> list[Sentence]:
        """Describe the test."""
        unit = "cluster" if settings.data.clustered else "item"
        text = f"The test is the exact sign test over {unit}s, two-sided"
        return [Sentence(text, ("demsar2006",))]


def _discordant(view: Outcomes, gains: FloatArray, *, mid_p: bool, name: str) -> Null:
    better, worse = better_and_worse(view, gains)
    return Null(
        p_value=fair_coin(better, worse, mid_p=mid_p),
        statistic=float(better - worse),
        statistic_name="items better minus items worse",
        alternative="two-sided",
        details={"better": better, "worse": worse, name: better + worse},
    )


@dataclass(frozen=True)
class STest(NullMethod):
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
        p = fair_coin(better, worse) if n <= _SMALL else normal_p(z)
        return Null(
            p_value=p,
            statistic=float(z),
            statistic_name="z",
            alternative="two-sided",
            details={"better": better, "worse": worse},
        )

    def sentences(self, _: Settings) -> list[Sentence]:
        """Describe the test."""
        text = (
            "The test is the s-test, a sign test on single decisions, two-sided: exact "
            "up to 12 decisions that differ, and by the normal approximation above"
        )
        return [Sentence(text, ("yang1999",))]


@dataclass(frozen=True)
class PTest(NullMethod):
    """Yang & Liu's p-test: two proportions, as if from separate items; two-sided.

    For accuracy, error rate, precision, recall and other shares of items. It ignores
    that both systems saw the same items, so it has less power than `McNemar`.
    """

    name: ClassVar[str] = "p-test"

    def null(self, outcomes: Outcomes, metric: Metric, _: Streams) -> Null:
        """Test that two shares are equal by their pooled standard error."""
        if outcomes.composite:
            message = "The p-test must have separate items with one answer each."
            raise NotDefinedError(message, hint="Use the method randomization.")
        part, whole = _shares(outcomes, metric)
        pooled = part.sum() / max(whole.sum(), 1)
        spread = np.sqrt(pooled * (1 - pooled) * (1 / whole).sum())
        gap = float(metric.differences(part / whole))
        z = 0.0 if gap == 0 else gap / spread
        return Null(
            p_value=normal_p(z),
            statistic=float(z),
            statistic_name="z",
            alternative="two-sided",
            details={"pooled share": float(pooled)},
        )

    def sentences(self, _: Settings) -> list[Sentence]:
        """Describe the test."""
        text = (
            "The test is the p-test of two proportions, two-sided, which takes the "
            "proportions as if from separate items"
        )
        return [Sentence(text, ("yang1999",))]


def across_classes(differences: FloatArray) -> dict[str, float | None]:
    """Test over the classes' metrics: the S-test (signs) and the T-test (means).

    Parameters
    ----------
    differences
        Second minus first of each class (class,).

    Examples
    --------
    >>> tests = across_classes(np.array([0.1, 0.2, 0.1, 0.3, 0.2, 0.1]))
    >>> round(tests["s-test"], 4), round(tests["t-test"], 4)
    (0.0312, 0.0041)
    """
    rises, falls = int((differences > 0).sum()), int((differences < 0).sum())
    sign = fair_coin(falls, rises)
    n, spread = len(differences), float(differences.std())
    if n < 2 or spread <= 1e-12 * float(np.abs(differences).max(initial=0.0)):
        return {"s-test": sign, "t-test": 1.0 if not differences.any() else None}
    t = float(differences.mean()) / (spread / np.sqrt(n - 1))
    return {"s-test": sign, "t-test": float(2 * special.stdtr(n - 1, -abs(t)))}


def _shares(outcomes: Outcomes, metric: Metric) -> tuple[FloatArray, FloatArray]:
    sums = metric.view(outcomes).sums()
    if metric.statistics == ("correct", "items"):
        whole = np.broadcast_to(sums["items"], sums["correct"].shape)[..., 0]
        right = sums["correct"][..., 0]
        return (right if metric.higher_is_better else whole - right), whole
    counts = set(metric.statistics) <= {"tp", "fp", "fn", "tn"}
    if counts and metric.formula in _SHARES and metric.average in ("one", "micro"):
        first, second = metric.statistics
        whole = (sums[first] + sums[second])[..., 0]
        if (whole > 0).all():
            return sums[first][..., 0], whole
    message = (
        f"The p-test must have a metric that is a share of items; got {metric.name}."
    )
    raise NotDefinedError(message, hint="accuracy, precision and recall are shares.")
