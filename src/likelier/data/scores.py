"""Scores: one number per data set, run, fold and system, from cross-validation."""

import hashlib
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from likelier._constructor import Constructor
from likelier._typing import FloatArray
from likelier.errors import InputError, SettingError, unknown_name
from likelier.findings import Finding
from likelier.formatting import folds, plain

if TYPE_CHECKING:
    from likelier.data import score_constructors


# Beyond, squares are no numbers any more.
_SIZES = (1e-100, 1e100)
# Scores closer than this, relative to the largest, differ by rounding only.
_ROUNDING = 1e-12
# Scores that are whole numbers of so many parts, or of fewer, have that step.
_MOST_PARTS, _AT_ONCE, _OFF = 10_000, 2_000, 1e-6
# Standard deviation of a uniform variable on an interval of length 1.
_UNIFORM_SD = 1 / np.sqrt(12)


def score_numbers(score: Any, where: str) -> FloatArray:
    """Return a row of finite numbers of a usual size; refuse others by their row."""
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


@dataclass(frozen=True, eq=False)
class DataSet:
    """The scores of all systems on the folds of one data set.

    Attributes
    ----------
    name
        Name of the data set.
    values
        The scores (fold, system).
    test_share
        The share of the items that each fold tests; 0 where there is one score only.
    runs
        The number of runs of cross-validation that the folds belong to.
    """

    name: str
    values: FloatArray = field(repr=False)
    test_share: float
    runs: int = 1

    @property
    def folds(self) -> int:
        """The number of folds in all runs."""
        return len(self.values)

    @property
    def test_per_train(self) -> float:
        """The number of items tested per item trained on."""
        return self.test_share / (1 - self.test_share)

    @cached_property
    def means(self) -> FloatArray:
        """The mean score of each system."""
        return np.array([mean_of(column) for column in self.values.T])

    @cached_property
    def resolution(self) -> float:
        """The step of the scores, if they are parts of a whole number of items.

        0 where they are not, and where all are the same.
        """
        ordered = np.unique(self.values)
        if len(ordered) < 2 or np.ptp(ordered) == 0:
            return 0.0
        for first in range(1, _MOST_PARTS, _AT_ONCE):
            parts = np.arange(first, first + _AT_ONCE, dtype=np.float64)
            whole = np.multiply.outer(parts, ordered)
            off = np.abs(whole - np.round(whole)).max(axis=1)
            fitting = np.flatnonzero(off < _OFF)
            if fitting.size:
                return float(1 / parts[fitting[0]])
        return 0.0

    @property
    def largest(self) -> float:
        """The size of the largest score."""
        return float(np.abs(self.values).max(initial=0.0))

    @property
    def scale(self) -> float:
        """The size of the largest score; 1 where all are 0."""
        return self.largest or 1.0

    @property
    def rounding_sd(self) -> float:
        """The standard deviation of rounding to the step of the scores.

        Where they have no step, a tiny one stands for it.
        """
        return (self.resolution or 1e-6 * self.scale) * _UNIFORM_SD

    def fold_sd(self, values: FloatArray, *, ddof: int = 1) -> float:
        """Return the standard deviation of a row of folds.

        Folds that never vary have that of the rounding of the scores.
        """
        return self.rounding_sd if np.ptp(values) == 0 else float(values.std(ddof=ddof))


def data_set(
    name: str, values: FloatArray, runs: int, test_share: float | None
) -> DataSet:
    """Make a data set; without a share, the folds of a run share the items out."""
    folds = len(values)
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
        return DataSet(name, values, float(test_share), runs)
    if folds == runs > 1:
        message = (
            f"Runs of one fold must come with the share of items tested; {name!r} has "
            f"{runs} of them."
        )
        raise SettingError(message, hint="test_share=0.2, or --test-share 0.2")
    return DataSet(name, values, 0.0 if folds == 1 else runs / folds, runs)


@dataclass(frozen=True, eq=False)
class Scores:
    """Scores of systems on the folds of one or many data sets.

    Attributes
    ----------
    systems
        Names, the baseline first.
    datasets
        The data sets in order of appearance.
    metric
        What the scores are, for sentences.
    higher_is_better
        Whether a larger score is a better one.
    positive
        The positive class, where the scores are of one class.
    findings
        Remarks of the reader on the scores.

    Examples
    --------
    >>> from likelier import Scores
    >>> Scores.from_arrays([0.8, 0.82, 0.81], [0.85, 0.84, 0.86])
    <Scores of first, second: 1 data set, 3 folds>
    """

    systems: tuple[str, ...]
    datasets: tuple[DataSet, ...]
    metric: str = "score"
    higher_is_better: bool = True
    positive: str | None = None
    findings: tuple[Finding, ...] = ()

    if TYPE_CHECKING:
        from_rows = staticmethod(score_constructors.from_rows)
        from_arrays = staticmethod(score_constructors.from_arrays)
        from_cross_validate = staticmethod(score_constructors.from_cross_validate)
    else:
        from_rows = Constructor("likelier.data.score_constructors")
        from_arrays = Constructor("likelier.data.score_constructors")
        from_cross_validate = Constructor("likelier.data.score_constructors")

    def __repr__(self) -> str:
        return f"<Scores of {', '.join(map(plain, self.systems))}: {self.size}>"

    @property
    def size(self) -> str:
        """The number of data sets and folds, in words."""
        return folds(len(self.datasets), self.folds)

    @property
    def folds(self) -> int:
        """The number of folds of all data sets together."""
        return sum(dataset.folds for dataset in self.datasets)

    @property
    def scale(self) -> float:
        """The size of the largest score; 1 where all are 0."""
        return max(dataset.largest for dataset in self.datasets) or 1.0

    @cached_property
    def means(self) -> FloatArray:
        """The mean score of each system on each data set (data set, system)."""
        return np.stack([dataset.means for dataset in self.datasets])

    @cached_property
    def observed(self) -> FloatArray:
        """The mean over data sets of each system's mean score."""
        return np.array([mean_of(column) for column in self.means.T])

    def keep(self, *systems: str) -> "Scores":
        """Keep some systems, in this order."""
        for name in systems:
            if name not in self.systems:
                raise unknown_name(name, self.systems, kind="system")
        if len(set(systems)) < len(systems):
            message = f"systems must be different; got {', '.join(systems)}."
            raise SettingError(message)
        columns = [self.systems.index(name) for name in systems]
        kept = tuple(
            replace(dataset, values=dataset.values[:, columns])
            for dataset in self.datasets
        )
        return replace(self, systems=tuple(systems), datasets=kept)

    def only(self, dataset: str) -> "Scores":
        """Keep one data set."""
        kept = tuple(d for d in self.datasets if d.name == dataset)
        if not kept:
            names = [d.name for d in self.datasets]
            raise unknown_name(dataset, names, kind="dataset")
        return replace(self, datasets=kept)

    def differences(self) -> tuple[FloatArray, ...]:
        """Return second minus first on every fold, positive: the second is better.

        The systems must be two. Differences that are but rounding are 0.
        """
        return self._differences

    @cached_property
    def _differences(self) -> tuple[FloatArray, ...]:
        return tuple(
            _rounded(self.oriented(dataset.values)) for dataset in self.datasets
        )

    def mean_differences(self) -> FloatArray:
        """Return the mean difference of the folds of every data set."""
        return np.array([mean_of(gap) for gap in self.differences()])

    def oriented(self, values: FloatArray) -> FloatArray:
        """Turn scores so that larger is better."""
        return values if self.higher_is_better else -values

    @property
    def digest(self) -> str:
        """A hash of all scores, names and settings."""
        digest = hashlib.sha256(repr((self.systems, self.higher_is_better)).encode())
        for dataset in self.datasets:
            digest.update(repr((dataset.name, dataset.runs)).encode())
            digest.update(np.float64(dataset.test_share).tobytes())
            digest.update(np.ascontiguousarray(dataset.values).tobytes())
        return digest.hexdigest()


def _rounded(values: FloatArray) -> FloatArray:
    gap = values[:, 1] - values[:, 0]
    least = _ROUNDING * np.abs(values).max(initial=0.0)
    if len(gap) > 1 and np.ptp(gap) <= least:
        # Equal but for rounding: their middle stands for all.
        gap = np.full_like(gap, np.median(gap))
    return np.where(np.abs(gap) <= least, 0.0, gap)


def mean_of(values: FloatArray) -> float:
    """Return the mean of numbers; of equal ones that number, to the last digit."""
    return float(values[0] if values.min() == values.max() else values.mean())
