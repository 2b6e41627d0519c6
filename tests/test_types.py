"""The type checker refuses a method where another kind is needed."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

SNIPPET = """
import likelier as lk
from likelier.methods.items.bootstrap import Bootstrap
from likelier.methods.items.exact_laws import ExactLaw
from likelier.methods.items.sign_tests import McNemar, PTest, SignTest, STest
from likelier.methods.items.dirichlet import Paired, Unpaired
from likelier.methods.items.randomization import Randomization

g, a, b = [1, 0], [1, 1], [1, 0]

lk.compare(g, a, b, metric="accuracy", method=Paired())
lk.compare(g, a, b, metric="accuracy", method=Unpaired())
lk.compare(g, a, b, metric="accuracy", method="paired")
lk.null_test(g, a, b, metric="accuracy", method=Bootstrap())
lk.null_test(g, a, b, metric="accuracy", method=Randomization())
lk.null_test(g, a, b, metric="accuracy", method=McNemar())
lk.null_test(g, a, b, metric="accuracy", method=SignTest())
lk.null_test(g, a, b, metric="accuracy", method=STest())
lk.null_test(g, a, b, metric="accuracy", method=PTest())
lk.estimate(g, a, metric="accuracy", method=Paired())
lk.estimate(g, a, metric="accuracy", method=ExactLaw())
lk.estimate(g, a, metric="accuracy", method=Bootstrap())
p: float = lk.null_test(g, a, b, metric="accuracy").p_value
better: float = lk.compare(g, a, b, metric="accuracy").probability.better

lk.compare(g, a, b, metric="accuracy", method=Randomization())  # refused
lk.compare(g, a, b, metric="accuracy", method=Bootstrap())  # refused
lk.compare(g, a, b, metric="accuracy", method=McNemar())  # refused
lk.compare(g, a, b, metric="accuracy", method=ExactLaw())  # refused
lk.null_test(g, a, b, metric="accuracy", method=Paired())  # refused
lk.null_test(g, a, b, metric="accuracy", method=Unpaired())  # refused
lk.null_test(g, a, b, metric="accuracy", method=ExactLaw())  # refused
lk.estimate(g, a, metric="accuracy", method=McNemar())  # refused
lk.estimate(g, a, metric="accuracy", method=Randomization())  # refused
lk.estimate(g, a, metric="accuracy", method=Unpaired())  # refused
lk.compare(g, a, b, metric="accuracy").p_value  # refused
lk.null_test(g, a, b, metric="accuracy").probability  # refused
Paired(prior="jeffreys")  # refused
Bootstrap(alternative="upper")  # refused
"""

# Types of other libraries are left out: reading them takes most of the time.
CONFIG = """
[mypy]
strict = True
[mypy-likelier.*]
follow_imports = silent
[mypy-dask.*,duckdb.*,jinja2.*,joblib.*,matplotlib.*,mpmath.*,narwhals.*,numpy.*]
follow_imports = skip
ignore_missing_imports = True
[mypy-pandas.*,polars.*,pyarrow.*,rich.*,scipy.*,typer.*]
follow_imports = skip
ignore_missing_imports = True
"""


@pytest.fixture(scope="module")
def complaints(tmp_path_factory):
    """Lines of the snippet that mypy refuses, and what it says."""
    folder = tmp_path_factory.mktemp("types")
    snippet = folder / "snippet.py"
    snippet.write_text(SNIPPET)
    # A cache of its own: two runs at once on one cache make mypy stumble.
    cache = ["--cache-dir", str(folder / "cache")]
    config = folder / "mypy.ini"
    config.write_text(CONFIG)
    settings = ["--config-file", str(config), "--no-pretty", *cache]
    run = subprocess.run(
        [sys.executable, "-m", "mypy", *settings, str(snippet)],
        capture_output=True,
        text=True,
        cwd=ROOT,
        check=False,
    )
    assert run.stderr == ""
    errors = re.findall(r"snippet\.py:(\d+): error: (.*)", run.stdout)
    assert errors, run.stdout
    return {int(line): message for line, message in errors}


LINES = list(enumerate(SNIPPET.splitlines(), start=1))


@pytest.mark.parametrize(
    ("number", "line"), [(n, line) for n, line in LINES if line.endswith("# refused")]
)
def test_the_wrong_kind_is_refused(complaints, number, line):
    assert number in complaints


def test_the_right_kinds_pass(complaints):
    refused = {n for n, line in LINES if line.endswith("# refused")}

    assert {n: t for n, t in complaints.items() if n not in refused} == {}
