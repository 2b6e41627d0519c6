"""Intervals in a copy of the aggregate document of Every Eval Ever."""

import json
from pathlib import Path

import pytest
from tests.cli.conftest import FEW

import likelier as lk

DATA = Path(__file__).parents[1] / "readers" / "logs" / "data"
[AGGREGATE] = (DATA / "every_eval_ever").glob("*.json")
SAMPLES = AGGREGATE.with_name(f"{AGGREGATE.stem}_samples.jsonl")


def test_each_result_has_the_interval_of_estimate(tmp_path, call):
    target = tmp_path / "with.json"
    before = AGGREGATE.read_bytes()
    ended = call("estimate", SAMPLES, "--eee", target, *FEW, "--json", "-")
    assert (ended.code, AGGREGATE.read_bytes()) == (0, before)
    shown = json.loads(ended.out)["estimates"]
    results = json.loads(target.read_text())["evaluation_results"]
    assert len(results) == len(shown) == 3
    for result, answer in zip(results, shown, strict=True):
        own = result["score_details"]["uncertainty"]
        interval = own["confidence_interval"]
        assert interval["lower"] == answer["interval"]["low"]
        assert interval["upper"] == answer["interval"]["high"]
        assert own["num_samples"] == answer["units"]
        assert interval["method"] == answer["recipe"]
    items = lk.read(SAMPLES, task="words")
    one = lk.estimate(items, metric="score", draws=1000, seed=0)
    assert shown[2]["interval"]["low"] == one.interval.low


@pytest.mark.parametrize(
    ("words", "text"),
    [
        ((SAMPLES, "--eee", AGGREGATE), "must not be an input and an output"),
        ((SAMPLES, "--eee", "x.json", "--metric", "score"), "--metric must come with"),
        ((DATA / "swe_bench", "--eee", "x.json"), "one aggregate document"),
    ],
)
def test_what_is_refused(words, text, call, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    ended = call("estimate", *words)
    assert ended.code == 2
    assert text in ended.err
    assert not list(tmp_path.iterdir())
