"""Plots: a result -> matplotlib axes, one plot per module."""

from likelier.plots.densities import densities
from likelier.plots.estimate import estimate
from likelier.plots.factor import factor
from likelier.plots.forest import forest
from likelier.plots.posterior import posterior
from likelier.plots.power import power
from likelier.plots.sensitivity import sensitivity

__all__ = [
    "densities",
    "estimate",
    "factor",
    "forest",
    "posterior",
    "power",
    "sensitivity",
]
