"""Help names every option; the version is the package's."""

import importlib.metadata
import re
import subprocess
import sys
from pathlib import Path

import pytest
from tests.cli.conftest import SPAM, commands
from typer import Context
from typer.main import get_command

from likelier._fold_scores import FOLD_METHODS
from likelier._inputs import NULL_METHODS, POSTERIOR_METHODS
from likelier.cli.app import app, app_of
from likelier.decision import RULES
from likelier.methods.items.dirichlet_cells import PRIORS

SCRIPT = Path(sys.executable).with_name("likelier")
SHARED = [
    "--gold",
    "--systems",
    "--id",
    "--label",
    "--cluster",
    "--text",
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
LOGS = [
    *("--system", "--score", "--run", "--repeat", "--group"),
    *("--task", "--filter", "--runs", "--on-missing", "--on-error"),
    *("--allow-different", "--higher-is-better"),
]
OPTIONS = {
    "compare": [
        *SHARED,
        *LOGS,
        "--name",
        *["--rope", "--method", "--prior", "--strength", "--factor", "--rule"],
        *[
            "--each-class",
            "--sensitivity",
            "--plot",
            "--plot-width",
            "--plot-kind",
            "--fail-unless",
            "--github",
            "--date",
        ],
    ],
    "doctor": ["--json", "--help"],
    "estimate": [
        *SHARED,
        *LOGS,
        *["--name", "--eee", "--interval", "--fail-unless", "--github", "--date"],
    ],
    "demo": ["--help"],
    "folds": [
        *["--metric", "--gold", "--systems", "--positive", "--repetition", "--fold"],
        *["--dataset", "--run", "--system", "--score", "--test-share"],
        *["--higher-is-better", "--margin", "--rope", "--beta", "--alpha", "--method"],
        *["--rho1", "--rho2", "--interval", "--rule", "--mass", "--draws", "--seed"],
        *[
            "--json",
            "--html",
            "--plot",
            "--plot-width",
            "--plot-kind",
            "--markdown",
            "--latex",
        ],
        *["--fail-unless", "--github", "--date", "--help"],
    ],
    "chunks": [
        *["--scheme", "--metric", "--systems", "--strict", "--match", "--only"],
        *["--documents", "--segmented", "--positive", "--rope", "--beta", "--alpha"],
        *["--each-class", "--method", "--prior", "--strength", "--factor", "--rule"],
        *[
            "--mass",
            "--draws",
            "--seed",
            "--json",
            "--html",
            "--plot",
            "--plot-width",
            "--markdown",
        ],
        *["--latex", "--fail-unless", "--github", "--date", "--help"],
    ],
    "text": [
        *["--metric", "--systems", "--rope", "--sensitivity", "--references", "--gold"],
        *["--cluster", "--tokenize", "--lowercase", "--name", "--method", "--prior"],
        *["--strength", "--factor", "--rule", "--mass", "--draws", "--seed", "--json"],
        *["--html", "--plot", "--plot-width", "--markdown", "--latex"],
        *["--fail-unless", "--github", "--date", "--help"],
    ],
    "tags": [
        *["--metric", "--column", "--gold", "--systems", "--train", "--vocabulary"],
        *["--lowercase", "--cluster", "--rope", "--method", "--prior", "--strength"],
        *["--factor", "--rule", "--mass", "--draws", "--seed", "--json", "--html"],
        *[
            "--plot",
            "--plot-width",
            "--markdown",
            "--latex",
            "--fail-unless",
            "--github",
            "--date",
            "--help",
        ],
    ],
    "plan": [
        *LOGS,
        *["--assume", "--accuracies", "--agreement", "--as-truth", "--goal"],
        *["--chance", "--sizes", "--items", "--replications", "--rope", "--method"],
        *[
            "--rule",
            "--prior",
            "--strength",
            "--plot",
            "--plot-width",
            "--fail-unless",
            "--github",
            "--date",
        ],
        *(name for name in SHARED if name not in ("--beta", "--alpha")),
    ],
    "rank": [
        *LOGS,
        *["--metric", "--rope", "--gold", "--systems", "--positive", "--id", "--label"],
        *[
            "--cluster",
            "--text",
            "--method",
            "--dataset",
            "--run",
            "--fold",
            "--system",
        ],
        *["--score", "--test-share", "--higher-is-better", "--threshold", "--alpha"],
        *["--prior", "--strength"],
        *[
            "--rule",
            "--mass",
            "--draws",
            "--seed",
            "--json",
            "--html",
            "--plot",
            "--plot-width",
        ],
        *[
            "--plot-kind",
            "--markdown",
            "--latex",
            "--fail-unless",
            "--github",
            "--date",
        ],
        "--help",
    ],
    "study run": [
        *[
            "--store",
            "--workers",
            "--engine",
            "--let",
            "--json",
            "--html",
            "--plot",
            "--plot-width",
        ],
        *["--markdown", "--latex", "--fail-unless", "--github", "--date", "--help"],
    ],
    "study show": [
        *["--metric", "--systems", "--datasets", "--positive", "--rope", "--method"],
        *["--rule", "--mass", "--draws", "--seed", "--pairs", "--errors", "--timings"],
        *[
            "--json",
            "--html",
            "--plot",
            "--plot-width",
            "--plot-kind",
            "--markdown",
            "--latex",
        ],
        *["--fail-unless", "--github", "--date", "--help"],
    ],
    "study rescue": ["--help"],
    "split": [
        *["--design", "--m", "--k", "--repeats", "--stratify", "--groups", "--id"],
        *["--seed", "--out", "--help"],
    ],
}


@pytest.mark.parametrize("command", OPTIONS)
def test_help_names_every_option(call, command):
    ended = call(*command.split(), "--help")
    assert (ended.code, ended.err) == (0, "")
    named = set(re.findall(r"^ +(--[a-z0-9-]+)", ended.out, re.M))
    assert named == set(OPTIONS[command])


def test_every_command_is_tested_and_has_help(call):
    assert set(commands()) == set(OPTIONS)
    for name in commands():
        *group, last = name.split()
        ended = call(*group, "--help")
        assert (ended.code, ended.err) == (0, "")
        assert re.search(rf"^ +{last} +\w", ended.out, re.M)


def test_old_names_are_gone(call):
    for name in ("score", "scores", "counts", "run", "show"):
        assert "No such command" in call(name, "x").err


def test_options_are_in_groups():
    groups = {
        "metric": None,
        "rope": None,
        "systems": None,
        "gold": "Data",
        "method": "Settings",
        "json": "Output",
        **dict.fromkeys(("margin", "rho1", "rho2", "interval"), "As published"),
    }
    options = {option.name: option for option in commands()["folds"].params}
    result = {name: options[name].rich_help_panel for name in groups}
    assert result == groups


@pytest.mark.parametrize(
    ("command", "option", "names"),
    [
        ("compare", "method", ["monte-carlo", "s-test", "p-test"]),
        ("compare", "rule", ["zhang", "regions", "region-mass"]),
        ("compare", "factor", ["kde"]),
        ("folds", "method", ["monte-carlo"]),
        ("folds", "rule", ["zhang", "regions", "region-mass"]),
        ("rank", "rule", ["zhang", "regions", "region-mass"]),
        ("study show", "rule", ["zhang", "regions", "region-mass"]),
    ],
)
def test_forms_of_papers_come_last(command, option, names):
    help_of = {p.name: p.help for p in commands()[command].params}
    usual, _, published = help_of[option].partition("As published: ")
    assert published.rstrip(".").split(", ") == names
    assert usual


def test_every_option_has_help():
    for command in commands().values():
        for option in command.params:
            if option.name != "help":
                assert option.help, option.name


def test_help_names_all_methods_priors_and_rules(call):
    text = " ".join(call("compare", "--help").out.split())
    for name in (*NULL_METHODS, *POSTERIOR_METHODS, *PRIORS, *RULES):
        assert re.search(rf"\b{name}\b", text), name


def test_help_names_all_methods_and_rules_of_scores(call):
    # Lines may be broken at a hyphen.
    text = " ".join(call("folds", "--help").out.split()).replace("- ", "-")
    for name in (*FOLD_METHODS, *RULES):
        assert re.search(rf"\b{name}\b", text), name


def test_help_names_all_methods_of_studies(call):
    text = " ".join(call("study", "show", "--help").out.split()).replace("- ", "-")
    for name in ("paired", "independent", *FOLD_METHODS):
        assert re.search(rf"\b{name}\b", text), name


def test_version(call):
    version = importlib.metadata.version("likelier")
    assert call("--version") == (0, f"likelier {version}\n", "")


def test_alone_it_shows_help(call):
    ended = call()
    assert re.match(r"Usage: .*likelier \[OPTIONS\] COMMAND", ended.out + ended.err)
    assert "compare" in ended.out + ended.err


def test_a_command_made_alone_is_the_same():
    def text(command):
        return command.get_help(Context(command, info_name=command.name))

    together = commands(get_command(app))
    for name in [name for name in together if " " not in name]:
        assert [text(one) for one in commands(get_command(app_of(name))).values()] == [
            text(together[name])
        ]
    assert app_of("study") is app_of("no such command") is app


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


def test_compare_loads_only_what_it_needs(folder):
    words = ["likelier", *SPAM, "--rope", "0.01"]
    code = (
        f"import sys; sys.argv = {words!r}\n"
        "from likelier.cli import main\n"
        "try:\n    main()\nexcept SystemExit:\n    pass\n"
        "parts = ('plots', 'study', 'designs', '_rank', '_plan', '_folds')\n"
        "ours = {f'likelier.{part}' for part in parts}\n"
        "heavy = {'matplotlib', 'jinja2', 'joblib'}\n"
        "print(sorted((ours | heavy) & set(sys.modules)), file=sys.stderr)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert done.stderr == "[]\n"
