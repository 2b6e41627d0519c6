"""Means and variances of F, by sums over the logit of Beta laws.

All is written in deviations from a central value, u - a/n = -residual/n, so that the
variance does not cancel when the law is narrow.
"""

import numpy as np

from likelier.laws import tails
from likelier.laws.centre import logit_centre
from likelier.laws.double import Array
from likelier.laws.place import Place
from likelier.laws.quadrature import window
from likelier.laws.tails import Spot

_MOST_PANELS = 2**17
_BLOCK = 2**18


def f1_moments(a: float, b: float) -> tuple[float, float]:
    """Give the mean and the variance of 2U / (1 + U), U ~ Beta(a, b)."""
    spot, weights = _nodes(a, b)
    centre = 2 * a / (a + (a + b))
    step = -spot.residual / (a + b)
    deviation = step * (2 - centre) / (1 + spot.u)
    first, second = weights @ deviation, weights @ deviation**2
    return _moments(centre, float(first), float(second))


def fbeta_moments(
    tp: float, fp: float, fn: float, square: float
) -> tuple[float, float]:
    """Give the mean and the variance of Fbeta, square being beta²."""
    u, u_weights = _nodes(tp, fp + fn)
    v, v_weights = _nodes(fn, fp)
    first = second = 0.0
    size = max(1, _BLOCK // u.u.size)
    for start in range(0, v.u.size, size):
        block = slice(start, start + size)
        deviation = _deviation(u, v.take(block), square)
        first += float(v_weights[block] @ (deviation @ u_weights))
        second += float(v_weights[block] @ (deviation**2 @ u_weights))
    u0, c0 = tp / (tp + fp + fn), (fp + square * fn) / (fp + fn)
    top = (1 + square) * u0
    return _moments(top / (top + (1 - u0) * c0), first, second)


def _deviation(u: Spot, v: Spot, square: float) -> Array:
    """Give F(u, v) minus F at the means, for every v (rows) and u (columns)."""
    tp, false = u.a[0], u.b[0]
    u0, c0 = tp / (tp + false), (v.b[0] + square * v.a[0]) / false
    u_step, v_step = -u.residual / (tp + false), (-v.residual / false)[:, None]
    c = (v.v + square * v.u)[:, None]
    top = u_step * c0 - u0 * u.v * (square - 1) * v_step
    scale = (1 + square) * u.u + u.v * c
    scale0 = (1 + square) * u0 + (1 - u0) * c0
    return (1 + square) * top / (scale * scale0)


def _moments(centre: float, first: float, second: float) -> tuple[float, float]:
    return centre + first, second - first**2


def _nodes(a: float, b: float) -> tuple[Spot, Array]:
    """Give nodes and weights that integrate smooth functions of a Beta law."""
    low, high = window(lambda t: tails.log_kernel(_spot(a, b, t)), *_start(a, b))
    panels = 32
    while True:
        spot = _spot(a, b, np.linspace(low[0], high[0], 2 * panels + 1))
        values = np.exp(tails.log_kernel(spot))
        step = (high[0] - low[0]) / panels
        coarse, fine = step * values[::2].sum(), 0.5 * step * values.sum()
        if abs(coarse - fine) <= 1e-12 or panels >= _MOST_PANELS:
            return spot, values / values.sum()
        panels *= 2


def _start(a: float, b: float) -> tuple[Array, Array]:
    middle, spread = logit_centre(a, b)
    return np.array([middle]), np.array([spread])


def _spot(a: float, b: float, logit: Array) -> Spot:
    place = Place.of_logit(logit)
    return tails.spot(a, b, place.value, place.rest)
