"""Made by hand from the layout that the harness of SWE-bench writes (version 2)."""

import json

import pytest
from tests.readers.logs.reading import DATA, check, read, survive

from likelier.errors import InputError
from likelier.readers.logs.swe_bench import FORMAT

REPORT = DATA / "swe_bench" / "acme__toy.run1.json"


def test_resolved_over_submitted():
    [log] = read(FORMAT, REPORT)
    check(log)
    report = json.loads(REPORT.read_text())
    assert log.items == report["submitted_ids"]
    resolved = [int(i in report["resolved_ids"]) for i in report["submitted_ids"]]
    assert log.scores["resolved"].tolist() == resolved
    assert log.scores["resolved"].sum() == report["resolved_instances"]
    assert (log.system, log.run, log.errors) == ("acme__toy", "run1", {})
    assert log.conditions == {"instances of the dataset": "18"}
    assert log.look_up("repo", [0, 6]) == ["astropy/astropy", "django/django"]


def test_counts_are_noted():
    [log] = read(FORMAT, REPORT)
    empty, failed, without = log.notes
    assert empty.startswith("submitted instances with an empty patch")
    assert failed.startswith("submitted instances whose evaluation failed")
    assert without.startswith("instances without a prediction")
    assert [note.rpartition(": ")[2] for note in log.notes] == ["2", "1", "3"]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"resolved_ids": ["other__other-1"]}, "must be among submitted_ids"),
        ({"unresolved_ids": ["other__other-1"]}, "unresolved_ids must be among"),
        (
            {"submitted_ids": ["a__a-1"], "resolved_ids": ["a__a-1"]}
            | {"completed_ids": ["a__a-1"], "unresolved_ids": ["a__a-1"]},
            "one outcome; 'a__a-1' is among resolved_ids and unresolved_ids",
        ),
        ({"submitted_ids": ["a__a-1", "a__a-1"]}, "each instance once"),
        ({"submitted_ids": []}, "at least one instance"),
        ({"resolved_ids": "all"}, "resolved_ids"),
    ],
)
def test_what_does_not_fit_is_refused(tmp_path, changes, message):
    report = json.loads(REPORT.read_text()) | changes
    path = tmp_path / "a.b.json"
    path.write_text(json.dumps(report))
    with pytest.raises(InputError, match=message):
        read(FORMAT, path)


def test_without_submitted_ids_all_other_ids_count(tmp_path):
    report = json.loads(REPORT.read_text())
    submitted = report.pop("submitted_ids")
    path = tmp_path / "toy.json"
    path.write_text(json.dumps(report))
    [log] = read(FORMAT, path)
    assert log.items == sorted(submitted)
    assert log.system == "toy"


def test_damaged_reports_are_read_or_refused(tmp_path):
    raw = REPORT.read_bytes()
    counts = survive(FORMAT, tmp_path / "a.b.json", raw, n=300, seed=1)
    assert counts["read"] > 50 < counts["refused"]
