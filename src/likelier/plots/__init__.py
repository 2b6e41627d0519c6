"""Plots: a result -> matplotlib axes, one plot per module."""

from likelier.plots.densities import densities
from likelier.plots.posterior import posterior

__all__ = ["densities", "posterior"]
