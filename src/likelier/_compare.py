"""compare(): the probability that the second system is worse or better."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from likelier._inputs import (
    RopeLike,
    as_question,
    check_rope,
    item_findings,
    item_settings,
    open_items,
    posterior_method,
    two_systems,
)
from likelier.bayes_factor import (
    FACTORS,
    BayesFactor,
    FactorName,
    kde_factor,
    point_factor,
    rope_factor,
)
from likelier.checks import answer_checks, data_checks
from likelier.data.outcomes import Outcomes
from likelier.decision import RULES, Hypotheses, ThreeProbabilities
from likelier.distribution import Posterior
from likelier.errors import SettingError, unknown_name
from likelier.findings import Finding, settled
from likelier.interval import IntervalKind, Rope, asked_mass
from likelier.methods.protocols import PosteriorMethod
from likelier.metrics.metric import Metric
from likelier.metrics.positive import select_positive
from likelier.results.companions import ComparedItems
from likelier.results.comparison import Comparison
from likelier.settings import FoldWeight
from likelier.streams import RandomState, Streams


def compare(
    data: Any,
    *predictions: Any,
    metric: str | Metric | None = None,
    positive: object = None,
    rope: RopeLike = None,
    method: str | PosteriorMethod = "paired",
    prior: str | None = None,
    strength: float = 1.0,
    gold: str | None = None,
    systems: Any = None,
    cluster: Any = None,
    id: str | Sequence[str] | None = None,  # noqa: A002 (the word people know)
    text: Any = None,
    system: str | None = None,
    score: str | None = None,
    label: str | None = None,
    run: str | None = None,
    repeat: str | None = None,
    group: str | None = None,
    mass: float = 0.95,
    rule: str = "hdi-rope",
    factor: FactorName | None = None,
    draws: int | None = None,
    seed: RandomState = None,
    workers: int = 1,
) -> Comparison:
    """Compare two systems: how probably is the second worse, equivalent or better.

    Use this when two systems predicted the same items.

    Parameters
    ----------
    data
        Gold labels; or a data frame; or outcomes; or the items of logs that `read`
        returns.
    *predictions
        The predictions of the baseline and of the candidate, unless `data` has them.
    metric
        A metric, or its name: accuracy, f1, macro_f1, mcc, mean … Of logs, one of
        theirs; it can be left out where they have a single one.
    positive
        The positive class, for metrics of one class.
    rope
        The region of practical equivalence, in the metric's own unit: a half width or
        two ends. Without it the verdict is about a difference of any size.
    method
        The method of the posterior: paired, unpaired, or a method with its settings.
    prior, strength
        The prior of paired and unpaired, and how many times as much as usual it
        weighs: by default swap, two imaginary items like those on which the systems
        differ, one of them with the systems exchanged; or uniform, objective,
        bootstrap.
    gold, systems, cluster, id, text
        Columns of a data frame; `systems` also names the systems of sequences, and
        `cluster` may be a sequence with the document, speaker or group of each item.
        `text` holds what people see of items on which the systems differ: a column,
        by default one of a usual name as in `read_files`, or a sequence.
    system, score, label, run, repeat, group
        Columns of a data frame with one row per system and item: the system's name;
        its score, or its label beside `gold`; the run, such as the seed; the number
        of the repeat; the task or data set, of which there must be one here. `read`
        does the same for files.
    mass
        The mass of the intervals.
    rule
        The rule of the verdict: hdi-rope, zhang, bayes-test, regions or region-mass.
    factor
        A Bayes factor beside the answer, by its null: the rope; the point 0, for
        accuracy, recall and specificity; or kde, that point as Zhang et al. print it.
        It rests on a proper prior, uniform or objective, which the answer names.
    draws
        Number of draws; 50,000 by default, fewer where patterns are very many and each
        must have a weight of its own.
    seed
        A seed or a generator; the recipe has the seed that was used.
    workers
        Number of threads that draw; no number depends on it.

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
    columns = {"gold": gold, "systems": systems, "cluster": cluster}
    columns |= {"id": id, "text": text}
    long = {"system": system, "score": score, "label": label, "run": run}
    long |= {"repeat": repeat, "group": group}
    data, columns = open_items(data, columns, long)
    chosen, table = as_question(data, *predictions, metric=metric, **columns)
    return compare_outcomes(
        table,
        metric=chosen,
        positive=positive,
        rope=rope,
        method=posterior_method(method, prior=prior, strength=strength),
        mass=mass,
        rule=rule,
        factor=factor,
        streams=Streams.of(seed, draws=draws, workers=workers),
    )


def compare_outcomes(
    outcomes: Outcomes,
    *,
    metric: Metric,
    positive: object,
    rope: RopeLike,
    method: PosteriorMethod,
    mass: float,
    rule: str,
    streams: Streams,
    factor: FactorName | None = None,
    folds: FoldWeight | None = None,
    margin: float | None = None,
    interval: IntervalKind = "hdi",
) -> Comparison:
    """Compare the two systems of a table; `compare` with its data already counted."""
    two_systems(outcomes.systems)
    if rule not in RULES:
        raise unknown_name(rule, RULES, kind="rule")
    region, checked = check_rope(rope, metric), asked_mass(mass)
    _check_factor(factor, region)
    table, name = select_positive(outcomes, metric, positive)
    if table.unit == "folds" and method.name in ("paired", "unpaired"):
        message = (
            f"Counts of folds are no pairs of items; {method.name} needs predictions."
        )
        raise SettingError(message, hint="Use the method independent.")
    share = 1.0 if folds is None else folds.share
    # A class that only one system says must not lower the average of that one alone.
    shared = table.sharing_classes
    weighed = shared if share == 1 else shared.scaled(share)
    posterior = method.posterior(weighed, metric, streams)
    evidence, compared = None, None
    on_factor: list[Finding | None] = []
    if factor is not None:
        proper = method.with_proper_prior(weighed)
        compared = (
            proper.prior_distribution(weighed, metric, streams),
            proper.posterior(weighed, metric, streams),
        )
        evidence = _factor(factor, proper, weighed, metric, streams, region, *compared)
        if proper is not method:
            on_factor = proper.findings(weighed, metric, compared[1])
    settings = item_settings(
        shared,
        metric,
        name,
        method,
        streams,
        draws=posterior.difference.n_draws,
        repetitions=1 if folds is None else folds.repetitions or 1,
        rope=region,
        mass=checked,
        rule=rule,
        interval=interval,
        margin=margin,
        factor=factor,
        folds=folds,
    )
    # Folds are no items, and items of several repetitions would count many times.
    items = None
    if table.unit != "folds" and share == 1:
        items = ComparedItems(shared, metric, streams.seed, streams.draws)
    result = Comparison(
        settings=settings,
        findings=item_findings(
            outcomes,
            shared,
            metric,
            data_checks.other_classes(table, metric),
            data_checks.few_positives(table, metric),
            *method.findings(weighed, metric, posterior),
            *map(answer_checks.of_factor, on_factor),
            data_checks.near_chance(weighed) if _is_paired(folds, method) else None,
            answer_checks.skewed(weighed, metric, posterior.difference, region),
            answer_checks.few_draws(settings.draws),
            answer_checks.unresolved(
                requested=factor is not None, computed=evidence is not None
            ),
        ),
        posterior=posterior,
        difference=float(metric.differences(metric.observed(shared))),
        factor=evidence,
        before_and_after=compared,
        hypotheses=None
        if margin is None
        else Hypotheses.of(posterior.difference, margin),
        items=items,
    )
    if not any(finding.blocks for finding in result.findings):
        return result
    verdict = result.unblocked_verdict.name
    return replace(result, findings=settled(result.findings, verdict))


def _is_paired(folds: FoldWeight | None, method: PosteriorMethod) -> bool:
    """Return whether items of several folds are compared pair by pair."""
    several = folds is not None and folds.repetitions is not None
    return several and method.name == "paired"


def _check_factor(factor: FactorName | None, rope: Rope | None) -> None:
    if factor is None:
        return
    if factor not in FACTORS:
        raise unknown_name(factor, FACTORS, kind="factor")
    if factor == "rope" and rope is None:
        message = "The factor rope must have a rope; there is none."
        raise SettingError(message, hint="rope=0.01 is one point of a hundred.")


def _factor(
    name: FactorName,
    method: PosteriorMethod,
    table: Outcomes,
    metric: Metric,
    streams: Streams,
    rope: Rope | None,
    before: Posterior,
    after: Posterior,
) -> BayesFactor | None:
    """Compare the null under the posterior with the null under a proper prior."""
    factor: BayesFactor | None
    if name == "point":
        factor = point_factor(
            *(
                method.log_density_at_zero(table, metric, streams, prior=prior)
                for prior in (False, True)
            )
        )
    elif name == "kde":
        factor = kde_factor(after.difference, before.difference)
    else:
        factor = rope_factor(
            ThreeProbabilities.of(after.difference, rope),
            ThreeProbabilities.of(before.difference, rope),
        )
    if factor is None:
        return None
    settings = {"prior": method.name, **method.parameters(table)}
    prior, strength = settings["prior"], settings.get("strength", 1.0)
    weight = "" if strength == 1 else f" times {strength:g}"
    text = prior if isinstance(prior, str) else f"of {prior:g} on each count"
    return replace(factor, prior=f"{text}{weight}")
