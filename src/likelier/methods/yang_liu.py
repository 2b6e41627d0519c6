"""The tests of Yang & Liu (1999, doi:10.1145/312624.312647)."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from scipy import special

from likelier.distribution import Null
from likelier.errors import NotDefinedError
from likelier.methods.discordant import better_and_worse, fair_coin
from likelier.metrics import Metric, rates
from likelier.outcomes import Outcomes
from likelier.streams import Streams

FloatArray = NDArray[np.float64]

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


_SHARES = (rates.precision, rates.recall, rates.specificity, rates.npv)


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
