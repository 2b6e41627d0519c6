"""items_needed() and smallest_difference(): a plan for a wanted chance."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from math import ceil, exp, log

import numpy as np
from numpy.typing import NDArray

from likelier.decision import Rope
from likelier.errors import NotDefinedError, SettingError, unknown_name
from likelier.methods import PosteriorMethod
from likelier.metrics import Metric
from likelier.outcomes import Outcomes
from likelier.planning.assumed import Assumed, Truths
from likelier.planning.sizes import (
    MOST_ITEMS,
    REPLICATIONS,
    Plan,
    checked_size,
    experiments,
)
from likelier.planning.trial import Items, Trial
from likelier.results.needed import Needed, Smallest
from likelier.results.power import CLEAR, DECIDED
from likelier.streams import RandomState, Streams

FloatArray = NDArray[np.float64]

GOALS = (*CLEAR, "decided")
# With so many items chance plays no part any more.
_ENDLESS = 10**9
_SMALL = 20
_POINTS = 7
# Over the stretch that is looked at, the chance must rise by so much to be met.
_RISE, _WIDENINGS = 0.1, 6
_WIDE = 1.0
_SEARCH_SHARE = 4
_STEP = 0.01
_SEEN = 1


def items_needed(
    assumed: Assumed,
    *,
    metric: str | Metric,
    goal: str = "better",
    chance: float = 0.8,
    positive: object = None,
    rope: float | Sequence[float] | Rope | None = None,
    method: str | PosteriorMethod = "paired",
    items: Items = "same",
    mass: float = 0.95,
    rule: str = "hdi-rope",
    replications: int = REPLICATIONS,
    draws: int | None = None,
    seed: RandomState = None,
    workers: int = 1,
) -> Needed:
    """Say how many items give a wanted chance of a verdict.

    Parameters
    ----------
    assumed, metric, positive, rope, method, items, mass, rule, replications, draws
        As in `power`.
    goal
        The verdict: better, worse, equivalent, or decided for any of them.
    chance
        The chance that is wanted.
    seed, workers
        As in `power`.

    Examples
    --------
    >>> assumed = Assumed.accuracies(0.80, 0.85, agreement=0.9)
    >>> found = items_needed(assumed, metric="accuracy", seed=0)
    >>> 250 < found.items < 400
    True
    """
    plan = Plan.of(
        assumed,
        metric=metric,
        positive=positive,
        rope=rope,
        method=method,
        items=items,
        mass=mass,
        rule=rule,
        draws=draws,
    )
    streams = experiments(seed, replications=replications, workers=workers)
    wanted = _checked_chance(chance, replications)
    trial, aim = plan.trial, _checked_goal(goal, plan.trial)

    def reached(place: float, streams: Streams) -> float:
        return _chance(trial, round(exp(place)), aim, streams)

    most = reached(log(_ENDLESS), streams)
    if most + 2 * _noise(most, streams) ** 0.5 < wanted:
        raise _never(plan, aim, wanted, most, streams)
    low, high = _bracket(reached, wanted, _fewer(streams))
    if exp(high) <= _SMALL:
        n, error = _counted_up(reached, wanted, streams)
    else:
        place, share = _crossing(
            reached, wanted, streams, low, high, most=log(MOST_ITEMS)
        )
        n, error = round(exp(place)), exp(place) * share
    return Needed(
        setting=plan.setting(streams),
        goal=aim,
        chance=wanted,
        items=n,
        error=error,
        recipe=plan.recipe(streams, f"goal {aim} chance {wanted:g}"),
    )


def smallest_difference(
    assumed: Assumed,
    *,
    size: int,
    metric: str | Metric,
    goal: str = "better",
    chance: float = 0.8,
    positive: object = None,
    rope: float | Sequence[float] | Rope | None = None,
    method: str | PosteriorMethod = "paired",
    items: Items = "same",
    mass: float = 0.95,
    rule: str = "hdi-rope",
    replications: int = REPLICATIONS,
    draws: int | None = None,
    seed: RandomState = None,
    workers: int = 1,
) -> Smallest:
    """Say which difference so many items can show, with a wanted chance.

    The systems disagree as often as assumed; what varies is how often the second is
    right where they do.

    Parameters
    ----------
    assumed, metric, positive, rope, method, items, mass, rule, replications, draws
        As in `power`.
    size
        The number of items.
    goal
        better or worse.
    chance
        The chance that is wanted.
    seed, workers
        As in `power`.

    Examples
    --------
    >>> assumed = Assumed.accuracies(0.80, 0.85, agreement=0.9)
    >>> found = smallest_difference(assumed, size=1000, metric="accuracy", seed=0)
    >>> 0.025 < found.difference < 0.032
    True
    """
    plan = Plan.of(
        assumed.as_truth(),
        metric=metric,
        positive=positive,
        rope=rope,
        method=method,
        items=items,
        mass=mass,
        rule=rule,
        draws=draws,
    )
    if goal not in ("better", "worse"):
        raise unknown_name(goal, ("better", "worse"), kind="goal")
    _checked_goal(goal, plan.trial)
    streams = experiments(seed, replications=replications, workers=workers)
    n, wanted = checked_size(size), _checked_chance(chance, replications)
    table = plan.trial.truths.outcomes
    turn = 1 if goal == "better" else -1

    def shifted(tilt: float) -> Outcomes:
        return _tilted(table, 0.5 + turn * tilt / 2)

    def reached(tilt: float, streams: Streams) -> float:
        trial = plan.trial.with_truths(Truths(shifted(tilt), None))
        return _chance(trial, n, goal, streams)

    if _difference(plan.trial, shifted(1.0)) == 0:
        message = "The systems must disagree to differ; as assumed they never do."
        raise NotDefinedError(message, hint="Assume a lower agreement.")
    if reached(1.0, _fewer(streams)) < wanted:
        raise _too_few(plan, n, goal, wanted, streams)
    low, high = _halved(reached, wanted, _fewer(streams), 0.0, 1.0, 0.03)
    place, error = _crossing(reached, wanted, streams, low, high, most=1.0)
    step = _difference(plan.trial, shifted(min(place + _STEP, 1.0)))
    step -= _difference(plan.trial, shifted(max(place - _STEP, 0.0)))
    return Smallest(
        setting=plan.setting(streams),
        size=n,
        goal=goal,
        chance=wanted,
        difference=_difference(plan.trial, shifted(place)),
        error=abs(step) / (2 * _STEP) * error,
        recipe=plan.recipe(streams, f"size {n} goal {goal} chance {wanted:g}"),
    )


Reached = Callable[[float, Streams], float]


def _bracket(reached: Reached, wanted: float, streams: Streams) -> tuple[float, float]:
    """Double the items until the chance is reached, then halve the stretch."""
    high = log(_SMALL)
    if reached(high, streams) >= wanted:
        return 0.0, high
    while reached(high, streams) < wanted and high < log(MOST_ITEMS):
        high += log(2)
    return _halved(reached, wanted, streams, high - log(2), high, 0.15)


def _counted_up(reached: Reached, wanted: float, streams: Streams) -> tuple[int, float]:
    """Try one number of items after the other; few of them make a staircase."""
    heights = [reached(log(n), streams) for n in range(1, _SMALL + 1)]
    n = next((n for n, height in enumerate(heights, 1) if height >= wanted), _SMALL)
    slope = (heights[-1] - heights[0]) / (_SMALL - 1)
    error = _noise(wanted, streams) ** 0.5 / slope if slope > 0 else float(_SMALL)
    return n, min(error, float(_SMALL))


def _halved(
    reached: Reached,
    wanted: float,
    streams: Streams,
    low: float,
    high: float,
    width: float,
) -> tuple[float, float]:
    while high - low > width:
        middle = (low + high) / 2
        if reached(middle, streams) < wanted:
            low = middle
        else:
            high = middle
    return low, high


def _crossing(
    reached: Reached,
    wanted: float,
    streams: Streams,
    low: float,
    high: float,
    *,
    most: float,
) -> tuple[float, float]:
    """Find where the chances around a stretch meet the wanted one.

    Returns
    -------
    tuple
        The place, and its standard error.
    """
    span = high - low
    for _ in range(_WIDENINGS):
        places = np.linspace(max(low - span, 0.0), min(high + span, most), _POINTS)
        heights = np.array([reached(float(place), streams) for place in places])
        if heights[-1] - heights[0] >= _RISE:
            return _met(places, heights, wanted, streams)
        span *= 3
    # So flat that any of these places is as good.
    return (low + high) / 2, float(places[-1] - places[0]) / 2


def _met(
    places: FloatArray, heights: FloatArray, wanted: float, streams: Streams
) -> tuple[float, float]:
    """Fit a line to the chances; over a wide stretch, to those about the crossing."""
    near = slice(None)
    if places[-1] - places[0] > _WIDE:
        risen = np.searchsorted(np.maximum.accumulate(heights), wanted)
        start = int(np.clip(risen - 2, 0, _POINTS - 4))
        near = slice(start, start + 4)
    x, y = places[near], heights[near]
    slope = float((x - x.mean()) @ (y - y.mean()) / ((x - x.mean()) ** 2).sum())
    if slope <= 0:
        return float(x.mean()), float(np.ptp(x))
    place = x.mean() + (wanted - y.mean()) / slope
    # All sizes are drawn from the same streams, err alike, and do not average out.
    noise = _noise(wanted, streams)
    lever = (place - x.mean()) ** 2 / ((x - x.mean()) ** 2).sum()
    error = np.sqrt(noise * (1 + lever)) / slope
    return float(np.clip(place, places[0], places[-1])), float(error)


def _noise(chance: float, streams: Streams) -> float:
    """Give the Monte-Carlo variance of a chance."""
    return chance * (1 - chance) / (streams.draws or REPLICATIONS)


def _fewer(streams: Streams) -> Streams:
    """Take fewer experiments to find the neighbourhood."""
    draws = streams.draws or REPLICATIONS
    return replace(streams, draws=max(draws // _SEARCH_SHARE, min(draws, 250)))


def _chance(trial: Trial, n: int, goal: str, streams: Streams) -> float:
    found = trial.chances(max(n, 1), streams)
    names = DECIDED if goal == "decided" else (goal,)
    return sum(found.get(name, 0.0) for name in names)


def _difference(trial: Trial, outcomes: Outcomes) -> float:
    return float(trial.metric.differences(trial.metric.observed(outcomes)))


def _tilted(outcomes: Outcomes, share: float) -> Outcomes:
    """Let the second system be right in a share of what only one has right."""
    if outcomes.labels is None:
        message = "The smallest difference must be sought among labels; there are none."
        raise NotDefinedError(message, hint="Plan with cells or accuracies.")
    table = outcomes.completed()
    if table.labels is None:
        return table
    gold, first, second = table.labels.T
    swap = replace(table, labels=table.labels[:, [0, 2, 1]]).cell_of_patterns()
    both = table.counts + table.counts[swap]
    won, lost = (second == gold) & (first != gold), (first == gold) & (second != gold)
    # Where both are wrong in different ways, neither is to be ahead.
    counts = np.where(won, share * both, both / 2)
    return replace(table, counts=np.where(lost, (1 - share) * both, counts))


def _checked_chance(chance: float, replications: int) -> float:
    number = isinstance(chance, int | float | np.number)
    if not number or not 0 < chance < 1:
        message = f"chance must lie between 0 and 1; got {chance!r}."
        raise SettingError(message)
    if min(chance, 1 - chance) * replications < _SEEN:
        least = ceil(_SEEN / min(chance, 1 - chance))
        message = (
            f"A chance of {chance:g} must have at least {least:,} replications to "
            f"show; got {replications}."
        )
        raise SettingError(message)
    return float(chance)


def _checked_goal(goal: str, trial: Trial) -> str:
    if goal not in GOALS:
        raise unknown_name(goal, GOALS, kind="goal")
    if goal == "equivalent" and trial.rope is None:
        message = "The goal equivalent must have a rope; none was given."
        raise SettingError(message, hint="rope=0.01 is one point of a hundred.")
    if goal in ("worse", "equivalent") and trial.rule == "bayes-test":
        message = f"The rule bayes-test never says {goal}: only better or not better."
        raise SettingError(message, hint="Use the rule hdi-rope.")
    return goal


def _never(
    plan: Plan, goal: str, wanted: float, most: float, streams: Streams
) -> NotDefinedError:
    setting = plan.setting(streams)
    rope = "" if setting.rope is None else f", rope {setting.rope}"
    message = (
        f"No number of {setting.unit} gives {goal} a chance of {wanted:g}: with "
        f"endless ones it is {most:.2g} ({setting.assumed}, difference "
        f"{setting.difference:+.4g}{rope})."
    )
    hint = "Assume another difference, or another goal."
    if not setting.certain:
        hint = "The pilot leaves that much doubt; certain=True takes it as the truth."
    return NotDefinedError(message, hint=hint)


def _too_few(
    plan: Plan, n: int, goal: str, wanted: float, streams: Streams
) -> NotDefinedError:
    setting = plan.setting(streams)
    message = (
        f"{n:,} items are too few to show {goal} with a chance of {wanted:g}, however "
        f"{setting.shown_systems[1]} does where the systems disagree."
    )
    return NotDefinedError(message, hint="Take more items, or a narrower rope.")
