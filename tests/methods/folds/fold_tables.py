"""Scores with chosen differences, for all tests of this folder."""

import numpy as np
from scipy import special
from tests.methods.folds.dense import ROPES
from tests.methods.folds.dense import drawn as drawn

from likelier import Scores
from likelier.methods.folds.hierarchical_folds import HierarchicalFolds

ROPE = ROPES[0]


def table_of(differences, *, base=0.8, **settings):
    """Return scores of two systems that differ by this much on every fold."""
    rows = [np.asarray(row, dtype=float) for row in differences]
    first = [np.full(len(row), base) for row in rows]
    second = [base + row for row in rows]
    return Scores.from_arrays(first, second, **settings)


def quantile_folds(mean, sd, n, *, df=None):
    """Return folds of exactly this mean and this standard deviation (ddof 0).

    They stand at quantiles of a normal law, or of a Student law, whose largest ones
    are further out.
    """
    shares = (np.arange(n) + 0.5) / n
    shape = special.ndtri(shares) if df is None else special.stdtrit(df, shares)
    return mean + sd * (shape - shape.mean()) / shape.std()


def population(differences, rope=ROPE, *, tolerance=1e-4, **settings):
    """Integrate the model."""
    method = HierarchicalFolds(tolerance=tolerance)
    return method.population(table_of(differences, **settings), *rope)


def shares(differences, rope=ROPE, **settings):
    """Return the three probabilities."""
    return np.array(population(differences, rope, **settings).shares(*rope))
