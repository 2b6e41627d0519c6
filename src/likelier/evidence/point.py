"""The density of no difference at all, for the Savage-Dickey factor of a point null.

A difference of accuracies, recalls or specificities is a *gain*: the share of items
that only the second system has right, less the share that only the first has. Its
density at 0 is a closed form where one Dirichlet distribution, or two Beta
distributions, tell it; where each gold class has a distribution of its own, all but
one gain are drawn and the last one's density is exact (`gained`).
"""

from dataclasses import dataclass
from math import exp, inf, log, sqrt

from likelier.errors import NotDefinedError
from likelier.evidence.factor import BayesFactor
from likelier.laws import BetaLaw
from likelier.laws.order import log_density_of_tie


@dataclass(frozen=True)
class LogDensity:
    """The natural logarithm of a density, and its Monte-Carlo standard error."""

    log: float
    mcse: float = 0.0


def point_factor(posterior: LogDensity, prior: LogDensity) -> BayesFactor:
    """Compare the posterior with the prior density of no difference at all.

    Examples
    --------
    >>> point_factor(LogDensity(0.0), LogDensity(log(10.0))).label
    'strong against no difference'
    """
    error = sqrt(posterior.mcse**2 + prior.mcse**2)
    size = (posterior.log - prior.log) / log(10)
    return BayesFactor(size, of="point", mcse=error / log(10), density=exp(prior.log))


def equal_gains(lost: float, won: float, kept: float) -> LogDensity:
    """Give the density of x = y where (x, y, rest) is Dirichlet(lost, won, kept).

    Integrated along x = y = t/2 it is the closed form 2^(1-a-b) (a+b+c-1)
    Γ(a+b-1) / (Γ(a) Γ(b)).

    Examples
    --------
    >>> round(equal_gains(1.0, 1.0, 2.0).log - log(1.5), 12)
    0.0
    """
    both = lost + won
    _finite(both - 1)
    # The same, by the density of a Beta law at 1/2, whose digits large counts keep.
    middle = float(BetaLaw(won, lost).logpdf(0.5))
    return LogDensity(middle - log(2) + log(both + kept - 1) - log(both - 1))


def equal_rates(first: tuple[float, float], second: tuple[float, float]) -> LogDensity:
    """Give the density of p = q where p and q are independent Beta(right, wrong).

    It is the integral of the product of their densities.

    Examples
    --------
    >>> round(equal_rates((1.0, 1.0), (1.0, 1.0)).log, 12)
    0.0
    """
    right, wrong = first[0] + second[0] - 1, first[1] + second[1] - 1
    _finite(min(right, wrong))
    return LogDensity(log_density_of_tie(BetaLaw(*first), BetaLaw(*second)))


def _finite(exponent: float) -> None:
    if not 0 < exponent < inf:
        message = (
            "A point null must have a finite prior density at 0; under this prior it "
            "is infinite."
        )
        raise NotDefinedError(message, hint="Use the prior uniform, or give a rope.")
