"""sensitivity(): the same comparison under weaker and stronger priors."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from likelier._compare import compare_outcomes
from likelier._inputs import (
    RopeLike,
    as_question,
    posterior_method,
    two_systems,
)
from likelier.bayes_factor import FactorName
from likelier.data.outcomes import Outcomes
from likelier.errors import NotDefinedError, SettingError
from likelier.methods.items.dirichlet import Paired, Unpaired
from likelier.methods.items.dirichlet_cells import Prior
from likelier.methods.protocols import PosteriorMethod
from likelier.metrics.metric import Metric
from likelier.metrics.positive import select_positive
from likelier.results.sensitivity import Sensitivity
from likelier.streams import RandomState, Streams

STRENGTHS = (0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0)
# Under weaker priors no difference at all has an infinite density.
POINT_STRENGTHS = (0.6, 0.8, 1.0, 2.0, 5.0, 10.0)


def sensitivity(
    data: Any,
    *predictions: Any,
    metric: str | Metric | None = None,
    strengths: Sequence[float] | None = None,
    positive: object = None,
    rope: RopeLike = None,
    method: str | PosteriorMethod = "paired",
    prior: str | None = None,
    factor: FactorName | None = None,
    gold: str | None = None,
    systems: Sequence[str] | None = None,
    cluster: Any = None,
    id: str | Sequence[str] | None = None,  # noqa: A002 (the word people know)
    text: Any = None,
    mass: float = 0.95,
    rule: str = "hdi-rope",
    draws: int | None = None,
    seed: RandomState = None,
    workers: int = 1,
) -> Sensitivity:
    """Compare under priors that weigh less and more than the usual one.

    A Bayes factor depends on the prior far more than a posterior does: use this before
    a factor is published.

    Parameters
    ----------
    data, *predictions, metric, positive, rope, prior, factor, gold, systems, id
        As in `compare`; `cluster` and `text` too.
    strengths
        How many times as much as usual the prior of each cell weighs; by default from
        a tenth to ten times, and for a point null from 0.6 to ten times.
    method
        paired or unpaired.
    mass, rule, draws, seed, workers
        As in `compare`.

    Examples
    --------
    >>> gold, first, second = "aabb" * 50, "abab" * 50, "aabb" * 30 + "abab" * 20
    >>> result = sensitivity(gold, first, second, metric="accuracy", factor="point",
    ...                      strengths=[0.6, 1, 2], seed=0)
    >>> [round(c.factor.log10) for c in result.comparisons]
    [-16, -15, -14]
    """
    usual = posterior_method(method, prior=prior)
    if not isinstance(usual, Paired | Unpaired):
        message = (
            f"method must be paired or unpaired to vary its prior; got {usual.name}."
        )
        raise SettingError(message)
    columns = {"gold": gold, "systems": systems, "cluster": cluster}
    columns |= {"id": id, "text": text}
    chosen, table = as_question(data, *predictions, metric=metric, **columns)
    two_systems(table.systems)
    one, _ = select_positive(table, chosen, positive)
    if usual.parameters(one)["prior"] == "bootstrap":
        message = "The prior bootstrap weighs nothing, however often."
        raise NotDefinedError(message, hint="Leave the prior out.")
    streams = Streams.of(seed, draws=draws, workers=workers)
    if strengths is None:
        strengths = STRENGTHS
        if factor == "point":
            strengths = _finite(usual, one, chosen, streams)
    ordered = _checked(strengths)
    comparisons = tuple(
        compare_outcomes(
            table,
            metric=chosen,
            positive=positive,
            rope=rope,
            method=replace(usual, strength=strength),
            mass=mass,
            rule=rule,
            factor=factor,
            streams=streams,
        )
        for strength in ordered
    )
    return Sensitivity.of(ordered, comparisons)


def _finite(
    method: Paired | Unpaired, table: Outcomes, metric: Metric, streams: Streams
) -> list[float]:
    """Leave out the strengths under which no difference has an infinite density."""
    finite = []
    for strength in POINT_STRENGTHS:
        try:
            prior = replace(method, strength=strength).with_proper_prior(table)
            prior.log_density_at_zero(table, metric, streams, prior=True)
        except NotDefinedError:
            if strength >= 1:
                raise
        else:
            finite.append(strength)
    return finite


def _checked(strengths: Sequence[float]) -> tuple[float, ...]:
    if isinstance(strengths, str) or not isinstance(strengths, Iterable):
        message = f"strengths must be a list of numbers; got {strengths!r}."
        raise SettingError(message, hint="strengths=[0.5, 1, 2]")
    # The prior refuses numbers that it cannot take.
    distinct = {Prior(strength=strength).strength for strength in strengths}
    if not distinct:
        message = "strengths must hold at least one number; got none."
        raise SettingError(message)
    return tuple(sorted(float(strength) for strength in distinct))
