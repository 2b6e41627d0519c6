"""Importing stays light, and every public name is there."""

import subprocess
import sys
from importlib import import_module

import pytest

import likelier

HEAVY = [
    "duckdb",
    "jinja2",
    "matplotlib",
    "pandas",
    "polars",
    "pyarrow",
    "rich",
    "scipy.stats",
    "sklearn",
    "typer",
]
ASKING = [name for name in HEAVY if name not in ("rich", "pyarrow")]
COMPARE = """
import likelier as lk
gold, first, second = [1, 0] * 20, [1, 1] * 20, [1, 0] * 20
lk.compare(gold, first, second, metric="f1", rope=0.01, draws=100).sentence()
lk.null_test(gold, first, second, metric="accuracy").sentence()
lk.compare([0.5, 1.0] * 20, [1.0, 1.0] * 20, metric="mean", draws=100).sentence()
"""


def loaded(code):
    """The modules that a fresh interpreter has after running the code."""
    shown = f"{code}\nimport sys\nprint('\\n'.join(sys.modules))"
    run = subprocess.run(
        [sys.executable, "-c", shown], capture_output=True, text=True, check=True
    )
    assert run.stderr == ""
    return set(run.stdout.split())


@pytest.fixture(scope="module")
def bare():
    return loaded("import likelier")


@pytest.fixture(scope="module")
def asked():
    return loaded(COMPARE)


@pytest.mark.parametrize("module", [*HEAVY, "numpy", "scipy", "narwhals"])
def test_importing_loads_nothing_heavy(bare, module):
    assert "likelier" in bare
    assert module not in bare


@pytest.mark.parametrize("module", ASKING)
def test_asking_loads_nothing_heavy(asked, module):
    assert "likelier._compare" in asked
    assert module not in asked


def test_public_names_are_sorted_and_there():
    assert likelier.__all__ == sorted(likelier.__all__)
    assert len(set(likelier.__all__)) == len(likelier.__all__)
    for name in likelier.__all__:
        assert getattr(likelier, name) is not None
    assert dir(likelier) == likelier.__all__


def test_public_names_are_complete():
    assert {*likelier._MODULES, *likelier._HOME} == {*likelier.__all__}
    assert {"compare", "estimate", "null_test", "LikelierError"} <= {*likelier.__all__}


@pytest.mark.parametrize("name", ["errors", "methods", "metrics", "outcomes", "laws"])
def test_public_names_of_a_module_are_sorted_and_there(name):
    module = import_module(f"likelier.{name}")
    names = getattr(module, "__all__", [])

    assert names == sorted(names)
    assert all(hasattr(module, inner) for inner in names)


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="no attribute 'comparison'"):
        likelier.comparison  # noqa: B018
