"""What must hold of the hierarchical model whatever the data say."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from tests.methods.folds.fold_tables import ROPE, drawn, population, shares, table_of

import likelier as lk
from likelier.methods.folds import student_sum

FOLDS = drawn(10, sets=4)
SAME = 1e-12


@pytest.fixture(scope="module")
def usual():
    return shares(FOLDS)


def test_swapped_systems_swap_the_answer(usual):
    swapped = shares([-row for row in FOLDS])
    assert swapped[::-1] == pytest.approx(usual, abs=SAME)


def test_the_unit_of_scores_does_not_matter(usual):
    large = shares([1000 * row for row in FOLDS], (-10.0, 10.0), base=800.0)
    assert large == pytest.approx(usual, abs=SAME)
    huge = shares([1e6 * row for row in FOLDS], (-1e4, 1e4), base=0.0)
    assert huge == pytest.approx(usual, abs=SAME)
    tiny = shares([1e-9 * row for row in FOLDS], (-1e-11, 1e-11), base=0.0)
    assert tiny == pytest.approx(usual, abs=SAME)


def test_what_both_systems_gain_does_not_matter(usual):
    assert shares(FOLDS, base=5.0) == pytest.approx(usual, abs=SAME)


def test_order_does_not_matter(usual):
    rng = np.random.default_rng(0)
    assert shares(FOLDS[::-1]) == pytest.approx(usual, abs=SAME)
    mixed = [rng.permutation(row) for row in FOLDS]
    assert shares(mixed) == pytest.approx(usual, abs=SAME)


@pytest.mark.parametrize("rope", [ROPE, (-0.005, 0.03), (0.0, 0.01), (0.0, 0.0)])
def test_shares_are_probabilities(rope):
    for folds in (FOLDS, drawn(2, sets=2, folds=3)):
        found = shares(folds, rope)
        assert found.min() >= 0
        assert found.sum() == pytest.approx(1, abs=SAME)
        predictive = population(folds, rope, tolerance=1e-2).predictive()
        assert min(predictive) >= 0
        assert sum(predictive) == pytest.approx(1, abs=SAME)


def test_many_data_sets_have_probabilities_too():
    found = shares(drawn(1, sets=40, among=0.01), tolerance=1e-3)
    assert found.min() >= 0
    assert found.sum() == pytest.approx(1, abs=SAME)


def test_without_a_rope_nothing_is_equivalent():
    found = population(FOLDS, (0.0, 0.0))
    assert found.shares(0.0, 0.0)[1] == 0
    assert found.predictive()[1] == pytest.approx(0, abs=SAME)


@pytest.mark.parametrize("base", [0.0, 0.8, 1e6])
def test_identical_systems_are_better_and_worse_alike(base):
    found = population([np.zeros(10)] * 4, (0.0, 0.0), base=base)
    assert found.shares(0.0, 0.0) == pytest.approx((0.5, 0.0, 0.5), abs=SAME)
    assert found.predictive() == pytest.approx((0.5, 0.0, 0.5), abs=SAME)
    assert found.delta0.mean() == pytest.approx(0, abs=1e-9 * max(base, 1))


def test_identical_systems_are_equivalent_within_any_rope():
    assert shares([np.zeros(10)] * 4) == pytest.approx([0, 1, 0], abs=1e-4)


def test_a_rope_that_holds_everything_and_one_that_holds_nothing(usual):
    assert shares(FOLDS, (-1e6, 1e6)) == pytest.approx([0, 1, 0], abs=1e-6)
    narrow, none = shares(FOLDS, (-1e-12, 1e-12)), shares(FOLDS, (0.0, 0.0))
    assert narrow == pytest.approx(none, abs=1e-6)
    assert narrow[1] == pytest.approx(0, abs=1e-6)


def test_a_wider_rope_holds_more():
    found = population(FOLDS)
    inside = [found.shares(-r, r)[1] for r in (0.001, 0.005, 0.01, 0.02, 0.05, 0.2)]
    assert np.all(np.diff(inside) > -1e-4)


def test_repeated_data_sets_make_it_surer():
    clear = [row + 0.03 for row in drawn(11, sets=3, among=0.005)]
    once, thrice = shares(clear), shares(clear * 3)
    assert thrice[2] > once[2]
    width = [population(part).delta0.hdi(0.95).width for part in (clear, clear * 3)]
    assert width[1] < 0.7 * width[0]


def test_equal_data_sets_still_differ_from_the_next_one():
    found = population([FOLDS[0]] * 5)
    assert found.sigma0.quantile(np.array([0.5]))[0] > 0
    assert min(found.predictive()) > 0


def test_folds_that_never_vary():
    """Known to the resolution of the scores, and no noise is made up."""
    constant = [np.full(10, 0.03), np.full(10, 0.05), np.full(10, 0.04)]
    found = population(constant)
    assert found.shares(*ROPE)[2] > 0.8
    assert found.delta0.mean() == pytest.approx(0.04, abs=0.01)
    mixed = population([*FOLDS, np.full(10, 0.03)])
    law = mixed.shrunken[-1]
    assert law.mean() == pytest.approx(0.03, abs=1e-3)
    assert np.isfinite([*law.hdi(0.95)]).all()


def test_all_folds_alike_everywhere():
    found = population([np.full(10, 0.03)] * 4)
    assert np.isfinite(found.shares(*ROPE)).all()
    assert found.shares(*ROPE)[2] > 0.95


def test_an_outlying_data_set_is_left_alone_and_leaves_the_others_alone():
    """Student tails: it hardly moves the others, and is hardly moved itself."""
    close = drawn(12, sets=7, among=0.003, centre=0.0)
    apart = [*close, drawn(12, sets=1)[0] + 1.0]
    with_it, without = population(apart), population(close)
    moved = with_it.delta0.quantile(np.array([0.5])) - without.delta0.quantile(
        np.array([0.5])
    )
    assert abs(moved[0]) < 0.01
    assert with_it.shrunken[-1].mean() == pytest.approx(apart[-1].mean(), abs=0.01)


def test_a_data_set_is_drawn_towards_the_others():
    last = drawn(13, sets=1)[0]
    folds = [*drawn(13, sets=8, among=0.002, centre=0.0), last - last.mean() + 0.02]
    found = population(folds)
    own, centre = folds[-1].mean(), found.delta0.mean()
    assert centre < found.shrunken[-1].mean() < own
    alone = found.alone[-1].hdi(0.95)
    assert found.shrunken[-1].hdi(0.95).width < alone.width


def test_unequal_numbers_of_folds():
    unequal = [FOLDS[0][:3], FOLDS[1][:5], FOLDS[2], FOLDS[3]]
    found = population(unequal)
    assert found.means.df.tolist() == [1, 3, 8, 8]
    assert sum(found.shares(*ROPE)) == pytest.approx(1)


def test_two_data_sets_with_a_clear_winner_are_not_certain():
    """The prior lets data sets differ by up to 1,000 standard deviations."""
    rng = np.random.default_rng(14)
    folds = [rng.normal(mean, 0.02, 200) for mean in (0.07, 0.065)]
    found = shares(folds, runs=20)
    assert found == pytest.approx([0.12, 0.0, 0.88], abs=0.02)


def test_the_same_bytes_twice():
    first, second = population(FOLDS), population(FOLDS)
    assert first.shares(*ROPE) == second.shares(*ROPE)
    assert first.points.masses.tobytes() == second.points.masses.tobytes()
    assert first.predictive() == second.predictive()


def test_the_same_bytes_with_other_threads(monkeypatch):
    usual = population(FOLDS).points.masses.tobytes()
    for threads in (1, 3):
        monkeypatch.setattr(student_sum, "_MOST_THREADS", threads)
        assert population(FOLDS).points.masses.tobytes() == usual


SCRIPT = """
from tests.methods.folds.fold_tables import drawn, population
found = population(drawn(10, sets=4))
print([x.hex() for x in (*found.shares(-0.01, 0.01), *found.predictive())])
"""


def test_the_same_bytes_in_other_processes():
    def run(threads):
        env = {**os.environ, "OMP_NUM_THREADS": threads, "PYTHONPATH": str(Path.cwd())}
        env["OPENBLAS_NUM_THREADS"] = threads
        command = [sys.executable, "-c", SCRIPT]
        done = subprocess.run(command, env=env, capture_output=True, check=True)
        return done.stdout

    assert run("1") == run("2")


def test_compare_scores_gives_these_probabilities(usual):
    found = lk.compare_folds(table_of(FOLDS), rope=0.01)
    told = found.probability
    assert (told.worse, told.equivalent, told.better) == pytest.approx(usual)
