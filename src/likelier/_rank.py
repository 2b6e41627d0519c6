"""rank(): many systems in order, all pairs, and how probable each rank is."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations
from math import comb
from typing import Any

from likelier._compare import compare_outcomes
from likelier._fold_scores import as_scores, compare_scores, summarize_scores
from likelier._inputs import (
    RopeLike,
    as_question,
    is_log,
    open_items,
    summarize,
)
from likelier._ranks import pair_tests, rank_draws, score_draws, score_source
from likelier.data.outcomes import Outcomes
from likelier.data.scores import Scores
from likelier.errors import SettingError
from likelier.methods.folds.fold_method import FoldMethod
from likelier.methods.folds.rank_tests import friedman, nemenyi
from likelier.methods.items.dirichlet import Paired
from likelier.metrics.metric import Metric
from likelier.metrics.positive import select_positive
from likelier.results.comparison import Comparison
from likelier.results.order import checked_threshold
from likelier.results.ranking import Ranking, pair_findings
from likelier.results.ranks import Ranks
from likelier.settings import DataSummary, named_values
from likelier.streams import RandomState, Streams, made_together


def rank(
    data: Any,
    *predictions: Any,
    metric: str | Metric | None = None,
    positive: object = None,
    rope: RopeLike = None,
    method: str | FoldMethod | None = None,
    prior: str | None = None,
    strength: float = 1.0,
    gold: str | None = None,
    systems: Sequence[str] | None = None,
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
    rule: str | None = None,
    threshold: float = 0.0,
    alpha: float = 0.05,
    draws: int | None = None,
    seed: RandomState = None,
) -> Ranking:
    """Compare every system with every other, and put them in order.

    Use this for three systems and more: on the same items, with `metric`; or with
    scores of cross-validation, without.

    Parameters
    ----------
    data, *predictions, metric, positive, gold, cluster, id, text
        As in `compare`; or, without a metric, scores as in `compare_folds`. Of several
        tasks of logs, the mean over tasks is ranked.
    system, score, label, run, repeat, group
        As in `compare`: columns of a data frame with one row per system and item.
    systems
        Which systems; by default all.
    rope, mass, draws, seed
        As in `compare`; of more than 28 systems fewer draws by default, and of more
        than 141 there are too many pairs.
    prior, strength
        As in `compare`, for items. Under swap each pair of systems has the prior that
        it has in `compare`, also in the joint draws of ranks.
    method, rule
        As in `compare_folds`; a method is for scores only. For items the rule is
        hdi-rope by default.
    threshold
        How probable the relation of two systems must be to count for the order; by
        default the most probable one counts, as in Szymański & Gorman (2020).
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
    columns = {"gold": gold, "systems": systems, "cluster": cluster}
    columns |= {"id": id, "text": text}
    long = {"system": system, "score": score, "label": label, "run": run}
    long |= {"repeat": repeat, "group": group}
    data, columns = open_items(data, columns, long)
    if metric is None and not is_log(data):
        if predictions or gold is not None or isinstance(data, Outcomes):
            message = "Predictions must come with a metric; got none."
            raise SettingError(message, hint='metric="accuracy"')
        if prior is not None or strength != 1:
            message = "A prior must come with predictions and a metric; got scores."
            raise SettingError(message)
        scores = as_scores(data, systems)
        _check_several(scores.systems)
        with made_together(comb(len(scores.systems), 2)):
            comparisons = compare_scores(
                scores, method, rope=rope, mass=mass, rule=rule, streams=streams
            )
        return _rank_scores(scores, comparisons, streams, threshold, alpha)
    if method is not None:
        message = f"A method must come with scores, not with predictions; got {method}."
        raise SettingError(message)
    paired = Paired(prior, strength)  # type: ignore[arg-type]
    chosen, outcomes = as_question(
        data, *predictions, metric=metric, positive=positive, over_tasks=True, **columns
    )
    _check_several(outcomes.systems)
    with made_together(comb(len(outcomes.systems), 2)):
        comparisons = tuple(
            compare_outcomes(
                outcomes.named(*pair),
                metric=chosen,
                positive=positive,
                rope=rope,
                method=paired,
                mass=mass,
                rule=rule or "hdi-rope",
                streams=streams,
            )
            for pair in combinations(outcomes.systems, 2)
        )
    table, _ = select_positive(outcomes, chosen, positive)
    shared = table.sharing_classes
    data_summary = replace(summarize(shared, chosen), digest=outcomes.digest)
    ranks = _item_ranks(shared, chosen, paired, streams)
    return ranking_of(comparisons, data_summary, ranks=ranks, threshold=threshold)


def _check_several(systems: Sequence[str]) -> None:
    if len(systems) < 2:
        message = f"There must be at least two systems to rank; got {len(systems)}."
        raise SettingError(message)


def _item_ranks(
    table: Outcomes, metric: Metric, paired: Paired, streams: Streams
) -> Ranks:
    drawn = paired.draw_systems(table, metric, streams)
    prior = paired.shared_prior(table).parameters(table)
    name, strength = prior["prior"], prior.get("strength", 1.0)
    weight = "" if strength == 1 else f" strength {strength:g}"
    source = f"joint draws of all systems on the same items, dirichlet {name}{weight}"
    ranks = rank_draws(metric.oriented(drawn), source=source, seed=streams.seed)
    return replace(ranks, prior=named_values(prior))


def _rank_scores(
    scores: Scores,
    comparisons: tuple[Comparison, ...],
    streams: Streams,
    threshold: float,
    alpha: float,
) -> Ranking:
    several = len(scores.datasets) > 1
    ranks = rank_draws(
        score_draws(scores, streams),
        source=score_source(scores),
        scope=" on these data sets" if several else "",
        seed=streams.seed,
    )
    tests: dict[str, Any] = {}
    if several:
        test = friedman(scores.means, higher_is_better=scores.higher_is_better)
        tests = {
            "friedman": test,
            "nemenyi": nemenyi(test, alpha=alpha),
            "tests": pair_tests(scores, alpha=alpha),
        }
    data = summarize_scores(scores)
    return ranking_of(comparisons, data, ranks=ranks, threshold=threshold, **tests)


def ranking_of(
    comparisons: tuple[Comparison, ...],
    data: DataSummary,
    *,
    ranks: Ranks | None = None,
    threshold: float = 0.0,
    **tests: Any,
) -> Ranking:
    """Put the comparisons of all pairs, and ranks, into one result."""
    options: dict[str, Any] = {"threshold": float(threshold)} if threshold else {}
    if "nemenyi" in tests:
        options["alpha"] = tests["nemenyi"].alpha
    if ranks is not None:
        drawn = f"from {ranks.draws} draws seed {ranks.seed}"
        options["ranks"] = f"{drawn} {ranks.prior}".rstrip()
    settings = replace(comparisons[0].settings, data=data, options=options)
    return Ranking(
        settings=settings,
        findings=pair_findings(comparisons),
        comparisons=comparisons,
        ranks=ranks,
        threshold=threshold,
        **tests,
    )
