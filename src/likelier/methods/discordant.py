"""Items on which two systems differ, and the coin that they would toss."""

from math import log

import numpy as np
from numpy.typing import NDArray
from scipy import special

from likelier.outcomes import Outcomes


def better_and_worse(view: Outcomes, gains: NDArray[np.float64]) -> tuple[int, int]:
    """Count the items on which the second system is better, and worse."""
    better = round(float(view.counts[gains > 0].sum()))
    worse = round(float(view.counts[gains < 0].sum()))
    return better, worse


def fair_coin(heads: int, tails: int, *, mid_p: bool = False) -> float:
    """Give the two-sided p-value of a fair coin, exactly.

    Examples
    --------
    >>> fair_coin(0, 0), round(fair_coin(1, 5), 12)
    (1.0, 0.21875)
    """
    n, fewer = heads + tails, min(heads, tails)
    if heads == tails:
        return 1.0
    tail = float(special.bdtr(fewer, n, 0.5))
    if mid_p:
        log_choose = -special.betaln(fewer + 1, n - fewer + 1) - log(n + 1)
        tail -= 0.5 * float(np.exp(log_choose - n * log(2)))
    return min(1.0, 2 * tail)
