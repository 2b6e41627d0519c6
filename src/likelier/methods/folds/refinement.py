"""Quadrature of the hierarchical posterior, refined until the shares stand still.

Rows stand at even steps of log(nu - 1), where the trapezoidal rule converges faster
than any power of the step: the rows of twice the step show how far it is from the
truth. Along each row, panels of log sigma0 hold lines over delta0. Panels and lines
are halved, and steps too, until the shares stand still.
"""

from dataclasses import replace

import numpy as np

from likelier._typing import BoolArray, FloatArray, IntArray
from likelier.laws.numerics import legendre
from likelier.methods.folds.fold_likelihood import (
    TAILS,
    FoldMeans,
    RopeRegion,
    WeightedPoints,
    log_likelihood,
    log_prior_tails,
)
from likelier.methods.folds.panels import (
    ORDER,
    Panels,
    even_points,
    fit_errors,
    integral_errors,
    integrate,
    points_between,
    worst_panels,
)
from likelier.methods.folds.starting_grid import (
    NEGLIGIBLE,
    StudentLines,
    line_panels,
    sigma_edges,
)

_STEP, _LEAST_STEP = 0.8, 0.05
# Beside panels that are heavier than this share, none is left out.
_EDGE = 1e-6
# Error of what is left out, which falls off on several sides.
_LEFT_OUT = 1e-5
_MOST_ROUNDS = 30
_PROBES = 200
# Share of the tolerance that the error of tabulated densities may have.
_MOST_DENSITY_ERROR = 0.2
# Points of the integrals that densities are checked by, halved; and of those that are
# good enough for all.
_POINTS, _MANY = 40, 80


def solve(means: FoldMeans, region: RopeRegion, *, tolerance: float) -> WeightedPoints:
    """Refine rows, panels and lines until the shares of a region stand still.

    Parameters
    ----------
    means
        The laws of the data sets' own differences.
    region
        The region whose shares must be right.
    tolerance
        Largest estimated error of a share.
    """
    for density_points in (None, _MANY):
        refinement = Refinement(means, region, tolerance, density_points=density_points)
        points = refinement.refined()
        error = refinement.density_error(points)
        # Far out, where data sets hardly ever are, the tables are too coarse.
        if error <= _MOST_DENSITY_ERROR * tolerance:
            break
    return replace(points, error=points.error + error)


class Refinement:
    """Rows of panels along log sigma0, each point of them a line over delta0."""

    def __init__(
        self,
        means: FoldMeans,
        region: RopeRegion,
        tolerance: float,
        *,
        density_points: int | None = None,
    ) -> None:
        self.means, self.region, self.tolerance = means, region, tolerance
        self.density_points = density_points
        self.step, self.heaviest, self.unit = _STEP, -np.inf, 0.0
        self.row = np.empty(0, dtype=np.int64)
        self.low, self.high = np.empty(0), np.empty(0)
        # The first line of each panel, the mass of every region on its lines, and the
        # error of that mass.
        self.first_line = np.empty(0, dtype=np.int64)
        self.parts = np.empty((3, 0, ORDER))
        self.line_errors = np.empty((0, ORDER))
        self.log_sigma, self.log_tails = np.empty(0), np.empty(0)
        self.reach = np.empty(0)
        self.lines: list[Panels] = []
        # Row, low and high end of panels too light to be integrated.
        self.light = np.empty((3, 0))
        span = np.log(TAILS[1] / TAILS[0])
        self._add_rows(np.arange(int(np.ceil(span / self.step))))

    def refined(self) -> WeightedPoints:
        """Return the points when the shares stand still, for the densities at hand."""
        while True:
            self.halve_panels()
            if self.grow():
                continue
            error = self.step_error()
            if error <= 0.4 * self.tolerance or self.step <= _LEAST_STEP:
                return self.weighted_points(error)
            self.halve_step()

    def halve_panels(self) -> None:
        """Halve panels until the shares of all regions fit."""
        for _ in range(_MOST_ROUNDS):
            chosen = worst_panels(self._errors(), 0.3 * self.tolerance)
            if not chosen.any():
                break
            row, low, high = self.row[chosen], self.low[chosen], self.high[chosen]
            middle = 0.5 * (low + high)
            self._select(~chosen)
            self._add_panels(
                np.concatenate([row, row]),
                np.concatenate([low, middle]),
                np.concatenate([middle, high]),
            )

    def grow(self) -> bool:
        """Add panels that seemed light, beside ones that are not.

        Returns
        -------
        bool
            Whether there were any.
        """
        masses = self._masses().sum(axis=(0, 2))
        heavy = masses > _EDGE * masses.sum()
        row, low, high = (part[:, None] for part in self.light)
        distance = np.abs(row - self.row[heavy])
        touching = (np.abs(self.low[heavy] - high) < 1e-9) | (
            np.abs(self.high[heavy] - low) < 1e-9
        )
        overlapping = (self.low[heavy] < high) & (low < self.high[heavy])
        neighbours = ((distance == 0) & touching) | ((distance == 1) & overlapping)
        chosen = neighbours.any(axis=1)
        new, self.light = self.light[:, chosen], self.light[:, ~chosen]
        self._add_panels(new[0].astype(np.int64), new[1], new[2])
        return bool(chosen.any())

    def step_error(self) -> float:
        """Estimate the error of the shares from those of every second row.

        Halving the step squares the relative error of the masses. So the shares come
        closer by as much as the masses moved; its root leaves a margin.
        """
        masses = self._masses()
        every = masses.sum(axis=(1, 2))
        second = masses[:, self.row % 2 == 0].sum(axis=(1, 2))
        gap = np.abs(every / every.sum() - second / second.sum()).max()
        moved = np.abs(2 * second - every).max() / every.sum()
        return float(gap * np.sqrt(max(gap, moved)))

    def halve_step(self) -> None:
        """Put a row between every two, and one beyond."""
        self.step /= 2
        self.row = 2 * self.row
        self.light[0] *= 2
        between = np.unique(np.concatenate([self.row - 1, self.row + 1]))
        self._add_rows(between[between >= 0])

    def weighted_points(self, step_error: float) -> WeightedPoints:
        """Return the posterior as it is now, normalised."""
        total = float(self._masses().sum())
        weight = np.zeros(len(self.log_sigma))
        weight[self.first_line[:, None] + np.arange(ORDER)] = self._weights()
        lines = self.lines[0]
        for panels in self.lines[1:]:
            lines = lines.join(panels)
        lines = lines.select(weight[lines.line] > 0)
        lines_error = float((self.line_errors * self._weights()).sum()) / total
        error = step_error + float(self._errors().sum()) + lines_error + _LEFT_OUT
        with np.errstate(divide="ignore"):
            heights = np.log(self.parts.sum(axis=0) / total)
        return WeightedPoints(
            self.log_sigma,
            self.log_tails,
            weight / total,
            lines,
            Panels(self.row, self.low, self.high, heights),
            self.step,
            error,
            self.tolerance,
        )

    def _weights(self) -> FloatArray:
        _, weights = legendre(ORDER)
        return 0.5 * (self.high - self.low)[:, None] * weights

    def _masses(self) -> FloatArray:
        """Return the mass of every region on the lines (region, panel, line)."""
        return self.parts * self._weights()

    def _errors(self) -> FloatArray:
        """Return the error of each panel, relative to the whole."""
        masses = self._masses().sum(axis=(0, 2))
        fit = 0.5 * (self.high - self.low) * fit_errors(self.parts).max(axis=0)
        return integral_errors(masses, fit) / masses.sum()

    def _select(self, chosen: BoolArray) -> None:
        self.row, self.first_line = self.row[chosen], self.first_line[chosen]
        self.low, self.high = self.low[chosen], self.high[chosen]
        self.parts = self.parts[:, chosen]
        self.line_errors = self.line_errors[chosen]

    def _tails_of(self, row: IntArray) -> FloatArray:
        return np.asarray(np.log(TAILS[1]) - self.step * row)

    def _add_rows(self, row: IntArray) -> None:
        """Cut new rows into panels, at kinks of the shares too, and add them."""
        edges = sigma_edges(self.means)
        kinks = self.region.kinks(self._tails_of(row), self.means.delta_bound)
        kinks = np.clip(kinks, edges[0], edges[-1])
        every = np.sort(
            np.column_stack([np.broadcast_to(edges, (len(row), len(edges))), kinks])
        )
        low, high = every[:, :-1].ravel(), every[:, 1:].ravel()
        row = np.repeat(row, every.shape[1] - 1)
        real = high - low > 1e-9
        row, low, high = row[real], low[real], high[real]
        heavy = self._is_heavy(row, low, high)
        light = np.stack([row, low, high])[:, ~heavy]
        self.light = np.concatenate([self.light, light], axis=1)
        self._add_panels(row[heavy], low[heavy], high[heavy])

    def _is_heavy(self, row: IntArray, low: FloatArray, high: FloatArray) -> BoolArray:
        """Choose the panels whose approximate weight is not negligible."""
        log_tails = self._tails_of(np.repeat(row, ORDER))
        lines = StudentLines(self.means, points_between(low, high).ravel(), log_tails)
        best = lines.shapes().log_weight.reshape(-1, ORDER).max(axis=1)
        if not self.lines:
            # Fixed by the first rows, so that all lines share one unit.
            self.unit = float(best.max())
        self.heaviest = max(self.heaviest, float(best.max()))
        return np.asarray(best > self.heaviest - NEGLIGIBLE)

    def _add_panels(self, row: IntArray, low: FloatArray, high: FloatArray) -> None:
        """Integrate a line over every point of new panels."""
        if not len(row):
            return
        first, count = len(self.log_sigma), len(row) * ORDER
        log_sigma = points_between(low, high).ravel()
        log_tails = self._tails_of(np.repeat(row, ORDER))
        reach = self.region.reach(log_sigma, log_tails)
        self.log_sigma = np.concatenate([self.log_sigma, log_sigma])
        self.log_tails = np.concatenate([self.log_tails, log_tails])
        self.reach = np.concatenate([self.reach, reach])
        middle = self.region.middle
        line, start, end = line_panels(self.means, log_sigma, log_tails, self.heaviest)
        panels, errors = integrate(
            self._log_density,
            line + first,
            start,
            end,
            cuts=(middle - self.reach, middle + self.reach),
            tolerance=0.2 * self.tolerance,
            least_integral=float(self.parts.sum()),
        )
        self.lines.append(panels)
        sums = [
            np.bincount(panels.line - first, part, count)
            for part in (*self.region.parts(panels, self.reach), errors)
        ]
        new = np.stack(sums).reshape(len(sums), -1, ORDER)
        first_line = first + ORDER * np.arange(len(row))
        self.row = np.concatenate([self.row, row])
        self.low = np.concatenate([self.low, low])
        self.high = np.concatenate([self.high, high])
        self.first_line = np.concatenate([self.first_line, first_line])
        self.parts = np.concatenate([self.parts, new[:-1]], axis=1)
        self.line_errors = np.concatenate([self.line_errors, new[-1]])

    def density_error(self, points: WeightedPoints) -> float:
        """Estimate how far finer integrals of the densities would move the weights.

        At probes spread evenly over the mass.
        """
        lines = points.panels
        chosen = np.unique(even_points(points.masses.ravel(), _PROBES))[:, None]
        delta, line = lines.points.ravel()[chosen], np.repeat(lines.line, ORDER)[chosen]
        fine = self._log_posterior(delta, line, 2 * (self.density_points or _POINTS))
        return 2 * float(np.abs(fine - lines.logs.ravel()[chosen]).mean())

    def _log_density(self, delta: FloatArray, line: IntArray) -> FloatArray:
        return self._log_posterior(delta, line, self.density_points)

    def _log_posterior(
        self, delta: FloatArray, line: IntArray, density_points: int | None
    ) -> FloatArray:
        """Return the log posterior at points (row, point) of one line each (row, 1)."""
        log_sigma, log_tails = self.log_sigma[line], self.log_tails[line]
        logs = log_likelihood(
            self.means, delta, log_sigma[:, 0], log_tails[:, 0], points=density_points
        )
        prior = log_prior_tails(log_tails[:, 0])[:, None]
        return logs + log_sigma + prior - self.unit
