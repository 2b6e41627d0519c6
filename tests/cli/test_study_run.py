"""`likelier study run`: what it prints, where, and with which exit code."""

import json
import subprocess
import sys
import time
from itertools import count
from pathlib import Path

import pytest
from tests.cli.toys import FOLDS, GOOD, POOR, SPLIT, toy

SCRIPT = Path(sys.executable).with_name("likelier")
HERE = ("--engine", "threads", "--workers", "1")


@pytest.fixture
def ran(tmp_path, monkeypatch, call):
    """Run a toy study in this process, in its folder."""
    monkeypatch.chdir(tmp_path)

    def ran(*words, **settings):
        toy(tmp_path, **settings)
        return call("study", "run", "study.toml", *HERE, *words)

    return ran


# --- the screen ---------------------------------------------------------------


def test_answer_first_then_the_folds(ran, tmp_path):
    ended = ran()
    assert ended.code == 0
    lines = ended.out.splitlines()
    assert lines[0].startswith(
        "≳ good is more probably better than poor on F1 (spam): "
    )
    assert "recipe: likelier " in ended.out
    prefix = "toy: 2x2 blocked stratified seed 0, 1 data set, 8 of 8 folds finished"
    assert any(line.startswith(prefix) for line in lines)
    rows = [line.split() for line in lines[-2:]]
    assert [row[:5] for row in rows] == [
        ["mails", "poor", "4", "of", "4"],
        ["mails", "good", "4", "of", "4"],
    ]
    assert (tmp_path / "study.db").is_file()
    assert sorted(p.name for p in tmp_path.iterdir() if p.is_file()) == [
        "study.db",
        "study.toml",
        "toy.py",
    ]


def test_the_same_is_printed_again_without_running(ran, call):
    first = ran()
    again = call("study", "run", "study.toml", *HERE)
    assert again.code == 0
    assert again.out == first.out
    assert again.err == "toy: 8 of 8 folds are there already, nothing to run\n"
    assert call("study", "show", "study.db").out == first.out


def test_the_clock_may_go_back(ran, call, monkeypatch):
    first = ran()
    Path("study.db").unlink()
    hours = count(2e9, -3600)
    monkeypatch.setattr(time, "time", lambda: next(hours))
    assert ran().out == first.out
    assert call("study", "run", "study.toml", *HERE).out == first.out


def test_several_metrics_and_systems(ran):
    systems = {"poor": POOR, "good": GOOD, "fair": {"limit": 0.6}}
    ended = ran(systems=systems, metrics=["accuracy", "f1"])
    rows = [line.split()[0] for line in ended.out.splitlines()[1:5]]
    assert rows == ["accuracy", "accuracy", "F1", "F1"]


def test_all_pairs_of_folds(ran):
    systems = {"poor": POOR, "good": GOOD, "fair": {"limit": 0.6}}
    ended = ran(systems=systems, design=FOLDS)
    assert ended.out.startswith("F1 (spam): poor <")
    assert "toy: 4-fold stratified seed 0, 1 data set, 12 of 12 folds" in ended.out


def test_several_data_sets(ran):
    ended = ran(data=("one", "two", "three"), design=SPLIT)
    assert "signed-rank" in ended.out
    assert "toy: train-dev-test 0.5 0 0.5 stratified seed 0, 3 data sets" in ended.out


def test_one_system_has_folds_but_no_answer(ran):
    ended = ran(systems={"good": GOOD})
    assert ended.code == 0
    first, *_ = ended.out.splitlines()
    prefix = "toy: 2x2 blocked stratified seed 0, 1 data set, "
    assert first.startswith(f"{prefix}4 of 4 folds finished")


# --- files and other forms ----------------------------------------------------


def test_json_of_a_run_is_that_of_show(ran, call):
    ended = ran("--json", "-")
    document = json.loads(ended.out)
    assert (document["schema"], document["kind"]) == (2, "study")
    assert call("study", "show", "study.db", "--json", "-").out == ended.out


def test_every_form(ran, tmp_path):
    ended = ran("--json", "o.json", "--html", "o.html", "--plot", "o.png")
    assert ended.code == 0
    assert json.loads((tmp_path / "o.json").read_text())["finished"] == 8
    assert (tmp_path / "o.png").read_bytes().startswith(b"\x89PNG")
    page = (tmp_path / "o.html").read_text(encoding="utf-8")
    assert "good is more probably better than poor" in page
    assert '<section id="density">' in page


def test_markdown_and_latex(ran):
    assert "| mails | poor | 4 of 4 |" in ran("--markdown").out
    ended = ran("--latex")
    assert ended.out.count(r"\begin{tabular}") == 2
    assert "mails & poor & 4 of 4 &" in ended.out


def test_no_output_goes_over_what_the_run_needs(ran, tmp_path):
    kept = ran()
    before = (tmp_path / "study.db").read_bytes()
    for words in (["--json", "study.toml"], ["--html", "study.db"]):
        ended = ran(*words)
        assert ended.code == 2, words
        assert "must not be an input and an output" in ended.err
    assert (tmp_path / "study.db").read_bytes() == before
    assert kept.code == 0


# --- settings of the run ------------------------------------------------------


def test_store(ran, tmp_path):
    assert ran("--store", "other.db").code == 0
    assert (tmp_path / "other.db").is_file()
    assert not (tmp_path / "study.db").exists()


def test_store_in_the_study(ran, tmp_path):
    (tmp_path / "kept").mkdir()
    assert ran(store="kept/here.db").code == 0
    assert (tmp_path / "kept" / "here.db").is_file()
    assert not (tmp_path / "study.db").exists()


def test_let(tmp_path, monkeypatch, call):
    path = toy(tmp_path)
    monkeypatch.chdir(tmp_path)
    text = path.read_text().replace("[data.", '[let]\nhow = "toy"\n[data.', 1)
    path.write_text(text.replace('"toy:mails"', '"${how}:mails"'))
    assert call("study", "run", "study.toml", *HERE).code == 0
    ended = call("study", "run", "study.toml", *HERE, "--let", "how=nothing")
    assert ended.code == 2
    assert "nothing:mails" in ended.err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--let", "n"), "let must be NAME=VALUE; got 'n'."),
        (("--let", "=3"), "let must be NAME=VALUE"),
        (("--let", "typo=3"), "let must name a ${name} of study.toml; got 'typo'."),
        (("--workers", "0"), "workers must be at least 1; got 0."),
        (("--engine", "cloud"), "engine must be processes, threads"),
        (("--plot", "x.gif"), "plot must end in"),
        (("--json", "-", "--markdown"), "Only one of"),
        (("--html", "no/such/place.html"), "no/such"),
    ],
    ids=lambda value: value if isinstance(value, str) else " ".join(value),
)
def test_wrong_settings_run_nothing(folder, refused, words, message):
    toy(folder)
    assert message in refused("study", "run", "study.toml", *words)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("rope = ", "must be TOML"),
        ("[design]\nname = 'mx2'", "at least one table [data.NAME]"),
        ("rops = 0.1", "Did you mean rope"),
    ],
    ids=["no TOML", "no data", "unknown key"],
)
def test_wrong_studies_run_nothing(folder, refused, text, message):
    (folder / "study.toml").write_text(text)
    assert message in refused("study", "run", "study.toml")


def test_a_missing_study(refused):
    assert "nowhere.toml must be a file" in refused("study", "run", "nowhere.toml")


# --- exit codes ---------------------------------------------------------------


def test_conditions(ran, call):
    assert ran("--fail-unless", "P(better) > 0.9").code == 0
    ended = ran("--fail-unless", "P(worse) > 0.9")
    assert ended.code == 1
    assert "likelier: P(worse) > 0.9: no, P(worse) is" in ended.err
    assert " (good is" in ended.err
    assert ran("--fail-unless", "P(beter) > 0.9").code == 2


def test_a_condition_that_is_unclear(ran):
    near = {"one": {"limit": 0.5}, "two": {"limit": 0.51}}
    ended = ran("--fail-unless", "P(better) > 0.9", systems=near, design=FOLDS)
    assert ended.code == 3
    assert "the evidence decides neither way" in ended.err


FAILING = {"good": GOOD, "bad": {"fail": "no [red]luck\x1b[31m\nat all"}}


def test_failed_folds(ran):
    ended = ran(systems=FAILING)
    assert ended.code == 4
    prefix = "toy: 2x2 blocked stratified seed 0, 1 data set, "
    assert ended.out.startswith(f"{prefix}4 of 8 folds finished, 4 failed")
    error = r"ValueError: no [red]luck\x1b[31m\nat all"
    assert f"failed: bad on mails, repetition 1, fold 1: {error}\n" in ended.out
    assert f"bad on mails, repetition 2, fold 2: failed: {error}" in ended.err
    last = ended.err.splitlines()[-1]
    assert last.startswith("likelier: 4 folds failed; the next run tries again.")
    assert "likelier study show study.db --errors" in last
    assert "\x1b" not in ended.out + ended.err


def test_failed_folds_are_tried_again(ran, call):
    ran(systems=FAILING)
    again = call("study", "run", "study.toml", *HERE)
    assert again.code == 4
    first = again.err.splitlines()[0]
    assert first == "toy: 4 of 8 folds are there already, 4 to run, 1 at a time"


@pytest.mark.parametrize(
    "words", [("--fail-unless", "P(better) > 0.9"), ("--plot", "o.png")]
)
def test_failed_folds_outweigh_what_needs_an_answer(ran, words):
    """Finished folds are printed all the same, and the code is that of failures."""
    ended = ran(*words, systems=FAILING)
    assert ended.code == 4
    assert "4 of 8 folds finished, 4 failed" in ended.out


# --- what systems print -------------------------------------------------------

NOISY = {"poor": POOR | {"noise": True}, "good": GOOD | {"noise": True}}


def test_what_systems_print_is_no_result_whatever_the_engine(tmp_path):
    outputs = []
    for engine in ("processes", "threads"):
        folder = tmp_path / engine
        folder.mkdir()
        toy(folder, systems=NOISY)
        words = ["study", "run", "study.toml", "--engine", engine, "--workers", "2"]
        done = subprocess.run(
            [SCRIPT, *words, "--json", "-"],
            cwd=folder,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0
        assert json.loads(done.stdout)["finished"] == 8
        assert done.stderr.count("noise of Python") == 8
        assert done.stderr.count("noise of C") == 8
        outputs.append(done.stdout)
    assert outputs[0] == outputs[1]
