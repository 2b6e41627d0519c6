"""Logarithms of the Beta density and of both its tails, to about 1e-12.

The argument is an odds pair x : y, that is u = x / (x + y), both as double sums.
With n = a + b and the residual r = a - n u, the deviance of u from a / n is a sum of
two terms that are never negative, so nothing cancels:

    log u^a (1-u)^b / B(a, b) = -a psi(-r/a) - b psi(r/b) + constant,
    psi(t) = t - log(1 + t).

The tail on the near side of the mean is that kernel times a ratio, which is a
continued fraction or, for large parameters, an integral on the logit scale.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import special

from likelier.laws.double import Array, Double, Mask

# Below, the continued fraction needs few steps; above, the integral is smooth.
_LARGE = 30.0
_DROP = 40.0
_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(40)
_BLOCK = 4096
_STIRLING = (
    1 / 12,
    -1 / 360,
    1 / 1260,
    -1 / 1680,
    1 / 1188,
    -691 / 360360,
    1 / 156,
)


@dataclass(frozen=True, slots=True)
class Spot:
    """A point seen from the nearer side of a Beta law's mean.

    a, b are the law's parameters, or swapped; u + v = 1; residual = a - (a + b) u.
    """

    a: Array
    b: Array
    u: Array
    v: Array
    residual: Array

    @property
    def n(self) -> Array:
        """The sum of the parameters."""
        return self.a + self.b

    def mirrored(self) -> "Spot":
        """Look from below at every point that lies above the mean."""
        above = self.residual < 0
        return Spot(
            np.where(above, self.b, self.a),
            np.where(above, self.a, self.b),
            np.where(above, self.v, self.u),
            np.where(above, self.u, self.v),
            np.abs(self.residual),
        )

    def flat(self) -> "Spot":
        """Lay the points in one row."""
        return Spot(*(field.ravel() for field in self._fields()))

    def take(self, chosen: Mask | NDArray[np.intp] | slice) -> "Spot":
        """Keep the chosen points."""
        return Spot(*(field[chosen] for field in self._fields()))

    def _fields(self) -> tuple[Array, ...]:
        return self.a, self.b, self.u, self.v, self.residual


def spot(a: float, b: float, x: Double, y: Double) -> Spot:
    """Place the odds x : y in a Beta law."""
    total = (x + y).high
    residual = (Double.of(a) * y - Double.of(b) * x).high / total
    full = np.ones_like(residual)
    return Spot(a * full, b * full, x.high / total, y.high / total, residual)


def log_kernel(at: Spot) -> Array:
    """Give log of u^a (1-u)^b / B(a, b), the density of the logit."""
    a, b, n = at.a, at.b, at.n
    with np.errstate(divide="ignore"):
        deviance = a * _psi_ratio(-at.residual / a, n * at.u / a)
        deviance += b * _psi_ratio(at.residual / b, n * at.v / b)
    scale = 0.5 * np.log(a / n * b / (2 * np.pi))
    return scale + stirling_rest(n) - stirling_rest(a) - stirling_rest(b) - deviance


def log_tails(at: Spot) -> tuple[Array, Array]:
    """Give the logarithms of the lower and the upper tail."""
    near = at.mirrored()
    ratio = _log_ratio(near.flat()).reshape(near.u.shape)
    small = np.minimum(log_kernel(near) + ratio, 0.0)
    large = log_complement(small)
    above = at.residual < 0
    return np.where(above, large, small), np.where(above, small, large)


def log_complement(log_p: Array) -> Array:
    """Give log(1 - p)."""
    with np.errstate(divide="ignore"):
        near_one = np.log(-np.expm1(log_p))
    return np.where(log_p > -np.log(2), near_one, np.log1p(-np.exp(log_p)))


def stirling_rest(z: Array) -> Array:
    """Give what Stirling's formula lacks of log gamma.

    Examples
    --------
    >>> float(stirling_rest(np.array(1e9)))
    8.333333333333333e-11
    """
    large = np.maximum(z, 10.0)
    square = 1 / large**2
    series = np.zeros_like(large)
    for term in reversed(_STIRLING):
        series = series * square + term
    small = np.minimum(z, 10.0)
    direct = special.gammaln(small) - (small - 0.5) * np.log(small) + small
    return np.where(z < 10, direct - 0.5 * np.log(2 * np.pi), series / large)


def psi(t: Array) -> Array:
    """Give t - log(1 + t) without cancellation.

    Examples
    --------
    >>> f"{float(psi(np.array(1e-9))):.12g}"
    '4.99999999667e-19'
    """
    return _psi_ratio(t, 1 + t)


def _psi_ratio(t: Array, ratio: Array) -> Array:
    """Give psi(t) where ratio = 1 + t is known better than t tells."""
    near = np.abs(t) < 0.4
    return np.where(near, _psi_series(np.where(near, t, 0.0)), t - np.log(ratio))


def _psi_series(t: Array) -> Array:
    """Sum psi for |t| < 0.4 by log(1 + t) = 2 artanh(t / (2 + t))."""
    z = t / (2 + t)
    square = z * z
    series = np.zeros_like(z)
    for odd in range(25, 1, -2):
        series = series * square + 1 / odd
    return z * (t - 2 * square * series)


def _log_ratio(at: Spot) -> Array:
    """Give log of the lower tail over the kernel, at or below the mean."""
    result = np.empty_like(at.u)
    large = np.minimum(at.a, at.b) >= _LARGE
    if not large.all():
        result[~large] = np.log(_fraction(at.take(~large)))
    where = np.flatnonzero(large)
    for first in range(0, where.size, _BLOCK):
        block = where[first : first + _BLOCK]
        result[block] = np.log(_integral(at.take(block)))
    return result


def _integral(at: Spot) -> Array:
    """Integrate the kernel downwards on the logit scale, relative to its value here.

    The fall after a step s is r s + n K(s), K the cumulant function of one draw, and
    neither term is negative.
    """
    at = Spot(at.a, at.b, at.u[:, None], at.v[:, None], at.residual[:, None])
    n = at.n[:, None]
    reach = _reach(at, n)
    s = reach * (0.5 + 0.5 * _NODES)
    values = np.exp(-at.residual * s - n * _cumulant(at, s))
    return 0.5 * reach[:, 0] * (values @ _WEIGHTS)


def _cumulant(at: Spot, s: Array) -> Array:
    """Give log(v + u e^-s) + u s, from the side on which little cancels."""
    left = at.u <= 0.5
    weight = np.where(left, at.u, at.v)
    growth = np.expm1(np.where(left, -s, s))
    return weight * psi(growth) - psi(weight * growth)


def _reach(at: Spot, n: Array) -> Array:
    """Find the step after which the kernel has fallen by e^-40."""
    curvature = n * at.u * at.v
    s = 2 * _DROP / (at.residual + np.sqrt(at.residual**2 + 2 * _DROP * curvature))
    for _ in range(3):
        fall = at.residual * s + n * _cumulant(at, s)
        loss = -np.expm1(-s)
        slope = at.residual + curvature * loss / (1 - at.u * loss)
        s = np.maximum(s + (_DROP - fall) / slope, 0.1 * s)
    return s


def _fraction(at: Spot) -> Array:
    """Sum the continued fraction of DiDonato and Morris (1992), `BFRAC`.

    It is written in the residual, so that it does not cancel near the mean.
    """
    a, b, x, c = at.a, at.b, at.u, 1 + at.residual
    c0, c1 = b / a, 1 + 1 / a
    p, s = np.ones_like(a), a + 1
    before, now = (np.zeros_like(a), np.ones_like(a)), (np.ones_like(a), c / c1)
    ratio = c1 / c
    for k in range(1, 5000):
        t = k / a
        w = k * (b - k) * x
        e = a / s
        alpha = p * (p + c0) * e * e * w * x
        beta = k + w / s + (1 + t) / (c1 + t + t) * (c + k * (1 + at.v))
        p, s = 1 + t, s + 2
        top = alpha * before[0] + beta * now[0]
        bottom = alpha * before[1] + beta * now[1]
        last, ratio = ratio, top / bottom
        if not np.any(np.abs(ratio - last) > 1e-15 * np.abs(ratio)):
            break
        before = (now[0] / bottom, now[1] / bottom)
        now = (ratio, np.ones_like(a))
    return ratio
