"""Made by hand from the public schema of Every Eval Ever (0.3)."""

import hashlib
import json
from collections import Counter, defaultdict

import numpy as np
import pytest
from tests.readers.logs.mutations import mutants
from tests.readers.logs.reading import DATA, attempt, check, read, survive

from likelier.errors import InputError
from likelier.readers.logs.every_eval_ever import FORMAT

[PATH] = (DATA / "every_eval_ever").glob("*_samples.jsonl")


def rows(task):
    every = [json.loads(line) for line in PATH.read_text().splitlines()]
    return [row for row in every if row["evaluation_name"] == task]


def test_a_log_for_each_evaluation():
    logs = read(FORMAT, PATH)
    for log in logs:
        check(log)
    assert [log.task for log in logs] == ["sums", "words"]
    assert {log.system for log in logs} == {"acme/toy"}
    assert logs[0].run == "sums/acme/toy/1763460000"


@pytest.mark.parametrize("metric", ["accuracy", "f1"])
def test_several_metrics_by_the_ids_of_results(metric):
    log = read(FORMAT, PATH)[0]
    metric = f"sums#{metric}"
    own = [r for r in rows("sums") if r["evaluation_result_id"] == metric]
    assert log.items == [r["sample_id"] for r in own]
    assert log.repeats is None
    expected = [np.nan if r["error"] else r["evaluation"]["score"] for r in own]
    np.testing.assert_array_equal(log.scores[metric], expected)
    correct = [np.nan if r["error"] else r["evaluation"]["is_correct"] for r in own]
    np.testing.assert_array_equal(log.scores[f"{metric} is_correct"], correct)
    assert log.higher_is_better[metric] is True
    assert log.errors == {5: "timeout"}
    assert log.hashes == {"item": [r["sample_hash"] for r in own]}
    assert log.look_up("metadata.topic", [1, 0]) == ["odd", "even"]
    assert log.text == "input.raw"


def test_one_metric_is_the_score_and_rows_of_a_sample_repeat():
    log = read(FORMAT, PATH)[1]
    expected, correct = defaultdict(list), defaultdict(list)
    for row in rows("words"):
        expected[row["sample_id"]].append(row["evaluation"]["score"])
        correct[row["sample_id"]].append(float(row["evaluation"]["is_correct"]))
    for i, (item, repeat) in enumerate(zip(log.items, log.repeats, strict=True)):
        assert log.scores["score"][i] == expected[item][repeat - 1]
        assert log.scores["is_correct"][i] == correct[item][repeat - 1]
    assert len(log.items) == 12
    assert log.headline == "score"
    assert log.higher_is_better == {"score": False}


def test_without_aggregate(tmp_path):
    path = tmp_path / "a_samples.jsonl"
    path.write_bytes(PATH.read_bytes())
    log = read(FORMAT, path)[0]
    names = ["sums#accuracy", "sums#f1"]
    assert list(log.scores) == [n + end for n in names for end in ("", " is_correct")]
    assert log.higher_is_better == {}


def test_the_sample_hash_is_computed_as_documented(tmp_path):
    row = rows("sums")[0]
    given = row.pop("sample_hash")
    path = tmp_path / "a_samples.jsonl"
    path.write_text(json.dumps(row))
    [log] = read(FORMAT, path)
    content = {"raw": row["input"]["raw"], "reference": row["input"]["reference"]}
    text = json.dumps(content, sort_keys=True, separators=(",", ":"))
    assert log.hashes["item"] == [hashlib.sha256(text.encode()).hexdigest()] == [given]


def test_a_wrong_line_is_named(tmp_path):
    lines = PATH.read_text().splitlines()
    lines[2] = lines[2].replace('"score": ', '"score": "much" + ')
    path = tmp_path / "a_samples.jsonl"
    path.write_text("\n".join(lines))
    with pytest.raises(InputError, match=r"a_samples\.jsonl:3: "):
        read(FORMAT, path)


def test_damaged_samples_are_read_or_refused(tmp_path):
    path = tmp_path / "a_samples.jsonl"
    counts = survive(FORMAT, path, PATH.read_bytes(), n=60, seed=5)
    assert counts["read"] > 15 < counts["refused"]


def test_a_damaged_aggregate_is_read_or_refused(tmp_path):
    path, counts = tmp_path / "a_samples.jsonl", Counter()
    aggregate = PATH.with_name(PATH.name.replace("_samples.jsonl", ".json"))
    path.write_bytes(PATH.read_bytes())
    for mutant in mutants(aggregate.read_bytes(), 60, 6):
        path.with_name("a.json").write_bytes(mutant)
        counts[attempt(FORMAT, path, named="a.json")] += 1
    assert counts["read"] > 10 < counts["refused"]


def test_an_empty_error_is_none(tmp_path):
    records = [json.loads(line) for line in PATH.read_text().splitlines()]
    lines = [json.dumps(r | {"error": r.get("error") or ""}) for r in records]
    for name, content in (("a", PATH.read_text()), ("b", "\n".join(lines))):
        (tmp_path / f"{name}_samples.jsonl").write_text(content)
    logs = (read(FORMAT, path) for path in sorted(tmp_path.iterdir()))
    for one, other in zip(*logs, strict=True):
        assert one.errors == other.errors
