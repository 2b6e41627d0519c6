"""Settings: the recipe and the JSON of a method are made of named values."""

import ast
from dataclasses import fields, is_dataclass, replace
from pathlib import Path

import pytest
from tests.results.every_kind import (
    KINDS,
    MANY,
    MEANS,
    ONE,
    SCORED,
    SETS,
    TABLE,
    result,
)

import likelier
import likelier as lk
from likelier import methods
from likelier._estimate import ESTIMATE_METHODS
from likelier._fold_scores import FOLD_METHODS
from likelier._inputs import NULL_METHODS, POSTERIOR_METHODS
from likelier._version import package_version
from likelier.interval import Rope
from likelier.methods.folds.correlated_t import CorrelatedT
from likelier.methods.folds.hierarchical_folds import HierarchicalFolds
from likelier.methods.folds.signed_rank import BayesianSignTest, SignedRank
from likelier.methods.items.bootstrap import Bootstrap
from likelier.methods.items.delong import DeLong
from likelier.methods.items.dirichlet import Paired, Unpaired
from likelier.methods.items.exact_laws import ExactLaw, Independent, MonteCarlo
from likelier.methods.items.hierarchical_classes import HierarchicalClasses
from likelier.methods.items.randomization import Randomization
from likelier.methods.items.sign_tests import McNemar, PTest, SignTest, STest
from likelier.settings import DataSummary, FoldWeight, Settings

FEW = {"draws": 100, "seed": 0}
DATA = DataSummary(("a", "b"), (0.8, 0.9), 100, 100, 4, digest="3f9a" * 16)
SOURCE = Path(likelier.__file__).parent

by_kind = pytest.mark.parametrize("name", KINDS)


def made(**changes):
    plain = {
        "metric": "f1",
        "positive": "spam",
        "method": "paired",
        "parameters": {"prior": "uniform"},
        "data": DATA,
    }
    return Settings(**plain | changes)


# --- every result -----------------------------------------------------------------


@by_kind
def test_the_recipe_is_that_of_the_settings(name):
    recipe, settings = result(name).recipe, result(name).settings
    assert recipe == settings.recipe()
    assert result(name).to_dict()["recipe"] == recipe
    assert recipe.isprintable()
    parts = recipe.split(" | ")
    assert parts[0] == f"likelier {package_version()}"
    assert parts[1].startswith(settings.metric)
    assert parts[2] == settings.method_text
    assert f"sha {settings.data.digest[:12]}" in parts


@by_kind
def test_the_method_in_the_json_is_that_of_the_settings(name):
    settings = result(name).settings
    method = result(name).to_dict()["method"]
    assert method == settings.to_dict()
    assert method["name"] == settings.method
    assert method.get("seed") == settings.seed
    assert method.get("draws", 0) == settings.draws
    assert method.get("reason", "") == settings.reason


@by_kind
def test_parameters_stand_in_the_recipe_and_in_the_json(name):
    settings = result(name).settings
    method = result(name).to_dict()["method"]
    for parameter, value in settings.parameters.items():
        assert f" {parameter}=" in settings.method_text
        assert f" {parameter}=" in result(name).recipe
        assert method[parameter] == (list(value) if isinstance(value, tuple) else value)


def test_every_method_has_a_result():
    used = {result(name).settings.method for name in KINDS}
    tables = (POSTERIOR_METHODS, NULL_METHODS, ESTIMATE_METHODS, FOLD_METHODS)
    assert {name for table in tables for name in table} <= used


# --- every method -----------------------------------------------------------------

PAIR = [{"prior": "objective"}, {"strength": 2.0}]
# Every setting of a method, by the function that takes it; each must be written.
ITEMS = {"data": TABLE.columns, "metric": "f1", "positive": "b"}
NULL = {"data": TABLE.columns, "metric": "accuracy"}
RANKED = {"data": SCORED, "metric": "roc_auc", "positive": 1}
METHODS = [
    (lk.compare, ITEMS, Paired, PAIR),
    (lk.compare, ITEMS, Unpaired, PAIR),
    (lk.compare, ITEMS, Independent, [{"prior": 0.5}]),
    (lk.compare, ITEMS, MonteCarlo, [{"prior": 0.5}]),
    (lk.estimate, ITEMS, ExactLaw, [{"prior": 0.5}]),
    (lk.null_test, NULL, Bootstrap, [{"alternative": "greater"}, {"ties": True}]),
    (lk.null_test, NULL, Randomization, [{"exact": False}]),
    (lk.null_test, NULL, McNemar, [{"mid_p": True}]),
    (lk.null_test, NULL, SignTest, []),
    (lk.null_test, NULL, STest, []),
    (lk.null_test, NULL, PTest, []),
    (lk.null_test, RANKED, DeLong, []),
    (
        lk.compare_groups,
        {"data": MANY.columns},
        HierarchicalClasses,
        [{"concentration": 4.0}, {"centre": "uniform"}],
    ),
    (lk.compare_folds, {"data": [ONE]}, CorrelatedT, []),
    (lk.compare_folds, {"data": [SETS]}, HierarchicalFolds, [{"tolerance": 1e-3}]),
    (lk.compare_folds, {"data": [MEANS]}, SignedRank, [{"strength": 2.0}]),
    (lk.compare_folds, {"data": [MEANS]}, BayesianSignTest, [{"strength": 3.0}]),
]
IDS = [f"{call.__name__}-{method.__name__}" for call, _, method, _ in METHODS]


def answer(call, question, method):
    settings = {key: value for key, value in question.items() if key != "data"}
    data = question["data"][:2] if call is lk.estimate else question["data"]
    return call(*data, method=method, **settings, **FEW)


@pytest.mark.parametrize(("call", "question", "kind", "changes"), METHODS, ids=IDS)
def test_every_field_of_a_method_is_written(call, question, kind, changes):
    usual = answer(call, question, kind())
    names = {field.name for field in fields(kind)}
    assert names == {name for change in changes for name in change}
    for change in changes:
        other = answer(call, question, kind(**change))
        assert other.recipe != usual.recipe
        assert other.to_dict()["method"] != usual.to_dict()["method"]
        for name, value in change.items():
            # A field that makes it another test changes the name instead.
            if other.settings.method == usual.settings.method:
                assert other.settings.parameters[name] == value


def test_every_kind_of_method_is_tried():
    public = {getattr(module, name) for module in (methods,) for name in module.__all__}
    whole = {one for one in public if is_dataclass(one) and hasattr(one, "parameters")}
    assert whole == {method for _, _, method, _ in METHODS}


# --- the line ---------------------------------------------------------------------


def test_the_line_holds_what_was_set_in_a_fixed_order():
    settings = made(
        higher_is_better=False,
        parameters={"prior": "uniform", "strength": 2.0},
        draws=9,
        seed=0,
        replications=7,
        rope=Rope.of(0.01),
        mass=0.95,
        rule="zhang",
        interval="equal-tailed",
        margin=0.02,
        factor="kde",
        folds=FoldWeight(0.5, 3, (0.0, 0.5), 0.25),
        options={"threshold": 0.6, "sizes": (1, 2), "study": "mine"},
        data=replace(DATA, source="read as iob2"),
    )
    assert settings.recipe().split(" | ")[1:] == [
        "f1 positive=spam",
        "paired prior=uniform strength=2",
        "replications 7 draws 9 seed 0",
        "sha 3f9a3f9a3f9a",
        "read as iob2",
        "3x2 folds rho1 0-0.5 rho2 0.25 share 0.5",
        "threshold 0.6",
        "sizes 1-2",
        "study mine",
        "lower is better",
        "margin 0.02",
        "rope ±0.01",
        "mass 0.95",
        "equal-tailed intervals",
        "rule zhang",
        "factor kde",
    ]


def test_what_was_not_set_is_left_out():
    assert made(positive=None, parameters={}).recipe().split(" | ")[1:] == [
        "f1",
        "paired",
        "sha 3f9a3f9a3f9a",
    ]
    assert made().to_dict() == {"name": "paired", "prior": "uniform"}


@pytest.mark.parametrize(
    ("change", "text"),
    [
        ({"draws": 9, "seed": 0}, "draws 9 seed 0"),
        ({"seed": 0}, "seed 0"),
        ({"margin": 0.0}, None),
        ({"factor": "rope"}, "factor rope"),
        ({"folds": FoldWeight(1.0)}, "hold-out share 1"),
        ({"rope": Rope.of((-0.01, 0.02))}, f"rope {Rope.of((-0.01, 0.02))}"),
    ],
)
def test_each_setting_alone(change, text):
    added = set(made(**change).recipe().split(" | ")) - set(
        made().recipe().split(" | ")
    )
    assert added == (set() if text is None else {text})


@pytest.mark.parametrize(
    ("value", "text"),
    [(0.1, "0.1"), (2.0, "2"), (3, "3"), (True, "true"), ((0.1, 0.25), "0.1-0.25")],
)
def test_values_of_parameters_are_written_short(value, text):
    assert made(parameters={"x": value}).method_text == f"paired x={text}"


def test_hostile_text_stays_on_its_line():
    bad = "a\x1b[31m\nb\u202e"
    settings = made(
        metric=bad, positive=bad, parameters={"x": bad}, data=replace(DATA, source=bad)
    )
    assert settings.recipe().isprintable()
    names = made(data=replace(DATA, systems=(bad, "b"))).system_labels
    assert all(name.isprintable() for name in names)


def test_systems_and_metric_in_words():
    assert made().systems == ("a", "b")
    assert made().metric_name == "F1 (spam)"
    loss = made(higher_is_better=False)
    assert loss.metric_name == "F1 (spam; less is better)"
    assert made(positive=None).metric_name == "F1"


@pytest.mark.parametrize(
    ("changes", "size"),
    [
        ({}, "100 items, 4 patterns"),
        ({"items": 1, "units": 1, "patterns": 1}, "1 item, 1 pattern"),
        ({"units": 20}, "100 items in 20 clusters, 4 patterns"),
        ({"repetitions": 5}, "20 items tested 5 times, 4 patterns"),
        ({"items": 1234.5, "units": 1234.5}, "1,234.5 items, 4 patterns"),
        ({"unit": "sentences"}, "100 sentences, 4 patterns"),
        ({"data_sets": 3, "items": 15, "units": 3}, "3 data sets, 15 folds"),
    ],
)
def test_the_size_of_the_data_in_words(changes, size):
    assert replace(DATA, **changes).size == size


# --- no code parses our own text --------------------------------------------------

# Regular expressions read text that others wrote, or escape it.
WITH_PATTERNS = {
    "cli/option_values.py",
    "cli/safe_streams.py",
    "plots/figures.py",
    "report/condition.py",
    "report/latex.py",
    "report/markdown.py",
    "report/page_svg.py",
}


@pytest.mark.parametrize("folder", ["results", "report", "cli", "plots"])
def test_views_do_not_parse_text(folder):
    using = {
        path.relative_to(SOURCE).as_posix()
        for path in (SOURCE / folder).rglob("*.py")
        if "re" in imported(path)
    }
    assert using <= WITH_PATTERNS


def imported(path):
    """The names of the modules that a module imports."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module
