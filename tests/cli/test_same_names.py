"""One setting has one name and one default, in Python and on the command line."""

import inspect

import pytest
from tests.cli.conftest import commands

import likelier as lk
from likelier import designs, metrics, readers, study
from likelier.readers.fold_counts import read_counts, read_fold_predictions
from likelier.readers.fold_scores import ScoreColumns, read_scores

PLAN_REPORT = type(
    lk.plan(lk.Assumed.accuracies(0.5, 0.5, agreement=0.5), metric="accuracy")
).report
ITEMS = (readers.read_files, metrics.fbeta, lk.read)
SCORES = (ScoreColumns, read_scores)
# What a command asks; the first function that has a setting gives its default.
CALLS = {
    "compare": [
        *ITEMS,
        *(lk.compare, lk.compare_groups, lk.sensitivity, lk.null_test),
    ],
    "estimate": [*ITEMS, lk.estimate],
    "folds": [
        *SCORES,
        *(read_fold_predictions, read_counts, metrics.fbeta, lk.compare_folds),
    ],
    "rank": [readers.read_files, ScoreColumns, lk.rank, read_scores, lk.read],
    "chunks": [readers.read_conll, metrics.fbeta, lk.compare, lk.compare_groups],
    "tags": [readers.read_tagged, readers.read_parsed, lk.compare],
    "text": [readers.read_texts, lk.compare, lk.sensitivity],
    "plan": [
        *(readers.read_files, lk.Assumed.accuracies, lk.plan, PLAN_REPORT),
        lk.read,
    ],
    "split": [
        *(designs.BlockedMx2, designs.repeated_k_fold, designs.train_dev_test),
    ],
    "study run": [study.read_toml, study.run],
    "study show": [study.read_study],
    "study rescue": [study.rescue],
    "doctor": [lk.doctor],
    "demo": [],
}
DATA = (
    *("data", "predictions", "path", "paths", "assumed", "study", "store", "self"),
    *("first", "second", "old", "new"),
)
OUTPUTS = (
    *("json", "html", "plot", "plot_kind", "plot_width"),
    *("markdown", "latex"),
    *("fail_unless", "github", "date", "help"),
)

# --- what is on one side only, and why ----------------------------------------------

ONLY_COMMAND_LINE = {
    ("compare", "each_class"): "asks compare_groups()",
    ("compare", "sensitivity"): "asks sensitivity()",
    ("chunks", "each_class"): "asks compare_groups()",
    ("chunks", "segmented"): "reads with read_segmented()",
    **{
        (name, "sets"): "kind='sets'; other kinds follow from the metric"
        for name in ("compare", "estimate", "plan")
    },
    ("estimate", "eee"): "an output: a copy of a document with intervals",
    **{
        (name, "name"): "replace(metric, name=…)"
        for name in ("compare", "estimate", "text")
    },
    ("text", "sensitivity"): "asks sensitivity()",
    ("plan", "assume"): "a file for Assumed.cells()",
    ("plan", "accuracies"): "first and second of Assumed.accuracies() in one",
    ("plan", "as_truth"): "certain=True of Assumed.pilot(), or Assumed.as_truth()",
    ("split", "design"): "the name of a function of designs",
    ("split", "groups"): "a column; in Python an argument of split()",
    ("split", "id"): "a column; Python has positions",
    ("split", "out"): "an output",
    ("study run", "store"): "a path, which study.run() takes as its second argument",
    ("study show", "metric"): "metrics=; every command takes several by commas",
    ("study show", "errors"): "failures of the report",
    ("study show", "timings"): "document(timings=True) of the report",
}
ONLY_PYTHON = {
    "workers": "threads that draw: one on the command line, all cores for plans",
    "kind": "follows from --sets and the metric",
    "columns": "named one by one",
    "strengths": "--sensitivity takes the usual ones",
    "averages": "--each-class takes the usual ones",
    "by": "--each-class; tasks of logs come by themselves",
    "classes": "--each-class takes all",
    "repetitions": "counted in the table",
    "token": "the usual column",
    "comments": "read off the file",
    "shares": "--design train-dev-test takes the usual ones",
    "units": "only classes and groups are columns of a table",
    "drawn_seed": "stored by designs without a seed",
    "metrics": "--metric",
    "watcher": "the display of progress",
    ("estimate", "method"): "--interval chooses it",
    ("folds", "cluster"): "tables of folds have no such column",
    ("folds", "id"): "tables of folds call it id",
    ("chunks", "gold"): "one column per file",
    ("chunks", "cluster"): "--documents",
    ("chunks", "id"): "files are joined by their lines",
    ("chunks", "separator"): "read off the file",
    ("tags", "separator"): "read off the file",
    ("tags", "positive"): "accuracies have none",
    ("tags", "id"): "files are joined by their lines",
    ("text", "positive"): "texts have none",
    ("text", "id"): "files are joined by their lines",
    ("text", "text"): "the references",
    ("rank", "separator"): "sets of labels are not ranked",
    **{
        (command, name): "token files have no such column"
        for command in ("chunks", "tags", "text")
        for name in ("system", "score", "run", "repeat", "group")
    },
    ("tags", "label"): "--column",
    ("chunks", "label"): "read off the file",
    ("text", "label"): "plain lines, or columns",
    ("chunks", "text"): "the tokens",
    ("tags", "text"): "the tokens",
}
OTHER_DEFAULT = {
    ("chunks", "metric"): "f1 is what chunks are compared by",
    ("text", "metric"): "bleu is what texts are compared by",
    ("text", "references"): "none",
    ("chunks", "scheme"): "need not be there with --segmented",
    ("plan", "metric"): "accuracy for --accuracies",
    ("plan", "agreement"): "need not be there without --accuracies",
    ("plan", "sizes"): "the usual ones",
    ("folds", "metric"): "precision,recall,f1 for counts; score for scores",
    ("split", "stratify"): "a column; in Python True for the labels",
}


def settings(command):
    """Parameters of the functions that a command calls, by name."""
    result = {}
    for call in CALLS[command]:
        for name, parameter in inspect.signature(call).parameters.items():
            if name not in DATA:
                result.setdefault(name, parameter.default)
    return result


def options(command):
    """Options of a command by name, but those of outputs."""
    return {
        option.name: option
        for option in commands()[command].params
        if option.param_type_name == "option" and option.name not in OUTPUTS
    }


def value(default):
    """A default as the command line writes it."""
    if isinstance(default, tuple):
        return ",".join(f"{end:g}" for end in default)
    return default


PAIRS = [(command, name) for command in CALLS for name in options(command)]


def test_every_command_is_here():
    assert set(CALLS) == set(commands())


@pytest.mark.parametrize(("command", "name"), PAIRS, ids=" ".join)
def test_an_option_is_called_as_in_python(command, name):
    option = options(command)[name]
    assert option.opts[0] == f"--{name.replace('_', '-')}"
    parameters = settings(command)
    if (command, name) in ONLY_COMMAND_LINE:
        assert name not in parameters
        return
    assert name in parameters
    if (command, name) in OTHER_DEFAULT:
        return
    if parameters[name] is inspect.Parameter.empty:
        assert option.required
    else:
        assert option.default == value(parameters[name])


@pytest.mark.parametrize("command", CALLS)
def test_a_setting_of_python_is_an_option(command):
    missing = [
        name
        for name in settings(command)
        if name not in options(command)
        and name not in ONLY_PYTHON
        and (command, name) not in ONLY_PYTHON
    ]
    assert missing == []


def test_nothing_is_excused_that_needs_no_excuse():
    for command, name in ONLY_COMMAND_LINE:
        assert name in options(command)
    for key in ONLY_PYTHON:
        names = [key] if isinstance(key, tuple) else [(c, key) for c in CALLS]
        lacking = [
            (command, name)
            for command, name in names
            if name in settings(command) and name not in options(command)
        ]
        assert lacking, key
    for command, name in OTHER_DEFAULT:
        assert options(command)[name].default != value(settings(command)[name])
