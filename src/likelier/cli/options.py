"""The options, each said once."""

from pathlib import Path
from typing import Annotated

import typer

_DATA, _OUTPUT, _SETTINGS = "Data", "Output", "Settings"

Files = Annotated[
    list[Path],
    typer.Argument(
        help="One table with a gold column and one column per system; or the gold "
        "file and one file per system, joined on --id. CSV, TSV, JSONL or Parquet.",
        show_default=False,
    ),
]
Gold = Annotated[
    str, typer.Option(help="Column of the gold labels.", rich_help_panel=_DATA)
]
Systems = Annotated[
    str | None,
    typer.Option(
        help="Columns of the systems, comma-separated, the baseline first.",
        rich_help_panel=_DATA,
    ),
]
Id = Annotated[
    str | None,
    typer.Option(help="Column that pairs the items.", rich_help_panel=_DATA),
]
Label = Annotated[
    str | None,
    typer.Option(
        help="Column of the label (or score) in one file per system.",
        rich_help_panel=_DATA,
    ),
]
Cluster = Annotated[
    str | None,
    typer.Option(
        help="Column of the document, speaker or group of an item.",
        rich_help_panel=_DATA,
    ),
]
Separator = Annotated[
    str | None,
    typer.Option(
        help="Separates several labels in one cell (multi-label).",
        rich_help_panel=_DATA,
    ),
]
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
Json = Annotated[
    str | None,
    typer.Option(
        help="Write JSON to a file, or to the terminal with -.",
        metavar="FILE|-",
        rich_help_panel=_OUTPUT,
    ),
]
Html = Annotated[
    Path | None, typer.Option(help="Write a page.", rich_help_panel=_OUTPUT)
]
Plot = Annotated[
    Path | None,
    typer.Option(help="Draw the result: .png, .svg or .pdf.", rich_help_panel=_OUTPUT),
]
PlotKind = Annotated[
    str,
    typer.Option(
        help="What to draw: posterior, or factor (prior and posterior at the null).",
        rich_help_panel=_OUTPUT,
    ),
]
Markdown = Annotated[
    bool, typer.Option("--markdown", help="Print Markdown.", rich_help_panel=_OUTPUT)
]
Latex = Annotated[
    bool, typer.Option("--latex", help="Print LaTeX.", rich_help_panel=_OUTPUT)
]
FailUnless = Annotated[
    str | None,
    typer.Option(
        help="Exit 1 unless this holds, such as 'P(better) > 0.9'; 3 where the "
        "evidence is too little either way.",
        metavar="CONDITION",
        rich_help_panel=_OUTPUT,
    ),
]
Sets = Annotated[
    bool,
    typer.Option(
        "--sets",
        help="Items have any number of labels: lists, or cells with --separator.",
        rich_help_panel=_DATA,
    ),
]
CountsFile = Annotated[
    Path,
    typer.Argument(
        help="A table with system, repetition, fold and tp, fp, fn (or gold, "
        "predicted, correct); or predictions with their repetition and fold.",
        show_default=False,
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
RepetitionColumn = Annotated[
    str, typer.Option(help="Column of the repetition.", rich_help_panel=_DATA)
]
FoldColumn = Annotated[
    str, typer.Option(help="Column of the fold.", rich_help_panel=_DATA)
]
TaggedFiles = Annotated[
    list[Path],
    typer.Argument(
        help="One file with columns of gold and predicted tags; or the gold file and "
        "one file per system. With --segmented, texts with spaces between words.",
        show_default=False,
    ),
]
Scheme = Annotated[
    str | None,
    typer.Option(
        help="iob1, iob2, ioe1, ioe2, iobes, bilou, bmes or bb2b3mes; or several, "
        "comma-separated: of the gold tags and of each system.",
        rich_help_panel=_DATA,
    ),
]
Strict = Annotated[
    bool,
    typer.Option(
        "--strict",
        help="Leave out chunks that the scheme does not allow; else as conlleval.",
        rich_help_panel=_DATA,
    ),
]
Boundaries = Annotated[
    bool,
    typer.Option(
        "--boundaries",
        help="Let only boundaries count, not types.",
        rich_help_panel=_DATA,
    ),
]
Only = Annotated[
    str | None, typer.Option(help="The one type that counts.", rich_help_panel=_DATA)
]
Documents = Annotated[
    bool,
    typer.Option(
        "--documents",
        help="Take documents (-DOCSTART- lines) as clusters.",
        rich_help_panel=_DATA,
    ),
]
Segmented = Annotated[
    bool,
    typer.Option(
        "--segmented",
        help="Read words separated by spaces, one sentence per line.",
        rich_help_panel=_DATA,
    ),
]
TagFiles = Annotated[
    list[Path],
    typer.Argument(
        help="The gold file and one file per system, CoNLL-U or columns; or one file "
        "with columns of gold and predicted tags.",
        show_default=False,
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
TagColumn = Annotated[
    str | None,
    typer.Option(
        "--column",
        help="Column of the tags: its number from 0 (-1: the last); in CoNLL-U also "
        "form, upos (the default) or xpos.",
        rich_help_panel=_DATA,
    ),
]
GoldColumn = Annotated[
    str | None,
    typer.Option(
        "--gold", help="Column of the gold tags, if another.", rich_help_panel=_DATA
    ),
]
Train = Annotated[
    list[Path] | None,
    typer.Option(
        help="File that the systems were trained on, for OOV accuracy; may be given "
        "several times.",
        rich_help_panel=_DATA,
    ),
]
VocabularyFile = Annotated[
    Path | None,
    typer.Option(
        "--vocabulary",
        help="File with one known form per line, for OOV accuracy.",
        rich_help_panel=_DATA,
    ),
]
Lowercase = Annotated[
    bool,
    typer.Option(
        "--lowercase",
        help="Lowercase forms before they are looked up.",
        rich_help_panel=_DATA,
    ),
]
TagCluster = Annotated[
    str,
    typer.Option(
        "--cluster",
        help="What is independent: sentence, document, or none (every token).",
        rich_help_panel=_DATA,
    ),
]
SplitFile = Annotated[
    Path, typer.Argument(help="A table with one item per row.", show_default=False)
]
DesignName = Annotated[
    str, typer.Option(help="mx2, kfold, repeated, 5x2 or train-dev-test.")
]
Repetitions = Annotated[int, typer.Option(help="Repetitions of mx2.")]
FoldCount = Annotated[int, typer.Option("--k", help="Folds of kfold and repeated.")]
Repeats = Annotated[int, typer.Option(help="Repeats of repeated.")]
Stratify = Annotated[str | None, typer.Option(help="Column of the class to keep even.")]
Groups = Annotated[str | None, typer.Option(help="Column of groups to keep together.")]
Out = Annotated[
    Path | None,
    typer.Option(help="Write here instead of the terminal; .jsonl or CSV."),
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
PilotFiles = Annotated[
    list[Path] | None,
    typer.Argument(
        help="A pilot: predictions as for compare. Or none, with --assume or "
        "--accuracies.",
        show_default=False,
    ),
]
Assume = Annotated[
    Path | None,
    typer.Option(
        help="JSON with the share of each (gold, first, second): "
        '{"cells": [{"gold": "+", "first": "+", "second": "-", "share": 0.1}, …]}.',
        metavar="FILE",
    ),
]
Accuracies = Annotated[
    str | None,
    typer.Option(help="The two accuracies that are assumed.", metavar="FIRST,SECOND"),
]
Agreement = Annotated[
    float | None,
    typer.Option(help="Share of items on which both are right or both wrong."),
]
AsTruth = Annotated[
    bool,
    typer.Option(
        "--as-truth",
        help="Take the shares of the pilot as the truth, not as evidence.",
    ),
]
Goal = Annotated[
    str, typer.Option(help="The verdict wanted: better, worse, equivalent, decided.")
]
Chance = Annotated[float, typer.Option(help="The chance wanted of that verdict.")]
Sizes = Annotated[
    str | None,
    typer.Option(help="Numbers of items, comma-separated.", metavar="N,N,…"),
]
PlanMethod = Annotated[
    str, typer.Option(help="paired or unpaired.", rich_help_panel=_SETTINGS)
]
ItemsKind = Annotated[
    str,
    typer.Option(
        help="same: both systems see the same items; other: each its own.",
        rich_help_panel=_SETTINGS,
    ),
]
Replications = Annotated[
    int,
    typer.Option(
        help="Simulated experiments for each size.", rich_help_panel=_SETTINGS
    ),
]
PlanMetric = Annotated[
    str | None,
    typer.Option("--metric", help="Metric; accuracy for --accuracies."),
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
ScoresFile = Annotated[
    Path,
    typer.Argument(
        help="A table with dataset, run, fold, system and score, one score per row; "
        "CSV, TSV, JSONL or Parquet.",
        show_default=False,
    ),
]
RankFiles = Annotated[
    list[Path],
    typer.Argument(
        help="A table of scores as for `scores`; or predictions as for `compare`, "
        "with --metric.",
        show_default=False,
    ),
]
SystemNames = Annotated[
    str | None,
    typer.Option(
        help="Which systems, comma-separated, the baseline first; by default all.",
        rich_help_panel=_DATA,
    ),
]
DatasetColumn = Annotated[
    str, typer.Option(help="Column of the data set.", rich_help_panel=_DATA)
]
RunColumn = Annotated[
    str,
    typer.Option(help="Column of the run of cross-validation.", rich_help_panel=_DATA),
]
SystemColumn = Annotated[
    str, typer.Option(help="Column of the system.", rich_help_panel=_DATA)
]
ScoreColumn = Annotated[
    str, typer.Option(help="Column of the score.", rich_help_panel=_DATA)
]
TestShare = Annotated[
    float | None,
    typer.Option(
        help="Share of a data set's items that each fold tests; by default one part "
        "of as many as a run has folds.",
        rich_help_panel=_DATA,
    ),
]
ScoreName = Annotated[
    str, typer.Option("--metric", help="What the scores are, for the sentences.")
]
RankMetric = Annotated[
    str | None, typer.Option("--metric", help="Metric, for predictions.")
]
LowerIsBetter = Annotated[
    bool,
    typer.Option(
        "--lower-is-better", help="Smaller scores are better: losses, errors."
    ),
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
RankFailUnless = Annotated[
    str | None,
    typer.Option(
        "--fail-unless",
        help="Exit 1 unless this holds, such as 'P(best) > 0.9'.",
        metavar="CONDITION",
        rich_help_panel=_OUTPUT,
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
ScorePlotKind = Annotated[
    str | None,
    typer.Option(
        "--plot-kind",
        help="What to draw: posterior, simplex or data-sets; of all pairs: order or "
        "simplex.",
        rich_help_panel=_OUTPUT,
    ),
]
RankPlotKind = Annotated[
    str | None,
    typer.Option(
        "--plot-kind",
        help="What to draw: ranks, critical, order or simplex.",
        rich_help_panel=_OUTPUT,
    ),
]
