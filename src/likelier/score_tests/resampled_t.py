"""The corrected resampled t-test of Nadeau & Bengio."""

from math import fsum, isfinite, sqrt
from typing import Any

import numpy as np
from scipy import special

from likelier.distribution import Null
from likelier.errors import InputError, NotDefinedError, SettingError
from likelier.score_tests.inputs import finite, measured


def resampled_t(differences: Any, *, test_per_train: float, scale: float = 1.0) -> Null:
    """Test fold differences that share training items: one data set, two systems.

    Use this for k-fold, repeated k-fold or repeated random splits. Folds share most
    of their training items, so a plain paired t-test takes them for more evidence
    than they are; here their variance is multiplied by 1/n + test/train.

    Parameters
    ----------
    differences
        One difference per fold, second minus first.
    test_per_train
        Test items per training item of a fold; 1 / (k - 1) for k folds.
    scale
        The size of the scores: differences below 1e-12 of it are rounding.

    Raises
    ------
    NotDefinedError
        All folds differ by the same amount that is not 0: nothing says how much that
        amount varies.

    References
    ----------
    Nadeau & Bengio, 2003, doi:10.1023/A:1024068626366.

    Examples
    --------
    >>> test = resampled_t([0.01, 0.03, 0.02, 0.02, 0.04], test_per_train=1 / 4)
    >>> round(test.statistic, 4), round(test.p_value, 4)
    (3.1379, 0.0349)
    """
    folds = finite(differences, name="differences", ndim=1)
    ratio = _checked_ratio(test_per_train)
    n = len(folds)
    if n < 2:
        message = f"differences must be those of at least 2 folds; got {n}."
        raise InputError(message)
    values, unit, round_off = scaled = measured(folds, scale=scale)
    mean = fsum(values) / n
    if scaled.all_zero:
        return _t(0.0, 0.0, 0.0, n)
    if np.ptp(values) <= round_off:
        message = f"All {n} folds differ by the same {mean * unit:g}: they vary by 0."
        hint = "The signed-rank test needs no variance; or score with more digits."
        raise NotDefinedError(message, hint=hint)
    variance = fsum((values - mean) ** 2) / (n - 1)
    error = sqrt(variance * (1 / n + ratio))
    return _t(mean / error, mean * unit, error * unit, n)


def _t(statistic: float, mean: float, error: float, n: int) -> Null:
    return Null(
        p_value=float(2 * special.stdtr(n - 1, -abs(statistic))),
        statistic=statistic,
        statistic_name="corrected resampled t",
        alternative="two-sided",
        details={
            "folds": n,
            "degrees of freedom": n - 1,
            "mean difference": mean,
            "standard error": error,
        },
    )


def _checked_ratio(ratio: Any) -> float:
    number = isinstance(ratio, int | float | np.number) and not isinstance(ratio, bool)
    if not (number and isfinite(ratio) and ratio > 0):
        message = f"test_per_train must be a number above 0; got {ratio!r}."
        hint = "For k folds it is 1 / (k - 1)."
        raise SettingError(message, hint=hint)
    return float(ratio)
