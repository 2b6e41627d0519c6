import numpy as np
import pytest
from scipy import special

from likelier.methods.folds import cubic_splines
from likelier.methods.folds.student_tails import StudentTails

NU = np.array([1.000001, 1.5, 1.5, 8.0, 60.0, 2001.0])


def test_against_scipy():
    far = np.geomspace(1e-4, 40, 200)
    z = np.concatenate([-far, [0.0], far])[:, None] * np.ones(len(NU))
    exact = special.stdtr(NU, z)
    ours = StudentTails(NU).below(z)
    assert ours == pytest.approx(exact, abs=1e-9)
    # The smaller tail is right for itself.
    seen = (z < 0) & (exact > 1e-40)
    assert np.abs(ours[seen] / exact[seen] - 1).max() < 1e-6


def test_far_beyond_the_table_there_is_next_to_nothing():
    tails = StudentTails(NU)
    assert np.all(tails.below(np.full(len(NU), -1e12)) < 1e-10)
    assert np.all(tails.below(np.full(len(NU), 1e12)) > 1 - 1e-10)


def test_cubics_are_exact():
    beside = cubic_splines.BESIDE

    def cubic(x):
        return 2 * x**3 - x**2 + 5 * x - 7

    found = cubic_splines.coefficients(cubic(np.arange(-1.0 - beside, 12 + beside)))
    cell, offset = np.arange(10), np.linspace(0, 1, 10)
    parts = cubic_splines.weights(offset)
    values = cubic_splines.weighted_sum(found, cell, parts)
    assert values == pytest.approx(cubic(cell + offset), abs=1e-9)
