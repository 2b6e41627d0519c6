"""Panels along log sigma0, refined until the shares stand still.

Rows stand at even steps of log(nu - 1), where the trapezoidal rule converges faster
than any power of the step: the rows of twice the step tell how far it is from the
truth. Along each row, panels of log sigma0 hold lines over delta0. Panels and lines
are halved, and steps too, until the wanted shares stand still.
"""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from likelier._typing import FloatArray, IntArray
from likelier.methods.folds.fold_likelihood import (
    TAILS,
    Lattice,
    Means,
    Region,
    log_likelihood,
    log_prior_tails,
)
from likelier.methods.folds.panels import (
    GAINED,
    ORDER,
    Panels,
    gained,
    integrate,
    last_modes,
    points_between,
    worst,
)
from likelier.methods.folds.starting_grid import (
    LIGHT,
    enough_points,
    first_edges,
    seeds,
    sketch,
)
from likelier.methods.folds.student_sum import legendre

_STEP = 0.8
# Beside panels that are heavier than this share, none is left out.
_EDGE = 1e-6
# What is left out falls off on several sides.
_LEFT_OUT = 1e-5
_MOST_ROUNDS = 30
_PROBES = 200


class Rows:
    """Rows of panels along log sigma0, each point of them a line over delta0."""

    def __init__(self, means: Means, region: Region, tolerance: float) -> None:
        self.means, self.region, self.tolerance = means, region, tolerance
        self.points = enough_points(means, 0.1 * tolerance)
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
        span = np.log(TAILS[1] / TAILS[0])
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

    def lattice(self, step_error: float) -> Lattice:
        """Give what was found, normalised."""
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
        return replace(found, error=error + self._blend_error(found))

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
        return np.asarray(np.log(TAILS[1]) - self.step * row)

    def _add_rows(self, row: IntArray) -> None:
        """Cut new rows into panels, at the kink of the shares too, and lay lines."""
        edges = first_edges(self.means)
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
        sketched = sketch(self.means, points_between(low, high).ravel(), tails)[2]
        best = sketched.reshape(-1, ORDER).max(axis=1)
        if not self.lines:
            # Fixed at the first sketch, so that all lines share one unit.
            self.unit = float(best.max())
        self.heaviest = max(self.heaviest, float(best.max()))
        return np.asarray(best > self.heaviest - LIGHT)

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
        line, start, end = seeds(self.means, spread, tails, self.heaviest)
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
        logs = log_likelihood(self.means, delta, spread, tails, times * self.points)
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


_LEAST_STEP = 0.05


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
    rows = Rows(means, region, tolerance)
    while True:
        rows.settle()
        if rows.grow():
            continue
        error = rows.step_error()
        if error <= 0.4 * tolerance or rows.step <= _LEAST_STEP:
            return rows.lattice(error)
        rows.halve_step()
