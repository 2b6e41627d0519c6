"""Many data sets with one score each: the Bayesian sign and signed-rank tests.

The differences come from an unknown distribution with a Dirichlet process as its
prior: one pseudo-observation in the middle of the rope, worth `strength` data sets.
Every draw weighs the data sets anew; all draws are products of matrices.
"""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from likelier._typing import FloatArray
from likelier.data.scores import Scores, mean_of
from likelier.distribution import Draws, Posterior
from likelier.errors import SettingError
from likelier.streams import Streams

_SIGN_WEIGHTS = 11
_RANK_WEIGHTS = 12
# Keeps a region without a data set possible, as in the published test.
_LEAST = 1e-4
_BLOCK = 2048
_ROUNDING = 1e-9


@dataclass(frozen=True)
class Weighed:
    """Data sets with their weights in every draw.

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
        """How many draws there are."""
        return len(self.weights)


@dataclass(frozen=True)
class SignedRank:
    """The Bayesian signed-rank test of Benavoli et al. (2014, 2017).

    Attributes
    ----------
    strength
        How many data sets the pseudo-observation is worth.
    """

    strength: float = 0.5
    name: ClassVar[str] = "signed-rank"

    def __post_init__(self) -> None:
        check_strength(self.strength)

    def posterior(self, scores: Scores, streams: Streams) -> Posterior:
        """Give the posterior of the mean over data sets, and of the regions."""
        weights = self.weights(len(scores.datasets), streams)
        return rank_posterior(set_differences(scores), weights)

    def weights(self, count: int, streams: Streams) -> FloatArray:
        """Draw the weights of so many data sets, the pseudo-observation first."""
        shape = np.concatenate([[self.strength], np.ones(count)])

        def block(rng: np.random.Generator, n: int) -> FloatArray:
            return rng.dirichlet(shape, n)

        return streams.run(block, width=count + 1, purpose=_RANK_WEIGHTS)

    def parameters(self, _: Scores) -> dict[str, Any]:
        """Return the weight of the pseudo-observation of no difference."""
        return {"strength": float(self.strength)}


def rank_posterior(differences: FloatArray, weights: FloatArray) -> Posterior:
    """Turn weights of data sets into a posterior, one pair of systems at a time."""
    values = np.concatenate([[0.0], differences])
    regions = RankRegions(values, weights)
    return Posterior((), Draws(weights @ values), regions)


@dataclass(frozen=True)
class BayesianSignTest:
    """The Bayesian sign test: only the region of each data set counts.

    Attributes
    ----------
    strength
        How many data sets the pseudo-observation in the rope is worth.
    """

    strength: float = 1.0
    name: ClassVar[str] = "sign"

    def __post_init__(self) -> None:
        check_strength(self.strength)

    def posterior(self, scores: Scores, streams: Streams) -> Posterior:
        """Give the posterior of the mean over data sets, and of the regions."""
        differences = set_differences(scores)
        rank = SignedRank(self.strength).weights(len(differences), streams)
        values = np.concatenate([[0.0], differences])
        return Posterior((), Draws(rank @ values), self.regions(scores, streams))

    def regions(self, scores: Scores, streams: Streams) -> "SignRegions":
        """Count the data sets in each region."""
        return SignRegions(set_differences(scores), self.strength, streams)

    def parameters(self, _: Scores) -> dict[str, Any]:
        """Return the weight of the pseudo-observation of no difference."""
        return {"strength": float(self.strength)}


@dataclass(frozen=True, eq=False)
class RankRegions(Weighed):
    """How often the sum of two data sets lies below, in or above the doubled rope."""

    def shares(self, low: float, high: float) -> tuple[float, float, float]:
        """Give how often each region has the most pairs of data sets."""
        return winners(self.masses(low, high))

    def masses(self, low: float, high: float) -> FloatArray:
        """Give the share of pairs in each region (draw, region)."""
        sums = np.add.outer(self.values, self.values)
        # A sum exactly at an end counts half on either side.
        below = 0.5 * (1 - _sides(sums, 2 * low))
        above = 0.5 * (1 + _sides(sums, 2 * high))
        worse, better = self._quadratics(below, above)
        inside = np.maximum(1 - worse - better, 0.0)
        if low == high:
            inside = np.zeros_like(worse)
        return np.stack([worse, inside, better], axis=1)

    def _quadratics(
        self, below: FloatArray, above: FloatArray
    ) -> tuple[FloatArray, FloatArray]:
        """Give w A w for both matrices and the weights of every draw, at most 1."""
        both, n = np.hstack([below, above]), len(self.values)
        found = np.empty((2, len(self.weights)))
        # Blocks that stay in the processor's cache.
        for start in range(0, len(self.weights), _BLOCK):
            weights = self.weights[start : start + _BLOCK]
            products = weights @ both
            rows = slice(start, start + len(weights))
            found[0, rows] = np.einsum("di,di->d", products[:, :n], weights)
            found[1, rows] = np.einsum("di,di->d", products[:, n:], weights)
        worse, better = np.minimum(found, 1.0)
        return worse, better


@dataclass(frozen=True, eq=False)
class SignRegions:
    """How many data sets lie below, in and above the rope."""

    differences: FloatArray
    strength: float
    streams: Streams

    @property
    def n_independent(self) -> int:
        """How many draws there are."""
        return self.streams.draws_for(3)

    def shares(self, low: float, high: float) -> tuple[float, float, float]:
        """Give how often each region has the most weight."""
        return winners(self.masses(low, high))

    def masses(self, low: float, high: float) -> FloatArray:
        """Draw the weight of each region (draw, region)."""
        worse = float((_sides(self.differences, low) < 0).sum())
        better = float((_sides(self.differences, high) > 0).sum())
        inside = len(self.differences) - worse - better
        if low == high:
            half = 0.5 * (inside + self.strength)
            shape = np.array([worse + half, better + half]) + _LEAST
        else:
            shape = np.array([worse, inside + self.strength, better]) + _LEAST

        def block(rng: np.random.Generator, n: int) -> FloatArray:
            return rng.dirichlet(shape, n)

        drawn = self.streams.run(block, width=3, purpose=_SIGN_WEIGHTS)
        return drawn if low != high else np.insert(drawn, 1, 0.0, axis=1)


def _sides(values: FloatArray, edge: float) -> FloatArray:
    """Say on which side of an edge values lie; rounding does not take them off it."""
    size = max(float(np.abs(values).max(initial=0.0)), abs(edge))
    away = values - edge
    return np.sign(np.where(np.abs(away) <= _ROUNDING * size, 0.0, away))


def winners(masses: FloatArray) -> tuple[float, float, float]:
    """Give how often each region has the largest mass; ties are shared."""
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


def set_differences(scores: Scores) -> FloatArray:
    """Give the mean difference of every data set."""
    return np.array([mean_of(gap) for gap in scores.differences()])


def check_strength(strength: float) -> None:
    """Refuse a prior that weighs less than nothing."""
    if not 0 < strength < np.inf:
        message = f"strength must be a number above 0; got {strength!r}."
        raise SettingError(message)
