"""bayes_test(): is the second system better, by m x 2 cross-validation."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from likelier.asking import Evidence, as_metric, posterior_method, two_systems
from likelier.data import as_outcomes
from likelier.decision import Rope
from likelier.designs.effective import RHO1, RHO2, Range
from likelier.errors import SettingError, unknown_name
from likelier.findings import Finding
from likelier.interval import IntervalKind
from likelier.methods import PosteriorMethod
from likelier.metrics import Metric
from likelier.outcomes import Outcomes
from likelier.questions.comparing import compare_outcomes
from likelier.results import Comparison
from likelier.streams import RandomState, Streams

# Methods that take the counts of folds.
_OF_COUNTS = ("independent", "monte-carlo")


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
    seed: RandomState = None,
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
    rope, mass, rule, draws, seed, workers, findings
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
    if repetitions is not None and posterior_method(method).name in _OF_COUNTS:
        table = _of_folds(table)
    return compare_outcomes(
        two_systems(table),
        metric=chosen,
        positive=positive,
        rope=rope,
        method=method,
        mass=mass,
        rule=rule,
        streams=Streams.of(seed, draws=draws, workers=workers),
        findings=findings,
        evidence=Evidence.of(repetitions, rho1=rho1, rho2=rho2),
        margin=float(margin),
        interval=interval,
    )


def _of_folds(table: Outcomes) -> Outcomes:
    """Call counts what they are: those of folds, not of items."""
    counted = table.labels is None and not table.negatives and table.unit == "items"
    return replace(table, unit="folds") if counted else table
