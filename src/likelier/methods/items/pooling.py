"""Concentration and centre of the Dirichlet that classes share.

Each class has its own distribution over the same few cells, and all of them come from
one Dirichlet(concentration x centre). The classes' own distributions are conjugate and
fall out; what is left is a posterior of the logarithm of the concentration and of the
centre. Given the concentration it is a concave function of the centre, a sum over
cells, so that Newton's method finds its one mode. Hence no MCMC: the
concentration is drawn from a histogram whose bars are Laplace's integrals over the
centre, the centre from a Student t around its mode at that bar, and each point is
weighed by what the posterior truly is there.
"""

from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
from scipy import special

from likelier._typing import FloatArray, IntArray
from likelier.errors import NotDefinedError
from likelier.streams import Streams

# The tails of the logarithm of the concentration fall at least like exp(-|x| / 2).
_MARGIN = 40.0
_DEPTH = 25.0
_BARS = 128
_ROUNDS = 4
# Cells that never occurred have a long tail on one side of the centre's mode.
_FREEDOM = 5.0
_WIDER = 1.15
_NEWTON_STEPS = 50
_LONGEST_STEP = 3.0
_CLOSE = 1e-7
# Resampled points stand for so many independent draws only if there are more of them.
_POINTS_PER_DRAW = 2
_LEAST_POINTS = 4_000
_LEAST_EFFECTIVE = 0.05
_HALF_LOG_2PI = 0.5 * np.log(2 * np.pi)
# Below, scipy's functions; above, their series, which can be subtracted safely.
_SERIES_FROM = 20.0
_LEAST_SHAPE, _LEAST_LOG = 1e-280, -640.0


@dataclass(frozen=True, eq=False)
class Pooling:
    """Prior that the classes share on one side of the gold labels, as weighted points.

    Attributes
    ----------
    log_concentration
        Logarithm of the number of items that the common centre weighs as much as
        (point,).
    centre
        Common distribution over the cells (point, cell).
    weights
        Posterior probability of each point.
    """

    log_concentration: FloatArray = field(repr=False)
    centre: FloatArray = field(repr=False)
    weights: FloatArray = field(repr=False)

    @property
    def effective(self) -> float:
        """Share of the points that equally good independent ones would need."""
        return float(1.0 / (len(self.weights) * (self.weights**2).sum()))

    def concentration(self, share: float = 0.5) -> float:
        """Return a quantile of the concentration, the median by default."""
        order = np.argsort(self.log_concentration)
        below = np.cumsum(self.weights[order])
        index = min(int(np.searchsorted(below, share)), len(order) - 1)
        return float(np.exp(self.log_concentration[order[index]]))

    def shapes(self, generator: np.random.Generator, n: int) -> FloatArray:
        """Draw the prior that the classes share: shapes of a Dirichlet (draw, cell)."""
        # Points are independent, so taking them in their order does no harm.
        steps = (np.arange(n) + generator.random()) / n
        index = np.minimum(np.searchsorted(self._below, steps), len(self._below) - 1)
        concentration = np.exp(self.log_concentration[index])
        return concentration[:, np.newaxis] * self.centre[index]

    @cached_property
    def _below(self) -> FloatArray:
        total = np.cumsum(self.weights)
        return np.asarray(total / total[-1])


def pool(
    table: FloatArray,
    streams: Streams,
    *,
    purpose: int,
    draws: int,
    concentration: float | None = None,
    fixed: FloatArray | None = None,
) -> Pooling:
    """Compute the posterior of the prior that the classes share.

    Parameters
    ----------
    table
        Counts (class, cell).
    streams
        Source of random numbers.
    purpose
        Number of their stream, which no other use under one seed has.
    draws
        Number of draws that will be made of the points.
    concentration
        Concentration, where it is not to be learned.
    fixed
        Centre (cell,), where it is not to be learned.
    """
    counts = _Counts.of(table)
    proposal = _Proposal.of(counts, concentration, fixed)
    points = max(_POINTS_PER_DRAW * draws, _LEAST_POINTS)
    drawn = replace(streams, draws=points).run(
        lambda generator, n: proposal.draw(counts, generator, n),
        width=4 * counts.n_cells,
        purpose=purpose,
    )
    weights = special.softmax(drawn[:, -1])
    pooling = Pooling(drawn[:, 0], drawn[:, 1:-1], weights)
    if pooling.effective < _LEAST_EFFECTIVE:
        message = (
            f"The points must have an effective size of at least "
            f"{_LEAST_EFFECTIVE:.0%} of their number; got {pooling.effective:.2%}."
        )
        raise NotDefinedError(message, hint="Fix the concentration.")
    return pooling


@dataclass(frozen=True)
class _Repeated:
    """Distinct counts above 0, and how many classes have each."""

    counts: FloatArray
    classes: FloatArray

    @classmethod
    def of(cls, column: FloatArray) -> "_Repeated":
        counts, classes = np.unique(column[column > 0], return_counts=True)
        return cls(counts, classes.astype(np.float64))

    def excess(self, shape: FloatArray) -> FloatArray:
        """Add up log Gamma(shape + count) - log Gamma(shape) - count log(shape)."""
        total, own = np.zeros_like(shape), _log_gamma_rest(shape)
        for count, classes in zip(self.counts, self.classes, strict=True):
            more = shape + count
            grown = (more - 0.5) * np.log1p(count / shape) - count
            total += classes * (grown + _log_gamma_rest(more) - own)
        return total

    def slopes(self, shape: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Differentiate log Gamma(shape + count) - log Gamma(shape), added up.

        Returns
        -------
        tuple
            The slope along log(shape), and the part of it that bends down.
        """
        slope, bend = np.zeros_like(shape), np.zeros_like(shape)
        digamma, trigamma = _digamma_rest(shape), _trigamma_rest(shape)
        for count, classes in zip(self.counts, self.classes, strict=True):
            more = shape + count
            rest = _digamma_rest(more) - digamma
            slope += classes * shape * (np.log1p(count / shape) + rest)
            share = shape / more
            bent = share * count + trigamma - share**2 * _trigamma_rest(more)
            bend += classes * bent
        return slope, bend


@dataclass(frozen=True)
class _Counts:
    """The counts of the classes, cell by cell and altogether."""

    cells: tuple[_Repeated, ...]
    items: _Repeated
    totals: FloatArray

    @classmethod
    def of(cls, table: FloatArray) -> "_Counts":
        cells = tuple(_Repeated.of(column) for column in table.T)
        return cls(cells, _Repeated.of(table.sum(axis=1)), table.sum(axis=0))

    @property
    def n_cells(self) -> int:
        return len(self.cells)

    def log_likelihood(self, x: FloatArray, log_centre: FloatArray) -> FloatArray:
        """Compute the likelihood of log concentrations (n,) and centres (n, cell)."""
        # Beside the likelihood of one multinomial all terms are moderate, and that is
        # measured from its maximum: nothing large is subtracted.
        best = _log(self.totals / max(self.totals.sum(), 1.0))
        level = np.where(self.totals > 0, best, 0.0)
        total = (self.totals * (log_centre - level)).sum(axis=1)
        for column, cell in zip(log_centre.T, self.cells, strict=True):
            total = total + cell.excess(_shape(x + column))
        return total - self.items.excess(_shape(x))

    def log_posterior(self, x: FloatArray, log_centre: FloatArray) -> FloatArray:
        """Compute the density along x and along log ratios of the centre's cells."""
        usual = np.log(self.n_cells)
        # n / (n + concentration) is uniform, and so is the centre.
        prior = x - 2 * np.logaddexp(x, usual) + log_centre.sum(axis=1)
        return prior + self.log_likelihood(x, log_centre)

    def slopes(
        self, x: FloatArray, log_centre: FloatArray
    ) -> tuple[FloatArray, FloatArray]:
        """Differentiate the posterior along the logarithm of each cell (n, cell)."""
        columns = zip(log_centre.T, self.cells, strict=True)
        both = [cell.slopes(_shape(x + column)) for column, cell in columns]
        slope, bend = (np.column_stack(part) for part in zip(*both, strict=True))
        return 1.0 + slope, 1.0 + bend


def _modes(counts: _Counts, x: FloatArray) -> FloatArray:
    """Find the logarithm of the centre's mode at each log concentration (n, cell)."""
    start = np.log1p(counts.totals) - np.log((1 + counts.totals).sum())
    log_centre = np.tile(start, (len(x), 1))
    for _ in range(_NEWTON_STEPS):
        step = _newton_step(log_centre, *counts.slopes(x, log_centre))
        moved = log_centre + np.clip(step, -_LONGEST_STEP, _LONGEST_STEP)
        log_centre = special.log_softmax(moved, axis=1)
        if np.abs(step).max() < _CLOSE:
            break
    return log_centre


def _newton_step(
    log_centre: FloatArray, slope: FloatArray, bend: FloatArray
) -> FloatArray:
    """Go towards slopes that stand to each other as the cells do."""
    aim, gain = np.log(slope) - log_centre, slope / bend
    pull = np.exp(log_centre) * gain
    middle = (pull * aim).sum(axis=1) / pull.sum(axis=1)
    return np.asarray((aim - middle[:, np.newaxis]) * gain)


def _precision(
    log_centre: FloatArray, slope: FloatArray, bend: FloatArray
) -> FloatArray:
    """Compute minus the second derivatives at the mode (n, cell, cell)."""
    centre, rest = np.exp(log_centre), slope - bend
    cross = rest[:, :, np.newaxis] * centre[:, np.newaxis, :]
    both = (slope + rest).sum(axis=1)[:, np.newaxis, np.newaxis]
    square = centre[:, :, np.newaxis] * centre[:, np.newaxis, :]
    own = bend[:, :, np.newaxis] * np.eye(bend.shape[1])
    return np.asarray(own + cross + cross.transpose(0, 2, 1) - both * square)


@dataclass(frozen=True)
class _Spread:
    """Centres at bars, in log ratios to the commonest cell; none where it is fixed."""

    log_centre: FloatArray
    others: IntArray
    root: FloatArray
    log_volume: FloatArray

    @classmethod
    def of(cls, counts: _Counts, x: FloatArray, fixed: FloatArray | None) -> "_Spread":
        if fixed is not None:
            none = np.zeros((len(x), 0, 0))
            log_centre = np.tile(np.log(fixed), (len(x), 1))
            return cls(log_centre, np.zeros(0, dtype=np.int64), none, np.zeros(len(x)))
        log_centre = _modes(counts, x)
        precision = _precision(log_centre, *counts.slopes(x, log_centre))
        cells = np.arange(counts.n_cells)
        # Ratios to the commonest cell keep rare cells apart from the others.
        others = cells[cells != np.argmax(counts.totals)]
        lower = np.linalg.cholesky(precision[:, others][:, :, others])
        root = np.linalg.inv(lower).transpose(0, 2, 1)
        volume = -np.log(np.diagonal(lower, axis1=1, axis2=2)).sum(axis=1)
        return cls(log_centre, others, root, volume)

    def draw(
        self, bar: IntArray, generator: np.random.Generator
    ) -> tuple[FloatArray, FloatArray]:
        """Draw log centres (n, cell) and the density of each."""
        width = len(self.others)
        normal = generator.standard_normal((len(bar), width))
        chi = generator.chisquare(_FREEDOM, size=len(bar)) / _FREEDOM
        noise = _WIDER * normal / np.sqrt(chi)[:, np.newaxis]
        moved = self.log_centre[bar]
        moved[:, self.others] += (self.root[bar] @ noise[:, :, np.newaxis])[:, :, 0]
        distance = (noise**2).sum(axis=1) / (_WIDER**2 * _FREEDOM)
        density = -(_FREEDOM + width) / 2 * np.log1p(distance) if width else 0.0
        return special.log_softmax(moved, axis=1), density - self.log_volume[bar]


@dataclass(frozen=True)
class _Proposal:
    """A histogram of the log concentration, with a spread of centres at each bar."""

    x: FloatArray
    step: float
    mass: FloatArray
    spread: _Spread

    @classmethod
    def of(
        cls, counts: _Counts, concentration: float | None, fixed: FloatArray | None
    ) -> "_Proposal":
        if concentration is not None:
            x = np.array([np.log(concentration)])
            return cls(x, 0.0, np.ones(1), _Spread.of(counts, x, fixed))
        low = np.log(counts.n_cells) - _MARGIN
        high = np.log(counts.n_cells + counts.totals.sum()) + _MARGIN
        x = np.linspace(low, high, _BARS)
        for _ in range(_ROUNDS - 1):
            x = cls._at(counts, x, fixed)._narrowed()
        return cls._at(counts, x, fixed)

    @classmethod
    def _at(
        cls, counts: _Counts, x: FloatArray, fixed: FloatArray | None
    ) -> "_Proposal":
        spread = _Spread.of(counts, x, fixed)
        density = counts.log_posterior(x, spread.log_centre) + spread.log_volume
        mass = special.softmax(np.maximum(density, density.max() - _MARGIN))
        return cls(x, float(x[1] - x[0]), mass, spread)

    def _narrowed(self) -> FloatArray:
        """Move the bars to where the mass is, one beyond on either side."""
        bars = np.flatnonzero(self.mass > np.exp(-_DEPTH) * self.mass.max())
        first, last = max(bars[0] - 1, 0), min(bars[-1] + 1, len(self.x) - 1)
        return np.linspace(self.x[first], self.x[last], _BARS)

    def draw(
        self, counts: _Counts, generator: np.random.Generator, n: int
    ) -> FloatArray:
        """Draw rows of log concentration, centre and log weight."""
        # Evenly spaced, but in no order: later only some of them may be taken.
        even = generator.permutation(n) + generator.random(n)
        ends = np.concatenate([[0.0], np.cumsum(self.mass)])
        position = np.interp(even / n * ends[-1], ends, np.arange(len(ends)))
        bar = np.minimum(position.astype(np.int64), len(self.x) - 1)
        x = self.x[bar] + self.step * (position - bar - 0.5)
        log_centre, density = self.spread.draw(bar, generator)
        weight = counts.log_posterior(x, log_centre) - density - np.log(self.mass[bar])
        return np.column_stack([x, np.exp(log_centre), weight])


def _log(number: FloatArray) -> FloatArray:
    """Compute logarithms, with a very small number for 0."""
    return np.asarray(np.log(np.maximum(number, _LEAST_SHAPE)))


def _shape(logarithm: FloatArray) -> FloatArray:
    return np.asarray(np.exp(np.maximum(logarithm, _LEAST_LOG)))


def _log_gamma_rest(z: FloatArray) -> FloatArray:
    """Compute log Gamma(z) - (z - 1/2) log z + z, up to a constant."""
    u = 1 / np.maximum(z, _SERIES_FROM)
    v = u * u
    rest = u * (1 / 12 - v * (1 / 360 - v * (1 / 1260 - v / 1680)))
    low = z < _SERIES_FROM
    a = z[low]
    rest[low] = special.gammaln(a) - (a - 0.5) * np.log(a) + a - _HALF_LOG_2PI
    return np.asarray(rest)


def _digamma_rest(z: FloatArray) -> FloatArray:
    """Compute digamma(z) - log z."""
    u = 1 / np.maximum(z, _SERIES_FROM)
    v = u * u
    rest = -u / 2 - v * (1 / 12 - v * (1 / 120 - v * (1 / 252 - v / 240)))
    low = z < _SERIES_FROM
    rest[low] = special.digamma(z[low]) - np.log(z[low])
    return np.asarray(rest)


def _trigamma_rest(z: FloatArray) -> FloatArray:
    """Compute z^2 trigamma(z) - z."""
    u = 1 / np.maximum(z, _SERIES_FROM)
    v = u * u
    rest = 0.5 + u * (1 / 6 - v * (1 / 30 - v * (1 / 42 - v / 30)))
    low = z < _SERIES_FROM
    a = z[low]
    rest[low] = 1 + a * a * special.zeta(2, 1 + a) - a
    return np.asarray(rest)
