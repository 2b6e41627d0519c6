"""What is stored is not run again; what fails stops nothing."""

import json
import os
import signal

import pytest
from tests.study.conftest import PATIENCE, until

from likelier.study import read_study, read_toml
from likelier.study.executors import DIED

FOLDS = 12


def changed(toy, change):
    """Write the study with a change, and give a way back."""
    kept = json.dumps(toy.study)
    change(toy.study)
    toy.write()

    def back():
        toy.study = json.loads(kept)
        toy.write()

    return back


def test_a_finished_study_is_not_run_again(done):
    toy = done
    before = toy.rows("*")
    heard = toy.run()
    assert (heard.report.total, heard.report.left, heard.workers) == (FOLDS, (), 0)
    assert heard.started == []
    assert toy.rows("*") == before
    assert set(toy.trained().values()) == {1}
    assert toy.trained().total() == len(before) == FOLDS


def test_the_watcher_hears_everything(toy):
    heard = toy.run()
    places = {planned.key for planned in read_toml(toy.toml).schedule.folds}
    assert heard.workers == 1
    assert set(heard.started) == set(heard.finished) == places
    assert len(heard.started) == len(heard.finished) == FOLDS
    assert heard.report.refused == {}


def test_systems_that_are_the_same_share_their_results(toy):
    toy.study["systems"]["b"] = toy.study["systems"]["a"]
    toy.write()
    heard = toy.run()
    assert len(set(heard.finished)) == len(heard.finished) == FOLDS
    assert toy.trained().total() == len(toy.rows()) == FOLDS // 2
    assert len(read_study(toy.db).folds) == FOLDS


def test_no_more_files_than_the_store_stay(toy):
    before = set(toy.folder.iterdir())
    toy.run()
    left = {path.name for path in set(toy.folder.iterdir()) - before}
    assert left - {"trained", "__pycache__"} == {"study.db"}


OTHER = {
    "seed": (lambda s: s.update(seed=2), "folds and seed"),
    "repetitions of mx2": (lambda s: s["design"].update(m=4), "folds"),
    "design": (lambda s: s.update(design={"name": "kfold", "k": 2}), "folds"),
    "data": (lambda s: s["data"]["mail"].update(salt=1), "data and folds"),
    "inputs alone": (lambda s: s["data"]["mail"].update(mark="!"), "data"),
}


@pytest.mark.parametrize("name", OTHER)
def test_what_results_depend_on_is_run_again(done, name):
    toy, (change, why) = done, OTHER[name]
    before = toy.rows("*")
    back = changed(toy, change)
    wanted = read_toml(toy.toml).schedule.folds
    heard = toy.run()
    assert len(heard.finished) == len(wanted) == heard.report.total
    count = len({p.key for p in wanted} & {tuple(row[1:5]) for row in before}) // 2
    expected = {f"{name} on mail: other {why}": count for name in ("a", "b")}
    assert heard.report.refused == expected
    # Nothing is lost, and going back costs nothing.
    assert set(before) < set(toy.rows("*"))
    back()
    heard = toy.run()
    assert heard.started == []


def test_more_repetitions_go_on_from_those_there(toy):
    toy.study["design"] = {"name": "repeated", "k": 3, "repeats": 2}
    toy.write()
    toy.run()
    toy.study["design"]["repeats"] = 3
    toy.write()
    heard = toy.run()
    assert {key.repetition for key in heard.started} == {3}
    assert heard.report.done == FOLDS
    assert heard.report.refused == {}


def test_one_more_system_and_one_more_data_set(done):
    toy = done
    toy.study["systems"]["c"] = toy.system("c", 0.5)
    toy.study["data"]["post"] = toy.study["data"]["mail"] | {"salt": 5}
    toy.write()
    heard = toy.run()
    assert heard.report.done == FOLDS
    assert len(heard.finished) == 3 * FOLDS - FOLDS
    assert heard.report.refused == {}


def reordered(study):
    study["systems"] = dict(reversed(study["systems"].items()))


SAME = {
    "metrics": lambda s: s.update(metrics=["macro_f1", "mcc"]),
    "positive": lambda s: s.update(positive="spam"),
    "rope": lambda s: s.update(rope=0.01),
    "mass": lambda s: s.update(mass=0.9),
    "name": lambda s: s.update(name="another"),
    "order of systems": reordered,
    "one system less": lambda s: s["systems"].pop("a"),
}


def test_what_results_do_not_depend_on_is_not(done):
    for name, change in SAME.items():
        back = changed(done, change)
        heard = done.run()
        assert heard.started == [], name
        assert heard.report.refused == {}, name
        back()
    assert done.trained().total() == FOLDS


def test_another_folder_and_path(toy):
    toy.study["data"]["mail"]["path"] = "here.txt"
    toy.write()
    (toy.folder / "here.txt").write_text("?")
    toy.run()
    moved = toy.folder.with_name("moved")
    toy.folder.rename(moved)
    toy.folder, toy.toml, toy.db = moved, moved / "study.toml", moved / "study.db"
    (moved / "here.txt").rename(moved / "there.txt")
    toy.study["data"]["mail"]["path"] = "there.txt"
    toy.write()
    assert toy.run().started == []


WHERE = {
    "own module": ("own.py", "Guess", "Guess, mail"),
    "imported module": ("helper.py", "return", "return 2 *"),
    "module imported later": ("far.py", "0.5", "0.6"),
    "settings": ("study.toml", "0.8", "0.9"),
}


def test_another_system(toy):
    helper = "def share():\n    from far import SHARE\n    return SHARE\n"
    (toy.folder / "far.py").write_text("SHARE = 0.5\n")
    (toy.folder / "helper.py").write_text(helper)
    own = f"import helper\nfrom {toy.module} import Guess\n"
    (toy.folder / "own.py").write_text(own)
    toy.study["systems"]["b"]["object"] = "own:Guess"
    toy.write()
    toy.run()
    before = toy.rows("*")
    for turn, (name, old, new) in enumerate(WHERE.values(), start=1):
        path = toy.folder / name
        text = path.read_text()
        path.write_text(text.replace(old, new))
        heard = toy.run()
        assert heard.report.refused == {"b on mail: other system": turn * FOLDS // 2}
        assert {key.system for key in heard.finished} == {"b"}
        assert len(heard.finished) == FOLDS // 2
        path.write_text(text)
    assert toy.run().started == []
    assert set(before) < set(toy.rows("*"))


CHANGED = """
from {module} import Guess as Usual

class Guess(Usual):
    def answer(self, label):
        return label
"""


@pytest.mark.parametrize("engine", ["threads", "processes"])
def test_code_that_changes_between_runs_of_one_process(toy, engine):
    # Results of old code under the fingerprint of new code would stay for ever.
    toy.study["systems"]["b"]["object"] = "changing:Guess"
    toy.write()
    code = toy.folder / "changing.py"
    code.write_text(f"from {toy.module} import Guess\n")
    toy.run(engine=engine)
    assert all(share < 1 for share in shares(toy, "b"))
    code.write_text(CHANGED.format(module=toy.module))
    toy.run(engine=engine)
    assert shares(toy, "b") == [1] * (FOLDS // 2)


def shares(toy, system):
    """Give the accuracy of each fold of a system."""
    rows = read_study(toy.db).folds
    return [row.values["accuracy"] for row in rows if row.system == system]


FAILURES = {
    "fit raises": "ValueError: no luck",
    "predict raises": "ValueError: no luck",
    "fit raises oddly": r"OddError: odd\x1b[31m \ud800",
    "fit exits": "SystemExit: 3",
    "fit exits well": "SystemExit: 0",
    "fit recurses": "RecursionError: maximum recursion depth exceeded",
    "predict few": "predict must give one prediction per item: 20; got 19.",
    "predict many": "predict must give one prediction per item: 20; got 21.",
    "predict none": "predict must be a list with one entry per item",
    "predict functions": "predict must hold strings or whole numbers",
}


def test_systems_that_fail_fail_their_folds(toy):
    folds = [planned.key for planned in read_toml(toy.toml).schedule.folds]
    ways = dict(zip(folds, FAILURES, strict=False))
    failing = {planned.fingerprint: planned.key for planned in toy.spoil_all(ways)}
    heard = toy.run()
    assert set(heard.failed) == set(ways)
    for key, way in ways.items():
        assert FAILURES[way] in heard.failed[key]
    assert len(heard.finished) == FOLDS - len(FAILURES)
    rows = toy.rows("key, error, details", table="failures")
    assert {failing[key]: error for key, error, _ in rows} == heard.failed
    assert all(len(details) >= len(error) for _, error, details in rows)
    # They are tried again, and nothing else is.
    heard = toy.run()
    assert set(heard.started) == set(heard.failed) == set(ways)
    toy.heal()
    heard = toy.run()
    assert set(heard.finished) == set(ways)
    assert toy.rows("key", table="failures") == []


TAG_FAILURES = {
    "predict short tags": "predict must give one tag per token",
    "predict text for tags": "predict must give a list of tags per item",
}


def test_tags_that_do_not_fit_their_tokens(toy):
    toy.study["data"] = {"mail": {"loader": f"{toy.module}:sentences"}}
    toy.study["systems"] = {"a": toy.system("a", 1, "Tagger")}
    toy.write()
    ways = {("mail", "a", 1, i): way for i, way in enumerate(TAG_FAILURES, start=1)}
    toy.spoil_all(ways)
    heard = toy.run()
    assert set(heard.failed) == set(ways)
    for key, way in ways.items():
        assert TAG_FAILURES[way] in heard.failed[key]


def test_failures_of_the_command_line(toy, call):
    failing = toy.spoil("fit raises", "mail", "b", 2, 1)
    ended = call("study", "run", toy.toml, "--workers", 1, "--engine", "threads")
    assert ended.code == 4
    assert "[1/12] " in ended.err
    assert "b on mail, repetition 2, fold 1: failed: ValueError: no luck" in ended.err
    assert "1 fold failed; the next run tries again." in ended.err
    assert "Traceback" not in ended.err
    output = call("study", "show", toy.db, "--errors")
    assert output.code == 0
    report, _, errors = output.out.partition(f"\n\n{failing.key}: ")
    assert "ValueError: no luck" in report
    assert "Traceback" in errors


@pytest.mark.parametrize(("how", "workers"), [("is killed", 2), ("leaves", 1)])
def test_a_worker_that_dies_fails_its_fold_alone(toy, how, workers):
    failing = toy.spoil(f"fit {how}", "mail", "b", 1, 2)
    heard = toy.run(engine="processes", workers=workers)
    assert heard.failed == {failing.key: DIED}
    assert len(heard.finished) == FOLDS - 1
    assert toy.rows("key, error", table="failures") == [(failing.fingerprint, DIED)]
    assert failing.fingerprint not in {row[0] for row in toy.rows("key")}
    toy.heal()
    heard = toy.run()
    assert heard.finished == [failing.key]
    assert toy.rows("key", table="failures") == []


def test_an_interrupt_ends_quietly_and_keeps_what_is_finished(toy):
    toy.spoil("fit waits", "mail", "a", 2, 1)
    running = toy.started("--workers", 2)
    until(lambda: toy.trained().total() == FOLDS and len(toy.rows()) == FOLDS - 1)
    os.killpg(running.pid, signal.SIGINT)
    out, err = running.communicate(timeout=PATIENCE)
    assert (running.returncode, out) == (130, ""), err
    assert "Traceback" not in err
    hint = "what is finished is kept, and the next run goes on there."
    assert f"likelier: stopped; {hint}" in err.splitlines()
    before = toy.rows("*")
    toy.go()
    heard = toy.run()
    assert (heard.report.done, len(heard.finished)) == (FOLDS - 1, 1)
    assert set(before) < set(toy.rows("*"))
