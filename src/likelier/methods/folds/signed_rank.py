"""Many data sets with one score each: the Bayesian sign and signed-rank tests.

The differences come from an unknown distribution with a Dirichlet process as its
prior: one pseudo-observation of no difference, with the weight of `strength` data
sets. Every draw weighs the data sets anew; all draws are products of matrices.
"""

from dataclasses import dataclass
from itertools import combinations
from typing import Any, ClassVar, Literal

import numpy as np

from likelier._typing import FloatArray
from likelier.citations import Sentence
from likelier.data.scores import Scores
from likelier.distribution import Draws
from likelier.errors import SettingError
from likelier.interval import Rope
from likelier.methods.folds.fold_method import FoldMethod, FoldPosterior
from likelier.settings import Settings
from likelier.streams import Streams

_SIGN_WEIGHTS = 11
_RANK_WEIGHTS = 12
# Keeps a region without a data set possible, as in the published test.
_LEAST = 1e-4
_BLOCK = 2048
_ROUNDING = 1e-9


@dataclass(frozen=True)
class _DirichletProcess(FoldMethod):
    """Settings that both tests share.

    Attributes
    ----------
    strength
        Number of data sets that the pseudo-observation counts as.
    """

    strength: float
    default_rule: ClassVar[str] = "region-mass"
    data_sets: ClassVar[Literal["one", "many"]] = "many"
    least_folds: ClassVar[int] = 1

    def __post_init__(self) -> None:
        if not 0 < self.strength < np.inf:
            message = f"strength must be a number above 0; got {self.strength!r}."
            raise SettingError(message)

    def weights(self, count: int, streams: Streams) -> FloatArray:
        """Draw the weights of so many data sets, the pseudo-observation first."""
        shape = np.concatenate([[self.strength], np.ones(count)])
        return _dirichlet(shape, streams, purpose=_RANK_WEIGHTS)

    def parameters(self, _: Scores, /) -> dict[str, Any]:
        """Return the weight of the pseudo-observation of no difference."""
        return {"strength": float(self.strength)}


@dataclass(frozen=True)
class SignedRank(_DirichletProcess):
    """Bayesian signed-rank test of Benavoli et al. (2014, 2017).

    Attributes
    ----------
    strength
        Number of data sets that the pseudo-observation counts as.
    """

    strength: float = 0.5
    name: ClassVar[str] = "signed-rank"

    def posterior(
        self, scores: Scores, streams: Streams, _rope: Rope | None, /
    ) -> FoldPosterior:
        """Return the posterior of the mean over data sets, and of the regions."""
        self.check(scores)
        weights = self.weights(len(scores.datasets), streams)
        return rank_posterior(scores.mean_differences(), weights)

    def posteriors(
        self, scores: Scores, streams: Streams, _rope: Rope | None, /
    ) -> dict[tuple[str, str], FoldPosterior]:
        """Return the posterior of every pair of systems; weights are drawn once."""
        self.check(scores)
        weights = self.weights(len(scores.datasets), streams)
        return {
            pair: rank_posterior(scores.keep(*pair).mean_differences(), weights)
            for pair in combinations(scores.systems, 2)
        }

    def sentences(self, settings: Settings) -> list[Sentence]:
        """Describe the process and its prior."""
        text = (
            f"The Bayesian signed-rank test takes {_means(settings)} as drawn from a "
            "Dirichlet process whose prior is one pseudo-observation of no difference, "
            f"of weight {self.strength:g}"
        )
        return [Sentence(text, ("benavoli2014", "benavoli2017"))]


def rank_posterior(differences: FloatArray, weights: FloatArray) -> FoldPosterior:
    """Turn weights of data sets into the posterior of one pair of systems."""
    regions = RankRegions(np.concatenate([[0.0], differences]), weights)
    return FoldPosterior((), Draws(weights @ regions.values), regions)


@dataclass(frozen=True)
class BayesianSignTest(_DirichletProcess):
    """Bayesian sign test: only the region of each data set counts.

    Attributes
    ----------
    strength
        Number of data sets that the pseudo-observation in the rope counts as.
    """

    strength: float = 1.0
    name: ClassVar[str] = "sign"

    def posterior(
        self, scores: Scores, streams: Streams, _rope: Rope | None, /
    ) -> FoldPosterior:
        """Return the posterior of the mean over data sets, and of the regions."""
        self.check(scores)
        values = np.concatenate([[0.0], scores.mean_differences()])
        weights = self.weights(len(scores.datasets), streams)
        return FoldPosterior((), Draws(weights @ values), self.regions(scores, streams))

    def regions(self, scores: Scores, streams: Streams) -> "SignRegions":
        """Count the data sets in each region."""
        return SignRegions(scores.mean_differences(), self.strength, streams)

    def sentences(self, settings: Settings) -> list[Sentence]:
        """Describe the counts and their prior."""
        text = (
            f"The Bayesian sign test counts in which region {_means(settings)} lie, "
            "with one pseudo-observation of no difference, of weight "
            f"{self.strength:g}"
        )
        return [Sentence(text, ("benavoli2017",))]


def _means(settings: Settings) -> str:
    several = settings.data.items > (settings.data.data_sets or 0)
    return "the mean difference of each data set" if several else "the differences"


@dataclass(frozen=True, eq=False)
class RankRegions:
    """Shares of pairs of data sets whose sum lies below, in or above twice the rope.

    Attributes
    ----------
    values
        The mean difference of each data set; the pseudo-observation first.
    weights
        Dirichlet weights (draw, data set).
    """

    values: FloatArray
    weights: FloatArray

    @property
    def n_independent(self) -> int:
        """Number of draws."""
        return len(self.weights)

    def shares(self, low: float, high: float) -> tuple[float, float, float]:
        """Return how often each region has the most pairs of data sets."""
        return winners(self.masses(low, high))

    def masses(self, low: float, high: float) -> FloatArray:
        """Return the share of pairs in each region (draw, region)."""
        sums = np.add.outer(self.values, self.values)
        # A sum exactly at an end counts half on either side.
        below = 0.5 * (1 - _signs(sums, 2 * low))
        above = 0.5 * (1 + _signs(sums, 2 * high))
        worse, better = self._quadratic_forms(below, above)
        inside = np.maximum(1 - worse - better, 0.0)
        if low == high:
            inside = np.zeros_like(worse)
        return np.stack([worse, inside, better], axis=1)

    def _quadratic_forms(self, below: FloatArray, above: FloatArray) -> FloatArray:
        """Return w A w for both matrices and the weights of every draw, at most 1."""
        both, n = np.hstack([below, above]), len(self.values)
        forms = np.empty((2, len(self.weights)))
        # Blocks that stay in the processor's cache.
        for start in range(0, len(self.weights), _BLOCK):
            weights = self.weights[start : start + _BLOCK]
            products = weights @ both
            rows = slice(start, start + len(weights))
            forms[0, rows] = np.einsum("di,di->d", products[:, :n], weights)
            forms[1, rows] = np.einsum("di,di->d", products[:, n:], weights)
        return np.minimum(forms, 1.0)


@dataclass(frozen=True, eq=False)
class SignRegions:
    """Weights of the data sets below, in and above the rope."""

    differences: FloatArray
    strength: float
    streams: Streams

    @property
    def n_independent(self) -> int:
        """Number of draws."""
        return self.streams.draws_for(3)

    def shares(self, low: float, high: float) -> tuple[float, float, float]:
        """Return how often each region has the most weight."""
        return winners(self.masses(low, high))

    def masses(self, low: float, high: float) -> FloatArray:
        """Draw the weight of each region (draw, region)."""
        worse = float((_signs(self.differences, low) < 0).sum())
        better = float((_signs(self.differences, high) > 0).sum())
        inside = len(self.differences) - worse - better + self.strength
        shape = np.array([worse, inside, better])
        if low == high:
            shape = np.array([worse + 0.5 * inside, better + 0.5 * inside])
        drawn = _dirichlet(shape + _LEAST, self.streams, purpose=_SIGN_WEIGHTS, width=3)
        return drawn if low != high else np.insert(drawn, 1, 0.0, axis=1)


def _dirichlet(
    shape: FloatArray, streams: Streams, *, purpose: int, width: int | None = None
) -> FloatArray:
    def block(rng: np.random.Generator, n: int) -> FloatArray:
        return rng.dirichlet(shape, n)

    return streams.run(block, width=width or len(shape), purpose=purpose)


def _signs(values: FloatArray, edge: float) -> FloatArray:
    """Return the sign of values less an edge; 0 where only rounding parts them."""
    size = max(float(np.abs(values).max(initial=0.0)), abs(edge))
    gap = values - edge
    return np.sign(np.where(np.abs(gap) <= _ROUNDING * size, 0.0, gap))


def winners(masses: FloatArray) -> tuple[float, float, float]:
    """Return how often each region has the largest mass; ties are shared."""
    parts = [np.ascontiguousarray(column) for column in masses.T]
    # Rounding must not decide a tie.
    least = np.maximum.reduce(parts) - 1e-12
    won = [part >= least for part in parts]
    ties = won[0].astype(np.int8) + won[1] + won[2]
    alone = ties == 1
    shares = [float(np.count_nonzero(w & alone)) for w in won]
    if not alone.all():
        shared = ~alone
        shares = [
            n + float((w[shared] / ties[shared]).sum())
            for n, w in zip(shares, won, strict=True)
        ]
    worse, inside, better = (n / len(masses) for n in shares)
    return worse, inside, better
