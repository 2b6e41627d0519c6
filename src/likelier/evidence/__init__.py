"""Bayes factors: how far the data moved the odds of no difference that matters."""

from likelier.evidence.factor import FACTORS, BayesFactor, FactorName
from likelier.evidence.kde import kde_factor
from likelier.evidence.point import LogDensity, point_factor
from likelier.evidence.rope import rope_factor

__all__ = [
    "FACTORS",
    "BayesFactor",
    "FactorName",
    "LogDensity",
    "kde_factor",
    "point_factor",
    "rope_factor",
]
