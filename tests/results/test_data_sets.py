"""The data sets of the hierarchical model: shrunken, foreseen, in words."""

import json
from functools import cache

from tests.data.score_tables import drawn

from likelier import compare_folds


@cache
def hierarchical(rope=0.01):
    return compare_folds(drawn(sets=3, folds=4), rope=rope)


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
    document = hierarchical().to_dict()
    next_one, centre = (
        document["predictive"]["interval"],
        document["difference"]["interval"],
    )
    assert next_one["low"] < centre["low"]
    assert next_one["high"] > centre["high"]
    assert "mean" in document["population"]["delta0"]
    assert "mean" not in document["population"]["sigma0"]
    assert json.dumps(document, allow_nan=False)


def test_frame_of_the_hierarchical_model():
    frame = hierarchical().frame("pandas")
    table = dict(zip(frame["name"], frame["value"], strict=True))
    row = hierarchical().data_sets.rows[1]
    assert table["data_sets.1.value"] == row.observed
    assert table["predictive.better"] == hierarchical().data_sets.predictive[2]
