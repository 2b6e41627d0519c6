"""Outlook: how many more items would probably decide a comparison."""

from dataclasses import dataclass
from math import ceil, log10

import numpy as np
from scipy.special import ndtr, ndtri

from likelier._typing import FloatArray
from likelier.interval import Rope, rope_ends

CHANCE = 0.8
_MOST_TIMES = 1e6
_STEPS = 2401


@dataclass(frozen=True)
class Outlook:
    """Number of further items that would decide the comparison, and the chance of it.

    Attributes
    ----------
    more
        Number of items to add; None: more than a million times as many as now.
    chance
        The chance that the verdict is then better, worse or equivalent.
    """

    more: int | None
    chance: float = CHANCE

    def sentence(self, unit: str) -> str:
        """Write how many more items, or other units, would probably decide."""
        if self.more is None:
            return f"even a million times as many {unit} would hardly decide it"
        return (
            f"about {self.more:,} more {unit} would give a clear verdict, with a "
            f"chance of {100 * self.chance:g} %"
        )

    def to_dict(self) -> dict[str, float | None]:
        """Return the outlook as in the JSON."""
        return {"more": self.more, "chance": self.chance}


def outlook(
    *, mean: float, sd: float, items: float, rope: Rope | None, mass: float
) -> Outlook | None:
    """Estimate how many more items would decide, from a posterior taken as normal.

    With f times as many items the posterior is narrower by the root of f, and its
    centre lies where the first f - 1 parts of new items will have moved it: normal
    about the present mean with variance sd² (1 - 1/f).

    Parameters
    ----------
    mean, sd
        Mean and standard deviation of the difference after the items so far.
    items
        Number of items, or clusters of them, so far.
    rope
        The region of practical equivalence, if there is one.
    mass
        The mass of the interval that decides.

    Examples
    --------
    >>> outlook(mean=0.02, sd=0.012, items=800, rope=Rope.of(0.01), mass=0.95)
    Outlook(more=27000, chance=0.8)
    """
    if not (sd > 0 and items > 0):
        return None
    times = np.logspace(0, log10(_MOST_TIMES), _STEPS)[1:]
    chance = chance_to_decide(times, mean=mean, sd=sd, rope=rope, mass=mass)
    # Just beyond the present items the chance may fall before it rises for good.
    short = np.flatnonzero(chance < CHANCE)
    first = 0 if short.size == 0 else int(short[-1]) + 1
    if first == len(times):
        return Outlook(None)
    return Outlook(_two_digits(items * (times[first] - 1)))


def chance_to_decide(
    times: FloatArray, *, mean: float, sd: float, rope: Rope | None, mass: float
) -> FloatArray:
    """Return the chance of a clear verdict with so many times the items."""
    low, high = rope_ends(rope)
    reach = float(ndtri((1 + mass) / 2)) * sd / np.sqrt(times)
    spread = np.maximum(sd * np.sqrt(1 - 1 / times), 1e-12 * sd)
    better = ndtr((mean - high - reach) / spread)
    worse = ndtr((low - reach - mean) / spread)
    inside = ndtr((high - reach - mean) / spread) - ndtr((low + reach - mean) / spread)
    return np.asarray(better + worse + np.maximum(inside, 0.0) * (rope is not None))


def _two_digits(number: float) -> int:
    unit = 10 ** max(0, int(np.floor(log10(max(number, 1)))) - 1)
    return ceil(number / unit) * unit
