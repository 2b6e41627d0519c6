"""The summary of a step in GitHub Actions: Markdown added to a file."""

import json
import re

import pytest
from tests.cli.conftest import COMPARE, FEW, SPAM, commands, items, table
from tests.cli.gated import COMMANDS, EVERY, HERE, write_files, write_store
from tests.cli.toys import GOOD, toy

GITHUB = (*SPAM, "--github")


@pytest.fixture
def summary(folder, monkeypatch):
    """The file of the summary, which need not be there yet."""
    path = folder / "summary.md"
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(path))
    return path


def test_every_command_with_outputs_has_it():
    having = {
        option: {
            name
            for name, command in commands().items()
            if any(option in result.opts for result in command.params)
        }
        for option in ("--github", "--json")
    }
    # What the doctor says is no result: there is no answer to put into a summary.
    assert having["--github"] == having["--json"] - {"doctor"} == COMMANDS


@pytest.mark.parametrize("name", EVERY)
def test_every_command(folder, call, summary, name):
    write_files(folder)
    words = EVERY[name].words
    if name == "study show":
        write_store(call, folder, "study.db")
    ended = call(*words, "--github", "--fail-unless", EVERY[name].holds)
    assert ended.code == 0
    lines = summary.read_text(encoding="utf-8").splitlines()
    assert lines[0].startswith("### ")
    assert sum(line.startswith("**✓ The condition holds:** ") for line in lines) == 1
    assert any(re.fullmatch(r"\|(?: *:?-+:? *\|)+", line) for line in lines)
    assert "recipe" not in ended.err


def test_what_it_says(folder, call, summary):
    ended = call(*GITHUB, "--fail-unless", "P(better) > 0.9")
    assert ended.code == 0
    assert ended.out.startswith("≫ b is better than a")  # the terminal is as it was
    lines = summary.read_text(encoding="utf-8").splitlines()
    assert lines[0].startswith("### ≫ b is better than a on F1 (spam): 0.")
    assert lines[2] == "**✓ The condition holds:** P(better) > 0.9"
    assert lines[4].startswith("| metric | baseline |")
    assert lines[6].count("|") == lines[4].count("|")
    assert any("likelier " in line for line in lines[7:])


@pytest.mark.parametrize(
    ("words", "condition", "code", "message"),
    [
        (("--systems", "a,b"), "P(worse) > 0.9", 1, "✗ The condition does not hold"),
        (("--systems", "a,c"), "P(better) > 0.999", 3, "? No answer"),
    ],
)
def test_conditions_that_do_not_hold(
    folder, call, summary, words, condition, code, message
):
    ended = call(*GITHUB, *words, "--fail-unless", condition)
    assert ended.code == code
    assert f"\n**{message}" in summary.read_text(encoding="utf-8")


def test_findings(folder, call, summary):
    (folder / "few.csv").write_text(table(items(12)))
    words = ("compare", "few.csv", "--systems", "a,c", "--metric", "accuracy", *FEW)
    assert call(*words, "--github").code == 0
    assert re.search(r"^- LIK\d{3} ", summary.read_text(encoding="utf-8"), re.M)


def test_the_answer_is_written_once(folder, call, summary):
    for words in ((), ("--systems", "a,c"), ("--sensitivity",), ("--each-class",)):
        summary.unlink(missing_ok=True)
        few = COMPARE if words == ("--each-class",) else SPAM
        assert call(*few, *words, "--github").code == 0
        lines = summary.read_text(encoding="utf-8").splitlines()
        sentence = lines[0].removeprefix("### ").removeprefix("≫ ").removeprefix("? ")
        assert sum(sentence in line for line in lines) == 1, lines


def test_several_results_are_counted(folder, call, summary):
    words = ("--metric", "f1,recall,precision", "--fail-unless", "P(worse) > 0.9")
    call(*GITHUB, *words)
    lines = summary.read_text(encoding="utf-8").splitlines()
    assert lines[0] == "### 3 results: 3 ≫ better"
    unmet = [line for line in lines if line.startswith("- no, P(worse) is ")]
    assert sum(" (b is better than a on " in line for line in unmet) == 3
    assert sum(line.startswith("b is better than a on ") for line in lines) == 3


def test_results_without_verdicts_are_counted(folder, call, summary):
    words = ("estimate", "p.csv", "--systems", "a,b", "--metric", "accuracy", *FEW)
    assert call(*words, "--github").code == 0
    assert summary.read_text(encoding="utf-8").startswith("### 2 results\n\n")


def test_failed_folds_are_named_without_the_condition(folder, call, summary):
    toy(folder, systems={"good": GOOD, "bad": {"fail": "no luck"}})
    words = (
        "study",
        "run",
        "study.toml",
        *HERE,
        "--github",
        "--fail-unless",
        "P(better) > 0",
    )
    assert call(*words).code == 4
    text = summary.read_text(encoding="utf-8")
    assert "4 of 8 folds finished" in text
    assert "condition" not in text


# --- the file ----------------------------------------------------------------------


@pytest.mark.parametrize("before", [b"", b"# step", b"# step\n", "é≫\r\n".encode()])
def test_it_is_added_to_the_end(folder, call, summary, before):
    summary.write_bytes(before)
    assert call(*GITHUB).code == 0
    assert call(*GITHUB).code == 0
    content = summary.read_bytes()
    assert content.startswith(before)
    added = content[len(before) :].decode()
    assert re.match(r"\n\n### " if before else "### ", added)
    assert added.count("\n\n### ") == (2 if before else 1)
    assert added.endswith("\n")
    assert "\r" not in added


@pytest.mark.parametrize("value", [None, ""])
def test_the_variable_must_be_set(refused, monkeypatch, value):
    monkeypatch.delenv("GITHUB_STEP_SUMMARY", raising=False)
    if value is not None:
        monkeypatch.setenv("GITHUB_STEP_SUMMARY", value)
    message = refused(*GITHUB)
    assert "GITHUB_STEP_SUMMARY is not set" in message
    assert "Hint: A step of GitHub Actions sets it" in message


@pytest.mark.parametrize(
    ("name", "message"),
    [
        (".", "must be a file to write; it is a folder"),
        ("no/summary.md", "must be in a folder that exists"),
        ("p.csv", "must not be an input and an output"),
        ("o.json", "must have a file of its own"),
        ("a\x1b[31m/s.md", r"a\x1b[31m"),
    ],
)
def test_files_that_cannot_be_written(folder, refused, monkeypatch, name, message):
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", name)
    assert message in refused(*GITHUB, "--json", "o.json")


def test_without_the_option_the_variable_is_nothing(folder, call, summary):
    assert call(*SPAM).code == 0
    assert not summary.exists()


def test_nothing_is_added_where_something_is_wrong(summary, refused):
    refused(*GITHUB, "--fail-unless", "foo > 1")
    refused(*GITHUB, "--method", "mcnemar", "--plot", "o.png")
    assert not summary.exists()


def sized(path):
    return path.stat().st_size


def test_a_full_summary_fails_nothing(folder, call, summary):
    summary.write_bytes(b"x" * 1024 * 1024)
    ended = call(*GITHUB, "--fail-unless", "P(better) > 0.9")
    assert ended.code == 0
    assert (
        ended.err
        == "likelier: the summary of the step is full; nothing was added to it.\n"
    )
    assert sized(summary) == 1024 * 1024


def test_json_beside_it_is_as_ever(folder, call, summary):
    ended = call(*GITHUB, "--json", "-")
    assert json.loads(ended.out)["kind"] == "comparison"
    assert summary.exists()
