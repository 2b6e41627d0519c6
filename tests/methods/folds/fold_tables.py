"""Scores with given differences, for all tests of this folder."""

import numpy as np
from scipy import special

from likelier import Scores
from likelier.methods.folds.hierarchical_folds import HierarchicalFolds

ROPE = (-0.01, 0.01)


def table_of(differences, *, base=0.8, **settings):
    """Give scores of two systems that differ by this much on every fold."""
    rows = [np.asarray(row, dtype=float) for row in differences]
    first = [np.full(len(row), base) for row in rows]
    second = [base + row for row in rows]
    return Scores.from_arrays(first, second, **settings)


def quantile_folds(mean, sd, n, *, df=None):
    """Give folds of exactly this mean and this standard deviation (ddof 0).

    They stand at quantiles of a normal law, or of a Student law, whose largest ones
    are further out.
    """
    shares = (np.arange(n) + 0.5) / n
    shape = special.ndtri(shares) if df is None else special.stdtrit(df, shares)
    return mean + sd * (shape - shape.mean()) / shape.std()


def drawn(seed, *, sets=4, folds=10, among=0.02, centre=0.01, sd=0.02, nu=10.0):
    """Draw differences from the model."""
    rng = np.random.default_rng(seed)
    means = centre + among * rng.standard_t(nu, sets)
    return [rng.normal(mean, sd, folds) for mean in means]


def population(differences, rope=ROPE, *, tolerance=1e-4, **settings):
    """Integrate the model."""
    method = HierarchicalFolds(tolerance=tolerance)
    return method.population(table_of(differences, **settings), *rope)


def shares(differences, rope=ROPE, **settings):
    """Give the three probabilities."""
    return np.array(population(differences, rope, **settings).shares(*rope))
