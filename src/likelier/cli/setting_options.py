"""Options of the answer, each declared once, and functions that read their words."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from likelier.errors import SettingError

if TYPE_CHECKING:
    from likelier.metrics.metric import Metric

DATA, SETTINGS, PUBLISHED = "Data", "Settings", "As published"

# Options that several commands share, with their defaults, by name.
OptionGroup = dict[str, tuple[Any, object]]


def option(
    text: str, *names: str, panel: str | None = None, metavar: str | None = None
) -> Any:
    """Describe an option: its help, its names where they differ, and its group."""
    return typer.Option(*names, help=text, rich_help_panel=panel, metavar=metavar)


_setting = partial(option, panel=SETTINGS)
_published = partial(option, panel=PUBLISHED)


def names_of(text: str | None) -> list[str] | None:
    """Split a comma-separated list.

    Examples
    --------
    >>> names_of("a, b")
    ['a', 'b']
    """
    if text is None:
        return None
    return [name.strip() for name in text.split(",") if name.strip()]


def range_of(text: str | None, *, name: str) -> float | tuple[float, ...] | None:
    """Read a number, or the two ends of a range.

    Examples
    --------
    >>> range_of("0.01", name="rope"), range_of("-0.01, 0.02", name="rope")
    (0.01, (-0.01, 0.02))
    """
    if text is None:
        return None
    try:
        ends = tuple(float(part) for part in text.split(","))
    except ValueError as error:
        message = f"{name} must be a number, or LOW,HIGH; got {text!r}."
        raise SettingError(message) from error
    return ends[0] if len(ends) == 1 else ends


def metrics_of(
    text: str, *, beta: float | None = None, alpha: float | None = None
) -> "list[Metric]":
    """Look up the metrics of a comma-separated list."""
    from likelier import metrics

    names = names_of(text) or []
    if (beta, alpha) != (None, None) and "fbeta" not in names:
        message = "beta and alpha must come with the metric fbeta; there is none."
        raise SettingError(message)
    if not names:
        message = "metric must name at least one metric; got none."
        raise SettingError(message)
    chosen = [
        metrics.fbeta(beta, alpha=alpha) if name == "fbeta" else metrics.named(name)
        for name in names
    ]
    if len({metric.takes_scores for metric in chosen}) > 1:
        message = "Metrics of labels and of scores must not be mixed."
        raise SettingError(message)
    return chosen


def metric_of(text: str) -> "Metric":
    """Look up the metric of a question that allows one only."""
    metric, *others = metrics_of(text)
    if others:
        message = f"metric must be a single one here; got {len(others) + 1}."
        raise SettingError(message)
    return metric


def refuse(context: typer.Context, names: Sequence[str], *, without: str) -> None:
    """Refuse options on the command line that have no meaning here.

    Parameters
    ----------
    context
        The call, which knows the options on the command line from defaults.
    names
        Options by their names in Python.
    without
        Setting that they need, and that is missing.
    """
    for parameter in context.command.params:
        name = str(parameter.name)
        source = context.get_parameter_source(name)
        if name in names and source is not None and source.name == "COMMANDLINE":
            value = context.params[name]
            written = parameter.secondary_opts if value is False else parameter.opts
            got = "" if isinstance(value, bool) else f"; got {value!r}"
            message = f"{written[0]} must come with {without}{got}."
            raise SettingError(message)


# --- the question ---------------------------------------------------------

MetricName = Annotated[
    str,
    option(
        "Metric, or several comma-separated: accuracy, f1, macro_f1, f0.5, mcc, mean …"
    ),
]
FoldMetric = Annotated[
    str | None,
    option(
        "Metrics of counts or predictions, comma-separated, precision,recall,f1 by "
        "default; or the name of the scores, for the text."
    ),
]
RankMetric = Annotated[str | None, option("Metric, for predictions.")]
TagMetric = Annotated[
    str,
    option(
        "Metrics, comma-separated: token_accuracy, sentence_accuracy, oov_accuracy "
        "(or token, sentence, oov)."
    ),
]
PlanMetric = Annotated[str | None, option("Metric; accuracy for --accuracies.")]
Positive = Annotated[
    str | None, option("The positive class, for metrics of one class.")
]
RopeText = Annotated[
    str | None,
    option(
        "Region of practical equivalence: a half width, or LOW,HIGH.", metavar="NUMBER"
    ),
]
EachClass = Annotated[
    bool,
    option(
        "Compare every class against the rest, and the averages over classes; "
        "--method hierarchical lets classes learn from each other.",
        "--each-class",
    ),
]
Sensitive = Annotated[
    bool,
    option(
        "Compare under priors from a tenth to ten times the usual weight.",
        "--sensitivity",
    ),
]
HigherIsBetter = Annotated[
    bool,
    option(
        "Whether larger scores are better, or smaller ones, as for losses and errors.",
        "--higher-is-better/--lower-is-better",
    ),
]

# --- settings -----------------------------------------------------------------------

Beta = Annotated[float | None, _setting("Weight of recall, for the metric fbeta.")]
Alpha = Annotated[float | None, _setting("Weight of precision, for the metric fbeta.")]

_TESTS = (
    "or a test with a p-value: randomization, bootstrap, mcnemar, mcnemar-midp, sign. "
    "As published: monte-carlo, s-test, p-test."
)
Method = Annotated[
    str,
    _setting(
        "Method: paired, unpaired or independent; hierarchical with --each-class; "
        + _TESTS
    ),
]
TagMethod = Annotated[
    str, _setting(f"Method: paired, unpaired or independent; {_TESTS}")
]
FoldMethod = Annotated[
    str | None,
    _setting(
        "Method for scores: correlated-t, signed-rank, sign or hierarchical; for "
        "predictions: paired or independent; for counts: independent. By default the "
        "one that fits the data. As published: monte-carlo."
    ),
]
ScoreMethod = Annotated[
    str | None,
    _setting(
        "Method for scores: correlated-t, signed-rank, sign or hierarchical; by "
        "default the one that fits the data."
    ),
]
PlanMethod = Annotated[str, _setting("Method: paired or unpaired.")]
Prior = Annotated[str | None, _setting("Prior: uniform, objective or bootstrap.")]
Strength = Annotated[
    float, _setting("Weight of the prior, as a multiple of the usual one.")
]
Factor = Annotated[
    str,
    _setting(
        "Null hypothesis of the Bayes factor: rope, or point (no difference at all). "
        "As published: kde."
    ),
]
Rule = Annotated[
    str,
    _setting(
        "Rule of the verdict: hdi-rope or bayes-test. As published: zhang, regions, "
        "region-mass."
    ),
]
FoldRule = Annotated[
    str | None,
    _setting(
        "Rule of the verdict: hdi-rope or bayes-test; by default hdi-rope for scores "
        "of one data set, region-mass for those of many, bayes-test for counts and "
        "predictions. As published: zhang, regions, region-mass."
    ),
]
ScoreRule = Annotated[
    str | None,
    _setting(
        "Rule of the verdict, for scores: hdi-rope or bayes-test; by default hdi-rope "
        "for one data set, region-mass for many. As published: zhang, regions, "
        "region-mass."
    ),
]
IntervalName = Annotated[
    str, _setting("Kind of interval: hdi, equal-tailed or confidence.")
]
Mass = Annotated[float, _setting("Probability mass of the intervals.")]
DrawCount = Annotated[int | None, _setting("Number of random draws.")]
Seed = Annotated[
    int | None,
    _setting("Random seed; by default a new one, which the recipe names."),
]
POSTERIOR: OptionGroup = {
    "method": (Method, "paired"),
    "prior": (Prior, None),
    "strength": (Strength, 1.0),
    "factor": (Factor, "rope"),
    "rule": (Rule, "hdi-rope"),
    "mass": (Mass, 0.95),
    "draws": (DrawCount, None),
    "seed": (Seed, None),
}
TAG_POSTERIOR: OptionGroup = {**POSTERIOR, "method": (TagMethod, "paired")}
Threshold = Annotated[
    float,
    _setting(
        "Least probability at which the relation of two systems counts for the order."
    ),
]
Level = Annotated[
    float,
    _setting(
        "Significance level of the critical difference and of the tests on each data "
        "set."
    ),
]

# --- as published -------------------------------------------------------------------

Margin = Annotated[
    float, _published("Difference by which the second must be better under H1.")
]
Rho1 = Annotated[
    str,
    _published(
        "Correlation of the two folds of a repetition: a number, or LOW,HIGH to "
        "average over.",
        metavar="NUMBER",
    ),
]
Rho2 = Annotated[
    str,
    _published(
        "Correlation of folds of different repetitions, in the same form.",
        metavar="NUMBER",
    ),
]
FoldInterval = Annotated[
    str,
    _published("Intervals of the systems: hdi or equal-tailed."),
]

# --- plans and splits ---------------------------------------------------------------

Assume = Annotated[
    Path | None,
    option(
        "JSON with the share of each (gold, first, second): "
        '{"cells": [{"gold": "+", "first": "+", "second": "-", "share": 0.1}, …]}.',
        metavar="FILE",
    ),
]
Accuracies = Annotated[
    str | None,
    option("The two accuracies that are assumed.", metavar="FIRST,SECOND"),
]
Agreement = Annotated[
    float | None, option("Share of items on which both are right or both wrong.")
]
AsTruth = Annotated[
    bool,
    option(
        "Treat the shares of the pilot as the truth, not as evidence.", "--as-truth"
    ),
]
Goal = Annotated[
    str, option("Verdict to plan for: better, worse, equivalent or decided.")
]
Chance = Annotated[float, option("Chance of that verdict to plan for.")]
Sizes = Annotated[
    str | None, option("Numbers of items, comma-separated.", metavar="N,N,…")
]
ItemsKind = Annotated[
    str,
    _setting("same: both systems see the same items; other: each sees its own."),
]
Replications = Annotated[
    int, _setting("Number of simulated experiments for each size.")
]
PLANNED: OptionGroup = {
    "method": (PlanMethod, "paired"),
    "prior": (Prior, None),
    "strength": (Strength, 1.0),
    "items": (ItemsKind, "same"),
    "rule": (Rule, "hdi-rope"),
    "mass": (Mass, 0.95),
    "replications": (Replications, 1000),
    "draws": (DrawCount, None),
    "seed": (Seed, None),
}
DesignName = Annotated[
    str, option("Design: mx2, kfold, repeated, 5x2 or train-dev-test.")
]
Repetitions = Annotated[int, option("Number of repetitions of mx2.")]
FoldCount = Annotated[int, option("Number of folds of kfold and repeated.", "--k")]
Repeats = Annotated[int, option("Number of repeats of repeated.")]
Stratify = Annotated[
    str | None, option("Column of the classes to spread evenly over folds.")
]
Groups = Annotated[str | None, option("Column of the groups to keep together.")]
Out = Annotated[
    Path | None,
    option("Write to this file, as JSONL (.jsonl) or CSV; by default print CSV."),
]

# --- studies ------------------------------------------------------------------------

StorePath = Annotated[
    Path | None,
    option("File that stores the results; by default beside the study, ending in .db."),
]
Workers = Annotated[
    int | None, option("Number of folds that run at a time; one per core by default.")
]
EngineName = Annotated[
    str | None,
    option("Where folds run: processes, threads, dask:ADDRESS, dask:local, ray."),
]
Let = Annotated[
    list[str] | None,
    option("NAME=VALUE for ${NAME} in the study; can be repeated."),
]
StudyMetric = Annotated[
    str | None, option("Metrics, comma-separated; those of the study by default.")
]
StudyDatasets = Annotated[
    str | None, option("Data sets, comma-separated; all by default.")
]
StudyPositive = Annotated[
    str | None, option("The positive class; that of the study by default.")
]
StudyMethod = Annotated[
    str | None,
    option(
        "Method for the items of m x 2 folds: paired or independent; for scores of "
        "folds: correlated-t, hierarchical, signed-rank or sign. By default the one "
        "that fits the data."
    ),
]
StudyMass = Annotated[
    float | None,
    option("Probability mass of the intervals; that of the study by default."),
]
StudyRule = Annotated[
    str | None,
    option(
        "Rule of the verdict: hdi-rope or bayes-test; that of the method by default. "
        "As published: zhang, regions, region-mass."
    ),
]
AllPairs = Annotated[
    bool,
    option("Compare every system with every other, not only the first.", "--pairs"),
]
Timings = Annotated[
    bool, option("Include in the JSON how long folds took.", "--timings")
]
Errors = Annotated[
    bool, option("Print the errors of failed folds in full.", "--errors")
]
