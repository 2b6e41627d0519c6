"""Findings about scores of folds."""

import pytest
from tests.data.score_tables import drawn

from likelier import Scores, compare_folds
from likelier.checks import constant_folds, few_data_sets, mean_disagrees, never_differ


def test_systems_that_never_differ():
    table = Scores.from_arrays([0.1, 0.2], [0.1, 0.2], systems=["old", "new"])
    finding = never_differ(table)
    assert (finding.code, finding.severity) == ("LIK106", "problem")
    assert finding.message == "new and old have the same score on every fold."
    assert never_differ(Scores.from_arrays([0.1, 0.2], [0.1, 0.3])) is None


def test_folds_that_differ_by_the_same_amount():
    table = Scores.from_arrays(
        [[0.1, 0.2], [0.1, 0.3], [0.5]],
        [[0.2, 0.3], [0.2, 0.3], [0.6]],
        datasets=["x", "y", "z"],
    )
    finding = constant_folds(table)
    # The gaps of x are equal up to rounding; z has one score.
    assert finding.code == "LIK130"
    assert "'x'" in finding.message
    assert "'y'" not in finding.message
    assert "'z'" not in finding.message
    assert constant_folds(table.only("y")) is None


@pytest.mark.parametrize(("count", "few"), [(2, True), (4, True), (5, False)])
def test_few_data_sets(count, few):
    unsure, sure = (
        few_data_sets(drawn(sets=count, folds=3), certain=certain)
        for certain in (False, True)
    )
    assert (unsure is not None, sure is not None) == (few, few)
    if few:
        assert unsure.message.startswith(f"{count} data sets say little")
        assert unsure.severity == "note"
        assert sure.message.startswith(f"{count} data sets are too few")
        assert sure.severity == "problem"


def test_a_mean_that_most_data_sets_contradict():
    first = [0.8] * 20
    table = Scores.from_arrays(
        first, [0.81] * 19 + [0.2], datasets=[f"d{i}" for i in range(20)]
    )
    assert mean_disagrees(table).code == "LIK132"
    assert "LIK132" in [
        f.code for f in compare_folds(table, seed=0, draws=200).findings
    ]
    agreeing = Scores.from_arrays(
        first, [0.81] * 20, datasets=[f"d{i}" for i in range(20)]
    )
    assert mean_disagrees(agreeing) is None
