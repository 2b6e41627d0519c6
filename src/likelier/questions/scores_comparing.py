"""compare_scores(): two systems, from scores of cross-validation."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from likelier import checks
from likelier.asking import given, named_method
from likelier.decision import RULES, Probabilities, Rope
from likelier.distribution import Null, Posterior
from likelier.errors import NotDefinedError, SettingError, plain, unknown_name
from likelier.findings import Finding
from likelier.interval import checked_mass
from likelier.recipe import Recipe
from likelier.results import Comparison, Origin, Question
from likelier.results.across import Across
from likelier.results.companion import Companion
from likelier.score_methods import CorrelatedT, Hierarchical, SignedRank, SignTest
from likelier.score_methods.signed_rank import set_differences
from likelier.score_tests import (
    five_by_two_f,
    five_by_two_t,
    resampled_t,
    wilcoxon,
)
from likelier.scores import Scores
from likelier.streams import RandomState, Streams

ScoreMethod = CorrelatedT | Hierarchical | SignedRank | SignTest

SCORE_METHODS: dict[str, ScoreMethod] = {
    "correlated-t": CorrelatedT(),
    "hierarchical": Hierarchical(),
    "signed-rank": SignedRank(),
    "sign": SignTest(),
}
_LEAST_FOLDS = 3


def compare_scores(
    data: Any,
    *,
    systems: Sequence[str] | None = None,
    rope: float | Sequence[float] | Rope | None = None,
    method: str | ScoreMethod | None = None,
    mass: float = 0.95,
    rule: str | None = None,
    draws: int | None = None,
    seed: RandomState = None,
    findings: Sequence[Finding] = (),
) -> Comparison:
    """Say how probable it is that the second system is worse, equivalent or better.

    Use this for scores of cross-validation, on one or many data sets.

    Parameters
    ----------
    data
        `Scores`; or a data frame with the columns dataset, run, fold, system, score.
    systems
        The baseline and the candidate, where there are more.
    rope
        The region of practical equivalence, in the unit of the scores.
    method
        correlated-t for one data set, signed-rank (or sign) for many with one score
        each, hierarchical for many with folds; by default the one that fits.
    mass
        The mass of the intervals, and of a clear verdict.
    rule
        The rule of the verdict: hdi-rope, zhang, bayes-test, regions, region-mass. By
        default hdi-rope for one data set, and region-mass for many.
    draws, seed
        For sign and signed-rank only; the other methods draw nothing.
    findings
        Remarks that a reader made on the data, to be passed on.

    References
    ----------
    Corani et al. (2017), doi:10.1007/s10994-017-5641-9; Benavoli et al. (2017),
    http://jmlr.org/papers/v18/16-305.html; Szymański & Gorman (2020),
    doi:10.18653/v1/2020.emnlp-main.172.

    Examples
    --------
    >>> from likelier import scores
    >>> table = scores.from_arrays([0.80, 0.82, 0.81, 0.80, 0.83],
    ...                            [0.86, 0.87, 0.86, 0.85, 0.89])
    >>> compare_scores(table, rope=0.01)
    <Comparison ≫ second is better than first on score: 0.866 against 0.812, ...>
    """
    scores = as_scores(data)
    if systems is not None:
        scores = scores.keep(*systems)
    if len(scores.systems) != 2:
        message = (
            f"There must be two systems to compare; got {len(scores.systems)}: "
            f"{', '.join(scores.systems)}."
        )
        more = len(scores.systems) > 2
        hint = "systems=[baseline, candidate] picks two; compare_pairs() takes all."
        raise SettingError(message, hint=hint if more else None)
    asked = Asked.of(rope, mass=mass, rule=rule)
    way = chosen_method(scores, method)
    return answer(scores, way, asked, Streams.of(seed, draws=draws), findings)


@dataclass(frozen=True)
class Asked:
    """What is asked of scores: rope, mass and rule."""

    rope: Rope | None
    mass: float
    rule: str | None

    @classmethod
    def of(
        cls,
        rope: float | Sequence[float] | Rope | None,
        *,
        mass: float,
        rule: str | None,
    ) -> "Asked":
        """Check the settings."""
        if rule is not None and rule not in RULES:
            raise unknown_name(rule, RULES, kind="rule")
        region = None if rope is None else Rope.of(rope)
        return cls(region, checked_mass(mass), rule)

    def rule_for(self, method: ScoreMethod) -> str:
        """Give the rule: for one data set, the one that its interval is judged by."""
        usual = "hdi-rope" if isinstance(method, CorrelatedT) else "region-mass"
        return usual if self.rule is None else self.rule

    @property
    def ends(self) -> tuple[float, float]:
        """The ends of the rope; both 0 where there is none."""
        return (0.0, 0.0) if self.rope is None else (self.rope.low, self.rope.high)


@dataclass(frozen=True)
class Chosen:
    """A method for scores, and why it was chosen."""

    method: ScoreMethod
    why: str


def as_scores(data: Any) -> Scores:
    """Take scores, or a data frame with the usual columns."""
    if isinstance(data, Scores):
        return data
    from likelier.readers.scores import score_frame

    return score_frame(data).scores


def chosen_method(scores: Scores, method: str | ScoreMethod | None) -> Chosen:
    """Take the method asked for, or the one that the shape of the data asks for."""
    if method is None:
        return fitting(scores)
    way = named_method(
        method, SCORE_METHODS, others=(), call="compare_scores", offers="posterior"
    )
    if isinstance(way, CorrelatedT) and len(scores.datasets) > 1:
        message = (
            f"The correlated t-test must have one data set; got {len(scores.datasets)}."
        )
        raise SettingError(message, hint="Many data sets: hierarchical or signed-rank.")
    if isinstance(way, SignedRank | SignTest) and len(scores.datasets) < 2:
        message = f"The method {way.name} must have several data sets; got one."
        raise SettingError(message, hint="One data set: correlated-t.")
    return Chosen(way, f"{way.name}, as asked for")


def fitting(scores: Scores) -> Chosen:
    """Choose the method by the shape of the data, and say why."""
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
        why = f"correlated-t, since there is one data set with {most:,} folds"
        return Chosen(SCORE_METHODS["correlated-t"], why)
    if most == 1:
        why = f"signed-rank, since there are {len(sets)} data sets with one score each"
        return Chosen(SCORE_METHODS["signed-rank"], why)
    if fewest.folds < _LEAST_FOLDS:
        why = (
            f"signed-rank on means, since {plain(fewest.name)} has only {fewest.folds} "
            f"of the {_LEAST_FOLDS} folds that the hierarchical model needs"
        )
        return Chosen(SCORE_METHODS["signed-rank"], why)
    folds = f"{most:,}" if most == fewest.folds else f"{fewest.folds:,} to {most:,}"
    why = f"hierarchical, since there are {len(sets)} data sets with {folds} folds each"
    return Chosen(SCORE_METHODS["hierarchical"], why)


def answer(
    scores: Scores,
    chosen: Chosen,
    asked: Asked,
    streams: Streams,
    findings: Sequence[Finding] = (),
    *,
    posterior: Posterior | None = None,
) -> Comparison:
    """Compare two systems by a chosen method; `compare_scores` with all checked."""
    way = chosen.method
    across = None
    if isinstance(way, Hierarchical):
        population = way.population(scores, *asked.ends)
        folds = tuple(dataset.folds for dataset in scores.datasets)
        across = Across(population, folds, asked.mass)
        posterior = Posterior((), population.delta0, population)
    elif posterior is None:
        posterior = (
            way.posterior(scores)
            if isinstance(way, CorrelatedT)
            else way.posterior(scores, streams)
        )
    drawn = posterior.difference.n_draws
    question = question_of(scores)
    sign = 1.0 if scores.higher_is_better else -1.0
    first, second = question.observed
    return Comparison(
        question=question,
        posterior=posterior,
        difference=sign * (second - first),
        rope=asked.rope,
        mass=asked.mass,
        rule=asked.rule_for(way),
        factor=None,
        origin=_origin(
            scores, chosen, asked, streams, drawn, (*findings, *_rough(across, way))
        ),
        across=across,
        companions=_companions(scores, way, asked, streams),
    )


def _rough(across: Across | None, way: ScoreMethod) -> list[Finding]:
    if across is None or not isinstance(way, Hierarchical):
        return []
    return given(checks.rough_quadrature(across.population.error, way.tolerance))


def question_of(scores: Scores) -> Question:
    """Write down what was asked."""
    return Question(
        systems=scores.systems,
        metric=scores.metric,
        positive=scores.positive,
        items=scores.folds,
        units=len(scores.datasets),
        patterns=scores.folds,
        observed=tuple(float(value) for value in scores.observed),
        unit="folds",
        datasets=len(scores.datasets),
        less_is_better=not scores.higher_is_better,
    )


def _origin(
    scores: Scores,
    chosen: Chosen,
    asked: Asked,
    streams: Streams,
    drawn: int,
    findings: Sequence[Finding],
) -> Origin:
    way = chosen.method
    settings: dict[str, Any] = {
        "name": way.name,
        "description": way.described(scores),
        "why": chosen.why,
    }
    told = ""
    if drawn:
        settings |= {"draws": drawn, "seed": streams.seed}
        told = f"draws {drawn} seed {streams.seed}"
    rope = () if asked.rope is None else (f"rope {asked.rope}",)
    turned = () if scores.higher_is_better else ("lower is better",)
    of_class = "" if scores.positive is None else f" positive={plain(scores.positive)}"
    recipe = Recipe(
        metric=f"{plain(scores.metric)}{of_class}",
        method=settings["description"],
        draws=told,
        data=f"sha {scores.digest[:12]}",
        extra=(*turned, *rope, f"mass {asked.mass:g}", f"rule {asked.rule_for(way)}"),
    )
    remarks = given(
        checks.never_differ(scores),
        checks.constant_folds(scores),
        checks.many_folds(scores),
        None
        if isinstance(way, CorrelatedT)
        else checks.few_data_sets(scores, certain=not isinstance(way, Hierarchical)),
        checks.mean_disagrees(scores)
        if isinstance(way, SignedRank | SignTest)
        else None,
    )
    return Origin(settings, recipe, (*findings, *remarks))


def _companions(
    scores: Scores, way: ScoreMethod, asked: Asked, streams: Streams
) -> tuple[Companion, ...]:
    """Ask the other tests that fit the same scores."""
    size = max(float(np.abs(dataset.values).max()) for dataset in scores.datasets)
    if len(scores.datasets) == 1:
        return _on_folds(scores, size)
    gaps = set_differences(scores)
    found = [_tested("Wilcoxon", lambda: wilcoxon(gaps, scale=size or 1.0))]
    # The hierarchical answer is the same every time: nothing beside it is drawn.
    if isinstance(way, SignedRank):
        regions = SignTest().regions(scores, streams)
        shares = Probabilities.of_regions(regions, asked.rope)
        found.append(Companion("Bayesian sign", probability=shares))
    return tuple(found)


def _on_folds(scores: Scores, size: float) -> tuple[Companion, ...]:
    dataset, gaps = scores.datasets[0], scores.differences()[0]
    share, scale = dataset.test_per_train, size or 1.0
    found = [
        _tested(
            "corrected resampled t",
            lambda: resampled_t(gaps, test_per_train=share, scale=scale),
        )
    ]
    halves = abs(dataset.test_share - 0.5) < 1e-9
    if dataset.runs == 5 and dataset.folds == 10 and halves:
        pairs = gaps.reshape(5, 2)
        found += [
            _tested("5x2cv t", lambda: five_by_two_t(pairs, scale=scale)),
            _tested("5x2cv F", lambda: five_by_two_f(pairs, scale=scale)),
        ]
    return tuple(found)


def _tested(name: str, test: Callable[[], Null]) -> Companion:
    try:
        return Companion(name, p_value=test().p_value)
    except NotDefinedError as error:
        return Companion(name, why_not=error.message)
