"""DeLong's test of two ROC AUCs on the same items."""

from dataclasses import dataclass
from math import sqrt
from typing import ClassVar

import numpy as np

from likelier._typing import BoolArray, FloatArray
from likelier.citations import Sentence
from likelier.data.outcomes import Outcomes
from likelier.distribution import Null
from likelier.errors import NotDefinedError
from likelier.methods.items.p_values import normal_p
from likelier.methods.protocols import NullMethod
from likelier.metrics.metric import Metric
from likelier.metrics.ranked import roc_auc
from likelier.settings import Settings
from likelier.streams import Streams

# Ends of the 95 % interval, in standard errors.
_REACH = 1.959963984540054
# What is but the rounding of two equal areas, and of their variance, is none.
_NOISE = 1e-12


@dataclass(frozen=True)
class DeLong(NullMethod):
    """Test whether two correlated areas under the ROC curve are equal.

    The area is a mean over positives of the share of negatives below them, and a mean
    over negatives of the share of positives above them; the spread of both among
    items gives the standard error of a difference, which is taken to be normal.

    Use this beside a comparison on ROC AUC, where a p-value must be reported. With few
    positives it is too sure.

    References
    ----------
    DeLong, DeLong & Clarke-Pearson (1988), doi:10.2307/2531595; by ranks as in
    Sun & Xu (2014), doi:10.1109/LSP.2014.2337313.

    Examples
    --------
    >>> from likelier import null_test
    >>> gold = [0, 0, 0, 0, 1, 1, 1, 1]
    >>> first, second = [1, 2, 3, 5, 4, 6, 7, 8], [1, 4, 6, 7, 2, 3, 5, 8]
    >>> test = null_test(gold, first, second, metric="roc_auc", method="delong")
    >>> round(test.p_value, 3)
    0.049
    """

    name: ClassVar[str] = "delong"

    def null(self, outcomes: Outcomes, metric: Metric, _: Streams) -> Null:
        """Test that the two areas are equal."""
        _check(outcomes, metric)
        view = metric.view(outcomes)
        difference = float(metric.differences(metric.values(view)))
        error = sqrt(difference_variance(view, metric))
        if error <= _NOISE < abs(difference):
            message = "DeLong's test must have scores whose areas vary; these do not."
            raise NotDefinedError(message, hint="Use the method randomization.")
        z = 0.0 if error <= _NOISE else difference / error
        return Null(
            p_value=normal_p(z),
            statistic=z,
            statistic_name="z",
            alternative="two-sided",
            details={
                "standard error": error,
                "95 % interval from": difference - _REACH * error,
                "to": difference + _REACH * error,
            },
        )

    def sentences(self, _: Settings) -> list[Sentence]:
        """Describe the test."""
        text = "The test is DeLong's test of two correlated areas, two-sided"
        return [Sentence(text, ("delong1988", "sun2014"))]


def difference_variance(view: Outcomes, metric: Metric) -> float:
    """Return the variance of the difference of two areas, as DeLong et al. do."""
    spread = metric.differences(metric.influence(view)) ** 2
    positive = np.asarray(view.has_gold().toarray())[:, 0] > 0
    sides = [_side(view.counts, spread, side) for side in (positive, ~positive)]
    return sides[0] + sides[1]


def _side(counts: FloatArray, spread: FloatArray, side: BoolArray) -> float:
    """Add up the squared influence of positives, or of negatives, less one degree."""
    items = float(counts[side].sum())
    if items < 2:
        message = "DeLong's test must have two positives and two negatives or more."
        raise NotDefinedError(message, hint="Use the method randomization.")
    return float(counts[side] @ spread[side]) * items / (items - 1)


def _check(outcomes: Outcomes, metric: Metric) -> None:
    if metric.formula is not roc_auc or metric.average != "one":
        message = f"DeLong's test must have ROC AUC of one class; got {metric.name}."
        raise NotDefinedError(message, hint="Use the method randomization.")
    if outcomes.clustered:
        message = "DeLong's test must have independent items; got clusters of them."
        raise NotDefinedError(message, hint="Use the method randomization.")
