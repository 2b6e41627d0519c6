"""Plots: a result -> matplotlib axes, one plot per module."""

from likelier.plots.densities import densities
from likelier.plots.estimate import estimate
from likelier.plots.posterior import posterior

__all__ = ["densities", "estimate", "posterior"]
