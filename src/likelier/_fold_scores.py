"""Comparison of scores of folds: choice of the method, answer, other tests."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from likelier._inputs import RopeLike, drop_none
from likelier.checks import answer_checks, fold_checks
from likelier.data.scores import Scores
from likelier.decision import RULES, ThreeProbabilities
from likelier.distribution import Null
from likelier.errors import NotDefinedError, SettingError, unknown_name
from likelier.findings import Finding
from likelier.formatting import plain
from likelier.interval import Rope, asked_mass
from likelier.methods.folds.correlated_t import CorrelatedT
from likelier.methods.folds.fold_method import FoldMethod, FoldPosterior
from likelier.methods.folds.fold_tests import (
    five_by_two_f,
    five_by_two_t,
    resampled_t,
    wilcoxon,
)
from likelier.methods.folds.hierarchical_folds import HierarchicalFolds
from likelier.methods.folds.signed_rank import BayesianSignTest, SignedRank
from likelier.results.companions import Companion, ComparedFolds
from likelier.results.comparison import Comparison
from likelier.results.data_sets import DataSets
from likelier.settings import DataSummary, Settings
from likelier.streams import Streams

FOLD_METHODS: dict[str, FoldMethod] = {
    kind.name: kind()
    for kind in (CorrelatedT, HierarchicalFolds, SignedRank, BayesianSignTest)
}


def as_scores(data: Any, systems: Sequence[str] | None) -> Scores:
    """Return scores, also from a data frame with the usual columns, of some systems."""
    if not isinstance(data, Scores):
        from likelier.readers.fold_scores import score_frame

        data = score_frame(data)
    return data if systems is None else data.keep(*systems)


def compare_scores(
    scores: Scores,
    method: object,
    *,
    rope: RopeLike,
    mass: float,
    rule: str | None,
    streams: Streams,
) -> tuple[Comparison, ...]:
    """Compare every pair of systems by scores of folds.

    Parameters
    ----------
    scores
        Those of at least two systems.
    method
        A method or its name; None for the one that fits the data.
    rope, mass, rule, streams
        As in `compare_folds`.
    """
    chosen, reason = _choose_method(scores, method)
    if rule is not None and rule not in RULES:
        raise unknown_name(rule, RULES, kind="rule")
    settings = Settings(
        metric=scores.metric,
        positive=scores.positive,
        higher_is_better=scores.higher_is_better,
        method=chosen.name,
        parameters=chosen.parameters(scores),
        data=summarize_scores(scores),
        reason=reason,
        rope=None if rope is None else Rope.of(rope),
        mass=asked_mass(mass),
        rule=rule or chosen.default_rule,
        describe=chosen.sentences,
    )
    posteriors = chosen.posteriors(scores, streams, settings.rope)
    return tuple(
        _comparison(scores.keep(*pair), posterior, settings, streams, mass)
        for pair, posterior in posteriors.items()
    )


def _choose_method(scores: Scores, method: object) -> tuple[FoldMethod, str]:
    """Return the method of that name, by default the one that fits, with the reason."""
    if method is None:
        name, reason = _fitting_method(scores)
        return FOLD_METHODS[name], reason
    if isinstance(method, str) and method not in FOLD_METHODS:
        raise unknown_name(method, FOLD_METHODS, kind="method")
    chosen = FOLD_METHODS[method] if isinstance(method, str) else method
    if not isinstance(chosen, FoldMethod):
        message = f"method must be one for scores of folds; got {chosen!r}."
        hint = f"Scores: {', '.join(FOLD_METHODS)}; others need a metric and items."
        raise SettingError(message, hint=hint)
    return chosen, f"{chosen.name}, as asked for"


def _fitting_method(scores: Scores) -> tuple[str, str]:
    """Return the name of the method that fits the data, and the reason."""
    sets = scores.datasets
    fewest = min(sets, key=lambda dataset: dataset.folds)
    most = max(dataset.folds for dataset in sets)
    least = HierarchicalFolds.least_folds
    if len(sets) == 1 and most < 2:
        message = (
            f"One score of each system on {sets[0].name!r} says nothing of how "
            "it would vary; there must be folds, or further data sets."
        )
        raise NotDefinedError(message)
    if len(sets) == 1:
        reason = f"correlated-t, since there is one data set with {most:,} folds"
        return "correlated-t", reason
    if most == 1:
        reason = f"since there are {len(sets)} data sets with one score each"
        return "signed-rank", f"signed-rank, {reason}"
    if fewest.folds < least:
        reason = (
            f"since {plain(fewest.name)} has only {fewest.folds} "
            f"of the {least} folds that the hierarchical model needs"
        )
        return "signed-rank", f"signed-rank on means, {reason}"
    folds = f"{most:,}" if most == fewest.folds else f"{fewest.folds:,} to {most:,}"
    reason = f"since there are {len(sets)} data sets with {folds} folds each"
    return "hierarchical", f"hierarchical, {reason}"


def _comparison(
    scores: Scores,
    posterior: FoldPosterior,
    settings: Settings,
    streams: Streams,
    mass: float,
) -> Comparison:
    """Put the answer on two systems together."""
    data_sets = None
    if posterior.population is not None:
        folds = tuple(dataset.folds for dataset in scores.datasets)
        data_sets = DataSets(posterior.population, folds, mass)
    draws = posterior.difference.n_draws
    first, second = scores.oriented(scores.observed)
    return Comparison(
        settings=replace(
            settings,
            data=summarize_scores(scores),
            draws=draws,
            seed=streams.seed if draws else None,
        ),
        findings=_findings(scores, posterior),
        posterior=posterior,
        difference=float(second - first),
        data_sets=data_sets,
        folds=ComparedFolds(partial(_tests, scores, settings, streams)),
    )


def summarize_scores(scores: Scores) -> DataSummary:
    """Sum up the scores that an answer rests on."""
    return DataSummary(
        systems=scores.systems,
        observed=tuple(float(value) for value in scores.observed),
        items=scores.folds,
        units=len(scores.datasets),
        patterns=scores.folds,
        unit="folds",
        data_sets=len(scores.datasets),
        digest=scores.digest,
    )


def _findings(scores: Scores, posterior: FoldPosterior) -> tuple[Finding, ...]:
    population = posterior.population
    several = len(scores.datasets) > 1
    # Without a population the answer rests on signs or ranks of data sets.
    ranked = several and population is None
    findings = (
        answer_checks.few_draws(posterior.difference.n_draws),
        fold_checks.rough_quadrature(population.error, population.points.tolerance)
        if population is not None
        else None,
        fold_checks.never_differ(scores),
        fold_checks.constant_folds(scores),
        fold_checks.many_folds(scores),
        fold_checks.few_data_sets(scores, certain=ranked) if several else None,
        fold_checks.mean_disagrees(scores) if ranked else None,
    )
    return (*scores.findings, *drop_none(findings))


def _tests(scores: Scores, settings: Settings, streams: Streams) -> Iterator[Companion]:
    """Run the other tests that fit the same scores."""
    if len(scores.datasets) == 1:
        yield from _fold_tests(scores)
        return
    gaps, scale = scores.mean_differences(), scores.scale
    yield _companion("Wilcoxon", lambda: wilcoxon(gaps, scale=scale))
    # The hierarchical answer is the same every time: nothing beside it is drawn.
    if settings.method == SignedRank.name:
        regions = BayesianSignTest().regions(scores, streams)
        shares = ThreeProbabilities.of_regions(regions, settings.rope)
        yield Companion("Bayesian sign", probability=shares)


def _fold_tests(scores: Scores) -> Iterator[Companion]:
    dataset, gaps = scores.datasets[0], scores.differences()[0]
    share, scale = dataset.test_per_train, dataset.scale
    yield _companion(
        "corrected resampled t",
        lambda: resampled_t(gaps, test_per_train=share, scale=scale),
    )
    halves = abs(dataset.test_share - 0.5) < 1e-9
    if dataset.runs == 5 and dataset.folds == 10 and halves:
        pairs = gaps.reshape(5, 2)
        yield _companion("5x2cv t", lambda: five_by_two_t(pairs, scale=scale))
        yield _companion("5x2cv F", lambda: five_by_two_f(pairs, scale=scale))


def _companion(name: str, test: Callable[[], Null]) -> Companion:
    try:
        return Companion(name, p_value=test().p_value)
    except NotDefinedError as error:
        return Companion(name, reason=error.message)
