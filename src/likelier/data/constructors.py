"""Constructors of outcomes: from labels, sets of labels, or scores."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse

from likelier._typing import FloatArray
from likelier.data.counts import BOUNDS, is_count
from likelier.data.differing_items import ItemKind, differing_items
from likelier.data.encoding import (
    Clusters,
    different_names,
    label_codes,
    label_sets,
    score_columns,
)
from likelier.data.item_examples import Ids, Texts, check_per_item
from likelier.data.number_writing import writing_finding
from likelier.data.outcomes import Outcomes
from likelier.data.pattern_rows import (
    LABEL_STATISTICS,
    CountedRows,
    count_rows,
    label_rows,
    set_rows,
)
from likelier.errors import InputError, SettingError
from likelier.formatting import listed

_DEFAULT_NAMES = ("first", "second", "third", "fourth", "fifth")


def from_labels(
    gold: ArrayLike,
    *predictions: ArrayLike,
    systems: Sequence[str] | None = None,
    classes: Sequence[str] | None = None,
    cluster: ArrayLike | None = None,
    ids: Sequence[str] | None = None,
    texts: Sequence[Any] | None = None,
) -> Outcomes:
    """Count items with one gold label and one predicted label per system.

    Parameters
    ----------
    gold
        The gold label of each item; labels are compared as strings.
    *predictions
        One sequence of labels per system, the baseline first.
    systems
        Names of the systems.
    classes
        All classes there are. By default a class counts in a system's averages if
        the gold labels or the system's own predictions hold it.
    cluster
        The document, speaker or question group of each item.
    ids
        What to call each item where people look at it; ``item 0`` and so on, by
        default.
    texts
        The text of each item, which people see where systems differ.

    Examples
    --------
    >>> from_labels("aabb", "abbb", "aabb")
    <Outcomes of first, second: 4 items, 3 patterns, 2 classes>
    """
    names = system_names(systems, len(predictions))
    return from_patterns(
        [gold, *predictions],
        systems=names,
        classes=classes,
        cluster=cluster,
        ids=ids,
        texts=texts,
    )


def from_patterns(
    columns: Sequence[ArrayLike],
    counts: ArrayLike | None = None,
    *,
    systems: Sequence[str],
    classes: Sequence[str] | None = None,
    cluster: ArrayLike | None = None,
    ids: Ids | None = None,
    texts: Sequence[Any] | Texts | None = None,
) -> Outcomes:
    """Count rows of labels, or use their counts: a database, or a paper's table.

    Parameters
    ----------
    columns
        The gold labels, then one column per system.
    counts
        How often each row occurred; once, by default.
    systems, classes, cluster
        As in `from_labels`.
    ids
        What to call the items; of counted rows, a function of the numbers of some
        rows that returns some ids of each.
    texts
        The text of each item; of counted rows, a function of some of these ids that
        returns the text of each.

    Examples
    --------
    >>> from_patterns([["y", "n"], ["y", "y"]], [70, 30], systems=["a"]).n_items
    100
    """
    names = system_names(systems, len(columns) - 1)
    labels, codes, numbers = label_codes(
        columns, names=["gold", *names], classes=classes
    )
    findings = [writing_finding(numbers, "labels")] if numbers else []
    clusters = Clusters.of(cluster, len(codes))
    weights = None if counts is None else checked_counts(counts, len(codes))
    counted = count_rows(codes, weights, clusters.codes)
    counted = counted._replace(rows=counted.rows.astype(np.int64))
    outcomes = Outcomes(
        systems=names,
        classes=labels,
        statistics=LABEL_STATISTICS,
        rows=label_rows(counted.rows, kept=list(range(len(labels)))),
        counts=counted.counts,
        sizes=np.ones(len(counted.rows)),
        strata=counted.rows[:, 0],
        labels=counted.rows,
        all_classes=classes is not None,
        negatives=True,
        one_label=True,
        findings=tuple(findings),
    )
    return _with_items(
        outcomes,
        counted,
        counted.rows.astype(np.int32),
        kind="labels",
        values=labels,
        ids=ids,
        texts=texts,
        clusters=clusters,
        single=counts is None,
    )


def from_sets(
    gold: ArrayLike,
    *predictions: ArrayLike,
    systems: Sequence[str] | None = None,
    classes: Sequence[str] | None = None,
    cluster: ArrayLike | None = None,
    ids: Ids | None = None,
    texts: Sequence[Any] | Texts | None = None,
) -> Outcomes:
    """Count items with any number of gold and predicted labels (multi-label).

    Parameters
    ----------
    gold
        One collection of labels per item, or an indicator matrix (item, class).
    *predictions
        The same per system, the baseline first.
    systems, classes, cluster
        As in `from_labels`; an indicator matrix fixes all classes by itself.
    ids, texts
        As in `from_patterns`.

    Examples
    --------
    >>> from_sets([{"x"}, {"x", "y"}], [{"x"}, {"y"}])
    <Outcomes of first: 2 items, 2 patterns, 2 classes>
    """
    names = system_names(systems, len(predictions))
    labels, sets, codes, fixed = label_sets(
        [gold, *predictions], names=["gold", *names], classes=classes
    )
    if not labels:
        message = "There must be at least one label; all sets are empty."
        raise InputError(message)
    clusters = Clusters.of(cluster, len(codes))
    counted = count_rows(codes, None, clusters.codes)
    outcomes = Outcomes(
        systems=names,
        classes=labels,
        statistics=LABEL_STATISTICS,
        rows=set_rows(counted.rows.astype(np.int64), sets, len(labels)),
        counts=counted.counts,
        sizes=np.ones(len(counted.rows)),
        strata=np.zeros(len(counted.rows), dtype=np.int64),
        all_classes=fixed,
        negatives=True,
    )
    return _with_items(
        outcomes,
        counted,
        counted.rows.astype(np.int64),
        kind="sets",
        values=[tuple(labels[i] for i in one) for one in sets],
        ids=ids,
        texts=texts,
        clusters=clusters,
    )


def from_scores(
    *scores: ArrayLike,
    systems: Sequence[str] | None = None,
    counts: ArrayLike | None = None,
    cluster: ArrayLike | None = None,
    ids: Ids | None = None,
    texts: Sequence[Any] | Texts | None = None,
) -> Outcomes:
    """Count items with one number per system: a judge's mark, a BLEU, a loss.

    Parameters
    ----------
    *scores
        One sequence of finite numbers per system, the baseline first.
    counts
        How often each row occurred; once, by default.
    systems, cluster
        As in `from_labels`.
    ids, texts
        As in `from_patterns`.

    Examples
    --------
    >>> from_scores([1, 2, 2], [2, 2, 2])
    <Outcomes of first, second: 3 items, 2 patterns, 1 classes>
    """
    names = system_names(systems, len(scores))
    values = score_columns(scores, names=names)
    n = len(values)
    clusters = Clusters.of(cluster, n)
    weights = None if counts is None else checked_counts(counts, n)
    counted = count_rows(values, weights, clusters.codes)
    outcomes = Outcomes(
        systems=names,
        classes=("all",),
        statistics=("score",),
        rows=sparse.csr_array(counted.rows),
        counts=counted.counts,
        sizes=np.ones(len(counted.rows)),
        strata=np.zeros(len(counted.rows), dtype=np.int64),
        all_classes=True,
    )
    return _with_items(
        outcomes,
        counted,
        counted.rows,
        kind="scores",
        ids=ids,
        texts=texts,
        clusters=clusters,
        single=counts is None,
    )


def _with_items(
    outcomes: Outcomes,
    counted: CountedRows,
    cells: NDArray[Any],
    *,
    kind: ItemKind,
    values: Sequence[Any] = (),
    ids: Ids | None,
    texts: Sequence[Any] | Texts | None,
    clusters: Clusters,
    single: bool = True,
) -> Outcomes:
    """Add the items on which systems differ, then sum up clusters.

    Parameters
    ----------
    outcomes
        The outcomes of the distinct rows.
    counted
        These rows.
    cells, kind, values
        As in `DifferingItems`.
    ids, texts
        As in `from_patterns`.
    clusters
        Clusters of what was counted.
    single
        Whether each row that was counted is one item, which its index names.
    """
    n = len(counted.group)
    check_per_item(ids, n, name="ids")
    check_per_item(texts, n, name="texts")
    items = differing_items(
        cells,
        counted.counts,
        counted.group,
        systems=outcomes.systems,
        kind=kind,
        values=values,
        ids=ids,
        item_name="item {}".format if single else None,
        texts=texts if texts is None or callable(texts) else picked(texts),
        group_name=clusters.name_of,
        unique=counted.clusters is None,
    )
    outcomes = replace(outcomes, items=items)
    return outcomes if counted.clusters is None else outcomes.by(counted.clusters)


def system_names(systems: Sequence[str] | None, count: int) -> tuple[str, ...]:
    """Return the names of the systems, made up where there are none."""
    if count == 0:
        message = "There must be at least one system; got none."
        raise SettingError(message)
    if systems is None:
        extra = tuple(f"system {i + 1}" for i in range(len(_DEFAULT_NAMES), count))
        return (*_DEFAULT_NAMES, *extra)[:count]
    return different_names(systems, count, setting="systems")


def picked(texts: Sequence[Any]) -> Texts:
    """Look up texts by their index."""
    return lambda indexes: list(map(list(texts).__getitem__, indexes))


def checked_counts(counts: ArrayLike | None, n: int) -> FloatArray:
    """Return how often each of n rows occurred: once, by default."""
    if counts is None:
        return np.ones(n)
    values = np.asarray(counts, dtype=np.float64)
    if values.shape != (n,) or not is_count(values).all():
        numbers = listed(values.ravel().tolist())
        message = f"counts must be {n} numbers {BOUNDS}; got {numbers}."
        raise InputError(message)
    if values.sum() == 0:
        message = "There must be at least one item; all counts are 0."
        raise InputError(message)
    return values
