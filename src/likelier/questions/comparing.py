"""compare(): how probable is it that the second system is worse or better."""

from collections.abc import Sequence
from typing import Any

from likelier import checks
from likelier.asking import (
    Evidence,
    as_metric,
    before_items,
    factor_of,
    given,
    origin_of,
    posterior_method,
    question_of,
    region_of,
    remarks_on,
    settings_of,
    two_systems,
)
from likelier.data import as_outcomes, focused
from likelier.decision import RULES, Hypotheses, Rope
from likelier.errors import SettingError, unknown_name
from likelier.evidence import FACTORS, FactorName
from likelier.findings import Finding
from likelier.interval import IntervalKind, checked_mass
from likelier.methods import PosteriorMethod
from likelier.metrics import Metric
from likelier.outcomes import Outcomes
from likelier.results import Comparison
from likelier.results.basis import Basis
from likelier.streams import RandomState, Streams


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
    factor: FactorName = "rope",
    draws: int | None = None,
    seed: RandomState = None,
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
    factor
        What the Bayes factor is of: the rope (where one is given); the point 0, for
        accuracy, recall and specificity; or kde, that point as Zhang et al. print it.
    draws
        How many draws; 50,000 by default, fewer where patterns are very many.
    seed
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
    >>> compare(gold, first, second, metric="f1", positive="spam", rope=0.01, seed=0)
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
        factor=factor,
        streams=Streams.of(seed, draws=draws, workers=workers),
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
    factor: FactorName = "rope",
    findings: Sequence[Finding] = (),
    evidence: Evidence | None = None,
    margin: float | None = None,
    interval: IntervalKind = "hdi",
) -> Comparison:
    """Compare the two systems of a table; `compare` with its data already counted."""
    worth = evidence or Evidence(1.0)
    way = posterior_method(method)
    if rule not in RULES:
        raise unknown_name(rule, RULES, kind="rule")
    if factor not in FACTORS:
        raise unknown_name(factor, FACTORS, kind="factor")
    region = region_of(rope, metric)
    held = checked_mass(mass)
    table, name = focused(outcomes, metric, positive)
    if table.unit == "folds" and way.name in ("paired", "unpaired"):
        message = (
            f"Counts of folds are no pairs of items; {way.name} needs predictions."
        )
        raise SettingError(message, hint="Use the method independent.")
    weighed = table if worth.share == 1 else table.scaled(worth.share)
    posterior = way.posterior(weighed, metric, streams)
    prior = before_items(factor, way, weighed, metric, streams, region)
    difference = posterior.difference
    question = question_of(table, metric, name, repetitions=worth.repetitions)
    remarks = (*findings, *remarks_on(outcomes, table, metric))
    found = factor_of(factor, way, weighed, metric, streams, region, posterior, prior)
    asked = factor == "rope" and prior is not None
    remarks = (
        *remarks,
        *given(
            checks.many_cells(way.crowded(table)),
            checks.one_way(weighed, metric, observed_only=_observed_only(way, weighed)),
            checks.unresolved(asked=asked, given=found is not None),
        ),
    )
    settings = settings_of(way, table, streams, drawn=difference.n_draws)
    regions = () if region is None else (f"rope {region}",)
    tested = (f"margin {margin:g}",) if margin else ()
    kind = () if interval == "hdi" else (f"{interval} intervals",)
    mass_told = f"mass {held:g}"
    null = () if factor == "rope" else (f"factor {factor}",)
    told = (*tested, *regions, mass_told, *kind, f"rule {rule}", *null)
    extra = (*worth.described(), *told)
    # Folds are no items, and items of several repetitions would count many times.
    once = table.unit != "folds" and worth.share == 1
    return Comparison(
        question=question,
        posterior=posterior,
        difference=float(metric.differences(metric.observed(table))),
        rope=region,
        mass=held,
        rule=rule,
        factor=found,
        prior=prior,
        hypotheses=None if margin is None else Hypotheses.of(difference, margin),
        interval=interval,
        origin=origin_of(question, settings, table, extra, remarks),
        basis=Basis(table, metric, streams.seed) if once else None,
    )


def _observed_only(way: PosteriorMethod, table: Outcomes) -> bool:
    """Tell whether a method lets only observed patterns occur."""
    return way.name == "paired" and "bootstrap" in way.described(table)
