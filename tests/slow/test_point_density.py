"""The density of no difference under weak and strong priors, far out in the tails."""

from math import log

import numpy as np
import pytest
from tests.methods.items.density_oracles import OTHER_ITEMS, TABLES
from tests.methods.items.factor_tables import paired_densities, unpaired_densities

STRENGTHS = (0.6, 0.75, 2.0, 5.0, 10.0)


def checked(density, exact):
    """Check the density within .02 of the decimal logarithm."""
    error = abs(density.log - exact) / log(10)
    assert error < 0.02
    return error, density.mcse / log(10)


@pytest.mark.parametrize("strength", STRENGTHS)
def test_pairs(strength, show):
    rows = [checked(*paired_densities(*table, strength=strength)) for table in TABLES]
    show(
        f"pairs, strength {strength}: largest error, its Monte-Carlo error", [max(rows)]
    )
    assert np.median([row[0] for row in rows]) < 0.005


@pytest.mark.parametrize("strength", STRENGTHS)
def test_other_items(strength, show):
    rows = [
        checked(*unpaired_densities(*table, strength=strength)) for table in OTHER_ITEMS
    ]
    show(
        f"apart, strength {strength}: largest error, its Monte-Carlo error", [max(rows)]
    )
    assert np.median([row[0] for row in rows]) < 0.005
