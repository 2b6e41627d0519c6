"""Plots by name: every kind of every result, on axes, as a figure and as bytes."""

import subprocess
import sys
from dataclasses import replace
from functools import cache
from io import BytesIO
from pathlib import Path

import pytest
from matplotlib import pyplot as plt
from matplotlib.figure import Figure
from tests.plots.conftest import axes
from tests.plots.scored import compared as folds_compared
from tests.plots.scored import ranked

import likelier as lk
from likelier import plots
from likelier.errors import LikelierError, SettingError
from likelier.results.result_list import ResultList

GOLD = ["y", "n"] * 50
FIRST = ["y", "y"] * 20 + ["y", "n"] * 30
SECOND = ["y", "n"] * 45 + ["n", "y"] * 5
SETTINGS = {"rope": 0.05, "draws": 1000, "seed": 0}


def compared(metric="accuracy"):
    settings = SETTINGS | {"metric": metric, "factor": "rope"}
    return lk.compare(GOLD, FIRST, SECOND, **settings)


def planned():
    assumed = lk.Assumed.accuracies(0.8, 0.9, agreement=0.85)
    return lk.plan(assumed, metric="accuracy", replications=50, **SETTINGS)


MAKERS = {
    "comparison": compared,
    "folds": lambda: folds_compared(sets=5),
    "groups": lambda: lk.compare_groups(GOLD, FIRST, SECOND, **SETTINGS),
    "estimate": lambda: lk.estimate(GOLD, FIRST, metric="accuracy", seed=0),
    "ranking": lambda: ranked(count=3),
    "comparison without a factor": lambda: replace(compared(), factor=None),
    "sensitivity": lambda: lk.sensitivity(
        GOLD, FIRST, SECOND, metric="accuracy", **SETTINGS
    ),
    "sensitivity of a factor": lambda: lk.sensitivity(
        GOLD, FIRST, SECOND, metric="accuracy", factor="rope", **SETTINGS
    ),
    "chances": lambda: planned().chances((50, 100)),
    "plan": lambda: planned().report((50, 100)),
    "one of a list": lambda: ResultList([compared()]),
    "list": lambda: ResultList([compared(), compared("macro_f1")]),
}
# Plots that a result of the maker does not have, although its kind may.
MISSING = {
    ("comparison", "simplex"): "several data sets",
    ("comparison", "data-sets"): "hierarchical; got paired",
    ("one of a list", "simplex"): "several data sets",
    ("one of a list", "data-sets"): "hierarchical; got paired",
    ("comparison without a factor", "factor"): "a Bayes factor",
    ("comparison without a factor", "simplex"): "several data sets",
    ("comparison without a factor", "data-sets"): "hierarchical; got paired",
    ("folds", "factor"): "a Bayes factor",
}


@cache
def made(name):
    return MAKERS[name]()


WHOLE = ("densities", "study")
by_maker = pytest.mark.parametrize("name", MAKERS)


def kinds(name):
    """Return the kinds of plot that a result has."""
    return [kind for kind in made(name).plot_kinds if (name, kind) not in MISSING]


def is_whole(name, kind):
    return kind in WHOLE or (name, kind) == ("ranking", "simplex")


@cache
def figure(name, kind):
    return plots.figure(made(name), kind)


@by_maker
def test_every_kind_is_a_figure_apart_from_those_on_show(name):
    before = plt.get_fignums()
    for kind in kinds(name):
        one = figure(name, kind)
        assert isinstance(one, Figure)
        assert one.axes
        assert plt.get_fignums() == before
        if not is_whole(name, kind):
            height = plots.height(made(name), kind)
            assert one.get_figheight() == pytest.approx(height)


@by_maker
def test_every_kind_is_drawn_on_axes_or_refuses_them(name):
    result = made(name)
    for kind in kinds(name):
        ax = axes()
        if is_whole(name, kind):
            message = f"ax must be None for the plot {kind}"
            with pytest.raises(SettingError, match=message):
                result.plot(kind, ax=ax)
            assert isinstance(result.plot(kind), Figure)
        else:
            assert result.plot(kind, ax=ax) is ax


@by_maker
def test_the_usual_kind_is_the_first(name):
    first = made(name).plot_kinds[0]
    figures = plots.figure(made(name)), figure(name, first)
    usual, named = map(small_picture, figures)
    assert usual == named


def small_picture(figure):
    """Write a figure as it is, without finding a place for everything first."""
    data = BytesIO()
    figure.set_layout_engine("none")
    figure.savefig(data, format="png", dpi=30)
    return data.getvalue()


@pytest.mark.parametrize(
    ("form", "start"), [("png", b"\x89PNG"), ("svg", b"<?xml"), ("pdf", b"%PDF")]
)
def test_same_result_same_bytes_in_every_form(form, start):
    first, second = (plots.picture(made("comparison"), form=form) for _ in "ab")
    assert first == second
    assert first.startswith(start)


@pytest.mark.parametrize(("name", "kind"), MISSING)
def test_plots_that_a_result_lacks_say_what_is_missing(name, kind):
    before = plt.get_fignums()
    with pytest.raises(LikelierError, match=MISSING[name, kind]):
        made(name).plot(kind)
    with pytest.raises(LikelierError, match=MISSING[name, kind]):
        plots.picture(made(name), kind)
    assert plt.get_fignums() == before


def test_a_kind_that_no_plot_has_is_refused():
    with pytest.raises(SettingError, match="plot-kind must be one of"):
        made("comparison").plot("forest")
    with pytest.raises(SettingError, match="plot-kind must be one of"):
        plots.picture(made("ranking"), "posterior")


def test_every_kind_of_every_result_is_in_the_table():
    every = {kind for name in MAKERS for kind in made(name).plot_kinds} | {"study"}
    assert every == set(plots.PLOTS) - {"simplex of pairs"}


def test_functions_are_loaded_when_first_used_and_no_module_hides_one():
    modules = sorted(path.stem for path in Path(plots.__file__).parent.glob("*.py"))
    code = f"""
import sys
from importlib import import_module
from likelier import plots
assert "matplotlib" not in sys.modules
assert not [name for name in sys.modules if name == "likelier.plots.density"]
for module in {modules}:
    if module != "__init__":
        import_module(f"likelier.plots.{{module}}")
for name in plots.__all__:
    assert callable(getattr(plots, name)), name
"""
    subprocess.run([sys.executable, "-c", code], check=True)


def test_unknown_names_are_no_plots():
    with pytest.raises(AttributeError, match="no attribute 'power'"):
        _ = plots.power
