"""Options that say how to answer, each declared once, and how their words are read."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from likelier.errors import SettingError

if TYPE_CHECKING:
    from likelier.metrics import Metric

DATA, SETTINGS, PUBLISHED = "Data", "Settings", "As published"

# Options that several commands share, with their defaults, by name.
OptionGroup = dict[str, tuple[Any, object]]


def option(
    text: str, *names: str, panel: str | None = None, metavar: str | None = None
) -> Any:
    """Describe an option: its help, its names where they differ, and its group."""
    return typer.Option(*names, help=text, rich_help_panel=panel, metavar=metavar)


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
        message = "Metrics of labels and of scores must be asked for separately."
        raise SettingError(message)
    return chosen


def metric_of(text: str) -> "Metric":
    """Look up the one metric of a question that takes no more."""
    metric, *others = metrics_of(text)
    if others:
        message = f"metric must be a single one here; got {len(others) + 1}."
        raise SettingError(message)
    return metric


def refuse(context: typer.Context, names: Sequence[str], *, without: str) -> None:
    """Refuse options that were written though they have no meaning here.

    Parameters
    ----------
    context
        The call, which knows what was written and what is a default.
    names
        Options, as the function of the command calls them.
    without
        What they must come with, and what is not there.
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


# --- what people need first ---------------------------------------------------------

MetricName = Annotated[
    str,
    option(
        "Metric, or several comma-separated: accuracy, f1, macro_f1, f0.5, mcc, mean …"
    ),
]
FoldMetric = Annotated[
    str | None,
    option(
        "Metrics of counts and predictions, comma-separated, by default "
        "precision,recall,f1; or the name of the scores, for the sentences."
    ),
]
RankMetric = Annotated[str | None, option("Metric, for predictions.")]
TagMetric = Annotated[
    str,
    option(
        "token_accuracy, sentence_accuracy, oov_accuracy (or token, sentence, oov), "
        "comma-separated."
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
        "Whether larger scores are better, or smaller ones: losses, errors.",
        "--higher-is-better/--lower-is-better",
    ),
]

# --- settings -----------------------------------------------------------------------

Beta = Annotated[
    float | None, option("Weight of recall, for the metric fbeta.", panel=SETTINGS)
]
Alpha = Annotated[
    float | None, option("Weight of precision, for the metric fbeta.", panel=SETTINGS)
]

_TESTS = (
    "or a p-value: randomization, bootstrap, mcnemar, mcnemar-midp, sign. As "
    "published: monte-carlo, s-test, p-test."
)
Method = Annotated[
    str,
    option(
        "paired, unpaired or independent; hierarchical with --each-class; " + _TESTS,
        panel=SETTINGS,
    ),
]
TagMethod = Annotated[
    str, option(f"paired, unpaired or independent; {_TESTS}", panel=SETTINGS)
]
FoldMethod = Annotated[
    str | None,
    option(
        "Of scores: correlated-t, signed-rank, sign or hierarchical; of predictions "
        "paired or independent, of counts independent. By default the one that fits "
        "the data. As published: monte-carlo.",
        panel=SETTINGS,
    ),
]
ScoreMethod = Annotated[
    str | None,
    option(
        "Of scores: correlated-t, signed-rank, sign or hierarchical; by default the "
        "one that fits the shape of the data.",
        panel=SETTINGS,
    ),
]
PlanMethod = Annotated[str, option("paired or unpaired.", panel=SETTINGS)]
Prior = Annotated[
    str | None, option("uniform, objective or bootstrap.", panel=SETTINGS)
]
Strength = Annotated[
    float, option("How many times as much as usual the prior weighs.", panel=SETTINGS)
]
Factor = Annotated[
    str,
    option(
        "Bayes factor of the rope, or of the point 0. As published: kde.",
        panel=SETTINGS,
    ),
]
Rule = Annotated[
    str,
    option(
        "Rule of the verdict: hdi-rope or bayes-test. As published: zhang, regions, "
        "region-mass.",
        panel=SETTINGS,
    ),
]
FoldRule = Annotated[
    str | None,
    option(
        "Rule of the verdict: hdi-rope or bayes-test; by default hdi-rope for scores "
        "of one data set, region-mass for those of many, bayes-test for counts and "
        "predictions. As published: zhang, regions, region-mass.",
        panel=SETTINGS,
    ),
]
ScoreRule = Annotated[
    str | None,
    option(
        "Rule of the verdict, for scores: hdi-rope or bayes-test; by default hdi-rope "
        "for one data set, region-mass for many. As published: zhang, regions, "
        "region-mass.",
        panel=SETTINGS,
    ),
]
IntervalName = Annotated[
    str, option("hdi, equal-tailed or confidence.", panel=SETTINGS)
]
Mass = Annotated[float, option("Mass of the intervals.", panel=SETTINGS)]
DrawCount = Annotated[int | None, option("Number of draws.", panel=SETTINGS)]
Seed = Annotated[
    int | None,
    option(
        "Seed; without one the recipe tells the seed that was used.", panel=SETTINGS
    ),
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
    option(
        "How probable the relation of two systems must be to count for the order.",
        panel=SETTINGS,
    ),
]
Level = Annotated[
    float,
    option(
        "Level of the critical difference and of the data sets counted.",
        panel=SETTINGS,
    ),
]

# --- as published -------------------------------------------------------------------

Margin = Annotated[
    float, option("By how much the second must be better under H1.", panel=PUBLISHED)
]
Rho1 = Annotated[
    str,
    option(
        "Correlation of the two folds of a repetition: a number, or LOW,HIGH to "
        "average over.",
        panel=PUBLISHED,
        metavar="NUMBER",
    ),
]
Rho2 = Annotated[
    str,
    option(
        "Correlation of folds of different repetitions, likewise.",
        panel=PUBLISHED,
        metavar="NUMBER",
    ),
]
FoldInterval = Annotated[
    str,
    option("Intervals of the systems: hdi or equal-tailed.", panel=PUBLISHED),
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
    option("Take the shares of the pilot as the truth, not as evidence.", "--as-truth"),
]
Goal = Annotated[str, option("The verdict wanted: better, worse, equivalent, decided.")]
Chance = Annotated[float, option("The chance wanted of that verdict.")]
Sizes = Annotated[
    str | None, option("Numbers of items, comma-separated.", metavar="N,N,…")
]
ItemsKind = Annotated[
    str,
    option(
        "same: both systems see the same items; other: each its own.", panel=SETTINGS
    ),
]
Replications = Annotated[
    int, option("Simulated experiments for each size.", panel=SETTINGS)
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
DesignName = Annotated[str, option("mx2, kfold, repeated, 5x2 or train-dev-test.")]
Repetitions = Annotated[int, option("Repetitions of mx2.")]
FoldCount = Annotated[int, option("Folds of kfold and repeated.", "--k")]
Repeats = Annotated[int, option("Repeats of repeated.")]
Stratify = Annotated[str | None, option("Column of the class to keep even.")]
Groups = Annotated[str | None, option("Column of groups to keep together.")]
Out = Annotated[
    Path | None, option("Write here instead of the terminal; .jsonl or CSV.")
]

# --- studies ------------------------------------------------------------------------

StorePath = Annotated[
    Path | None,
    option("The file that keeps the results; else beside the study, .db"),
]
Workers = Annotated[
    int | None, option("How many folds run at a time; else one per core.")
]
EngineName = Annotated[
    str | None,
    option("Where folds run: processes, threads, dask:ADDRESS, dask:local, ray."),
]
Let = Annotated[
    list[str] | None,
    option("NAME=VALUE for ${NAME} in the study; may be given again."),
]
StudyMetric = Annotated[
    str | None, option("Metrics, by commas; else those of the study.")
]
StudyDatasets = Annotated[str | None, option("Which data sets, by commas; else all.")]
StudyPositive = Annotated[
    str | None, option("The positive class; else that of the study.")
]
StudyMethod = Annotated[
    str | None,
    option(
        "paired or independent for the items of m x 2 folds; correlated-t, "
        "hierarchical, signed-rank or sign for scores of folds. Else what fits."
    ),
]
StudyMass = Annotated[
    float | None, option("Mass of intervals; else that of the study.")
]
StudyRule = Annotated[
    str | None,
    option(
        "Rule of the verdict: hdi-rope or bayes-test; else that of the method. As "
        "published: zhang, regions, region-mass."
    ),
]
AllPairs = Annotated[
    bool,
    option("Compare every system with every other, not only the first.", "--pairs"),
]
Timings = Annotated[
    bool, option("Tell how long folds took in the JSON, too.", "--timings")
]
Errors = Annotated[bool, option("Print all that failed folds said.", "--errors")]
