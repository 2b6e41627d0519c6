"""estimate(): how well is a metric, or a difference of two systems, known."""

from collections.abc import Sequence
from typing import Any

from likelier.asking import (
    as_metric,
    origin_of,
    question_of,
    remarks_on,
    settings_of,
)
from likelier.data import as_outcomes, focused
from likelier.distribution import Distribution
from likelier.errors import SettingError, unknown_name
from likelier.findings import Finding
from likelier.interval import Interval, IntervalKind, checked_mass
from likelier.methods import (
    Bootstrap,
    CredibleMethod,
    FromCounts,
    Paired,
    SamplingMethod,
    has_law,
)
from likelier.methods.law_of import counts_events
from likelier.metrics import Metric
from likelier.outcomes import Outcomes
from likelier.results import Estimate
from likelier.streams import RandomState, Streams

ESTIMATE_METHODS: dict[str, CredibleMethod | SamplingMethod] = {
    "exact-law": FromCounts(),
    "paired": Paired(),
    "bootstrap": Bootstrap(),
}


def estimate(
    data: Any,
    *predictions: Any,
    metric: str | Metric,
    method: str | CredibleMethod | SamplingMethod | None = None,
    interval: IntervalKind = "hdi",
    positive: object = None,
    gold: str | None = None,
    systems: Sequence[str] | None = None,
    cluster: Any = None,
    id: str | None = None,  # noqa: A002 (the word people know)
    mass: float = 0.95,
    draws: int | None = None,
    seed: RandomState = None,
    workers: int = 1,
    findings: Sequence[Finding] = (),
) -> Estimate:
    """Say how well the metric of one system, or a difference of two, is known.

    Parameters
    ----------
    data, *predictions, metric, positive, gold, systems, cluster
        As in `compare`, with one system or two.
    method
        The exact law where there is one, else Dirichlet draws, by default; both give
        a credible interval; by name exact-law and paired. bootstrap gives a
        confidence interval.
    interval
        hdi or equal-tailed, for credible intervals.
    mass, draws, seed, workers, findings
        As in `compare`.

    Examples
    --------
    >>> estimate([1, 1, 0, 0] * 25, [1, 0, 0, 0] * 25, metric="recall")
    <first: recall (1) 0.50, 95 % HDI 0.37 to 0.63>
    """
    chosen = as_metric(metric)
    counted = as_outcomes(
        data,
        *predictions,
        metric=chosen,
        gold=gold,
        systems=systems,
        cluster=cluster,
        id=id,
    )
    if len(counted.systems) > 2:
        message = f"estimate takes one or two systems; got {len(counted.systems)}."
        raise SettingError(message)
    streams = Streams.of(seed, draws=draws, workers=workers)
    table, name = focused(counted, chosen, positive)
    way = _credible_way(method, table, chosen)
    distribution, known = _known(way, table, chosen, streams, interval, mass)
    question = question_of(table, chosen, name)
    value = question.observed[0]
    if len(table.systems) == 2:
        value = float(chosen.differences(chosen.observed(table)))
    drawn = getattr(distribution, "values", ())
    settings = settings_of(way, table, streams, drawn=len(drawn))
    extra = (f"{known.kind} mass {known.mass:g}",)
    remarks = (*findings, *remarks_on(counted, table, chosen))
    return Estimate(
        question=question,
        value=value,
        distribution=distribution,
        interval=known,
        origin=origin_of(question, settings, table, extra, remarks),
    )


def _credible_way(
    method: str | CredibleMethod | SamplingMethod | None,
    table: Outcomes,
    metric: Metric,
) -> CredibleMethod | SamplingMethod:
    if method is None:
        exact = has_law(table, metric) and counts_events(table)
        return FromCounts() if exact else Paired()
    if not isinstance(method, str):
        return method
    if method not in ESTIMATE_METHODS:
        raise unknown_name(method, ESTIMATE_METHODS, kind="method")
    return ESTIMATE_METHODS[method]


def _known(
    way: CredibleMethod | SamplingMethod,
    table: Outcomes,
    metric: Metric,
    streams: Streams,
    kind: IntervalKind,
    mass: float,
) -> tuple[Distribution, Interval]:
    held = checked_mass(mass)
    if isinstance(way, SamplingMethod):
        sampling = way.sampling(table, metric, streams)
        return sampling.values, sampling.confidence(held)
    if isinstance(way, CredibleMethod):
        distribution = way.credible(table, metric, streams)
        if kind == "hdi":
            return distribution, distribution.hdi(held)
        if kind == "equal-tailed":
            return distribution, distribution.interval(held)
        message = f"interval must be hdi or equal-tailed here; got {kind!r}."
        raise SettingError(message, hint="Bootstrap() gives a confidence interval.")
    message = f"method must offer credible() or sampling(); {way!r} does not."
    raise SettingError(message, hint="Bootstrap() and Paired() do.")
