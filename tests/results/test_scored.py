"""Companions, data sets of the hierarchical model, and pairs' tests as results."""

import json
from functools import cache

import pytest
from tests.scores.tables import drawn

from likelier import compare_folds
from likelier.checks import constant_folds, few_data_sets, mean_disagrees, never_differ
from likelier.decision import ThreeProbabilities
from likelier.results.companions import Companion
from likelier.results.ranking import PairTest
from likelier.scores import from_arrays


@cache
def hierarchical(rope=0.01):
    return compare_folds(drawn(sets=3, folds=4), rope=rope)


# --- companions -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("companion", "told"),
    [
        (Companion("t", p_value=0.0123), "t p = 0.012"),
        (Companion("t", p_value=1.0), "t p = 1.000"),
        (Companion("t", p_value=0.0), "t p = 0.0e+00"),
        (
            Companion("sign", probability=ThreeProbabilities(0.1, 0.2, 0.7, 0)),
            "sign 10.0 % / 20.0 % / 70.0 %",
        ),
        (Companion("t", why_not="no folds"), "t not defined"),
    ],
)
def test_companions_in_words(companion, told):
    assert str(companion) == told
    assert json.dumps(companion.to_dict(), allow_nan=False)


def test_companions_in_the_json():
    told = Companion("sign", probability=ThreeProbabilities(0.1, 0.2, 0.7, 9)).to_dict()
    assert told == {
        "name": "sign",
        "p_value": None,
        "probability": {"worse": 0.1, "equivalent": 0.2, "better": 0.7},
        "why_not": None,
    }


def test_tests_of_pairs_name_the_sides_in_order():
    told = PairTest(("a", "b"), 0.01, 0.02, 0.03, (3, 1)).to_dict()
    assert (told["first_better_on"], told["second_better_on"]) == (1, 3)
    none = PairTest(("a", "b"), 0.01, 0.02, 0.03, None).to_dict()
    assert (none["first_better_on"], none["second_better_on"]) == (None, None)


# --- the data sets of the hierarchical model ----------------------------------------


def test_data_sets_are_shrunken_towards_their_centre():
    result = hierarchical()
    centre = result.data_sets.population.delta0.mean()
    for row in result.data_sets.rows:
        shrunken = row.shrunken.mean()
        assert abs(shrunken - centre) < abs(row.observed - centre) + 1e-3
        assert min(row.observed, centre) - 1e-3 < shrunken
        assert shrunken < max(row.observed, centre) + 1e-3
        alone, together = row.alone, row.shrunken.hdi(0.95)
        assert together.high - together.low < alone.high - alone.low


def test_lines_of_the_next_data_set():
    first, second = hierarchical().data_sets.lines()
    assert first.startswith("next data set: worse ")
    assert ", within the rope " in first
    assert "95 % between " in first
    assert second.startswith("quadrature error ")
    bare = hierarchical(None).data_sets.lines()[0]
    assert "within the rope" not in bare


def test_next_data_set_is_less_sure_than_the_centre():
    told = hierarchical().to_dict()
    next_one, centre = told["predictive"]["interval"], told["difference"]["interval"]
    assert next_one["low"] < centre["low"]
    assert next_one["high"] > centre["high"]
    assert "mean" in told["population"]["delta0"]
    assert "mean" not in told["population"]["sigma0"]
    assert json.dumps(told, allow_nan=False)


def test_frame_of_the_hierarchical_model():
    frame = hierarchical().frame("pandas")
    table = dict(zip(frame["name"], frame["value"], strict=True))
    row = hierarchical().data_sets.rows[1]
    assert table["data_sets.1.value"] == row.observed
    assert table["predictive.better"] == hierarchical().data_sets.predictive[2]


# --- findings ---------------------------------------------------------------------


def test_systems_that_never_differ():
    table = from_arrays([0.1, 0.2], [0.1, 0.2], systems=["old", "new"])
    finding = never_differ(table)
    assert (finding.code, finding.severity) == ("LIK106", "problem")
    assert finding.message == "new and old have the same score on every fold."
    assert never_differ(from_arrays([0.1, 0.2], [0.1, 0.3])) is None


def test_folds_that_differ_by_the_same_amount():
    table = from_arrays(
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


@pytest.mark.parametrize(("count", "found"), [(2, True), (4, True), (5, False)])
def test_few_data_sets(count, found):
    unsure, sure = (
        few_data_sets(drawn(sets=count, folds=3), certain=certain)
        for certain in (False, True)
    )
    assert (unsure is not None, sure is not None) == (found, found)
    if found:
        assert unsure.message.startswith(f"{count} data sets say little")
        assert unsure.severity == "note"
        assert sure.message.startswith(f"{count} data sets are too few")
        assert sure.severity == "problem"


def test_a_mean_that_most_data_sets_contradict():
    first = [0.8] * 20
    table = from_arrays(
        first, [0.81] * 19 + [0.2], datasets=[f"d{i}" for i in range(20)]
    )
    assert mean_disagrees(table).code == "LIK132"
    assert "LIK132" in [
        f.code for f in compare_folds(table, seed=0, draws=200).findings
    ]
    agreeing = from_arrays(first, [0.81] * 20, datasets=[f"d{i}" for i in range(20)])
    assert mean_disagrees(agreeing) is None
