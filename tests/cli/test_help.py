"""Help names every option; the version is the package's."""

import importlib.metadata
import re
import subprocess
import sys
import time
from pathlib import Path

import pytest
from typer.main import get_command

from likelier.asking import NULL_METHODS, POSTERIOR_METHODS
from likelier.cli import app
from likelier.decision import RULES
from likelier.methods.cells import PRIORS
from likelier.questions.scores_comparing import SCORE_METHODS

SCRIPT = Path(sys.executable).with_name("likelier")
SHARED = [
    "--gold",
    "--systems",
    "--id",
    "--label",
    "--cluster",
    "--separator",
    "--sets",
    "--metric",
    "--positive",
    "--beta",
    "--alpha",
    "--mass",
    "--draws",
    "--seed",
    "--json",
    "--html",
    "--markdown",
    "--latex",
    "--help",
]
OPTIONS = {
    "compare": [
        *SHARED,
        *["--rope", "--method", "--prior", "--strength", "--factor", "--rule"],
        *[
            "--each-class",
            "--sensitivity",
            "--plot",
            "--plot-kind",
            "--fail-unless",
            "--github",
        ],
    ],
    "score": [*SHARED, "--interval", "--fail-unless", "--github"],
    "demo": ["--help"],
    "counts": [
        *["--metric", "--gold", "--systems", "--positive", "--repetition", "--fold"],
        *["--margin", "--rope", "--beta", "--alpha", "--method", "--rho1", "--rho2"],
        *["--interval", "--mass", "--draws", "--seed", "--json", "--html", "--plot"],
        *["--markdown", "--latex", "--fail-unless", "--github", "--help"],
    ],
    "chunks": [
        *["--scheme", "--metric", "--systems", "--strict", "--boundaries", "--only"],
        *["--documents", "--segmented", "--positive", "--rope", "--beta", "--alpha"],
        *["--each-class", "--method", "--prior", "--strength", "--factor", "--rule"],
        *["--mass", "--draws", "--seed", "--json", "--html", "--plot", "--markdown"],
        *["--latex", "--fail-unless", "--github", "--help"],
    ],
    "tags": [
        *["--metric", "--column", "--gold", "--systems", "--train", "--vocabulary"],
        *["--lowercase", "--cluster", "--rope", "--method", "--prior", "--strength"],
        *["--factor", "--rule", "--mass", "--draws", "--seed", "--json", "--html"],
        *["--plot", "--markdown", "--latex", "--fail-unless", "--github", "--help"],
    ],
    "plan": [
        *["--assume", "--accuracies", "--agreement", "--as-truth", "--goal"],
        *["--chance", "--sizes", "--items", "--replications", "--rope", "--method"],
        *["--rule", "--plot", "--fail-unless", "--github"],
        *(name for name in SHARED if name not in ("--beta", "--alpha")),
    ],
    "scores": [
        *["--rope", "--systems", "--method", "--dataset", "--run", "--fold"],
        *["--system", "--score", "--test-share", "--metric", "--lower-is-better"],
        *["--threshold", "--rule", "--mass", "--draws", "--seed", "--json", "--html"],
        *[
            "--plot",
            "--plot-kind",
            "--markdown",
            "--latex",
            "--fail-unless",
            "--github",
            "--help",
        ],
    ],
    "rank": [
        *["--metric", "--rope", "--gold", "--systems", "--positive", "--id", "--label"],
        *["--cluster", "--method", "--dataset", "--run", "--fold", "--system"],
        *["--score", "--test-share", "--lower-is-better", "--threshold", "--level"],
        *["--mass", "--draws", "--seed", "--json", "--html", "--plot", "--plot-kind"],
        *["--markdown", "--latex", "--fail-unless", "--github", "--help"],
    ],
    "run": [
        *["--store", "--workers", "--engine", "--let", "--json", "--html", "--plot"],
        *["--markdown", "--latex", "--fail-unless", "--github", "--help"],
    ],
    "show": [
        *["--metric", "--systems", "--datasets", "--positive", "--rope", "--method"],
        *["--rule", "--mass", "--draws", "--seed", "--pairs", "--errors", "--timings"],
        *["--json", "--html", "--plot", "--plot-kind", "--markdown", "--latex"],
        *["--fail-unless", "--github", "--help"],
    ],
    "split": [
        *["--design", "--m", "--k", "--repeats", "--stratify", "--groups", "--id"],
        *["--seed", "--out", "--help"],
    ],
}


@pytest.mark.parametrize("command", OPTIONS)
def test_help_names_every_option(call, command):
    ended = call(command, "--help")
    assert (ended.code, ended.err) == (0, "")
    named = set(re.findall(r"^ +(--[a-z0-9-]+)", ended.out, re.M))
    assert named == set(OPTIONS[command])


def test_every_command_is_tested_and_has_help(call):
    commands = get_command(app).commands
    assert set(commands) == set(OPTIONS)
    ended = call("--help")
    assert (ended.code, ended.err) == (0, "")
    for name in commands:
        assert re.search(rf"^ +{name} +\w", ended.out, re.M)


def test_every_option_has_help():
    for command in get_command(app).commands.values():
        for option in command.params:
            if option.name != "help":
                assert option.help, option.name


def test_help_names_all_methods_priors_and_rules(call):
    text = " ".join(call("compare", "--help").out.split())
    for name in (*NULL_METHODS, *POSTERIOR_METHODS, *PRIORS, *RULES):
        assert re.search(rf"\b{name}\b", text), name


def test_help_names_all_methods_and_rules_of_scores(call):
    # Lines may be broken at a hyphen.
    text = " ".join(call("scores", "--help").out.split()).replace("- ", "-")
    for name in (*SCORE_METHODS, *RULES):
        assert re.search(rf"\b{name}\b", text), name


def test_help_names_all_methods_of_studies(call):
    text = " ".join(call("show", "--help").out.split()).replace("- ", "-")
    for name in ("paired", "independent", *SCORE_METHODS):
        assert re.search(rf"\b{name}\b", text), name


def test_version(call):
    version = importlib.metadata.version("likelier")
    assert call("--version") == (0, f"likelier {version}\n", "")


def test_alone_it_shows_help(call):
    ended = call()
    assert re.match(r"Usage: .*likelier \[OPTIONS\] COMMAND", ended.out + ended.err)
    assert "compare" in ended.out + ended.err


def test_without_arguments_compare_is_refused(call):
    ended = call("compare")
    assert ended.code == 2
    assert "Missing argument" in ended.err


def test_help_loads_nothing_heavy():
    code = (
        "import sys; sys.argv = ['likelier', 'compare', '--help']\n"
        "from likelier.cli import main\n"
        "try:\n    main()\nexcept SystemExit:\n    pass\n"
        "heavy = {'numpy', 'scipy', 'duckdb', 'matplotlib', 'pyarrow', 'jinja2'}\n"
        "print(sorted(heavy & set(sys.modules)), file=sys.stderr)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert done.stderr == "[]\n"


def test_help_comes_at_once():
    best = 9.0
    for _ in range(2):
        start = time.perf_counter()
        subprocess.run([SCRIPT, "--help"], capture_output=True, check=True)
        best = min(best, time.perf_counter() - start)
    assert best < 1.0  # a third of a second on an idle machine
