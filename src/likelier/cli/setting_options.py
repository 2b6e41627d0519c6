"""Options of the answer that several commands share, each declared once."""

from functools import partial
from typing import Annotated, Any

import typer

from likelier.cli.option_values import draws_of

DATA, LOGS, SETTINGS, PUBLISHED = "Data", "Logs", "Settings", "As published"

# Options that several commands share, with their defaults, by name.
OptionGroup = dict[str, tuple[Any, object]]


def option(text: str, *names: str, panel: str | None = None, **looks: Any) -> Any:
    """Describe an option: its help, its names where they differ, and its group."""
    return typer.Option(*names, help=text, rich_help_panel=panel, **looks)


setting_option = partial(option, panel=SETTINGS)
_published = partial(option, panel=PUBLISHED)


# --- the question ---------------------------------------------------------

MetricName = Annotated[
    str | None,
    option(
        "Metric, or several comma-separated: accuracy, f1, macro_f1, f0.5, mcc, mean "
        "…; of logs their own, which can be left out where they have one; of "
        "retrieval nDCG@10, RR, AP …"
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
        "(or token, sentence, oov); of CoNLL-U las, uas, clas, mlas, blex, upos, xpos, "
        "ufeats, alltags, lemmas."
    ),
]
DisplayName = Annotated[
    str | None,
    option("Name of the metric in the answer, such as COMET for a mean of its scores."),
]
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

Beta = Annotated[
    float | None, setting_option("Weight of recall, for the metric fbeta.")
]
Alpha = Annotated[
    float | None, setting_option("Weight of precision, for the metric fbeta.")
]

_TESTS = (
    "or a test with a p-value: randomization, bootstrap, mcnemar, mcnemar-midp, sign, "
    "delong. "
    "As published: monte-carlo, s-test, p-test."
)
Method = Annotated[
    str,
    setting_option(
        "Method: paired, unpaired or independent; hierarchical with --each-class; "
        + _TESTS
    ),
]
TagMethod = Annotated[
    str, setting_option(f"Method: paired, unpaired or independent; {_TESTS}")
]
FoldMethod = Annotated[
    str | None,
    setting_option(
        "Method for scores: correlated-t, signed-rank, sign or hierarchical; for "
        "predictions: paired or independent; for counts: independent. By default the "
        "one that fits the data. As published: monte-carlo."
    ),
]
ScoreMethod = Annotated[
    str | None,
    setting_option(
        "Method for scores: correlated-t, signed-rank, sign or hierarchical; by "
        "default the one that fits the data."
    ),
]
Prior = Annotated[
    str | None,
    setting_option(
        "Prior: swap (the default), uniform, objective or bootstrap; extremes for "
        "unpaired.",
    ),
]
Strength = Annotated[
    float, setting_option("Weight of the prior, as a multiple of the usual one.")
]
Factor = Annotated[
    str | None,
    setting_option(
        "Bayes factor beside the answer, by its null: rope, or point (no difference at "
        "all). As published: kde."
    ),
]
Rule = Annotated[
    str,
    setting_option(
        "Rule of the verdict: hdi-rope or bayes-test. As published: zhang, regions, "
        "region-mass."
    ),
]
FoldRule = Annotated[
    str | None,
    setting_option(
        "Rule of the verdict: hdi-rope or bayes-test; by default hdi-rope for scores "
        "of one data set, region-mass for those of many, bayes-test for counts and "
        "predictions. As published: zhang, regions, region-mass."
    ),
]
ScoreRule = Annotated[
    str | None,
    setting_option(
        "Rule of the verdict, for scores: hdi-rope or bayes-test; by default hdi-rope "
        "for one data set, region-mass for many. As published: zhang, regions, "
        "region-mass."
    ),
]
IntervalName = Annotated[
    str, setting_option("Kind of interval: hdi, equal-tailed or confidence.")
]
Mass = Annotated[float, setting_option("Probability mass of the intervals.")]
DrawCount = Annotated[
    int | None,
    setting_option("Number of random draws.", parser=draws_of, metavar="<int>"),
]
Seed = Annotated[
    int | None,
    setting_option("Random seed; by default a new one, which the recipe names."),
]
POSTERIOR: OptionGroup = {
    "method": (Method, "paired"),
    "prior": (Prior, None),
    "strength": (Strength, 1.0),
    "factor": (Factor, None),
    "rule": (Rule, "hdi-rope"),
    "mass": (Mass, 0.95),
    "draws": (DrawCount, None),
    "seed": (Seed, None),
}
TAG_POSTERIOR: OptionGroup = {**POSTERIOR, "method": (TagMethod, "paired")}
Threshold = Annotated[
    float,
    setting_option(
        "Least probability at which the relation of two systems counts for the order."
    ),
]
Level = Annotated[
    float,
    setting_option(
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
