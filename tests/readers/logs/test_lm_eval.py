"""Logs of lm-evaluation-harness, against plain computations from their lines."""

import json
import shutil
from pathlib import Path

import numpy as np
import pytest
from tests.readers.logs.made import write_log
from tests.readers.logs.mutations import mutants

import likelier as lk
from likelier.readers.file import find_file
from likelier.readers.logs.lm_eval import is_lm_eval, read_lm_eval

DATA = Path(__file__).parent / "data" / "lm_eval"
SAMPLES = sorted(DATA.rglob("samples_*.jsonl"))


def records(path):
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_every_value_is_that_of_its_line():
    for path in SAMPLES:
        rows = records(path)
        logs = list(read_lm_eval(find_file(path)))
        assert {log.filter for log in logs} == {row["filter"] for row in rows}
        for log in logs:
            own = [row for row in rows if row["filter"] == log.filter]
            assert log.items == [str(row["doc_id"]) for row in own]
            assert {*log.metrics, *log.unusable} == {*own[0]["metrics"]}
            for name, scores in log.scores.items():
                np.testing.assert_array_equal(scores, [row[name] for row in own])
            for name, pairs in log.labels.items():
                expected = [tuple(map(str, row[name])) for row in own]
                assert list(zip(*pairs, strict=True)) == expected
            assert log.locate(0).startswith(str(path))


def test_results_give_names_directions_and_conditions():
    for path in SAMPLES:
        (results,) = path.parent.glob(f"results_{path.stem[-26:]}.json")
        content = json.loads(results.read_text())
        for log in read_lm_eval(find_file(path)):
            assert log.system == content["model_name"]
            assert log.version == content["lm_eval_version"]
            assert path.name == f"samples_{log.task}_{log.run}.jsonl"
            shots = content["n-shot"].get(log.task)
            assert log.conditions.get("few-shot examples", "None") == str(shots)
            for name, higher in content["higher_is_better"][log.task].items():
                assert log.higher_is_better[name] is higher


def test_groups_list_their_tasks_at_any_depth():
    log = next(read_lm_eval(find_file(sorted(DATA.glob("groups/*/samples*"))[0])))
    assert log.groups
    assert all(len(tasks) > 1 for tasks in log.groups.values())
    everything = set.union(*map(set, log.groups.values()))
    assert not everything & {*log.groups}


def test_samples_alone_are_read_under_the_name_of_their_folder(tmp_path):
    source = sorted(DATA.glob("base/*/samples_toy_mc*"))[0]
    copy = tmp_path / "mine" / "samples_toy_mc.jsonl"
    copy.parent.mkdir()
    shutil.copy(source, copy)
    (log,) = read_lm_eval(find_file(copy))
    assert (log.system, log.task, log.run) == ("mine", "toy_mc", None)
    assert not log.higher_is_better


def test_old_logs_name_no_metrics(tmp_path):
    source = sorted(DATA.glob("base/*/samples_toy_mc*"))[0]
    rows = records(source)
    for row in rows:
        for key in ("metrics", "filter", "doc_hash", "prompt_hash", "target_hash"):
            del row[key]
    path = tmp_path / "samples_toy_mc.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    (log,) = read_lm_eval(find_file(path))
    (new,) = read_lm_eval(find_file(source))
    assert {*log.metrics} == {*new.metrics}
    np.testing.assert_array_equal(log.scores["acc"], new.scores["acc"])
    assert log.hashes == {}


def test_nan_is_no_value(tmp_path):
    rows = records(sorted(DATA.glob("base/*/samples_toy_mc*"))[0])
    rows[3]["acc"] = float("nan")
    path = tmp_path / "samples_toy_mc.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    (log,) = read_lm_eval(find_file(path))
    assert np.flatnonzero(np.isnan(log.scores["acc"])).tolist() == [3]


def test_fields_are_looked_up():
    path = sorted(DATA.glob("base/*/samples_toy_mc*"))[0]
    (log,) = read_lm_eval(find_file(path))
    rows = records(path)
    assert log.look_up("doc.passage", None) == [r["doc"]["passage"] for r in rows]
    assert log.look_up(log.text, [5, 2]) == [rows[i]["doc"]["question"] for i in (5, 2)]
    assert "doc.passage" in log.fields


@pytest.mark.parametrize("name", ["toy_mc", "toy_gen", "toy_ppl"])
def test_damaged_logs_are_read_or_refused(tmp_path, name):
    source = sorted(DATA.glob(f"base/*/samples_{name}_*"))[0]
    path = tmp_path / "samples_t.jsonl"
    messages = []
    for raw in mutants(source.read_bytes(), 50, seed=len(name)):
        path.write_bytes(raw)
        try:
            file = find_file(path)
            if is_lm_eval(file):
                list(read_lm_eval(file))
        except lk.LikelierError as error:
            messages.append(str(error))
    assert 10 < len(messages) < 45
    assert all("samples_t.jsonl" in message for message in messages)


def test_damaged_results_are_read_or_refused(tmp_path):
    source = sorted(DATA.glob("groups/*/samples_toy_mc_b*"))[0]
    shutil.copytree(source.parent, tmp_path / "run")
    path = next((tmp_path / "run").glob("results_*"))
    messages = []
    for raw in mutants(path.read_bytes(), 50, seed=5):
        path.write_bytes(raw)
        try:
            list(read_lm_eval(find_file(tmp_path / "run" / source.name)))
        except lk.LikelierError as error:
            messages.append(str(error))
    assert len(messages) > 5
    assert all(path.name in message for message in messages)


@pytest.mark.parametrize("version", ["old_0.4.2", "old_0.4.4"])
def test_old_versions_have_a_block_of_rows_for_each_filter(version):
    for folder in sorted((DATA.parent / "lm_eval_old" / version).iterdir()):
        (path,) = folder.glob("*toy_gen*.jsonl")
        text = path.read_text()
        rows = json.loads(text) if text.startswith("[") else records(path)
        strict, flexible = read_lm_eval(find_file(path))
        assert (strict.task, strict.system) == ("toy_gen", folder.name)
        assert (strict.filter, flexible.filter) == ("strict-match", "flexible-extract")
        half = len(rows) // 2
        for log, own in ((strict, rows[:half]), (flexible, rows[half:])):
            assert log.items == [str(row["doc_id"]) for row in own]
            expected = [row["exact_match"] for row in own]
            np.testing.assert_array_equal(log.scores["exact_match"], expected)
            texts = log.look_up(log.text, None)
            assert texts == [row["doc"]["question"] for row in own]


@pytest.mark.parametrize("name", ["\0", 'the "best"', "a\\b", "doc_id", "filter"])
def test_metrics_of_any_name(tmp_path, name):
    path = write_log(tmp_path, {"1": {"acc": 1.0}, "2": {"acc": 0.0}})
    records = [json.loads(line) for line in path.read_text().splitlines()]
    records[1] |= {"metrics": ["acc", name]} | ({name: 0.5} if name != "filter" else {})
    records[1]["doc_id"] = "2" if name != "doc_id" else 2
    path.write_text("".join(f"{json.dumps(record)}\n" for record in records))
    (log,) = lk.read(path).logs
    assert log.scores["acc"].tolist() == [1, 0]
    assert name in (*log.scores, *log.unusable)


def test_a_filter_on_some_samples_only_is_refused(tmp_path):
    path = write_log(tmp_path, dict.fromkeys("abcd", 1.0))
    lines = path.read_text().splitlines()
    lines[2] = lines[2].replace('"filter": "none", ', "")
    path.write_text("\n".join(lines))
    with pytest.raises(lk.LikelierError, match=r"jsonl:3: .* filter, or none"):
        lk.read(path)


def test_groups_within_groups_end(tmp_path):
    layers = {f"g{i}": [f"g{i + 1}"] * 2 for i in range(40)} | {"g40": ["t", "g0"]}
    results = {"group_subtasks": layers | {"t": []}}
    write_log(tmp_path, {"1": 1.0}, results=results)
    (log,) = lk.read(tmp_path).logs
    assert log.groups["g0"] == log.groups["g40"] == ("t",)
