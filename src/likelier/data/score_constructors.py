"""Constructors of scores: from rows, arrays and scikit-learn's `cross_validate`."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from likelier._typing import FloatArray
from likelier.data.scores import DataSet, Scores, checked, numbers, tested_share
from likelier.errors import InputError, SettingError, unknown_name
from likelier.formatting import listed

Place = tuple[str, str]

_NAMES = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")


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
        Which share of a data set's items each fold tests. By default one part of as
        many as a run has folds.
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
    values = numbers(score, where)
    columns = [list(map(str, column)) for column in (dataset, system)]
    columns += [
        ["1"] * len(values) if column is None else list(map(str, column))
        for column in (run, fold)
    ]
    if not len(values):
        message = f"{where} must have at least one score; it has none."
        raise InputError(message)
    found = _placed(columns, values, where)
    systems = tuple(dict.fromkeys(columns[1]))
    _check_complete(found, systems, where)
    sets = tuple(
        _data_set(name, places, systems, test_share) for name, places in found.items()
    )
    return checked(Scores(systems, sets, metric, higher_is_better))


def from_arrays(
    *scores: Any,
    systems: Sequence[str] | None = None,
    datasets: Sequence[str] | None = None,
    runs: int = 1,
    test_share: float | None = None,
    metric: str = "score",
    higher_is_better: bool = True,
) -> Scores:
    """Take one array of scores per system.

    Parameters
    ----------
    *scores
        For each system the scores of one data set's folds; or one row of them per
        data set (rows may have different lengths). With `datasets` a single row has
        one score per data set.
    systems, datasets
        Names.
    runs
        How many runs of cross-validation the folds of each data set belong to.
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
        _rows(given, name, datasets) for given, name in zip(scores, names, strict=True)
    ]
    lengths = {len(part) for part in rows}
    if len(lengths) != 1:
        message = f"All systems must have the same data sets; got {sorted(lengths)}."
        raise InputError(message)
    told = _dataset_names(datasets, lengths.pop())
    sets = []
    for place, name in enumerate(told):
        parts = [system[place] for system in rows]
        if len({len(part) for part in parts}) != 1:
            counts = ", ".join(
                f"{n} {len(p)}" for n, p in zip(names, parts, strict=True)
            )
            message = f"Every system must have every fold of {name!r}; got {counts}."
            raise InputError(message)
        values = np.stack(parts, axis=1)
        sets.append(
            DataSet(
                name, values, tested_share(name, len(values), runs, test_share), runs
            )
        )
    return checked(Scores(names, tuple(sets), metric, higher_is_better))


Found = dict[str, dict[Place, dict[str, float]]]


def _placed(columns: list[list[str]], values: FloatArray, where: str) -> Found:
    found: Found = {}
    lengths = {len(column) for column in columns} | {len(values)}
    if len(lengths) != 1:
        message = f"{where} must have columns of one length; got {sorted(lengths)}."
        raise InputError(message)
    for *key, value in zip(*columns, values.tolist(), strict=True):
        name, system, run, fold = key
        scores = found.setdefault(name, {}).setdefault((run, fold), {})
        if system in scores:
            message = (
                f"{where} must have one score per data set, run, fold and system; "
                f"{_told(name, run, fold, system)} stands there twice."
            )
            raise InputError(message)
        scores[system] = value
    return found


def _told(name: str, run: str, fold: str, system: str) -> str:
    return f"{system!r} on {name!r}, run {run}, fold {fold}"


def _check_complete(found: Found, systems: Sequence[str], where: str) -> None:
    missing = [
        f"{system} on {name}, run {run}, fold {fold}"
        for name, places in found.items()
        for (run, fold), scores in places.items()
        for system in systems
        if system not in scores
    ]
    if missing:
        message = (
            f"{where} must have every fold of every system; missing: {listed(missing)}."
        )
        raise InputError(message)


def _data_set(
    name: str,
    places: dict[Place, dict[str, float]],
    systems: Sequence[str],
    test_share: float | None,
) -> DataSet:
    # One order, whatever that of the rows: folds of a run stand together.
    ordered = sorted(places, key=lambda place: tuple(map(_natural, place)))
    values = np.array([[places[place][s] for s in systems] for place in ordered])
    counted = Counter(run for run, _ in places)
    runs, sizes = list(counted), list(counted.values())
    if test_share is None and len(set(sizes)) != 1:
        short = runs[int(np.argmin(sizes))]
        message = (
            f"Every run on {name!r} must have the same number of folds; run {short} "
            f"has {min(sizes)}, others up to {max(sizes)}."
        )
        hint = "Say which share is tested: test_share=0.1, or --test-share 0.1"
        raise InputError(message, hint=hint)
    return DataSet(
        name, values, tested_share(name, len(values), len(runs), test_share), len(runs)
    )


def _natural(name: str) -> tuple[int, int, str]:
    """Order whole numbers by size, before other names."""
    whole = name.isascii() and name.isdigit()
    return (0, int(name), name) if whole else (1, 0, name)


def _system_names(systems: Sequence[str] | None, count: int) -> tuple[str, ...]:
    if systems is None:
        if count > len(_NAMES):
            message = f"systems must name the {count} systems."
            raise SettingError(message)
        return _NAMES[:count]
    names = tuple(map(str, systems))
    if len(names) != count or len(set(names)) != count:
        message = f"systems must be {count} different names; got {listed(names)}."
        raise SettingError(message)
    return names


def _dataset_names(datasets: Sequence[str] | None, count: int) -> tuple[str, ...]:
    if datasets is None:
        return ("data",) if count == 1 else tuple(f"data {i + 1}" for i in range(count))
    names = tuple(map(str, datasets))
    if len(names) != count or len(set(names)) != count:
        message = f"datasets must be {count} different names; got {listed(names)}."
        raise SettingError(message)
    return names


def _rows(given: Any, name: str, datasets: Sequence[str] | None) -> list[FloatArray]:
    """Take one row of scores per data set."""
    if isinstance(given, str) or not hasattr(given, "__iter__"):
        message = f"System {name!r} must have a row of scores; got {given!r}."
        raise InputError(message)
    parts = list(given)
    if any(np.ndim(part) > 1 for part in parts):
        message = f"System {name!r} must have one row of folds per data set; got more."
        raise InputError(message)
    nested = any(np.ndim(part) > 0 for part in parts)
    if not nested:
        whole = numbers(parts, f"System {name!r}")
        if datasets is not None and len(datasets) == len(whole) != 1:
            return [whole[i : i + 1] for i in range(len(whole))]
        parts = [whole]
    rows = [numbers(part, f"System {name!r}") for part in parts]
    if not rows or any(len(row) == 0 for row in rows):
        message = f"System {name!r} must have at least one score per data set."
        raise InputError(message)
    return rows


# What splitters have that test another share than one part of as many as folds.
_OTHER_SHARES = ("p", "n_groups", "test_fold")


def from_cross_validate(
    results: Mapping[str, Any],
    *,
    score: str = "test_score",
    design: Any = None,
    runs: int = 1,
    test_share: float | None = None,
    higher_is_better: bool = True,
) -> Scores:
    """Take what scikit-learn's `cross_validate` gives for each system.

    Parameters
    ----------
    results
        For each system what `cross_validate` or `cross_val_score` returned, all with
        the same splits; or for each data set such a mapping.
    score
        Which of its scores, such as ``test_f1``.
    design
        The splitter, which knows the share of items tested and the number of runs.
    runs, test_share, higher_is_better
        As in `from_arrays`, where no design is given.

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
    share, count = _of_design(design, test_share, runs)
    sets = []
    for name, found in tables.items():
        if tuple(found) != systems:
            message = (
                f"Every data set must have the systems {listed(systems)}; "
                f"{name!r} has {listed(found)}."
            )
            raise InputError(message)
        columns = [_column(found[system], system, score) for system in systems]
        if len({len(column) for column in columns}) != 1:
            message = f"Every system must have every fold of {name!r}."
            raise InputError(message)
        values = np.stack(columns, axis=1)
        tested = tested_share(str(name), len(values), count, share)
        sets.append(DataSet(str(name), values, tested, count))
    metric = score.removeprefix("test_")
    return checked(Scores(systems, tuple(sets), metric, higher_is_better))


def _is_nested(results: Mapping[str, Any], score: str) -> bool:
    first = next(iter(results.values()))
    return (
        isinstance(first, Mapping)
        and not any(
            str(key).startswith(("test_", "fit_time", "score_time")) for key in first
        )
        and score not in first
    )


def _column(found: Any, system: str, score: str) -> FloatArray:
    if isinstance(found, Mapping):
        if score not in found:
            known = [str(key) for key in found if str(key).startswith("test_")]
            raise unknown_name(score, known, kind="score")
        found = found[score]
    return numbers(found, f"System {system!r}")


def _of_design(
    design: Any, test_share: float | None, runs: int
) -> tuple[float | None, int]:
    """Ask a splitter for the share that it tests, and for its runs."""
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
        message = (
            f"{type(design).__name__} must come with the share of items that it tests."
        )
        raise SettingError(message, hint="test_share=0.2")
    return None, count


def _share_of_sizes(design: Any) -> float:
    """Give the share that a splitter of given sizes tests, where they are shares."""
    test, train = (getattr(design, f"{part}_size", None) for part in ("test", "train"))
    if test is None and train is None:
        test = getattr(design, "_default_test_size", None)
    if test is None and isinstance(train, float):
        test = 1 - train
    if not isinstance(test, float) or not isinstance(train, float | None):
        message = (
            f"{type(design).__name__} must come with the share of items that it tests."
        )
        raise SettingError(message, hint="test_share=0.2")
    # What counts is how many items are tested per item trained on.
    return test / (test + (1 - test if train is None else train))
