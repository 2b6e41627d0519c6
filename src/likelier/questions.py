"""The three questions: compare(), null_test() and estimate()."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from likelier import checks
from likelier.asking import (
    NULL_METHODS,
    POSTERIOR_METHODS,
    Evidence,
    as_metric,
    factor_of,
    given,
    named_method,
    origin_of,
    question_of,
    remarks_on,
    settings_of,
    two_systems,
)
from likelier.data import as_outcomes, focused
from likelier.decision import RULES, Hypotheses, Rope
from likelier.designs.effective import RHO1, RHO2, Range
from likelier.distribution import Distribution
from likelier.errors import SettingError, unknown_name
from likelier.findings import Finding
from likelier.interval import Interval, IntervalKind, checked_mass
from likelier.methods import (
    Bootstrap,
    CredibleMethod,
    FromCounts,
    NullMethod,
    Paired,
    PosteriorMethod,
    SamplingMethod,
    has_law,
)
from likelier.methods.law_of import counts_events
from likelier.metrics import Metric
from likelier.outcomes import Outcomes
from likelier.results import Comparison, Estimate, NullTest
from likelier.streams import RandomState, Streams

ESTIMATE_METHODS: dict[str, CredibleMethod | SamplingMethod] = {
    "exact-law": FromCounts(),
    "paired": Paired(),
    "bootstrap": Bootstrap(),
}


def compare(
    data: Any,
    *predictions: Any,
    metric: str | Metric,
    positive: object = None,
    rope: float | Sequence[float] | Rope | None = None,
    method: str | PosteriorMethod = "paired",
    gold: str | None = None,
    systems: Sequence[str] | None = None,
    cluster: Any = None,
    id: str | None = None,  # noqa: A002 (the word people know)
    mass: float = 0.95,
    rule: str = "hdi-rope",
    draws: int | None = None,
    rng: RandomState = None,
    workers: int = 1,
    findings: Sequence[Finding] = (),
) -> Comparison:
    """Say how probable it is that the second system is worse, equivalent or better.

    Use this when two systems predicted the same items.

    Parameters
    ----------
    data
        Gold labels; or a data frame; or outcomes.
    *predictions
        The predictions of the baseline and of the candidate, unless `data` has them.
    metric
        A metric, or its name: accuracy, f1, macro_f1, mcc, mean …
    positive
        The positive class, for metrics of one class.
    rope
        The region of practical equivalence, in the metric's own unit: a half width or
        two ends. Without it the verdict is about a difference of any size.
    method
        How to get the posterior: paired, unpaired, or a method with its settings.
    gold, systems, cluster, id
        Columns of a data frame; `systems` also names the systems of sequences, and
        `cluster` may be a sequence with the document, speaker or group of each item.
    mass
        The mass of the intervals.
    rule
        The rule of the verdict: hdi-rope, zhang, bayes-test or regions.
    draws
        How many draws; 50,000 by default, fewer where patterns are very many.
    rng
        A seed or a generator; the recipe tells the seed that was used.
    workers
        How many threads draw; no number depends on it.
    findings
        Remarks that a reader made on the data, to be passed on.

    References
    ----------
    Zhang et al. (2016), doi:10.1145/2911451.2911547.

    Examples
    --------
    >>> gold = ["spam", "ham"] * 100
    >>> first = ["spam", "spam"] * 50 + ["spam", "ham"] * 50
    >>> second = ["spam", "ham"] * 100
    >>> compare(gold, first, second, metric="f1", positive="spam", rope=0.01, rng=0)
    <Comparison ≫ second is better than first on F1 (spam): 1.000 against 0.800, ...>
    """
    chosen = as_metric(metric)
    table = as_outcomes(
        data,
        *predictions,
        metric=chosen,
        gold=gold,
        systems=systems,
        cluster=cluster,
        id=id,
    )
    return compare_outcomes(
        two_systems(table),
        metric=chosen,
        positive=positive,
        rope=rope,
        method=method,
        mass=mass,
        rule=rule,
        streams=Streams.of(rng, draws=draws, workers=workers),
        findings=findings,
    )


def compare_outcomes(
    outcomes: Outcomes,
    *,
    metric: Metric,
    positive: object,
    rope: float | Sequence[float] | Rope | None,
    method: str | PosteriorMethod,
    mass: float,
    rule: str,
    streams: Streams,
    findings: Sequence[Finding] = (),
    evidence: Evidence | None = None,
    margin: float | None = None,
    interval: IntervalKind = "hdi",
) -> Comparison:
    """Compare the two systems of a table; `compare` with its data already counted."""
    worth = evidence or Evidence(1.0)
    way = named_method(
        method,
        POSTERIOR_METHODS,
        others=NULL_METHODS,
        call="null_test",
        offers="posterior",
    )
    if rule not in RULES:
        raise unknown_name(rule, RULES, kind="rule")
    region = None if rope is None else Rope.of(rope)
    held = checked_mass(mass)
    table, name = focused(outcomes, metric, positive)
    if table.unit == "folds" and way.name in ("paired", "unpaired"):
        message = (
            f"Counts of folds are no pairs of items; {way.name} needs predictions."
        )
        raise SettingError(message, hint="Use the method independent.")
    weighed = table if worth.share == 1 else table.scaled(worth.share)
    posterior = way.posterior(weighed, metric, streams)
    difference = posterior.difference
    question = question_of(table, metric, name)
    remarks = (*findings, *remarks_on(outcomes, table, metric))
    remarks = (*remarks, *given(checks.many_cells(way.crowded(table))))
    settings = settings_of(way, table, streams, drawn=difference.n_draws)
    regions = () if region is None else (f"rope {region}",)
    tested = (f"margin {margin:g}",) if margin else ()
    kind = () if interval == "hdi" else (f"{interval} intervals",)
    mass_told = f"mass {held:g}"
    extra = (*worth.described(), *tested, *regions, mass_told, *kind, f"rule {rule}")
    return Comparison(
        question=question,
        posterior=posterior,
        difference=float(metric.differences(metric.observed(table))),
        rope=region,
        mass=held,
        rule=rule,
        factor=factor_of(way, weighed, metric, streams, region, posterior),
        hypotheses=None if margin is None else Hypotheses.of(difference, margin),
        interval=interval,
        origin=origin_of(question, settings, table, extra, remarks),
    )


def bayes_test(
    data: Any,
    *predictions: Any,
    metric: str | Metric,
    repetitions: int | None = None,
    rho1: Range = RHO1,
    rho2: Range = RHO2,
    margin: float = 0.0,
    method: str | PosteriorMethod = "independent",
    positive: object = None,
    rope: float | Sequence[float] | Rope | None = None,
    gold: str | None = None,
    systems: Sequence[str] | None = None,
    mass: float = 0.95,
    interval: IntervalKind = "hdi",
    rule: str = "bayes-test",
    draws: int | None = None,
    rng: RandomState = None,
    workers: int = 1,
    findings: Sequence[Finding] = (),
) -> Comparison:
    """Test by Bayes' rule whether the second system is better, from m x 2 folds.

    The counts of all folds are worth only a share of their sum, since folds overlap;
    the hypotheses are H0, the second system is not better, and H1, it is.

    Use this for blocked m x 2 cross-validation (`designs.BlockedMx2`), with the counts
    of each fold or with the predictions for all test folds.

    Parameters
    ----------
    data, *predictions, metric, positive, gold, systems
        As in `compare`, with the items of all test folds; or outcomes with one pattern
        per fold (`outcomes.from_counts`).
    repetitions
        How many repetitions of two folds there are; None for a single hold-out.
    rho1, rho2
        Correlations of the folds of one repetition, and of different ones: ranges to
        average over, or numbers. Both 1 gives Wang et al. (2015).
    margin
        By how much the second must be better under H1.
    method
        independent (exact; the paper's), monte-carlo (as the paper computes it) or
        paired (for predictions: both systems saw the same items).
    interval
        The kind of the systems' own intervals: hdi, or equal-tailed as in the paper.
    rope, mass, rule, draws, rng, workers, findings
        As in `compare`.

    References
    ----------
    Wang & Li (2019), doi:10.18653/v1/P19-1405.

    Examples
    --------
    >>> from likelier import outcomes
    >>> counts = {"tp": [[80, 84], [78, 83]], "fp": [[20, 17], [22, 16]]}
    >>> table = outcomes.from_counts(counts | {"fn": [[20, 16], [22, 17]]})
    >>> result = bayes_test(table, metric="f1", repetitions=1)
    >>> result.hypotheses.decision, round(result.hypotheses.h1, 3)
    ('H1', 0.909)
    """
    if interval not in ("hdi", "equal-tailed"):
        raise unknown_name(interval, ("hdi", "equal-tailed"), kind="interval")
    if not np.isfinite(margin):
        message = f"margin must be a finite number; got {margin!r}."
        raise SettingError(message)
    chosen = as_metric(metric)
    table = as_outcomes(data, *predictions, metric=chosen, gold=gold, systems=systems)
    return compare_outcomes(
        two_systems(table),
        metric=chosen,
        positive=positive,
        rope=rope,
        method=method,
        mass=mass,
        rule=rule,
        streams=Streams.of(rng, draws=draws, workers=workers),
        findings=findings,
        evidence=Evidence.of(repetitions, rho1=rho1, rho2=rho2),
        margin=float(margin),
        interval=interval,
    )


def null_test(
    data: Any,
    *predictions: Any,
    metric: str | Metric,
    method: str | NullMethod = "randomization",
    positive: object = None,
    gold: str | None = None,
    systems: Sequence[str] | None = None,
    cluster: Any = None,
    id: str | None = None,  # noqa: A002 (the word people know)
    draws: int | None = None,
    rng: RandomState = None,
    workers: int = 1,
    findings: Sequence[Finding] = (),
) -> NullTest:
    """Say how odd the observed difference were if the systems did not differ.

    Use this where a p-value is asked for.

    Parameters
    ----------
    data, *predictions, metric, positive, gold, systems, cluster
        As in `compare`.
    method
        randomization, bootstrap, mcnemar, mcnemar-midp, sign, s-test, p-test, or a
        method with its settings.
    draws, rng, workers, findings
        As in `compare`.

    Examples
    --------
    >>> gold, first, second = "aaaaaaaa", "aabbbbbb", "aaaaaaaa"
    >>> null_test(gold, first, second, metric="accuracy", method="mcnemar").p_value
    0.03125
    """
    chosen = as_metric(metric)
    way = named_method(
        method, NULL_METHODS, others=POSTERIOR_METHODS, call="compare", offers="null"
    )
    counted = two_systems(
        as_outcomes(
            data,
            *predictions,
            metric=chosen,
            gold=gold,
            systems=systems,
            cluster=cluster,
            id=id,
        )
    )
    streams = Streams.of(rng, draws=draws, workers=workers)
    table, name = focused(counted, chosen, positive)
    null = way.null(table, chosen, streams)
    question = question_of(table, chosen, name)
    remarks = (*findings, *remarks_on(counted, table, chosen))
    remarks = (*remarks, *given(checks.direction(null)))
    settings = settings_of(way, table, streams, drawn=int(null.details.get("b", 0)))
    return NullTest(
        question=question,
        null=null,
        difference=float(chosen.differences(chosen.observed(table))),
        origin=origin_of(question, settings, table, (), remarks),
    )


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
    rng: RandomState = None,
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
    mass, draws, rng, workers, findings
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
    streams = Streams.of(rng, draws=draws, workers=workers)
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
