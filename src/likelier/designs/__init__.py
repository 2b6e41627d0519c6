"""Designs that split data: blocked m x 2, k-fold, repeated, 5 x 2, training and test.

Every design is a scikit-learn splitter, and all but k-fold need no scikit-learn.
"""

from collections.abc import Callable

from likelier.designs.blocked import Assignment, BlockedMx2, Imbalance
from likelier.designs.cross_validation import (
    Folds,
    five_by_two,
    k_fold,
    repeated_k_fold,
)
from likelier.designs.design import Design, Row, assignment_rows
from likelier.designs.effective import effective_share
from likelier.designs.holdout import Parts, TrainDevTest, train_dev_test

# Designs by the names that `likelier split` and studies take.
DESIGNS: dict[str, Callable[..., Design]] = {
    "mx2": BlockedMx2,
    "kfold": k_fold,
    "repeated": repeated_k_fold,
    "5x2": five_by_two,
    "train-dev-test": train_dev_test,
}

__all__ = [
    "DESIGNS",
    "Assignment",
    "BlockedMx2",
    "Design",
    "Folds",
    "Imbalance",
    "Parts",
    "Row",
    "TrainDevTest",
    "assignment_rows",
    "effective_share",
    "five_by_two",
    "k_fold",
    "repeated_k_fold",
    "train_dev_test",
]
