"""Constructors of scores: from rows, arrays and scikit-learn's `cross_validate`."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from likelier._typing import FloatArray
from likelier.data.encoding import different_names
from likelier.data.scores import DataSet, Scores, data_set, score_numbers
from likelier.errors import InputError, SettingError, unknown_name
from likelier.formatting import listed

_NAMES = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")
# Attributes of splitters whose folds do not test one part of as many as there are.
_OTHER_SHARES = ("p", "n_groups", "test_fold")

# Scores by system, of one run and fold.
Folds = dict[tuple[str, str], dict[str, float]]


def from_rows(
    dataset: Sequence[str],
    system: Sequence[str],
    score: Any,
    *,
    run: Sequence[str] | None = None,
    fold: Sequence[str] | None = None,
    test_share: float | None = None,
    metric: str = "score",
    higher_is_better: bool = True,
    where: str = "The table",
) -> Scores:
    """Put rows of a long table together, one score each.

    Parameters
    ----------
    dataset, system, score
        One entry per row.
    run, fold
        The run of cross-validation and the fold in it; without them each data set
        has one score per system.
    test_share
        The share of a data set's items that each fold tests. By default one part of
        as many as a run has folds.
    metric
        What the scores are.
    higher_is_better
        Whether a larger score is a better one.
    where
        What to call the table in messages.

    Examples
    --------
    >>> from_rows(["d"] * 4, ["a", "b", "a", "b"], [0.8, 0.9, 0.7, 0.9],
    ...           fold=["1", "1", "2", "2"])
    <Scores of a, b: 1 data set, 2 folds>
    """
    values = score_numbers(score, where)
    if not len(values):
        message = f"{where} must have at least one score; it has none."
        raise InputError(message)
    columns = [
        ["1"] * len(values) if column is None else list(map(str, column))
        for column in (dataset, system, run, fold)
    ]
    by_set = _by_data_set(columns, values, where)
    systems = tuple(dict.fromkeys(columns[1]))
    _check_complete(by_set, systems, where)
    sets = [
        _ordered_folds(d, folds, systems, test_share) for d, folds in by_set.items()
    ]
    return _checked(systems, sets, metric, higher_is_better=higher_is_better)


def from_arrays(
    *scores: Any,
    systems: Sequence[str] | None = None,
    datasets: Sequence[str] | None = None,
    runs: int = 1,
    test_share: float | None = None,
    metric: str = "score",
    higher_is_better: bool = True,
) -> Scores:
    """Put together one array of scores per system.

    Parameters
    ----------
    *scores
        For each system the scores of one data set's folds; or one row of them per
        data set (rows may have different lengths). With `datasets` a single row has
        one score per data set.
    systems, datasets
        Names.
    runs
        The number of runs of cross-validation that the folds of each data set belong
        to.
    test_share, metric, higher_is_better
        As in `from_rows`.

    Examples
    --------
    >>> from_arrays([[0.8, 0.7], [0.6, 0.5]], [[0.8, 0.9], [0.7, 0.6]])
    <Scores of first, second: 2 data sets, 4 folds>
    >>> from_arrays([0.8, 0.7], [0.9, 0.6], datasets=["a", "b"])
    <Scores of first, second: 2 data sets, one score each>
    """
    if not scores:
        message = "There must be one array of scores per system; got none."
        raise InputError(message)
    names = _system_names(systems, len(scores))
    rows = [
        _rows(array, name, datasets) for array, name in zip(scores, names, strict=True)
    ]
    lengths = {len(part) for part in rows}
    if len(lengths) != 1:
        message = f"All systems must have the same data sets; got {sorted(lengths)}."
        raise InputError(message)
    titles = _dataset_names(datasets, lengths.pop())
    sets = [
        _stacked(title, names, columns, runs, test_share)
        for title, columns in zip(titles, zip(*rows, strict=True), strict=True)
    ]
    return _checked(names, sets, metric, higher_is_better=higher_is_better)


def from_cross_validate(
    results: Mapping[str, Any],
    *,
    score: str = "test_score",
    design: Any = None,
    runs: int = 1,
    test_share: float | None = None,
    higher_is_better: bool = True,
) -> Scores:
    """Put together what scikit-learn's `cross_validate` returns for each system.

    Parameters
    ----------
    results
        For each system what `cross_validate` or `cross_val_score` returned, all with
        the same splits; or for each data set such a mapping.
    score
        The key of the scores, such as ``test_f1``.
    design
        The splitter, which knows the share of items tested and the number of runs.
    runs, test_share, higher_is_better
        As in `from_arrays`, where there is no design.

    Examples
    --------
    >>> results = {"tree": {"test_score": [0.8, 0.7, 0.9]},
    ...            "forest": {"test_score": [0.9, 0.8, 0.9]}}
    >>> from_cross_validate(results)
    <Scores of tree, forest: 1 data set, 3 folds>
    """
    if not isinstance(results, Mapping) or not results:
        message = "results must map each system to what cross_validate gave."
        raise InputError(message)
    tables = results if _is_nested(results, score) else {"data": results}
    systems = tuple(next(iter(tables.values())))
    share, count = _share_and_runs(design, test_share, runs)
    sets = []
    for name, table in tables.items():
        if tuple(table) != systems:
            message = (
                f"Every data set must have the systems {listed(systems)}; "
                f"{name!r} has {listed(table)}."
            )
            raise InputError(message)
        columns = [_column(table[system], system, score) for system in systems]
        sets.append(_stacked(str(name), systems, columns, count, share))
    metric = score.removeprefix("test_")
    return _checked(systems, sets, metric, higher_is_better=higher_is_better)


def _checked(
    systems: tuple[str, ...],
    datasets: Sequence[DataSet],
    metric: str,
    *,
    higher_is_better: bool,
) -> Scores:
    """Make scores of at least two systems."""
    if not metric:
        message = "metric must say what the scores are; it is empty."
        raise SettingError(message)
    if len(systems) < 2:
        message = f"There must be two systems; got {', '.join(systems)}."
        raise InputError(message)
    return Scores(systems, tuple(datasets), metric, higher_is_better)


def _stacked(
    name: str,
    systems: Sequence[str],
    columns: Sequence[FloatArray],
    runs: int,
    test_share: float | None,
) -> DataSet:
    """Make a data set of one column of scores per system."""
    if len({len(column) for column in columns}) != 1:
        pairs = zip(systems, columns, strict=True)
        counts = ", ".join(f"{system} {len(column)}" for system, column in pairs)
        message = f"Every system must have every fold of {name!r}; got {counts}."
        raise InputError(message)
    return data_set(name, np.stack(columns, axis=1), runs, test_share)


def _by_data_set(
    columns: list[list[str]], values: FloatArray, where: str
) -> dict[str, Folds]:
    lengths = {len(column) for column in columns} | {len(values)}
    if len(lengths) != 1:
        message = f"{where} must have columns of one length; got {sorted(lengths)}."
        raise InputError(message)
    by_set: dict[str, Folds] = {}
    for name, system, run, fold, value in zip(*columns, values.tolist(), strict=True):
        scores = by_set.setdefault(name, {}).setdefault((run, fold), {})
        if system in scores:
            message = (
                f"{where} must have one score per data set, run, fold and system; "
                f"{system!r} on {name!r}, run {run}, fold {fold} is given twice."
            )
            raise InputError(message)
        scores[system] = value
    return by_set


def _check_complete(
    by_set: Mapping[str, Folds], systems: Sequence[str], where: str
) -> None:
    missing = [
        f"{system} on {name}, run {run}, fold {fold}"
        for name, folds in by_set.items()
        for (run, fold), scores in folds.items()
        for system in systems
        if system not in scores
    ]
    if missing:
        message = (
            f"{where} must have every fold of every system; missing: {listed(missing)}."
        )
        raise InputError(message)


def _ordered_folds(
    name: str, folds: Folds, systems: Sequence[str], test_share: float | None
) -> DataSet:
    # One order, whatever that of the rows: folds of a run stand together.
    ordered = sorted(folds, key=lambda fold: tuple(map(_natural, fold)))
    values = np.array([[folds[fold][system] for system in systems] for fold in ordered])
    sizes = Counter(run for run, _ in folds)
    if test_share is None and len(set(sizes.values())) != 1:
        short = min(sizes, key=lambda run: sizes[run])
        message = (
            f"Every run on {name!r} must have the same number of folds; run {short} "
            f"has {sizes[short]}, others up to {max(sizes.values())}."
        )
        hint = "Say which share is tested: test_share=0.1, or --test-share 0.1"
        raise InputError(message, hint=hint)
    return data_set(name, values, len(sizes), test_share)


def _natural(name: str) -> tuple[int, int, str]:
    """Order whole numbers by size, before other names."""
    whole = name.isascii() and name.isdigit()
    return (0, int(name), name) if whole else (1, 0, name)


def _system_names(systems: Sequence[str] | None, count: int) -> tuple[str, ...]:
    if systems is not None:
        return different_names(systems, count, setting="systems")
    if count > len(_NAMES):
        message = f"systems must name the {count} systems."
        raise SettingError(message)
    return _NAMES[:count]


def _dataset_names(datasets: Sequence[str] | None, count: int) -> tuple[str, ...]:
    if datasets is not None:
        return different_names(datasets, count, setting="datasets")
    return ("data",) if count == 1 else tuple(f"data {i + 1}" for i in range(count))


def _rows(array: Any, name: str, datasets: Sequence[str] | None) -> list[FloatArray]:
    """Return one row of scores per data set."""
    where = f"System {name!r}"
    if isinstance(array, str) or not hasattr(array, "__iter__"):
        message = f"{where} must have a row of scores; got {array!r}."
        raise InputError(message)
    parts = list(array)
    if any(np.ndim(part) > 1 for part in parts):
        message = f"{where} must have one row of folds per data set; got more."
        raise InputError(message)
    if not any(np.ndim(part) > 0 for part in parts):
        whole = score_numbers(parts, where)
        if datasets is not None and len(datasets) == len(whole) != 1:
            return [whole[i : i + 1] for i in range(len(whole))]
        parts = [whole]
    rows = [score_numbers(part, where) for part in parts]
    if not rows or any(len(row) == 0 for row in rows):
        message = f"{where} must have at least one score per data set."
        raise InputError(message)
    return rows


def _is_nested(results: Mapping[str, Any], score: str) -> bool:
    """Return whether results are by data set: the first one has no scores itself."""
    first = next(iter(results.values()))
    if not isinstance(first, Mapping) or score in first:
        return False
    keys = ("test_", "fit_time", "score_time")
    return not any(str(key).startswith(keys) for key in first)


def _column(result: Any, system: str, score: str) -> FloatArray:
    if isinstance(result, Mapping):
        if score not in result:
            keys = [str(key) for key in result if str(key).startswith("test_")]
            raise unknown_name(score, keys, kind="score")
        result = result[score]
    return score_numbers(result, f"System {system!r}")


def _share_and_runs(
    design: Any, test_share: float | None, runs: int
) -> tuple[float | None, int]:
    """Return the share that a splitter tests, None for the usual one, and its runs."""
    if design is None:
        return test_share, runs
    counts = (getattr(design, name, None) for name in ("n_repeats", "repeats", "m"))
    count = next((int(c) for c in counts if c is not None), runs)
    if test_share is not None:
        return test_share, count
    if hasattr(design, "test_share"):
        return float(design.test_share), count
    if hasattr(design, "test_size") or hasattr(design, "max_train_size"):
        return _share_of_sizes(design), count
    if any(hasattr(design, name) for name in _OTHER_SHARES):
        raise _needs_share(design)
    return None, count


def _share_of_sizes(design: Any) -> float:
    """Return the share that a splitter of fixed sizes tests, where they are shares."""
    test, train = (getattr(design, f"{part}_size", None) for part in ("test", "train"))
    if test is None and train is None:
        test = getattr(design, "_default_test_size", None)
    if test is None and isinstance(train, float):
        test = 1 - train
    if not isinstance(test, float) or not isinstance(train, float | None):
        raise _needs_share(design)
    # What counts is how many items are tested per item trained on.
    return test / (test + (1 - test if train is None else train))


def _needs_share(design: Any) -> SettingError:
    name = type(design).__name__
    message = f"{name} must come with the share of items that it tests."
    return SettingError(message, hint="test_share=0.2")
