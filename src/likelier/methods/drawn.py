"""From draws of two metrics to a posterior."""

import numpy as np
from numpy.typing import NDArray

from likelier.distribution import Draws, Posterior
from likelier.metrics import Metric


def drawn_posterior(
    values: NDArray[np.float64], metric: Metric, *, mirror: bool
) -> Posterior:
    """Put draws (draw, system) together.

    Parameters
    ----------
    values
        The metric of both systems.
    metric
        Tells which way a difference is turned.
    mirror
        Whether the systems are exchangeable. Then their posterior is symmetric, and
        that is used, so that neither is ahead by the luck of the draws.
    """
    if mirror:
        half = values[: (len(values) + 1) // 2]
        values = np.concatenate([half, half[:, ::-1]])
    systems = tuple(Draws(column) for column in np.ascontiguousarray(values.T))
    return Posterior(systems, Draws(metric.differences(values), mirrored=mirror))


def mirrored(
    values: NDArray[np.float64], alike: NDArray[np.bool_]
) -> NDArray[np.float64]:
    """Do the same for many tables (table, draw, system): where systems are alike.

    The last draw of an odd number is left as it is.
    """
    half = values.shape[1] // 2
    values[alike, half : 2 * half] = values[alike, :half, ::-1]
    return values
