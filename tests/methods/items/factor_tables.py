"""Densities of no difference of two classes, by draws and by quadrature."""

import numpy as np
from tests.methods.items.density_oracles import oracle

from likelier.methods.items.gain_density import GainParameters, density_at_zero
from likelier.streams import Streams


def gains_of(positive, negative, shares):
    parts = (np.array(x, dtype=float) for x in zip(positive, negative, strict=True))
    return GainParameters(*parts, np.array(shares, dtype=float), np.array([0, 0]))


def gains_of_other_items(first, second, shares):
    """Gains of two systems on other items; right and wrong of each class."""
    (ra, wa), (rb, wb) = (np.array(x, dtype=float).T for x in (first, second))
    both = np.concatenate([shares, shares]).astype(float)
    group = np.array([0, 0, 1, 1])
    return GainParameters(np.r_[ra, wb], np.r_[wa, rb], np.zeros(4), both, group)


def paired_densities(positive, negative, *, strength):
    """Density by draws and by quadrature, for pairs of a class's items."""
    prior = np.array([1, 1, 2]) * strength
    shares = (sum(positive) + strength, sum(negative) + strength)
    gains = gains_of(np.array(positive) + prior, np.array(negative) + prior, shares)
    drawn = density_at_zero(gains, Streams.of(0), purpose=5)
    return drawn, oracle("paired", positive, negative, strength=strength)


def unpaired_densities(first, second, *, strength):
    """Density by draws and by quadrature, where each system has its own items."""
    a, b = (np.array(x) + strength for x in (first, second))
    gains = gains_of_other_items(a, b, np.sum(first, axis=1) + strength)
    drawn = density_at_zero(gains, Streams.of(0), purpose=5)
    return drawn, oracle("unpaired", first, second, strength=strength)
