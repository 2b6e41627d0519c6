"""P-values of a fair coin, of a normal deviate and of draws, and their counts."""

from fractions import Fraction
from math import comb, sqrt

from scipy import special

from likelier._typing import FloatArray
from likelier.data.outcomes import Outcomes
from likelier.distribution import Alternative, Null
from likelier.errors import SettingError
from likelier.laws import BetaLaw

_SMALL = 1000
# A p-value is never 0; this one stands for all that are smaller.
_LEAST = 5e-324
# Below, digits of a probability are lost.
_UNDERFLOW = 1e-290


def better_and_worse(view: Outcomes, gains: FloatArray) -> tuple[int, int]:
    """Count the items on which the second system is better, and worse."""
    better, worse = (float(view.counts[side].sum()) for side in (gains > 0, gains < 0))
    if not better.is_integer() or not worse.is_integer():
        message = f"Items must be counted in whole; got {better:g} and {worse:g}."
        raise SettingError(message)
    return int(better), int(worse)


def fair_coin(heads: int, tails: int, *, mid_p: bool = False) -> float:
    """Return the two-sided p-value of a fair coin, exactly.

    Examples
    --------
    >>> fair_coin(0, 0), round(fair_coin(1, 5), 12)
    (1.0, 0.21875)
    """
    n, fewer = heads + tails, min(heads, tails)
    if heads == tails:
        return 1.0
    if not mid_p and n <= _SMALL:
        outcomes = 2 * sum(comb(n, k) for k in range(fewer + 1))
        return float(min(Fraction(outcomes, 2**n), Fraction(1)))
    tail = float(special.betainc(n - fewer, fewer + 1, 0.5))
    if tail < _UNDERFLOW:
        tail = float(BetaLaw(n - fewer, fewer + 1).cdf(0.5))
    if mid_p:
        tail -= 0.5 * float(BetaLaw(fewer + 1, n - fewer + 1).pdf(0.5)) / (n + 1)
    return min(1.0, max(2 * tail, _LEAST))


def normal_p(z: float) -> float:
    """Return the two-sided p-value of a standard normal deviate."""
    return float(min(1.0, max(2 * special.ndtr(-abs(z)), _LEAST)))


def null_by_draws(
    hits: int,
    draws: int,
    *,
    difference: float,
    alternative: Alternative,
    certain: bool = False,
) -> Null:
    """Return the test of which so many draws lie as far out as the observed one.

    Parameters
    ----------
    hits, draws
        Number of draws at least as far out, and of all.
    difference
        Observed difference.
    alternative
        Side on which draws count.
    certain
        Whether chance could not fall short of the observed difference: p is 1.
    """
    p = 1.0 if certain else (hits + 1) / (draws + 1)
    return Null(
        p_value=p,
        statistic=difference,
        statistic_name="difference",
        alternative=alternative,
        mcse=sqrt(p * (1 - p) / draws),
        details={"s": hits, "b": draws},
    )
