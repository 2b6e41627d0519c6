"""What the folds of each data set say of its own difference, and its likelihood."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import special

from likelier.score_methods.blend import legendre, log_blend

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]
Mask = NDArray[np.bool_]

# Bounds of the hyper-prior: nu - 1 ~ Gamma(a, b), a ~ U(1, 2), b ~ U(.01, .1).
SHAPES, RATES = (1.0, 2.0), (0.01, 0.1)
# Below and above, nu - 1 has no more than 1e-6 of the prior.
TAILS = (1e-6, 2000.0)


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


def log_prior_tails(log_tails: FloatArray) -> FloatArray:
    """Give the log density of log(nu - 1), shape and rate integrated out."""
    nodes, weights = legendre(40)
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


def log_likelihood(
    means: Means,
    delta: FloatArray,
    spread: FloatArray,
    tails: FloatArray,
    points: IntArray,
) -> FloatArray:
    """Give the log likelihood of points, each with its own sigma0 and nu."""
    logs = np.zeros(len(delta))
    for count in np.unique(points):
        chosen = points == count
        logs += log_densities(means, chosen, delta, spread, tails, int(count)).sum(
            axis=0
        )
    return logs


def log_densities(
    means: Means,
    chosen: Mask,
    delta: FloatArray,
    spread: FloatArray,
    tails: FloatArray,
    points: int,
) -> FloatArray:
    """Give the log density of chosen data sets' means (data set, point)."""
    scale = means.scale[chosen, None]
    gap = (means.centre[chosen, None] - delta) / scale
    ratio, nu = np.exp(spread) / scale, 1 + np.exp(tails)
    return log_blend(gap, ratio, means.df[chosen, None], nu, points=points)
