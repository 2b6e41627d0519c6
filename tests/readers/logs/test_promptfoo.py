"""Logs of promptfoo, compared with a plain computation from their JSON."""

import json

import numpy as np
import pytest
from tests.readers.logs.reading import DATA, check, read, survive

from likelier.errors import InputError
from likelier.readers.file import find_file
from likelier.readers.logs.promptfoo import FORMAT

PROMPTFOO = DATA / "promptfoo"
FILES = ["errors.json", "repeat3.json", "two_by_two.json", "in_progress.jsonl"]


def results(name):
    raw = (PROMPTFOO / name).read_text()
    if name.endswith(".jsonl"):
        return [json.loads(line) for line in raw.splitlines()]
    return json.loads(raw)["results"]["results"]


def of_system(name, log):
    """Return the results of one system in the order of tests."""
    rows = [
        r
        for r in results(name)
        if log.system.startswith(r["provider"]["label"] or r["provider"]["id"])
        and (" | " not in log.system or r["prompt"]["label"] in log.system)
    ]
    return sorted(rows, key=lambda r: r["testIdx"])


@pytest.mark.parametrize("name", FILES)
def test_values_are_those_of_the_results(name):
    logs = read(FORMAT, PROMPTFOO / name)
    assert sum(len(log.items) for log in logs) == len(results(name))
    for log in logs:
        check(log)
        rows = of_system(name, log)
        failed = [row for row, r in enumerate(rows) if r["failureReason"] == 2]
        assert list(log.errors) == failed
        expected = {
            "pass": [float(r["success"]) for r in rows],
            "score": [r["score"] for r in rows],
        }
        for metric in {name for r in rows for name in r["namedScores"]}:
            expected[metric] = [r["namedScores"].get(metric, np.nan) for r in rows]
        assert set(log.scores) == set(expected)
        for metric, column in expected.items():
            values = np.array(column, dtype=float)
            values[failed] = np.nan
            np.testing.assert_array_equal(log.scores[metric], values)
        assert log.items == [f"a={r['vars']['a']} b={r['vars']['b']}" for r in rows]


def test_counts_are_those_that_promptfoo_reports():
    document = json.loads((PROMPTFOO / "errors.json").read_bytes())
    logs = {log.system: log for log in read(FORMAT, PROMPTFOO / "errors.json")}
    for prompt in document["results"]["prompts"]:
        log, metrics = logs[prompt["provider"]], prompt["metrics"]
        assert np.nansum(log.scores["pass"]) == metrics["testPassCount"]
        assert np.sum(log.scores["pass"] == 0) == metrics["testFailCount"]
        assert len(log.errors) == metrics["testErrorCount"]


def test_facts_of_a_run():
    log = read(FORMAT, PROMPTFOO / "errors.json")[0]
    document = json.loads((PROMPTFOO / "errors.json").read_bytes())
    assert (log.format, log.task, log.headline) == ("promptfoo", "tests", "pass")
    assert log.version == document["metadata"]["promptfooVersion"]
    assert log.run == document["results"]["timestamp"]
    assert log.higher_is_better == {"pass": True, "score": True}
    assert set(log.hashes) == {"assertions"}
    assert log.text == "vars"
    assert log.look_up("vars", [0]) == [log.items[0]]


def test_a_system_is_a_provider_with_a_prompt():
    logs = read(FORMAT, PROMPTFOO / "two_by_two.json")
    assert sorted(log.system for log in logs) == [
        "toy-a | Add {{a}} and {{b}}, think step by step.",
        "toy-a | What is {{a}}+{{b}}? Only the number.",
        "toy-b | Add {{a}} and {{b}}, think step by step.",
        "toy-b | What is {{a}}+{{b}}? Only the number.",
    ]
    assert len({tuple(log.items) for log in logs}) == 1
    assert len({tuple(log.hashes["assertions"]) for log in logs}) == 1


def test_repeats_are_counted():
    for log in read(FORMAT, PROMPTFOO / "repeat3.json"):
        assert set(log.repeats) == {1, 2, 3}
        assert len(set(log.items)) == len(log.items) / 3


def write(path, rows):
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    return path


def row(**changes):
    return {
        "promptIdx": 0,
        "testIdx": 0,
        "promptId": "p",
        "provider": {"id": "echo", "label": ""},
        "prompt": {"raw": "Say 4", "label": "Say {{q}}"},
        "vars": {"q": "4"},
        "success": True,
        "score": 1,
        "namedScores": {},
        "testCase": {"assert": [{"type": "contains", "value": "4"}]},
    } | changes


def test_ids_of_items(tmp_path):
    variables = [
        {"q": "4"},
        {"q": "4", "_conversation": [1], "sessionId": "s"},
        {"q": 1, "r": "x"},
        {"q": "long " * 40},
        {"q": "two\nlines"},
    ]
    rows = [row(vars=v, testIdx=i) for i, v in enumerate(variables)]
    rows.append(row(metadata={"strategyId": "base64"}, testIdx=9))
    [log] = read(FORMAT, write(tmp_path / "a.jsonl", rows))
    assert log.items[:3] == ["4", "4", "q=1 r=x"]
    assert log.items[5] == "4|base64"
    assert all(len(item) == 16 for item in log.items[3:5])
    assert log.repeats == [1, 2, 1, 1, 1, 1]
    assert log.look_up("vars", [3]) == ["long " * 40]


def test_same_variables_with_other_assertions_are_other_items(tmp_path):
    other = row(testCase={"assert": [{"type": "equals", "value": "4"}]}, testIdx=1)
    [log] = read(FORMAT, write(tmp_path / "a.jsonl", [row(), other]))
    assert len(set(log.items)) == 2
    assert log.repeats is None


def test_same_values_of_other_variables_are_other_items(tmp_path):
    rows = [row(), row(vars={"city": "4"}, testIdx=1), row(vars={"q": 4}, testIdx=2)]
    [log] = read(FORMAT, write(tmp_path / "a.jsonl", rows))
    first, other, same = log.items
    assert first == same != other
    assert log.repeats == [1, 1, 2]


def test_equal_names_of_systems_are_told_apart(tmp_path):
    rows = [row(), row(promptIdx=1), row(promptIdx=2, provider="plain")]
    logs = read(FORMAT, write(tmp_path / "a.jsonl", rows))
    assert [log.system for log in logs] == ["echo", "echo (2)", "plain"]


def test_failed_assertions_are_wrong_and_failed_providers_missing(tmp_path):
    rows = [
        row(success=False, score=0, failureReason=1, error="Expected 4",
            gradingResult={"pass": False}),
        row(success=False, score=0, error="Timeout\nat x", testIdx=1),
        row(success=False, score=0, failureReason=2, testIdx=2),
    ]  # fmt: skip
    [log] = read(FORMAT, write(tmp_path / "a.jsonl", rows))
    assert log.errors == {1: "Timeout", 2: "provider error"}
    np.testing.assert_array_equal(log.scores["pass"], [0, np.nan, np.nan])


def test_named_scores_that_are_called_as_ours(tmp_path):
    path = write(tmp_path / "a.jsonl", [row(namedScores={"pass": 0.2, "x": None})])
    [log] = read(FORMAT, path)
    assert log.scores["pass (named)"] == [0.2]
    assert log.scores["pass"] == [1]


def test_other_files_are_not_logs_of_promptfoo(tmp_path):
    path = tmp_path / "a.json"
    for text in (
        '{"results": {"results": [], "version": 1}}',
        '{"evalId": 1, "results": []}',
        '{"vars": {}, "success": true}\n',
        '[{"promptIdx": 1}]',
    ):
        path.write_text(text)
        assert not FORMAT.sniff(find_file(path))


def test_errors_name_the_record(tmp_path):
    path = write(tmp_path / "a.jsonl", [row(), row(score="high", testIdx=1)])
    with pytest.raises(InputError, match=r"a\.jsonl:2: a score must be a number"):
        read(FORMAT, path)
    path = write(tmp_path / "a.jsonl", [row(), row(namedScores=3)])
    with pytest.raises(InputError, match=r"a\.jsonl:2: .*namedScores"):
        read(FORMAT, path)
    document = json.loads((PROMPTFOO / "errors.json").read_bytes())
    del document["results"]["results"][5]["success"]
    path = tmp_path / "b.json"
    path.write_text(json.dumps(document))
    with pytest.raises(InputError, match=r"b\.json: .*success.*results\[5\]"):
        read(FORMAT, path)


@pytest.mark.parametrize(
    ("name", "n"), [("errors.json", 40), ("in_progress.jsonl", 160)]
)
def test_damaged_logs_are_read_or_refused(tmp_path, name, n):
    raw = (PROMPTFOO / name).read_bytes()
    counts = survive(FORMAT, tmp_path / name, raw, n=n, seed=3)
    assert counts["read"] > 10
    assert counts["refused"] > 5
