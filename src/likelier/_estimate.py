"""estimate(): a metric, or a difference of two systems, with its interval."""

from collections.abc import Sequence
from typing import Any, get_args

from likelier._inputs import (
    as_question,
    item_findings,
    item_settings,
)
from likelier.checks import answer_checks, data_checks
from likelier.data.outcomes import Outcomes
from likelier.distribution import Distribution, Sampling
from likelier.errors import SettingError, unknown_name
from likelier.interval import Interval, IntervalKind, asked_mass
from likelier.methods.items.bootstrap import Bootstrap
from likelier.methods.items.dirichlet import Paired
from likelier.methods.items.exact_laws import ExactLaw
from likelier.methods.items.one_system import interval_around, usual_method
from likelier.methods.protocols import EstimateMethod
from likelier.metrics.metric import Metric
from likelier.metrics.positive import select_positive
from likelier.results.estimate import Estimate
from likelier.streams import RandomState, Streams

ESTIMATE_METHODS: dict[str, EstimateMethod] = {
    "exact-law": ExactLaw(),
    "paired": Paired(),
    "bootstrap": Bootstrap(),
}


def estimate(
    data: Any,
    *predictions: Any,
    metric: str | Metric | None = None,
    method: str | EstimateMethod | None = None,
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
) -> Estimate:
    """Estimate the metric of one system, or a difference of two, with its interval.

    Parameters
    ----------
    data, *predictions, metric, positive, gold, systems, cluster
        As in `compare`, with one system or two.
    method
        The exact law where there is one, else Dirichlet draws, by default; both give
        a credible interval, widened where it leaves the value of a system out; by name
        exact-law and paired. bootstrap gives a confidence interval.
    interval
        hdi or equal-tailed, for credible intervals; confidence, for the bootstrap.
    mass, draws, seed, workers
        As in `compare`.

    Examples
    --------
    >>> estimate([1, 1, 0, 0] * 25, [1, 0, 0, 0] * 25, metric="recall")
    <first: recall (1) 0.50, 95 % HDI 0.37 to 0.63>
    """
    if interval not in get_args(IntervalKind):
        raise unknown_name(interval, get_args(IntervalKind), kind="interval")
    columns = {"gold": gold, "systems": systems, "cluster": cluster, "id": id}
    chosen, counted = as_question(
        data, *predictions, metric=metric, positive=positive, over_tasks=True, **columns
    )
    if len(counted.systems) > 2:
        message = f"estimate takes one or two systems; got {len(counted.systems)}."
        raise SettingError(message)
    streams = Streams.of(seed, draws=draws, workers=workers)
    table, name = select_positive(counted, chosen, positive)
    of_table = _method(method, interval, table, chosen)
    own_classes, table = table, table.sharing_classes
    result = of_table.estimate(table, chosen, streams)
    observed = chosen.observed(table)
    single = len(table.systems) == 1
    value = float(observed[0] if single else chosen.differences(observed))
    distribution, ends = _interval(result, interval, asked_mass(mass))
    if single and ends.kind != "confidence":
        ends = interval_around(value, distribution, mass=ends.mass, kind=ends.kind)
    settings = item_settings(
        table,
        chosen,
        name,
        of_table,
        streams,
        draws=len(getattr(distribution, "values", ())),
        mass=ends.mass,
        interval=ends.kind,
    )
    return Estimate(
        settings=settings,
        findings=item_findings(
            counted,
            table,
            chosen,
            data_checks.other_classes(own_classes, chosen),
            answer_checks.few_draws(settings.draws),
            None if single else answer_checks.skewed(table, chosen, distribution, None),
        ),
        value=value,
        distribution=distribution,
        interval=ends,
    )


def _method(
    method: str | EstimateMethod | None,
    interval: str,
    table: Outcomes,
    metric: Metric,
) -> EstimateMethod:
    """Return the method, by default the one that suits the interval and the data."""
    if method is None:
        if interval == "confidence":
            return Bootstrap()
        return usual_method(table, metric)
    if not isinstance(method, str):
        if not hasattr(method, "estimate"):
            message = f"method must offer estimate(); {method!r} does not."
            raise SettingError(message, hint="Bootstrap() and Paired() do.")
        return method
    if method not in ESTIMATE_METHODS:
        raise unknown_name(method, ESTIMATE_METHODS, kind="method")
    return ESTIMATE_METHODS[method]


def _interval(
    result: Distribution | Sampling, kind: IntervalKind, mass: float
) -> tuple[Distribution, Interval]:
    """Return the distribution of an estimate, and its interval."""
    if isinstance(result, Sampling):
        return result.values, result.confidence(mass)
    if kind == "hdi":
        return result, result.hdi(mass)
    if kind == "equal-tailed":
        return result, result.interval(mass)
    message = f"interval must be hdi or equal-tailed here; got {kind!r}."
    raise SettingError(message, hint="Bootstrap() gives a confidence interval.")
