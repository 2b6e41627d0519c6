"""Constructor of outcomes from named statistics: any sums per item and system."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse

from likelier._typing import FloatArray, IntArray
from likelier.data.constructors import checked_counts, picked, system_names
from likelier.data.counts import BOUNDS, is_count
from likelier.data.differing_items import differing_items
from likelier.data.encoding import Clusters, Numbering, check_lengths
from likelier.data.item_examples import Ids, Texts, check_per_item
from likelier.data.outcomes import Outcomes
from likelier.data.pattern_rows import count_rows, distinct
from likelier.errors import InputError
from likelier.formatting import listed

Statistics = Mapping[str, ArrayLike]

# Counts of labels, which are never negative.
_COUNTS = frozenset({"tp", "fp", "fn", "correct"})
# Larger numbers would overflow when they are added up and squared.
_LARGEST = 1e100
# Of more items none are recorded for people to look at.
MOST_LISTED = 200_000


def from_statistics(
    *statistics: Statistics,
    systems: Sequence[str] | None = None,
    classes: Sequence[str] | None = None,
    counts: ArrayLike | None = None,
    cluster: ArrayLike | None = None,
    ids: Ids | None = None,
    texts: Sequence[Any] | Texts | None = None,
    answers: Sequence[Sequence[str]] | None = None,
) -> Outcomes:
    """Count items by numbers that each adds for each system: edits and words, tp, fp.

    Parameters
    ----------
    *statistics
        One mapping per system, the baseline first, from the name of a statistic to a
        number per item; or a single mapping to numbers (item, system) or
        (item, system, class). Numbers may be negative or fractions.
    systems
        Names of the systems.
    classes
        Names of the classes.
    counts
        How often each row occurred; once, by default.
    cluster
        The document, speaker or question group of each item.
    ids, texts
        As in `Outcomes.from_patterns`.
    answers
        What each system did on each item, one sequence per system, which people see
        in place of the numbers.

    Examples
    --------
    >>> words = [4, 6, 5]
    >>> first, second = {"edits": [1, 2, 0]}, {"edits": [0, 2, 0]}
    >>> from_statistics(first | {"words": words}, second | {"words": words})
    <Outcomes of first, second: 3 items, 3 patterns, 1 classes>
    >>> from_statistics({"tp": [[3, 4]], "fp": [[1, 0]], "fn": [[0, 0]]}).statistics
    ('tp', 'fp', 'fn')
    """
    names, cube = _cube(statistics)
    n, n_systems, n_classes, _ = cube.shape
    systems = system_names(systems, n_systems)
    labels = tuple(classes or (f"class {i + 1}" for i in range(n_classes)))
    if len(set(labels)) != n_classes:
        message = f"classes must be {n_classes} different names; got {listed(labels)}."
        raise InputError(message)
    clusters = Clusters.of(cluster, n)
    times = checked_counts(counts, n)
    counted = count_rows(cube.reshape(n, -1), times, clusters.codes)
    outcomes = Outcomes(
        systems=systems,
        classes=labels,
        statistics=names,
        rows=sparse.csr_array(counted.rows),
        counts=counted.counts,
        sizes=np.ones(len(counted.rows)),
        strata=np.zeros(len(counted.rows), dtype=np.int64),
        all_classes=True,
    )
    check_per_item(ids, n, name="ids")
    check_per_item(texts, n, name="texts")
    if n <= MOST_LISTED:
        values, cells = _values(cube, _column_names(names, labels), answers)
        items = differing_items(
            cells,
            times,
            np.arange(n),
            systems=systems,
            kind="statistics",
            values=values,
            classes=labels,
            ids=ids,
            item_name="item {}".format if counts is None else None,
            texts=texts if texts is None or callable(texts) else picked(texts),
            group_name=clusters.name_of,
            unique=False,
        )
        outcomes = replace(outcomes, items=items)
    return outcomes if counted.clusters is None else outcomes.by(counted.clusters)


def _cube(statistics: Sequence[Statistics]) -> tuple[tuple[str, ...], FloatArray]:
    """Return the names of statistics, and numbers (item, system, class, statistic)."""
    if not statistics or not all(isinstance(s, Mapping) and s for s in statistics):
        message = "statistics must be a mapping per system, from name to numbers."
        hint = 'from_statistics({"edits": [1, 0], "words": [5, 7]}, …)'
        raise InputError(message, hint=hint)
    names = tuple(map(str, statistics[0]))
    for other in statistics[1:]:
        if tuple(map(str, other)) != names and {*map(str, other)} != {*names}:
            message = (
                "All systems must have the same statistics; got "
                f"{listed(names)} and {listed(other)}."
            )
            raise InputError(message)
    most = 3 if len(statistics) == 1 else 1
    layers = []
    for name in statistics[0]:
        parts = [_numbers(str(name), one[name], most) for one in statistics]
        check_lengths([len(part) for part in parts], [str(name)] * len(parts))
        layers.append(parts[0] if len(parts) == 1 else np.stack(parts, axis=1))
    shaped = [layer.reshape(*layer.shape, *[1] * (3 - layer.ndim)) for layer in layers]
    if len({layer.shape for layer in shaped}) > 1:
        message = f"All statistics must have one shape; got {listed(names)}."
        raise InputError(message)
    check_lengths([len(layer) for layer in shaped], list(names))
    return names, np.stack(shaped, axis=-1) + 0.0  # -0.0 and 0.0 are one number


def _numbers(name: str, values: ArrayLike, most: int) -> FloatArray:
    """Return the numbers of one statistic; refuse other shapes and contents."""
    shapes = "(item,)" if most == 1 else "(item, system) or (item, system, class)"
    try:
        layer = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError) as error:
        message = f"{name} must hold numbers as {shapes}; {error}."
        raise InputError(message) from error
    counts = name in _COUNTS
    kind = f"counts {BOUNDS}" if counts else "finite numbers, below 1e100,"
    bad = ~is_count(layer) if counts else ~(np.abs(layer) < _LARGEST)
    if not 1 <= layer.ndim <= most or bad.any():
        got = f"shape {layer.shape}"
        if bad.any():
            got = f"{layer[bad].flat[0]:g} at item {np.argwhere(bad)[0][0]}"
        message = f"{name} must hold {kind} as {shapes}; got {got}."
        raise InputError(message)
    return layer


def _column_names(names: Sequence[str], classes: Sequence[str]) -> list[str]:
    """Name what one system adds: its statistics, class by class."""
    if len(classes) == 1:
        return list(names)
    return [f"{label} {name}" for label in classes for name in names]


def _values(
    cube: FloatArray, columns: Sequence[str], answers: Sequence[Sequence[str]] | None
) -> tuple[list[tuple[str, tuple[float, ...]]], IntArray]:
    """Return distinct texts with numbers, and the code of each (item, system)."""
    n, n_systems = cube.shape[:2]
    rows, _, group = distinct(cube.reshape(n * n_systems, -1))
    numbers = [tuple(row) for row in rows.tolist()]
    if answers is None:
        texts = [
            ", ".join(f"{name} {x:g}" for name, x in zip(columns, row, strict=True))
            for row in numbers
        ]
        values = list(zip(texts, numbers, strict=True))
        return values, group.reshape(n, n_systems)
    if len(answers) != n_systems or any(len(one) != n for one in answers):
        message = f"answers must have {n} entries for each of {n_systems} systems."
        raise InputError(message)
    each = [str(text) for item in zip(*answers, strict=True) for text in item]
    numbering = Numbering()
    codes = numbering.codes(zip(each, group.tolist(), strict=True))
    values = [(text, numbers[code]) for text, code in numbering]
    return values, codes.reshape(n, n_systems)
