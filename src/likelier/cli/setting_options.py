"""What is asked, and by which method; each option said once."""

from typing import Annotated

import typer

_SETTINGS = "Settings"

MetricName = Annotated[
    str,
    typer.Option(
        help="Metric, or several comma-separated: accuracy, f1, macro_f1, f0.5, mcc, "
        "mean …"
    ),
]
Positive = Annotated[
    str | None, typer.Option(help="The positive class, for metrics of one class.")
]
RopeText = Annotated[
    str | None,
    typer.Option(
        help="Region of practical equivalence: a half width, or LOW,HIGH.",
        metavar="NUMBER",
    ),
]
Beta = Annotated[
    float | None, typer.Option(help="Weight of recall, for the metric fbeta.")
]
Alpha = Annotated[
    float | None, typer.Option(help="Weight of precision, for the metric fbeta.")
]
Mass = Annotated[
    float, typer.Option(help="Mass of the intervals.", rich_help_panel=_SETTINGS)
]
DrawCount = Annotated[
    int | None,
    typer.Option(help="Number of draws.", rich_help_panel=_SETTINGS),
]
Seed = Annotated[
    int | None,
    typer.Option(
        help="Seed; without one the recipe tells the seed that was used.",
        rich_help_panel=_SETTINGS,
    ),
]
CountsMethod = Annotated[
    str | None,
    typer.Option(
        help="independent, monte-carlo; for predictions also paired (their default).",
        rich_help_panel=_SETTINGS,
    ),
]
Margin = Annotated[
    float, typer.Option(help="By how much the second must be better under H1.")
]
Rho = Annotated[
    str,
    typer.Option(
        help="Correlation of folds: a number, or LOW,HIGH to average over.",
        metavar="NUMBER",
        rich_help_panel=_SETTINGS,
    ),
]
TagMetric = Annotated[
    str,
    typer.Option(
        "--metric",
        help="token_accuracy, sentence_accuracy, oov_accuracy (or token, sentence, "
        "oov), comma-separated.",
    ),
]
Method = Annotated[
    str,
    typer.Option(
        help="paired, unpaired, independent, monte-carlo; hierarchical with "
        "--each-class; or a p-value: randomization, bootstrap, mcnemar, mcnemar-midp, "
        "sign, s-test, p-test.",
        rich_help_panel=_SETTINGS,
    ),
]
Prior = Annotated[
    str | None,
    typer.Option(help="uniform, objective or bootstrap.", rich_help_panel=_SETTINGS),
]
Strength = Annotated[
    float,
    typer.Option(
        help="How many times as much as usual the prior weighs.",
        rich_help_panel=_SETTINGS,
    ),
]
Factor = Annotated[
    str,
    typer.Option(
        help="Bayes factor of the rope, of the point 0, or kde (as Zhang et al.).",
        rich_help_panel=_SETTINGS,
    ),
]
EachClass = Annotated[
    bool,
    typer.Option(
        "--each-class",
        help="Compare every class against the rest, and the averages over classes; "
        "--method hierarchical lets classes learn from each other.",
    ),
]
Sensitive = Annotated[
    bool,
    typer.Option(
        "--sensitivity",
        help="Compare under priors from a tenth to ten times the usual weight.",
    ),
]
Rule = Annotated[
    str,
    typer.Option(
        help="Rule of the verdict: hdi-rope, zhang, bayes-test, regions, region-mass.",
        rich_help_panel=_SETTINGS,
    ),
]
IntervalName = Annotated[
    str,
    typer.Option(help="hdi, equal-tailed or confidence.", rich_help_panel=_SETTINGS),
]
ScoreName = Annotated[
    str, typer.Option("--metric", help="What the scores are, for the sentences.")
]
RankMetric = Annotated[
    str | None, typer.Option("--metric", help="Metric, for predictions.")
]
Threshold = Annotated[
    float,
    typer.Option(
        help="How probable the relation of two systems must be to count for the order.",
        rich_help_panel=_SETTINGS,
    ),
]
Level = Annotated[
    float,
    typer.Option(
        help="Level of the critical difference and of the data sets counted.",
        rich_help_panel=_SETTINGS,
    ),
]
ScoreMethodName = Annotated[
    str | None,
    typer.Option(
        help="correlated-t, signed-rank, sign or hierarchical; by default the one "
        "that fits the shape of the data.",
        rich_help_panel=_SETTINGS,
    ),
]
ScoreRule = Annotated[
    str | None,
    typer.Option(
        "--rule",
        help="Rule of the verdict: hdi-rope, zhang, bayes-test, regions, region-mass; "
        "by default hdi-rope for one data set, region-mass for many.",
        rich_help_panel=_SETTINGS,
    ),
]
