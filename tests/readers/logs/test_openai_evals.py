"""Made by hand from the layout that the recorder of OpenAI Evals writes."""

import json
from collections import defaultdict

import numpy as np
import pytest
from tests.readers.logs.reading import DATA, check, read, survive

from likelier.errors import InputError
from likelier.readers.logs.openai_evals import FORMAT

PATH = DATA / "openai_evals" / "2611181130TOY_toy_sums.jsonl"


def events(kind):
    records = [json.loads(line) for line in PATH.read_text().splitlines()]
    return [r for r in records if r.get("type") == kind]


def by_item(log, metric):
    values = defaultdict(list)
    for item, value in zip(log.items, log.scores[metric], strict=True):
        if not np.isnan(value):
            values[item].append(value)
    return values


def test_match_events_are_repeats():
    [log] = read(FORMAT, PATH)
    check(log)
    expected = defaultdict(list)
    for event in events("match"):
        expected[event["sample_id"]].append(event["data"]["correct"])
    assert by_item(log, "correct") == expected
    assert max(log.repeats) == 2
    assert any("repeats" in note for note in log.notes)
    mean = np.mean([e["data"]["correct"] for e in events("match")])
    assert np.nanmean(log.scores["correct"]) == pytest.approx(mean)


def test_numbers_of_metrics_events():
    [log] = read(FORMAT, PATH)
    expected = {e["sample_id"]: [e["data"]["f1_score"]] for e in events("metrics")}
    assert by_item(log, "f1_score") == expected
    assert log.unusable == {"choice": "its values are not single numbers but str"}


def test_nothing_is_lost_or_of_another_run(tmp_path):
    first, *lines = PATH.read_text().splitlines()
    match = events("match")[0]
    for line, message in [
        (first.replace("2611181130TOY", "other"), "of one run; got 'other'"),
        (json.dumps(match | {"run_id": "other"}), "of one run; got 'other'"),
        (json.dumps(match | {"sample_id": None}), "must have a sample_id"),
        (json.dumps(match | {"type": None}), "must have a type"),
    ]:
        path = tmp_path / "log.jsonl"
        path.write_text("\n".join([first, line, *lines]))
        with pytest.raises(InputError, match=rf"log\.jsonl:2: .*{message}"):
            read(FORMAT, path)


def test_samples_without_score_are_missing():
    [log] = read(FORMAT, PATH)
    reasons = {log.items[row]: reason for row, reason in log.errors.items()}
    assert reasons == {
        "sums.dev.4": "no answer",
        "sums.dev.6": "the log has no score for it",
    }


def test_facts_of_the_run():
    [log] = read(FORMAT, PATH)
    assert (log.system, log.task, log.run) == (
        "toy/model",
        "sums.dev.v0",
        "2611181130TOY",
    )
    assert log.headline == "correct"
    assert set(log.conditions) == {"split", "seed", "eval settings"}
    first = log.look_up(log.text, [0])[0]
    assert first == events("sampling")[0]["data"]["prompt"]
    assert set(log.hashes) == {"item", "prompt"}


def test_without_final_report(tmp_path):
    path = tmp_path / "log.jsonl"
    path.write_text("".join(PATH.read_text().splitlines(keepends=True)[:-1]))
    [log] = read(FORMAT, path)
    assert "no final report" in log.notes[0]
    assert log.headline == "correct"


def test_damaged_logs_are_read_or_refused(tmp_path):
    path = tmp_path / "log.jsonl"
    counts = survive(FORMAT, path, PATH.read_bytes(), n=300, seed=3)
    assert counts["read"] > 50 < counts["refused"]
