"""Constructors of outcomes: from labels, sets of labels, scores or counts."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse

from likelier._typing import FloatArray, IntArray
from likelier.data.differing_items import Ids, checked_ids, items_of
from likelier.data.encoding import (
    LABEL_STATISTICS,
    check_lengths,
    distinct,
    label_codes,
    label_rows,
    score_columns,
    set_indicators,
    tally,
)
from likelier.data.outcomes import Outcomes
from likelier.errors import InputError, SettingError
from likelier.formatting import listed

# What an item without an id is called, as in messages.
_ITEM = "item {}".format
_DEFAULT_NAMES = ("first", "second", "third", "fourth", "fifth")


def from_labels(
    gold: ArrayLike,
    *predictions: ArrayLike,
    systems: Sequence[str] | None = None,
    classes: Sequence[str] | None = None,
    cluster: ArrayLike | None = None,
    ids: Sequence[str] | None = None,
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
        What to call each item where people look at it; ``item 0`` and so on, by its
        place, by default.

    Examples
    --------
    >>> from_labels("aabb", "abbb", "aabb")
    <Outcomes of first, second: 4 items, 3 patterns, 2 classes>
    """
    names = system_names(systems, len(predictions))
    return from_patterns(
        [gold, *predictions], systems=names, classes=classes, cluster=cluster, ids=ids
    )


def from_patterns(
    columns: Sequence[ArrayLike],
    counts: ArrayLike | None = None,
    *,
    systems: Sequence[str],
    classes: Sequence[str] | None = None,
    cluster: ArrayLike | None = None,
    ids: Ids | None = None,
) -> Outcomes:
    """Take rows of labels that somebody counted: a database, or a paper's table.

    Parameters
    ----------
    columns
        The gold labels, then one column per system.
    counts
        How often each row occurred; once, by default.
    systems, classes, cluster
        As in `from_labels`.
    ids
        What to call the items; of counted rows, a function that gives some ids of
        each of the rows with given numbers.

    Examples
    --------
    >>> from_patterns([["y", "n"], ["y", "y"]], [70, 30], systems=["a"]).n_items
    100
    """
    names = ["gold", *system_names(systems, len(columns) - 1)]
    known, codes = label_codes(columns, names=names, classes=classes)
    weights = _checked_counts(counts, len(codes))
    groups = _cluster_codes(cluster, len(codes))
    table, weights, groups, index = _distinct_rows(codes, weights, groups)
    kept = list(range(len(known)))
    outcomes = Outcomes(
        systems=tuple(systems),
        classes=known,
        statistics=LABEL_STATISTICS,
        rows=label_rows(table, kept=kept),
        counts=weights,
        sizes=np.ones(len(table)),
        strata=table[:, 0],
        labels=table,
        all_classes=classes is not None,
        negatives=True,
        one_label=True,
        items=items_of(
            table.astype(np.int32),
            weights,
            index,
            systems=systems,
            kind="labels",
            values=known,
            ids=checked_ids(ids, len(codes)),
            called=_ITEM if counts is None else None,
            unique=groups is None,
        ),
    )
    return outcomes if groups is None else outcomes.by(groups)


def from_sets(
    gold: ArrayLike,
    *predictions: ArrayLike,
    systems: Sequence[str] | None = None,
    classes: Sequence[str] | None = None,
    cluster: ArrayLike | None = None,
    ids: Ids | None = None,
) -> Outcomes:
    """Count items with any number of gold and predicted labels (multi-label).

    Parameters
    ----------
    gold
        One collection of labels per item, or an indicator matrix (item, class).
    *predictions
        The same per system, the baseline first.
    systems, classes, cluster
        As in `from_labels`; an indicator matrix tells all classes by itself.
    ids
        As in `from_patterns`.

    Examples
    --------
    >>> from_sets([{"x"}, {"x", "y"}], [{"x"}, {"y"}])
    <Outcomes of first: 2 items, 2 patterns, 2 classes>
    """
    names = system_names(systems, len(predictions))
    known, cube, told = set_indicators(
        [gold, *predictions], names=["gold", *names], classes=classes
    )
    if not known:
        message = "There must be at least one label; all sets are empty."
        raise InputError(message)
    groups = _cluster_codes(cluster, len(cube))
    flat = cube.reshape(len(cube), -1)
    flat, counts, groups, index = _distinct_rows(flat, np.ones(len(cube)), groups)
    flags = flat.astype(bool).reshape(-1, *cube.shape[1:])
    values, codes = _set_codes(flags, known)
    outcomes = Outcomes(
        systems=names,
        classes=known,
        statistics=LABEL_STATISTICS,
        rows=_set_rows(flags),
        counts=counts,
        sizes=np.ones(len(flat)),
        strata=np.zeros(len(flat), dtype=np.int64),
        all_classes=told,
        negatives=True,
        items=items_of(
            codes,
            counts,
            index,
            systems=names,
            kind="sets",
            values=values,
            ids=checked_ids(ids, len(cube)),
            called=_ITEM,
            unique=groups is None,
        ),
    )
    return outcomes if groups is None else outcomes.by(groups)


def _set_codes(
    flags: NDArray[np.bool_], classes: Sequence[str]
) -> tuple[list[tuple[str, ...]], IntArray]:
    """Give the distinct sets of labels, and the code of each (row, column)."""
    rows, columns, _ = flags.shape
    sets, _, codes = distinct(flags.reshape(rows * columns, -1))
    values = [tuple(classes[i] for i in np.flatnonzero(one).tolist()) for one in sets]
    return values, codes.reshape(rows, columns)


def _set_rows(cube: NDArray[np.bool_]) -> Any:
    gold, predicted = cube[:, :1], cube[:, 1:]
    tp, fp, fn = gold & predicted, ~gold & predicted, gold & ~predicted
    correct = np.zeros_like(tp)
    correct[..., 0] = ~(fp | fn).any(axis=-1)
    table = np.stack([tp, fp, fn, correct], axis=-1)
    return sparse.csr_array(table.reshape(len(cube), -1).astype(np.float64))


def from_scores(
    *scores: ArrayLike,
    systems: Sequence[str] | None = None,
    counts: ArrayLike | None = None,
    cluster: ArrayLike | None = None,
    ids: Ids | None = None,
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
    ids
        As in `from_patterns`.

    Examples
    --------
    >>> from_scores([1, 2, 2], [2, 2, 2])
    <Outcomes of first, second: 3 items, 2 patterns, 1 classes>
    """
    names = system_names(systems, len(scores))
    values = score_columns(scores, names=names)
    weights = _checked_counts(counts, len(values))
    groups = _cluster_codes(cluster, len(values))
    n = len(values)
    values, weights, groups, index = _distinct_rows(values, weights, groups)
    outcomes = Outcomes(
        systems=names,
        classes=("all",),
        statistics=("score",),
        rows=sparse.csr_array(values),
        counts=weights,
        sizes=np.ones(len(values)),
        strata=np.zeros(len(values), dtype=np.int64),
        all_classes=True,
        items=items_of(
            values,
            weights,
            index,
            systems=names,
            kind="scores",
            ids=checked_ids(ids, n),
            called=_ITEM if counts is None else None,
            unique=groups is None,
        ),
    )
    return outcomes if groups is None else outcomes.by(groups)


def from_counts(
    statistics: Mapping[str, ArrayLike],
    *,
    systems: Sequence[str] | None = None,
    classes: Sequence[str] | None = None,
) -> Outcomes:
    """Take statistics that somebody already counted, item by item.

    Parameters
    ----------
    statistics
        Name of the statistic to numbers (item, system) or (item, system, class).
    systems
        Names of the systems.
    classes
        Names of the classes.

    Examples
    --------
    >>> table = from_counts({"tp": [[3]], "fp": [[1]], "fn": [[0]]})
    >>> table.statistics
    ('tp', 'fp', 'fn')
    """
    cube = _statistics_cube(statistics)
    n, n_systems, n_classes, _ = cube.shape
    table, first, group = distinct(cube.reshape(n, -1))
    known = tuple(classes or (f"class {i + 1}" for i in range(n_classes)))
    if len(set(known)) != n_classes:
        message = f"classes must be {n_classes} different names; got {listed(known)}."
        raise InputError(message)
    return Outcomes(
        systems=system_names(systems, n_systems),
        classes=known,
        statistics=tuple(statistics),
        rows=sparse.csr_array(table),
        counts=tally(group, np.ones(n), len(table)),
        sizes=np.ones(len(first)),
        strata=np.zeros(len(first), dtype=np.int64),
        all_classes=True,
    )


def _statistics_cube(statistics: Mapping[str, ArrayLike]) -> FloatArray:
    layers = []
    for name, values in statistics.items():
        layer = np.asarray(values, dtype=np.float64)
        if layer.ndim == 2:
            layer = layer[..., np.newaxis]
        if layer.ndim != 3 or not np.isfinite(layer).all() or (layer < 0).any():
            message = (
                f"{name} must hold finite counts of at least 0 as (item, system) or "
                f"(item, system, class); got shape {layer.shape}."
            )
            raise InputError(message)
        layers.append(layer)
    if not layers or len({layer.shape for layer in layers}) > 1:
        message = f"All statistics must have one shape; got {listed(statistics)}."
        raise InputError(message)
    check_lengths([len(layer) for layer in layers], list(statistics))
    return np.stack(layers, axis=-1)


def system_names(systems: Sequence[str] | None, count: int) -> tuple[str, ...]:
    """Return the names of the systems, made up where none are given."""
    if count == 0:
        message = "There must be at least one system; got none."
        raise SettingError(message)
    if systems is None:
        extra = tuple(f"system {i + 1}" for i in range(len(_DEFAULT_NAMES), count))
        return (*_DEFAULT_NAMES, *extra)[:count]
    names = tuple(str(name) for name in systems)
    if len(names) != count or len(set(names)) != count:
        message = f"systems must be {count} different names; got {listed(names)}."
        raise SettingError(message)
    return names


def _cluster_codes(cluster: ArrayLike | None, n: int) -> IntArray | None:
    if cluster is None:
        return None
    codes = label_codes([cluster], names=["cluster"])[1][:, 0]
    check_lengths([len(codes), n], ["cluster", "the table"])
    return codes


def _distinct_rows(
    table: NDArray[Any], counts: FloatArray, groups: IntArray | None
) -> tuple[NDArray[Any], FloatArray, IntArray | None, IntArray]:
    """Count equal rows, within groups where there are any, and tell where each went."""
    if groups is not None:
        table = np.column_stack([table, groups])
    rows, _, index = distinct(table)
    totals = tally(index, counts, len(rows))
    if groups is None:
        return rows, totals, None, index
    return rows[:, :-1], totals, rows[:, -1].astype(np.int64), index


def _checked_counts(counts: ArrayLike | None, n: int) -> FloatArray:
    if counts is None:
        return np.ones(n)
    values = np.asarray(counts, dtype=np.float64)
    if values.shape != (n,) or not np.isfinite(values).all() or (values < 0).any():
        told = listed(values.ravel().tolist())
        message = f"counts must be {n} finite numbers of at least 0; got {told}."
        raise InputError(message)
    if values.sum() == 0:
        message = "There must be at least one item; all counts are 0."
        raise InputError(message)
    return values
