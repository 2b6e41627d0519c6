"""Properties of the hierarchical model, whatever the data are.

Where an answer must be the same to the last digits, a coarse quadrature shows it too.
"""

import os
import subprocess
import sys
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from tests.methods.folds.fold_tables import ROPE, drawn, population, shares, table_of

import likelier as lk
from likelier.methods.folds import fold_likelihood, starting_grid, student_sum
from likelier.methods.folds.density_table import density_table

FOLDS = drawn(10, sets=2)
SAME, COARSE = 1e-12, 1e-2


@cache
def coarse_population(rope):
    """Integrate FOLDS coarsely, once for all tests that only look at the answer."""
    return population(FOLDS, rope, tolerance=COARSE)


@pytest.fixture(scope="module")
def usual():
    return population(FOLDS)


@pytest.fixture(scope="module")
def coarse():
    return np.array(coarse_population(ROPE).shares(*ROPE))


def test_swapped_systems_swap_the_answer(usual):
    swapped = shares([-row for row in FOLDS])
    assert swapped[::-1] == pytest.approx(usual.shares(*ROPE), abs=SAME)


@pytest.mark.parametrize(("unit", "base"), [(1e3, 800.0), (1e6, 0.0), (1e-9, 0.0)])
def test_the_unit_of_scores_does_not_matter(coarse, unit, base):
    rope = (-0.01 * unit, 0.01 * unit)
    scaled = shares([unit * row for row in FOLDS], rope, base=base, tolerance=COARSE)
    assert scaled == pytest.approx(coarse, abs=SAME)


def test_a_gain_of_both_systems_does_not_matter(coarse):
    assert shares(FOLDS, base=5.0, tolerance=COARSE) == pytest.approx(coarse, abs=SAME)


def test_order_does_not_matter(coarse):
    rng = np.random.default_rng(0)
    for folds in (FOLDS[::-1], [rng.permutation(row) for row in FOLDS]):
        other = shares(folds, tolerance=COARSE)
        assert other == pytest.approx(coarse, abs=SAME)


@pytest.mark.parametrize("rope", [ROPE, (-0.005, 0.03), (0.0, 0.01), (0.0, 0.0)])
def test_shares_are_probabilities(rope):
    few = population(drawn(2, sets=2, folds=3), rope, tolerance=COARSE)
    for answer in (coarse_population(rope), few):
        for parts in (answer.shares(*rope), answer.predictive()):
            assert min(parts) >= 0
            assert sum(parts) == pytest.approx(1, abs=SAME)


def test_many_data_sets_have_probabilities_too():
    parts = shares(drawn(1, sets=20, among=0.01), tolerance=COARSE)
    assert parts.min() >= 0
    assert parts.sum() == pytest.approx(1, abs=SAME)


def test_without_a_rope_nothing_is_equivalent():
    answer = coarse_population((0.0, 0.0))
    assert answer.shares(0.0, 0.0)[1] == 0
    assert answer.predictive()[1] == pytest.approx(0, abs=SAME)


@pytest.mark.parametrize("base", [0.0, 0.8, 1e6])
def test_identical_systems_are_better_and_worse_alike(base):
    answer = population([np.zeros(10)] * 2, (0.0, 0.0), base=base)
    assert answer.shares(0.0, 0.0) == pytest.approx((0.5, 0.0, 0.5), abs=SAME)
    assert answer.predictive() == pytest.approx((0.5, 0.0, 0.5), abs=SAME)
    assert answer.delta0.mean() == pytest.approx(0, abs=1e-9 * max(base, 1))


def test_identical_systems_are_equivalent_within_any_rope():
    assert shares([np.zeros(10)] * 3) == pytest.approx([0, 1, 0], abs=1e-4)


def test_a_rope_that_holds_everything_and_one_that_holds_nothing():
    assert shares(FOLDS, (-1e6, 1e6)) == pytest.approx([0, 1, 0], abs=1e-6)
    narrow = shares(FOLDS, (-1e-12, 1e-12), tolerance=COARSE)
    none = coarse_population((0.0, 0.0)).shares(0.0, 0.0)
    assert narrow == pytest.approx(none, abs=1e-6)
    assert narrow[1] == pytest.approx(0, abs=1e-6)


def test_a_wider_rope_holds_more(usual):
    inside = [usual.shares(-r, r)[1] for r in (0.001, 0.005, 0.01, 0.02, 0.05, 0.2)]
    assert np.all(np.diff(inside) > -1e-4)


def test_repeated_data_sets_make_it_surer():
    clear = [row + 0.03 for row in drawn(11, sets=2, among=0.005)]
    once, thrice = (population(x, tolerance=1e-3) for x in (clear, clear * 3))
    assert thrice.shares(*ROPE)[2] > once.shares(*ROPE)[2]
    assert thrice.delta0.hdi(0.95).width < 0.7 * once.delta0.hdi(0.95).width


def test_equal_data_sets_still_differ_from_the_next_one():
    answer = population([FOLDS[0]] * 3, tolerance=1e-3)
    assert answer.sigma0.quantile(np.array([0.5]))[0] > 0
    assert min(answer.predictive()) > 0


def test_folds_that_never_vary():
    """They are exact to the resolution of the scores, and no noise is made up."""
    constant = [np.full(10, 0.03), np.full(10, 0.05), np.full(10, 0.04)]
    answer = population(constant, tolerance=1e-3)
    assert answer.shares(*ROPE)[2] > 0.8
    assert answer.delta0.mean() == pytest.approx(0.04, abs=0.01)
    mixed = population([*FOLDS, np.full(10, 0.03)], tolerance=1e-3)
    law = mixed.shrunken[-1]
    assert law.mean() == pytest.approx(0.03, abs=1e-3)
    assert np.isfinite([*law.hdi(0.95)]).all()


def test_all_folds_alike_everywhere():
    parts = shares([np.full(10, 0.03)] * 3)
    assert np.isfinite(parts).all()
    assert parts[2] > 0.95


def test_an_outlying_data_set_is_left_alone_and_leaves_the_others_alone():
    """Student tails: it hardly moves the others, and is hardly moved itself."""
    close = drawn(12, sets=5, among=0.003, centre=0.0)
    outlying = [*close, drawn(12, sets=1)[0] + 1.0]
    with_it, without = (population(x, tolerance=1e-3) for x in (outlying, close))
    moved = with_it.delta0.median() - without.delta0.median()
    assert abs(moved) < 0.01
    assert with_it.shrunken[-1].mean() == pytest.approx(outlying[-1].mean(), abs=0.01)


def test_a_data_set_is_drawn_towards_the_others():
    last = drawn(13, sets=1)[0]
    folds = [*drawn(13, sets=4, among=0.002, centre=0.0), last - last.mean() + 0.02]
    answer = population(folds, tolerance=1e-3)
    shrunken = answer.shrunken[-1]
    assert answer.delta0.mean() < shrunken.mean() < folds[-1].mean()
    assert shrunken.hdi(0.95).width < answer.alone[-1].hdi(0.95).width


def test_unequal_numbers_of_folds():
    unequal = [FOLDS[0][:3], FOLDS[1][:5], FOLDS[0]]
    answer = population(unequal, tolerance=1e-3)
    assert answer.means.df.tolist() == [1, 3, 8]
    assert sum(answer.shares(*ROPE)) == pytest.approx(1)


def test_two_data_sets_with_a_clear_winner_are_not_certain():
    """The prior lets data sets differ by up to 1,000 standard deviations."""
    rng = np.random.default_rng(14)
    folds = [rng.normal(mean, 0.02, 200) for mean in (0.07, 0.065)]
    assert shares(folds, runs=20) == pytest.approx([0.12, 0.0, 0.88], abs=0.02)


@pytest.mark.parametrize("numbers", [2**10, 2**16])
def test_the_same_bytes_again_and_in_parts_of_other_size(usual, monkeypatch, numbers):
    for module in (student_sum, fold_likelihood, starting_grid):
        monkeypatch.setattr(module, "_MOST_NUMBERS", numbers)
    density_table.cache_clear()
    again = population(FOLDS)
    assert again.shares(*ROPE) == usual.shares(*ROPE)
    assert again.points.masses.tobytes() == usual.points.masses.tobytes()
    assert again.predictive() == usual.predictive()


SCRIPT = """
from tests.methods.folds.fold_tables import ROPE, drawn, population
answer = population(drawn(10, sets=2))
print([x.hex() for x in (*answer.shares(*ROPE), *answer.predictive())])
"""


def test_the_same_bytes_in_a_process_of_other_threads(usual):
    threads = "2" if os.environ.get("OPENBLAS_NUM_THREADS") == "1" else "1"
    env = os.environ | {"OMP_NUM_THREADS": threads, "OPENBLAS_NUM_THREADS": threads}
    paths = (str(Path.cwd()), env.get("PYTHONPATH", ""))
    env["PYTHONPATH"] = os.pathsep.join(paths)
    command = [sys.executable, "-c", SCRIPT]
    printed = subprocess.run(
        command, env=env, stdout=subprocess.PIPE, timeout=120, check=True, text=True
    ).stdout
    here = (*usual.shares(*ROPE), *usual.predictive())
    assert printed.strip() == str([x.hex() for x in here])


def test_compare_folds_has_these_probabilities(usual):
    result = lk.compare_folds(table_of(FOLDS), rope=0.01)
    p = result.probability
    parts = (p.worse, p.equivalent, p.better)
    assert parts == pytest.approx(usual.shares(*ROPE))
