"""sensitivity(): how the answer depends on the prior."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from likelier.asking import (
    as_metric,
    posterior_method,
    two_systems,
)
from likelier.data import as_outcomes, focused
from likelier.decision import Rope
from likelier.errors import NotDefinedError, SettingError
from likelier.evidence import FactorName
from likelier.findings import Finding
from likelier.methods import Paired, PosteriorMethod, Unpaired
from likelier.methods.cells import Prior
from likelier.metrics import Metric
from likelier.outcomes import Outcomes
from likelier.questions.comparing import compare_outcomes
from likelier.results import Sensitivity
from likelier.streams import RandomState, Streams

STRENGTHS = (0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0)
# Under weaker priors no difference at all has an infinite density.
POINT_STRENGTHS = (0.6, 0.8, 1.0, 2.0, 5.0, 10.0)


def sensitivity(
    data: Any,
    *predictions: Any,
    metric: str | Metric,
    strengths: Sequence[float] | None = None,
    positive: object = None,
    rope: float | Sequence[float] | Rope | None = None,
    method: str | PosteriorMethod = "paired",
    factor: FactorName = "rope",
    gold: str | None = None,
    systems: Sequence[str] | None = None,
    id: str | None = None,  # noqa: A002 (the word people know)
    mass: float = 0.95,
    rule: str = "hdi-rope",
    draws: int | None = None,
    seed: RandomState = None,
    workers: int = 1,
    findings: Sequence[Finding] = (),
) -> Sensitivity:
    """Compare under priors that weigh less and more than the usual one.

    A Bayes factor depends on the prior far more than a posterior does: use this before
    a factor is published.

    Parameters
    ----------
    data, *predictions, metric, positive, rope, factor, gold, systems, id
        As in `compare`.
    strengths
        How many times as much as usual the prior of each cell weighs; by default from
        a tenth to ten times, and for a point null from 0.6 to ten times.
    method
        paired or unpaired.
    mass, rule, draws, seed, workers, findings
        As in `compare`.

    Examples
    --------
    >>> gold, first, second = "aabb" * 50, "abab" * 50, "aabb" * 30 + "abab" * 20
    >>> found = sensitivity(gold, first, second, metric="accuracy", factor="point",
    ...                     strengths=[0.6, 1, 2], seed=0)
    >>> [round(c.factor.log10) for c in found.comparisons]
    [-16, -15, -14]
    """
    chosen = as_metric(metric)
    way = posterior_method(method)
    if not isinstance(way, Paired | Unpaired):
        message = (
            f"method must be paired or unpaired to vary its prior; got {way.name}."
        )
        raise SettingError(message)
    table = two_systems(
        as_outcomes(
            data, *predictions, metric=chosen, gold=gold, systems=systems, id=id
        )
    )
    if way.described(focused(table, chosen, positive)[0]).endswith("bootstrap"):
        message = "The prior must be uniform or objective to be varied; got bootstrap."
        raise NotDefinedError(message)
    streams = Streams.of(seed, draws=draws, workers=workers)
    if strengths is None:
        strengths = STRENGTHS
        if factor == "point":
            one, _ = focused(table, chosen, positive)
            strengths = _finite(way, one, chosen, streams)
    ordered = _checked(strengths)
    found = tuple(
        compare_outcomes(
            table,
            metric=chosen,
            positive=positive,
            rope=rope,
            method=replace(way, strength=strength),
            mass=mass,
            rule=rule,
            factor=factor,
            streams=streams,
            findings=findings,
        )
        for strength in ordered
    )
    return Sensitivity(ordered, found)


def _finite(
    way: Paired | Unpaired, table: Outcomes, metric: Metric, streams: Streams
) -> list[float]:
    """Leave out the strengths under which no difference has an infinite density."""
    kept = []
    for strength in POINT_STRENGTHS:
        try:
            prior = replace(way, strength=strength)
            prior.at_zero(table, metric, streams, seen=False)
        except NotDefinedError:
            if strength >= 1:
                raise
        else:
            kept.append(strength)
    return kept


def _checked(strengths: Sequence[float]) -> tuple[float, ...]:
    if isinstance(strengths, str) or not isinstance(strengths, Iterable):
        message = f"strengths must be a list of numbers; got {strengths!r}."
        raise SettingError(message, hint="strengths=[0.5, 1, 2]")
    # The prior says which numbers it takes.
    found = {Prior(strength=strength).strength for strength in strengths}
    if not found:
        message = "strengths must hold at least one number; got none."
        raise SettingError(message)
    return tuple(sorted(float(strength) for strength in found))
