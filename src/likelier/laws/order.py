"""P(X > Y + margin) for two independent laws, in both directions directly.

One smooth integral of the density of the narrower law times a tail of the other. The
opposite probability is the same function with the laws exchanged, so exchanging two
systems mirrors every number to the last digit.
"""

import math

import numpy as np
from scipy import special

from likelier.errors import SettingError
from likelier.laws.double import Array, Double
from likelier.laws.law import Law
from likelier.laws.place import Place
from likelier.laws.quadrature import log_integral

_LOWER, _UPPER = 0, 1


def probability_greater(first: Law, second: Law, *, margin: float = 0.0) -> float:
    """Give P(X > Y + margin), X of the first and Y of the second law.

    Use this when two systems were scored on different items.

    Examples
    --------
    >>> from likelier.laws import f1
    >>> better, baseline = f1(80, 15, 12), f1(70, 22, 21)
    >>> round(probability_greater(better, baseline), 6)
    0.977661
    >>> probability_greater(baseline, baseline)
    0.5
    """
    return math.exp(log_probability_greater(first, second, margin=margin))


def probability_not_greater(first: Law, second: Law, *, margin: float = 0.0) -> float:
    """Give P(X <= Y + margin), not as 1 - P(X > Y + margin)."""
    return math.exp(log_probability_not_greater(first, second, margin=margin))


def log_probability_not_greater(
    first: Law, second: Law, *, margin: float = 0.0
) -> float:
    """Give log P(X <= Y + margin), not by way of its opposite."""
    return log_probability_greater(second, first, margin=-margin)


def log_probability_greater(first: Law, second: Law, *, margin: float = 0.0) -> float:
    """Give log P(X > Y + margin).

    Examples
    --------
    >>> from likelier.laws import accuracy
    >>> low, high = accuracy(500_000, 500_000), accuracy(520_000, 480_000)
    >>> round(log_probability_greater(low, high), 6)
    -404.449088
    """
    if not math.isfinite(margin):
        message = f"margin must be a finite number; got {margin!r}."
        raise SettingError(message)
    if margin == 0 and first == second:
        return math.log(0.5)
    return float(log_chances(first, second, np.array([margin]))[0])


def log_chances(first: Law, second: Law, margins: Array) -> Array:
    """Give log P(X > Y + margin) for many margins at once."""
    result = np.where(margins > 0, -np.inf, 0.0)
    inner = np.abs(margins) < 1
    if not inner.any():
        return result
    shift = margins[inner]
    if width(first) <= width(second):
        result[inner] = _log_chance(first, second, shift=-shift, side=_LOWER)
    else:
        result[inner] = _log_chance(second, first, shift=shift, side=_UPPER)
    return result


def log_density_of_tie(first: Law, second: Law) -> float:
    """Give the log density of X - Y at 0: the integral of both densities' product.

    It is infinite where both laws peak too sharply at the same end.

    Examples
    --------
    >>> from likelier.laws import accuracy
    >>> abs(log_density_of_tie(accuracy(0, 0), accuracy(0, 0))) < 1e-12
    True
    """
    ends = np.array(first.ends()) + np.array(second.ends())
    if (ends <= 1).any():
        return math.inf
    narrow = min(first, second, key=width)

    def log_f(logit: Array) -> Array:
        place = Place.of_logit(logit)
        with np.errstate(divide="ignore", invalid="ignore"):
            both = first.log_density(place) + second.log_density(place)
            result = both + place.log_spread()
        return np.where(np.isnan(result), -np.inf, result)

    start, spread = narrow.centre()
    return float(log_integral(log_f, np.array([start]), np.array([spread]))[0])


def width(law: Law) -> float:
    """Give about the standard deviation."""
    middle, spread = law.centre()
    return float(spread * special.expit(middle) * special.expit(-middle))


def _log_chance(density: Law, other: Law, *, shift: Array, side: int) -> Array:
    """Integrate a density times a tail of the other law at value + shift.

    The stretch is that on which both values lie in the unit interval; beyond it the
    tail is 0, or 1 and then the density's own tail is added.
    """
    zero, one = Double.of(np.maximum(-shift, 0.0)), Double.of(np.maximum(shift, 0.0))
    low, high = zero, Double.of(np.ones_like(shift)) - one
    step = Double.of(shift)

    def log_f(logit: Array) -> Array:
        place = Place.beside(low, high, logit)
        moved = Place.beside(low + step, high + step, logit)
        jacobian = -np.abs(logit) - 2 * np.log1p(np.exp(-np.abs(logit)))
        with np.errstate(divide="ignore", invalid="ignore"):
            log_density = density.log_density(place) + jacobian
            result = log_density + other.log_tails(moved)[side]
        # So far out that the value is no longer a float.
        return np.where(np.isnan(result), -np.inf, result)

    start, spread = _start(density, low.high, high.high)
    inside = log_integral(log_f, start, spread) + np.log((high - low).high)
    sure = shift > 0 if side == _LOWER else shift < 0
    if sure.any():
        rest = Double.of(np.ones_like(shift))
        edge = Place(high, one) if side == _LOWER else Place(low, rest - low)
        with np.errstate(divide="ignore"):
            beyond = density.log_tails(edge)[1 - side]
        inside = np.where(sure, np.logaddexp(inside, beyond), inside)
    return np.minimum(inside, 0.0)


def _start(density: Law, low: Array, high: Array) -> tuple[Array, Array]:
    """Give a first place and step, in the logit of the stretch."""
    middle, spread = density.centre()
    value = np.clip(special.expit(middle), low, high)
    share = np.clip((value - low) / (high - low), 1e-9, 1 - 1e-9)
    return special.logit(share), np.full_like(share, spread)
