"""Density of a distribution as a curve to draw: exact, or smoothed from draws.

Draws are smoothed by a kernel between the smallest and the largest of them, where the
curve is reflected: it is 0 beyond, and no mass is lost. Values that many draws share
are no density; they stand beside the curve as atoms.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, Protocol

import numpy as np

from likelier._typing import FloatArray
from likelier.distribution import Distribution, Draws

if TYPE_CHECKING:
    from likelier.interval import Rope

# Reach of a drawn density beyond its middle 95 %, as a multiple of that.
_REACH = 0.75
# Most that a rope reaches on either side, as a multiple of all else.
_WIDEST = 4.0
# Share of the draws from which on equal ones are an atom: less than an eye can see.
_ATOM = 0.01
# Draws this close, as a share of their spread, differ by rounding only.
_EQUAL = 1e-9
# Cells of a bandwidth, and the most of a curve.
_CELLS, _MOST_CELLS = 8, 1 << 16
# Reach of a kernel, in bandwidths.
_FAR = 5.0
# Width of the shortest quarter of a normal law, in standard deviations.
_NORMAL_QUARTER = 0.6373


class Atom(NamedTuple):
    """Value that many draws share, and their share of all draws."""

    value: float
    share: float


class _Law(Distribution, Protocol):
    def pdf(self, x: FloatArray) -> FloatArray:
        """Return the density."""


@dataclass(frozen=True, eq=False)
class DensityCurve:
    """Density at increasing points, with the atoms beside it.

    The area below the curve and the shares of the atoms are together the mass of the
    distribution from the first to the last point. Where a density ends in a step, a
    point stands twice.

    Attributes
    ----------
    x, height
        Points, and the density there; an infinite one is cut at the highest other.
    bandwidth
        Standard deviation of the Gaussian kernel, taken to the fourth order, that
        smoothed draws; None where nothing was smoothed.
    atoms
        Values that many draws share, in increasing order.

    Examples
    --------
    >>> draws = Draws(np.random.default_rng(0).normal(size=10_000))
    >>> curve = DensityCurve.of(draws, -5, 5)
    >>> round(curve.bandwidth, 2), round(float(curve.height.max()), 1)
    (0.39, 0.4)
    """

    x: FloatArray
    height: FloatArray
    bandwidth: float | None = None
    atoms: tuple[Atom, ...] = ()

    @classmethod
    def of(
        cls, distribution: Distribution, low: float, high: float, points: int = 300
    ) -> "DensityCurve":
        """Compute the density of a distribution between two ends.

        Parameters
        ----------
        distribution
            An exact law, or draws.
        low, high
            First and last point.
        points
            Number of points, over the whole and once more where the mass is.
        """
        inner = distribution.interval(0.999)
        # A distribution may be far narrower than the window.
        near = np.clip(np.linspace(inner.low, inner.high, points), low, high)
        x = np.union1d(np.linspace(low, high, points), near)
        if isinstance(distribution, Draws):
            return _smoothed(distribution, x)
        law: _Law = distribution  # type: ignore[assignment]
        height = np.asarray(law.pdf(x), dtype=np.float64)
        finite = height[np.isfinite(height)]
        top = float(finite.max(initial=0.0))
        return cls(x, np.nan_to_num(height, nan=0.0, posinf=top))

    def between(self, low: float, high: float) -> "DensityCurve":
        """Return the part between two ends, which become its first and last point."""
        low, high = max(low, float(self.x[0])), min(high, float(self.x[-1]))
        inside = (self.x > low) & (self.x < high)
        ends = np.interp([low, high], self.x, self.height)
        x = np.concatenate([[low], self.x[inside], [max(low, high)]])
        height = np.concatenate([ends[:1], self.height[inside], ends[1:]])
        atoms = tuple(atom for atom in self.atoms if low <= atom.value <= high)
        return DensityCurve(x, height, self.bandwidth, atoms)


def window(
    distribution: Distribution, *points: float, rope: "Rope | None" = None
) -> tuple[float, float]:
    """Return the ends of a picture that has a density, some points and a rope in it.

    Heavy tails are cut, those of a normal law are not; nor is a rope unless it is far
    wider than the rest.
    """
    low, high = distribution.interval(0.95)
    left, right = distribution.interval(0.999)
    reach = _REACH * (high - low)
    ends = [max(left, low - reach), min(right, high + reach), *points]
    if rope is not None:
        most = _WIDEST * (max(ends) - min(ends)) or np.inf
        ends += [max(rope.low, -most), min(rope.high, most)]
    margin = 0.04 * (max(ends) - min(ends)) or 0.01
    return min(ends) - margin, max(ends) + margin


def _smoothed(draws: Draws, x: FloatArray) -> DensityCurve:
    values, atoms = _apart(draws.ordered)
    atoms = tuple(atom for atom in atoms if x[0] <= atom.value <= x[-1])
    if not len(values):
        return DensityCurve(x, np.zeros_like(x), None, atoms)
    bandwidth = _bandwidth(values, draws.n_independent * len(values) / len(draws))
    # Draws farther out do not reach into the window.
    low = max(float(values[0]), x[0] - _FAR * bandwidth)
    high = min(float(values[-1]), x[-1] + _FAR * bandwidth)
    if low >= high:
        return DensityCurve(x, np.zeros_like(x), bandwidth, atoms)
    cells = int(np.clip(_CELLS * (high - low) / bandwidth, 64, _MOST_CELLS))
    counts, edges = np.histogram(values, cells, (low, high))
    heights = _kernel_density(counts / len(draws), high - low, bandwidth)
    before, within, after = x[x < low], x[(x > low) & (x < high)], x[x > high]
    inside = np.interp(within, (edges[1:] + edges[:-1]) / 2, heights)
    steps = [0.0, heights[0]], [heights[-1], 0.0]
    every = np.concatenate([before, [low, low], within, [high, high], after])
    height = np.concatenate([0 * before, steps[0], inside, steps[1], 0 * after])
    seen = (every >= x[0]) & (every <= x[-1])
    return DensityCurve(every[seen], height[seen], bandwidth, atoms)


def _apart(ordered: FloatArray) -> tuple[FloatArray, tuple[Atom, ...]]:
    """Part draws into those that have a density, and atoms.

    Where draws lie on a grid, and some of its values are atoms, all of them are: a
    curve through the others would be of the tails only.
    """
    spread = _shortest_quarter(ordered) or float(ordered[-1] - ordered[0])
    starts = np.flatnonzero(np.diff(ordered, prepend=-np.inf) > _EQUAL * spread)
    counts = np.diff(starts, append=len(ordered))
    many = counts >= max(2, _ATOM * len(ordered))
    rest = int(counts[~many].sum())
    if (many.any() or rest < 3) and 2 * np.count_nonzero(~many) <= rest + 2:
        many[:] = True
    atoms = zip(ordered[starts[many]], counts[many] / len(ordered), strict=True)
    kept = ordered[np.repeat(~many, counts)]
    return kept, tuple(Atom(float(value), float(share)) for value, share in atoms)


def _shortest_quarter(ordered: FloatArray) -> float:
    quarter = len(ordered) // 4
    return float((ordered[quarter:] - ordered[: len(ordered) - quarter]).min())


def _bandwidth(ordered: FloatArray, n: float) -> float:
    """Return the bandwidth of n independent draws, the best for a normal law.

    The shortest quarter guards against several peaks and heavy tails, as the
    interquartile range does in Silverman's rule.
    """
    spreads = float(ordered.std()), _shortest_quarter(ordered) / _NORMAL_QUARTER
    spread = min(spread for spread in spreads if spread > 0)
    return float(1.08 * spread * max(n, 1.0) ** (-1 / 9))


def _kernel_density(shares: FloatArray, width: float, bandwidth: float) -> FloatArray:
    """Smooth the shares of cells of a whole width, reflected at its ends.

    The cosine transform is that of a row with its mirror images on both sides. The
    kernel of fourth order has no bias of second order, so a wide one serves, and the
    curve is smooth.

    References
    ----------
    Wand & Jones (1995), Kernel Smoothing, section 2.8.
    """
    from scipy.fft import dct, idct

    frequency = np.pi * np.arange(len(shares)) / width
    power = 0.5 * (bandwidth * frequency) ** 2
    heights = np.maximum(idct(dct(shares) * (1 + power) * np.exp(-power)), 0.0)
    # What the negative parts of the kernel took away is put back.
    return heights * (shares.sum() / heights.sum()) * (len(shares) / width)
