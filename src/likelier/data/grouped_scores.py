"""Scores of items in groups, such as tasks, for the mean over groups."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse

from likelier._typing import FloatArray, IntArray
from likelier.data.encoding import Clusters
from likelier.data.outcomes import Outcomes
from likelier.data.pattern_rows import count_rows

_STATISTICS = ("tp", "fp", "fn")


def scores_by_group(
    scores: FloatArray,
    group: IntArray,
    *,
    systems: Sequence[str],
    groups: Sequence[str],
    cluster: ArrayLike | None = None,
) -> Outcomes:
    """Count items of groups, of which a score from 0 to 1 is the part that is right.

    The groups take the place of classes: the mean score of a group is its recall, and
    the mean over groups the macro-recall, which all methods know.

    Parameters
    ----------
    scores
        Scores from 0 to 1 (item, system).
    group
        Number of the group of each item.
    systems, groups
        Names of systems and groups.
    cluster
        Cluster of each item.

    Examples
    --------
    >>> from likelier import metrics
    >>> table = scores_by_group(np.array([[0, 1], [1, 1], [1.0, 0.5]]),
    ...                         np.array([0, 0, 1]), systems="ab", groups="xy")
    >>> metrics.named("macro_recall").observed(table)
    array([0.75, 0.75])
    """
    clusters = Clusters.of(cluster, len(scores))
    rows = np.column_stack([group, scores])
    counted = count_rows(rows, None, clusters.codes)
    n, n_systems = len(counted.rows), len(systems)
    right = counted.rows[:, 1:]
    code = counted.rows[:, 0].astype(np.int64)
    start = (np.arange(n_systems) * len(groups) + code[:, np.newaxis]) * len(
        _STATISTICS
    )
    column = np.stack([start, start + 2], axis=-1)
    row = np.broadcast_to(np.arange(n)[:, np.newaxis, np.newaxis], column.shape)
    values = np.stack([right, 1 - right], axis=-1)
    shape = n, n_systems * len(groups) * len(_STATISTICS)
    table = Outcomes(
        systems=tuple(systems),
        classes=tuple(groups),
        statistics=_STATISTICS,
        rows=sparse.csr_array((values.ravel(), (row.ravel(), column.ravel())), shape),
        counts=counted.counts,
        sizes=np.ones(n),
        strata=np.zeros(n, dtype=np.int64),
        all_classes=True,
    )
    table.rows.eliminate_zeros()
    return table if counted.clusters is None else table.by(counted.clusters)
