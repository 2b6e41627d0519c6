"""Search for the number of items, or the difference, that meets a wanted chance."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import exp, log
from typing import NamedTuple

import numpy as np

from likelier._typing import FloatArray
from likelier.data.outcomes import Outcomes
from likelier.errors import NotDefinedError
from likelier.methods.simulation import Trial, Truths
from likelier.results.plan_report import DECIDED
from likelier.streams import Streams

# Chance that is reached somewhere: at a logarithm of items, or at a tilt.
Reached = Callable[[float, Streams], float]

# With so many items chance plays no part any more.
_ENDLESS = 10**9
_SMALL = 20
_POINTS = 7
# Over the stretch that is looked at, the chance must rise by so much to be met.
_RISE, _WIDENINGS = 0.1, 6
_WIDE = 1.0
_SEARCH_SHARE = 4
_STEP = 0.01


class ItemsFound(NamedTuple):
    """Number of items with its standard error; none where no number is enough."""

    number: int | None
    error: float
    most: float


@dataclass(frozen=True)
class TiltFound:
    """Share of the disagreements that the second must win, with its error."""

    tilt: float
    error: float

    def error_of(self, difference: Callable[[float], float]) -> float:
        """Return the standard error of a difference that depends on the tilt."""
        step = difference(min(self.tilt + _STEP, 1.0))
        step -= difference(max(self.tilt - _STEP, 0.0))
        return abs(step) / (2 * _STEP) * self.error


def items_for_chance(
    trial: Trial, goal: str, wanted: float, streams: Streams, *, most: int
) -> ItemsFound:
    """Search for the number of items that gives a goal the wanted chance.

    Parameters
    ----------
    trial
        How an experiment is made and judged.
    goal, wanted
        The verdict, and its wanted chance.
    streams
        A stream for each experiment.
    most
        Largest number of items to look at.
    """

    def reached(size: float, streams: Streams) -> float:
        return _chance(trial, round(exp(size)), goal, streams)

    endless = reached(log(_ENDLESS), streams)
    if endless + 2 * _noise(endless, streams) ** 0.5 < wanted:
        return ItemsFound(None, 0.0, endless)
    low, high = _bracket(reached, wanted, _fewer(streams), log(most))
    if exp(high) <= _SMALL:
        return ItemsFound(*_counted_up(reached, wanted, streams), endless)
    size, share = _crossing(reached, wanted, streams, low, high, most=log(most))
    return ItemsFound(round(exp(size)), exp(size) * share, endless)


def tilt_for_chance(
    trial: Trial, n: int, goal: str, wanted: float, streams: Streams
) -> TiltFound | None:
    """Search for the smallest tilt that n items show; None where none is enough."""
    table = trial.truths.outcomes
    turn = 1 if goal == "better" else -1

    def reached(tilt: float, streams: Streams) -> float:
        shifted = tilted(table, 0.5 + turn * tilt / 2)
        return _chance(trial.with_truths(Truths(shifted, None)), n, goal, streams)

    if reached(1.0, _fewer(streams)) < wanted:
        return None
    low, high = _halved(reached, wanted, _fewer(streams), 0.0, 1.0, 0.03)
    return TiltFound(*_crossing(reached, wanted, streams, low, high, most=1.0))


def _bracket(
    reached: Reached, wanted: float, streams: Streams, most: float
) -> tuple[float, float]:
    """Double the items until the chance is reached, then halve the stretch."""
    high = log(_SMALL)
    if reached(high, streams) >= wanted:
        return 0.0, high
    while reached(high, streams) < wanted and high < most:
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
    return chance * (1 - chance) / (streams.draws or 1)


def _fewer(streams: Streams) -> Streams:
    """Take fewer experiments to find the neighbourhood."""
    draws = streams.draws or 1
    return replace(streams, draws=max(draws // _SEARCH_SHARE, min(draws, 250)))


def _chance(trial: Trial, n: int, goal: str, streams: Streams) -> float:
    found = trial.chances(max(n, 1), streams)
    names = DECIDED if goal == "decided" else (goal,)
    return sum(found.get(name, 0.0) for name in names)


def tilted(outcomes: Outcomes, share: float) -> Outcomes:
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
