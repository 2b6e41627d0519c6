"""Dietterich's 5x2cv t-test and Alpaydin's combined 5x2cv F-test."""

from math import fsum, sqrt
from typing import Any

import numpy as np
from scipy import special

from likelier.distribution import Null
from likelier.errors import InputError, NotDefinedError
from likelier.score_tests.inputs import FloatArray, Measured, finite, measured

_RUNS, _FOLDS = 5, 2


def five_by_two_t(differences: Any, *, scale: float = 1.0) -> Null:
    """Test five runs of two folds by the difference of the very first fold.

    Use this to reproduce published 5x2cv t-tests. The answer hangs on which fold came
    first; `five_by_two_f` uses all ten alike and is to be preferred.

    Parameters
    ----------
    differences
        Second minus first, five rows (runs) of two folds.
    scale
        The size of the scores: differences below 1e-12 of it are rounding.

    Raises
    ------
    NotDefinedError
        In every run both folds differ by the same amount, so the variance is 0.

    References
    ----------
    Dietterich, 1998, doi:10.1162/089976698300017197.

    Examples
    --------
    >>> runs = [[3, 1], [2, 2], [1, 3], [2, 4], [3, 1]]
    >>> test = five_by_two_t(runs)
    >>> round(test.statistic, 4), round(test.p_value, 4)
    (2.3717, 0.0638)
    """
    scaled = _read(differences, scale=scale)
    if scaled.all_zero:
        return _null(0.0, 1.0, scaled, name="5x2cv t")
    t = float(scaled.values[0, 0]) / sqrt(fsum(_variances(scaled)) / _RUNS)
    return _null(t, float(2 * special.stdtr(_RUNS, -abs(t))), scaled, name="5x2cv t")


def five_by_two_f(differences: Any, *, scale: float = 1.0) -> Null:
    """Test five runs of two folds by all ten differences together.

    Use this for 5x2 cross-validation of two systems on one data set: training halves
    of one run do not overlap, and no fold is favoured.

    Parameters
    ----------
    differences
        Second minus first, five rows (runs) of two folds.
    scale
        The size of the scores: differences below 1e-12 of it are rounding.

    Raises
    ------
    NotDefinedError
        In every run both folds differ by the same amount, so the variance is 0.

    References
    ----------
    Alpaydin, 1999, doi:10.1162/089976699300016007.

    Examples
    --------
    >>> runs = [[3, 1], [2, 2], [1, 3], [2, 4], [3, 1]]
    >>> test = five_by_two_f(runs)
    >>> round(test.statistic, 4), round(test.p_value, 4)
    (3.625, 0.0839)
    """
    scaled = _read(differences, scale=scale)
    if scaled.all_zero:
        return _null(0.0, 1.0, scaled, name="5x2cv F")
    squares = fsum(scaled.values.ravel() ** 2)
    f = squares / (_FOLDS * fsum(_variances(scaled)))
    p = float(special.fdtrc(_RUNS * _FOLDS, _RUNS, f))
    return _null(f, p, scaled, name="5x2cv F")


def _read(differences: Any, *, scale: float) -> Measured:
    runs = finite(differences, name="differences", ndim=2)
    if runs.shape != (_RUNS, _FOLDS):
        rows, columns = runs.shape
        message = f"differences must be 5 runs of 2 folds; got {rows} of {columns}."
        hint = "The test is made for 5 x 2 only; use resampled_t for other designs."
        raise InputError(message, hint=hint)
    return measured(runs, scale=scale)


def _variances(scaled: Measured) -> FloatArray:
    """Give each run's sum of squares about its mean: half the squared gap."""
    gaps = scaled.values[:, 0] - scaled.values[:, 1]
    if (np.abs(gaps) <= scaled.round_off).all():
        message = "In each of the 5 runs both folds differ by the same: they vary by 0."
        raise NotDefinedError(message, hint="Score with more digits or more items.")
    return gaps**2 / _FOLDS


def _null(statistic: float, p: float, scaled: Measured, *, name: str) -> Null:
    mean = fsum(scaled.values.ravel()) / scaled.values.size * scaled.unit
    return Null(
        p_value=p,
        statistic=statistic,
        statistic_name=name,
        alternative="two-sided",
        details={"runs": _RUNS, "folds": _FOLDS, "mean difference": mean},
    )
