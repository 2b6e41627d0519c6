"""Where the logit of a Beta law lies, and how far it spreads."""

import numpy as np
from scipy import special


def logit_centre(a: float, b: float) -> tuple[float, float]:
    """Give the mean and the standard deviation of the logit of a Beta law.

    Examples
    --------
    >>> logit_centre(3.0, 3.0)[0]
    0.0
    """
    variance = special.polygamma(1, a) + special.polygamma(1, b)
    return float(special.psi(a) - special.psi(b)), float(np.sqrt(variance))
