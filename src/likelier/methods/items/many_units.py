"""Weighted sums of very many units that were each seen once, in a dense table.

Gammas of a shape a just below 1, as counts reduced by the factor 1 - 1/n have, take
twenty times as long to draw as what is done here. Weights are exponentials, the
logarithms of 65,536 evenly spaced numbers. As shares of their sum they give all
weighted sums the same mean as Dirichlet(a, …, a) does, and nearly the same covariances:
the sums are moved away from their mean by a factor, the root of what is missing, so
that these are the same. The third moments then agree up to one part in the number of
units. Weights have seven digits, and so have the sums' distances from their mean, of
the first system and of what the others are apart from it; the mean has all digits.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from likelier._typing import FloatArray
from likelier.data.outcomes import Outcomes
from likelier.methods.items.dirichlet_cells import gammas

Singles = NDArray[np.float32]

# Fewer units are drawn as they are; shapes below this are no single units.
_LEAST_UNITS, _LEAST_SHAPE = 1000, 0.99
# Sparse tables are faster as they are, and large ones would not fit.
_LEAST_FILLED, _MOST_NUMBERS = 0.25, 20_000_000
# Weights at once: they stay in the processor's cache.
_STRIP = 2**16
_LEVELS = 2**16
_WEIGHTS = np.log(_LEVELS) - np.log(np.arange(_LEVELS) + 0.5)
# Squared variation of the weights; that of exponentials is 1.
_VARIATION = float(_WEIGHTS.var() / _WEIGHTS.mean() ** 2)


@dataclass(frozen=True, eq=False)
class ManyUnits:
    """Units of a table with a Dirichlet parameter each.

    Attributes
    ----------
    single
        What the units that have the same parameter add (unit, column), less the mean:
        the first system, how far each other is from it, and the items.
    mean
        Mean of their rows, with the items in the last column.
    shape
        That parameter.
    others, shapes
        Rows of all other units, and their parameters.
    systems
        Number of systems.
    """

    single: Singles
    mean: FloatArray
    shape: float
    others: FloatArray
    shapes: FloatArray
    systems: int

    @classmethod
    def of(cls, view: Outcomes, shapes: FloatArray) -> "ManyUnits | None":
        """Find the units of a table to draw so; None where there are too few."""
        cells = view.rows.shape[0] * (view.rows.shape[1] + 1)
        if len(shapes) < _LEAST_UNITS or view.rows.nnz < _LEAST_FILLED * cells:
            return None
        values, counts = np.unique(shapes, return_counts=True)
        shape = float(values[counts.argmax()])
        usual = _LEAST_SHAPE <= shape <= 1 and counts.max() >= _LEAST_UNITS
        if not usual or cells > _MOST_NUMBERS:
            return None
        rows = np.column_stack([view.rows.toarray(), view.sizes])
        alike, systems = shapes == shape, len(view.systems)
        mean = rows[alike].mean(axis=0)
        # Two systems that hardly differ must not differ by rounding.
        apart = _of_systems(rows[alike], systems)
        apart[:, 1:] -= apart[:, :1]
        single = np.column_stack([apart.reshape(len(apart), -1), rows[alike][:, -1]])
        single -= single.mean(axis=0)
        return cls(
            single.astype(np.float32),
            mean,
            shape,
            rows[~alike],
            shapes[~alike],
            systems,
        )

    def sums(self, generator: np.random.Generator, n: int) -> FloatArray:
        """Draw n weighted sums (draw, column), the items in the last column."""
        m = len(self.single)
        away = np.empty((n, len(self.mean)))
        strip = min(max(_STRIP // m, 1), n)
        buffer = np.empty((strip, m), np.float32)
        for start in range(0, n, strip):
            weights = _exponentials(generator, buffer[: min(strip, n - start)])
            total = weights.sum(axis=1, keepdims=True, dtype=np.float64)
            away[start : start + strip] = (weights @ self.single) / total
        # Shares have the variance v / m, those of a Dirichlet distribution 1/(am + 1).
        away *= np.sqrt(m / (_VARIATION * (self.shape * m + 1)))
        by_system = _of_systems(away, self.systems)
        by_system[:, 1:] += by_system[:, :1]
        away[:, :-1] = by_system.reshape(n, -1)
        sums = generator.standard_gamma(self.shape * m, (n, 1)) * (self.mean + away)
        if len(self.shapes):
            sums += gammas(generator, self.shapes, n)[0].T @ self.others
        return np.asarray(sums)


def _of_systems(rows: FloatArray, systems: int) -> FloatArray:
    """Return a copy of rows by system, without the items in the last column."""
    return rows[:, :-1].reshape(len(rows), systems, -1).copy()


def _exponentials(generator: np.random.Generator, out: Singles) -> Singles:
    """Fill an array with exponential weights of 65,536 levels."""
    raw = generator.bit_generator.random_raw(-(-out.size // 4))
    out[:] = raw.view(np.uint16)[: out.size].reshape(out.shape)
    out += np.float32(0.5)
    np.log(out, out=out)
    np.subtract(np.float32(np.log(_LEVELS)), out, out=out)
    return out
