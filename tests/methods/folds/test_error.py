"""The reported error is honest: a far finer quadrature differs by no more.

Two tables here; tests/slow/test_hierarchical_sbc.py has forty. Others are compared with
the stored answers of a brute-force quadrature; tests/slow/test_honest_error.py has
hundreds.
"""

import json

import numpy as np
import pytest
from tests.methods.folds import brute_force
from tests.methods.folds.fold_tables import population

STORED = json.loads(brute_force.FILE.read_text(encoding="utf-8"))


def random_table(seed):
    """Draw a table of 2 to 10 data sets, of any spread, tails and number of folds."""
    rng = np.random.default_rng(seed)
    sets, n = int(rng.integers(2, 11)), int(rng.choice([3, 5, 10, 30, 100]))
    among, rope = 10 ** rng.uniform(-3.5, -0.7), 10 ** rng.uniform(-4, -1)
    means = 0.02 * rng.normal() + among * rng.standard_t(
        rng.choice([1.2, 4, 100]), sets
    )
    sds = 0.02 * np.exp(rng.normal(0, 0.6, sets))
    folds = [rng.normal(m, s, n) for m, s in zip(means, sds, strict=True)]
    return folds, (-rope, rope)


def assert_error_is_honest(seed):
    folds, rope = random_table(seed)
    usual, fine = (population(folds, rope, tolerance=t) for t in (1e-4, 1e-5))
    gap = np.abs(np.subtract(usual.shares(*rope), fine.shares(*rope))).max()
    assert gap <= usual.error + fine.error
    assert usual.error < 2e-4


@pytest.mark.parametrize("seed", [1, 11])
def test_error_is_honest(seed):
    assert_error_is_honest(seed)


@pytest.mark.parametrize("row", STORED, ids=lambda row: f"{row['kind']} {row['seed']}")
def test_the_error_bounds_the_distance_from_brute_force(row):
    folds, rope = brute_force.random_table(row["kind"], row["seed"])
    ours = population(folds, rope)
    error = np.abs(np.subtract(ours.shares(*rope), row["shares"])).max()
    assert error <= ours.error < 1e-4


def test_the_stored_answers_are_those_of_brute_force():
    assert [(row["kind"], row["seed"]) for row in STORED] == list(brute_force.STORED)
