"""Multinomial weights over patterns: the paired bootstrap."""

from dataclasses import dataclass
from typing import Any, ClassVar, get_args

import numpy as np

from likelier._typing import FloatArray
from likelier.citations import Sentence
from likelier.data.outcomes import Outcomes
from likelier.distribution import Alternative, Draws, Null, Sampling
from likelier.errors import SettingError, unknown_name
from likelier.methods.items.p_values import null_by_draws
from likelier.metrics.metric import Metric
from likelier.settings import Settings
from likelier.streams import Streams

_DIRECTIONS = {
    "two-sided": "in either direction",
    "as-observed": "in the direction that the data showed",
    "greater": "in favour of the candidate",
    "less": "in favour of the baseline",
}


@dataclass(frozen=True)
class Bootstrap:
    """Draw test sets of the same size from the items, with replacement.

    Use this to say how a metric would vary on other test sets, and for the test of
    Berg-Kirkpatrick et al. (2012): how often does a drawn difference exceed twice the
    observed one?

    Parameters
    ----------
    alternative
        ``as-observed`` asks whether the system that looks better is not; it is the
        published test, and errs more than twice as often as its level says where the
        direction was not fixed beforehand. ``greater`` and ``less`` fix it;
        ``two-sided`` counts both directions.
    ties
        Whether a drawn difference of exactly twice the observed one counts. The
        published test leaves ties out, which makes a few items look certain; two-sided
        with ties keeps about its level.

    Examples
    --------
    >>> from likelier import metrics, Outcomes
    >>> toy = Outcomes.from_scores([1] * 4 + [0] * 2 + [1] * 4, [0] * 4 + [1] * 6)
    >>> null = Bootstrap().null(toy, metrics.mean, Streams.of(0))
    >>> round(null.p_value, 2)
    0.15
    """

    name: ClassVar[str] = "bootstrap"
    alternative: Alternative = "as-observed"
    ties: bool = False

    def __post_init__(self) -> None:
        names = get_args(Alternative)
        if self.alternative not in names:
            raise unknown_name(self.alternative, names, kind="alternative")

    def null(self, outcomes: Outcomes, metric: Metric, streams: Streams) -> Null:
        """Count the drawn differences beyond twice the observed one."""
        view = metric.view(outcomes).without_labels().merged()
        values = metric.values(view)
        observed = float(metric.differences(values))
        drawn = metric.differences(_resampled(view, metric, streams))
        excess, least = _oriented(drawn - observed, observed, self.alternative)
        slack = _slack(values, drawn)
        beyond = excess >= least - slack if self.ties else excess > least + slack
        return null_by_draws(
            int(beyond.sum()),
            len(drawn),
            difference=observed,
            alternative=self.alternative,
            # Without any difference there is nothing that chance could fall short of.
            certain=abs(observed) <= slack,
        )

    def estimate(
        self, outcomes: Outcomes, metric: Metric, streams: Streams
    ) -> Sampling:
        """Draw the metric of one system, or the difference of two."""
        view = metric.view(outcomes).without_labels().merged()
        drawn = _resampled(view, metric, streams)
        if len(outcomes.systems) == 1:
            return Sampling(Draws(drawn[:, 0]))
        return Sampling(Draws(metric.differences(drawn)))

    def parameters(self, _: Outcomes) -> dict[str, Any]:
        """Return what counts as beyond the observed difference."""
        return {"alternative": self.alternative, "ties": self.ties}

    def sentences(self, settings: Settings) -> list[Sentence]:
        """Describe the interval of an estimate, or the test."""
        unit = "cluster" if settings.data.clustered else "item"
        if settings.interval == "confidence":
            text = (
                "How it would vary on other test sets is known from the bootstrap: "
                f"{unit}s were drawn with replacement"
            )
            return [Sentence(text, ("efron1993",))]
        alternative = settings.parameters["alternative"]
        least = "at least" if settings.parameters["ties"] else "more than"
        beyond = f"that is {least} twice the observed one"
        if alternative == "two-sided":
            beyond = (
                f"that differs from the observed one by {least} the size of the "
                "observed one"
            )
        text = (
            f"The test is the paired bootstrap of {unit}s: test sets of the same size "
            "are drawn with replacement, and a drawn difference counts "
            f"{beyond}, {_DIRECTIONS[alternative]}"
        )
        return [Sentence(text, ("berg2012",))]


def _resampled(view: Outcomes, metric: Metric, streams: Streams) -> FloatArray:
    n = view.n_units
    if not isinstance(n, int):
        message = f"The bootstrap must draw a whole number of items; there are {n:g}."
        raise SettingError(message)
    shares = view.counts / view.counts.sum()

    def block(generator: np.random.Generator, size: int) -> FloatArray:
        return metric.values(view, generator.multinomial(n, shares, size=size))

    return streams.run(block, width=len(shares), purpose=0)


def _oriented(
    excess: FloatArray, observed: float, alternative: Alternative
) -> tuple[FloatArray, float]:
    """Turn the drawn excesses so that large ones speak against the null."""
    if alternative == "two-sided":
        return np.abs(excess), abs(observed)
    sign = {"greater": 1.0, "less": -1.0}.get(
        alternative, 1.0 if observed >= 0 else -1.0
    )
    return sign * excess, sign * observed


def _slack(values: FloatArray, drawn: FloatArray) -> float:
    """Allow for rounding: equal tables must not differ by their last digit."""
    return 4e-15 * max(1e-300, float(np.abs(values).max()), float(np.abs(drawn).max()))
