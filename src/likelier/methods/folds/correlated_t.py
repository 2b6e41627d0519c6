"""One data set: the Bayesian correlated t-test.

Folds share training items, so their differences are correlated as if by the share of
items that each tests. Nadeau and Bengio's variance, and a Student posterior.
"""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from likelier._typing import FloatArray
from likelier.data.scores import DataSet, Scores, mean_of
from likelier.distribution import Posterior
from likelier.errors import NotDefinedError
from likelier.laws.real_line import StudentLaw

# The standard deviation of a number that was rounded to a step.
ROUNDED = 1 / np.sqrt(12)


@dataclass(frozen=True)
class CorrelatedT:
    """The correlated t-test of Corani & Benavoli (2015), for one data set."""

    name: ClassVar[str] = "correlated-t"

    def posterior(self, scores: Scores) -> Posterior:
        """Give the posterior of both mean scores and of their difference."""
        dataset = scores.datasets[0]
        check_folds(dataset, least=2)
        difference = student(scores.differences()[0], dataset)
        systems = tuple(student(column, dataset) for column in dataset.values.T)
        return Posterior(systems, difference)

    def parameters(self, scores: Scores) -> dict[str, Any]:
        """Return the share of the items that each fold tests."""
        return {"test_share": float(scores.datasets[0].test_share)}


def student(values: FloatArray, dataset: DataSet) -> StudentLaw:
    """Give the posterior of the mean of correlated folds, under a flat prior."""
    n = len(values)
    variance = fold_sd(values, dataset) ** 2 * (1 / n + dataset.test_per_train)
    return StudentLaw(mean_of(values), float(np.sqrt(variance)), float(n - 1))


def fold_sd(values: FloatArray, dataset: DataSet, *, ddof: int = 1) -> float:
    """Give the standard deviation of folds.

    Folds that never vary are known only to the resolution of the scores.
    """
    if np.ptp(values) == 0:
        return resolution_of(dataset) * ROUNDED
    return float(values.std(ddof=ddof))


def resolution_of(dataset: DataSet) -> float:
    """Give the least step of a data set's scores; where there is none, a tiny one."""
    size = float(np.abs(dataset.values).max(initial=0.0))
    return dataset.resolution or 1e-6 * (size or 1.0)


def check_folds(dataset: DataSet, *, least: int) -> None:
    """Refuse a data set of too few folds."""
    if dataset.folds < least:
        message = (
            f"Every data set must have at least {least} folds for this method; "
            f"{dataset.name!r} has {dataset.folds}."
        )
        raise NotDefinedError(message)
