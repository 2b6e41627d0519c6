"""Search for the number of items, or the difference, that reaches a chance."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import exp, log, sinh, sqrt
from typing import NamedTuple

import numpy as np
from scipy.special import ndtr, ndtri

from likelier._typing import FloatArray
from likelier.data.outcomes import Outcomes
from likelier.errors import NotDefinedError
from likelier.interval import rope_ends
from likelier.methods.simulation import Trial, Truths
from likelier.metrics.metric import Metric
from likelier.results.plan_report import DECIDED
from likelier.streams import Streams

# Chance of the goal at a logarithm of items, or at a tilt.
ChanceAt = Callable[[float, Streams], float]

# With so many items luck plays no part any more.
_ENDLESS = 10**9
_SMALL = 20
_POINTS = 7
# The chance must rise by so much between the outermost points.
_RISE, _WIDENINGS = 0.1, 6
_WIDE = 1.0
_SEARCH_SHARE = 4
_STEP = 0.01
# Verdicts by whether the interval lies beyond the rope have a model where they are
# one-sided; fewer items than these make a staircase.
_BY_INTERVAL, _ONE_SIDED = ("hdi-rope", "zhang"), ("better", "worse")
_STAIRCASE = 50
# A straight line makes up for so much of a chance; and how often to try.
_NEAR, _MOST_ROUNDS, _HALVINGS = 0.04, 4, 40
# Truths that a pilot leaves open, in the model; and the number of their stream.
_TRUTHS, _PURPOSE = 4000, 1001


class ItemSearch(NamedTuple):
    """Number of items with its standard error; none where no number is enough."""

    number: int | None
    error: float
    most: float


@dataclass(frozen=True)
class TiltSearch:
    """Share of the disagreements that the second must win, with its error."""

    tilt: float
    error: float

    def error_of(self, difference: Callable[[float], float]) -> float:
        """Return the standard error of a difference that depends on the tilt."""
        step = difference(min(self.tilt + _STEP, 1.0))
        step -= difference(max(self.tilt - _STEP, 0.0))
        return abs(step) / (2 * _STEP) * self.error


def items_for_chance(
    trial: Trial, goal: str, target: float, streams: Streams, *, most: int
) -> ItemSearch:
    """Search for the number of items that gives a goal such a chance.

    Parameters
    ----------
    trial
        Recipe of an experiment.
    goal, target
        The verdict, and the chance to reach.
    streams
        A stream for each experiment.
    most
        Largest number of items to look at.
    """

    def chance_at(size: float, streams: Streams) -> float:
        return _chance(trial, round(exp(size)), goal, streams)

    if trial.rule in _BY_INTERVAL and goal in _ONE_SIDED:
        at = _probit(trial, trial.truths, goal, streams)
        near = _near_model(
            lambda size: at(exp(size)),
            chance_at,
            target,
            streams,
            log(_STAIRCASE),
            log(most),
        )
        if near is not None:
            return ItemSearch(round(exp(near[0])), exp(near[0]) * sinh(near[1]), 1.0)
    endless = chance_at(log(_ENDLESS), streams)
    if endless + 2 * _noise(endless, streams) ** 0.5 < target:
        return ItemSearch(None, 0.0, endless)
    low, high = _bracket(chance_at, target, _fewer(streams), log(most))
    if exp(high) <= _SMALL:
        return ItemSearch(*_counted_up(chance_at, target, streams), endless)
    size, share = _crossing(chance_at, target, streams, low, high, most=log(most))
    return ItemSearch(round(exp(size)), exp(size) * share, endless)


def tilt_for_chance(
    trial: Trial, n: int, goal: str, target: float, streams: Streams
) -> TiltSearch | None:
    """Search for the smallest tilt that n items show; None where none is enough."""

    def truths(tilt: float) -> Truths:
        return Truths(tilted(trial.truths.outcomes, goal, tilt), None)

    def chance_at(tilt: float, streams: Streams) -> float:
        return _chance(trial.with_truths(truths(tilt)), n, goal, streams)

    if trial.rule in _BY_INTERVAL and n >= _STAIRCASE:
        near = _near_model(
            lambda tilt: _probit(trial, truths(tilt), goal, streams)(n),
            chance_at,
            target,
            streams,
            0.0,
            1.0,
        )
        if near is not None:
            return TiltSearch(*near)
    if chance_at(1.0, _fewer(streams)) < target:
        return None
    low, high = _halved(chance_at, target, _fewer(streams), 0.0, 1.0, 0.03)
    return TiltSearch(*_crossing(chance_at, target, streams, low, high, most=1.0))


def _probit(
    trial: Trial, truths: Truths, goal: str, streams: Streams
) -> Callable[[float], float]:
    """Return the probit of a goal's chance by the number of items, were all normal.

    The difference is seen with the spread of one item over the root of their number,
    and the interval reaches so many spreads to either side. Each truth that a pilot
    leaves open has its own chance; the spread is that of the pilot.
    """
    metric, truth = trial.metric, truths.outcomes
    view = replace(metric.view(truth), counts=truth.counts / truth.counts.sum())
    slopes = metric.influence(view)
    slopes -= view.counts @ slopes
    if trial.method.name == "paired":
        variance = float(view.counts @ metric.differences(slopes) ** 2)
    else:
        variance = float((view.counts @ slopes**2).sum())
    if variance <= 0:
        return lambda _: float("nan")
    ends = rope_ends(trial.rope)
    differences = _true_differences(truths, metric, view, streams)
    beyond = differences - ends[1] if goal == "better" else ends[0] - differences
    reach = ndtri((1 + trial.mass) / 2)
    return lambda n: float(ndtri(ndtr(beyond * sqrt(n / variance) - reach).mean()))


def _true_differences(
    truths: Truths, metric: Metric, view: Outcomes, streams: Streams
) -> FloatArray:
    """Draw the differences that may be true; certain shares have a single one."""
    if truths.cells is None:
        return np.atleast_1d(metric.differences(metric.values(view)))

    def block(generator: np.random.Generator, n: int) -> FloatArray:
        return metric.differences(metric.values(view, truths.shares(generator, n)))

    many = replace(streams, draws=_TRUTHS)
    return many.run(block, width=len(view.counts), purpose=_PURPOSE)


def _near_model(
    model: Callable[[float], float],
    chance_at: ChanceAt,
    target: float,
    streams: Streams,
    low: float,
    high: float,
) -> tuple[float, float] | None:
    """Locate the point where the chance is the target, from a model of its probit.

    Experiments are simulated where the model says, and what they differ by is added to
    the model, until they reach the target but for what a straight line can make up.

    Returns
    -------
    tuple
        The point, and its standard error; None where the model does not lead there.
    """
    wanted, shift = float(ndtri(target)), 0.0
    half = 0.5 / (streams.draws or 1)
    for _ in range(_MOST_ROUNDS):
        if not model(low) + shift < wanted < model(high) + shift:
            return None
        point = _solved(model, wanted - shift, low, high)
        chance = float(np.clip(chance_at(point, streams), half, 1 - half))
        shift = float(ndtri(chance)) - model(point)
        if abs(chance - target) <= _NEAR and model(low) + shift < wanted:
            noise = _noise(target, streams) ** 0.5
            # Ends instead of a slope: the chance may hardly rise any more behind it.
            start, point, end = (
                _solved(model, float(ndtri(min(p, 1 - half))) - shift, low, high)
                for p in (max(target - noise, half), target, target + noise)
            )
            return point, (end - start) / 2
    return None


def _solved(
    model: Callable[[float], float], wanted: float, low: float, high: float
) -> float:
    """Return where a rising model has a value, by halving."""
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        if model(middle) < wanted:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def _bracket(
    chance_at: ChanceAt, target: float, streams: Streams, most: float
) -> tuple[float, float]:
    """Double the items until the chance is reached, then halve the stretch."""
    high = log(_SMALL)
    if chance_at(high, streams) >= target:
        return 0.0, high
    chance = 0.0
    while chance < target and high < most:
        high += log(2)
        chance = chance_at(high, streams)
    return _halved(chance_at, target, streams, high - log(2), high, 0.15)


def _counted_up(
    chance_at: ChanceAt, target: float, streams: Streams
) -> tuple[int, float]:
    """Try one number of items after the other; few of them make a staircase."""
    heights = [chance_at(log(n), streams) for n in range(1, _SMALL + 1)]
    n = next((n for n, height in enumerate(heights, 1) if height >= target), _SMALL)
    slope = (heights[-1] - heights[0]) / (_SMALL - 1)
    error = _noise(target, streams) ** 0.5 / slope if slope > 0 else float(_SMALL)
    return n, min(error, float(_SMALL))


def _halved(
    chance_at: ChanceAt,
    target: float,
    streams: Streams,
    low: float,
    high: float,
    width: float,
) -> tuple[float, float]:
    while high - low > width:
        middle = (low + high) / 2
        if chance_at(middle, streams) < target:
            low = middle
        else:
            high = middle
    return low, high


def _crossing(
    chance_at: ChanceAt,
    target: float,
    streams: Streams,
    low: float,
    high: float,
    *,
    most: float,
) -> tuple[float, float]:
    """Locate the point around a stretch where the chance is the target.

    Returns
    -------
    tuple
        The point, and its standard error.
    """
    span = high - low
    for _ in range(_WIDENINGS):
        points = np.linspace(max(low - span, 0.0), min(high + span, most), _POINTS)
        heights = np.array([chance_at(float(point), streams) for point in points])
        if heights[-1] - heights[0] >= _RISE:
            return _fitted_crossing(points, heights, target, streams)
        span *= 3
    # So flat that any of these points is as good.
    return (low + high) / 2, float(points[-1] - points[0]) / 2


def _fitted_crossing(
    points: FloatArray, heights: FloatArray, target: float, streams: Streams
) -> tuple[float, float]:
    """Fit a line to the chances; over a wide stretch, to those about the crossing."""
    near = slice(None)
    if points[-1] - points[0] > _WIDE:
        risen = np.searchsorted(np.maximum.accumulate(heights), target)
        start = int(np.clip(risen - 2, 0, _POINTS - 4))
        near = slice(start, start + 4)
    x, y = points[near], heights[near]
    slope = float((x - x.mean()) @ (y - y.mean()) / ((x - x.mean()) ** 2).sum())
    if slope <= 0:
        return float(x.mean()), float(np.ptp(x))
    point = x.mean() + (target - y.mean()) / slope
    # All sizes are drawn from the same streams, err alike, and do not average out.
    noise = _noise(target, streams)
    lever = (point - x.mean()) ** 2 / ((x - x.mean()) ** 2).sum()
    error = np.sqrt(noise * (1 + lever)) / slope
    return float(np.clip(point, points[0], points[-1])), float(error)


def _noise(chance: float, streams: Streams) -> float:
    """Compute the Monte-Carlo variance of a chance."""
    return chance * (1 - chance) / (streams.draws or 1)


def _fewer(streams: Streams) -> Streams:
    """Return streams of fewer experiments, to find the neighbourhood."""
    draws = streams.draws or 1
    return replace(streams, draws=max(draws // _SEARCH_SHARE, min(draws, 250)))


def _chance(trial: Trial, n: int, goal: str, streams: Streams) -> float:
    chances = trial.chances(max(n, 1), streams)
    names = DECIDED if goal == "decided" else (goal, f"more probably {goal}")
    return sum(chances.get(name, 0.0) for name in names)


def tilted(outcomes: Outcomes, goal: str, tilt: float) -> Outcomes:
    """Let one system be ahead where just one is right: by all at a tilt of 1."""
    share = 0.5 + (tilt if goal == "better" else -tilt) / 2
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
