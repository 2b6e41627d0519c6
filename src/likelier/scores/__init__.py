"""Scores from cross-validation: one number per data set, run, fold and system."""

from likelier.scores.build import from_arrays, from_rows
from likelier.scores.cross_validated import from_cross_validate
from likelier.scores.table import DataSet, Scores

__all__ = ["DataSet", "Scores", "from_arrays", "from_cross_validate", "from_rows"]
