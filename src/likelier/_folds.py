"""compare_folds(): two systems, from cross-validation: scores, counts, predictions."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from likelier._compare import compare_outcomes
from likelier._fold_scores import FOLD_METHODS, as_scores, compare_scores
from likelier._inputs import (
    POSTERIOR_METHODS,
    RopeLike,
    as_metric,
    as_outcomes,
    is_frame,
    posterior_method,
    two_systems,
)
from likelier.data.outcomes import Outcomes
from likelier.data.scores import Scores
from likelier.designs.effective import RHO1, RHO2, Range, effective_share
from likelier.errors import InputError, SettingError, unknown_name
from likelier.interval import IntervalKind
from likelier.methods.folds.fold_method import FoldMethod
from likelier.methods.protocols import PosteriorMethod
from likelier.metrics.metric import Metric
from likelier.results.comparison import Comparison
from likelier.settings import FoldWeight
from likelier.streams import RandomState, Streams

# Methods for counts of which only the totals are given.
_OF_COUNTS = ("independent", "monte-carlo")


def compare_folds(
    data: Any,
    *predictions: Any,
    metric: str | Metric | None = None,
    repetitions: int | None = None,
    rho1: Range = RHO1,
    rho2: Range = RHO2,
    margin: float = 0.0,
    method: str | PosteriorMethod | FoldMethod | None = None,
    positive: object = None,
    rope: RopeLike = None,
    gold: str | None = None,
    systems: Sequence[str] | None = None,
    cluster: Any = None,
    id: str | None = None,  # noqa: A002 (the word people know)
    mass: float = 0.95,
    interval: IntervalKind = "hdi",
    rule: str | None = None,
    draws: int | None = None,
    seed: RandomState = None,
    workers: int = 1,
) -> Comparison:
    """Compare two systems that were trained and tested in folds.

    Two kinds of data, two kinds of answer:

    - Scores, one number per fold, on one or many data sets (no `metric`): how probably
      the second system is worse, equivalent or better.
    - Counts of each fold, or predictions for all test folds, of blocked m x 2
      cross-validation (`designs.BlockedMx2`), with a `metric`: the Bayes test of H0,
      the second system is not better, against H1, it is. Folds overlap, so their
      counts are evidence of only a share of their sum.

    Parameters
    ----------
    data, *predictions
        `Scores`, or a data frame with the columns dataset, run, fold, system, score;
        or, with a metric, outcomes with one pattern per fold
        (`Outcomes.from_statistics`), or the items of all test folds as in `compare`.
    metric, positive, gold, cluster, id
        As in `compare`; for counts and predictions only.
    systems
        The baseline and the candidate, where there are more.
    repetitions
        Number of repetitions of two folds; None for a single hold-out.
    rho1, rho2
        Correlations of the folds of one repetition, and of different ones: ranges to
        average over, or numbers. Both 1 gives Wang et al. (2015).
    margin
        Least difference under H1.
    method
        For scores: correlated-t for one data set, signed-rank (or sign) for many with
        one score each, hierarchical for many with folds. For counts: independent
        (exact; the paper's) or monte-carlo (as the paper computes it); for predictions
        paired, as both systems saw the same items. By default the one that fits.
    rope
        The region of practical equivalence, in the unit of the metric.
    mass
        The mass of the intervals, and of a clear verdict.
    interval
        The kind of the systems' own intervals: hdi, or equal-tailed as in the paper.
    rule
        The rule of the verdict: hdi-rope, zhang, bayes-test, regions, region-mass. By
        default hdi-rope for scores of one data set, region-mass for many, and
        bayes-test for counts and predictions.
    draws, seed, workers
        As in `compare`; most methods for scores draw nothing.

    References
    ----------
    Corani et al. (2017), doi:10.1007/s10994-017-5641-9; Benavoli et al. (2017),
    http://jmlr.org/papers/v18/16-305.html; Szymański & Gorman (2020),
    doi:10.18653/v1/2020.emnlp-main.172; Wang & Li (2019), doi:10.18653/v1/P19-1405.

    Examples
    --------
    >>> from likelier import Outcomes, Scores
    >>> table = Scores.from_arrays([0.80, 0.82, 0.81, 0.80, 0.83],
    ...                            [0.86, 0.87, 0.86, 0.85, 0.89])
    >>> compare_folds(table, rope=0.01)
    <Comparison ≫ second is better than first on score: 0.866 against 0.812, ...>
    >>> counts = {"tp": [[80, 84], [78, 83]], "fp": [[20, 17], [22, 16]]}
    >>> table = Outcomes.from_statistics(counts | {"fn": [[20, 16], [22, 17]]})
    >>> result = compare_folds(table, metric="f1", repetitions=1)
    >>> result.hypotheses.decision, round(result.hypotheses.h1, 3)
    ('H1', 0.909)
    """
    streams = Streams.of(seed, draws=draws, workers=workers)
    if metric is None:
        of_counts = {
            "repetitions": repetitions,
            "margin": margin or None,
            "positive": positive,
            "gold": gold,
            "cluster": cluster,
            "id": id,
            "predictions": predictions or None,
            "rho1": None if rho1 == RHO1 else rho1,
            "rho2": None if rho2 == RHO2 else rho2,
            "interval": None if interval == "hdi" else interval,
        }
        scores = _scores(data, systems, of_counts)
        (comparison,) = compare_scores(
            scores, method, rope=rope, mass=mass, rule=rule, streams=streams
        )
        return comparison
    if isinstance(data, Scores):
        message = f"Scores know their metric; got metric={metric!r} as well."
        raise SettingError(message, hint="Leave the metric out.")
    chosen_metric = as_metric(metric)
    columns = {"gold": gold, "systems": systems, "cluster": cluster, "id": id}
    table = as_outcomes(data, *predictions, metric=chosen_metric, **columns)
    return bayes_test(
        table,
        metric=chosen_metric,
        method=method,  # type: ignore[arg-type]
        folds=fold_weight(repetitions, rho1=rho1, rho2=rho2),
        margin=margin,
        positive=positive,
        rope=rope,
        mass=mass,
        interval=interval,
        rule=rule or "bayes-test",
        streams=streams,
    )


def _scores(
    data: Any, systems: Sequence[str] | None, of_counts: dict[str, object]
) -> Scores:
    """Return the scores of two systems; refuse settings that only counts have."""
    needless = [name for name, value in of_counts.items() if value is not None]
    if isinstance(data, Outcomes) or "predictions" in needless or "gold" in needless:
        message = "Counts and predictions must come with a metric; got none."
        raise SettingError(message, hint='metric="f1"')
    if needless:
        message = f"{needless[0]} must come with counts or predictions and a metric."
        raise SettingError(message, hint="Scores of folds have none.")
    if not isinstance(data, Scores) and not is_frame(data):
        message = (
            "data must be Scores, or a data frame with the columns dataset, run, fold, "
            "system, score; or, with a metric, counts or predictions of folds; got "
            f"{type(data).__name__}."
        )
        raise InputError(message, hint="Scores.from_arrays(first, second)")
    scores = as_scores(data, systems)
    two_systems(scores.systems)
    return scores


def fold_weight(repetitions: int | None, *, rho1: Range, rho2: Range) -> FoldWeight:
    """Weigh the folds of m x 2 cross-validation; a hold-out counts in full."""
    if repetitions is None:
        return FoldWeight(1.0)
    share = effective_share(repetitions, rho1=rho1, rho2=rho2)
    ends = (
        rho if isinstance(rho, int | float) else (float(rho[0]), float(rho[-1]))
        for rho in (rho1, rho2)
    )
    return FoldWeight(share, repetitions, *ends)


def bayes_test(
    table: Outcomes,
    *,
    metric: Metric,
    method: str | PosteriorMethod | None,
    folds: FoldWeight,
    margin: float,
    interval: IntervalKind,
    **settings: Any,
) -> Comparison:
    """Test H0, the second system is not better, against H1, it is."""
    if interval not in ("hdi", "equal-tailed"):
        raise unknown_name(interval, ("hdi", "equal-tailed"), kind="interval")
    if not np.isfinite(margin):
        message = f"margin must be a finite number; got {margin!r}."
        raise SettingError(message)
    name = method.name if isinstance(method, FoldMethod) else method
    if isinstance(name, str) and name in FOLD_METHODS:
        message = f"method must be one of {', '.join(POSTERIOR_METHODS)}; got {name}."
        raise SettingError(message, hint=f"{name} takes scores: no metric.")
    counts = table.labels is None and not table.negatives and "tp" in table.statistics
    usual = "independent" if counts and table.unit in ("items", "folds") else "paired"
    chosen = posterior_method(method or usual)
    if folds.repetitions is not None and chosen.name in _OF_COUNTS:
        # Counts of folds are what they are called, not counts of items.
        named = counts and table.unit == "items"
        table = replace(table, unit="folds") if named else table
    return compare_outcomes(
        table,
        metric=metric,
        method=chosen,
        folds=folds,
        margin=float(margin),
        interval=interval,
        **settings,
    )
