"""The example of a release gate: its workflow and its tests, on made-up predictions."""

import csv
import json
import os
import random
import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from tests.cli.conftest import call, database  # noqa: F401 (fixtures)

FOLDER = Path(__file__).parents[2] / "examples" / "gate"
BIN = Path(sys.executable).parent
# Right on so many items: the baseline, and candidates of three kinds.
BASELINE = 0.8
CANDIDATES = {"better": 0.92, "worse": 0.7, "same": 0.8}
OTHER = {"spam": "ham", "ham": "spam"}
# Stands for likelier in a script: notes its words, and ends as it should.
NOTED = """#!{python}
import json, os, sys
json.dump(sys.argv[1:], open("words.json", "w"))
sys.exit(int(os.environ.get("CODE", "0")))
"""
CONFTEST = """
import os
import pytest

@pytest.fixture(scope="module", autouse=True)
def folder(request):
    os.chdir(request.path.parent)
"""


def predictions(path, kind, n=1500):
    """Write the predictions of two filters; the same ones err on other items."""
    rng = random.Random(7)
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(["id", "gold", "baseline", "candidate"])
        for i in range(n if kind != "same" else 120):
            gold = rng.choice(["spam", "ham"])
            labels = [
                gold if rng.random() < share else OTHER[gold]
                for share in (BASELINE, CANDIDATES[kind])
            ]
            writer.writerow([i, gold, *labels])


@pytest.fixture(scope="module")
def workflow():
    return yaml.safe_load((FOLDER / "workflow.yml").read_text(encoding="utf-8"))


@pytest.fixture
def gates(workflow):
    """The steps that call likelier, by their order."""
    steps = workflow["jobs"]["gate"]["steps"]
    return [step for step in steps if "likelier compare" in step.get("run", "")]


@pytest.fixture
def run(tmp_path):
    """Run a step as GitHub Actions does: its script by bash, in the working folder."""

    def run(step, programs=BIN, **environment):
        script = tmp_path / "script.sh"
        script.write_text(step["run"])
        strict = ["-eo", "pipefail"] if step.get("shell") == "bash" else ["-e"]
        path = os.pathsep.join([str(programs), os.environ["PATH"]])
        return subprocess.run(
            ["bash", "--noprofile", "--norc", *strict, str(script)],
            cwd=tmp_path,
            env=os.environ
            | {"PATH": path, "GITHUB_STEP_SUMMARY": "summary.md"}
            | environment,
            capture_output=True,
            text=True,
            check=False,
        )

    return run


@pytest.fixture
def run_here(tmp_path, run, call, monkeypatch):  # noqa: F811
    """Run a step with the command line called in this process.

    The script runs twice: first it says which words it would call likelier with, then
    it gets the exit code of likelier for these words.
    """
    programs = tmp_path / "programs"
    programs.mkdir()
    (programs / "likelier").write_text(NOTED.format(python=sys.executable))
    (programs / "likelier").chmod(0o755)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", "summary.md")

    def run_here(step):
        run(step, programs)
        words = json.loads((tmp_path / "words.json").read_text())
        return run(step, programs, CODE=str(call(*words).code))

    return run_here


def test_the_workflow_is_one(workflow):
    # YAML takes the word "on" for True.
    assert workflow[True] == ["pull_request"]
    steps = workflow["jobs"]["gate"]["steps"]
    assert all(("run" in step) != ("uses" in step) for step in steps)
    assert sum("--fail-unless" in step.get("run", "") for step in steps) == 2


GATES = {
    "better": ([0, 0], "✓ The condition holds"),
    "worse": ([1, 1], "✗ The condition does not hold"),
    "same": ([3, 0], "? No answer"),
}


@pytest.mark.parametrize("kind", GATES)
def test_the_gates_of_the_workflow(tmp_path, gates, run, run_here, kind):
    """One gate with the real program, the others with the command line in here."""
    predictions(tmp_path / "predictions.csv", kind)
    codes, summary = GATES[kind]
    done = [run_here(gates[0]), (run if kind == "same" else run_here)(gates[1])]
    assert [ended.returncode for ended in done] == codes, done
    text = (tmp_path / "summary.md").read_text(encoding="utf-8")
    assert len(re.findall("^### ", text, re.M)) == 2
    lines = re.findall(r"^\*\*(.*)", text, re.M)
    assert [line.startswith(summary) for line in lines] == [True, True]
    assert ("::warning::" in done[1].stdout) == (kind == "same")
    assert (tmp_path / "comparison.json").is_file()


def test_the_tests(tmp_path):
    """All kinds in one process, each in a folder of its own."""
    source = (FOLDER / "test_release.py").read_text(encoding="utf-8")
    (tmp_path / "conftest.py").write_text(CONFTEST)
    for kind in CANDIDATES:
        (tmp_path / kind).mkdir()
        predictions(tmp_path / kind / "predictions.csv", kind)
        (tmp_path / kind / "test_release.py").write_text(source, encoding="utf-8")
    words = ["-m", "pytest", "-rA", "-p", "no:cacheprovider", "--rootdir", "."]
    done = subprocess.run(
        [sys.executable, *words, "--import-mode", "importlib", *CANDIDATES],
        cwd=tmp_path,
        env={k: v for k, v in os.environ.items() if not k.startswith("PYTEST")},
        capture_output=True,
        text=True,
        check=False,
    )
    results = re.findall(r"^(PASSED|FAILED) (\w+)/test_release", done.stdout, re.M)
    assert sorted(results) == [
        *[("FAILED", "same")],
        *[("FAILED", "worse")] * 2,
        *[("PASSED", "better")] * 2,
        *[("PASSED", "same")],
    ], done
    assert done.returncode == 1
    assert "more items would give a clear verdict" in done.stdout
