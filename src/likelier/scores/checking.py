"""What holds for all scores, wherever they come from."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from likelier.errors import InputError, SettingError
from likelier.scores.table import Scores

FloatArray = NDArray[np.float64]

# Beyond, squares are no numbers any more.
_SIZES = (1e-100, 1e100)


def numbers(score: Any, where: str) -> FloatArray:
    """Take a row of finite numbers of a usual size, or say which is none."""
    try:
        values = np.asarray(score, dtype=np.float64).ravel()
    except (TypeError, ValueError) as error:
        message = f"{where} must have numbers as scores; {error}."
        raise InputError(message) from error
    bad = np.flatnonzero(~np.isfinite(values))
    if bad.size:
        message = (
            f"{where} must have a finite number as every score; row {bad[0]} has "
            f"{values[bad[0]]}."
        )
        raise InputError(message)
    size = float(np.abs(values).max(initial=0.0))
    if size and not _SIZES[0] < size < _SIZES[1]:
        message = (
            f"{where} must have scores whose largest lies between {_SIZES[0]:g} and "
            f"{_SIZES[1]:g}; it is {size:g}."
        )
        raise InputError(message, hint="Take another unit.")
    return values


def checked(scores: Scores) -> Scores:
    """Return scores of at least two systems, or say what is missing."""
    if not scores.metric:
        message = "metric must say what the scores are; it is empty."
        raise SettingError(message)
    if len(scores.systems) < 2:
        message = f"There must be two systems; got {', '.join(scores.systems)}."
        raise InputError(message)
    return scores


def tested_share(name: str, folds: int, runs: int, test_share: float | None) -> float:
    """Give the share of items that each fold tests."""
    whole = isinstance(runs, int | np.integer) and not isinstance(runs, bool)
    if not whole or runs < 1 or (test_share is None and folds % runs):
        message = (
            f"runs must be a whole number that divides the {folds} folds of {name!r}; "
            f"got {runs!r}."
        )
        raise SettingError(message)
    if test_share is not None:
        number = isinstance(test_share, int | float | np.number)
        if not number or not 0 < test_share < 1:
            message = (
                f"test_share must lie strictly between 0 and 1; got {test_share!r}."
            )
            raise SettingError(message)
        return float(test_share)
    if folds == 1:
        return 0.0
    if folds == runs:
        message = (
            f"Runs of one fold must come with the share of items tested; {name!r} has "
            f"{runs} of them."
        )
        raise SettingError(message, hint="test_share=0.2, or --test-share 0.2")
    return runs / folds
