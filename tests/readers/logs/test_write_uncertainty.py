import json

import pytest
from tests.readers.logs.mutations import mutants
from tests.readers.logs.reading import DATA

from likelier.errors import InputError, LikelierError, SettingError
from likelier.readers.file import find_file
from likelier.readers.logs.write_uncertainty import Uncertainty, write_uncertainty

[PATH] = (DATA / "every_eval_ever").glob("*.json")


def interval(**changes):
    settings = {
        "evaluation_name": "words",
        "lower": 0.4,
        "upper": 0.6,
        "confidence_level": 0.95,
        "method": "Bayesian bootstrap",
        "num_samples": 6,
    }
    return Uncertainty(**settings | changes)


def test_only_the_uncertainty_changes():
    before = PATH.read_bytes()
    sums = interval(evaluation_name="sums", metric="sums#f1", standard_error=0.05)
    text = write_uncertainty(find_file(PATH), [interval(), sums])
    assert PATH.read_bytes() == before
    expected = json.loads(before)
    bounds = {"lower": 0.4, "upper": 0.6, "confidence_level": 0.95}
    bounds["method"] = "Bayesian bootstrap"
    plain = {"confidence_interval": bounds, "num_samples": 6}
    error = {"standard_error": {"value": 0.05, "method": "Bayesian bootstrap"}}
    expected["evaluation_results"][2]["score_details"]["uncertainty"] = plain
    expected["evaluation_results"][1]["score_details"]["uncertainty"] = error | plain
    # Equal as text: the order of keys stays, too.
    assert text.decode() == json.dumps(expected, indent=2) + "\n"


@pytest.mark.parametrize("metric", ["sums#f1", "f1", "F1"])
def test_a_metric_by_any_of_its_names(metric):
    wanted = interval(evaluation_name="sums", metric=metric)
    results = json.loads(write_uncertainty(find_file(PATH), [wanted]))
    uncertainties = [
        result["score_details"]["uncertainty"]
        for result in results["evaluation_results"]
    ]
    assert ["num_samples" in u for u in uncertainties] == [False, True, False]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"evaluation_name": "other"}, "got 0"),
        ({"evaluation_name": "sums"}, "got 2"),
        ({"metric": "bleu"}, "got 0"),
    ],
)
def test_no_match_or_several_are_refused(changes, message):
    with pytest.raises(InputError, match=message):
        write_uncertainty(find_file(PATH), [interval(**changes)])


@pytest.mark.parametrize(
    "changes",
    [{"lower": 0.7}, {"upper": float("nan")}, {"confidence_level": 95}],
)
def test_intervals_that_the_schema_forbids(changes):
    with pytest.raises(SettingError):
        interval(**changes)


def test_damaged_documents_are_filled_or_refused(tmp_path):
    path, filled = tmp_path / "a.json", 0
    for mutant in mutants(PATH.read_bytes(), 60, 7):
        path.write_bytes(mutant)
        try:
            write_uncertainty(find_file(path), [interval()])
        except LikelierError:
            continue
        filled += 1
    assert 10 < filled < 60
