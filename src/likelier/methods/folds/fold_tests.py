"""P-values of two systems: corrected resampled t, 5x2cv t and F, Wilcoxon."""

from math import frexp, fsum, isfinite, ldexp, sqrt
from typing import Any, NamedTuple

import numpy as np
from scipy import special

from likelier._typing import FloatArray, IntArray
from likelier.distribution import Null
from likelier.errors import InputError, NotDefinedError, SettingError

# Sums and means of scores are good to about 1e-15 of their size, and one item more or
# less moves a score by far more than this.
_ROUND_OFF = 1e-12
_DIMENSIONS = {1: "a row of numbers", 2: "a table of numbers"}
_RUNS, _FOLDS = 5, 2
# Additions that an exact law of rank sums may take.
_MOST_STEPS = 200_000_000


class ScaledDifferences(NamedTuple):
    """Differences in a unit near their size, so that no square of them overflows.

    Attributes
    ----------
    values
        The differences in this unit.
    unit
        A power of two: dividing by it loses no digit.
    round_off
        Size of differences that may be rounding only, in this unit.
    """

    values: FloatArray
    unit: float
    round_off: float

    @property
    def all_zero(self) -> bool:
        """No difference is more than rounding."""
        return bool((np.abs(self.values) <= self.round_off).all())


def finite(values: Any, *, name: str, ndim: int) -> FloatArray:
    """Return the values as an array of finite numbers, or refuse them."""
    try:
        array = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError):
        message = f"{name} must be {_DIMENSIONS[ndim]}; got {type(values).__name__}."
        raise InputError(message) from None
    if array.ndim != ndim:
        message = f"{name} must be {_DIMENSIONS[ndim]}; got the shape {array.shape}."
        raise InputError(message)
    bad = np.argwhere(~np.isfinite(array))
    if len(bad):
        index = tuple(bad[0].tolist())
        position = index[0] if ndim == 1 else index
        message = f"{name} must be finite; got {array[index]} at {position}."
        hint = "Leave out what was not scored for all systems."
        raise InputError(message, hint=hint)
    return array


def is_number(value: Any) -> bool:
    """Check that a setting is a number, and no truth value."""
    return isinstance(value, int | float | np.number) and not isinstance(value, bool)


def _rescale(differences: FloatArray, *, scale: float) -> ScaledDifferences:
    size = _size_of(differences, scale=scale)
    # One power of two less than frexp returns, as the largest float must have one too.
    unit = ldexp(1.0, frexp(size)[1] - 1)
    return ScaledDifferences(differences / unit, unit, _ROUND_OFF * (size / unit))


def _size_of(differences: FloatArray, *, scale: float) -> float:
    """Return the size that rounding is relative to: of the scores, or more."""
    if not (is_number(scale) and isfinite(scale) and scale > 0):
        message = f"scale must be a number above 0, the size of scores; got {scale!r}."
        raise SettingError(message)
    return max(float(scale), float(np.abs(differences).max()))


def levels(values: FloatArray) -> IntArray:
    """Return the number of each distinct value along the last axis, 0 for the least.

    Parameters
    ----------
    values
        Numbers whose size is 1: those closer than 1e-12 are equal. Rounding to a grid
        would part equal numbers that lie on two sides of a line.

    Examples
    --------
    >>> levels(np.array([0.3, 0.1, 0.1 + 0.2, 0.0]))
    array([2, 1, 2, 0])
    """
    order = np.argsort(values, axis=-1, kind="stable")
    gaps = np.diff(np.take_along_axis(values, order, axis=-1), axis=-1)
    steps = np.zeros(values.shape, dtype=np.int64)
    steps[..., 1:] = np.cumsum(gaps > _ROUND_OFF, axis=-1)
    numbered = np.empty_like(steps)
    np.put_along_axis(numbered, order, steps, axis=-1)
    return numbered


def twice_ranks(level: IntArray) -> IntArray:
    """Return twice the rank of each number in its row, 1 for the least.

    Equal numbers share the mean of their ranks, which may be a half: twice it is whole.

    Parameters
    ----------
    level
        Rows of numbered values, as of `levels`.

    Examples
    --------
    >>> twice_ranks(np.array([[1, 0, 1, 2]]))
    array([[5, 2, 5, 8]])
    """
    rows, width = len(level), int(level.max()) + 1
    index = level + width * np.arange(rows)[:, np.newaxis]
    counts = np.bincount(index.ravel(), minlength=rows * width).reshape(rows, width)
    ranks = 2 * np.cumsum(counts, axis=1) - counts + 1
    return np.asarray(ranks.ravel()[index], dtype=np.int64)


def five_by_two_t(differences: Any, *, scale: float = 1.0) -> Null:
    """Test five runs of two folds by the difference of the very first fold.

    Use this to reproduce published 5x2cv t-tests. The answer depends on which fold came
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
    runs = _five_by_two(differences, scale=scale)
    t = 0.0
    if not runs.all_zero:
        t = float(runs.values[0, 0]) / sqrt(fsum(_variances(runs)) / _RUNS)
    p = float(2 * special.stdtr(_RUNS, -abs(t)))
    return _five_by_two_null(t, p, runs, name="5x2cv t")


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
    runs = _five_by_two(differences, scale=scale)
    f = 0.0
    if not runs.all_zero:
        f = fsum(runs.values.ravel() ** 2) / (_FOLDS * fsum(_variances(runs)))
    p = float(special.fdtrc(_RUNS * _FOLDS, _RUNS, f))
    return _five_by_two_null(f, p, runs, name="5x2cv F")


def _five_by_two(differences: Any, *, scale: float) -> ScaledDifferences:
    runs = finite(differences, name="differences", ndim=2)
    if runs.shape != (_RUNS, _FOLDS):
        rows, columns = runs.shape
        message = f"differences must be 5 runs of 2 folds; got {rows} of {columns}."
        hint = "The test is made for 5 x 2 only; use resampled_t for other designs."
        raise InputError(message, hint=hint)
    return _rescale(runs, scale=scale)


def _variances(runs: ScaledDifferences) -> FloatArray:
    """Return each run's sum of squares about its mean: half the squared gap."""
    gaps = runs.values[:, 0] - runs.values[:, 1]
    if (np.abs(gaps) <= runs.round_off).all():
        message = "In each of the 5 runs both folds differ by the same: they vary by 0."
        raise NotDefinedError(message, hint="Score with more digits or more items.")
    return gaps**2 / _FOLDS


def _five_by_two_null(
    statistic: float, p: float, runs: ScaledDifferences, *, name: str
) -> Null:
    mean = fsum(runs.values.ravel()) / runs.values.size * runs.unit
    return Null(
        p_value=p,
        statistic=statistic,
        statistic_name=name,
        alternative="two-sided",
        details={"runs": _RUNS, "folds": _FOLDS, "mean difference": mean},
    )


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
    if not (
        is_number(test_per_train) and isfinite(test_per_train) and test_per_train > 0
    ):
        message = f"test_per_train must be a number above 0; got {test_per_train!r}."
        hint = "For k folds it is 1 / (k - 1)."
        raise SettingError(message, hint=hint)
    n = len(folds)
    if n < 2:
        message = f"differences must be those of at least 2 folds; got {n}."
        raise InputError(message)
    values, unit, round_off = scaled = _rescale(folds, scale=scale)
    mean = fsum(values) / n
    if scaled.all_zero:
        return _resampled_null(0.0, 0.0, 0.0, n)
    if np.ptp(values) <= round_off:
        message = f"All {n} folds differ by the same {mean * unit:g}: they vary by 0."
        hint = "The signed-rank test needs no variance; or score with more digits."
        raise NotDefinedError(message, hint=hint)
    variance = fsum((values - mean) ** 2) / (n - 1)
    error = sqrt(variance * (1 / n + float(test_per_train)))
    return _resampled_null(mean / error, mean * unit, error * unit, n)


def _resampled_null(statistic: float, mean: float, error: float, n: int) -> Null:
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


def wilcoxon(differences: Any, *, scale: float = 1.0) -> Null:
    """Test over data sets whether the second system is as often better as worse.

    Use this for two systems on several independent data sets, with one mean
    difference each; larger differences count more, but only by their rank.

    Parameters
    ----------
    differences
        One difference per data set, second minus first.
    scale
        The size of the scores. Differences closer than 1e-12 of it (or of the largest
        difference, where that is larger) are equal: 0.1 + 0.2 - 0.3 is a zero.

    Notes
    -----
    Given the ranks each difference is as likely to be positive as negative, and the
    p-value is the share of all such signs with a rank sum at least as far out. It is
    counted exactly, with ties as average ranks, up to some 500 data sets; beyond that
    the normal law is used, with the exact variance and a continuity correction
    (``details["exact"]`` is then 0). ``scipy.stats.wilcoxon`` is exact with ties up to
    13 only.

    Zeros are ranked with the rest and then left out (Pratt 1959). Leaving them out
    first, as Wilcoxon did and scipy does by default, can make a result *more*
    significant when a difference shrinks to 0. Splitting the ranks of zeros between
    both sides (Demšar 2006) gives the same statistic, and so the same p-value.

    References
    ----------
    Demšar, 2006, https://jmlr.org/papers/v7/demsar06a.html;
    Pratt, 1959, doi:10.1080/01621459.1959.10501526.

    Examples
    --------
    >>> test = wilcoxon([0.02, 0.01, 0.03, 0.01, -0.01, 0.04])
    >>> test.statistic, test.p_value
    (17.0, 0.125)
    """
    values = finite(differences, name="differences", ndim=1)
    if not len(values):
        message = "differences must be those of at least 1 data set; got none."
        raise InputError(message)
    magnitudes = np.abs(values) / _size_of(values, scale=scale)
    # The zero put in front makes differences that are as good as 0 level with it.
    level = levels(np.concatenate([[0.0], magnitudes]))[1:]
    twice = twice_ranks(level[np.newaxis])[0]
    steps, better = twice[level > 0], int(twice[(level > 0) & (values > 0)].sum())
    worse = int(steps.sum()) - better
    p, exact = _two_sided(steps, abs(better - worse))
    return Null(
        p_value=p,
        statistic=(better - worse) / 2,
        statistic_name="signed-rank sum",
        alternative="two-sided",
        details={
            "data sets": len(values),
            "equal": len(values) - len(steps),
            "ranks better": better / 2,
            "ranks worse": worse / 2,
            "exact": int(exact),
        },
    )


def _two_sided(steps: IntArray, observed: int) -> tuple[float, bool]:
    """Return P(|sum of signed steps| >= observed), and whether it is exact."""
    if observed == 0:
        return 1.0, True
    divisor = int(np.gcd.reduce(steps))
    steps, observed = steps // divisor, observed // divisor
    total = int(steps.sum())
    if total * len(steps) > _MOST_STEPS:
        z = (observed - 2 / divisor) / sqrt(float(steps @ steps))
        return float(2 * special.ndtr(-max(z, 0.0))), False
    share = np.zeros(total + 1)
    share[0], reached = 1.0, 0
    for step in np.sort(steps).tolist():
        share[: reached + 1] /= 2
        share[step : step + reached + 1] += share[: reached + 1].copy()
        reached += step
    # The sum is 2 x (sum of the positive steps) - total.
    return min(1.0, float(2 * share[(total + observed) // 2 :].sum())), True
