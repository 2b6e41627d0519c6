"""Constructor of ranked outcomes: gold labels, and scores by which items are ranked."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse

from likelier._typing import BoolArray, FloatArray, IntArray
from likelier.data.constructors import checked_counts, system_names
from likelier.data.encoding import (
    Clusters,
    check_lengths,
    different_names,
    label_codes,
    score_columns,
)
from likelier.data.outcomes import Outcomes
from likelier.data.ranked_outcomes import RANK_STATISTICS, RankedOutcomes
from likelier.errors import InputError
from likelier.formatting import listed


def from_ranked(
    gold: ArrayLike,
    *scores: ArrayLike,
    systems: Sequence[str] | None = None,
    classes: Sequence[str] | None = None,
    counts: ArrayLike | None = None,
    cluster: ArrayLike | None = None,
) -> Outcomes:
    """Count items with a gold label, ranked by the scores of each system.

    Parameters
    ----------
    gold
        The gold label of each item; labels are compared as strings.
    *scores
        Of each system one number per item, greater where the item is more probably
        positive; or an array (item, class) with one number for each class.
    systems
        Names of the systems.
    classes
        The class of each column of scores; by default the gold labels, sorted.
    counts
        How often each row occurred; once, by default.
    cluster
        The document, speaker or question group of each item.

    Examples
    --------
    >>> from_ranked([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8], [0.1, 0.2, 0.3, 0.4])
    <Outcomes of first, second: 4 items, 4 patterns, 2 classes>
    """
    names = system_names(systems, len(scores))
    found, codes, _ = label_codes([gold], names=["gold"])
    if len(found) < 2:
        message = f"gold must hold two classes or more; every item is {found[0]!r}."
        hint = "Ranked metrics ask how well scores separate classes: include others."
        raise InputError(message, hint=hint)
    layers = [_score_table(s, name=n) for s, n in zip(scores, names, strict=True)]
    check_lengths([len(codes), *map(len, layers)], ["gold", *names])
    labels = _classes(found, layers, names, classes)
    index = np.array([labels.index(label) for label in found])
    gold_codes = index[codes[:, 0]]
    weights = checked_counts(counts, len(gold_codes))
    ranks = np.stack([_ranks(layer, weights) for layer in layers], axis=1)
    rows, position_class = _rows(gold_codes, ranks, len(labels))
    clusters = Clusters.of(cluster, len(gold_codes))
    table = RankedOutcomes(
        systems=names,
        classes=labels,
        statistics=RANK_STATISTICS,
        rows=rows,
        counts=weights,
        sizes=np.ones(len(weights)),
        strata=gold_codes if clusters.codes is None else np.zeros_like(gold_codes),
        all_classes=True,
        one_label=True,
        position_class=position_class,
        one_score=ranks.shape[2] == 1,
    )
    counted = table if clusters.codes is None else table.by(clusters.codes)
    return counted.merged()


def _score_table(scores: ArrayLike, *, name: str) -> FloatArray:
    """Return finite scores (item, column)."""
    if getattr(scores, "ndim", None) is None:
        scores = _as_array(scores, name)
    columns: Any = np.asarray(scores)
    if columns.ndim == 2:
        return score_columns(list(columns.T), names=[name] * columns.shape[1])
    return score_columns([columns], names=[name])


def _as_array(scores: ArrayLike, name: str) -> FloatArray:
    try:
        return np.asarray(scores, dtype=np.float64)
    except (TypeError, ValueError) as error:
        message = f"scores of {name} must be numbers; {error}."
        hint = "A ranked metric needs scores, such as probabilities, not labels."
        raise InputError(message, hint=hint) from error


def _classes(
    found: tuple[str, ...],
    layers: Sequence[FloatArray],
    names: Sequence[str],
    classes: Sequence[str] | None,
) -> tuple[str, ...]:
    """Return the class of each column of scores; of one column, all gold labels."""
    widths = {name: layer.shape[1] for name, layer in zip(names, layers, strict=True)}
    if len(set(widths.values())) > 1:
        text = ", ".join(f"{name} has {width}" for name, width in widths.items())
        message = f"Systems must have the same number of scores for an item; {text}."
        raise InputError(message)
    width = layers[0].shape[1]
    if classes is None:
        if width not in (1, len(found)):
            message = (
                f"Scores must be one per item, or one for each of {len(found)} classes "
                f"({listed(found, most=10)}); got {width}."
            )
            raise InputError(message, hint="classes= names the columns of scores.")
        return found
    labels = different_names(
        classes, len(found) if width == 1 else width, setting="classes"
    )
    missing = sorted(set(found) - set(labels))
    if missing:
        message = f"classes must hold every gold label; missing {listed(missing)}."
        raise InputError(message)
    return labels


def _ranks(scores: FloatArray, counts: FloatArray) -> FloatArray:
    """Rank items by each column of scores, with the mean rank for ties."""
    ranks = np.empty_like(scores)
    for column, out in zip(scores.T, ranks.T, strict=True):
        _, group = np.unique(column, return_inverse=True)
        ties = np.bincount(group, weights=counts)
        out[:] = (np.cumsum(ties) - ties / 2)[group]
    return ranks


def _rows(
    gold: IntArray, ranks: FloatArray, n_classes: int
) -> tuple[sparse.csr_array, IntArray]:
    """Make rows (item, system x position x statistic), and the class of positions."""
    n, systems, columns = ranks.shape
    parts, owners, width = [], [], 0
    for code in range(n_classes):
        own = ranks[..., code if columns > 1 else 0]
        positions, size = _positions(own, gold == code)
        parts.append(positions + width)
        owners.append(np.full(size, code))
        width += size
    # (item, class, system), each one position.
    places = np.stack(parts, axis=1)
    negative = (gold[:, np.newaxis] != np.arange(n_classes)).astype(np.int64)
    shift = np.arange(systems) * width
    column = (places + shift) * len(RANK_STATISTICS) + negative[..., np.newaxis]
    column = np.sort(column.reshape(n, -1), axis=1)
    each = column.shape[1]
    rows = sparse.csr_array(
        (np.ones(column.size), column.ravel(), np.arange(n + 1) * each),
        shape=(n, systems * width * len(RANK_STATISTICS)),
    )
    return rows, np.concatenate(owners)


def _positions(ranks: FloatArray, positive: BoolArray) -> tuple[IntArray, int]:
    """Return the position of each item by each system, and the number of positions.

    Ranks of positives, of any system, are positions of their own; all ranks between
    two of them are one. The first position and the last have no items.
    """
    marks = np.unique(ranks[positive])
    index = np.searchsorted(marks, ranks)
    at = np.append(marks, np.inf)[index] == ranks
    used, position = np.unique(2 * index + at, return_inverse=True)
    return position.reshape(ranks.shape) + 1, len(used) + 2
