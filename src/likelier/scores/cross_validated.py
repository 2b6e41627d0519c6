"""Scores from scikit-learn's `cross_validate`, and what its splitters test."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likelier.errors import InputError, SettingError, unknown_name
from likelier.formatting import listed
from likelier.scores.checking import checked, numbers, tested_share
from likelier.scores.table import DataSet, Scores

FloatArray = NDArray[np.float64]

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
