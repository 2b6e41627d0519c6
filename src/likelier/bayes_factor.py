"""Bayes factors: how far the data move the odds of no difference that matters."""

from dataclasses import dataclass
from math import exp, inf, log, log10, sqrt
from typing import Literal

import numpy as np
from scipy.special import chdtri

from likelier import formatting
from likelier.decision import ThreeProbabilities
from likelier.distribution import Difference, Draws
from likelier.errors import NotDefinedError
from likelier.laws import BetaLaw
from likelier.laws.difference import log_density_of_tie

FactorName = Literal["rope", "point", "kde"]
Bound = Literal["equal", "at most", "at least"]

FACTORS: tuple[FactorName, ...] = ("rope", "point", "kde")

# Words for odds of at least so many to one, after Jeffreys.
_WORDS = (
    (100, "decisive"),
    (30, "very strong"),
    (10, "strong"),
    (3, "substantial"),
    (1, "anecdotal"),
)
_NULLS: dict[FactorName, str] = {
    "rope": "equivalence",
    "point": "no difference",
    "kde": "no difference",
}

# Beyond, a factor is no longer a float; its logarithm still is.
_LARGEST = 300


@dataclass(frozen=True)
class BayesFactor:
    """Factor by which the data move the odds of equivalence, or of no difference.

    Attributes
    ----------
    log10
        The decimal logarithm; above 0 it speaks for the null.
    bound
        "at most" or "at least" where the draws do not resolve more, else "equal".
    of
        The null: the rope, the point 0, or that point by a kernel density estimate.
    mcse
        The Monte-Carlo standard error of the logarithm; 0 where it is exact.
    density
        The prior density of no difference, for a point null.
    prior
        Name of the proper prior that it rests on.

    Examples
    --------
    >>> factor = BayesFactor(-1.5)
    >>> factor.label, round(factor.bf01, 4)
    ('very strong against equivalence', 0.0316)
    """

    log10: float
    bound: Bound = "equal"
    of: FactorName = "rope"
    mcse: float = 0.0
    density: float | None = None
    prior: str = ""

    @property
    def bf01(self) -> float:
        """The factor for the null over a difference."""
        return 10.0**self.log10 if self.log10 < _LARGEST else inf

    @property
    def null(self) -> str:
        """Hypothesis that the factor speaks for or against, in words."""
        return _NULLS[self.of]

    @property
    def strength(self) -> str:
        """Word for the size of the factor, after Jeffreys."""
        size = abs(self.log10) + 1e-12  # rounding must not cost a word
        return next(word for least, word in _WORDS if size >= log10(least))

    @property
    def side(self) -> str:
        """Side that the evidence is on: for or against the null."""
        return "for" if self.log10 >= 0 else "against"

    @property
    def label(self) -> str:
        """Strength of the evidence, its side, and the null."""
        return f"{self.strength} {self.side} {self.null}"

    def text(self) -> str:
        """Write the factor as odds, no finer than the draws allow."""
        bounded = self.bound != "equal"
        odds = formatting.odds(self.log10, self.mcse, bound=bounded)
        return f"{self.bound} {odds}" if bounded else odds

    def to_dict(self) -> dict[str, object]:
        """Return the factor as in the JSON."""
        return {
            "of": self.of,
            "bf01": self.bf01 if abs(self.log10) < _LARGEST else None,
            "log10": self.log10,
            "mcse": self.mcse,
            "label": self.label,
            "bound": self.bound,
            "prior": self.prior,
        }


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
    opposite: dict[Bound, Bound] = {"at most": "at least", "at least": "at most"}
    bounds = {after.bound, opposite.get(before.bound, "equal")} - {"equal"}
    if not bounds:
        return BayesFactor(size, mcse=sqrt(after.variance + before.variance) / log(10))
    bound = bounds.pop()
    # Bounds that contradict each other, or stand on the other side, say nothing.
    useful = not bounds and (size < 0) == (bound == "at most")
    return BayesFactor(size, bound) if useful else None


@dataclass(frozen=True)
class _Odds:
    """Decimal logarithm of odds, or a bound of it, and its Monte-Carlo variance."""

    log10: float
    bound: Bound
    variance: float = 0.0

    @classmethod
    def of(cls, shares: ThreeProbabilities) -> "_Odds | None":
        inside, n = shares.equivalent, shares.draws
        rare = round(min(inside, 1 - inside) * n)
        if n and rare < _RESOLVED:
            # Upper bound of a rate that so few of the draws show, with 95 %.
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


@dataclass(frozen=True)
class LogDensity:
    """Natural logarithm of a density, and its Monte-Carlo standard error."""

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
    """Compute the density of x = y where (x, y, rest) is Dirichlet(lost, won, kept).

    Integrated along x = y = t/2 it is the closed form 2^(1-a-b) (a+b+c-1)
    Γ(a+b-1) / (Γ(a) Γ(b)).

    Examples
    --------
    >>> round(equal_gains(1.0, 1.0, 2.0).log - log(1.5), 12)
    0.0
    """
    both = lost + won
    _check_finite(both - 1)
    # The same by the density of a Beta law at 1/2, which keeps its digits for large
    # counts.
    middle = float(BetaLaw(won, lost).logpdf(0.5))
    return LogDensity(middle - log(2) + log(both + kept - 1) - log(both - 1))


def equal_rates(first: tuple[float, float], second: tuple[float, float]) -> LogDensity:
    """Compute the density of p = q where p and q are independent Beta(right, wrong).

    It is the integral of the product of their densities.

    Examples
    --------
    >>> round(equal_rates((1.0, 1.0), (1.0, 1.0)).log, 12)
    0.0
    """
    right, wrong = first[0] + second[0] - 1, first[1] + second[1] - 1
    _check_finite(min(right, wrong))
    return LogDensity(log_density_of_tie(BetaLaw(*first), BetaLaw(*second)))


def _check_finite(exponent: float) -> None:
    """Raise an error where the density of the null is infinite."""
    if not 0 < exponent < inf:
        message = (
            "A point null must have a finite prior density at 0; under this prior it "
            "is infinite."
        )
        raise NotDefinedError(message, hint="Use the prior uniform, or give a rope.")
