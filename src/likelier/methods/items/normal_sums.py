"""Weighted sums of very many units as jointly normal, bent to their exact skewness.

Sums of Dirichlet weights have exact moments: with the sum A of all parameters and the
mean m over units by their parameters, the covariance of two shares of sums is their
m((s - m s)(t - m t)) / (A + 1), and the third central moment of three is 2 / ((A + 1)
(A + 2)) times m of the triple product. So a draw is z, standard normal for each
independent direction, and a quadratic form of z that adds what the third moments are,
with the linear part made smaller by the covariance of that: all means and covariances
are exact, and third moments up to terms of higher order (the Cornish-Fisher expansion
of several variables). What a draw costs does not depend on the number of units.

How far a probability is from that of the weights follows from the next terms of
Edgeworth's series. They are computed for each metric and each difference as a linear
function of the sums; where one is more than `TOLERANCE`, or that of a sum by itself
more than 20 times as much, `of` returns None and weights are drawn.
"""

from dataclasses import dataclass
from itertools import combinations

import numpy as np

from likelier._typing import FloatArray
from likelier.data.outcomes import Outcomes
from likelier.data.pattern_rows import weigh
from likelier.metrics.metric import Metric
from likelier.streams import Streams

# The most by which a probability may be off: that of 50,000 draws has a standard
# error of .0022.
TOLERANCE = 5e-4
# The same of a sum by itself, of which a metric is a function that bends little.
_TOLERANCE_OF_SUMS = 0.01
# Fewer units are drawn as fast as they are; more sums have too many third moments.
_LEAST_UNITS, _MOST_COLUMNS, _MOST_NUMBERS = 1000, 40, 20_000_000
# A column of which a smaller part of the variance is left, beside others, is a sum of
# theirs; what metrics add up must hardly be touched by that.
_LEFT, _MOST_MISSED = 1e-10, 1e-4
# What varies less, beside its greatest number, is rounding.
_NOISE = 1e-9
# Multiplications at once.
_STEPS = 2**18
# Most of the variance of a direction that the quadratic part may have.
_MOST_BENT = 0.1
# Greatest values of Hermite polynomials times the normal density, by their degree, over
# the factorials of Edgeworth's series for cumulants of order 3, 4 and 5.
_THIRD, _FOURTH, _FIFTH = 0.3990 / 6, 0.5506 / 24, 1.1968 / 120


def may_be_normal(view: Outcomes) -> bool:
    """Return whether a table has many units, and not too many sums."""
    units, columns = view.rows.shape
    narrow = columns <= _MOST_COLUMNS and units * columns <= _MOST_NUMBERS
    return units >= _LEAST_UNITS and narrow


@dataclass(frozen=True, eq=False)
class NormalSums:
    """Joint law of the weighted sums of a table, as a quadratic form of normals.

    Attributes
    ----------
    mean
        Mean share of each sum (column,), the items in the last.
    linear
        What each normal number adds to the shares (direction, column).
    quadratic
        What each product of two adds (product, column).
    low, high
        The least and the greatest that any unit adds: no share leaves them.
    weight
        Sum of the Dirichlet parameters.
    """

    mean: FloatArray
    linear: FloatArray
    quadratic: FloatArray
    low: FloatArray
    high: FloatArray
    weight: float

    @classmethod
    def of(
        cls, table: Outcomes, shapes: FloatArray, view: Outcomes, metric: Metric
    ) -> "NormalSums | None":
        """Compute the moments of a table's sums; None where they do not suffice.

        Parameters
        ----------
        table
            Units that are weighted.
        shapes
            Dirichlet parameter of each.
        view
            Items as they are, at which the metric is made linear.
        metric
            The metric that is drawn.
        """
        rows = np.column_stack([table.rows.toarray(), table.sizes])
        slopes = _slopes(metric, view, table)
        return cls.of_rows(rows, shapes, slopes, systems=len(table.systems))

    @classmethod
    def of_rows(
        cls, rows: FloatArray, shapes: FloatArray, slopes: FloatArray, *, systems: int
    ) -> "NormalSums | None":
        """Compute the same of rows (unit, column), system by system, items last.

        Parameters
        ----------
        rows
            What units add.
        shapes
            Dirichlet parameter of each.
        slopes
            What a unit adds to each metric, and to each difference (unit, number).
        systems
            Number of systems.
        """
        weight = float(shapes.sum())
        shares = shapes / weight
        mean = shares @ rows
        law = _BentNormal.of(_apart(rows - mean, systems), shares, weight)
        if law is None or not np.isfinite(slopes).all():
            return None
        of_sums, of_metrics = (
            law.error(away) for away in (rows - mean, slopes - shares @ slopes)
        )
        if of_metrics > TOLERANCE or of_sums > _TOLERANCE_OF_SUMS:
            return None
        own = law.coordinates(rows - mean) / np.sqrt(weight + 1)
        first, second = np.triu_indices(len(own))
        times = np.where(first == second, 1 / 6, 1 / 3)[:, np.newaxis]
        return cls(
            mean=mean - np.einsum("abb->a", law.third) @ own / 6,
            linear=law.linear.T @ own,
            quadratic=times * (law.third[:, first, second].T @ own),
            low=rows.min(axis=0),
            high=rows.max(axis=0),
            weight=weight,
        )

    def draw(
        self, view: Outcomes, metric: Metric, streams: Streams, *, purpose: int
    ) -> FloatArray:
        """Draw the metric (draw, system) of a view with these sums."""
        none = np.zeros((1, len(view.counts)))

        def block(generator: np.random.Generator, n: int) -> FloatArray:
            return metric.values(view, none, beside=self.sums(generator, n))

        return streams.run(block, width=self.width, purpose=purpose)

    @property
    def width(self) -> int:
        """Number of numbers in one draw."""
        return len(self.linear) + len(self.quadratic)

    def sums(self, generator: np.random.Generator, n: int) -> FloatArray:
        """Draw n weighted sums (draw, column), the items in the last column."""
        z = generator.standard_normal((len(self.linear), n))
        products = np.concatenate([z[i] * z[i:] for i in range(len(z))])
        shares = self.mean + weigh(z.T, self.linear.T)
        shares += weigh(products.T, self.quadratic.T)
        np.clip(shares, self.low, self.high, out=shares)
        return np.asarray(shares * generator.standard_gamma(self.weight, (n, 1)))


@dataclass(frozen=True, eq=False)
class _BentNormal:
    """Normal law of the independent directions of sums, bent to their third moments.

    Attributes
    ----------
    basis
        What units add in each direction (unit, direction), of variance 1.
    shares
        Mean share of each unit.
    weight
        Sum of the Dirichlet parameters.
    third
        Third moments of the directions, which have variance 1.
    linear
        Root of the covariance that the quadratic part leaves (direction, normal).
    """

    basis: FloatArray
    shares: FloatArray
    weight: float
    third: FloatArray
    linear: FloatArray

    @classmethod
    def of(
        cls, columns: FloatArray, shares: FloatArray, weight: float
    ) -> "_BentNormal | None":
        """Find the directions of centred columns, and their moments."""
        basis = _orthogonal(columns, shares)
        m, r = basis.shape
        pairs = (basis[:, :, np.newaxis] * basis[:, np.newaxis]).reshape(m, -1)
        third = _product(basis * shares[:, np.newaxis], pairs).reshape(r, r, r)
        third *= 2 * np.sqrt(weight + 1) / (weight + 2)
        bent = np.einsum("abc,dbc->ad", third, third) / 18
        if not r or np.linalg.eigvalsh(bent)[-1] > _MOST_BENT:
            return None
        linear = np.linalg.cholesky(np.eye(r) - bent)
        return cls(basis, shares, weight, third, linear)

    def coordinates(self, away: FloatArray) -> FloatArray:
        """Return the directions' part in centred columns (direction, column)."""
        return _product(self.basis * self.shares[:, np.newaxis], away)

    def error(self, away: FloatArray) -> float:
        """Return by how much a probability of centred sums may be off, at most.

        Parameters
        ----------
        away
            What units add to each sum, less its mean (unit, sum).
        """
        spread = np.sqrt(self.shares @ away**2)
        varied = spread > _NOISE * np.abs(away).max(axis=0)
        own = self.coordinates(away[:, varied] / spread[varied]).T
        length = np.linalg.norm(own, axis=1, keepdims=True)
        if (length**2 < 1 - _MOST_MISSED).any():
            return np.inf
        own /= length
        # The moments of weighted sums, of the sums' own standard deviation.
        unit, weight = away[:, varied] / spread[varied], self.weight
        square = unit * unit
        cube = self.shares[:, np.newaxis] * square * unit
        third = 2 * np.sqrt(weight + 1) / (weight + 2) * cube.sum(axis=0)
        fourth = 6 * (cube * unit).sum(axis=0) + 3 * weight
        fourth *= (weight + 1) / ((weight + 2) * (weight + 3))
        fifth = 24 * (cube * square).sum(axis=0) / weight**1.5
        # Cumulants of linear and quadratic forms of normal numbers.
        form = np.tensordot(own, self.third, axes=1) / 6
        normal = own @ self.linear
        bent = np.einsum("sab,sb->sa", form, normal)
        twice = form @ form
        mine = 6 * (bent * normal).sum(axis=1)
        mine += 8 * np.einsum("sab,sab->s", twice, form)
        mine_fourth = 48 * (bent**2).sum(axis=1) + 48 * (twice**2).sum(axis=(1, 2))
        off = _THIRD * np.abs(third - mine) + _FOURTH * np.abs(fourth - 3 - mine_fourth)
        return float((off + _FIFTH * np.abs(fifth)).max(initial=0.0))


def _apart(away: FloatArray, systems: int) -> FloatArray:
    """Return what the first system adds, and how far the others are from it.

    Two systems that hardly differ must not differ by rounding.
    """
    of_systems = away[:, :-1].reshape(len(away), systems, -1).copy()
    of_systems[:, 1:] -= of_systems[:, :1]
    return np.column_stack([of_systems.reshape(len(away), -1), away[:, -1]])


def _orthogonal(columns: FloatArray, shares: FloatArray) -> FloatArray:
    """Make columns uncorrelated, of variance 1, in their order.

    So that directions, and with them draws, follow the data continuously.
    """
    products = _product(columns * shares[:, np.newaxis], columns)
    spread = np.sqrt(np.diag(products))
    used: list[int] = []
    root = np.zeros((0, 0))
    for index in np.flatnonzero(spread > 0).tolist():
        own = np.linalg.solve(root, products[used, index]) if used else np.zeros(0)
        rest = products[index, index] - own @ own
        if rest <= _LEFT * products[index, index]:
            continue
        root = np.block(
            [[root, np.zeros((len(used), 1))], [own, np.array([[np.sqrt(rest)]])]]
        )
        used.append(index)
    return weigh(columns[:, used], np.linalg.inv(root)) if used else columns[:, :0]


def _product(left: FloatArray, right: FloatArray) -> FloatArray:
    """Multiply two long tables (left column, right column), some rows at a time.

    Of larger products the threads of OpenBLAS cost more than they save.
    """
    out = np.zeros((left.shape[1], right.shape[1]))
    strip = max(_STEPS // max(out.size, 1), 1)
    for start in range(0, len(left), strip):
        out += left[start : start + strip].T @ right[start : start + strip]
    return out


def _slopes(metric: Metric, view: Outcomes, table: Outcomes) -> FloatArray:
    return with_differences(metric.influence(view, table))


def with_differences(slopes: FloatArray) -> FloatArray:
    """Append the differences of all pairs of columns."""
    pairs = combinations(range(slopes.shape[1]), 2)
    gaps = [slopes[:, second] - slopes[:, first] for first, second in pairs]
    return np.column_stack([slopes, *gaps])
