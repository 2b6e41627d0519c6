"""The error that the hierarchical model states is a bound, kind by kind of table.

The truth is a brute-force quadrature that shares no code with the library.
"""

import json
from dataclasses import replace

import numpy as np
import pytest
from tests.methods.folds.brute_force import FILE, KINDS, BruteForce, random_table
from tests.methods.folds.fold_tables import population

TABLES, HONEST = 100, 0.99


@pytest.mark.parametrize("kind", KINDS)
def test_the_stated_error_is_an_upper_bound(kind, show):
    rows = []
    for seed in range(TABLES):
        folds, rope = random_table(kind, seed)
        truth, ours = BruteForce(folds, *rope).shares(), population(folds, rope)
        error = np.abs(truth - ours.shares(*rope)).max()
        rows.append((error, ours.error))
    error, stated = np.array(rows).T
    honest = float((error <= stated).mean())
    figures = (f"{error.max():.1e}", f"{stated.max():.1e}")
    show(f"{kind}: honest {honest:.2f}; largest error, stated", [figures])
    assert honest >= HONEST
    assert np.quantile(error, HONEST) < 1e-4


@pytest.mark.parametrize("kind", KINDS)
def test_the_truth_stands_still_on_a_finer_grid(kind):
    for seed in range(2):
        folds, rope = random_table(kind, seed)
        truth = BruteForce(folds, *rope)
        finer = replace(truth, finer=2).shares()
        assert finer == pytest.approx(truth.shares(), abs=1e-6)
        # Every second row is off by the square root of what all of them are.
        assert truth.shares(every=2) == pytest.approx(finer, abs=1e-3)


def test_the_stored_answers_are_those_of_brute_force():
    for row in json.loads(FILE.read_text(encoding="utf-8")):
        folds, rope = random_table(row["kind"], row["seed"])
        shares = BruteForce(folds, *rope).shares()
        assert shares == pytest.approx(row["shares"], abs=1e-9)
