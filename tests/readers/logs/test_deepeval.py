"""Made by hand from the layout that DeepEval 4 writes."""

import json

import numpy as np
import pytest
from tests.readers.logs.reading import DATA, check, read, survive

from likelier.errors import InputError
from likelier.readers.logs.deepeval import FORMAT

PATH = DATA / "deepeval" / "test_run_20261118_113000.json"
CONTENT = json.loads(PATH.read_text())


def changed(tmp_path, **changes):
    path = tmp_path / "mine.json"
    path.write_text(json.dumps(CONTENT | changes, indent=2))
    return path


@pytest.mark.parametrize("metric", ["Exact Match", "Bias"])
def test_scores_of_test_cases(metric):
    cases, _ = read(FORMAT, PATH)
    check(cases)
    expected = [
        next(m.get("score") for m in case["metricsData"] if m["name"] == metric)
        for case in CONTENT["testCases"]
    ]
    np.testing.assert_array_equal(cases.scores[metric], np.array(expected, float))


def test_outcome_is_missing_where_only_the_judge_failed():
    cases, _ = read(FORMAT, PATH)
    expected = [float(case["success"]) for case in CONTENT["testCases"]]
    # The judge failed on all metrics of 3, and on one of 4; 5 fails without it.
    expected[3] = expected[4] = np.nan
    np.testing.assert_array_equal(cases.scores["pass"], expected)
    assert expected[5] == 0
    assert cases.errors == {3: "Exact Match: no key"}


def test_items_by_name_else_by_input():
    cases, _ = read(FORMAT, PATH)
    names = [case["name"] for case in CONTENT["testCases"]]
    assert cases.items[:4] == names[:4]
    assert not any(item.startswith("test_case") for item in cases.items)
    assert cases.items[8:] == cases.items[:2]
    assert cases.repeats == [1] * 8 + [2, 2]
    assert cases.hashes["item"][8] == cases.hashes["item"][0]
    assert len(set(cases.hashes["item"])) == 8


def test_a_name_of_several_inputs_names_no_item(tmp_path):
    several = [case | {"name": "mine"} for case in CONTENT["testCases"]]
    log = read(FORMAT, changed(tmp_path, testCases=several))[0]
    assert len(set(log.items)) == 8
    assert "'mine'" in log.notes[0]


def test_facts_of_the_run(tmp_path):
    cases, conversations = read(FORMAT, PATH)
    check(conversations)
    assert (cases.system, cases.task, cases.run) == ("toy", "test cases", "run-a")
    assert conversations.task == "conversations"
    assert conversations.look_up("scenario", [2]) == ["Scene 2"]
    assert cases.look_up("input", [0, 9]) == ["0+0?", "1+1?"]
    assert cases.look_up("metadata.topic", [1]) == ["b"]
    assert cases.conditions["judge of Bias"] == "judge-1"
    assert cases.conditions["threshold of Exact Match"] == "0.5"
    log = read(FORMAT, changed(tmp_path, hyperparameters=None))[0]
    assert log.system == "run-a"
    path = changed(tmp_path, hyperparameters=None, identifier=None)
    assert read(FORMAT, path)[0].system == "mine"


def test_direction_is_the_side_of_the_threshold_that_passes():
    cases, _ = read(FORMAT, PATH)
    expected = {"pass": True, "Exact Match": True, "Bias": False}
    assert cases.higher_is_better == expected


def test_a_wrong_type_is_named(tmp_path):
    path = changed(tmp_path, testCases=[{"metricsData": [{"name": 1}]}])
    with pytest.raises(InputError, match=r"mine\.json: .*testCases"):
        read(FORMAT, path)


def test_damaged_runs_are_read_or_refused(tmp_path):
    raw = PATH.read_bytes()
    counts = survive(FORMAT, tmp_path / "run.json", raw, n=300, seed=8)
    assert counts["read"] > 50 < counts["refused"]
