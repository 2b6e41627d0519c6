"""The point null by kernel density estimates, only to reproduce Zhang et al."""

from math import log, sqrt

import numpy as np
from numpy.typing import NDArray

from likelier.distribution import Difference, Draws
from likelier.errors import NotDefinedError
from likelier.evidence.factor import BayesFactor

FloatArray = NDArray[np.float64]


def kde_factor(posterior: Difference, prior: Difference) -> BayesFactor:
    """Compare estimates of the posterior and the prior density of no difference.

    For F1 and precision the prior density is infinite, so that this factor is but a
    bandwidth; in the tails it is off by orders of magnitude. It is what Zhang et al.
    (2016) printed.
    """
    after, error_after = _log_density_at_zero(posterior)
    before, error_before = _log_density_at_zero(prior)
    error = sqrt(error_after**2 + error_before**2)
    size = (after - before) / log(10)
    return BayesFactor(size, of="kde", mcse=error / log(10))


def _log_density_at_zero(difference: Difference) -> tuple[float, float]:
    if not isinstance(difference, Draws):
        message = "kde must have draws to smooth; this method gives an exact law."
        raise NotDefinedError(message, hint="factor='point' is exact here.")
    values = difference.values
    width = difference.std() * len(values) ** -0.2
    if width == 0:
        message = "kde must have draws that differ; all are the same."
        raise NotDefinedError(message)
    logs = -((values / width) ** 2) / 2
    top = float(logs.max())
    kernel = np.exp(logs - top)
    mean = float(kernel.mean())
    relative = float(kernel.std()) / mean / sqrt(len(values))
    return top + log(mean) - log(width * sqrt(2 * np.pi)), relative
