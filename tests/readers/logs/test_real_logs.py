"""Logs that the tools wrote: means of items are what the tools computed of them."""

import json
import math
from shutil import copyfile

import numpy as np
import pytest
from tests.readers.logs.reading import DATA, check, read

from likelier.readers.logs import (
    deepeval,
    evalplus,
    every_eval_ever,
    lighteval,
    openai_evals,
    swe_bench,
)


def only(pattern):
    [path] = DATA.glob(pattern)
    return path


def test_deepeval_4_3():
    path = only("deepeval/run-b/*.json")
    [log] = read(deepeval.FORMAT, path)
    check(log)
    for metric in json.loads(path.read_text())["metricsScores"]:
        values = log.scores[metric["metric"]]
        assert np.nansum(values) == sum(metric["scores"])
        assert np.isnan(values).sum() == metric["errors"]
    assert log.system == "toy-b"


def test_evalplus_0_3():
    path = only("evalplus/toy-b_eval_results.json")
    [log] = read(evalplus.FORMAT, path)
    check(log)
    both = [
        solution["base_status"] == solution["plus_status"] == "pass"
        for solutions in json.loads(path.read_text())["eval"].values()
        for solution in solutions
    ]
    assert log.scores["plus"].tolist() == both
    assert max(log.repeats) == 3


def test_openai_evals_3():
    path = only("openai_evals/toy-b.jsonl")
    [log] = read(openai_evals.FORMAT, path)
    check(log)
    records = [json.loads(line) for line in path.read_text().splitlines()]
    [report] = [r["final_report"] for r in records if "final_report" in r]
    assert np.nanmean(log.scores["correct"]) == pytest.approx(report["accuracy"])
    failed = {r["sample_id"] for r in records if r.get("type") == "error"}
    assert {log.items[row] for row in log.errors} == failed != set()


def test_swe_bench_4():
    path = only("swe_bench/toy-b.toyrun.json")
    [log] = read(swe_bench.FORMAT, path)
    check(log)
    report = json.loads(path.read_text())
    assert log.scores["resolved"].sum() == report["resolved_instances"]
    assert len(log.items) == report["submitted_instances"]


def test_lighteval_0_13(tmp_path):
    date = "2026-11-18T12-07-54.087174"
    results = tmp_path / f"results_{date}.json"
    path = tmp_path / f"details_gen_sums|2_{date}.parquet"
    copyfile(only("lighteval/toy-a_results.json"), results)
    copyfile(only("lighteval/gen_sums.parquet"), path)
    [log] = read(lighteval.FORMAT, path)
    check(log)
    expected = json.loads(results.read_text())["results"]["gen_sums|2"]
    for metric in ("em", "extractive_match"):
        assert log.scores[metric].mean() == pytest.approx(expected[metric])
    assert (log.system, log.task) == ("toylab/toy-a", "gen_sums|2")


def test_every_eval_ever_perplexity_is_a_formula_of_logarithms():
    path = only("every_eval_ever/toy_last/*_samples.jsonl")
    [log] = read(every_eval_ever.FORMAT, path)
    check(log)
    content = json.loads(only("every_eval_ever/toy_last/*.json").read_text())
    scores = {
        result["evaluation_result_id"]: result["score_details"]["score"]
        for result in content["evaluation_results"]
    }
    assert log.formulas == {"perplexity": "perplexity"}
    perplexity = math.exp(-log.scores["perplexity"].mean())
    assert perplexity == pytest.approx(scores["perplexity"], rel=1e-3)
    assert log.scores["acc"].mean() == scores["acc"]
    assert log.higher_is_better == {"perplexity": False, "acc": True}
    assert log.notes == ()


def test_every_eval_ever_zeros_in_place_of_values_are_unusable():
    path = only("every_eval_ever/toy_ppl/*_samples.jsonl")
    [log] = read(every_eval_ever.FORMAT, path)
    assert log.scores == {}
    assert "which of 3 results" in log.unusable["score"]
