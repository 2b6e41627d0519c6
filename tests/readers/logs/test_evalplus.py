"""Made by hand from the layout that EvalPlus writes, and the one before 0.2."""

import json

import numpy as np
from tests.readers.logs.reading import DATA, check, read, survive

from likelier.readers.logs.evalplus import FORMAT

NEW = DATA / "evalplus" / "toy_temp_0.8_eval_results.json"
OLD = DATA / "evalplus" / "toy_old" / "eval_results.json"


def test_solutions_are_repeats():
    [log] = read(FORMAT, NEW)
    check(log)
    content = json.loads(NEW.read_text())
    rows = [
        (problem, i, s["base_status"], s["plus_status"], s["solution"])
        for problem, solutions in content["eval"].items()
        for i, s in enumerate(solutions, 1)
    ]
    assert list(zip(log.items, log.repeats, strict=True)) == [r[:2] for r in rows]
    assert log.scores["base"].tolist() == [r[2] == "pass" for r in rows]
    assert log.scores["plus"].tolist() == [r[2] == r[3] == "pass" for r in rows]
    # Otherwise the rule that plus needs base is not tested.
    assert any(r[2] != "pass" == r[3] for r in rows)
    assert log.look_up("solution", None) == [r[4] for r in rows]
    assert (log.system, log.task, log.headline) == ("toy_temp_0.8", "HumanEval", "plus")
    assert log.conditions == {"dataset": content["hash"]}
    assert log.errors == {}


def test_layout_before_0_2():
    [log] = read(FORMAT, OLD)
    check(log)
    problems = json.loads(OLD.read_text())["eval"].values()
    base = [s[0] == "success" for p in problems for s in p["base"]]
    plus = [s[0] == "success" for p in problems for s in p["plus"]]
    assert log.scores["base"].tolist() == base
    assert log.scores["plus"].tolist() == list(np.array(base) & plus)
    assert log.system == "toy_old"


def test_base_only(tmp_path):
    content = json.loads(NEW.read_text())
    for solutions in content["eval"].values():
        for solution in solutions:
            solution["plus_status"] = None
    path = tmp_path / "toy.eval_results.json"
    path.write_text(json.dumps(content, indent=1))
    [log] = read(FORMAT, path)
    assert list(log.scores) == ["base"]
    assert (log.system, log.headline) == ("toy", "base")


def test_each_collection_is_a_task(tmp_path):
    content = json.loads(NEW.read_text())
    content["eval"]["Mbpp/2"] = []
    path = tmp_path / "toy.eval_results.json"
    path.write_text(json.dumps(content))
    logs = read(FORMAT, path)
    assert [log.task for log in logs] == ["HumanEval", "Mbpp"]
    assert logs[1].errors == {0: "it has no solution"}


def test_damaged_results_are_read_or_refused(tmp_path):
    for seed, source in enumerate((NEW, OLD)):
        path = tmp_path / "x_eval_results.json"
        counts = survive(FORMAT, path, source.read_bytes(), n=200, seed=seed)
        assert counts["read"] > 40 < counts["refused"]
