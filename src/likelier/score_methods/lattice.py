"""The posterior of the population of data sets: centre, spread and tails.

Rows stand at even steps of log(nu - 1), where the trapezoidal rule converges faster
than any power of the step: the rows of twice the step tell how far it is from the
truth. Along each row, panels of log sigma0 hold lines over delta0. Panels and lines
are halved, and steps too, until the wanted shares stand still.
"""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy import special

from likelier.score_methods.blend import POINTS, legendre, log_blend, student_scale
from likelier.score_methods.lines import (
    GAINED,
    ORDER,
    Panels,
    gained,
    integrate,
    last_modes,
    points_between,
    worst,
)

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]

# Bounds of the hyper-prior: nu - 1 ~ Gamma(a, b), a ~ U(1, 2), b ~ U(.01, .1).
SHAPES, RATES = (1.0, 2.0), (0.01, 0.1)
# Below and above, nu - 1 has no more than 1e-6 of the prior.
_TAILS = (1e-6, 2000.0)
# Below so small a part of the finest scale, sigma0 is as good as 0.
_TINY = 1e-6
_STEP = 0.8
_LEAST_STEP = 0.05
# Lines and panels so much lighter than the heaviest, in the logarithm, are left out.
_LIGHT = 14.0
# Parts of lines are given this much more room than lines.
_SPARED = 4.0
# So near its peak, no line is cut.
_NEAR = 4.0
# Beside panels that are heavier than this share, none is left out.
_EDGE = 1e-6
# What is left out falls off on several sides.
_LEFT_OUT = 1e-5
# Panels of log sigma0: in standard deviations from the middle, and at most.
_PANELS, _LONGEST = np.array([1.8, 2.2, 4.0]), 2.5
_SKETCHED, _USUAL_TAILS = 400, 20.0
_SEEDS = np.array([2.5, 8.0, 30.0])
_EM_STEPS = 60
_MOST_PLACES = 12
_MOST_ROUNDS = 30
_BISECTIONS = 36
_PROBES = 200


@dataclass(frozen=True, eq=False)
class Means:
    """What the folds of each data set say of its own difference: a Student law each.

    All in units of the mean standard deviation of folds.

    Attributes
    ----------
    centre, scale, df
        The law of each data set's difference, given a flat prior.
    bound
        delta0 lies between minus and plus this.
    widest
        sigma0 lies between 0 and this.
    """

    centre: FloatArray
    scale: FloatArray
    df: FloatArray
    bound: float
    widest: float


@dataclass(frozen=True)
class Region:
    """A stretch of differences: which part of the next data set has the most mass.

    On a line the part below the stretch wins up to one delta0, the part above it from
    another one on, and the stretch between them.

    Attributes
    ----------
    low, high
        Its ends; the same where there is no stretch, and only two parts.
    """

    low: float
    high: float

    @property
    def middle(self) -> float:
        """Where the parts below and above are equally large."""
        return 0.5 * (self.low + self.high)

    def kink(self, tails: FloatArray) -> FloatArray:
        """Give the log sigma0 from which on the stretch never wins, for each nu."""
        half = 0.5 * (self.high - self.low)
        if half == 0:
            return np.full(len(tails), -np.inf)
        # At its best it has a third of the mass.
        return np.asarray(np.log(half / special.stdtrit(1 + np.exp(tails), 2 / 3)))

    def reach(self, spread: FloatArray, tails: FloatArray) -> FloatArray:
        """Say how far from the middle the stretch wins, for each sigma0 and nu."""
        half, sigma, nu = self.high - self.middle, np.exp(spread), 1 + np.exp(tails)
        least, most = np.zeros(len(spread)), np.full(len(spread), half)
        for _ in range(_BISECTIONS):
            away = 0.5 * (least + most)
            above = special.stdtr(nu, (away - half) / sigma)
            below = special.stdtr(nu, (-half - away) / sigma)
            wins = 1 - above - below > above
            least, most = np.where(wins, away, least), np.where(wins, most, away)
        return np.where(spread < self.kink(tails), 0.5 * (least + most), 0.0)

    def parts(self, panels: Panels, reach: FloatArray) -> FloatArray:
        """Give the mass of each panel where each part wins (part, panel)."""
        away = reach[panels.line]
        below = panels.below(self.middle - away)
        above = panels.above(self.middle + away)
        whole = panels.masses.sum(axis=1)
        return np.stack([below, np.maximum(whole - below - above, 0.0), above])


@dataclass(frozen=True, eq=False)
class Lattice:
    """The posterior of (delta0, sigma0, nu) as weighted points on lines.

    Attributes
    ----------
    spread, tails
        The logarithms of sigma0 and of nu - 1 on each line.
    weight
        The weight of each line in integrals over sigma0 and nu.
    panels
        The lines.
    rows
        Panels of log sigma0 in rows of one nu, with the mass of their lines.
    step
        The step between rows, in log(nu - 1).
    error
        An estimate of the error of the shares it was made for.
    """

    spread: FloatArray
    tails: FloatArray
    weight: FloatArray
    panels: Panels
    rows: Panels
    step: float
    error: float

    @property
    def masses(self) -> FloatArray:
        """The probability of each point (panel, point)."""
        return self.panels.masses * self.weight[self.panels.line][:, None]

    @property
    def row_masses(self) -> tuple[FloatArray, FloatArray]:
        """The logarithm of nu - 1 on every row, in even steps, and its probability."""
        number = self.rows.line
        place = np.arange(number.min(), number.max() + 1)
        masses = np.zeros(len(place))
        np.add.at(masses, number - place[0], self.rows.masses.sum(axis=1))
        return np.log(_TAILS[1]) - self.step * place, masses

    def shares(self, region: Region) -> tuple[float, float, float]:
        """Give how probable it is that each part of a region has the most mass."""
        parts = region.parts(self.panels, region.reach(self.spread, self.tails))
        summed = np.maximum(parts @ self.weight[self.panels.line], 0.0)
        if region.low == region.high:
            summed[1] = 0.0
        worse, inside, better = summed / summed.sum()
        return float(worse), float(inside), float(better)


def solve(means: Means, region: Region, *, tolerance: float) -> Lattice:
    """Refine rows, panels and lines until the wanted shares stand still.

    Parameters
    ----------
    means
        What is known of each data set.
    region
        Whose shares must be right.
    tolerance
        How large the estimated error of a share may be.
    """
    for points in (POINTS, 2 * POINTS, 4 * POINTS):
        found, blended = _settled(_Rows(means, region, tolerance, points))
        if blended <= 0.3 * tolerance:
            break
    return found


def _settled(rows: "_Rows") -> tuple[Lattice, float]:
    """Refine the rows; give what was found, and the part of its error from blends."""
    while True:
        rows.settle()
        if rows.grow():
            continue
        error = rows.step_error()
        if error <= 0.4 * rows.tolerance or rows.step <= _LEAST_STEP:
            return rows.lattice(error)
        rows.halve_step()


def log_prior_tails(log_tails: FloatArray) -> FloatArray:
    """Give the log density of log(nu - 1), shape and rate integrated out."""
    nodes, weights = legendre(24)
    shape = np.mean(SHAPES) + 0.5 * np.ptp(SHAPES) * nodes[:, None]
    rate = np.mean(RATES) + 0.5 * np.ptp(RATES) * nodes
    constant = shape * np.log(rate) - special.gammaln(shape)
    both = 0.25 * np.multiply.outer(weights, weights)
    # Rows share their nu: there are few of them.
    distinct, place = np.unique(log_tails, return_inverse=True)
    logs = (
        constant[..., None]
        + shape[..., None] * distinct
        - rate[:, None] * np.exp(distinct)
    )
    return np.asarray(special.logsumexp(logs, b=both[..., None], axis=(0, 1)))[place]


class _Rows:
    """Rows of panels along log sigma0, each point of them a line over delta0."""

    def __init__(
        self, means: Means, region: Region, tolerance: float, points: int
    ) -> None:
        self.means, self.region, self.tolerance = means, region, tolerance
        self.points = points
        self.step, self.heaviest, self.unit = _STEP, -np.inf, 0.0
        self.row = np.empty(0, dtype=np.int64)
        self.low, self.high = np.empty(0), np.empty(0)
        # The first line of each panel, and the mass of every region on its lines.
        self.first = np.empty(0, dtype=np.int64)
        self.parts = np.empty((3, 0, ORDER))
        self.spread, self.tails, self.reach = np.empty(0), np.empty(0), np.empty(0)
        self.lines: list[Panels] = []
        self.line_error = 0.0
        # Row, low and high end of panels too light to be looked at.
        self.waiting = np.empty((3, 0))
        span = np.log(_TAILS[1] / _TAILS[0])
        self._add_rows(np.arange(int(np.ceil(span / self.step))))

    def settle(self) -> None:
        """Halve panels until the shares of all regions fit."""
        for _ in range(_MOST_ROUNDS):
            chosen = worst(self._errors(), 0.3 * self.tolerance)
            if not chosen.any():
                break
            row, low, high = self.row[chosen], self.low[chosen], self.high[chosen]
            middle = 0.5 * (low + high)
            self._keep(~chosen)
            self._add(
                np.concatenate([row, row]),
                np.concatenate([low, middle]),
                np.concatenate([middle, high]),
            )

    def step_error(self) -> float:
        """Say how far the shares are off, from those of every second row.

        Halving the step squares the error of the trapezoidal rule; a lesser power of
        what the rows of twice the step are off leaves a margin.
        """
        masses = self.parts * self._weights()
        every = masses.sum(axis=(1, 2))
        second = masses[:, self.row % 2 == 0].sum(axis=(1, 2))
        gap = float(np.abs(every / every.sum() - second / second.sum()).max())
        return gap**GAINED

    def halve_step(self) -> None:
        """Put a row between every two, and one beyond."""
        self.step /= 2
        self.row = 2 * self.row
        self.waiting[0] *= 2
        between = np.unique(np.concatenate([self.row - 1, self.row + 1]))
        self._add_rows(between[between >= 0])

    def lattice(self, step_error: float) -> tuple[Lattice, float]:
        """Give what was found, normalised, and the error of the blends in it."""
        weight = np.zeros(len(self.spread))
        weight[self.first[:, None] + np.arange(ORDER)] = self._weights()
        every = self.lines[0]
        for panels in self.lines[1:]:
            every = every.joined(panels)
        every = every.kept(weight[every.line] > 0)
        weight /= self._total()
        error = step_error + float(self._errors().sum()) + self.line_error + _LEFT_OUT
        total = self._total()
        with np.errstate(divide="ignore"):
            heights = np.log(self.parts.sum(axis=0) / total)
        rows = Panels(self.row, self.low, self.high, heights)
        found = Lattice(self.spread, self.tails, weight, every, rows, self.step, error)
        blended = self._blend_error(found)
        return replace(found, error=error + blended), blended

    def _total(self) -> float:
        return float((self.parts * self._weights()).sum())

    def _weights(self) -> FloatArray:
        _, weights = legendre(ORDER)
        return 0.5 * (self.high - self.low)[:, None] * weights

    def _errors(self) -> FloatArray:
        """Give the error of each panel, relative to the whole."""
        masses = (self.parts * self._weights()).sum(axis=(0, 2))
        half = 0.5 * (self.high - self.low)
        last = half * last_modes(self.parts).max(axis=0)
        return gained(masses, last) / masses.sum()

    def _keep(self, chosen: NDArray[np.bool_]) -> None:
        self.row, self.first = self.row[chosen], self.first[chosen]
        self.low, self.high = self.low[chosen], self.high[chosen]
        self.parts = self.parts[:, chosen]

    def _tails_of(self, row: IntArray) -> FloatArray:
        return np.asarray(np.log(_TAILS[1]) - self.step * row)

    def _add_rows(self, row: IntArray) -> None:
        """Cut new rows into panels, at the kink of the shares too, and lay lines."""
        edges = _first_edges(self.means)
        kinks = np.clip(self.region.kink(self._tails_of(row)), edges[0], edges[-1])
        every = np.sort(
            np.column_stack([np.broadcast_to(edges, (len(row), len(edges))), kinks])
        )
        low, high = every[:, :-1].ravel(), every[:, 1:].ravel()
        number = np.repeat(row, len(edges))
        real = high - low > 1e-9
        number, low, high = number[real], low[real], high[real]
        heavy = self._heavy(number, low, high)
        light = np.stack([number, low, high])[:, ~heavy]
        self.waiting = np.concatenate([self.waiting, light], axis=1)
        self._add(number[heavy], low[heavy], high[heavy])

    def grow(self) -> bool:
        """Take in panels that a sketch found light, beside ones that are not.

        Returns
        -------
        bool
            Whether there were any.
        """
        masses = (self.parts * self._weights()).sum(axis=(0, 2))
        heavy = masses > _EDGE * masses.sum()
        row, low, high = (part[:, None] for part in self.waiting)
        same, apart = row == self.row[heavy], np.abs(row - self.row[heavy])
        touching = (np.abs(self.low[heavy] - high) < 1e-9) | (
            np.abs(self.high[heavy] - low) < 1e-9
        )
        over = (apart == 1) & (self.low[heavy] < high) & (low < self.high[heavy])
        chosen = ((same & touching) | over).any(axis=1)
        new, self.waiting = self.waiting[:, chosen], self.waiting[:, ~chosen]
        self._add(new[0].astype(np.int64), new[1], new[2])
        return bool(chosen.any())

    def _heavy(
        self, row: IntArray, low: FloatArray, high: FloatArray
    ) -> NDArray[np.bool_]:
        """Tell which panels a sketch finds worth their lines."""
        tails = self._tails_of(np.repeat(row, ORDER))
        sketched = _sketch(self.means, points_between(low, high).ravel(), tails)[2]
        best = sketched.reshape(-1, ORDER).max(axis=1)
        if not self.lines:
            # Fixed at the first sketch, so that all lines share one unit.
            self.unit = float(best.max())
        self.heaviest = max(self.heaviest, float(best.max()))
        return np.asarray(best > self.heaviest - _LIGHT)

    def _add(self, row: IntArray, low: FloatArray, high: FloatArray) -> None:
        """Lay a line over every point of new panels."""
        if not len(row):
            return
        first, count = len(self.spread), len(row) * ORDER
        spread = points_between(low, high).ravel()
        tails = self._tails_of(np.repeat(row, ORDER))
        self.spread = np.concatenate([self.spread, spread])
        self.tails = np.concatenate([self.tails, tails])
        reach = self.region.reach(spread, tails)
        self.reach = np.concatenate([self.reach, reach])
        middle = self.region.middle
        line, start, end = _seeds(self.means, spread, tails, self.heaviest)
        panels, error = integrate(
            self._log_density,
            line + first,
            start,
            end,
            cuts=(middle - self.reach, middle + self.reach),
            tolerance=0.2 * self.tolerance,
            known=float(self.parts.sum()),
        )
        whole = max(float(self.parts.sum()), float(panels.masses.sum()))
        self.line_error = max(self.line_error, error / whole)
        self.lines.append(panels)
        found = self.region.parts(panels, self.reach)
        masses = [np.bincount(panels.line - first, part, count) for part in found]
        self.row = np.concatenate([self.row, row])
        self.low = np.concatenate([self.low, low])
        self.high = np.concatenate([self.high, high])
        self.first = np.concatenate([self.first, first + ORDER * np.arange(len(row))])
        new = np.stack(masses).reshape(len(found), -1, ORDER)
        self.parts = np.concatenate([self.parts, new], axis=1)

    def _log_density(
        self, delta: FloatArray, line: IntArray, *, times: int = 1
    ) -> FloatArray:
        spread, tails = self.spread[line], self.tails[line]
        logs = _log_lines(self.means, delta, spread, tails, times * self.points)
        return logs + spread + log_prior_tails(tails) - self.unit

    def _blend_error(self, found: Lattice) -> float:
        """Say how far more points in the blends would move the weights of lines.

        Twice as many, at points spread evenly over the mass.
        """
        lines = found.panels
        shares = np.cumsum(found.masses.ravel())
        wanted = (np.arange(_PROBES) + 0.5) / _PROBES * shares[-1]
        chosen = np.unique(np.searchsorted(shares, wanted))
        delta, line = lines.points.ravel()[chosen], np.repeat(lines.line, ORDER)[chosen]
        fine = self._log_density(delta, line, times=2)
        return 2 * float(np.abs(fine - lines.logs.ravel()[chosen]).mean())


def _first_edges(means: Means) -> FloatArray:
    """Cut log sigma0 into panels, shorter ones where a sketch of it has its mass."""
    top = np.log(means.widest)
    low = min(np.log(_TINY * means.scale.min()), top - 4.0)
    spread = np.linspace(low, top, _SKETCHED)
    weight = _sketch(means, spread, np.full(_SKETCHED, np.log(_USUAL_TAILS)))[2]
    share = np.exp(weight - weight.max())
    middle = np.average(spread, weights=share)
    sd = np.sqrt(np.average((spread - middle) ** 2, weights=share))
    lengths = np.minimum(sd * _PANELS, _LONGEST)
    beyond = np.full(int((top - low) / _LONGEST) + 1, _LONGEST)
    steps = np.cumsum(np.concatenate([lengths, beyond]))
    edges = middle + np.concatenate([-steps[::-1], [0.0], steps])
    inside = edges[(edges > low) & (edges < top)]
    return np.concatenate([[low], inside, [top]])


def _log_lines(
    means: Means, delta: FloatArray, spread: FloatArray, tails: FloatArray, points: int
) -> FloatArray:
    """Give the log likelihood of points, each with its own sigma0 and nu."""
    gap = (means.centre[:, None] - delta) / means.scale[:, None]
    ratio = np.exp(spread) / means.scale[:, None]
    nu = 1 + np.exp(tails)
    return log_blend(gap, ratio, means.df[:, None], nu, points=points).sum(axis=0)


def _sketch(
    means: Means, spread: FloatArray, tails: FloatArray
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Guess where each line has its peak, how wide it is, and the line's weight.

    A Student law of the summed squares of both scales, with the heavier tails of the
    two, stands for the blend.
    """
    nu = _heavier(means, tails)
    scale = np.hypot(means.scale, np.exp(spread)[:, None])
    starts = _starts(means)
    heights = np.stack([_rough(means, scale, nu, c) for c in starts])
    centre = starts[heights.argmax(axis=0)]
    for _ in range(_EM_STEPS):
        away = (means.centre - centre[:, None]) / scale
        pull = (nu + 1) / (nu + away**2) / scale**2
        centre = (pull * means.centre).sum(axis=1) / pull.sum(axis=1)
    away = (means.centre - centre[:, None]) / scale
    bend = ((nu + 1) * (nu - away**2) / (nu + away**2) ** 2 / scale**2).sum(axis=1)
    least = 0.1 * (1 / scale**2).sum(axis=1)
    width = np.minimum(1 / np.sqrt(np.maximum(bend, least)), 2 * means.bound)
    peak = _rough(means, scale, nu, centre[:, None])
    area = np.log(np.minimum(np.sqrt(2 * np.pi) * width, 2 * means.bound))
    return centre, width, peak + area + spread + log_prior_tails(tails)


def _heavier(means: Means, tails: FloatArray) -> FloatArray:
    """Give the degrees of freedom of population or data set, whichever are fewer."""
    return np.minimum(1 + np.exp(tails)[:, None], means.df)


def _starts(means: Means) -> FloatArray:
    shares = np.linspace(0, 1, min(len(means.centre), _MOST_PLACES))
    return np.unique(np.quantile(means.centre, shares))


def _rough(
    means: Means, scale: FloatArray, nu: FloatArray, delta: FloatArray | float
) -> FloatArray:
    away = (means.centre - delta) / scale
    logs = -0.5 * (nu + 1) * np.log1p(away**2 / nu) + np.log(student_scale(nu) / scale)
    return logs.sum(axis=1)


def _seeds(
    means: Means, spread: FloatArray, tails: FloatArray, heaviest: float
) -> tuple[IntArray, FloatArray, FloatArray]:
    """Cut each line into panels around its peak and around other likely places."""
    centre, width, weight = _sketch(means, spread, tails)
    scale = np.hypot(means.scale, np.exp(spread)[:, None])
    nu = _heavier(means, tails)
    near = np.concatenate([-_SEEDS, [0.0], _SEEDS])
    places = _starts(means)
    around = 3 * np.median(scale, axis=1)[:, None]
    far = np.abs(places - centre[:, None]) > 30 * width[:, None]
    bound = np.full((len(centre), 1), means.bound)
    pieces = [
        centre[:, None] + width[:, None] * near,
        np.where(far, places - around, bound),
        np.where(far, places + around, bound),
        -bound,
        bound,
    ]
    edges = np.sort(np.clip(np.concatenate(pieces, axis=1), -bound, bound), axis=1)
    low, high = edges[:, :-1], edges[:, 1:]
    line, column = np.nonzero(high - low > 1e-9 * width[:, None])
    low, high = low[line, column], high[line, column]
    heights = np.max(
        [
            _rough(means, scale[line], nu[line], (low + share * (high - low))[:, None])
            for share in (0.0, 0.25, 0.5, 0.75, 1.0)
        ],
        axis=0,
    )
    peak = _rough(means, scale, nu, centre[:, None])
    # The weight of the line, less what the panel is below its peak.
    drop = heights - peak[line]
    kept = (weight[line] + drop > heaviest - _LIGHT - _SPARED) | (drop > -_NEAR)
    return line[kept], low[kept], high[kept]
