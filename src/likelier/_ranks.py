"""Ranks of many systems: joint draws, probabilities of ranks, tests of all pairs."""

from itertools import combinations

import numpy as np

from likelier._typing import BoolArray, FloatArray
from likelier.data.scores import DataSet, Scores
from likelier.errors import NotDefinedError
from likelier.methods.folds.fold_tests import resampled_t, wilcoxon
from likelier.methods.folds.rank_tests import benjamini_hochberg, holm, k_hat
from likelier.results.ranks import PairTest, Ranks
from likelier.streams import Streams

_MEANS = 22
_LEAST_FOLDS = 2


def rank_draws(
    draws: FloatArray, *, source: str, scope: str = "", seed: int = 0
) -> Ranks:
    """Count how often each system has each rank; ties share their ranks.

    Parameters
    ----------
    draws
        Joint draws (draw, system); larger is better.
    source, scope, seed
        Description of the draws, and of what the ranks are of; the seed.

    Examples
    --------
    >>> rank_draws(np.array([[1.0, 2.0], [1.0, 1.0]]), source="two draws").best
    array([0.25, 0.75])
    """
    count = draws.shape[1]
    probability = np.zeros((count, count))
    for system in range(count):
        ahead = (draws > draws[:, [system]]).sum(axis=1)
        tied = (draws == draws[:, [system]]).sum(axis=1)
        # Few of the pairs (ahead, tied) differ.
        often = np.bincount(ahead * (count + 1) + tied)
        for key in np.flatnonzero(often):
            first, size = divmod(int(key), count + 1)
            probability[system, first : first + size] += often[key] / size
    return Ranks(probability / len(draws), len(draws), source, scope, seed)


def score_draws(scores: Scores, streams: Streams) -> FloatArray:
    """Draw the mean score of all systems together; larger is better.

    The folds of a data set give a multivariate Student posterior of the systems'
    means, whose differences are those of the correlated t-test. Data sets are weighed
    by Dirichlet weights, as the next ones may be any mixture of them.
    """
    sets = scores.datasets
    width = len(sets) * len(scores.systems)

    def block(rng: np.random.Generator, n: int) -> FloatArray:
        weights = rng.dirichlet(np.ones(len(sets)), n)
        total = np.zeros((n, len(scores.systems)))
        for index, dataset in enumerate(sets):
            total += weights[:, [index]] * _mean_draws(dataset, rng, n)
        return scores.oriented(total)

    return streams.run(block, width=width, purpose=_MEANS)


def _mean_draws(dataset: DataSet, rng: np.random.Generator, n: int) -> FloatArray:
    """Draw the mean scores of one data set's systems."""
    folds = dataset.folds
    if folds < 2:
        return np.broadcast_to(dataset.values[0], (n, dataset.values.shape[1]))
    # Equal systems stay equal.
    distinct, index = np.unique(dataset.values, axis=1, return_inverse=True)
    factor = _factor(distinct - distinct.mean(axis=0))
    scale = np.sqrt((1 / folds + dataset.test_per_train) / (folds - 1))
    normal = (rng.standard_normal((n, len(factor))) @ factor)[:, np.ravel(index)]
    constant = _constant_gaps(dataset)
    if constant.any():
        # Exact only to the resolution of the scores.
        floor = dataset.rounding_sd * np.sqrt((folds - 1) / 2)
        noise = rng.standard_normal((n, distinct.shape[1]))
        normal = normal + floor * constant * noise[:, np.ravel(index)]
    shrink = np.sqrt((folds - 1) / rng.chisquare(folds - 1, n))[:, None]
    return np.asarray(dataset.means + scale * shrink * normal)


def _factor(deviations: FloatArray) -> FloatArray:
    """Return fewest rows whose normal combinations have the folds' covariance."""
    triangle = np.linalg.qr(deviations, mode="r")
    # Which sign comes out depends on the library of linear algebra.
    return np.asarray(np.where(np.diag(triangle) < 0, -1.0, 1.0)[:, None] * triangle)


def _constant_gaps(dataset: DataSet) -> BoolArray:
    """Choose the systems that differ from another by the same on every fold."""
    values = dataset.values
    gaps = values[:, :, None] - values[:, None, :]
    size = np.abs(values).max(initial=0.0)
    same = (np.ptp(gaps, axis=0) <= 1e-12 * size) & (np.abs(gaps[0]) > 1e-12 * size)
    return np.asarray(same.any(axis=1))


def score_source(scores: Scores) -> str:
    """Describe the draws of scores."""
    if len(scores.datasets) == 1:
        return "joint draws of the mean scores, correlated folds"
    return "joint draws of the mean scores, data sets weighed by a Dirichlet process"


def pair_tests(scores: Scores, *, alpha: float) -> tuple[PairTest, ...]:
    """Test every pair over data sets, adjusted for their number."""
    pairs = list(combinations(scores.systems, 2))
    tables = [scores.keep(*pair) for pair in pairs]
    size = float(np.abs(scores.means).max()) or 1.0
    p = np.array([wilcoxon(t.mean_differences(), scale=size).p_value for t in tables])
    rows = zip(pairs, p, holm(p), benjamini_hochberg(p), tables, strict=True)
    return tuple(
        PairTest(pair, float(one), float(h), float(bh), _better_on(table, alpha))
        for pair, one, h, bh, table in rows
    )


def _better_on(scores: Scores, alpha: float) -> tuple[int, int] | None:
    """Count the data sets on which the second is better, and the first, by k-hat."""
    if min(dataset.folds for dataset in scores.datasets) < _LEAST_FOLDS:
        return None
    pairs = zip(scores.datasets, scores.differences(), strict=True)
    second = np.array([_one_sided(dataset, gap) for dataset, gap in pairs])
    return k_hat(second, alpha=alpha).k_hat, k_hat(1 - second, alpha=alpha).k_hat


def _one_sided(dataset: DataSet, gap: FloatArray) -> float:
    """Return the p-value of the second being better on one data set."""
    share, scale = dataset.test_per_train, dataset.scale
    try:
        test = resampled_t(gap, test_per_train=share, scale=scale)
    except NotDefinedError:
        # Folds that never vary: no p-value, and no evidence counted.
        return 0.5
    half = 0.5 * test.p_value
    return half if test.statistic > 0 else 1 - half
