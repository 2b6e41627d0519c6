"""The interval factor of the rope: posterior odds over prior odds of lying in it."""

from dataclasses import dataclass
from math import log, log10, sqrt

from scipy.special import chdtri

from likelier.decision import ThreeProbabilities
from likelier.evidence.factor import BayesFactor, Bound

_RESOLVED = 5


def rope_factor(
    posterior: ThreeProbabilities, prior: ThreeProbabilities | None
) -> BayesFactor | None:
    """Compare the posterior with the prior odds of equivalence.

    Where hardly a draw lies in the rope, or hardly one outside, the odds are only
    bounded, and so is the factor. There is none where the prior itself leaves no odds,
    or where the bounds say nothing.
    """
    if prior is None:
        return None
    after, before = _Odds.of(posterior), _Odds.of(prior)
    if after is None or before is None:
        return None
    size = after.log10 - before.log10
    # The prior divides: its upper bound is a lower one of the factor.
    turned: dict[Bound, Bound] = {"at most": "at least", "at least": "at most"}
    bounds = {after.bound, turned.get(before.bound, "equal")} - {"equal"}
    if not bounds:
        return BayesFactor(size, mcse=sqrt(after.variance + before.variance) / log(10))
    bound = bounds.pop()
    # Bounds that contradict each other, or stand on the other side, say nothing.
    useful = not bounds and (size < 0) == (bound == "at most")
    return BayesFactor(size, bound) if useful else None


@dataclass(frozen=True)
class _Odds:
    """The decimal logarithm of odds, or a bound of it, and its Monte-Carlo variance."""

    log10: float
    bound: Bound
    variance: float = 0.0

    @classmethod
    def of(cls, shares: ThreeProbabilities) -> "_Odds | None":
        inside, n = shares.equivalent, shares.draws
        rare = round(min(inside, 1 - inside) * n)
        if n and rare < _RESOLVED:
            # So many draws bound what so few of them show, with 95 %.
            most = float(chdtri(2 * (rare + 1), 0.05)) / 2 / n
            if most >= 1:
                return None
            odds = log10(most / (1 - most))
            return cls(odds, "at most") if inside < 0.5 else cls(-odds, "at least")
        if not 0 < inside < 1:
            # An exact law whose share is too small, or too large, for a float.
            return cls(-323.0, "at most") if inside == 0 else cls(16.0, "at least")
        variance = 1 / (n * inside * (1 - inside)) if n else 0.0
        return cls(log10(inside / (1 - inside)), "equal", variance)
