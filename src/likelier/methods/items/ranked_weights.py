"""Gamma weights of many patterns, most of which occurred once."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from likelier._typing import FloatArray

# A shape just below 1, at least this, is drawn as an exponential that is sometimes 0.
_NEAR = 0.95
# With so many patterns single precision moves a metric by less than 1e-7.
_MANY = 10_000


def ranked_weights(
    generator: np.random.Generator, shapes: FloatArray, n: int
) -> NDArray[Any]:
    """Draw Gamma weights (pattern, draw), all patterns of one shape at once.

    Parameters
    ----------
    generator
        Source of random numbers.
    shapes
        Parameter of each pattern (pattern,).
    n
        Number of draws.
    """
    dtype: Any = np.float32 if len(shapes) > _MANY else np.float64
    drawn = np.empty((len(shapes), n), dtype=dtype)
    for shape in np.unique(shapes).tolist():
        own = np.flatnonzero(shapes == shape)
        if _NEAR <= shape <= 1:
            drawn[own] = _nearly_exponential(generator, shape, (len(own), n), dtype)
        else:
            drawn[own] = generator.standard_gamma(shape, (len(own), n), dtype=dtype)
    return drawn


def _nearly_exponential(
    generator: np.random.Generator, shape: float, size: tuple[int, int], dtype: Any
) -> NDArray[Any]:
    """Draw exponentials of which a few are set to 0, ten times as fast as Gammas.

    A share d of zeros, with (1 + d) / (1 - d) = 1 / shape, gives them the coefficient
    of variation of the Gamma distribution, and its skewness to within 1 - shape.
    """
    drawn = generator.standard_exponential(size, dtype=dtype)
    zeros = generator.binomial(drawn.size, (1 - shape) / (1 + shape))
    drawn.ravel()[generator.integers(drawn.size, size=zeros)] = 0.0
    return drawn
