"""Comparison of scores of folds: choice of the method, answer, other tests."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from likelier import checks
from likelier._inputs import RopeLike, drop_none
from likelier.data.scores import Scores
from likelier.decision import RULES, ThreeProbabilities
from likelier.distribution import Null, Posterior
from likelier.errors import NotDefinedError, SettingError, unknown_name
from likelier.findings import Finding
from likelier.formatting import plain
from likelier.interval import Rope, checked_mass
from likelier.methods.folds.correlated_t import CorrelatedT
from likelier.methods.folds.fold_tests import (
    five_by_two_f,
    five_by_two_t,
    resampled_t,
    wilcoxon,
)
from likelier.methods.folds.hierarchical_folds import HierarchicalFolds
from likelier.methods.folds.signed_rank import (
    BayesianSignTest,
    SignedRank,
    set_differences,
)
from likelier.results.companions import Companion
from likelier.results.comparison import Comparison
from likelier.results.data_sets import DataSets
from likelier.settings import DataSummary, Settings
from likelier.streams import Streams

FoldMethod = CorrelatedT | HierarchicalFolds | SignedRank | BayesianSignTest

FOLD_METHODS: dict[str, FoldMethod] = {
    "correlated-t": CorrelatedT(),
    "hierarchical": HierarchicalFolds(),
    "signed-rank": SignedRank(),
    "sign": BayesianSignTest(),
}
_LEAST_FOLDS = 3


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
    """Take scores, or a data frame with the usual columns."""
    if isinstance(data, Scores):
        return data
    from likelier.readers.fold_scores import score_frame

    return score_frame(data).scores


def choose_method(
    scores: Scores, method: str | FoldMethod | None
) -> tuple[FoldMethod, str]:
    """Take the method asked for, or the one that the data ask for, and say why."""
    if method is None:
        return _fitting_method(scores)
    if isinstance(method, str) and method not in FOLD_METHODS:
        raise unknown_name(method, FOLD_METHODS, kind="method")
    chosen = FOLD_METHODS[method] if isinstance(method, str) else method
    if not hasattr(chosen, "posterior") or hasattr(chosen, "prior_distribution"):
        message = f"method must be one for scores of folds; got {chosen!r}."
        hint = f"Scores: {', '.join(FOLD_METHODS)}; others need a metric and items."
        raise SettingError(message, hint=hint)
    if isinstance(chosen, CorrelatedT) and len(scores.datasets) > 1:
        message = (
            f"The correlated t-test must have one data set; got {len(scores.datasets)}."
        )
        raise SettingError(message, hint="Many data sets: hierarchical or signed-rank.")
    if isinstance(chosen, SignedRank | BayesianSignTest) and len(scores.datasets) < 2:
        message = f"The method {chosen.name} must have several data sets; got one."
        raise SettingError(message, hint="One data set: correlated-t.")
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
    if fewest.folds < _LEAST_FOLDS:
        reason = (
            f"since {plain(fewest.name)} has only {fewest.folds} "
            f"of the {_LEAST_FOLDS} folds that the hierarchical model needs"
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
    posterior: Posterior | None = None,
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
    sets = None
    rope = checked.rope
    if isinstance(method, HierarchicalFolds):
        ends = (0.0, 0.0) if rope is None else (rope.low, rope.high)
        population = method.population(scores, *ends)
        folds = tuple(dataset.folds for dataset in scores.datasets)
        sets = DataSets(population, folds, checked.mass)
        posterior = Posterior((), population.delta0, population)
    elif posterior is None:
        posterior = (
            method.posterior(scores)
            if isinstance(method, CorrelatedT)
            else method.posterior(scores, streams)
        )
    draws = posterior.difference.n_draws
    # The interval of one data set is judged as such, the next of many by its region.
    usual = "hdi-rope" if isinstance(method, CorrelatedT) else "region-mass"
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
        rule=checked.rule or usual,
    )
    first, second = scores.oriented(scores.observed)
    return Comparison(
        settings=settings,
        findings=_findings(scores, method, sets),
        posterior=posterior,
        difference=float(second - first),
        data_sets=sets,
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


def _findings(
    scores: Scores, method: FoldMethod, sets: DataSets | None
) -> tuple[Finding, ...]:
    several = not isinstance(method, CorrelatedT)
    certain = not isinstance(method, HierarchicalFolds)
    ranked = isinstance(method, SignedRank | BayesianSignTest)
    rough = None
    if sets is not None and isinstance(method, HierarchicalFolds):
        rough = checks.rough_quadrature(sets.population.error, method.tolerance)
    found = (
        rough,
        checks.never_differ(scores),
        checks.constant_folds(scores),
        checks.many_folds(scores),
        checks.few_data_sets(scores, certain=certain) if several else None,
        checks.mean_disagrees(scores) if ranked else None,
    )
    return (*scores.findings, *drop_none(found))


def _tests(
    scores: Scores, method: FoldMethod, rope: Rope | None, streams: Streams
) -> Iterator[Companion]:
    """Ask the other tests that fit the same scores."""
    size = max(float(np.abs(dataset.values).max()) for dataset in scores.datasets)
    scale = size or 1.0
    if len(scores.datasets) == 1:
        yield from _fold_tests(scores, scale)
        return
    gaps = set_differences(scores)
    yield _companion("Wilcoxon", lambda: wilcoxon(gaps, scale=scale))
    # The hierarchical answer is the same every time: nothing beside it is drawn.
    if isinstance(method, SignedRank):
        regions = BayesianSignTest().regions(scores, streams)
        shares = ThreeProbabilities.of_regions(regions, rope)
        yield Companion("Bayesian sign", probability=shares)


def _fold_tests(scores: Scores, scale: float) -> Iterator[Companion]:
    dataset, gaps = scores.datasets[0], scores.differences()[0]
    share = dataset.test_per_train
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
