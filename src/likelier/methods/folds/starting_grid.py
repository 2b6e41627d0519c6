"""Starting grid: where the mass of the posterior lies, before it is integrated.

A Student law of the summed squares of both scales, with the heavier tails of the two,
stands for the law of each data set's mean. This approximation only says where to look,
and how closely: what it gives too little weight is added when its neighbours prove
heavy.
"""

from typing import NamedTuple

import numpy as np

from likelier._typing import FloatArray, IntArray
from likelier.methods.folds.fold_likelihood import FoldMeans, log_prior_tails
from likelier.methods.folds.student_sum import student_height

# Lines and panels so much lighter than the heaviest, in the logarithm, are left out.
NEGLIGIBLE = 14.0
# Parts of lines are left out only if they are lighter still by this much.
_MARGIN = 4.0
# So near its peak, no line is cut.
_NEAR = 4.0
# Below so small a part of the finest scale, sigma0 is as good as 0.
_TINY = 1e-6
# Panels of log sigma0: in standard deviations from the middle, and at most.
_PANELS, _LONGEST = np.array([1.8, 2.2, 4.0]), 2.5
_GRID, _USUAL_TAILS = 200, 20.0
# Panels of delta0: in widths from the peak.
_WIDTHS = np.array([2.5, 8.0, 30.0])
# A data set farther from the peak than so many of its own scales has panels of its own.
_APART = 3.0
# Steps that are so small, squared and in standard deviations, are the last.
_EM_STEPS, _STILL = 60, 1e-6
_MOST_STARTS = 12
# Numbers that fit into a processor's cache.
_MOST_NUMBERS = 2**14


class LineShapes(NamedTuple):
    """Approximate peak, width and log weight of lines over delta0."""

    centre: FloatArray
    width: FloatArray
    log_weight: FloatArray


class StudentLines:
    """Approximation of the likelihood by a product of Student laws on each line."""

    def __init__(
        self, means: FoldMeans, log_sigma: FloatArray, log_tails: FloatArray
    ) -> None:
        self.means, self.log_sigma, self.log_tails = means, log_sigma, log_tails
        self.nu = np.minimum(1 + np.exp(log_tails)[:, None], means.df)
        self.scale = np.hypot(means.scale, np.exp(log_sigma)[:, None])
        # Lines share their nu: few of these constants differ.
        nu, index = np.unique(self.nu, return_inverse=True)
        heights = np.log(student_height(nu))[index.reshape(self.nu.shape)]
        self._log_height = (heights - np.log(self.scale)).sum(axis=1)
        self._power, self._inverse = -0.5 * (self.nu + 1), 1 / (self.nu * self.scale**2)

    def log_density(self, delta: FloatArray, line: IntArray) -> FloatArray:
        """Return the log likelihood of points (row, point) of one line per row."""
        result = np.empty(delta.shape)
        sets = len(self.means.centre)
        size = max(1, _MOST_NUMBERS // (delta.shape[1] * sets))
        for start in range(0, len(delta), size):
            part = slice(start, start + size)
            rows = line[part]
            gap = self.means.centre - delta[part][:, :, None]
            gap *= gap
            gap *= self._inverse[rows][:, None, :]
            # No digit of an einsum depends on the threads of linear algebra.
            logs = np.einsum("rpd,rd->rp", np.log1p(gap, out=gap), self._power[rows])
            result[part] = logs + self._log_height[rows][:, None]
        return result

    def shapes(self) -> LineShapes:
        """Return the peak of each line and its width."""
        means, nu, scale = self.means, self.nu, self.scale
        every = np.arange(len(nu))
        starts = _starting_centres(means)
        heights = self.log_density(np.tile(starts, (len(nu), 1)), every)
        centre = self._climb(starts[heights.argmax(axis=1)])
        z = (means.centre - centre[:, None]) / scale
        bend = ((nu + 1) * (nu - z**2) / (nu + z**2) ** 2 / scale**2).sum(axis=1)
        least = 0.1 * (1 / scale**2).sum(axis=1)
        whole = 2 * means.delta_bound
        width = np.minimum(1 / np.sqrt(np.maximum(bend, least)), whole)
        peak = self.log_density(centre[:, None], every)[:, 0]
        area = np.log(np.minimum(np.sqrt(2 * np.pi) * width, whole))
        log_weight = peak + area + self.log_sigma + log_prior_tails(self.log_tails)
        return LineShapes(centre, width, log_weight)

    def _climb(self, centre: FloatArray) -> FloatArray:
        """Climb from centres to peaks, by expectation-maximization."""
        centre, rest = centre.copy(), np.arange(len(centre))
        for _ in range(_EM_STEPS):
            old = centre[rest]
            away = self.means.centre - old[:, None]
            pull = self._power[rest] / (1 + away**2 * self._inverse[rest])
            pull *= -2 * self._inverse[rest]
            whole = pull.sum(axis=1)
            centre[rest] = np.einsum("rd,d->r", pull, self.means.centre) / whole
            rest = rest[(centre[rest] - old) ** 2 * whole > _STILL]
            if not len(rest):
                break
        return centre


def _starting_centres(means: FoldMeans) -> FloatArray:
    shares = np.linspace(0, 1, min(len(means.centre), _MOST_STARTS))
    return np.unique(np.quantile(means.centre, shares))


def sigma_edges(means: FoldMeans) -> FloatArray:
    """Cut log sigma0 into panels, shorter ones where its mass probably lies."""
    top = np.log(means.sigma_bound)
    low = min(np.log(_TINY * means.scale.min()), top - 4.0)
    log_sigma = np.linspace(low, top, _GRID)
    log_tails = np.full(_GRID, np.log(_USUAL_TAILS))
    weight = StudentLines(means, log_sigma, log_tails).shapes().log_weight
    share = np.exp(weight - weight.max())
    middle = np.average(log_sigma, weights=share)
    sd = np.sqrt(np.average((log_sigma - middle) ** 2, weights=share))
    lengths = np.minimum(sd * _PANELS, _LONGEST)
    beyond = np.full(int((top - low) / _LONGEST) + 1, _LONGEST)
    steps = np.cumsum(np.concatenate([lengths, beyond]))
    edges = middle + np.concatenate([-steps[::-1], [0.0], steps])
    inside = edges[(edges > low) & (edges < top)]
    return np.concatenate([[low], inside, [top]])


def line_panels(
    means: FoldMeans, log_sigma: FloatArray, log_tails: FloatArray, heaviest: float
) -> tuple[IntArray, FloatArray, FloatArray]:
    """Cut each line into panels around its peak and around data sets far from it.

    Returns
    -------
    tuple
        Line, low and high end of each panel that is not negligible beside the heaviest
        line.
    """
    lines = StudentLines(means, log_sigma, log_tails)
    centre, width, weight = lines.shapes()
    near = np.concatenate([-_WIDTHS, [0.0], _WIDTHS])
    bound = np.full((len(centre), 1), means.delta_bound)
    # A data set that is narrow for its distance from the peak has one of its own.
    away = np.abs(means.centre - centre[:, None])
    own = (away > _WIDTHS[0] * width[:, None]) & (away > _APART * lines.scale)
    pieces = [
        centre[:, None] + width[:, None] * near,
        *(
            np.where(own, means.centre + side * lines.scale, bound)
            for side in (-_WIDTHS[0], 0.0, _WIDTHS[0])
        ),
        -bound,
        bound,
    ]
    edges = np.sort(np.clip(np.concatenate(pieces, axis=1), -bound, bound), axis=1)
    low, high = edges[:, :-1], edges[:, 1:]
    line, column = np.nonzero(high - low > 1e-9 * width[:, None])
    low, high = low[line, column], high[line, column]
    shares = np.array([0.0, 0.25, 0.5, 0.75, 1.0])
    inside = low[:, None] + (high - low)[:, None] * shares
    heights = lines.log_density(inside, line).max(axis=1)
    # The weight of the line, less what the panel is below its peak.
    peaks = lines.log_density(centre[:, None], np.arange(len(centre)))[:, 0]
    drop = heights - peaks[line]
    least = heaviest - NEGLIGIBLE - _MARGIN
    heavy = (weight[line] + drop > least) | (drop > -_NEAR)
    return line[heavy], low[heavy], high[heavy]
