"""Comparison of scores of folds: choice of the method, answer, other tests."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from likelier import checks
from likelier._inputs import RopeLike, drop_none
from likelier.data.scores import Scores
from likelier.decision import RULES, ThreeProbabilities
from likelier.distribution import Null
from likelier.errors import NotDefinedError, SettingError, unknown_name
from likelier.findings import Finding
from likelier.formatting import plain
from likelier.interval import Rope, checked_mass
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
from likelier.results.companions import Companion
from likelier.results.comparison import Comparison
from likelier.results.data_sets import DataSets
from likelier.settings import DataSummary, Settings
from likelier.streams import Streams

FOLD_METHODS: dict[str, FoldMethod] = {
    method.name: method
    for method in (
        CorrelatedT(),
        HierarchicalFolds(),
        SignedRank(),
        BayesianSignTest(),
    )
}


@dataclass(frozen=True)
class ScoreSettings:
    """Checked rope, mass and rule."""

    rope: Rope | None
    mass: float
    rule: str | None

    @classmethod
    def of(cls, rope: RopeLike, *, mass: float, rule: str | None) -> "ScoreSettings":
        """Check the settings."""
        if rule is not None and rule not in RULES:
            raise unknown_name(rule, RULES, kind="rule")
        region = None if rope is None else Rope.of(rope)
        return cls(region, checked_mass(mass), rule)


def as_scores(data: Any) -> Scores:
    """Return scores, also from a data frame with the usual columns."""
    if isinstance(data, Scores):
        return data
    from likelier.readers.fold_scores import score_frame

    return score_frame(data)


def choose_method(
    scores: Scores, method: str | FoldMethod | None
) -> tuple[FoldMethod, str]:
    """Return the method of that name, by default the one that fits, with the reason."""
    if method is None:
        return _fitting_method(scores)
    if isinstance(method, str) and method not in FOLD_METHODS:
        raise unknown_name(method, FOLD_METHODS, kind="method")
    chosen = FOLD_METHODS[method] if isinstance(method, str) else method
    if not isinstance(chosen, FoldMethod):
        message = f"method must be one for scores of folds; got {chosen!r}."
        hint = f"Scores: {', '.join(FOLD_METHODS)}; others need a metric and items."
        raise SettingError(message, hint=hint)
    return chosen, f"{chosen.name}, as asked for"


def _fitting_method(scores: Scores) -> tuple[FoldMethod, str]:
    sets = scores.datasets
    fewest = min(sets, key=lambda dataset: dataset.folds)
    most = max(dataset.folds for dataset in sets)
    if len(sets) == 1:
        if most < 2:
            message = (
                f"One score of each system on {sets[0].name!r} says nothing of how "
                "it would vary; there must be folds, or further data sets."
            )
            raise NotDefinedError(message)
        reason = f"since there is one data set with {most:,} folds"
        return FOLD_METHODS["correlated-t"], f"correlated-t, {reason}"
    if most == 1:
        reason = f"since there are {len(sets)} data sets with one score each"
        return FOLD_METHODS["signed-rank"], f"signed-rank, {reason}"
    least = HierarchicalFolds.least_folds
    if fewest.folds < least:
        reason = (
            f"since {plain(fewest.name)} has only {fewest.folds} "
            f"of the {least} folds that the hierarchical model needs"
        )
        return FOLD_METHODS["signed-rank"], f"signed-rank on means, {reason}"
    folds = f"{most:,}" if most == fewest.folds else f"{fewest.folds:,} to {most:,}"
    reason = f"since there are {len(sets)} data sets with {folds} folds each"
    return FOLD_METHODS["hierarchical"], f"hierarchical, {reason}"


def compare_scores(
    scores: Scores,
    method: FoldMethod,
    reason: str,
    checked: ScoreSettings,
    streams: Streams,
    *,
    posterior: FoldPosterior | None = None,
) -> Comparison:
    """Compare two systems by a chosen method, with all settings checked.

    Parameters
    ----------
    scores
        Those of two systems.
    method, reason
        The method, and why it was chosen.
    checked, streams
        Rope, mass and rule, and where random numbers come from.
    posterior
        The posterior, where it is there already.
    """
    rope = checked.rope
    if posterior is None:
        posterior = method.posterior(scores, streams, rope)
    data_sets = None
    if posterior.population is not None:
        folds = tuple(dataset.folds for dataset in scores.datasets)
        data_sets = DataSets(posterior.population, folds, checked.mass)
    draws = posterior.difference.n_draws
    settings = Settings(
        metric=scores.metric,
        positive=scores.positive,
        higher_is_better=scores.higher_is_better,
        method=method.name,
        parameters=method.parameters(scores),
        data=summarize_scores(scores),
        reason=reason,
        draws=draws,
        seed=streams.seed if draws else None,
        rope=rope,
        mass=checked.mass,
        rule=checked.rule or method.default_rule,
        describe=method.sentences,
    )
    first, second = scores.oriented(scores.observed)
    return Comparison(
        settings=settings,
        findings=_findings(scores, posterior),
        posterior=posterior,
        difference=float(second - first),
        data_sets=data_sets,
        fold_tests=tuple(_tests(scores, method, rope, streams)),
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
        checks.rough_quadrature(population.error, population.points.tolerance)
        if population is not None
        else None,
        checks.never_differ(scores),
        checks.constant_folds(scores),
        checks.many_folds(scores),
        checks.few_data_sets(scores, certain=ranked) if several else None,
        checks.mean_disagrees(scores) if ranked else None,
    )
    return (*scores.findings, *drop_none(findings))


def _tests(
    scores: Scores, method: FoldMethod, rope: Rope | None, streams: Streams
) -> Iterator[Companion]:
    """Run the other tests that fit the same scores."""
    if len(scores.datasets) == 1:
        yield from _fold_tests(scores)
        return
    gaps, scale = scores.mean_differences(), scores.scale
    yield _companion("Wilcoxon", lambda: wilcoxon(gaps, scale=scale))
    # The hierarchical answer is the same every time: nothing beside it is drawn.
    if method.name == SignedRank.name:
        regions = BayesianSignTest().regions(scores, streams)
        shares = ThreeProbabilities.of_regions(regions, rope)
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
