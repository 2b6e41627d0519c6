"""Starting grid: where the mass of the posterior lies, before it is integrated.

A Student law of the summed squares of both scales, with the heavier tails of the two,
stands for the law of each data set's mean. This approximation only says where to look,
and how closely: what it gives too little weight is added when its neighbours prove
heavy.
"""

from typing import NamedTuple

import numpy as np

from likelier._typing import FloatArray, IntArray
from likelier.methods.folds.fold_likelihood import (
    TAILS,
    FoldMeans,
    Parameters,
    log_densities,
    log_prior_tails,
)
from likelier.methods.folds.panels import even_points
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
_EM_STEPS = 60
_MOST_STARTS = 12
_PROBES, _PROBED_ROWS = 200, 30
# Numbers of points to choose from, for the density of each data set's mean.
_POINTS, _MOST_POINTS = (16, 20, 24, 32, 40, 56), 80


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

    def log_density(
        self, delta: FloatArray | float, line: IntArray | slice = slice(None)
    ) -> FloatArray:
        """Return the log likelihood of one delta0 per line."""
        nu, scale = self.nu[line], self.scale[line]
        z = (self.means.centre - delta) / scale
        height = np.log(student_height(nu) / scale)
        return (-0.5 * (nu + 1) * np.log1p(z**2 / nu) + height).sum(axis=1)

    def shapes(self) -> LineShapes:
        """Return the peak of each line, by expectation-maximization, and its width."""
        means, nu, scale = self.means, self.nu, self.scale
        starts = _starting_centres(means)
        heights = np.stack([self.log_density(start) for start in starts])
        centre = starts[heights.argmax(axis=0)]
        for _ in range(_EM_STEPS):
            z = (means.centre - centre[:, None]) / scale
            pull = (nu + 1) / (nu + z**2) / scale**2
            centre = (pull * means.centre).sum(axis=1) / pull.sum(axis=1)
        z = (means.centre - centre[:, None]) / scale
        bend = ((nu + 1) * (nu - z**2) / (nu + z**2) ** 2 / scale**2).sum(axis=1)
        least = 0.1 * (1 / scale**2).sum(axis=1)
        whole = 2 * means.delta_bound
        width = np.minimum(1 / np.sqrt(np.maximum(bend, least)), whole)
        peak = self.log_density(centre[:, None])
        area = np.log(np.minimum(np.sqrt(2 * np.pi) * width, whole))
        log_weight = peak + area + self.log_sigma + log_prior_tails(self.log_tails)
        return LineShapes(centre, width, log_weight)


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
    heights = np.max(
        [
            lines.log_density((low + share * (high - low))[:, None], line)
            for share in (0.0, 0.25, 0.5, 0.75, 1.0)
        ],
        axis=0,
    )
    # The weight of the line, less what the panel is below its peak.
    drop = heights - lines.log_density(centre[:, None])[line]
    least = heaviest - NEGLIGIBLE - _MARGIN
    heavy = (weight[line] + drop > least) | (drop > -_NEAR)
    return line[heavy], low[heavy], high[heavy]


def points_needed(means: FoldMeans, allowed: float) -> IntArray:
    """Choose the number of points for the density of each data set's mean.

    Probes where the mass probably lies decide.
    """
    probes = _probes(means)
    counts = np.full(len(means.centre), _MOST_POINTS)
    every = np.ones(len(counts), dtype=bool)
    exact = log_densities(means, every, probes, 2 * _MOST_POINTS)
    for points in reversed(_POINTS):
        error = np.abs(log_densities(means, every, probes, points) - exact)
        good = error.mean(axis=1) <= allowed / len(counts)
        counts[good] = np.minimum(counts[good], points)
    return counts


def _probes(means: FoldMeans) -> Parameters:
    """Return points where the mass probably lies."""
    edges = sigma_edges(means)
    log_sigma, log_tails = (
        part.ravel()
        for part in np.meshgrid(
            np.linspace(edges[0], edges[-1], _GRID),
            np.linspace(np.log(TAILS[0]), np.log(TAILS[1]), _PROBED_ROWS),
        )
    )
    centre, width, weight = StudentLines(means, log_sigma, log_tails).shapes()
    chosen = even_points(np.exp(weight - weight.max()), _PROBES)
    offset = np.resize(np.linspace(-2.5, 2.5, 11), _PROBES)
    bound = means.delta_bound
    delta = np.clip(centre[chosen] + offset * width[chosen], -bound, bound)
    return Parameters(delta, log_sigma[chosen], log_tails[chosen])
