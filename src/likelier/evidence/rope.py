"""The interval factor of the rope: posterior odds over prior odds of lying in it."""

from math import log, log10, sqrt

from scipy.special import chdtri

from likelier.decision import Probabilities
from likelier.evidence.factor import BayesFactor, Bound

_RESOLVED = 5


def rope_factor(
    posterior: Probabilities, prior: Probabilities | None
) -> BayesFactor | None:
    """Compare the posterior with the prior odds of equivalence.

    Where hardly a draw, or hardly any but these, of the posterior lies in the rope,
    the factor is only bounded. There is none where the prior itself leaves no odds,
    or where the draws show too little of it.
    """
    if prior is None or not 0 < prior.equivalent < 1:
        return None
    if prior.draws and _rare(prior) < _RESOLVED:
        return None
    before = prior.equivalent / (1 - prior.equivalent)
    inside, n = posterior.equivalent, posterior.draws
    rare = _rare(posterior)
    if inside in (0.0, 1.0) or (n > 0 and rare < _RESOLVED):
        # So many draws bound what so few of them show, with 95 %.
        least = float(chdtri(2 * (rare + 1), 0.05)) / 2 / n if n else 5e-324
        if least >= 1:  # a handful of draws bound nothing
            return None
        few = inside < 0.5
        bound: Bound = "at most" if few else "at least"
        odds = least / (1 - least) if few else (1 - least) / least
        size = log10(odds / before)
        # A bound on the other side says nothing.
        return BayesFactor(size, bound) if (size < 0) == few else None
    odds = inside / (1 - inside)
    error = sqrt(_odds_variance(posterior) + _odds_variance(prior)) / log(10)
    return BayesFactor(log10(odds / before), mcse=error)


def _odds_variance(shares: Probabilities) -> float:
    """Give the Monte-Carlo variance of the logarithm of the odds."""
    inside, n = shares.equivalent, shares.draws
    return 1 / (n * inside * (1 - inside)) if n else 0.0


def _rare(shares: Probabilities) -> int:
    """Count the draws inside or outside, whichever are fewer."""
    return round(min(shares.equivalent, 1 - shares.equivalent) * shares.draws)
