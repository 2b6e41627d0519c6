"""Scores: one number per data set, run, fold and system, from cross-validation."""

import hashlib
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from likelier import formatting
from likelier._constructor import Constructor
from likelier.errors import SettingError, unknown_name
from likelier.findings import Finding
from likelier.formatting import plain

if TYPE_CHECKING:
    from likelier.scores import build, cross_validated

FloatArray = NDArray[np.float64]

# Scores closer than this, relative to the largest, differ by rounding only.
_ROUNDING = 1e-12
# Scores that are whole numbers of so many parts, or of fewer, have that step.
_MOST_PARTS, _AT_ONCE, _OFF = 10_000, 2_000, 1e-6


@dataclass(frozen=True, eq=False)
class DataSet:
    """The scores of all systems on the folds of one data set.

    Attributes
    ----------
    name
        What the data set is called.
    values
        The scores (fold, system).
    test_share
        Which share of the items each fold tests; 0 where there is one score only.
    runs
        How many runs of cross-validation the folds belong to.
    """

    name: str
    values: FloatArray = field(repr=False)
    test_share: float
    runs: int = 1

    @property
    def folds(self) -> int:
        """How many folds there are, in all runs."""
        return len(self.values)

    @property
    def test_per_train(self) -> float:
        """How many items are tested per item trained on."""
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
        from_rows = staticmethod(build.from_rows)
        from_arrays = staticmethod(build.from_arrays)
        from_cross_validate = staticmethod(cross_validated.from_cross_validate)
    else:
        from_rows = Constructor("likelier.scores.build")
        from_arrays = Constructor("likelier.scores.build")
        from_cross_validate = Constructor("likelier.scores.cross_validated")

    def __repr__(self) -> str:
        return f"<Scores of {', '.join(map(plain, self.systems))}: {self.size}>"

    @property
    def size(self) -> str:
        """How many data sets and folds there are, in words."""
        return formatting.folds(len(self.datasets), self.folds)

    @property
    def folds(self) -> int:
        """How many folds all data sets have together."""
        return sum(dataset.folds for dataset in self.datasets)

    @cached_property
    def means(self) -> FloatArray:
        """The mean score of each system on each data set (data set, system)."""
        return np.stack([dataset.means for dataset in self.datasets])

    @cached_property
    def observed(self) -> FloatArray:
        """The mean over data sets of each system's mean score."""
        return np.array([mean_of(column) for column in self.means.T])

    def keep(self, *systems: str) -> "Scores":
        """Keep some systems, in the order given."""
        for name in systems:
            if name not in self.systems:
                raise unknown_name(name, self.systems, kind="system")
        if len(set(systems)) < len(systems):
            message = f"systems must be different; got {', '.join(systems)}."
            raise SettingError(message)
        places = [self.systems.index(name) for name in systems]
        kept = tuple(
            replace(dataset, values=dataset.values[:, places])
            for dataset in self.datasets
        )
        return replace(self, systems=tuple(systems), datasets=kept)

    def only(self, dataset: str) -> "Scores":
        """Keep one data set."""
        found = [d for d in self.datasets if d.name == dataset]
        if not found:
            names = [d.name for d in self.datasets]
            raise unknown_name(dataset, names, kind="dataset")
        return replace(self, datasets=tuple(found))

    def differences(self) -> tuple[FloatArray, ...]:
        """Give second minus first on every fold, positive where the second is better.

        The systems must be two. Differences that only rounding tells from 0 are 0.
        """
        return tuple(
            _rounded(self.oriented(dataset.values)) for dataset in self.datasets
        )

    def oriented(self, values: FloatArray) -> FloatArray:
        """Turn scores so that larger is better."""
        return values if self.higher_is_better else -values

    @property
    def digest(self) -> str:
        """A hash of all scores, names and settings."""
        told = hashlib.sha256(repr((self.systems, self.higher_is_better)).encode())
        for dataset in self.datasets:
            told.update(repr((dataset.name, dataset.runs)).encode())
            told.update(np.float64(dataset.test_share).tobytes())
            told.update(np.ascontiguousarray(dataset.values).tobytes())
        return told.hexdigest()


def _rounded(values: FloatArray) -> FloatArray:
    gap = values[:, 1] - values[:, 0]
    least = _ROUNDING * np.abs(values).max(initial=0.0)
    if np.ptp(gap) <= least:
        # Equal but for rounding: their middle stands for all.
        gap = np.full_like(gap, np.median(gap))
    return np.where(np.abs(gap) <= least, 0.0, gap)


def mean_of(values: FloatArray) -> float:
    """Give the mean of numbers; of equal ones that number, to the last digit."""
    return float(values[0] if values.min() == values.max() else values.mean())
