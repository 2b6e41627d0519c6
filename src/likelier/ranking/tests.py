"""What p-values say of many systems on many data sets."""

import numpy as np
from numpy.typing import NDArray

from likelier.errors import NotDefinedError
from likelier.results.order import all_pairs
from likelier.results.ranking import PairTest
from likelier.score_methods.signed_rank import set_differences
from likelier.score_tests import (
    benjamini_hochberg,
    holm,
    k_hat,
    resampled_t,
    wilcoxon,
)
from likelier.scores import Scores

FloatArray = NDArray[np.float64]

_LEAST_FOLDS = 2


def pair_tests(scores: Scores, *, alpha: float) -> tuple[PairTest, ...]:
    """Test every pair over data sets, adjusted for their number."""
    pairs = all_pairs(scores.systems)
    tables = [scores.keep(*pair) for pair in pairs]
    size = float(np.abs(scores.means).max()) or 1.0
    p = np.array([wilcoxon(set_differences(t), scale=size).p_value for t in tables])
    rows = zip(pairs, p, holm(p), benjamini_hochberg(p), tables, strict=True)
    return tuple(
        PairTest(pair, float(one), float(h), float(bh), _shown_on(table, alpha))
        for pair, one, h, bh, table in rows
    )


def _shown_on(scores: Scores, alpha: float) -> tuple[int, int] | None:
    """Count on how many data sets the second is shown to be better, and the first."""
    if min(dataset.folds for dataset in scores.datasets) < _LEAST_FOLDS:
        return None
    second = np.array(
        [_one_sided(scores, place) for place in range(len(scores.datasets))]
    )
    first = 1 - second
    return (
        k_hat(second, alpha=alpha).k_hat,
        k_hat(np.clip(first, 0.0, 1.0), alpha=alpha).k_hat,
    )


def _one_sided(scores: Scores, place: int) -> float:
    """Give the p-value of the second being better on one data set."""
    dataset, gap = scores.datasets[place], scores.differences()[place]
    size = float(np.abs(dataset.values).max()) or 1.0
    try:
        found = resampled_t(gap, test_per_train=dataset.test_per_train, scale=size)
    except NotDefinedError:
        # Folds that never vary: no p-value, and no evidence counted.
        return 0.5
    half = 0.5 * found.p_value
    return half if found.statistic > 0 else 1 - half
