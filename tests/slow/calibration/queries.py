"""Population of queries: nDCG@10 of two systems that rank the same documents."""

from functools import cache

import numpy as np
from tests.slow.calibration import peers
from tests.slow.calibration.peers import Array
from tests.slow.calibration.units import Generator, Units, score_outcomes, score_rows

_QUERIES, _DOCUMENTS, _CUT = 20_000, 40, 10
# Relevant documents beyond the first, on average, and their grades.
_FURTHER = 4
_GRADES, _SHARES = (1, 2, 3), (0.6, 0.3, 0.1)
# What a grade adds to a score: of the first systems, and of a better one.
_USUAL, _BETTER = 0.7, 1.1
_DISCOUNTS = 1 / np.log2(np.arange(2, _CUT + 2))


def _ndcg(grades: Array, scores: Array) -> Array:
    """Compute nDCG@10 of queries (query, document)."""
    first = np.argsort(-scores, axis=1)[:, :_CUT]
    gained = np.take_along_axis(grades, first, axis=1) @ _DISCOUNTS
    return gained / (np.sort(grades, axis=1)[:, ::-1][:, :_CUT] @ _DISCOUNTS)


@cache
def _prototypes() -> tuple[Array, Array]:
    """Pairs of equal systems (query, system), and of systems of which one is better.

    Every query comes a second time with the equal systems exchanged.
    """
    rng = np.random.default_rng(0)
    shape = _QUERIES, _DOCUMENTS
    relevant = 1 + rng.poisson(_FURTHER, (_QUERIES, 1))
    grades = rng.choice(_GRADES, size=shape, p=_SHARES)
    grades = np.where(np.arange(_DOCUMENTS) < relevant, grades, 0)
    # Queries are easy or hard, and documents alike or not, for all systems.
    common = rng.normal(size=shape)
    ease = rng.lognormal(0, 0.7, (_QUERIES, 1))
    own = rng.normal(size=(3, *shape))
    skills = (_USUAL, _USUAL, _BETTER)
    first, second, better = (
        _ndcg(grades, skill * ease * grades + common + noise)
        for skill, noise in zip(skills, own, strict=True)
    )
    pairs, apart = np.column_stack([first, second]), np.column_stack([first, better])
    return np.concatenate([pairs, pairs[:, ::-1]]), np.concatenate([apart, apart])


def queries(_share: float, ahead: float) -> Units:
    """Queries, a share of which the second system answers as a better one would."""
    usual, apart = _prototypes()

    def draw(rng: Generator, n: int) -> Array:
        index = rng.integers(len(usual), size=n)
        moved = rng.random((n, 1)) < ahead
        return score_rows(*np.where(moved, apart[index], usual[index]).T)

    values = (1 - ahead) * usual.mean() + ahead * apart.mean(axis=0)
    return Units(peers.mean, values, draw, score_outcomes)
