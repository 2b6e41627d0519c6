"""The example of a release gate: its workflow and its tests, on made-up predictions."""

import csv
import os
import random
import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

FOLDER = Path(__file__).parents[2] / "examples" / "gate"
BIN = Path(sys.executable).parent
# Right on so many items: the baseline, and candidates of three kinds.
BASELINE = 0.8
CANDIDATES = {"better": 0.92, "worse": 0.7, "same": 0.8}
OTHER = {"spam": "ham", "ham": "spam"}


def predictions(path, kind, n=1500):
    """Write what two filters said; where they are the same they err on other items."""
    rng = random.Random(7)
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(["id", "gold", "baseline", "candidate"])
        for i in range(n if kind != "same" else 120):
            gold = rng.choice(["spam", "ham"])
            said = [
                gold if rng.random() < share else OTHER[gold]
                for share in (BASELINE, CANDIDATES[kind])
            ]
            writer.writerow([i, gold, *said])


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

    def run(step):
        script = tmp_path / "script.sh"
        script.write_text(step["run"])
        strict = ["-eo", "pipefail"] if step.get("shell") == "bash" else ["-e"]
        path = os.pathsep.join([str(BIN), os.environ["PATH"]])
        return subprocess.run(
            ["bash", "--noprofile", "--norc", *strict, str(script)],
            cwd=tmp_path,
            env={**os.environ, "PATH": path, "GITHUB_STEP_SUMMARY": "summary.md"},
            capture_output=True,
            text=True,
            check=False,
        )

    return run


def test_the_workflow_is_one(workflow):
    # YAML takes the word "on" for True.
    assert workflow[True] == ["pull_request"]
    steps = workflow["jobs"]["gate"]["steps"]
    assert all(("run" in step) != ("uses" in step) for step in steps)
    assert sum("--fail-unless" in step.get("run", "") for step in steps) == 2


@pytest.mark.parametrize(
    ("kind", "codes", "told"),
    [
        ("better", [0, 0], ["✓ The condition holds", "✓ The condition holds"]),
        ("worse", [1, 1], ["✗ The condition does not hold"] * 2),
        ("same", [3, 0], ["? The evidence is too little"] * 2),
    ],
)
def test_the_gates_of_the_workflow(tmp_path, gates, run, kind, codes, told):
    predictions(tmp_path / "predictions.csv", kind)
    done = [run(step) for step in gates]
    assert [ended.returncode for ended in done] == codes, done
    text = (tmp_path / "summary.md").read_text(encoding="utf-8")
    assert len(re.findall("^### ", text, re.M)) == 2
    for line, words in zip(re.findall(r"^\*\*(.*)", text, re.M), told, strict=True):
        assert line.startswith(words)
    assert ("::warning::" in done[1].stdout) == (kind == "same")
    assert (tmp_path / "comparison.json").is_file()


@pytest.mark.parametrize(
    ("kind", "passed", "failed"), [("better", 2, 0), ("worse", 0, 2), ("same", 1, 1)]
)
def test_the_tests(tmp_path, kind, passed, failed):
    predictions(tmp_path / "predictions.csv", kind)
    source = (FOLDER / "test_release.py").read_text(encoding="utf-8")
    (tmp_path / "test_release.py").write_text(source, encoding="utf-8")
    words = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    done = subprocess.run(
        [*words, "--rootdir", ".", "test_release.py"],
        cwd=tmp_path,
        env={k: v for k, v in os.environ.items() if not k.startswith("PYTEST")},
        capture_output=True,
        text=True,
        check=False,
    )
    last = done.stdout.splitlines()[-1]
    assert re.findall(r"(\d+) passed", last) == [str(passed)] * (passed > 0), done
    assert re.findall(r"(\d+) failed", last) == [str(failed)] * (failed > 0), done
    assert done.returncode == (1 if failed else 0)
    if kind == "same":
        assert "more items would give a clear verdict" in done.stdout
