"""Tables of two classes, and their density of no difference in two ways."""

import numpy as np
from tests.methods.items import quadrature

from likelier.methods.items.gain_density import GainParameters, density_at_zero
from likelier.streams import Streams

# Items lost, won and kept in both classes; then how far 0 is, in standard deviations.
TABLES = [
    ((0, 0, 0), (0, 0, 0)),
    ((0, 0, 1), (1, 0, 0)),
    ((2, 0, 1), (0, 2, 0)),
    ((0, 0, 0), (20, 22, 158)),
    ((10, 20, 70), (5, 7, 88)),
    ((52, 23, 176), (119, 22, 147)),  # 9
    ((30, 63, 38), (5, 43, 34)),  # 6
    ((1, 0, 2), (3760, 3361, 54068)),  # 5
    ((0, 3, 1), (6364, 5517, 22959)),  # 8
    ((1, 90, 400), (2, 60, 50)),  # 10
    ((1100, 1400, 250_000), (1000, 1216, 750_000)),  # 8
    ((38_932_289, 38_979_340, 25e7), (38_932_289, 38_969_340, 75e7)),  # 7
]


# Right and wrong items of both classes, for either system.
APART = [
    ([(0, 0), (0, 0)], [(0, 0), (0, 0)]),
    ([(1, 0), (0, 2)], [(0, 1), (1, 1)]),
    ([(0, 0), (130, 70)], [(0, 0), (126, 74)]),
    ([(40, 10), (60, 10)], [(25, 25), (30, 40)]),  # 6
    ([(90, 10), (95, 5)], [(60, 40), (50, 50)]),  # 9
    ([(2, 1), (43_513, 24_066)], [(1, 2), (42_650, 24_929)]),  # 5
    ([(400_000, 100_000)] * 2, [(398_000, 102_000)] * 2),  # 7
    ([(4e8, 1e8)] * 2, [(4e8 + 5e4, 1e8 - 5e4)] * 2),  # 6
]


def gains_of(positive, negative, shares):
    parts = (np.array(x, dtype=float) for x in zip(positive, negative, strict=True))
    return GainParameters(*parts, np.array(shares, dtype=float), np.array([0, 0]))


def apart(first, second, shares):
    """Gains of two systems on other items; right and wrong of each class."""
    (ra, wa), (rb, wb) = (np.array(x, dtype=float).T for x in (first, second))
    both = np.concatenate([shares, shares]).astype(float)
    group = np.array([0, 0, 1, 1])
    return GainParameters(np.r_[ra, wb], np.r_[wa, rb], np.zeros(4), both, group)


def pairs(positive, negative, *, strength):
    """Give the density by draws and by quadrature, for pairs of a class's items."""
    prior = np.array([1, 1, 2]) * strength
    shares = (sum(positive) + strength, sum(negative) + strength)
    parts = np.array(positive) + prior, np.array(negative) + prior
    found = density_at_zero(gains_of(*parts, shares), Streams.of(0), purpose=5)
    return found, quadrature.paired(*parts, shares)


def others(first, second, *, strength):
    """Give the density by draws and by quadrature, where items are others."""
    a, b = (np.array(x) + strength for x in (first, second))
    shares = np.sum(first, axis=1) + strength
    found = density_at_zero(apart(a, b, shares), Streams.of(0), purpose=5)
    return found, quadrature.unpaired((*a.T, shares), (*b.T, shares))
