"""The summary of a step in GitHub Actions: Markdown added to a file."""

import json
import re

import pytest
from tests.cli.conftest import COMPARE, FEW, SPAM, items, table
from tests.cli.gated import EVERY, HERE, write_files
from tests.cli.toys import GOOD, toy
from tests.report.conftest import HOSTILE, compared, results
from typer.main import get_command

from likelier.cli import app
from likelier.errors import InputError
from likelier.report import github
from likelier.report.gate.judgement import Judgement

GITHUB = (*SPAM, "--github")


@pytest.fixture
def summary(folder, monkeypatch):
    """The file of the summary, which need not be there yet."""
    path = folder / "summary.md"
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(path))
    return path


def test_every_command_with_outputs_has_it():
    commands = get_command(app).commands
    having = {
        option: {
            name
            for name, command in commands.items()
            if any(option in found.opts for found in command.params)
        }
        for option in ("--github", "--json")
    }
    assert having["--github"] == having["--json"] == set(EVERY)


@pytest.mark.parametrize("name", EVERY)
def test_every_command(folder, call, summary, name):
    write_files(folder)
    words = EVERY[name].words
    if name == "show":
        call("run", "study.toml", *HERE)
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
    assert ended.out.startswith("b is better than a")  # the terminal is as it was
    lines = summary.read_text(encoding="utf-8").splitlines()
    assert lines[0].startswith("### ≫ b is better than a on F1 (spam): 0.")
    assert lines[2] == "**✓ The condition holds:** P(better) > 0.9"
    assert lines[4].startswith("| metric | baseline |")
    assert lines[6].count("|") == lines[4].count("|")
    assert any("likelier " in line for line in lines[7:])


@pytest.mark.parametrize(
    ("words", "condition", "code", "told"),
    [
        (("--systems", "a,b"), "P(worse) > 0.9", 1, "✗ The condition does not hold"),
        (("--systems", "a,c"), "P(better) > 0.999", 3, "? The evidence is too little"),
    ],
)
def test_conditions_that_do_not_hold(
    folder, call, summary, words, condition, code, told
):
    ended = call(*GITHUB, *words, "--fail-unless", condition)
    assert ended.code == code
    assert f"\n**{told}" in summary.read_text(encoding="utf-8")


def test_findings(folder, call, summary):
    (folder / "few.csv").write_text(table(items(12)))
    words = ("compare", "few.csv", "--systems", "a,c", "--metric", "accuracy", *FEW)
    assert call(*words, "--github").code == 0
    assert re.search(r"^- LIK\d{3} ", summary.read_text(encoding="utf-8"), re.M)


def test_the_answer_is_told_once(folder, call, summary):
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
    words = ("score", "p.csv", "--systems", "a,b", "--metric", "accuracy", *FEW)
    assert call(*words, "--github").code == 0
    assert summary.read_text(encoding="utf-8").startswith("### 2 results\n\n")


def test_long_lists_are_cut():
    judgement = Judgement("p > 1", (1,) * 25, ("said",) * 25, (", p is 1",) * 25)
    lines = github.step_summary([compared("a", "b")], judgement)
    assert lines.count("- no, p is 1 (said)") == 20
    assert lines.count("- and 5 more") == 1


def test_failed_folds_are_told_without_the_condition(folder, call, summary):
    toy(folder, systems={"good": GOOD, "bad": {"fail": "no luck"}})
    words = ("run", "study.toml", *HERE, "--github", "--fail-unless", "P(better) > 0")
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
    told = refused(*GITHUB)
    assert "GITHUB_STEP_SUMMARY is not set" in told
    assert "Hint: A step of GitHub Actions sets it" in told


@pytest.mark.parametrize(
    ("name", "told"),
    [
        (".", "must be a file to write; it is a folder"),
        ("no/summary.md", "must be in a folder that exists"),
        ("p.csv", "must not be an input and an output"),
        ("o.json", "must have a file of its own"),
        ("a\x1b[31m/s.md", r"a\x1b[31m"),
    ],
)
def test_files_that_cannot_be_written(folder, refused, monkeypatch, name, told):
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", name)
    assert told in refused(*GITHUB, "--json", "o.json")


def test_without_the_option_the_variable_is_nothing(folder, call, summary):
    assert call(*SPAM).code == 0
    assert not summary.exists()


def test_nothing_is_added_where_something_is_wrong(summary, refused):
    refused(*GITHUB, "--fail-unless", "foo > 1")
    refused(*GITHUB, "--method", "mcnemar", "--plot", "o.png")
    assert not summary.exists()


def test_a_full_disk_leaves_what_was_there(tmp_path):
    full = tmp_path / "full"
    full.symlink_to("/dev/full")
    with pytest.raises(InputError, match="must be writable; No space left"):
        github.append(full, ["### a"])


# --- room for 1 MiB ----------------------------------------------------------------


def sized(path):
    return path.stat().st_size


def made(rows, *, width=100):
    table = ["| x |", "| --- |", *(f"| {i:0{width}d} |" for i in range(rows))]
    return ["### head", "", *table, "", "- recipe", "- LIK101 finding"]


def test_rows_are_left_out_from_the_end(tmp_path):
    path = tmp_path / "s.md"
    lines = made(20_000)
    assert github.append(path, lines)
    assert sized(path) <= 1024 * 1024
    kept = path.read_text().splitlines()
    rows = [line for line in kept if line.startswith("| 0")]
    assert rows == lines[4 : 4 + len(rows)]
    assert kept[-4:-2] == ["- recipe", "- LIK101 finding"]
    left = 20_000 - len(rows)
    told = f"{left:,} rows left out: the summary of a step has room for 1 MiB."
    assert kept[-1] == told
    assert sized(path) > 1024 * 1024 - 500  # no more than needed


def test_what_fits_is_left_alone(tmp_path):
    exact = made(9_000)
    size = len("\n".join(exact)) + 1
    exact[-1] += "x" * (1024 * 1024 - size)
    assert github.append(tmp_path / "s.md", exact)
    assert sized(tmp_path / "s.md") == 1024 * 1024
    assert (tmp_path / "s.md").read_text().splitlines() == exact


def test_what_stands_there_already_counts(tmp_path):
    path = tmp_path / "s.md"
    path.write_bytes(b"x" * (1024 * 1024 - 1000))
    assert github.append(path, made(100))
    assert sized(path) <= 1024 * 1024
    assert "rows left out" in path.read_text()
    before = path.read_bytes() + b"x" * 900
    path.write_bytes(before)
    assert not github.append(path, made(100))
    assert path.read_bytes() == before


def test_other_lines_are_left_out_after_all_rows(tmp_path):
    lines = [*made(10), *(f"- {i:0100d}" for i in range(20_000))]
    kept = github.fitted(lines, 1024 * 1024)
    assert kept[:4] == ["### head", "", "| x |", "| --- |"]
    assert not any(line.startswith("| 0") for line in kept)
    told = re.fullmatch(r"10 rows and ([\d,]+) other lines left out: .*", kept[-1])
    assert len(kept) - 2 == len(lines) - 10 - int(told[1].replace(",", ""))


def test_a_full_summary_fails_nothing(folder, call, summary):
    summary.write_bytes(b"x" * 1024 * 1024)
    ended = call(*GITHUB, "--fail-unless", "P(better) > 0.9")
    assert ended.code == 0
    assert (
        ended.err
        == "likelier: the summary of the step is full; nothing was added to it.\n"
    )
    assert sized(summary) == 1024 * 1024


# --- text that means harm ----------------------------------------------------------


def assert_harmless(text):
    assert text.isprintable(), ascii(text)
    # Outside of escapes nothing of HTML, links, code, tags or mentions is left.
    bare = re.sub(r"\\.|<!-- -->", "", text)
    assert not re.search(r"[`\[]|<[a-z/!]|@\w", bare, re.I), bare


@pytest.mark.parametrize("text", HOSTILE, ids=lambda text: ascii(text)[1:25])
def test_hostile_names(text, tmp_path):
    one = compared(text, f"2{text}")
    condition = f"estimates.'{text}' > 1"
    judgement = Judgement(
        condition, (1, 3, 0), (one.sentence(),) * 3, (", p is 1",) * 3
    )
    for group in ((one,), *results(text)):
        lines = github.step_summary(group, judgement)
        assert not any("\n" in line for line in lines)
        head = [lines[0], lines[2], lines[4], lines[5]]
        starts = ("### ", "**✗ The", "- no, ", "- the evidence decides neither way, ")
        for line, start in zip(head, starts, strict=True):
            assert line.startswith(start)
            assert_harmless(line)
        assert github.append(tmp_path / "s.md", lines)
    assert (tmp_path / "s.md").read_bytes().decode("utf-8")


def test_json_beside_it_is_as_ever(folder, call, summary):
    ended = call(*GITHUB, "--json", "-")
    assert json.loads(ended.out)["kind"] == "comparison"
    assert summary.exists()
