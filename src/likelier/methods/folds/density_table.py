"""Tables of the density of a sum of two Student variables, shared by all data sets.

For given degrees of freedom the log density is a smooth function of two numbers: the
logarithm of the ratio of the scales, and log(1 + z²), where z is the point in units of
both scales together. It is computed on a coarse grid, interpolated by splines of high
degree to a fine grid once, and looked up there by cubic splines. A table serves all
data sets, all pairs of systems and all calls of a process. It is built block by block
as ratios are looked up, each block from its own rows alone, so that no digit depends on
what was looked up before.
"""

from functools import cache, lru_cache

import numpy as np
from scipy.interpolate import make_interp_spline

from likelier._typing import BoolArray, FloatArray, IntArray
from likelier.methods.folds import cubic_splines
from likelier.methods.folds.student_sum import log_sum_density

# Number of points in the integrals.
EXACT_POINTS = 64
# Steps of the logarithm of the ratio: coarse ones, and fine ones in each of them.
_STEP, _FINER = 0.25, 5
# Coarse steps in a block, and beyond each of its ends, to interpolate from.
_CELLS, _BEYOND = 8, 4
_WIDTH = _STEP * _CELLS
# Far from 0 the logarithm of the ratio is shrunk: there is less to see.
_SHRINK = 3.0
_LOW, _HIGH = -8.0, 6.0
_BLOCKS = round((_HIGH - _LOW) / _WIDTH)
_BLOCK_ROWS = _CELLS * _FINER + 3
# Of log(1 + z²): coarse steps up to some ends, and fine steps.
_SPACINGS = ((0.04, 0.2), (0.09, 5.06), (0.2, 9.66))
_FINE = 0.03
_COLUMNS = round(9.6 / _FINE) + 3
# Most tables at once: each takes up to a megabyte.
_TABLES = 256


class DensityTable:
    """Log density of a unit Student variable plus a scaled one, for given tails.

    Parameters
    ----------
    inner_df, outer_df
        The degrees of freedom of the first and of the second variable.

    Examples
    --------
    >>> table = DensityTable(1.0, 1.0)
    >>> gap, ratio = np.array([[1.5]]), np.array([0.5])
    >>> value = np.exp(table.log_density(gap, np.log(ratio)))
    >>> np.allclose(value, 1 / (np.pi * 1.5 * 2), rtol=1e-7)
    True
    """

    def __init__(self, inner_df: float, outer_df: float) -> None:
        self.inner_df, self.outer_df = inner_df, outer_df
        # Pages of memory that are never written take no room.
        self._blocks = np.empty((_BLOCKS, _BLOCK_ROWS, _COLUMNS))
        self._built = np.zeros(_BLOCKS, dtype=bool)
        self._rows: dict[int, FloatArray] = {}

    def log_density(self, gap: FloatArray, log_ratio: FloatArray) -> FloatArray:
        """Return the log density at points (row, point), one ratio for each row."""
        self._build(log_ratio)
        ratio = np.exp(log_ratio)
        square = gap * gap
        square /= (1 + ratio * ratio)[:, None]
        fine = np.log1p(square, out=square)
        fine *= 1 / _FINE
        shrunk = _SHRINK * np.arcsinh(log_ratio / _SHRINK)
        place = np.clip((shrunk - _LOW) / _WIDTH, 0, _BLOCKS - 1e-9)
        block = place.astype(np.int64)
        across = (place - block) * (_CELLS * _FINER)
        row = across.astype(np.int64)
        start = (block * _BLOCK_ROWS + row) * _COLUMNS
        outside = fine >= _COLUMNS - 3
        outside |= ((shrunk < _LOW) | (shrunk >= _HIGH))[:, None]
        some_outside = bool(outside.any())
        if some_outside:
            np.copyto(fine, 0.0, where=outside)
        column = fine.astype(np.int64)
        fine -= column
        column += start[:, None]
        result = _bicubic(self._blocks.ravel(), column, fine, across - row)
        if some_outside:
            result[outside] = self._directly(gap, log_ratio, outside)
        return result

    def _directly(
        self, gap: FloatArray, log_ratio: FloatArray, chosen: BoolArray
    ) -> FloatArray:
        ratio = np.broadcast_to(np.exp(log_ratio)[:, None], gap.shape)[chosen]
        return log_sum_density(
            gap[chosen], ratio, self.inner_df, self.outer_df, points=EXACT_POINTS
        )

    def _build(self, log_ratio: FloatArray) -> None:
        """Build the blocks that hold these ratios, where there are none."""
        shrunk = _SHRINK * np.arcsinh(log_ratio / _SHRINK)
        place = np.floor((shrunk - _LOW) / _WIDTH).astype(np.int64)
        inside = place[(place >= 0) & (place < _BLOCKS)]
        for block in np.unique(inside[~self._built[inside]]):
            numbers = block * _CELLS + np.arange(-_BEYOND, _CELLS + _BEYOND + 1)
            self._compute([int(n) for n in numbers if int(n) not in self._rows])
            values = np.stack([self._rows[int(n)] for n in numbers])
            self._blocks[block] = _product(_finer_rows(), values)
            self._built[block] = True

    def _compute(self, numbers: list[int]) -> None:
        """Compute rows of the coarse grid, finely along log(1 + z²)."""
        shrunk = _LOW + _STEP * np.array(numbers)[:, None]
        ratio = np.exp(_SHRINK * np.sinh(shrunk / _SHRINK))
        gap = np.sqrt(np.expm1(_coarse_columns())) * np.hypot(1, ratio)
        values = log_sum_density(
            gap, ratio, self.inner_df, self.outer_df, points=EXACT_POINTS
        )
        fine = _product(values, _finer_columns())
        self._rows.update(zip(numbers, fine, strict=True))


@lru_cache(maxsize=_TABLES)
def density_table(inner_df: float, outer_df: float) -> DensityTable:
    """Return the table for given tails, which all calls share."""
    return DensityTable(inner_df, outer_df)


def _product(left: FloatArray, right: FloatArray) -> FloatArray:
    """Multiply small matrices, which is over before a thread of BLAS wakes up."""
    return np.einsum("ij,jk->ik", left, right)


def _bicubic(
    flat: FloatArray, column: IntArray, offset: FloatArray, row_offset: FloatArray
) -> FloatArray:
    """Look up splines in both directions, from flat indices and offsets in a cell."""
    parts = cubic_splines.weights(offset)
    result = np.zeros(offset.shape)
    for i, row_weight in enumerate(cubic_splines.weights(row_offset)):
        inner = cubic_splines.weighted_sum(flat[i * _COLUMNS :], column, parts)
        inner *= row_weight[:, None]
        result += inner
    return result


@cache
def _coarse_columns() -> FloatArray:
    """Return the coarse points of log(1 + z²)."""
    low, pieces = 0.0, []
    for step, end in _SPACINGS:
        count = round((end - low) / step)
        pieces.append(low + step * np.arange(count))
        low += step * count
    return np.append(np.concatenate(pieces), low)


@cache
def _finer_columns() -> FloatArray:
    """Return the matrix from coarse values to fine coefficients along log(1 + z²)."""
    fine = _FINE * np.arange(-3, _COLUMNS + 1, dtype=np.float64)
    return np.ascontiguousarray(_coefficients(_coarse_columns(), fine, degree=5).T)


@cache
def _finer_rows() -> FloatArray:
    """Return the matrix from coarse rows to fine coefficients of a block."""
    coarse = np.arange(-_BEYOND, _CELLS + _BEYOND + 1.0)
    fine = np.arange(-3, _BLOCK_ROWS + 1, dtype=np.float64) / _FINER
    return _coefficients(coarse, fine, degree=7)


def _coefficients(coarse: FloatArray, fine: FloatArray, *, degree: int) -> FloatArray:
    """Return the matrix from values to coefficients of a cubic spline."""
    values = make_interp_spline(coarse, np.eye(len(coarse)), k=degree)(fine)
    return cubic_splines.coefficients(values)
