"""The gate of continuous integration: 0 holds, 1 does not, 3 unclear, 2 wrong."""

import json
import os
import subprocess
import sys

import pytest
from tests.cli.conftest import FEW, SPAM, commands, items, table
from tests.cli.gated import COMMANDS, EVERY, HERE, write_files, write_store
from tests.cli.toys import GOOD, toy

from likelier.cli import compare, study
from likelier.study import runner


@pytest.mark.parametrize(
    ("condition", "code"),
    [
        ("P(better) > 0.9", 0),
        ("P(better) > 90 %", 0),
        ("P(better) > 90%", 0),
        ("P(better) > 0.9 and P(worse) < 1%", 0),
        ("P(better) < 0.5 or hdi.low > 0", 0),
        ("difference.mean > 0", 0),
        ("P(worse) > 0.9", 1),
        ("P(better) > 0.9 and hdi.low > 0.9", 1),
        ("P(better) < 0.1 or hdi.low > 0.9", 1),
        ("P(better) > 1", 1),
        ("not (P(worse) > 0.9 or hdi.low < 0)", 0),
        ("0.9 < P(better)", 0),
        ("estimates.b.value > estimates.a.value", 0),
        ("estimates.a > estimates.b", 1),
        ("verdict == 'better'", 0),
        ("verdict == 'worse' or verdict == 'equivalent'", 1),
        ("difference > 0 and findings == 0", 0),
    ],
)
def test_clear_evidence(spam, condition, code):
    ended = spam("--fail-unless", condition)
    assert ended.code == code
    assert ended.out.startswith("≫ b is better than a")
    assert (condition in ended.err) == (code == 1)


def test_too_little_evidence(folder, call):
    (folder / "few.csv").write_text(table(items(12)))
    words = ("compare", "few.csv", "--systems", "a,c", "--metric", "accuracy", *FEW)
    assert call(*words, "--fail-unless", "P(better) > 0.99").code == 3
    assert call(*words, "--fail-unless", "P(better) < 0.99").code == 0


@pytest.mark.parametrize("condition", ["P(better) > 0.9", "P(worse) > 0.9"])
def test_a_blocked_answer_is_unclear_whatever_the_condition_says(spam, condition):
    ended = spam("--draws", "999", "--fail-unless", condition)
    assert ended.code == 3
    assert ended.out.startswith("? undecided, too few draws: ")
    assert "too few draws" in ended.err


def test_a_blocked_estimate_is_unclear(folder, call):
    words = ("estimate", "p.csv", "--systems", "a", "--seed", "0")
    holds = ("--fail-unless", "value > 0")
    drawn, exact = ((*words, "--metric", name) for name in ("mcc", "accuracy"))
    assert call(*drawn, "--draws", "999", *holds).code == 3
    assert call(*drawn, "--draws", "1000", *holds).code == 0
    assert call(*exact, "--draws", "999", *holds).code == 0, "it takes no draws"


def test_one_blocked_answer_of_several_is_unclear(spam):
    words = ("--systems", "a,b,c", "--draws", "999", "--fail-unless")
    assert spam(*words, "P(better) > 0").code == 3


def test_files_are_written_also_where_the_condition_does_not_hold(spam, folder):
    assert spam("--fail-unless", "P(worse) > 0.9", "--json", "o.json").code == 1
    assert json.loads((folder / "o.json").read_text())["kind"] == "comparison"


def test_p_values(spam):
    words = ("--method", "randomization", "--fail-unless")
    assert spam(*words, "p < 0.05").code == 0
    assert spam(*words, "p_value < 1e-9").code == 1


def test_every_result_must_hold(spam):
    words = ("--systems", "a,b,c", "--fail-unless")
    assert spam(*words, "P(better) > 0").code == 0
    assert spam(*words, "P(better) > 0.999").code == 3  # c leans, and fails alone
    assert spam("--systems", "b,a,c", "--fail-unless", "P(better) > 0.5").code == 1


# --- every command -----------------------------------------------------------------


@pytest.fixture
def every(folder, call):
    """Run a command on files of its own, and `study run` before `study show`."""
    write_files(folder)

    def every(*words):
        if words[:2] == ("study", "show"):
            write_store(call, folder, words[2])
        return call(*words)

    return every


def test_every_command_with_a_condition_is_tested():
    named = {
        name
        for name, command in commands().items()
        if any("--fail-unless" in option.opts for option in command.params)
    }
    assert named == COMMANDS


@pytest.mark.parametrize("name", EVERY)
def test_0_it_holds(every, name):
    ended = every(*EVERY[name].words, "--fail-unless", EVERY[name].holds)
    assert ended.code == 0
    assert "likelier: " not in ended.err


@pytest.mark.parametrize("name", EVERY)
def test_1_it_does_not_hold(every, name):
    condition = EVERY[name].fails
    ended = every(*EVERY[name].words, "--fail-unless", condition)
    assert ended.code == 1
    assert f"likelier: {condition}: no" in ended.err
    assert ended.out


@pytest.mark.parametrize("name", EVERY)
def test_2_it_is_wrong(every, name):
    for condition in ("P(better", "foo > 1", "P(beter) > 0.9"):
        ended = every(*EVERY[name].words, "--fail-unless", condition)
        assert (ended.code, ended.out) == (2, "")
        assert "likelier: A condition must " in ended.err


@pytest.mark.parametrize("name", [n for n in EVERY if EVERY[n].open_words is not None])
def test_3_the_evidence_is_too_little(every, name):
    command = EVERY[name]
    ended = every(*command.open_words, "--fail-unless", command.open_condition)
    assert ended.code == 3, ended
    assert "the evidence decides neither way" in ended.err
    assert every(*command.open_words, "--fail-unless", "P(better) <= 1").code == 0


@pytest.mark.parametrize("name", sorted({*EVERY} - {"study run", "study show", "plan"}))
def test_typing_errors_are_noticed_before_any_work(folder, call, name):
    command, _, *words = EVERY[name].words
    # The file is not there: whoever says so has begun to work.
    ended = call(command, "nowhere.csv", *words, "--fail-unless", "P(better >")
    assert (ended.code, ended.out) == (2, "")
    assert ended.err.startswith("likelier: A condition must read like ")


def test_typing_errors_are_noticed_before_a_study_runs(every, folder, monkeypatch):
    monkeypatch.setattr(runner, "run_folds", pytest.fail)
    ended = every("study", "run", "study.toml", "--fail-unless", "P(better) > 0,9")
    assert (ended.code, ended.out) == (2, "")
    assert "got ',' at column 14" in ended.err
    assert not (folder / "study.db").exists()


def test_4_folds_failed(folder, call):
    toy(folder, systems={"good": GOOD, "bad": {"fail": "no luck"}})
    words = ("study", "run", "study.toml", *HERE)
    assert call(*words, "--fail-unless", "P(better) > 0").code == 4


def test_130_a_run_was_interrupted(every, monkeypatch):
    def interrupted(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr(runner, "run_folds", interrupted)
    monkeypatch.setattr(study.signal, "signal", lambda *_: None)
    ended = every("study", "run", "study.toml", "--fail-unless", "P(better) > 0")
    assert (ended.code, ended.out) == (130, "")
    assert "what is finished is kept" in ended.err


# --- what means harm ---------------------------------------------------------------

HOSTILE = [
    "__import__('os').system('touch pwned')",
    "__import__('os').system('touch pwned') > 0",
    "open('pwned', 'w') > 0",
    'P(better) > 0.9 and exec(\'open("pwned", "w")\')',
    "difference.__class__ > 0",
    "(" * 500 + "P(better) > 0.9" + ")" * 500,
    "not " * 500 + "P(better) > 0.9",
    "x" * 20_000,
    "P(better) > 0.9 and " * 2_000,
    "P(better) > " + "[" * 5_000,
    "",
]


@pytest.mark.parametrize("condition", HOSTILE, ids=lambda text: text[:30] or "empty")
def test_hostile_conditions_are_refused(refused, folder, condition):
    assert "condition must" in refused(*SPAM, "--fail-unless", condition)
    assert not (folder / "pwned").exists()


def test_a_closed_pipe_is_no_verdict(folder):
    reading, writing = os.pipe()
    os.close(reading)
    code = "from likelier.cli import main; main()"
    words = (*SPAM, "--fail-unless", "P(better) > 0.9")
    done = subprocess.run(
        [sys.executable, "-c", code, *words],
        stdout=writing,
        stderr=subprocess.PIPE,
        check=False,
    )
    os.close(writing)
    assert (done.returncode, done.stderr) == (141, b"")


def test_errors_within_are_no_verdict(spam, monkeypatch):
    # Exit 1 says that the condition does not hold: nothing else may say so.
    def broken(*_, **__):
        message = "a bug of ours"
        raise RuntimeError(message)

    monkeypatch.setattr(compare, "compared", broken)
    try:
        code = spam("--fail-unless", "P(better) > 0.9").code
    except RuntimeError:
        code = 1  # as the interpreter ends after a traceback
    assert code not in (0, 1, 3)
