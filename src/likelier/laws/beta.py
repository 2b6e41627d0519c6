"""The Beta law: precision, recall, accuracy and Jaccard, given counts.

With n = a + b and the residual r = a - n u of a point u, the deviance of u from a / n
is a sum of two terms that are never negative, so nothing cancels:

    log u^a (1-u)^b / B(a, b) = -a psi(-r/a) - b psi(r/b) + constant,
    psi(t) = t - log(1 + t).

The tail on the near side of the mean is that kernel times a ratio, which is a
continued fraction or, for large parameters, an integral on the logit scale.
"""

from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import special

from likelier._typing import BoolArray, FloatArray
from likelier.laws.law import Law, checked_count
from likelier.laws.numerics import UnitPoint, legendre

# Below, the continued fraction needs few steps; above, the integral is smooth.
_LARGE = 30.0
_DROP = 40.0
_NODES = 40
_BLOCK = 4096
# Coefficients, the highest power first: of Stirling's series, and of psi's.
_STIRLING = 1 / 156, -691 / 360360, 1 / 1188, -1 / 1680, 1 / 1260, -1 / 360, 1 / 12
_ODD = 1 / np.arange(25, 1, -2)


@dataclass(frozen=True)
class ScaledBetaLaw(Law):
    """The law of a variable whose odds are `scale` times those of U ~ Beta(a, b)."""

    a: float
    b: float

    scale: ClassVar[float]

    def __post_init__(self) -> None:
        checked_count("a", self.a, positive=True)
        checked_count("b", self.b, positive=True)

    def ends(self) -> tuple[float, float]:
        """Return a and b: the density goes like x^(a-1) near 0, (1-x)^(b-1) near 1."""
        return self.a, self.b

    def log_density(self, point: UnitPoint) -> FloatArray:
        """Return the log density inside the support."""
        at = beta_point(self.a, self.b, point, scale=self.scale)
        return log_kernel(at) - point.log_slope()

    def log_tails(self, point: UnitPoint) -> tuple[FloatArray, FloatArray]:
        """Return the logarithms of the lower and of the upper tail."""
        return log_tails(beta_point(self.a, self.b, point, scale=self.scale))

    def centre(self) -> tuple[float, float]:
        """Return the mean and the standard deviation of the logit."""
        middle, spread = logit_centre(self.a, self.b)
        return middle + float(np.log(self.scale)), spread


@dataclass(frozen=True)
class BetaLaw(ScaledBetaLaw):
    """The Beta law, exact in both tails for parameters up to 1e12.

    Examples
    --------
    >>> law = BetaLaw(81.0, 21.0)
    >>> round(law.mean(), 4), law.hdi(0.95).kind
    (0.7941, 'hdi')
    >>> round(BetaLaw(1e9, 1e9).logsf(0.501), 6)
    -4005.420662
    """

    scale = 1.0

    def mean(self) -> float:
        """Return the mean."""
        return self.a / (self.a + self.b)

    def var(self) -> float:
        """Return the variance."""
        n = self.a + self.b
        return self.a / n * (self.b / n) / (n + 1)

    def mode(self) -> float:
        """Return the value of highest density; 0.5 if all are equal."""
        if min(self.a, self.b) > 1:
            return (self.a - 1) / (self.a - 1 + (self.b - 1))
        if self.a == self.b == 1:
            return 0.5
        return 0.0 if self.a <= self.b else 1.0

    def rvs(self, size: int | tuple[int, ...], rng: np.random.Generator) -> FloatArray:
        """Draw random values."""
        return rng.beta(self.a, self.b, size)


def logit_centre(a: float, b: float) -> tuple[float, float]:
    """Return the mean and the standard deviation of the logit of a Beta law.

    Examples
    --------
    >>> logit_centre(3.0, 3.0)[0]
    0.0
    """
    variance = special.polygamma(1, a) + special.polygamma(1, b)
    return float(special.psi(a) - special.psi(b)), float(np.sqrt(variance))


class BetaPoint(NamedTuple):
    """Points of Beta laws with parameters a and b.

    u + v = 1, and residual = a - (a + b) u.
    """

    a: FloatArray
    b: FloatArray
    u: FloatArray
    v: FloatArray
    residual: FloatArray

    def mirrored(self) -> "BetaPoint":
        """Exchange the two ends at every point that lies above the mean."""
        above = self.residual < 0
        return BetaPoint(
            np.where(above, self.b, self.a),
            np.where(above, self.a, self.b),
            np.where(above, self.v, self.u),
            np.where(above, self.u, self.v),
            np.abs(self.residual),
        )

    def take(self, chosen: BoolArray | NDArray[np.intp] | slice) -> "BetaPoint":
        """Select points by a mask, by indices or by a slice."""
        return BetaPoint(*(field[chosen] for field in self))


def beta_point(
    a: float, b: float, point: UnitPoint, *, scale: float = 1.0
) -> BetaPoint:
    """Return the points of Beta(a, b) whose odds, times the scale, are a point's."""
    value, rest = point.value, point.rest
    total = np.where(value <= rest, scale - (scale - 1) * value, 1 + (scale - 1) * rest)
    u, v = value / total, scale * rest / total
    a_full, b_full = np.full_like(u, a), np.full_like(u, b)
    return BetaPoint(a_full, b_full, u, v, residual(scale * a, b, point) / total)


def residual(a: float, b: float, point: UnitPoint) -> FloatArray:
    """Return a rest - b value, as a - (a + b) value or the like from the upper end.

    What sums and product lose by rounding is added again (Dekker 1971). Without that,
    37 standard deviations out a tail would lose 1e-10 of itself with 1e9 items, and
    1e-9 with 1e12.
    """
    from_bottom = point.value <= point.rest
    near = np.where(from_bottom, point.value, point.rest)
    whole = np.where(from_bottom, a, b)
    n = a + b
    product = n * near
    result = whole - product
    (n_high, n_low), (near_high, near_low) = _halves(n), _halves(near)
    lost = (n_high * near_high - product) + n_high * near_low + n_low * near_high
    lost += n_low * near_low + near * (min(a, b) - (n - max(a, b)))
    back = result - whole
    lost += (product + back) - (whole - (result - back))
    return np.where(from_bottom, result - lost, lost - result)


def _halves(value: FloatArray | float) -> tuple[FloatArray | float, FloatArray | float]:
    """Split floats into two parts of 26 bits, whose products are exact."""
    scaled = 134217729.0 * value  # 2**27 + 1
    high = scaled - (scaled - value)
    return high, value - high


def log_kernel(at: BetaPoint) -> FloatArray:
    """Return log of u^a (1-u)^b / B(a, b), the density of the logit."""
    a, b, n = at.a, at.b, at.a + at.b
    with np.errstate(divide="ignore"):
        deviance = a * psi(-at.residual / a, n * at.u / a)
        deviance += b * psi(at.residual / b, n * at.v / b)
    scale = 0.5 * np.log(a / n * b / (2 * np.pi))
    return scale + stirling_rest(n) - stirling_rest(a) - stirling_rest(b) - deviance


def log_tails(at: BetaPoint) -> tuple[FloatArray, FloatArray]:
    """Return the logarithms of the lower and the upper tail."""
    near = at.mirrored()
    ratio = _log_ratio(BetaPoint(*map(np.ravel, near))).reshape(near.u.shape)
    return both_tails(log_kernel(near) + ratio, at.residual >= 0)


def both_tails(
    log_tail: FloatArray, is_lower: BoolArray
) -> tuple[FloatArray, FloatArray]:
    """Return both tails as logarithms, where one of them was computed."""
    one = np.minimum(log_tail, 0.0)
    with np.errstate(divide="ignore"):
        near_one = np.log(-np.expm1(one))
    other = np.where(one > -np.log(2), near_one, np.log1p(-np.exp(one)))
    return np.where(is_lower, one, other), np.where(is_lower, other, one)


def stirling_rest(z: FloatArray) -> FloatArray:
    """Return log gamma minus Stirling's formula.

    Examples
    --------
    >>> float(stirling_rest(np.array(1e9)))
    8.333333333333333e-11
    """
    large = np.maximum(z, 10.0)
    series = np.polyval(_STIRLING, 1 / large**2)
    small = np.minimum(z, 10.0)
    direct = special.gammaln(small) - (small - 0.5) * np.log(small) + small
    return np.where(z < 10, direct - 0.5 * np.log(2 * np.pi), series / large)


def psi(t: FloatArray, ratio: FloatArray | None = None) -> FloatArray:
    """Return t - log(1 + t) without cancellation.

    A ratio is 1 + t, computed more exactly than from t.

    Examples
    --------
    >>> f"{float(psi(np.array(1e-9))):.12g}"
    '4.99999999667e-19'
    """
    near = np.abs(t) < 0.4
    # There log(1 + t) = 2 artanh(t / (2 + t)), summed as a series.
    small = np.where(near, t, 0.0)
    z = small / (2 + small)
    series = z * (small - 2 * (z * z) * np.polyval(_ODD, z * z))
    return np.where(near, series, t - np.log(1 + t if ratio is None else ratio))


def _log_ratio(at: BetaPoint) -> FloatArray:
    """Return log of the lower tail over the kernel, at or below the mean."""
    result = np.empty_like(at.u)
    large = np.minimum(at.a, at.b) >= _LARGE
    if not large.all():
        result[~large] = np.log(_fraction(at.take(~large)))
    where = np.flatnonzero(large)
    for first in range(0, where.size, _BLOCK):
        block = where[first : first + _BLOCK]
        result[block] = np.log(_integral(at.take(block)))
    return result


def _integral(at: BetaPoint) -> FloatArray:
    """Integrate the kernel downwards on the logit scale, relative to its value here.

    The fall after a step s is r s + n K(s), K the cumulant function of one draw, and
    neither term is negative.
    """
    at = BetaPoint(at.a, at.b, at.u[:, None], at.v[:, None], at.residual[:, None])
    n = (at.a + at.b)[:, None]
    reach = _reach(at, n)
    nodes, weights = legendre(_NODES)
    s = reach * (0.5 + 0.5 * nodes)
    values = np.exp(-at.residual * s - n * _cumulant(at, s))
    return 0.5 * reach[:, 0] * (values @ weights)


def _cumulant(at: BetaPoint, s: FloatArray) -> FloatArray:
    """Return log(v + u e^-s) + u s, from the side on which little cancels."""
    left = at.u <= 0.5
    weight = np.where(left, at.u, at.v)
    growth = np.expm1(np.where(left, -s, s))
    return weight * psi(growth) - psi(weight * growth)


def _reach(at: BetaPoint, n: FloatArray) -> FloatArray:
    """Return the step after which the kernel has fallen by e^-40."""
    curvature = n * at.u * at.v
    s = 2 * _DROP / (at.residual + np.sqrt(at.residual**2 + 2 * _DROP * curvature))
    for _ in range(3):
        fall = at.residual * s + n * _cumulant(at, s)
        loss = -np.expm1(-s)
        slope = at.residual + curvature * loss / (1 - at.u * loss)
        s = np.maximum(s + (_DROP - fall) / slope, 0.1 * s)
    return s


def _fraction(at: BetaPoint) -> FloatArray:
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
