"""rank(): many systems in order."""

from collections.abc import Sequence
from typing import Any

from likelier.asking import as_metric
from likelier.data import as_outcomes, focused
from likelier.decision import Rope
from likelier.errors import SettingError
from likelier.findings import Finding
from likelier.methods import Paired
from likelier.metrics import Metric
from likelier.outcomes import Outcomes
from likelier.questions.comparing import compare_outcomes
from likelier.questions.pairing import compare_pairs
from likelier.questions.scores_comparing import ScoreMethod, as_scores
from likelier.ranking.ranks import ranks_of, score_draws, source_of
from likelier.ranking.tests import pair_tests
from likelier.results.order import all_pairs, checked_threshold
from likelier.results.pairs import Pairs
from likelier.results.ranking import Ranking
from likelier.score_tests import friedman, nemenyi
from likelier.scores import Scores
from likelier.streams import RandomState, Streams

_LEAST_SYSTEMS = 2


def rank(
    data: Any,
    *predictions: Any,
    metric: str | Metric | None = None,
    positive: object = None,
    rope: float | Sequence[float] | Rope | None = None,
    method: str | ScoreMethod | None = None,
    gold: str | None = None,
    systems: Sequence[str] | None = None,
    cluster: Any = None,
    id: str | None = None,  # noqa: A002 (the word people know)
    mass: float = 0.95,
    threshold: float = 0.0,
    alpha: float = 0.05,
    draws: int | None = None,
    seed: RandomState = None,
    findings: Sequence[Finding] = (),
) -> Ranking:
    """Put many systems in order, and say how probable each rank is.

    Use this for three systems and more: on the same items, with `metric`; or with
    scores of cross-validation, without.

    Parameters
    ----------
    data, *predictions, metric, positive, gold, systems, cluster, id
        As in `compare`; or, without a metric, scores as in `compare_scores`.
    rope, method, mass, threshold, draws, seed, findings
        As in `compare_pairs`; a method is for scores only.
    alpha
        The level of the critical difference and of the data sets counted.

    References
    ----------
    Szymański & Gorman (2020); Demšar (2006); Dror et al. (2017).

    Examples
    --------
    >>> gold = list("aabb" * 50)
    >>> first, second = list("abba" * 50), list("aabb" * 45 + "bbaa" * 5)
    >>> third = list("aaba" * 50)
    >>> rank(gold, first, second, third, metric="accuracy", rope=0.01, seed=0)
    <Ranking accuracy: first < third < second; the best is second (>99.9 %)>
    """
    streams = Streams.of(seed, draws=draws)
    checked_threshold(threshold)
    if not 0 < alpha < 1:
        message = f"alpha must lie strictly between 0 and 1; got {alpha!r}."
        raise SettingError(message)
    if metric is None:
        if predictions or gold is not None:
            message = "Predictions must come with a metric; got none."
            raise SettingError(message, hint='metric="accuracy"')
        scores = as_scores(data)
        scores = scores if systems is None else scores.keep(*systems)
        pairs = compare_pairs(
            scores,
            rope=rope,
            method=method,
            mass=mass,
            threshold=threshold,
            draws=streams.draws,
            seed=streams.seed,
            findings=findings,
        )
        return rank_scores(scores, pairs, streams, alpha=alpha)
    if method is not None:
        message = f"A method must come with scores, not with predictions; got {method}."
        raise SettingError(message)
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
    return rank_outcomes(
        table,
        metric=chosen,
        positive=positive,
        rope=rope,
        mass=mass,
        threshold=threshold,
        streams=streams,
        findings=findings,
    )


def rank_scores(
    scores: Scores, pairs: Pairs, streams: Streams, *, alpha: float
) -> Ranking:
    """Add ranks and p-values to all pairs of scores."""
    several = len(scores.datasets) > 1
    scope = " on these data sets" if several else ""
    drawn = score_draws(scores, streams)
    ranks = ranks_of(drawn, source=source_of(scores), scope=scope, seed=streams.seed)
    observed = tuple(float(value) for value in scores.observed)
    if not several:
        return Ranking(pairs, observed, ranks)
    test = friedman(scores.means, higher_is_better=scores.higher_is_better)
    return Ranking(
        pairs,
        observed,
        ranks,
        test,
        nemenyi(test, alpha=alpha),
        pair_tests(scores, alpha=alpha),
    )


def rank_outcomes(
    outcomes: Outcomes,
    *,
    metric: Metric,
    positive: object,
    rope: float | Sequence[float] | Rope | None,
    mass: float,
    threshold: float,
    streams: Streams,
    findings: Sequence[Finding] = (),
) -> Ranking:
    """Rank the systems of a table of outcomes."""
    names = outcomes.systems
    if len(names) < _LEAST_SYSTEMS:
        message = f"There must be at least two systems to rank; got {len(names)}."
        raise SettingError(message)
    comparisons = tuple(
        compare_outcomes(
            outcomes.keep(*(names.index(name) for name in pair)),
            metric=metric,
            positive=positive,
            rope=rope,
            method="paired",
            mass=mass,
            rule="hdi-rope",
            streams=streams,
            findings=findings,
        )
        for pair in all_pairs(names)
    )
    table, _ = focused(outcomes, metric, positive)
    drawn = Paired().together(table, metric, streams)
    sign = 1.0 if metric.higher_is_better else -1.0
    prior = Paired().shared_prior(table).described(table)
    source = f"joint draws of all systems on the same items, dirichlet {prior}"
    pairs = Pairs(names, comparisons, threshold, outcomes.digest)
    observed = tuple(float(value) for value in metric.observed(table))
    ranks = ranks_of(sign * drawn, source=source, seed=streams.seed)
    return Ranking(pairs, observed, ranks)
