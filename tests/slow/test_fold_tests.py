"""Type I error of tests on folds, with learners that are really trained.

Two learners of equal merit: the same decision tree, one on each half of features that
are exchangeable. Items are drawn anew for every simulation. Folds share training
items, which the plain paired t-test ignores (Dietterich 1998,
doi:10.1162/089976698300017197; Nadeau & Bengio 2003, doi:10.1023/A:1024068626366).
"""

from collections.abc import Callable

import numpy as np
import pytest
from scipy import stats
from sklearn.tree import DecisionTreeClassifier

from likelier.errors import NotDefinedError
from likelier.methods.folds.fold_tests import five_by_two_f, five_by_two_t, resampled_t

LEVEL = 0.05
ITEMS, FEATURES, PULL = 150, 4, 0.5


def items(rng):
    """Draw two classes and two halves of features that depend on them alike."""
    gold = rng.choice([-1.0, 1.0], ITEMS)
    features = rng.normal(size=(ITEMS, 2 * FEATURES)) + PULL * gold[:, None]
    return gold, (features[:, :FEATURES], features[:, FEATURES:])


def right(train, test, gold, features):
    """Train a tree on some items; return its accuracy on others."""
    learner = DecisionTreeClassifier(max_depth=3, random_state=0)
    learner.fit(features[train], gold[train])
    return float((learner.predict(features[test]) == gold[test]).mean())


def differences(rng, *, runs, folds):
    """Return second minus first, fold by fold (run, fold)."""
    gold, halves = items(rng)
    gaps = np.empty((runs, folds))
    for run in range(runs):
        parts = np.array_split(rng.permutation(ITEMS), folds)
        for fold, test in enumerate(parts):
            train = np.concatenate([*parts[:fold], *parts[fold + 1 :]])
            first, second = (right(train, test, gold, half) for half in halves)
            gaps[run, fold] = second - first
    return gaps


def rate(test: Callable[[np.ndarray], float], *, tables) -> float:
    """Count how often a test rejects; an undefined test does not reject."""
    rejected = []
    for table in tables:
        try:
            rejected.append(test(table) <= LEVEL)
        except NotDefinedError:
            rejected.append(False)
    return float(np.mean(rejected))


def naive(table):
    """Return the p-value of the plain paired t-test."""
    return float(stats.ttest_1samp(table.ravel(), 0).pvalue)


def corrected(table):
    """Return the p-value of the corrected resampled t-test."""
    share = 1 / (table.shape[1] - 1)
    return resampled_t(table.ravel(), test_per_train=share).p_value


# The correction is a rule of thumb, not a law: for 10 x 10 folds of these trees it
# rejects about 7 % (72 of 1,000 simulations), where one run of 10 folds rejects 3 %.
@pytest.mark.parametrize(
    ("runs", "simulations", "highest", "plainly"),
    [(1, 1_000, LEVEL, 0.08), (10, 200, 0.075, 0.3)],
)
def test_resampled_t_mends_most_of_the_plain_test(
    runs, simulations, highest, plainly, show
):
    """The plain test rejects far more, and the more runs the worse."""
    rng = np.random.default_rng(runs)
    tables = [differences(rng, runs=runs, folds=10) for _ in range(simulations)]
    plain, honest = (rate(test, tables=tables) for test in (naive, corrected))
    error = float(np.sqrt(highest * (1 - highest) / simulations))
    rows = [("plain", plain), ("corrected", honest), ("error", error)]
    show(f"{runs} x 10 folds, {simulations:,} simulations", rows)
    assert honest <= highest + 3 * error
    assert plain >= plainly
    assert plain > 1.5 * honest


def test_five_by_two_rejects_no_more_than_its_level(show):
    simulations = 1_000
    rng = np.random.default_rng(5)
    tables = [differences(rng, runs=5, folds=2) for _ in range(simulations)]
    tests = {
        "5x2cv t": lambda table: five_by_two_t(table).p_value,
        "5x2cv F": lambda table: five_by_two_f(table).p_value,
        "plain": naive,
    }
    rates = {name: rate(test, tables=tables) for name, test in tests.items()}
    error = float(np.sqrt(LEVEL * (1 - LEVEL) / simulations))
    show(f"5 x 2 folds, {simulations:,} simulations, error {error:.4f}", rates.items())
    assert rates["5x2cv t"] <= LEVEL + 3 * error
    assert rates["5x2cv F"] <= LEVEL + 3 * error
    assert rates["plain"] >= 0.15


def test_a_real_difference_is_found(show):
    """A test that never rejects would pass the others."""
    rng, rejected = np.random.default_rng(6), []
    for _ in range(100):
        gold, (first, second) = items(rng)
        second = second + 0.5 * gold[:, None]
        parts = np.array_split(rng.permutation(ITEMS), 10)
        gaps = []
        for fold, test in enumerate(parts):
            train = np.concatenate([*parts[:fold], *parts[fold + 1 :]])
            scores = [right(train, test, gold, part) for part in (first, second)]
            gaps.append(scores[1] - scores[0])
        rejected.append(corrected(np.array([gaps])) <= LEVEL)
    power = float(np.mean(rejected))
    show("power", [("corrected", power)])
    assert power > 0.5
