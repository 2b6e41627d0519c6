"""Plots: a result -> matplotlib axes, one plot per module."""

from likelier.plots.critical import critical_difference
from likelier.plots.datasets import data_sets
from likelier.plots.densities import densities
from likelier.plots.estimate import estimate
from likelier.plots.factor import factor
from likelier.plots.forest import forest, intervals
from likelier.plots.order import order
from likelier.plots.posterior import posterior
from likelier.plots.power import power
from likelier.plots.ranks import ranks
from likelier.plots.sensitivity import sensitivity
from likelier.plots.simplex import simplex, simplex_grid

__all__ = [
    "critical_difference",
    "data_sets",
    "densities",
    "estimate",
    "factor",
    "forest",
    "intervals",
    "order",
    "posterior",
    "power",
    "ranks",
    "sensitivity",
    "simplex",
    "simplex_grid",
]
