"""No output takes the place of a file that the command reads, by whatever name."""

import os
import shutil
from pathlib import Path

import pytest
from tests.cli.toys import toy

RUNS = Path(__file__).parents[2] / "docs" / "runs" / "lm_eval"
REFUSED = "must not be an input and an output"

STUDY = """
rope = 0.02
positive = "spam"
metrics = ["f1"]
[design]
name = "mx2"
m = 2
[data.table]
reader = "table"
path = "mails.csv"
[data.own]
loader = "toy:load"
[systems.rule]
object = "toy:Rule"
[systems.command]
predict = ["{python}", "rule.py", "{test}", "{predictions}", "words.txt"]
"""
LOADER = """
import helper

def load():
    with open("hidden/more.txt") as file:
        file.read()
    return mails()
"""
COMMAND = """
import json, sys
rows = [json.loads(line) for line in open(sys.argv[1])]
with open(sys.argv[2], "w") as out:
    for row in rows:
        out.write(json.dumps({"id": row["id"], "label": "spam"}) + "\\n")
"""
READ = ("mails.csv", "toy.py", "helper.py", "rule.py", "words.txt", "hidden/more.txt")
LINKS = {
    "itself": lambda old, new: str(old),
    "another way": lambda old, new: f"hidden/../{old}",
    "symbolic": lambda old, new: new.symlink_to(Path(old).resolve()) or str(new),
    "hard": lambda old, new: os.link(old, new) or str(new),
}


@pytest.fixture
def study(tmp_path, monkeypatch, call):
    """Run a study of many files in its folder."""
    monkeypatch.chdir(tmp_path)
    toy(tmp_path)
    (tmp_path / "study.toml").write_text(STUDY)
    (tmp_path / "toy.py").write_text((tmp_path / "toy.py").read_text() + LOADER)
    (tmp_path / "helper.py").write_text("LIMIT = 1\n")
    (tmp_path / "rule.py").write_text(COMMAND)
    (tmp_path / "words.txt").write_text("spam\n")
    (tmp_path / "hidden").mkdir()
    (tmp_path / "hidden" / "more.txt").write_text("more\n")
    rows = [f"{i / 80:.3f},{'spam' if i > 40 else 'ham'}" for i in range(80)]
    (tmp_path / "mails.csv").write_text("\n".join(["text,gold", *rows, ""]))
    words = ("study", "run", "study.toml", "--engine", "threads", "--workers", "1")
    return lambda *further: call(*words, *further)


@pytest.mark.parametrize("link", LINKS)
def test_files_of_a_study(study, tmp_path, link):
    for index, name in enumerate(READ):
        output = LINKS[link](name, Path(f"link{index}"))
        before = Path(name).read_bytes()
        ended = study("--json", output)
        assert (ended.code, ended.out) == (2, ""), name
        assert REFUSED in ended.err
        assert Path(name).read_bytes() == before
    # It is refused before anything runs.
    assert not (tmp_path / "study.db").exists()


def test_other_files_of_a_study_are_written(study, tmp_path):
    assert study("--json", "o.json", "--html", "o.html").code == 0
    assert study("--json", "o.json", "--html", "o.html").code == 0
    assert (tmp_path / "o.json").stat().st_size > 100


@pytest.mark.parametrize(
    "words",
    [
        ("compare", "runs/base", "runs/tuned", "--task", "sums", "--json"),
        ("compare", "runs/base", "runs/tuned", "--task", "sums", "--html"),
        ("rank", "runs/base", "runs/tuned", "--task", "sums", "--json"),
        ("estimate", "runs/base", "--task", "sums", "--json"),
        ("doctor", "runs/base", "runs/tuned", "--json"),
    ],
    ids=" ".join,
)
def test_files_within_folders_of_logs(tmp_path, monkeypatch, call, words):
    monkeypatch.chdir(tmp_path)
    shutil.copytree(RUNS, tmp_path / "runs")
    files = [path for path in sorted(Path("runs/base").rglob("*")) if path.is_file()]
    for path in files:
        before = path.read_bytes()
        ended = call(*words, path)
        assert ended.code == 2, path
        assert REFUSED in ended.err
        assert path.read_bytes() == before


def test_results_beside_samples(tmp_path, monkeypatch, call):
    monkeypatch.chdir(tmp_path)
    shutil.copytree(RUNS, tmp_path / "runs")
    samples = [
        next(Path("runs").glob(f"{name}/samples_sums*")) for name in ("base", "tuned")
    ]
    beside = next(Path("runs/tuned").glob("results*"))
    before = beside.read_bytes()
    ended = call("compare", *samples, "--json", beside)
    assert (ended.code, ended.out) == (2, "")
    assert beside.read_bytes() == before
    assert call("compare", *samples, "--json", "runs/tuned/o.json").code == 0
    # What is no input may be written again, in whatever folder.
    assert call("compare", *samples, "--json", "runs/tuned/o.json").code == 0


def test_two_outputs_by_links(folder, call):
    Path("other").symlink_to(folder)
    words = ("compare", "p.csv", "--systems", "a,b", "--metric", "accuracy")
    ended = call(*words, "--json", "o.json", "--html", "other/o.json")
    assert ended.code == 2
    assert "Each output must have a file of its own" in ended.err
