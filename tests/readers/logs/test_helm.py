"""Logs of HELM, compared with a plain computation from their JSON."""

import json
import shutil
from collections import Counter
from itertools import product

import numpy as np
import pytest
from tests.readers.logs.mutations import mutants
from tests.readers.logs.reading import DATA, attempt, check, read, survive

from likelier.errors import InputError
from likelier.readers.file import find_file
from likelier.readers.logs.helm import FORMAT

HELM = DATA / "helm"
STATS = "per_instance_stats.json"
METRICS = ["exact_match", "f1_score", "prefix_exact_match"]


def plain_values(path, metric, *, changed):
    """Return mean by (item, trial) with a plain loop, of changed items or others."""
    values = {}
    for entry in json.loads(path.read_bytes()):
        item = entry["instance_id"]
        if ("perturbation" in entry) != changed:
            continue
        for stat in entry["stats"]:
            if stat["name"]["name"] == metric:
                value = stat["sum"] / stat["count"] if stat["count"] else np.nan
                values[item, entry["train_trial_index"] + 1] = value
    return values


@pytest.mark.parametrize("system", ["toy-a", "toy-b"])
def test_values_are_those_of_the_statistics(system):
    path = HELM / system / STATS
    logs = read(FORMAT, path)
    assert len(logs) == 2
    for log, changed, metric in product(logs, (False, True), METRICS):
        if log.task.endswith("perturbation=typos") != changed:
            continue
        check(log)
        assert sorted(log.scores) == METRICS
        expected = plain_values(path, metric, changed=changed)
        repeats = log.repeats or [1] * len(log.items)
        keys = list(zip(log.items, repeats, strict=True))
        assert set(keys) >= set(expected)
        column = [expected.get(key, np.nan) for key in keys]
        np.testing.assert_array_equal(log.scores[metric], column)


def test_facts_of_a_run():
    log, changed = read(FORMAT, HELM / "toy-a" / STATS)
    assert (log.format, log.system) == ("HELM", "toylab/toy-a")
    assert log.task == "toy_sums:split=test"
    assert set(log.repeats) == {1, 2}
    assert changed.task == "toy_sums:split=test,perturbation=typos"
    assert {*changed.items} <= {*log.items}
    assert log.conditions["adaptation method"] == "generation"
    assert log.conditions["few-shot examples"] == "0"
    assert log.higher_is_better == {}
    assert log.headline is None


def test_what_was_asked_comes_from_the_scenario_state():
    log, _ = read(FORMAT, HELM / "toy-a" / STATS)
    state = json.loads((HELM / "toy-a" / "scenario_state.json").read_bytes())
    instance = state["request_states"][0]["instance"]
    row = log.items.index(instance["id"])
    assert log.look_up("input", [row]) == [instance["input"]["text"]]
    assert log.text == "input"
    assert set(log.hashes) == {"item", "prompt"}
    hashes = dict(zip(log.items, log.hashes["item"], strict=True))
    assert len({*hashes.values()}) == len(hashes)


def test_statistics_alone(tmp_path):
    path = tmp_path / "mmlu:subject=law,model=org_m,method=joint" / STATS
    path.parent.mkdir()
    shutil.copy(HELM / "toy-a" / STATS, path)
    log, _ = read(FORMAT, path)
    assert log.system == "org_m"
    assert log.task == "mmlu:subject=law,method=joint,split=test"
    assert (log.hashes, log.fields, log.look_up) == ({}, (), None)


def stat(name, split="test", **values):
    values = {"count": 1, "sum": 1, "mean": 1.0} | values
    return {"name": {"name": name, "split": split}, **values}


def entry(item, *stats, **more):
    return {"instance_id": item, "train_trial_index": 0, "stats": [*stats], **more}


def write(path, entries):
    path.write_text(json.dumps(entries))
    return path


def test_entries_of_one_instance_are_one_row(tmp_path):
    entries = [
        entry("id1", stat("exact_match"), stat("num_bytes"), stat("inference_runtime")),
        entry("id2", stat("exact_match", count=0, sum=0, mean=None)),
        entry("id1", stat("f1_score", sum=3, count=4, mean=None), stat("max_prob")),
        entry("id1", stat("f1_score"), perturbation={"name": "typos", "seed": 2}),
    ]
    log, changed = read(FORMAT, write(tmp_path / STATS, entries))
    assert (log.items, changed.items) == (["id1", "id2"], ["id1#2"])
    assert list(log.scores) == ["exact_match", "f1_score"]
    np.testing.assert_array_equal(log.scores["exact_match"], [1, np.nan])
    np.testing.assert_array_equal(log.scores["f1_score"], [0.75, np.nan])
    np.testing.assert_array_equal(changed.scores["f1_score"], [1])


def test_classes_of_metrics_that_disagree_are_not_chosen_from(tmp_path):
    entries = [entry("1", stat("em", count=1, mean=1), stat("f1", count=1, mean=1))]
    entries += [entry("1", stat("em", count=1, mean=0), stat("f1", count=1, mean=1))]
    [log] = read(FORMAT, write(tmp_path / STATS, entries))
    assert log.unusable == {"em": "it has two values of instance '1', 1 and 0"}
    assert log.scores["f1"].tolist() == [1]


def test_a_count_below_0_is_no_count(tmp_path):
    entries = [
        entry("1", stat("em", count=-2, sum=1)),
        entry("2", stat("em", count=1, mean=1)),
    ]
    [log] = read(FORMAT, write(tmp_path / STATS, entries))
    assert np.isnan(log.scores["em"]).tolist() == [True, False]


def test_each_split_is_a_task(tmp_path):
    entries = [entry("id1", stat("a")), entry("id2", stat("a", split="valid"))]
    logs = read(FORMAT, write(tmp_path / STATS, entries))
    assert [log.items for log in logs] == [["id1"], ["id2"]]
    assert [log.task.rpartition("split=")[2] for log in logs] == ["test", "valid"]


def test_failed_requests_are_missing(tmp_path):
    write(tmp_path / STATS, [entry("id1", stat("a")), entry("id2", stat("a"))])
    states = [
        {"instance": {"id": "id1"}, "result": {"success": False, "error": "down"}},
        {"instance": {"id": "id2"}, "result": {"success": True}},
    ]
    write(tmp_path / "scenario_state.json", {"request_states": states})
    [log] = read(FORMAT, tmp_path / STATS)
    assert log.errors == {0: "down"}
    np.testing.assert_array_equal(log.scores["a"], [np.nan, 1])


def test_tags_of_references_that_are_no_list(tmp_path):
    write(tmp_path / STATS, [entry("id1", stat("a"))])
    references = [
        {"output": {"text": "4"}, "tags": ["correct"]},
        {"output": {"text": "5"}, "tags": -1.5},
    ]
    states = [{"instance": {"id": "id1", "references": references}}]
    write(tmp_path / "scenario_state.json", {"request_states": states})
    [log] = read(FORMAT, tmp_path / STATS)
    assert log.look_up("target", None) == [["4"]]


def test_other_lists_are_not_logs_of_helm(tmp_path):
    path = tmp_path / "a.json"
    prediction = {"instance_id": "id1", "train_trial_index": 0, "stats": {"em": 1}}
    for content in ([], [prediction], [stat("a")], entry("id1", stat("a"))):
        assert not FORMAT.sniff(find_file(write(path, content)))


def test_errors_name_the_record(tmp_path):
    path = write(tmp_path / STATS, [entry("id1", stat("a")), {"stats": []}])
    with pytest.raises(InputError, match=r"stats\.json: .*instance_id.*\[1\]"):
        read(FORMAT, path)
    write(path, [entry("id1", stat("a", mean="high"))])
    with pytest.raises(InputError, match=r"instance 'id1', trial 0: a score must be"):
        read(FORMAT, path)


def test_damaged_statistics_are_read_or_refused(tmp_path):
    raw = (HELM / "toy-a" / STATS).read_bytes()
    counts = survive(FORMAT, tmp_path / STATS, raw, n=120, seed=4)
    assert counts["read"] > 20
    assert counts["refused"] > 20


@pytest.mark.parametrize("name", ["run_spec.json", "scenario_state.json"])
def test_damaged_files_beside_are_read_or_refused(tmp_path, name):
    shutil.copytree(HELM / "toy-a", tmp_path, dirs_exist_ok=True)
    counts = Counter()
    for mutant in mutants((HELM / "toy-a" / name).read_bytes(), 60, seed=5):
        (tmp_path / name).write_bytes(mutant)
        counts[attempt(FORMAT, tmp_path / STATS, named=name)] += 1
    assert counts["read"] > 10
    assert counts["refused"] > 2
