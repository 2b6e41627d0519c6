"""Quantiles: Newton's rule on the logarithm of the smaller tail, in the logit."""

import numpy as np
from scipy import special

from likelier.laws.double import Array, Mask
from likelier.laws.place import Place
from likelier.laws.shape import Shape

# Beyond, the smaller of value and 1 - value is no longer a float.
_FARTHEST = 740.0
# The last step squares the gap that is left.
_GAP = 1e-7


def quantile(shape: Shape, lower: Array, upper: Array) -> Array:
    """Give the values with these masses below and above them."""
    values = np.where(lower > 0, 1.0, 0.0)
    inner = (lower > 0) & (upper > 0)
    if np.any(inner):
        values[inner] = solve(shape, lower[inner], upper[inner])[0]
    return values


def solve(
    shape: Shape, lower: Array, upper: Array, start: Array | None = None
) -> tuple[Array, Array]:
    """Give the values with these masses on either side, and their logits.

    The log of a tail is concave in the logit, so Newton's rule converges from the far
    side without a bracket; the bracket guards the near side.
    """
    rising = lower <= upper
    target = np.log(np.where(rising, lower, upper))
    logit = _guess(shape, np.exp(target), rising) if start is None else start
    low, high = np.full_like(logit, -_FARTHEST), np.full_like(logit, _FARTHEST)
    for _ in range(200):
        logit = np.clip(logit, low, high)
        step, gap = _newton(shape, logit, target, rising)
        low, high = np.where(step > 0, logit, low), np.where(step > 0, high, logit)
        done = (np.abs(gap) <= _GAP) | (high - low <= 1e-12)
        if np.all(done):
            break
        new = logit + step
        new = np.where((new > low) & (new < high), new, 0.5 * (low + high))
        logit = np.where(done, logit, new)
    place = Place.of_logit(logit)
    # A logit far from 0 is coarser than the value itself: end in the value.
    shift = place.value.high * place.rest.high * np.where(np.abs(gap) < 1, step, 0)
    return place.value.high + (place.value.low + shift), logit


def _guess(shape: Shape, tail: Array, rising: Mask) -> Array:
    middle, spread = shape.centre()
    return middle + np.where(rising, 1, -1) * spread * special.ndtri(tail)


def _newton(
    shape: Shape, logit: Array, target: Array, rising: Mask
) -> tuple[Array, Array]:
    """Give the step towards the target, and how far the log tail is from it."""
    place = Place.of_logit(logit)
    lower, upper = shape.log_tails(place)
    tail = np.where(rising, lower, upper)
    log_slope = shape.log_density(place) + place.log_spread() - tail
    gap = target - tail
    with np.errstate(over="ignore"):
        step = gap * np.exp(np.minimum(-log_slope, 700.0))
    return np.where(rising, step, -step), gap
