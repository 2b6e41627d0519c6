"""Importing stays light, and every public name is there."""

import ast
import pkgutil
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest

import likelier

HEAVY = [
    "duckdb",
    "jinja2",
    "joblib",
    "matplotlib",
    "msgspec",
    "narwhals",
    "pandas",
    "polars",
    "pyarrow",
    "rich",
    "scipy.fft",
    "scipy.interpolate",
    "scipy.optimize",
    "scipy.stats",
    "sklearn",
    "typer",
]
# A table in a file needs these, to be read and shown.
READING = ("duckdb", "pyarrow", "rich", "typer")
COMPARE = """
import likelier as lk
gold, first, second = [1, 0] * 20, [1, 1] * 20, [1, 0] * 20
lk.compare(gold, first, second, metric="f1", rope=0.01, draws=100).sentence()
lk.null_test(gold, first, second, metric="accuracy").sentence()
lk.compare([0.5, 1.0] * 20, [1.0, 1.0] * 20, metric="mean", draws=100).sentence()
"""
COMMAND = """
import sys
sys.argv = ["likelier", "compare", {path!r}, "--systems", "a,b", "--rope", "0.01"]
sys.argv += ["--metric", "f1", "--positive", "x", "--seed", "0"]
from likelier.cli import main
try:
    main()
except SystemExit as end:
    assert not end.code
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


@pytest.fixture(scope="module")
def read(tmp_path_factory):
    path = tmp_path_factory.mktemp("read") / "table.csv"
    rows = ["x,x,y", "y,x,y", "x,x,x"] * 20
    path.write_text("\n".join(["gold,a,b", *rows, ""]), encoding="utf-8")
    return loaded(COMMAND.format(path=str(path)))


@pytest.mark.parametrize("module", [*HEAVY, "numpy", "scipy"])
def test_importing_loads_nothing_heavy(bare, module):
    assert "likelier" in bare
    assert module not in bare


@pytest.mark.parametrize("module", HEAVY)
def test_asking_loads_nothing_heavy(asked, module):
    assert "likelier._compare" in asked
    assert module not in asked


@pytest.mark.parametrize("module", sorted({*HEAVY, "pyarrow.compute"} - {*READING}))
def test_comparing_a_table_on_the_command_line_loads_nothing_heavy(read, module):
    assert "likelier.report.terminal" in read
    assert module not in read


def test_public_names_are_sorted_and_there():
    assert likelier.__all__ == sorted(likelier.__all__)
    assert len(set(likelier.__all__)) == len(likelier.__all__)
    for name in likelier.__all__:
        assert getattr(likelier, name) is not None
    assert dir(likelier) == likelier.__all__


def test_public_names_are_complete():
    assert {"compare", "estimate", "null_test", "LikelierError"} <= {*likelier.__all__}


@pytest.mark.parametrize("name", ["errors", "methods", "metrics", "data", "laws"])
def test_public_names_of_a_module_are_sorted_and_there(name):
    module = import_module(f"likelier.{name}")
    names = getattr(module, "__all__", [])

    assert names == sorted(names)
    assert all(hasattr(module, inner) for inner in names)


PACKAGES = [
    module.name
    for module in pkgutil.walk_packages(likelier.__path__, "likelier.")
    if module.ispkg
]


def typed_names(path):
    """Return the names that type checkers see: imported as `x as x`, or functions."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    functions = {line.name for line in tree.body if isinstance(line, ast.FunctionDef)}
    return {name for name in functions if not name.startswith("_")} | {
        name.asname
        for block in tree.body
        if isinstance(block, ast.If) and ast.unparse(block.test) == "TYPE_CHECKING"
        for line in block.body
        if isinstance(line, ast.ImportFrom)
        for name in line.names
        if name.asname
    }


@pytest.mark.parametrize("name", ["likelier", *PACKAGES])
def test_types_and_names_loaded_when_used_are_the_same(name):
    package = import_module(name)
    load = getattr(package, "__getattr__", None)
    if load is not None and load.__module__ == "likelier._lazy":
        assert typed_names(Path(package.__file__)) == {*package.__all__}


@pytest.mark.parametrize("name", PACKAGES)
def test_no_public_name_is_hidden_by_a_module(name):
    """Loading a module sets its name in the package, over a name loaded when used."""
    package = import_module(name)
    for module in pkgutil.iter_modules(package.__path__):
        import_module(f"{name}.{module.name}")
    names = getattr(package, "__all__", ())
    public = {inner: getattr(package, inner) for inner in names}
    assert [n for n, value in public.items() if isinstance(value, ModuleType)] == []


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="no attribute 'comparison'"):
        likelier.comparison  # noqa: B018
